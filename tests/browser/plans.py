"""Where what is planned is seen: the calendar's page and that of to-do lists."""

import re

from playwright.async_api import Locator, expect

from .frontend import Frontend


class PlansPages:
    """The pages on which plans are seen and cancelled."""

    def __init__(self, frontend: Frontend) -> None:
        """Look for them in `frontend`."""
        self._frontend = frontend
        self.calendar = frontend.page.locator("ha-panel-calendar")
        self.list = frontend.page.locator("hui-todo-list-card")

    async def open_calendar(self) -> None:
        """Open the calendar, as a list: there the titles are whole."""
        await self._frontend.open("/calendar")
        await self._frontend.button("List (7 days)").click()

    async def open_list(self) -> None:
        """Open the list of plans."""
        await self._frontend.open("/todo?entity_id=todo.plans")

    def event(self, title: str) -> Locator:
        """Return the events of a plan on the calendar's page."""
        return self.calendar.get_by_role("button", name=re.compile(f"{re.escape(title)}$"))

    def item(self, title: str) -> Locator:
        """Return a plan on the list."""
        return self.list.get_by_text(title)

    async def delete_event(self, title: str) -> None:
        """Delete an event on the calendar's page, and see that it is gone."""
        await self.event(title).first.click()
        await self._frontend.button("Delete event").click()
        await self._frontend.button("Delete").click()
        await expect(self.event(title)).to_have_count(0)
        # A dialog that closes goes a page back, wherever one has gone by then.
        await self._frontend.button("Delete event").wait_for(state="hidden")
