"""What a turn has read that others wrote: from then on it acts only as the user's own words say."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Self

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..home.exposed import Home
from ..mcp_servers.api import INSTRUCTIONS
from ..mcp_servers.tool import McpTool
from ..names.matching import words
from ..quoted_answer import QuotedAnswer
from .assist.live_context import QUOTED, LiveContextTool
from .tool_search import FIND_TOOLS
from .written_text import is_written, leaves, written_names

# Home Assistant's own tools whose results are its own words, or states.
_OWN_WORDS = frozenset(("GetDateTime", "control_speaker_volume", "get_history", FIND_TOOLS))
_FILE: Final = "attachment"
_INSTRUCTIONS: Final = "instructions"
"""What servers say of themselves, which is no secret of the home."""
OUTSIDE: Final = "search_web"
"""Our own tool that sends to somebody else what it is called with."""


@dataclass(frozen=True, slots=True)
class TaintSource:
    """A text that others wrote, or that came with such."""

    origin: str
    """Where it is from: a server, or a tool's own name."""
    text: str
    is_description: bool = False
    """A server says it of its own tools."""


@dataclass(slots=True)
class Taint:
    """What a conversation has read that others wrote.

    - What a tool gave counts, unless it is Home Assistant's own and only tells of states.
    - Earlier turns of the conversation count as this one does.
    """

    sources: list[TaintSource] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    """Where anything was read from, or is being read: a model may pass that on."""

    @property
    def is_there(self) -> bool:
        """Whether anything was read that others wrote."""
        return bool(self.sources)

    @property
    def has_seen(self) -> bool:
        """Whether a file came with what was said: a picture."""
        return any(each.origin == _FILE for each in self.sources)

    @property
    def is_only_described(self) -> bool:
        """Whether all of that is what servers say of their tools: nothing has been read yet."""
        return all(each.is_description for each in self.sources)

    @classmethod
    def of(
        cls,
        content: Iterable[conversation.Content],
        find: Callable[[str], llm.Tool | None],
        home: Home,
        tools: Iterable[llm.Tool] = (),
    ) -> Self:
        """Return what a conversation has read before a turn, or a task, begins.

        Args:
            content: what the chat log has until now.
            find: finds a tool by the name by which it was called.
            home: whose names the model is told.
            tools: those that the model is told of; servers describe theirs in their own words.
        """
        taint = cls()
        for item in content:
            match item:
                case conversation.ToolResultContent():
                    taint.note(item.tool_name, find(item.tool_name), item.result)
                case conversation.SystemContent(content=str(prompt)) if INSTRUCTIONS in prompt:
                    taint.sources.append(TaintSource(_INSTRUCTIONS, prompt))
                case QuotedAnswer(content=str(told), is_description=is_description):
                    taint.sources.append(TaintSource("told", told, is_description))
                case conversation.UserContent() if item.attachments:
                    taint.sources.append(TaintSource(_FILE, ""))
        taint.sources += _named(home.names)
        taint.sources += (
            TaintSource(origin_of(each.name, each), each.description or "", is_description=True)
            for each in tools
            if isinstance(each, McpTool)
        )
        return taint

    def note(self, name: str, tool: llm.Tool | None, result: llm.ToolResult) -> None:
        """Note what a tool gave, under the name by which it was called."""
        self.begin(name, tool)
        if (text := text_of_others(name, tool, result)) is not None:
            self.sources.append(TaintSource(origin_of(name, tool), text))

    def begin(self, name: str, tool: llm.Tool | None) -> None:
        """Note that a tool is asked for something, be it not there yet."""
        if not isinstance(tool, llm.IntentTool) and name != FIND_TOOLS:
            self._seen.add(origin_of(name, tool))

    def holds_of_others(self, origin: str) -> bool:
        """Return True if anything was read that is not from this origin."""
        read = {each.origin for each in self.sources if not each.is_description}
        return bool((read | self._seen) - {origin, _INSTRUCTIONS})

    def words_of(self, origin: str) -> frozenset[str]:
        """Return the words of what one origin gave."""
        return frozenset(
            word for each in self.sources if each.origin == origin for word in words(each.text)
        )


@lru_cache(8)
def _named(names: frozenset[str]) -> tuple[TaintSource, ...]:
    """Return the names of a home that are texts, which all of its conversations are told."""
    return tuple(TaintSource("name", name) for name in written_names(names))


def origin_of(name: str, tool: llm.Tool | None) -> str:
    """Return whose a tool is: what one server gave may go back to it."""
    return (isinstance(tool, McpTool) and tool.server) or name


def text_of_others(name: str, tool: llm.Tool | None, result: llm.ToolResult) -> str | None:
    """Return the text of a result if others may have written it, else None.

    Of a server all is theirs. What else gives some words gives a state, or what a model is told by us.
    """
    if isinstance(tool, McpTool):
        found = leaves(result.data, with_keys=True)
        return "\n".join(each for each in found if isinstance(each, str))
    if isinstance(tool, llm.IntentTool) or name.rpartition("__")[2] in _OWN_WORDS or result.error:
        return None
    data: Any = result.data
    if isinstance(tool, LiveContextTool):
        data = data.get(QUOTED) if isinstance(data, dict) else None
    written = (each for each in leaves(data) if isinstance(each, str) and is_written(each))
    return "\n".join(written) or None


def reaches_outside(tools: Iterable[llm.Tool]) -> bool:
    """Return True if a tool may know of more than the home does."""
    return any(isinstance(each, McpTool) or each.name == OUTSIDE for each in tools)
