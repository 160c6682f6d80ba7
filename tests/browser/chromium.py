"""A browser without a window."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
import shutil

from playwright.async_api import Page, Playwright, async_playwright, expect

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ON_MACOS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
_HOW_TO_GET_IT = """\
There is no Chromium or Chrome on this machine. To get one:
  Debian, Ubuntu    apt install chromium
  Fedora            dnf install chromium
  macOS             brew install --cask google-chrome
  anywhere          .venv/bin/python -m playwright install --with-deps chromium"""
_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    # Pictures look the same with and without the internet.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
_LOCALES = {"en": "en-US", "de": "de-DE"}
TIMEOUT = 30_000
"""Milliseconds that a page may take for anything: much, for a machine that does more than this."""


class NoBrowserError(Exception):
    """There is no browser; the text says how to get one."""


@asynccontextmanager
async def browser_page(language: str) -> AsyncGenerator[Page]:
    """Open a page in a browser of a language, which ends with the block. Raises NoBrowserError."""
    async with async_playwright() as playwright:
        program = _program(playwright)
        async with await playwright.chromium.launch(
            executable_path=program, args=[*_ARGUMENTS]
        ) as chromium:
            context = await chromium.new_context(
                viewport={"width": 1100, "height": 1000},
                device_scale_factor=1.5,
                locale=_LOCALES[language],
                color_scheme="light",
                reduced_motion="reduce",
                service_workers="block",
            )
            page = await context.new_page()
            page.set_default_timeout(TIMEOUT)
            expect.set_options(timeout=TIMEOUT)
            yield page


def _program(playwright: Playwright) -> str:
    """Return the machine's browser, or the one that playwright has fetched."""
    for name in (*_NAMES, *_ON_MACOS, playwright.chromium.executable_path):
        if program := shutil.which(name):
            return program
    raise NoBrowserError(_HOW_TO_GET_IT)
