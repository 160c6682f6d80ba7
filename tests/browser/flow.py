"""The dialog in which a flow asks: of an entry, an agent, an option or a repair issue."""

from playwright.async_api import Locator, expect

from .frontend import Frontend


class FlowDialog:
    """A flow's dialog, wherever it was opened."""

    def __init__(self, frontend: Frontend) -> None:
        """Look for it in `frontend`."""
        self._frontend = frontend

    @property
    def dialog(self) -> Locator:
        """Return what a person sees as the dialog."""
        return self._frontend.page.locator("dialog-data-entry-flow dialog[open]").first

    async def choose(self, option: str) -> None:
        """Choose from a menu. Its options have no role."""
        await self._frontend.text(option).click()

    async def submit(self) -> None:
        """Send the form, whatever comes of it."""
        await self._frontend.button("Submit").click()

    async def see(self, text: str) -> None:
        """Wait until the dialog has this text."""
        dialog = self._frontend.page.locator("dialog-data-entry-flow")
        await dialog.get_by_text(self._frontend.words.within(text)).first.wait_for()

    async def see_error(self, text: str) -> None:
        """Wait until the form says what is wrong with it."""
        alert = self._frontend.page.locator("dialog-data-entry-flow ha-alert")
        await expect(alert).to_contain_text(text)

    async def see_editor(self) -> None:
        """Wait until the form's editor has its text in colour: it is loaded last."""
        lines = self._frontend.page.locator("dialog-data-entry-flow .cm-line")
        await lines.locator("span").first.wait_for()

    async def see_end(self) -> None:
        """Wait until it is done."""
        await self._frontend.page.locator("step-flow-create-entry, step-flow-abort").wait_for()

    async def follow(self) -> None:
        """Click the link of the last page, which closes the dialog."""
        await self._frontend.page.locator("step-flow-create-entry").get_by_role("link").click()
        await self._frontend.see_closed(self.dialog)

    async def finish(self) -> None:
        """Wait until it is done, and close the dialog."""
        await self.see_end()
        # What has devices offers to name them first; what was changed only ends.
        await self._frontend.button("Finish", "Skip and finish", "Close").click()
        await self._frontend.see_closed(self.dialog)

    async def close(self) -> None:
        """Close the dialog in the middle of the flow."""
        await self._frontend.button("Close").click()
        await self._frontend.see_closed(self.dialog)

    async def add_row(self, name: str, value: str) -> None:
        """Add a name and its value to a field that has rows of them."""
        await self._frontend.button("Add").click()
        row = self._frontend.page.get_by_role("dialog", name="Add")
        await self._frontend.field("Name").fill(name)
        await self._frontend.field("Value").fill(value)
        await self._frontend.button("Add").click()
        await expect(row).to_have_count(0)
        await self._frontend.text(name).wait_for()
