"""The user's choice of a server's tools: those that were ticked, in their state at that time."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

from ..const import CONF_EXCLUDED_TOOLS, CONF_NEW_READERS, CONF_TICKED_TOOLS
from .tool import Extra, McpTool


class ToolStatus(StrEnum):
    """The status of a tool in the choice."""

    TICKED = "ticked"
    UNTICKED = "unticked"
    # It was not there when its server's tools were last ticked.
    NEW = "new"
    # It differs from the ticked state.
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSelection:
    """The user's choice of a server's tools.

    - A tool may be used as it was ticked: not when its name, title, description, schema or
      annotations have changed.
    - A later tool may not be used, or only if it declares that it only reads.
    - The same holds for the server's instructions.
    - A server's prompts and resources may be used if they were ticked, and the user is not asked
      about the others: they are for programs in which people choose them.
    """

    ticked: Mapping[str, str] | None = None
    """The fingerprints of tools by their names on the server; None: the user has not chosen yet."""
    unticked: tuple[str, ...] = ()
    new_readers: bool = False
    """Whether later tools may be used if they declare that they only read."""
    by_name: bool = False
    """Whether the names are enough: the server is a part of ours."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Return the choice in an entry's options."""
        return cls(
            ticked=options.get(CONF_TICKED_TOOLS),
            unticked=tuple(options.get(CONF_EXCLUDED_TOOLS, ())),
            new_readers=options.get(CONF_NEW_READERS, False),
        )

    def of_ours(self, unticked: tuple[str, ...]) -> Self:
        """Return it for a server that is a part of ours; `unticked` tools start without a tick."""
        off = () if self.ticked is not None else unticked
        return replace(self, by_name=True, unticked=(*self.unticked, *off))

    @property
    def as_options(self) -> dict[str, Any]:
        """Return the choice as an entry's options."""
        ticked = {} if self.ticked is None else {CONF_TICKED_TOOLS: dict(self.ticked)}
        return {**ticked, CONF_EXCLUDED_TOOLS: [*self.unticked]}

    def standing(self, tool: McpTool) -> ToolStatus:
        """Return the status of a tool."""
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
        status, may_be_new = self.standing(tool), self.new_readers and not tool.extra
        is_reader = status is ToolStatus.NEW and tool.annotations.read_only
        return status is ToolStatus.TICKED or (is_reader and may_be_new)

    def allows(self, name: str) -> bool:
        """Return True if agents may use a tool, by the server's name for it."""
        return name not in self.unticked and (self.ticked is None or name in self.ticked)

    def waiting(self, tools: Iterable[McpTool]) -> list[McpTool]:
        """Return the tools that agents may not use, and that the user has not decided about."""
        statuses = ((tool, self.standing(tool)) for tool in tools if not tool.is_silent)
        return [
            tool
            for tool, status in statuses
            if status is ToolStatus.CHANGED
            or (status is ToolStatus.NEW and not tool.extra and not self.offers(tool))
        ]

    def having(self, tools: Sequence[McpTool], ticked: Container[str]) -> Self:
        """Return the choice after the user ticked some of the tools shown; others keep theirs."""
        seen = {tool.original_name: tool.fingerprint for tool in tools}
        # Missing instructions are not shown, but their absence is stored.
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
