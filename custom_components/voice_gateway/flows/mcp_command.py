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
from ..mcp_servers.errors import McpError
from .mcp_tools import McpSteps, failure, from_rows, named_values, to_rows

_FORM = probatio.Schema(
    {
        probatio.Required(CONF_COMMAND): TextSelector(),
        probatio.Optional(CONF_ARGS): TextSelector(TextSelectorConfig(multiple=True)),
        probatio.Optional(CONF_ENV): named_values("mcp_env"),
        probatio.Optional(CONF_CWD): TextSelector(),
    }
)


class McpCommandSteps(McpSteps):
    """The steps that add an MCP server by its command, or change it."""

    async def async_step_mcp_command(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a command, and try it."""
        errors, placeholders = await self._async_wrong(user_input)
        if user_input is not None and not errors:
            return await self.async_step_mcp_tools()
        return self._command_form("mcp_command", user_input or {}, errors, placeholders)

    async def async_step_mcp_command_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for another command or other settings of it, and try them."""
        entry = self._get_reconfigure_entry()
        errors, placeholders = await self._async_wrong(user_input)
        if user_input is not None and not errors:
            return await self._async_reconfigured(entry)
        values = user_input or entry.data | {CONF_ENV: to_rows(entry.data[CONF_ENV])}
        return self._command_form("mcp_command_reconfigure", values, errors, placeholders)

    async def _async_wrong(
        self, user_input: Mapping[str, Any] | None
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Try what was entered, if anything was; return the form's errors and placeholders."""
        none, placeholders = failure(None)
        if user_input is None:
            return none, placeholders
        if errors := _unpassable(user_input):
            return errors, placeholders
        try:
            await self._async_try_command(user_input)
        except McpError as err:
            return failure(err)
        return none, placeholders

    async def _async_try_command(self, user_input: Mapping[str, Any]) -> None:
        data = await self.hass.async_add_executor_job(_data, user_input)
        self._async_abort_entries_match(
            {key: data[key] for key in (CONF_KIND, CONF_COMMAND, CONF_ARGS)}
        )
        await self._async_introduce(Path(data[CONF_COMMAND]).name, data)

    def _command_form(
        self,
        step_id: str,
        values: Mapping[str, Any],
        errors: dict[str, str],
        placeholders: dict[str, str],
    ) -> ConfigFlowResult:
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(_FORM, values),
            errors=errors,
            description_placeholders=placeholders,
        )


def _unpassable(user_input: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields that hold what no program can be given: a NUL."""
    texts = {
        CONF_COMMAND: [user_input[CONF_COMMAND]],
        CONF_ARGS: user_input.get(CONF_ARGS, []),
        CONF_ENV: [text for row in user_input.get(CONF_ENV, []) for text in row.values()],
        CONF_CWD: [user_input.get(CONF_CWD, "")],
    }
    return {field: "invalid_characters" for field, told in texts.items() if "\0" in "".join(told)}


def _data(user_input: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry's data.

    People paste whole lines: what follows the command's name goes to the arguments.
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
    """Return the words of a command line; all of it as one where its quotes do not match."""
    try:
        return shlex.split(line) or [line]
    except ValueError:
        return [line]
