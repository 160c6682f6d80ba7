"""One connection to a server, to check that it is usable."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from homeassistant.core import HomeAssistant

from ..redactor import Redactor
from .errors import McpUnavailable
from .secrets import redactor_of
from .session import new_connection
from .settings import ServerSettings
from .tool import McpTool, about_itself, make_tools

if TYPE_CHECKING:
    from mcp.types import CallToolResult, Implementation

    from .connection import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduction:
    """A server's information about itself after the handshake."""

    server_info: Implementation | None
    instructions: str | None
    tools: list[McpTool]
    # Names of unusable tools, and their faults.
    skipped_tools: dict[str, str]

    @property
    def choosable(self) -> list[McpTool]:
        """Return the items to tick: the server's tools, and its instructions."""
        return [*self.tools, about_itself(self.instructions)]


async def async_try(
    hass: HomeAssistant, settings: ServerSettings, redactor: Redactor | None = None
) -> Introduction:
    """Connect to a server once, to check that it is usable; raises `McpError` if not.

    The result is redacted; `redactor` knows more secrets than the settings hold.
    """

    async def disconnected(name: str, arguments: dict[str, Any], **_: Any) -> CallToolResult:
        raise McpUnavailable("it was connected only to be tried")

    async def introduce(connection: Connection) -> Introduction:
        return Introduction(
            server_info=connection.session.server_info,
            instructions=connection.session.instructions,
            tools=make_tools(connection.tools, disconnected),
            skipped_tools=connection.skipped_tools,
        )

    redactor = redactor or redactor_of(settings.server)
    connection = await new_connection(hass, settings, redactor, settings.timings.connect)
    # A task of its own: a transport that fails cancels the task that opened it.
    return await hass.async_create_background_task(
        connection.run(introduce), f"MCP server {settings.name}, trial"
    )
