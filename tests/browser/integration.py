"""The page of an integration, with its entries and what can be done with each of them."""

from playwright.async_api import Locator

from .frontend import Frontend

_DASHBOARD = "/config/integrations/dashboard"
_PAGE = "/config/integrations/integration/voice_gateway"


class Integration:
    """Voice Gateway among the integrations."""

    def __init__(self, frontend: Frontend) -> None:
        """Look for it in `frontend`."""
        self._frontend = frontend

    async def add_first(self) -> None:
        """Find it among all integrations, and begin to add it."""
        await self.begin_to_add()
        await self.find()

    async def begin_to_add(self) -> None:
        """Open the list of all integrations."""
        await self._frontend.open(_DASHBOARD)
        await self._frontend.button("Add integration").click()

    async def find(self) -> None:
        """Find it there, and choose it."""
        found = self._frontend.page.locator("dialog-add-integration")
        await found.get_by_placeholder(
            self._frontend.words.exactly("Search for a brand name")
        ).fill("voice gateway")
        await found.get_by_role("button", name="Voice Gateway", exact=True).click()

    async def add(self) -> None:
        """Begin to add something to it."""
        await self.open()
        await self._frontend.button("Add service").click()

    async def open(self) -> None:
        """Open its page."""
        await self._frontend.open(_PAGE)

    async def open_menu(self, entry: str, action: str) -> None:
        """Choose an action of an entry's menu."""
        await self.open()
        await self.entry(entry).get_by_role("button", name="Menu", exact=True).first.click()
        await self._frontend.page.get_by_role("menuitem", name=action, exact=True).click()

    async def configure(self, entry: str) -> None:
        """Open an entry's options."""
        await self.open()
        await self.entry(entry).get_by_role("button", name="Configure", exact=True).first.click()

    async def diagnostics(self, entry: str) -> str:
        """Download an entry's diagnostics; return what is in the file."""
        async with self._frontend.page.expect_download() as download:
            await self.open_menu(entry, "Download diagnostics")
        return (await (await download.value).path()).read_text()

    async def remove(self, entry: str) -> None:
        """Remove an entry, and see that it is gone."""
        await self.open_menu(entry, "Delete")
        await self._frontend.button("Delete").click()
        await self._frontend.see_closed(self._frontend.page.locator("dialog-box dialog[open]"))
        await self.entry(entry).wait_for(state="detached")

    def entry(self, title: str) -> Locator:
        """Return an entry with all that belongs to it."""
        rows = self._frontend.page.locator("ha-config-entry-row")
        return rows.filter(has=self._frontend.page.get_by_text(title, exact=True))

    async def open_offer(self, title: str) -> Locator:
        """Open the dashboard, where something waits for the user; return its card."""
        await self._frontend.open(_DASHBOARD)
        card = self._frontend.page.locator("ha-config-flow-card").filter(has_text=title)
        await card.wait_for()
        return card
