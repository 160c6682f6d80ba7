"""The README's pictures, taken from the demo with a browser: `docs/config-flow.png`, `docs/conversation.png`."""

import asyncio
import re
import shutil
import sys

from playwright.async_api import Locator, Page, WebSocket, async_playwright, expect

from script.house.build import House, house
from script.house.failure import HouseError
from script.house.home_assistant import CHECKOUT, PASSWORD, USER
from script.house.model import at_hand

DOCS = CHECKOUT / "docs"
SENTENCES = ("what time is it?", "turn on the kitchen lights")
ANSWER_TIMEOUT = 300
"""Seconds for one answer."""
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_MAC_BROWSER = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
_ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


def browser() -> str:
    """Return the program of a browser. Raises HouseError where there is none."""
    for name in (*_BROWSERS, _MAC_BROWSER):
        if program := shutil.which(name):
            return program
    raise HouseError("Pictures need Chromium or Chrome on this machine.")


async def main() -> None:
    """Take both pictures."""
    program = browser()
    async with (
        house(at_hand(None, _progress), _progress, ui=True) as there,
        async_playwright() as playwright,
        await playwright.chromium.launch(executable_path=program, args=_ARGUMENTS) as chromium,
    ):
        context = await chromium.new_context(
            viewport={"width": 1000, "height": 760},
            device_scale_factor=1.5,
            locale="en-US",
            service_workers="block",
            reduced_motion="reduce",
        )
        page = await context.new_page()
        page.set_default_timeout(30_000)
        runs = Runs(page)
        await log_in(page, there)
        await picture_config_flow(page, there)
        await picture_conversation(page, there, runs)


class Runs:
    """Counts the pipeline's runs that a page has seen end."""

    def __init__(self, page: Page) -> None:
        """Listen to the page's websocket."""
        self._ended = asyncio.Semaphore(0)
        page.on("websocket", self._listen)

    async def end(self) -> None:
        """Wait for the end of a run."""
        async with asyncio.timeout(ANSWER_TIMEOUT):
            await self._ended.acquire()

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._note)

    def _note(self, frame: str | bytes) -> None:
        if '"type":"run-end"' in str(frame):
            self._ended.release()


async def log_in(page: Page, there: House) -> None:
    """Log in as the demo's user."""
    await page.goto(there.api.url)
    await page.get_by_role("textbox", name="Username").fill(USER)
    await page.get_by_role("textbox", name="Password").fill(PASSWORD)
    await _button(page, "Log in").click()
    await _button(page, "Assist (A)").wait_for()


async def picture_config_flow(page: Page, there: House) -> None:
    """Walk to the form for an Ollama server, and take its picture."""
    await page.goto(f"{there.api.url}/config/integrations/dashboard")
    await _button(page, "Add integration").click()
    # Its content is slotted, and so not below the element that has the role of a dialog.
    dialog = page.locator("dialog-add-integration")
    await dialog.get_by_placeholder("Search for a brand name").fill("voice gateway")
    await dialog.get_by_role("button", name="Voice Gateway", exact=True).click()
    await page.get_by_text("Ollama", exact=True).click()
    await page.get_by_role("textbox", name="Address").fill("http://192.168.1.20:11434")
    await expect(_button(page, "Submit")).to_be_enabled()
    await _picture(page, "config-flow")
    await page.keyboard.press("Escape")


async def picture_conversation(page: Page, there: House, runs: Runs) -> None:
    """Speak with the preferred assistant, and take a picture of what was said."""
    await page.goto(f"{there.api.url}/home/overview")
    await _button(page, "Assist (A)").click()
    await _button(page, "Voice Gateway").wait_for()
    chat = page.locator("ha-assist-chat")
    for number, sentence in enumerate(SENTENCES, start=1):
        _progress(f"“{sentence}”…")
        await chat.get_by_role("textbox").fill(sentence)
        await chat.get_by_role("textbox").press("Enter")
        await runs.end()
        # The first message is the greeting.
        answer = chat.locator(".message.hass, .message.error").nth(number)
        await expect(answer).to_have_text(re.compile(r"\w"))
    await _picture(page, "conversation")


async def _picture(page: Page, name: str) -> None:
    file = DOCS / f"{name}.png"
    await page.screenshot(path=file, animations="disabled")
    print(file.relative_to(CHECKOUT))


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except HouseError as err:
        sys.exit(str(err))
