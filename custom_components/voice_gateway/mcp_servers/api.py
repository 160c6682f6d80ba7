"""A server's tools as an LLM API of Home Assistant."""

from dataclasses import dataclass
from typing import override

from homeassistant.helpers import llm

from ..json_schema import serialize
from .session import McpSession
from .tool import about_itself

INSTRUCTIONS = "Its instructions:"
"""What stands in a prompt before what a server says of itself."""


@dataclass(slots=True, kw_only=True)
class McpAPI(llm.API):
    """The tools of one MCP server, for any agent.

    While the server is down its tools are offered for a short time, then they are left out, and
    the prompt says so. What the server tells of itself is in it as somebody ticked it.
    """

    session: McpSession

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        """Return the tools that there are now."""
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
