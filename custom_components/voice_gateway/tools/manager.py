"""Which tools there are."""

from collections.abc import Iterator
import re
from typing import override

from homeassistant.helpers import llm

from ..const import LOGGER
from .assist.intents import IntentTool


class ToolManager:
    """The tools of an agent, from every source, in one list.

    - Tools keep the order in which they came: the prompt stays the same as long as they do.
    - A tool of a name that is there already replaces it in place, with a warning.
    - A tool without a name, a description or a schema is left out, with a warning.
    - Nothing of a tool is changed or kept twice.
    """

    def __init__(self) -> None:
        """Begin without tools."""
        self._tools: list[llm.Tool] = []

    @override
    def __repr__(self) -> str:
        """Name the tools, for whoever debugs."""
        return f"ToolManager({', '.join(tool.name for tool in self._tools)})"

    def add(self, *tools: llm.Tool) -> None:
        """Add tools after those that are there."""
        for tool in tools:
            if missing := _missing(tool):
                LOGGER.warning("Left out tool %s: it has no %s", tool, missing)
            elif (known := self._named(tool.name)) is None:
                self._tools.append(tool)
            elif known != tool:
                LOGGER.warning(
                    "Tool %s is there twice: the newer one replaces the other", tool.name
                )
                self._tools[self._tools.index(known)] = tool

    def all(self) -> list[llm.Tool]:
        """Return the list of the tools itself."""
        return self._tools

    def find(self, name: str) -> llm.Tool | None:
        """Return the tool that a name certainly means.

        That is the tool of this name; else the only one that a server knows by it; else the
        only one that differs in case, in a missing prefix (`HassTurnOn` for `intent__HassTurnOn`)
        or in how many underscores follow it (`todo_get_items` for `todo__get_items`). An intent of
        Home Assistant's has its name from nobody else: under another prefix, too, it is meant
        (`intent__HassVacuumStart`), and by the names of the services that it calls (`HassUnlock`),
        which say what devices it is for.
        """
        if tool := self._named(name):
            return tool
        for fold in (str, str.casefold, _folded):
            wanted = fold(name)
            meant = [
                tool for tool in self._tools if any(fold(known) == wanted for known in _names(tool))
            ]
            if len(meant) == 1:
                return meant[0]
        own_name = name.rpartition("__")[2]
        return self.for_intent(own_name) or self._otherwise_called(own_name)

    def for_intent(self, intent_type: str) -> llm.IntentTool | None:
        """Return the tool that handles an intent of Home Assistant's."""
        intents = (tool for tool in self._tools if isinstance(tool, llm.IntentTool))
        return next((tool for tool in intents if tool.intent_type == intent_type), None)

    def _otherwise_called(self, name: str) -> llm.Tool | None:
        """Return the only tool that a name means which is no tool's, as the name means it."""
        tools = (tool for tool in self._tools if isinstance(tool, IntentTool))
        meant = [called for tool in tools if (called := tool.called(name))]
        return meant[0] if len(meant) == 1 else None

    def _named(self, name: str) -> llm.Tool | None:
        return next((tool for tool in self._tools if tool.name == name), None)


def _names(tool: llm.Tool) -> Iterator[str]:
    """Yield the names by which a tool may be called."""
    yield tool.name
    if unprefixed := tool.name.partition("__")[2]:
        yield unprefixed
    if original := getattr(tool, "original_name", None):
        yield original


def _folded(name: str) -> str:
    return re.sub("_+", "_", name.casefold())


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
