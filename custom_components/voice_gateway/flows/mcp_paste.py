"""The form for MCP servers in other programs' configuration format: pasted JSON."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
import json
import re
from typing import Any

from homeassistant.config_entries import SOURCE_USER, ConfigFlowResult, FlowType
from homeassistant.const import CONF_COMMAND, CONF_HEADERS, CONF_NAME, CONF_URL
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig
import probatio

from .. import untrusted_text
from ..const import CONF_ARGS, CONF_CWD, CONF_ENV, DOMAIN
from .fields import Fields, select_list
from .mcp_command import COMMAND_FIELDS, McpCommandSteps
from .mcp_tools import to_rows
from .mcp_url import URL_FIELDS, McpUrlSteps
from .steps import FormError

CONF_PASTED = "pasted"
CONF_SERVERS = "servers"
# The keys of servers in other programs: Claude, Cursor and most others; VS Code and Zed.
_AROUND = ("mcpServers", "servers", "context_servers", "mcp")
_ADDRESSES = ("url", "serverUrl", "httpUrl")
# Placeholders for values that the program asks for, or stores elsewhere: ${input:key}, ${API_KEY}.
_TO_FILL_IN = re.compile(r"\$\{[^{}]{1,80}\}")
# Characters: a list of fifty servers has some 10,000.
_LONGEST = 100_000
_FORM: Fields = {probatio.Required(CONF_PASTED): TextSelector(TextSelectorConfig(multiline=True))}

type Pasted = dict[str, Any]
"""A server's name, and the input for the form of its kind."""


class McpPasteSteps(McpUrlSteps, McpCommandSteps):
    """The steps that read servers from JSON, and continue as if each had been entered by hand.

    Of several, the first is added by this flow; the next flow adds the others.
    """

    def __init__(self) -> None:
        """Begin with nothing pasted."""
        super().__init__()
        self._pasted: list[Pasted] = []

    async def async_step_mcp_paste(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the JSON, and find the servers in it."""
        wrong = None
        if user_input is not None:
            self._pasted = list(servers_in(user_input[CONF_PASTED]))
            if len(self._pasted) == 1:
                return await self._async_add_first()
            if self._pasted:
                return await self.async_step_mcp_servers()
            wrong = FormError({CONF_PASTED: "no_servers_pasted"})
        return self._form("mcp_paste", _FORM, user_input, wrong)

    async def async_step_mcp_servers(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which of several servers to add."""
        names = [server[CONF_NAME] for server in self._pasted]
        wrong = None
        if user_input is not None:
            chosen = user_input[CONF_SERVERS]
            if chosen:
                self._pasted = [each for each in self._pasted if each[CONF_NAME] in chosen]
                return await self._async_add_first()
            wrong = FormError({CONF_SERVERS: "no_servers_chosen"})
        fields = {probatio.Required(CONF_SERVERS, default=names): select_list(names, multiple=True)}
        return self._form("mcp_servers", fields, None, wrong)

    async def async_step_mcp_next(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show the next server: trying it may take a while."""
        if user_input is not None:
            return await self._async_add_first()
        name = untrusted_text.name(self._pasted[0][CONF_NAME])
        return self._form("mcp_next", {}, placeholders={CONF_NAME: name})

    async def _async_add_first(self) -> ConfigFlowResult:
        """Continue as if the first server had been entered."""
        server, *self._pasted = self._pasted
        entered = {key: value for key, value in server.items() if key != CONF_NAME}
        if missing := _TO_FILL_IN.findall(json.dumps(entered)):
            reason = untrusted_text.sentence(", ".join(dict.fromkeys(missing)))
            wrong = FormError({"base": "mcp_to_fill_in"}, {"reason": reason})
            if CONF_URL in entered:
                return self._form("mcp_url", URL_FIELDS, entered, wrong)
            return self._form("mcp_command", COMMAND_FIELDS, entered, wrong)
        if CONF_URL in entered:
            return await self.async_step_mcp_url(entered)
        return await self.async_step_mcp_command(entered)

    async def _async_next_pasted(self) -> tuple[FlowType, str] | None:
        """Begin the flow for the remaining servers, if there are any."""
        if not self._pasted:
            return None
        form = await self.hass.config_entries.flow.async_init(
            DOMAIN, context={"source": SOURCE_USER}, data={CONF_PASTED: self._pasted}
        )
        return FlowType.CONFIG_FLOW, form["flow_id"]


def servers_in(text: str) -> Iterator[Pasted]:
    """Yield the servers in JSON, as far as it is readable.

    People paste a whole file, a part of one, or `"name": {...}` from a server's instructions.
    """
    # No program nests servers that deep.
    with suppress(RecursionError):
        yield from _servers(_json(text.strip().rstrip(",")[:_LONGEST]), "MCP")


def _json(text: str) -> Any:
    for whole in (text, f"{{{text}}}"):
        try:
            return json.loads(whole)
        except ValueError:
            continue
    return None


def _servers(told: Any, name: str) -> Iterator[Pasted]:
    match told:
        case {"command": str() | {"path": str()}}:
            yield {CONF_NAME: name, **_command(told)}
        case dict() if url := next((told[key] for key in _ADDRESSES if key in told), None):
            headers = to_rows(_texts(told.get("headers")))
            yield {CONF_NAME: name, CONF_URL: str(url), CONF_HEADERS: headers}
        case dict():
            around = next((told[key] for key in _AROUND if isinstance(told.get(key), dict)), None)
            if around is not None:
                yield from _servers(around, name)
                return
            for key, value in told.items():
                if isinstance(value, dict):
                    yield from _servers(value, key)


def _command(told: Mapping[str, Any]) -> Pasted:
    """Return the form's input for a command; Zed has all of it below `command`."""
    inner = told["command"] if isinstance(told["command"], dict) else told
    args = inner.get("args")
    entered: Pasted = {
        CONF_COMMAND: inner["path"] if isinstance(told["command"], dict) else told["command"],
        CONF_ARGS: [str(arg) for arg in args] if isinstance(args, list) else [],
        CONF_ENV: to_rows(_texts(inner.get("env"))),
    }
    if isinstance(cwd := told.get("cwd"), str):
        entered[CONF_CWD] = cwd
    return entered


def _texts(values: Any) -> dict[str, str]:
    """Return names and values, which programs may also give as numbers."""
    return (
        {str(key): str(value) for key, value in values.items()} if isinstance(values, dict) else {}
    )
