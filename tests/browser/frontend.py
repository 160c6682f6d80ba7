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
        await self.switch(self.page.get_by_role("checkbox", name=name), on=ticked)

    async def switch(self, switch: Locator, *, on: bool) -> None:
        """Put a switch or a box on or off."""
        if await switch.is_checked() != on:
            # A form grows while it loads: a click may miss what a key does not.
            await switch.press("Space")
            await switch.blur()
        await expect(switch).to_be_checked(checked=on)

    async def see_closed(self, dialog: Locator) -> None:
        """Wait until a dialog is gone, and its step in the browser's history too.

        To go back that step would break off a page that is opened meanwhile.
        """
        await expect(dialog).to_have_count(0)
        await self.page.wait_for_function("!history.state?.dialog")
