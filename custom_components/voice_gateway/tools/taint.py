"""Third-party text in a turn: once it was read, only the user's own words authorize actions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any, Final, Self

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..home.exposed import Home
from ..home.written_text import is_written, leaves, written_names
from ..mcp_servers.entry import INSTRUCTIONS
from ..mcp_servers.tool import McpTool
from ..names.matching import words
from ..quoted_answer import QuotedAnswer
from .assist.live_context import QUOTED, LiveContextTool
from .context_tool import RequestTool
from .tool_search import FIND_TOOLS

# Home Assistant's own tools whose results are fixed texts, or states.
_OWN_WORDS = frozenset(("GetDateTime", "control_speaker_volume", "get_history", FIND_TOOLS))
_FILE: Final = "attachment"
_INSTRUCTIONS: Final = "instructions"
"""The instructions of servers, which are no secret of the home."""
OUTSIDE: Final = "search_web"
"""Our own tool that sends its arguments outside."""


@dataclass(frozen=True, slots=True)
class TaintSource:
    """Third-party text, or a result that may contain it."""

    origin: str
    """Its source: a server, or a tool's own name."""
    text: str
    is_description: bool = False
    """It is a server's description of its own tools."""


@dataclass(slots=True)
class Taint:
    """The third-party text that a conversation has read.

    - A tool's result counts, unless the tool is Home Assistant's own and only reports states.
    - Earlier turns of the conversation count as the current one does.
    """

    sources: list[TaintSource] = field(default_factory=list)
    _seen: dict[str, frozenset[str]] = field(default_factory=dict)
    """The words that were read, or are being read, by their source: states as well.

    A model may pass them on.
    """

    @property
    def is_there(self) -> bool:
        """Whether third-party text was read."""
        return bool(self.sources)

    @property
    def has_seen(self) -> bool:
        """Whether a file came with the utterance: a picture."""
        return any(each.origin == _FILE for each in self.sources)

    @property
    def is_only_described(self) -> bool:
        """Whether all of that are servers' descriptions of their tools: nothing was read yet."""
        return all(each.is_description for each in self.sources)

    @classmethod
    def of(
        cls,
        content: Iterable[conversation.Content],
        find: Callable[[str], llm.Tool | None],
        home: Home,
        tools: Iterable[llm.Tool] = (),
    ) -> Self:
        """Return the taint of a conversation before a turn, or a task, begins.

        Args:
            content: the chat log so far.
            find: finds a tool by the name by which it was called.
            home: the home whose names are in the prompt.
            tools: the tools in the prompt; servers describe theirs in their own words.
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
        places = frozenset(each.name for each in home.all_areas.values())
        taint.sources += _named(home.names, places)
        taint.sources += (
            TaintSource(origin_of(each.name, each), each.description or "", is_description=True)
            for each in tools
            if isinstance(each, McpTool)
        )
        return taint

    def note(self, name: str, tool: llm.Tool | None, result: llm.ToolResult) -> None:
        """Add a tool's result, under the name by which it was called."""
        self.begin(name, tool)
        if (origin := origin_of(name, tool)) in self._seen:
            self._seen[origin] |= {*words("\n".join(map(str, leaves(result.data))))}
        if (text := text_of_others(name, tool, result)) is not None:
            self.sources.append(TaintSource(origin, text))

    def begin(self, name: str, tool: llm.Tool | None) -> None:
        """Add the source of a running call, before its result."""
        if not isinstance(tool, llm.IntentTool) and name != FIND_TOOLS:
            self._seen.setdefault(origin_of(name, tool), frozenset())

    def holds_of_others(self, origin: str) -> bool:
        """Return True if text from another source than this one was read."""
        read = {each.origin for each in self.sources if not each.is_description}
        return bool((read | self._seen.keys()) - {origin, _INSTRUCTIONS})

    def words_of(self, origin: str) -> frozenset[str]:
        """Return the words of one source's results; its descriptions may bring any alphabet."""
        return frozenset(
            word
            for each in self.sources
            if each.origin == origin and not each.is_description
            for word in words(each.text)
        )

    def words_beside(self, origin: str) -> frozenset[str]:
        """Return the words that were read from other sources than this one."""
        others = (each for each in self.sources if each.origin != origin)
        texts = (words(each.text) for each in others if not each.is_description)
        seen = (told for source, told in self._seen.items() if source != origin)
        return frozenset(chain.from_iterable(chain(texts, seen)))

    def is_from(self, origin: str, text: str) -> bool:
        """Return True if one source's results contain a text as a whole."""
        return any(text in each.text for each in self.sources if each.origin == origin)


@lru_cache(8)
def _named(names: frozenset[str], places: frozenset[str]) -> tuple[TaintSource, ...]:
    """Return the home's names that are texts, which are in the prompts of all its conversations."""
    return tuple(TaintSource("name", name) for name in written_names(names, places))


def origin_of(name: str, tool: llm.Tool | None) -> str:
    """Return the source of a tool: a server's results may go back to it."""
    return (isinstance(tool, McpTool) and tool.server) or name


def text_of_others(name: str, tool: llm.Tool | None, result: llm.ToolResult) -> str | None:
    """Return the text of a result if it may be third-party text, else None.

    A server's results always are. Few words from another source are a state, or our own text.
    """
    if isinstance(tool, McpTool):
        found = leaves(result.data, with_keys=True)
        return "\n".join(each for each in found if isinstance(each, str))
    if (
        isinstance(tool, llm.IntentTool | RequestTool)
        or name.rpartition("__")[2] in _OWN_WORDS
        or result.error
    ):
        return None
    data: Any = result.data
    if isinstance(tool, LiveContextTool):
        data = data.get(QUOTED) if isinstance(data, dict) else None
    written = (each for each in leaves(data) if isinstance(each, str) and is_written(each))
    return "\n".join(written) or None


def reaches_outside(tools: Iterable[llm.Tool]) -> bool:
    """Return True if a tool may know more than the home does."""
    return any(isinstance(each, McpTool) or each.name == OUTSIDE for each in tools)
