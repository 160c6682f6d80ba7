"""A server's tools as an LLM API of Home Assistant."""

from dataclasses import dataclass
from typing import override

from homeassistant.helpers import llm

from ..json_schema import serialize
from .session import McpSession
from .tool import about_itself

INSTRUCTIONS = "Its instructions:"
"""The words in a prompt before a server's instructions."""


@dataclass(slots=True, kw_only=True)
class McpAPI(llm.API):
    """The tools of one MCP server, for any agent.

    While the server is down, its tools are offered for a short time; then they are left out, and
    the prompt says so. The server's instructions are in it as the user ticked them.
    """

    session: McpSession

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        """Return the current tools."""
        return llm.APIInstance(
            api=self,
            api_prompt=self._prompt(),
            llm_context=llm_context,
            tools=list(self.session.offered_tools),
            custom_serializer=serialize,
        )

    def _prompt(self) -> str:
        if not self.session.is_offered:
            return (
                f'The service "{self.name}" is not available at the moment. If it is needed, say '
                "so; do not answer in its place and do not pretend to have used it."
            )
        prompt = f'These tools are from the service "{self.name}".'
        told = about_itself(self.session.instructions)
        if told.description and self.session.settings.choice.offers(told):
            prompt = f"{prompt} {INSTRUCTIONS}\n{told.description}"
        return prompt
