"""Results of calls for which the tool itself gives no result.

A model reads these texts (`models/history.py` puts `Error: ` before them): they are English, short,
and suggest an alternative.
"""

import asyncio
from collections.abc import Sequence
from difflib import get_close_matches
from http import HTTPStatus

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers import intent, llm
import httpx2
import probatio

from ..const import LOGGER
from ..mcp_servers.errors import McpHttpError, McpInterrupted, McpInvalidAnswer, McpTimeout
from ..names.matching import matcher
from ..nlu.utterance import Utterance
from .assist.call_errors import Refusal
from .assist.intents import IntentTool
from .inverse_intents import ENDS

# Minimum letters of a significant word in an utterance, and maximum tools in a suggestion.
_TELLING = 4
_OTHERS = 2
# The number of tools that an error names: all of them, or the most similar ones.
_ALL = 40
_SIMILAR = 10
# The tools that end an activity, where turning off is another one.
_STOPS = {**ENDS, "media_player": "HassMediaPause"}
UNREAD = "The arguments are no JSON object. Call again, with one object of the tool's arguments."
_NETWORK = (ConnectionError, aiohttp.ClientError, httpx2.TransportError)
# The request was not sent in these cases.
_UNREACHED = (
    ConnectionRefusedError,
    aiohttp.ClientConnectorError,
    aiohttp.InvalidURL,
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
)


def error(text: str) -> llm.ToolResult:
    """Return a result with an error for the model."""
    return llm.ToolResult(data={"error": text}, error=True)


def unknown_tool(name: str, tools: Sequence[llm.Tool]) -> llm.ToolResult:
    """Return the result of a call to a tool that does not exist, with those that do."""
    names = [tool.name for tool in tools]
    if len(names) > _ALL:
        names = get_close_matches(name, names, _SIMILAR, 0)
    there_are = f". There are: {', '.join(names)}" if names else ""
    return error(f'Unknown tool "{name}"{there_are}')


def for_domain(
    hass: HomeAssistant,
    utterance: Utterance,
    domain: str,
    tools: Sequence[llm.Tool],
    called: llm.Tool,
) -> str:
    """Return the other tools for devices of a domain.

    Tools that stop come first after a command to stop, and tools that set a value if the called
    tool does.
    """
    home = utterance.home
    others = [
        tool
        for tool in tools
        if isinstance(tool, IntentTool)
        and tool is not called
        and domain in (tool.domains(hass, home) or ())
    ]
    others.sort(key=lambda tool: bool(_required(tool)) != bool(_required(called)))
    if isinstance(called, IntentTool) and called.intent_type == intent.INTENT_STOP_MOVING:
        stops = _STOPS.get(domain, intent.INTENT_TURN_OFF)
        others.sort(key=lambda tool: tool.intent_type != stops)
    return f" Tools for it: {', '.join(tool.name for tool in others)}" if others else ""


def failure(tool: llm.Tool, err: BaseException) -> llm.ToolResult:
    """Return the result of a tool that raised."""
    match err:
        case probatio.Invalid():
            LOGGER.debug("%s refused its arguments: %s", tool.name, err)
            return error(f"{err}.{_required(tool)}")
        case Unauthorized():
            return error(f"This user may not use {tool.name}")
        case HomeAssistantError() if str(err):
            LOGGER.debug("%s failed: %s", tool.name, err)
            return error(f"{err}{_warning(tool) if is_in_doubt(err) else ''}")
        case TimeoutError() | asyncio.CancelledError():
            return unanswered(tool, "in time")
        case _ if isinstance(err, _NETWORK):
            LOGGER.warning("%s is unavailable: %r", tool.name, err)
            if is_in_doubt(err):
                return error(f"The connection to {tool.name} broke{_warning(tool)}")
            return error(f"{tool.name} is unavailable: no connection")
        case _:
            LOGGER.error("Tool %s failed", tool.name, exc_info=err)
            return error(f"{tool.name} failed unexpectedly")


def unanswered(tool: llm.Tool, until: str) -> llm.ToolResult:
    """Return the result of a call that got no answer."""
    return error(f"{tool.name} did not answer {until}{_warning(tool)}")


def is_in_doubt(err: BaseException | None) -> bool:
    """Return True if a failed tool may still be running, or have acted without an answer."""
    match err:
        case McpHttpError(status=status):
            # A server or a proxy that failed may have forwarded the call before.
            return status >= HTTPStatus.INTERNAL_SERVER_ERROR
        case McpTimeout() | McpInterrupted() | McpInvalidAnswer():
            return True
        case TimeoutError() | asyncio.CancelledError():
            return True
    return isinstance(err, _NETWORK) and not isinstance(err, _UNREACHED)


def _warning(tool: llm.Tool) -> str:
    """Return the warning about a call that may have been executed."""
    if tool.annotations.read_only:
        return ""
    return ". It may have been done: do not call it again, and tell the user so"


def elsewhere(tool: llm.Tool, tools: Sequence[llm.Tool], utterance: Utterance) -> str:
    """Suggest tools that only read and whose words are in the utterance: they may know."""
    tokens = matcher(utterance.language).tokens
    asked = {word for word in tokens(utterance.text) if len(word) >= _TELLING}
    fit = {
        other.name: len(asked.intersection(tokens(other.description or "")))
        for other in tools
        if other is not tool and other.annotations.read_only
    }
    best = sorted(filter(fit.__getitem__, fit), key=lambda name: -fit[name])[:_OTHERS]
    return f" Call {' or '.join(best)} now: it may know." if best else ""


def was_refused(err: BaseException | None) -> bool:
    """Return True if a tool raised before it did anything."""
    refusals = (probatio.Invalid, intent.InvalidSlotInfo, intent.MatchFailedError, Refusal)
    return isinstance(err, refusals)


def _required(tool: llm.Tool) -> str:
    """List the required arguments."""
    schema = tool.parameters.schema
    if not isinstance(schema, dict):
        return ""
    names = [str(key) for key in schema if isinstance(key, probatio.Required)]
    return f" Required: {', '.join(names)}" if names else ""
