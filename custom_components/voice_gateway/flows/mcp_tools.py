"""The common steps to add an MCP server: try it, choose its tools."""

from collections.abc import Container, Iterable, Mapping
import re
from typing import Any

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntryState,
    ConfigFlowResult,
    OptionsFlow,
)
from homeassistant.const import CONF_NAME, CONF_PREFIX
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.selector import (
    BooleanSelector,
    ObjectSelector,
    ObjectSelectorConfig,
    SelectOptionDict,
    SelectSelector,
    TextSelector,
)
import probatio

from .. import untrusted_text
from ..const import (
    CONF_NEW_READERS,
    CONF_ONLY_AGENTS_TOOLS,
    CONF_TIMEOUT,
    CONF_TOOLS,
    DEFAULTS,
    LOGGER,
    TOOL_TIMEOUT,
)
from ..mcp_servers.entry import McpConfigEntry, server_of
from ..mcp_servers.errors import McpError, McpHttpError, McpNoTools
from ..mcp_servers.repair_issues import stderr_block
from ..mcp_servers.secrets import redactor_of
from ..mcp_servers.session import Introduction, McpSession, async_try
from ..mcp_servers.settings import (
    CommandServer,
    ServerSettings,
    ToolSelection,
    ToolStatus,
    UrlServer,
)
from ..mcp_servers.tool import Extra, McpTool
from ..redactor import Redactor
from ..texts import async_texts
from .fields import PASSWORD, Fields, number, select_list
from .mcp_agents import CONF_AGENTS, agents_field, in_words
from .steps import FormError, Forms, Steps

_PREFIX = re.compile(r"[A-Za-z0-9_-]{0,24}")
CONF_VALUE = "value"
# The statuses with which web servers report a missing or unsupported path.
_NOT_AT_THIS_PATH = (404, 405)


