"""What adding an MCP server takes, however it is reached: try it, choose its tools."""

from collections.abc import Container, Iterable, Mapping
import re
from typing import Any

from homeassistant.config_entries import ConfigEntryState, ConfigFlow, ConfigFlowResult, OptionsFlow
from homeassistant.const import CONF_NAME, CONF_PREFIX
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.selector import (
    BooleanSelector,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    ObjectSelector,
    ObjectSelectorConfig,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
from homeassistant.helpers.translation import async_get_translations
import probatio

from .. import showable
from ..const import (
    CONF_EXCLUDED_TOOLS,
    CONF_ONLY_AGENTS_TOOLS,
    CONF_TIMEOUT,
    CONF_TOOLS,
    DEFAULT_ONLY_AGENTS_TOOLS,
    DOMAIN,
    LOGGER,
    TOOL_TIMEOUT,
)
from ..mcp_servers.entry import McpConfigEntry, server_of
from ..mcp_servers.errors import McpError, McpNoTools
from ..mcp_servers.issue import stderr_block
from ..mcp_servers.secrets import redactor_of
from ..mcp_servers.session import Introduction, async_try
from ..mcp_servers.settings import CommandServer, ServerSettings, UrlServer
from ..mcp_servers.tool import McpTool
from ..redactor import Redactor

_PREFIX = re.compile(r"[A-Za-z0-9_-]{0,24}")
CONF_VALUE = "value"
PASSWORD = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))


class McpSteps(ConfigFlow):
    """The steps that all MCP servers share."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        super().__init__()
        # The entry's data, and how its server is called and what else it said of itself.
        self._data: dict[str, Any] = {}
        self._title = ""
        self._introduction: Introduction
        # Kept, so that nothing that is logged of the server meanwhile has its secrets.
        self._redactor: Redactor

    async def _async_introduce(
        self, name: str, data: dict[str, Any], server: CommandServer | UrlServer | None = None
    ) -> None:
        """Try the server of an entry's data, and keep both; raises `McpError` when it fails.

        `name` is for a server that has no own one; `server` for one that needs more than data.
        """
        settings = ServerSettings(name=name, server=server or server_of(data))
        self._redactor = redactor_of(settings.server)
        try:
            self._introduction = await async_try(self.hass, settings, self._redactor)
            if not self._introduction.tools:
                raise McpNoTools(", ".join(self._introduction.skipped_tools) or "-")
        except McpError as err:
            LOGGER.debug("%s, tried: %s", name, err)
            raise
        info = self._introduction.server_info
        self._title = showable.name(info.title or info.name if info else "") or name
        self._data = data

    @callback
    def _async_replace(self, entry: McpConfigEntry) -> ConfigFlowResult:
        """Give an entry the data that were tried just now, and its session an end of waiting."""
        result = self.async_update_and_abort(entry, data=self._data)
        if entry.state is ConfigEntryState.LOADED:
            entry.runtime_data.async_retry()
        return result

    async def async_step_mcp_tools(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which of the server's tools agents may use; all, to begin with."""
        tools = self._introduction.tools
        errors: dict[str, str] = {}
        if user_input is not None:
            if user_input[CONF_TOOLS]:
                return self.async_create_entry(
                    title=self._title,
                    data=self._data,
                    options={CONF_EXCLUDED_TOOLS: excluded(tools, user_input[CONF_TOOLS])},
                )
            errors[CONF_TOOLS] = "no_tools_chosen"
        words = await _words(self.hass)
        skipped = self._introduction.skipped_tools
        return self.async_show_form(
            step_id="mcp_tools",
            data_schema=probatio.Schema({_ticks(tools): _tool_selector(tools, words)}),
            errors=errors,
            description_placeholders={
                "name": self._title,
                "skipped": f"\n\n{words['skipped']} {', '.join(map(showable.quoted, skipped))}"
                if skipped
                else "",
            },
        )


