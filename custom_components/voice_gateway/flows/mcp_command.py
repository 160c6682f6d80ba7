"""The form for an MCP server that is started here."""

from collections.abc import Mapping
from pathlib import Path
import shlex
from typing import Any

from homeassistant.config_entries import ConfigFlowResult
from homeassistant.const import CONF_COMMAND
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig
import probatio

from ..const import CONF_ARGS, CONF_CWD, CONF_ENV, CONF_KIND, EntryKind
from ..mcp_servers.entry import server_of
from ..mcp_servers.secrets import redactor_of
from .fields import Fields
from .mcp_tools import McpSteps, from_rows, named_values, to_rows
from .steps import FormError, step_of
from .stored_secrets import StoredSecrets

COMMAND_FIELDS: Fields = {
    probatio.Required(CONF_COMMAND): TextSelector(),
    probatio.Optional(CONF_ARGS): TextSelector(TextSelectorConfig(multiple=True)),
    probatio.Optional(CONF_ENV): named_values("mcp_env"),
    probatio.Optional(CONF_CWD): TextSelector(),
}


class McpCommandSteps(McpSteps):
    """The steps that add an MCP server by its command, or change it."""

    async def _async_step_command(
        self, step_id: str, user_input: dict[str, Any] | None
    ) -> ConfigFlowResult:
        """Ask for a command and its settings, and try them."""
        stored = answer = None
        if entry := self._changed:
            known = {**entry.data, CONF_ENV: to_rows(entry.data[CONF_ENV])}
            stored = StoredSecrets(known, redactor_of(server_of(entry.data)))
        if user_input is not None:
            answer = self._async_try_command(stored.restored(user_input) if stored else user_input)
        shown = stored.shown if stored and user_input is None else user_input
        return await self._ask(step_id, COMMAND_FIELDS, shown, answer)

    async_step_mcp_command = step_of(_async_step_command, "mcp_command")
    async_step_mcp_command_reconfigure = step_of(_async_step_command, "mcp_command_reconfigure")

    async def _async_try_command(self, user_input: Mapping[str, Any]) -> ConfigFlowResult:
        """Start the server that was entered; raises FormError."""
        _check_passable(user_input)
        data = await self.hass.async_add_executor_job(_data, user_input)
        self._async_abort_entries_match(
            {key: data[key] for key in (CONF_KIND, CONF_COMMAND, CONF_ARGS)}
        )
        await self._async_introduce(Path(data[CONF_COMMAND]).name, data)
        return await self._async_introduced()


def _check_passable(user_input: Mapping[str, Any]) -> None:
    """Raise FormError for the fields with a character that no program can receive: a NUL."""
    texts = {
        CONF_COMMAND: [user_input[CONF_COMMAND]],
        CONF_ARGS: user_input.get(CONF_ARGS, []),
        CONF_ENV: [text for row in user_input.get(CONF_ENV, []) for text in row.values()],
        CONF_CWD: [user_input.get(CONF_CWD, "")],
    }
    if wrong := [field for field, entered in texts.items() if "\0" in "".join(entered)]:
        raise FormError(dict.fromkeys(wrong, "invalid_characters"))


def _data(user_input: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry's data.

    People paste whole lines: the words after the command's name become arguments.
    """
    command = user_input[CONF_COMMAND].strip()
    args = list(user_input.get(CONF_ARGS, []))
    if not Path(command).is_file():
        command, *first = _split(command)
        args = first + args
    data: dict[str, Any] = {
        CONF_KIND: EntryKind.MCP_COMMAND,
        CONF_COMMAND: command,
        CONF_ARGS: args,
        CONF_ENV: from_rows(user_input.get(CONF_ENV, [])),
    }
    if cwd := user_input.get(CONF_CWD, "").strip():
        data[CONF_CWD] = cwd
    return data


def _split(line: str) -> list[str]:
    """Return the words of a command line; all of it as one if its quotes do not match."""
    try:
        return shlex.split(line) or [line]
    except ValueError:
        return [line]
