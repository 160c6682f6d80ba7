"""Which of a server's tools agents may use: those that somebody ticked, as they were then."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

from ..const import CONF_EXCLUDED_TOOLS, CONF_NEW_READERS, CONF_TICKED_TOOLS
from .tool import Extra, McpTool


class ToolStatus(StrEnum):
    """How a tool stands."""

    TICKED = "ticked"
    UNTICKED = "unticked"
    # It was not there when its server's tools were last ticked.
    NEW = "new"
    # It is no longer what was ticked.
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSelection:
    """Which of a server's tools agents may use.

    - A tool may be used as it was ticked: not when its name, title, description, schema or
      annotations are others now.
    - A tool that came later may not be used, or only where it says that it only reads.
    - So it is with what the server tells models of itself.
    - A server's prompts and resources may be used where they were ticked, and nobody is asked about
      those that were not: they are for programs in which people choose them.
    """

    ticked: Mapping[str, str] | None = None
    """The fingerprints of tools by the server's names for them; None: nobody has ticked any yet."""
    unticked: tuple[str, ...] = ()
    new_readers: bool = False
    """Whether tools that came later may be used where they say that they only read."""
    by_name: bool = False
    """Whether the names are enough: the server is a part of ours."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Return the choice that an entry's options hold."""
        return cls(
            ticked=options.get(CONF_TICKED_TOOLS),
            unticked=tuple(options.get(CONF_EXCLUDED_TOOLS, ())),
            new_readers=options.get(CONF_NEW_READERS, False),
        )

    def of_ours(self, unticked: tuple[str, ...]) -> Self:
        """Return it for a server that is a part of ours; some tools have to be ticked even at first."""
        off = () if self.ticked is not None else unticked
        return replace(self, by_name=True, unticked=(*self.unticked, *off))

    @property
    def as_options(self) -> dict[str, Any]:
        """Return what an entry's options hold of the ticks."""
        ticked = {} if self.ticked is None else {CONF_TICKED_TOOLS: dict(self.ticked)}
        return {**ticked, CONF_EXCLUDED_TOOLS: [*self.unticked]}

    def standing(self, tool: McpTool) -> ToolStatus:
        """Return how a tool stands."""
        name, is_told = tool.original_name, tool.extra is Extra.INSTRUCTIONS
        if name in self.unticked:
            return ToolStatus.UNTICKED
        if is_told and self.by_name:
            return ToolStatus.TICKED
        if self.ticked is None:
            return ToolStatus.NEW if tool.extra and not is_told else ToolStatus.TICKED
        if name not in self.ticked:
            return ToolStatus.NEW
        if self.by_name or self.ticked[name] == tool.fingerprint:
            return ToolStatus.TICKED
        return ToolStatus.CHANGED

    def offers(self, tool: McpTool) -> bool:
        """Return True if agents may use a tool."""
        match self.standing(tool):
            case ToolStatus.TICKED:
                return True
            case ToolStatus.NEW:
                return self.new_readers and tool.annotations.read_only and not tool.extra
            case _:
                return False

    def allows(self, name: str) -> bool:
        """Return True if agents may use a tool of which nothing is known but the server's name for it."""
        return name not in self.unticked and (self.ticked is None or name in self.ticked)

    def waiting(self, tools: Iterable[McpTool]) -> list[McpTool]:
        """Return the tools that agents may not use, and of which nobody has decided so."""
        return [tool for tool in tools if self._is_waiting(tool)]

    def _is_waiting(self, tool: McpTool) -> bool:
        match self.standing(tool):
            case ToolStatus.CHANGED:
                return not tool.is_silent
            case ToolStatus.NEW:
                return not tool.extra and not self.offers(tool)
            case _:
                return False

    def having(self, tools: Sequence[McpTool], ticked: Container[str]) -> Self:
        """Return the choice after somebody saw tools, and ticked those of some names.

        Tools that were not there stay as they were.
        """
        seen = {tool.original_name: tool.fingerprint for tool in tools}
        # Nobody sees what is not said, but that it was not is kept.
        silent = {tool.original_name for tool in tools if tool.is_silent}
        yes = {name: seen[name] for name in seen if name in ticked or name in silent}
        return replace(
            self,
            ticked={n: p for n, p in (self.ticked or {}).items() if n not in seen} | yes,
            unticked=(
                *(name for name in self.unticked if name not in seen),
                *(name for name in seen if name not in yes),
            ),
        )
