"""Assist: its assistants, and the dialog in which one speaks to them."""

import re

from playwright.async_api import Locator, expect

from .frontend import Frontend


class Assist:
    """Assistants and a conversation with the preferred one."""

    def __init__(self, frontend: Frontend) -> None:
        """Look for them in `frontend`."""
        self._frontend = frontend
        self.agent_form = (
            frontend.page.locator("assist-pipeline-detail-config"),
            frontend.page.locator("assist-pipeline-detail-conversation"),
        )
        self.dialog = frontend.page.locator("ha-voice-command-dialog dialog[open]")
        self._chat = frontend.page.locator("ha-assist-chat")

    async def begin_assistant(self, name: str, agent: str) -> None:
        """Fill in the form for an assistant that gives every sentence to an agent."""
        page = self._frontend.page
        await self._frontend.open("/config/voice-assistants/assistants")
        await self._frontend.button("Add assistant").click()
        await self._frontend.field("Name").fill(name)
        await page.get_by_role("button", name=re.compile("^Conversation agent")).click()
        await page.get_by_role("menuitem", name=agent, exact=True).click()
        local = page.get_by_role("switch", name=re.compile("^Prefer handling commands locally"))
        await local.set_checked(False, force=True)
        await expect(local).not_to_be_checked()

    async def create_preferred(self, name: str) -> None:
        """Send the form, and let this assistant be the one that is asked."""
        page = self._frontend.page
        await self._frontend.button("Create").click()
        row = page.get_by_role("listitem").filter(has_text=name)
        await row.get_by_role("button").last.click()
        await page.get_by_role("menuitem", name="Set as preferred").click()
        await row.locator("ha-svg-icon").first.wait_for()

    async def open(self, assistant: str) -> None:
        """Begin a conversation with the preferred assistant, which is this one."""
        await self._frontend.open("/home/overview")
        await self._frontend.button("Assist (A)").click()
        await self._frontend.button(assistant).wait_for()

    async def say(self, sentence: str, answer: str) -> Locator:
        """Say a sentence and read this answer to it; return the answer."""
        field = self._chat.get_by_role("textbox")
        await field.fill(sentence)
        await field.press("Enter")
        message = self._chat.locator(".message.hass, .message.error").last
        await expect(message).to_contain_text(answer)
        return message

    async def show_details(self) -> None:
        """Show the tool calls of the last answer."""
        await self._frontend.button("Show details").click()
        await self._chat.locator(".tool-data").last.wait_for()
