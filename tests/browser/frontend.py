"""Home Assistant's frontend: what every page of it has.

Playwright looks into open shadow roots by itself. What a dialog shows is slotted into it, though,
and so not below the element that has its role: it is looked for in the page.
"""

from playwright.async_api import Locator, Page, expect

from script.house.home_assistant import PASSWORD, USER

from .words import Words

_READY = 3000
"""Milliseconds after which somebody would click a field, in which the cursor is not yet."""


class Frontend:
    """A page of Home Assistant's frontend; what is looked for is named in English."""

    def __init__(self, page: Page, url: str, words: Words) -> None:
        """Take a browser's page, Home Assistant's address, and the words of its language."""
        self.page = page
        self.words = words
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

    def button(self, *names: str) -> Locator:
        """Return the button of exactly one of these names; the one in front, where there are several."""
        return self.page.get_by_role("button", name=self.words.exactly(*names)).last

    def field(self, name: str) -> Locator:
        """Return the text field of this name; the one in front, where there are several."""
        return self.page.get_by_role("textbox", name=self.words.exactly(name, end=r"\W*")).last

    async def make_ready(self, field: Locator) -> None:
        """Click a field, unless one can type in it already."""
        try:
            await expect(field).to_be_focused(timeout=_READY)
        except AssertionError:
            await field.click()
        await expect(field).to_be_focused()

    def text(self, text: str) -> Locator:
        """Return what has exactly this text."""
        return self.page.get_by_text(self.words.exactly(text))

    def checkbox(self, name: str) -> Locator:
        """Return a box to tick, by how its name begins."""
        return self.page.get_by_role("checkbox", name=name)

    async def tick(self, name: str, *, ticked: bool = True) -> None:
        """Tick a box, or take the tick away."""
        await self.switch(self.checkbox(name), on=ticked)

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
