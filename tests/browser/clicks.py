"""Counts what a hand does with the mouse."""

from __future__ import annotations

from playwright.async_api import Page

_COUNT = """addEventListener("pointerdown", event => {
    const on = event.composedPath()[0];
    if (event.isTrusted) clicked(on.innerText || on.localName);
}, true)"""


class Clicks:
    """What was clicked on a page: all that the browser takes for a click, wherever it went."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.on: list[str] = []

    @classmethod
    async def counted(cls, page: Page) -> Clicks:
        """Begin to count on a page, and on all that it goes on to."""
        clicks = cls()
        await page.expose_function("clicked", clicks.add)
        await page.add_init_script(_COUNT)
        return clicks

    def add(self, on: str) -> None:
        """Note what was clicked."""
        self.on.append(on)

    @property
    def number(self) -> int:
        """Return how many there were."""
        return len(self.on)
