"""Assist: its assistants, and the dialog in which one speaks to them."""

import re

from playwright.async_api import expect

from .frontend import Frontend


class Assist:
    """Assistants and a conversation with the preferred one."""

    def __init__(self, frontend: Frontend) -> None:
        """Look for them in `frontend`."""
        self._frontend = frontend
        self._form = frontend.page.locator("dialog-voice-assistant-pipeline-detail dialog[open]")
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
        await self._frontend.switch(local, on=False)

    async def create(self, name: str) -> None:
        """Send the form, and let this assistant be the preferred one."""
        page = self._frontend.page
        await self._frontend.button("Create").click()
        await self._frontend.see_closed(self._form)
        row = page.get_by_role("listitem").filter(has_text=name)
        await row.get_by_role("button").last.click()
        await page.get_by_role("menuitem", name="Set as preferred").click()
        await row.locator("[slot=headline] ha-svg-icon").wait_for()  # a star

    async def open(self, assistant: str) -> None:
        """Begin a conversation with an assistant."""
        await self._frontend.open("/home/overview")
        await self.call()
        # It begins with the one that this browser spoke to last.
        page = self._frontend.page
        await page.locator("ha-voice-command-dialog [slot=trigger]").click()
        await page.get_by_role("menuitem").filter(has_text=assistant).click()
        await self._frontend.button(assistant).wait_for()

    async def call(self) -> None:
        """Click Assist, with the assistant that is preferred or was spoken to last."""
        await self._frontend.button("Assist (A)").click()
        await self._chat.get_by_role("textbox").wait_for()

    async def say(self, sentence: str, answer: str) -> None:
        """Say a sentence and read this answer to it, or this end of an answer."""
        field = self._chat.get_by_role("textbox")
        await self._frontend.make_ready(field)
        await field.fill(sentence)
        # Until the last answer has ended, Enter is overheard.
        await expect(self._frontend.button("Send text")).to_be_enabled()
        await field.press("Enter")
        message = self._chat.locator(".message.hass, .message.error").last
        await expect(message).to_contain_text(answer)

    async def show_details(self) -> None:
        """Show the tool calls of the last answer."""
        await self._frontend.button("Show details").click()
        await self._chat.locator(".tool-data").last.wait_for()
