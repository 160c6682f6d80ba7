"""The registry of tools."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
import re
from typing import Self, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from ..const import LOGGER
from ..mcp_servers.entry import McpAPI
from ..mcp_servers.names import BETWEEN, fitting, folded, front_of, intent_names, is_intent
from ..mcp_servers.tool import McpTool
from .assist.intents import IntentTool
from .builtin import NAMES
from .tool_search import CALL_TOOL, FIND_TOOLS, OF_HABIT, ToolCaller, ToolFinder, ToolIndex, within

type Offer = tuple[llm.API | None, Sequence[llm.Tool]]
"""Tools, and their API; None: they are Home Assistant's own, or ours."""

# The owner of the names of Home Assistant's tools and of ours.
_OWN = ""
# In tool names, models mix up case, underscores, and namespace separators.
_SEPARATORS = re.compile(r"[.:/]")
_FOLDS: tuple[Callable[[str], str], ...] = (
    str,
    str.casefold,
    folded,
    lambda name: folded(_SEPARATORS.sub(BETWEEN, name)),
)


class ToolManager:
    """The tools of an agent, from every source, in one list.

    - Tools keep their order of arrival: the prompt stays the same as long as they do.
    - The first tool of a name keeps it; another API's gets that API's name as a prefix. It keeps
      the prefix while the first one's server is away.
    - Home Assistant's tools and ours come first, in whatever order they are added. No MCP server's
      tool gets or is found by a name of theirs, or of an intent.
    - A tool without a name, a description or a schema is left out, with a warning.
    - No tool is changed or copied.
    - If third-party tools are too many for the prompt, a model finds and calls them by two tools
      of ours.
    """

    def __init__(self) -> None:
        """Begin without tools."""
        self._tools: list[llm.Tool] = []
        self._named: dict[str, llm.Tool] = {}
        # By folded names: the ids of the APIs whose tools have them.
        self._owners: dict[str, str] = {}
        # Folded names that belong to a tool of Home Assistant's or ours, even if it is missing.
        self._own: set[str] = set()
        self.index: ToolIndex | None = None
        """The third-party tools, if they are too many for the prompt."""
        # By the ids of APIs: their names, and their offered tools.
        self._of_others: dict[str, tuple[str, list[llm.Tool]]] = {}

    @classmethod
    def of(cls, hass: HomeAssistant, offers: Iterable[Offer]) -> Self:
        """Return the tools of several APIs."""
        manager = cls()
        offers = list(offers)
        own = [tool.name for api, tools in offers if api is None for tool in tools]
        manager._keep(own, _OWN)
        bare = (name.partition(BETWEEN)[2] for name in own)
        manager._own.update(folded(name) for name in (*bare, *NAMES) if name)
        manager._own |= intent_names(hass)
        manager._keep((FIND_TOOLS, CALL_TOOL), _OWN)
        manager._own |= {FIND_TOOLS, CALL_TOOL}
        for api, tools in offers:
            if isinstance(api, McpAPI):
                manager._keep(api.session.names, api.id)
            manager.add(*tools, api=api)
        if index := ToolIndex.of_many(tool for _, tools in manager.of_others for tool in tools):
            manager.index = index
            manager.add(ToolFinder(index), ToolCaller())
        return manager

    @staticmethod
    def made_of(hass: HomeAssistant, offers: Iterable[Offer]) -> list[object]:
        """Return the inputs of `of`: if they are equal, so are the tools."""
        found: list[object] = [*intent.async_get(hass), *sorted(hass.config.components)]
        for api, tools in offers:
            found += (api, *tools, *(api.session.names if isinstance(api, McpAPI) else ()))
        return found

    @override
    def __repr__(self) -> str:
        """List the tools, for debugging."""
        return f"ToolManager({', '.join(tool.name for tool in self._tools)})"

    def add(self, *tools: llm.Tool, api: llm.API | None = None) -> None:
        """Add tools after the existing ones; `api` is their owner, as in an `Offer`."""
        self.__dict__.pop("_by_fold", None)
        owner = api.id if api else _OWN
        for tool in tools:
            if missing := _missing(tool):
                LOGGER.warning("Left out tool %s: it has no %s", tool, missing)
            elif api and self._is_anothers(tool, owner):
                self._append(self._under(api, tool), api)
            elif tool.name not in self._named:
                self._append(tool, api)
            elif self._named[tool.name] is not tool:
                LOGGER.warning("Tool %s is there twice: the first one is kept", tool.name)

    def _append(self, tool: llm.Tool, api: llm.API | None) -> None:
        self._keep([tool.name], api.id if api else _OWN)
        if api:
            self._of_others.setdefault(api.id, (api.name, []))[1].append(tool)
        self._named[tool.name] = tool
        self._tools.append(tool)

    def _keep(self, names: Iterable[str], owner: str) -> None:
        """Record the owner of names that have none yet."""
        for name in names:
            self._owners.setdefault(folded(name), owner)

    def _is_anothers(self, tool: llm.Tool, owner: str) -> bool:
        """Return True if a tool's name belongs to another API."""
        if self._owners.get(folded(tool.name), owner) != owner:
            return True
        if isinstance(tool, McpTool):
            return folded(tool.name) in self._own
        return _is_mcp(tool) and (BETWEEN in tool.name or is_intent(tool.name, self._own))

    def _under(self, api: llm.API, tool: llm.Tool) -> llm.Tool:
        """Return a tool with its API's name as a prefix."""
        front = _front(tool, api)
        name = fitting(f"{front}{BETWEEN}{tool.name}", f"{api.id} {tool.name}", self._named)
        LOGGER.debug("Tool %s of %s is offered as %s", tool.name, api.name, name)
        if isinstance(tool, McpTool):
            return tool.renamed(name)
        other = llm.NamespacedTool(front, tool)
        other.name = name
        return other

    def all(self) -> list[llm.Tool]:
        """Return the list of the tools itself."""
        return self._tools

    def told(self, used: Iterable[str]) -> list[llm.Tool]:
        """Return the tools in the prompt.

        Of the tools that can be found, these are the first of the `used` ones, by their names,
        within the budget.
        """
        if (index := self.index) is None:
            return self._tools
        there = (index.tools[name] for name in used if name in index.tools)
        kept = {tool.name for tool in within(there, OF_HABIT)}
        return [tool for tool in self._tools if tool.name in kept or tool.name not in index.tools]

    def unwrapped(self, call: llm.ToolInput) -> llm.ToolInput:
        """Return the call itself, or that of the tool which a model calls by `call_tool`."""
        tool = self.find(call.tool_name)
        return tool.unwrapped(call) if isinstance(tool, ToolCaller) else call

    @property
    def of_others(self) -> Iterable[tuple[str, Sequence[llm.Tool]]]:
        """The tools that are neither Home Assistant's nor ours, by the names of their APIs."""
        return self._of_others.values()

    def find(self, name: str) -> llm.Tool | None:
        """Return the tool that a name certainly means.

        That is the tool of this name; else the only one with this name on its server; else the only
        one that differs in case, in a missing prefix (`HassTurnOn` for `intent__HassTurnOn`) or in
        the number of underscores after it (`todo_get_items` for `todo__get_items`). Home
        Assistant's intents own their names: they match under another prefix, too
        (`intent__HassVacuumStart`), and by the names of the services that they call (`HassUnlock`),
        which restrict the domains.
        """
        if tool := self._named.get(name):
            return tool
        for number, fold in enumerate(_FOLDS):
            meant = self._by_fold[number].get(fold(name), ())
            if len(meant) == 1:
                return meant[0]
        if self._owners.get(folded(name), _OWN) != _OWN:
            # Its server is away.
            return None
        own_name = _SEPARATORS.sub(BETWEEN, name).rpartition(BETWEEN)[2]
        # A service's name keeps its domain: "media_player.media_next_track".
        service = name.rpartition(BETWEEN)[2]
        return (
            self.for_intent(own_name)
            or self._otherwise_called(own_name)
            or self._otherwise_called(service)
        )

    def for_intent(self, intent_type: str) -> llm.IntentTool | None:
        """Return the tool that handles an intent of Home Assistant's."""
        intents = (tool for tool in self._tools if isinstance(tool, llm.IntentTool))
        return next((tool for tool in intents if tool.intent_type == intent_type), None)

    def _otherwise_called(self, name: str) -> llm.Tool | None:
        """Return the only tool that has the name as an alias, in the alias's variant."""
        tools = (tool for tool in self._tools if isinstance(tool, IntentTool))
        meant = [called for tool in tools if (called := tool.called(name))]
        return meant[0] if len(meant) == 1 else None

    @cached_property
    def _by_fold(self) -> tuple[dict[str, list[llm.Tool]], ...]:
        """For each way to fold names: the tools by their folded names."""
        found: tuple[dict[str, list[llm.Tool]], ...] = tuple({} for _ in _FOLDS)
        for tool in self._tools:
            names = [*self._names(tool)]
            for fold, meant in zip(_FOLDS, found, strict=True):
                for name in {fold(name) for name in names}:
                    meant.setdefault(name, []).append(tool)
        return found

    def _names(self, tool: llm.Tool) -> Iterator[str]:
        """Yield the names by which a tool may be called."""
        yield tool.name
        owner = self._owners[folded(tool.name)]
        for name in (tool.name.partition(BETWEEN)[2], getattr(tool, "original_name", None)):
            if not name or self._owners.get(folded(name), owner) != owner:
                continue
            if not _is_mcp(tool) or not is_intent(name, self._own):
                yield name


def _is_mcp(tool: llm.Tool) -> bool:
    """Return True if a tool is an MCP server's: of ours, or of Home Assistant's own integration."""
    return isinstance(tool, McpTool) or tool.integration == "mcp"


def _front(tool: llm.Tool, api: llm.API) -> str:
    if isinstance(tool, McpTool):
        return tool.server
    return front_of(api.name, api.hass.config.components)


def _missing(tool: llm.Tool) -> str | None:
    """Return what a tool lacks, if anything."""
    for attribute, words in (
        ("name", "name"),
        ("description", "description"),
        ("parameters", "schema"),
    ):
        if getattr(tool, attribute, None) in (None, ""):
            return words
    return None