class McpSteps(Steps):
    """The steps that all MCP servers share."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        super().__init__()
        # The entry's data, and the server's name and other information.
        self._data: dict[str, Any] = {}
        self._title = ""
        self._introduction: Introduction
        # Kept, so that log messages about the server stay redacted meanwhile.
        self._redactor: Redactor
        # The user's choice of its tools, if any, and of the agents that may use them.
        self._choice = ToolSelection()
        self._agents: list[str] = []

    async def _async_introduce(
        self, name: str, data: dict[str, Any], server: CommandServer | UrlServer | None = None
    ) -> None:
        """Try the server of an entry's data, and keep both; raises FormError of an `McpError`.

        `name` is the fallback for a server without its own; `server` is for one that needs more
        than data.
        """
        settings = ServerSettings(name=name, server=server or server_of(data))
        self._redactor = redactor_of(settings.server)
        try:
            self._introduction = await async_try(self.hass, settings, self._redactor)
            if not self._introduction.tools:
                raise McpNoTools(", ".join(self._introduction.skipped_tools) or "-")
        except McpError as err:
            LOGGER.debug("%s, tried: %s", name, err)
            raise _form_error(err) from err
        info = self._introduction.server_info
        self._title = untrusted_text.name(info.title or info.name if info else "") or name
        self._data = data

    @callback
    def _async_replace(self, entry: McpConfigEntry, **rest: Any) -> ConfigFlowResult:
        """Store the tried data in an entry, and end its session's pause."""
        result = self.async_update_and_abort(entry, data=self._data, **rest)
        if entry.state is ConfigEntryState.LOADED:
            entry.runtime_data.async_retry()
        return result

    async def _async_introduced(self) -> ConfigFlowResult:
        """Continue with the tried server; of a known one, ask only about undecided tools."""
        if (entry := self._changed) is None:
            return await self.async_step_mcp_tools()
        if self.source == SOURCE_RECONFIGURE:
            self._choice = ToolSelection.of(entry.options)
            if self._choice.waiting(self._introduction.choosable):
                return await self.async_step_mcp_tools()
        return self._async_replace(entry)

    async def async_step_mcp_tools(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which of the server's tools agents may use; all, if none of them was known."""
        tools, wrong = self._introduction.choosable, None
        if user_input is not None:
            if _has_tool(tools, user_input[CONF_TOOLS]):
                self._agents = user_input.get(CONF_AGENTS, [])
                return self._async_finish(self._choice.having(tools, user_input[CONF_TOOLS]))
            wrong = FormError({CONF_TOOLS: "no_tools_chosen"})
        words = await async_words(self.hass)
        fields = {
            ticks(self._to_begin_with()): tool_selector(tools, words, self._choice),
            **({} if self.source == SOURCE_RECONFIGURE else agents_field(self.hass)),
        }
        skipped = ", ".join(map(untrusted_text.quoted, self._introduction.skipped_tools))
        placeholders = {
            "name": self._title,
            "skipped": f"\n\n{words['skipped']} {skipped}" if skipped else "",
        }
        return self._form("mcp_tools", fields, None, wrong, placeholders)

    def _to_begin_with(self) -> list[McpTool]:
        """Return the tools that are ticked at first."""
        *tools, told = self._introduction.choosable
        standing = {tool: self._choice.standing(tool) for tool in tools}
        if {ToolStatus.TICKED, ToolStatus.CHANGED} & {*standing.values()}:
            return [tool for tool in (*tools, told) if self._choice.offers(tool)]
        # All of them are new: it is another server.
        new = [tool for tool in tools if standing[tool] is ToolStatus.NEW]
        return [*([tool for tool in new if not tool.extra] or new), told]

    @callback
    def _async_finish(self, choice: ToolSelection) -> ConfigFlowResult:
        """Make the entry, or change it."""
        if self.source != SOURCE_RECONFIGURE:
            return self.async_create_entry(
                title=self._title,
                data=self._data,
                options=choice.as_options,
                **in_words(self.hass, self._agents),
            )
        entry: McpConfigEntry = self._get_reconfigure_entry()
        return self._async_replace(entry, options={**entry.options, **choice.as_options})


class McpOptionsFlow(Forms, OptionsFlow):
    """Change an MCP server's tools for agents, and their options."""

    _tools: list[McpTool] | None = None
    """The tools in the form: only those that the user saw can be ticked."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Begin; a provider's options use this step's texts."""
        return await self.async_step_mcp_server()

    async def async_step_mcp_server(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for tools, time limit and prefix."""
        session: McpSession = self.config_entry.runtime_data
        options, choice = self.config_entry.options, session.settings.choice
        if self._tools is None:
            self._tools = session.choosable if session.tools else []
        tools = self._tools
        errors: dict[str, str] = {}
        if user_input is not None:
            if not _PREFIX.fullmatch(user_input.get(CONF_PREFIX, "")):
                errors[CONF_PREFIX] = "invalid_prefix"
            if tools and not _has_tool(tools, user_input[CONF_TOOLS]):
                errors[CONF_TOOLS] = "no_tools_chosen"
            if not errors:
                chosen = user_input.pop(CONF_TOOLS, [])
                # Before it was ever connected there is nothing to choose from.
                kept = choice.having(tools, chosen) if tools else choice
                return self.async_create_entry(data={**user_input, **kept.as_options})
        # A server that was never connected has no tools to choose from yet.
        offered = [tool for tool in tools if choice.offers(tool)]
        selector = tool_selector(tools, await async_words(self.hass), choice)
        fields: Fields = {
            **({ticks(offered): selector} if tools else {}),
            probatio.Required(CONF_NEW_READERS, default=False): BooleanSelector(),
            probatio.Required(CONF_TIMEOUT, default=TOOL_TIMEOUT): number(1, 600, 1, "s"),
            probatio.Optional(CONF_PREFIX): TextSelector(),
            probatio.Required(
                CONF_ONLY_AGENTS_TOOLS, default=DEFAULTS[CONF_ONLY_AGENTS_TOOLS]
            ): BooleanSelector(),
        }
        name = {"name": untrusted_text.name(self.config_entry.title)}
        return self._form("mcp_server", fields, user_input or options, FormError(errors), name)


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
    """Return the names and values in such a field."""
    return {row[CONF_NAME].strip(): row[CONF_VALUE].strip() for row in rows}


def to_rows(values: Mapping[str, str]) -> list[dict[str, str]]:
    """Return names and values in the format of such a field."""
    return [{CONF_NAME: name, CONF_VALUE: value} for name, value in values.items()]


def _form_error(err: McpError) -> FormError:
    """Return the form's error for a failed server."""
    # A form's errors are no Markdown; its description is.
    placeholders = {"reason": untrusted_text.sentence(err.detail), "stderr": stderr_block(err)}
    is_elsewhere = isinstance(err, McpHttpError) and err.status in _NOT_AT_THIS_PATH
    return FormError({"base": "mcp_wrong_path" if is_elsewhere else err.key}, placeholders)


def ticks(tools: Iterable[McpTool]) -> probatio.Required:
    """Return the key of the ticks, if these tools are ticked at first."""
    shown = [tool.original_name for tool in tools if not tool.is_silent]
    return probatio.Required(CONF_TOOLS, default=shown)


def tool_selector(
    tools: Iterable[McpTool], words: Mapping[str, str], choice: ToolSelection
) -> SelectSelector:
    """Return the ticks of tools, with descriptions in words."""
    options = [
        SelectOptionDict(value=tool.original_name, label=_label(tool, words, choice.standing(tool)))
        for tool in tools
        if not tool.is_silent
    ]
    return select_list(options, multiple=True)


def _has_tool(tools: Iterable[McpTool], ticked: Container[str]) -> bool:
    return any(
        tool.original_name in ticked for tool in tools if tool.extra is not Extra.INSTRUCTIONS
    )


def _label(tool: McpTool, words: Mapping[str, str], standing: ToolStatus) -> str:
    """Return a tool's title and name, the hints about its effects, and whether it is new."""
    if tool.extra is Extra.INSTRUCTIONS:
        known = [words[standing]] if standing is ToolStatus.CHANGED else []
        return ": ".join((words[tool.extra], *known))
    name = untrusted_text.sentence(tool.original_name)
    title = untrusted_text.name(tool.title or "")
    label = f"{title} ({name})" if title and title != name else name
    known = [words[tool.extra]] if tool.extra else []
    match tool.declared:
        case {"read_only_hint": True}:
            known.append(words["reads_only"])
        case {"destructive_hint": True}:
            known.append(words["destructive"])
    if standing in (ToolStatus.NEW, ToolStatus.CHANGED):
        known.append(words[standing])
    return f"{label}: {', '.join(known)}" if known else label


async def async_words(hass: HomeAssistant) -> dict[str, str]:
    """Return the words around a server's own names, in the user's language."""
    return await async_texts(hass, "selector", "mcp_tool.options")
