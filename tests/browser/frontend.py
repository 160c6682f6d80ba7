"""Home Assistant's frontend: what every page of it has.

Playwright looks into open shadow roots by itself. What a dialog shows is slotted into it, though,
and so not below the element that has its role: it is looked for in the page.
"""

import re

from playwright.async_api import Locator, Page, expect

from script.house.home_assistant import PASSWORD, USER


class Frontend:
    """A page of Home Assistant's frontend."""

    def __init__(self, page: Page, url: str) -> None:
        """Take a browser's page and Home Assistant's address."""
        self.page = page
        self._url = url

    async def open(self, path: str) -> None:
        """Open a page by its path."""
        await self.page.goto(f"{self._url}{path}")

    async def log_in(self) -> None:
        """Log in as the household's user."""
        await self.open("/")
        await self.field("Username").fill(USER)
        await self.field("Password").fill(PASSWORD)
        await self.button("Log in").click()
        await self.button("Assist (A)").wait_for()

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """Return the button of exactly this name; the one in front, where there are several."""
        return self.page.get_by_role("button", name=name, exact=True).last

    def field(self, name: str) -> Locator:
        """Return the text field of this name; the one in front, where there are several."""
        return self.page.get_by_role("textbox", name=name).last

    def text(self, text: str) -> Locator:
        """Return what has exactly this text."""
        return self.page.get_by_text(text, exact=True)

    async def tick(self, name: str, *, ticked: bool = True) -> None:
        """Tick a box, or take the tick away."""
        box = self.page.get_by_role("checkbox", name=name)
        if await box.is_checked() != ticked:
            # What is drawn covers the input itself.
            await self.page.locator("ha-checkbox").filter(has_text=name).click()
        await expect(box).to_be_checked(checked=ticked)