class McpOptionsFlow(OptionsFlow):
    """Change what agents may use of an MCP server, and how."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Begin; a provider's options have this step's words."""
        return await self.async_step_mcp_server()

    async def async_step_mcp_server(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for tools, time limit and prefix."""
        tools: list[McpTool] = self.config_entry.runtime_data.tools
        options = self.config_entry.options
        already = options.get(CONF_EXCLUDED_TOOLS, [])
        errors: dict[str, str] = {}
        if user_input is not None:
            if not _PREFIX.fullmatch(user_input.get(CONF_PREFIX, "")):
                errors[CONF_PREFIX] = "invalid_prefix"
            if tools and not user_input[CONF_TOOLS]:
                errors[CONF_TOOLS] = "no_tools_chosen"
            if not errors:
                chosen = user_input.pop(CONF_TOOLS, [])
                known = {tool.original_name for tool in tools}
                gone = [name for name in already if name not in known]
                return self.async_create_entry(
                    data=user_input | {CONF_EXCLUDED_TOOLS: gone + excluded(tools, chosen)}
                )
        # A server that was never connected has no tools to choose from yet.
        choice = {_ticks(tools, already): _tool_selector(tools, await _words(self.hass))}
        schema = probatio.Schema(
            (choice if tools else {})
            | {
                probatio.Required(CONF_TIMEOUT, default=TOOL_TIMEOUT): NumberSelector(
                    NumberSelectorConfig(
                        min=1,
                        max=600,
                        step=1,
                        mode=NumberSelectorMode.BOX,
                        unit_of_measurement="s",
                    )
                ),
                probatio.Optional(CONF_PREFIX): TextSelector(),
                probatio.Required(
                    CONF_ONLY_AGENTS_TOOLS, default=DEFAULT_ONLY_AGENTS_TOOLS
                ): BooleanSelector(),
            }
        )
        return self.async_show_form(
            step_id="mcp_server",
            data_schema=self.add_suggested_values_to_schema(schema, user_input or options),
            errors=errors,
            description_placeholders={"name": showable.name(self.config_entry.title)},
        )


@callback
def excluded(tools: Iterable[McpTool], chosen: Container[str]) -> list[str]:
    """Return the server's names of the tools that were not chosen."""
    return [tool.original_name for tool in tools if tool.original_name not in chosen]


def named_values(translation_key: str) -> ObjectSelector:
    """Return a field for names and their values, which may be secrets."""
    return ObjectSelector(
        ObjectSelectorConfig(
            fields={
                CONF_NAME: {"selector": TextSelector(), "required": True},
                CONF_VALUE: {"selector": PASSWORD, "required": True},
            },
            multiple=True,
            label_field=CONF_NAME,
            translation_key=translation_key,
        )
    )


def from_rows(rows: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return the names and values of such a field."""
    return {row[CONF_NAME].strip(): row[CONF_VALUE].strip() for row in rows}


def to_rows(values: Mapping[str, str]) -> list[dict[str, str]]:
    """Return names and values as such a field has them."""
    return [{CONF_NAME: name, CONF_VALUE: value} for name, value in values.items()]


def failure(err: McpError | None) -> tuple[dict[str, str], dict[str, str]]:
    """Return a form's errors and placeholders for a server that failed, or has not yet."""
    if err is None:
        return {}, {"reason": "", "stderr": ""}
    # A form's errors are no Markdown; its description is.
    placeholders = {"reason": showable.sentence(err.detail), "stderr": stderr_block(err)}
    return {"base": err.key}, placeholders


def _ticks(tools: Iterable[McpTool], without: Container[str] = ()) -> probatio.Required:
    """Return the key of the ticks: one for each tool, but for those left out."""
    names = [tool.original_name for tool in tools]
    return probatio.Required(CONF_TOOLS, default=[name for name in names if name not in without])


def _tool_selector(tools: Iterable[McpTool], words: Mapping[str, str]) -> SelectSelector:
    options = [
        SelectOptionDict(value=tool.original_name, label=_label(tool, words)) for tool in tools
    ]
    return SelectSelector(
        SelectSelectorConfig(options=options, multiple=True, mode=SelectSelectorMode.LIST)
    )


def _label(tool: McpTool, words: Mapping[str, str]) -> str:
    """Return a tool's title and name, and what the server says of its effects."""
    name = showable.sentence(tool.original_name)
    title = showable.name(tool.title or "")
    label = f"{title} ({name})" if title and title != name else name
    match tool.declared:
        case {"read_only_hint": True}:
            return f"{label}: {words['reads_only']}"
        case {"destructive_hint": True}:
            return f"{label}: {words['destructive']}"
        case _:
            return label


async def _words(hass: HomeAssistant) -> dict[str, str]:
    """Return the words around names that only the server knows, in the user's language."""
    path = f"component.{DOMAIN}.selector.mcp_tool.options."
    texts = await async_get_translations(hass, hass.config.language, "selector", [DOMAIN])
    return {key.removeprefix(path): text for key, text in texts.items() if key.startswith(path)}
