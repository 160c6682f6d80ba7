"""The failures of MCP servers, in short English words, and the signals of a connection."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import ClassVar

from homeassistant.exceptions import HomeAssistantError

from ..redactor import Redactor


class McpError(HomeAssistantError):
    """A failure of an MCP server.

    - `key` names the kind of failure, the same for all failures of that kind.
    - `detail` is the message of the server, the network or the system.
    - `repeatable`: no server can have acted on the request, and another attempt may succeed.
    """

    key: ClassVar[str] = "mcp_error"
    repeatable: ClassVar[bool] = False
    _words: ClassVar[str] = "{detail}"

    def __init__(
        self,
        detail: str,
        *,
        stderr: Sequence[str] = (),
        status: int = 0,
        challenge: str = "",
        code: int = 0,
    ) -> None:
        """Take the message, the end of stderr, HTTP's status and challenge, and JSON-RPC's code."""
        super().__init__(self._words.format(detail=detail))
        self.detail = detail
        self.stderr = tuple(stderr)
        self.status = status
        self.challenge = challenge
        self.code = code

    def hide(self, redactor: Redactor) -> None:
        """Redact secrets in the words."""
        self.detail = redactor.text(self.detail)
        self.args = (self._words.format(detail=self.detail),)


class McpUnavailable(McpError):
    """There is no connection, and none came in time."""

    key = "mcp_unavailable"
    repeatable = True
    _words = "The service is not available at the moment: {detail}"


class McpUnreachable(McpError):
    """The command could not be started, or the address not be reached, or it did not answer."""

    key = "mcp_unreachable"
    repeatable = True


class McpSessionExpired(McpError):
    """The server has forgotten the session, as it does when it was restarted."""

    key = "mcp_session_expired"
    repeatable = True
    _words = "The server has forgotten the session: {detail}"


class McpUnauthorized(McpError):
    """The server wants other credentials (HTTP 401)."""

    key = "mcp_unauthorized"
    _words = "The server refused the credentials: {detail}"


class McpHttpError(McpError):
    """The server answered with an HTTP status that means failure."""

    key = "mcp_http_error"


class McpMoreRights(McpHttpError):
    """The login lacks a right that the server wants for this (HTTP 403, RFC 6750)."""


class McpTimeout(McpError):
    """No answer came in time; the server may still be at work."""

    key = "mcp_timeout"


class McpInterrupted(McpError):
    """The connection ended before the answer came; the call may have been carried out."""

    key = "mcp_interrupted"
    _words = "{detail} before it answered; it may or may not have carried out the call"


class McpRejected(McpError):
    """The server answered with an error of its own; the words are the server's."""

    key = "mcp_rejected"


class McpInvalidAnswer(McpError):
    """The server's answer violates the protocol."""

    key = "mcp_invalid_answer"
    _words = "The server's answer is not valid MCP: {detail}"


class McpNoTools(McpError):
    """The server works, but offers nothing; the words are the names of the skipped tools."""

    key = "mcp_no_tools"


class Signal(Enum):
    """An unsolicited event on a connection."""

    CLOSED = auto()
    TOOLS_CHANGED = auto()
    # Nothing has happened for a while.
    IDLE = auto()
    # A failure that may mean its end, or may not: worth a check.
    SUSPECT = auto()
    STOP = auto()
