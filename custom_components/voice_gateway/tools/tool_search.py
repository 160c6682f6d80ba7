"""Tool search: the prompt has some of many tools, and the model finds the others by words.

The tools of a large server take more room in a prompt than the home, and a small model chooses
badly among them. The prompt stays the same for all sentences, so that its cache stays valid: it has
the two tools below, and the tools that the household uses. Tools that match the words of a sentence
stand with that sentence.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
import json
from math import log
from typing import Final, Self, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..arguments import correct_for
from ..const import DOMAIN
from ..json_schema import JsonSchema, schema_of, serialize_trimmed, shortened, signature
from ..languages import language_of
from ..names.inflection import is_alike
from ..names.matching import matcher, words, words_apart
from ..nlu.tokenizer import Text

BUDGET: Final = 2000
"""Token budget for other APIs' tools in the prompt; above it, the model finds them by words."""
OF_HABIT: Final = BUDGET // 4
"""Tokens of those in frequent use, which stay in the prompt."""
_WITH_SENTENCE: Final = BUDGET // 5
"""Tokens of those that are listed with a sentence, or found at once."""
_BYTES: Final = 4
"""Bytes of JSON per token, as Qwen 2.5 reads schemas."""
_FOUND: Final = 5
"""Maximum number of tools in a search result."""
_ENOUGH: Final = 1.5
"""Minimum weight of a matching word: it is in the tool's name, and in few others."""
_NEXT: Final = 0.6
"""Fraction of the best tool's weight at which others match as well."""
_NAMED: Final = 3.0
_DESCRIBED: Final = 1.0
_ARGUMENTS: Final = 0.5
_BEGINNING: Final = 5
"""Letters of a word's stem, which its forms share."""
_SHORT: Final = 3
_TOPICS: Final = 40
_LINE: Final = 160
"""Letters of a description, and half as many of an argument's."""
_ENGLISH: Final = "en"
"""The language of most programs."""
_OTHER_NAMES: Final = {
    **dict.fromkeys(("tool", "tool_name", "function"), ("name",)),
    **dict.fromkeys(("args", "parameters", "params", "input"), ("arguments",)),
}
"""Names that models use for the arguments of `call_tool`."""
FIND_TOOLS: Final = "find_tools"
CALL_TOOL: Final = "call_tool"
_READ_ONLY = llm.ToolAnnotations(
    read_only=True, destructive=False, idempotent=True, open_world=False
)


class ToolFinder(llm.Tool):
    """Finds tools by words. It neither acts nor reads data."""

    name = FIND_TOOLS
    title = "Find tools"
    annotations = _READ_ONLY
    integration = DOMAIN
    parameters = JsonSchema(
        {
            "type": "object",
            "properties": {"words": {"type": "string", "description": "What to do, in English"}},
            "required": ["words"],
        },
        names=lambda _: ("words",),
    )

    def __init__(self, index: ToolIndex) -> None:
        """Take the tools."""
        self._index = index
        self.description = f"Find more tools, about: {', '.join(index.topics)}."

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Return the tool itself, which is immutable: a copied trace would copy the index."""
        return self

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Return the matching tools, with what a model needs to call them."""
        arguments, _ = correct_for(self, tool_input.tool_args)
        found = self._index.find(Text(str(arguments.get("words", "")), _ENGLISH), least=0)
        if not found:
            told = f"No tool fits. There are tools about: {', '.join(self._index.topics)}"
            return llm.ToolResult(data={"error": told}, error=True)
        return llm.ToolResult(data={"tools": described(found), "next": f"Call {CALL_TOOL} now."})


class ToolCaller(llm.Tool):
    """Stands for a call of another tool, which is made in its place: see `unwrapped`."""

    name = CALL_TOOL
    title = "Call a tool"
    description = (
        f"Call a tool that is listed before the user's words, or that {FIND_TOOLS} has found."
    )
    annotations = _READ_ONLY
    integration = DOMAIN
    parameters = JsonSchema(
        {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "The tool's name"},
                "arguments": {"type": "object", "description": "The tool's arguments"},
            },
            "required": ["name", "arguments"],
        },
        names=lambda name: _OTHER_NAMES.get(name, ()),
    )

    def unwrapped(self, call: llm.ToolInput) -> llm.ToolInput:
        """Return the call of the other tool; the same one if it names none.

        Its arguments may stand beside the name, or be an object in a string.
        """
        given, _ = correct_for(self, call.tool_args)
        name, inner = given.pop("name", None), given.pop("arguments", None)
        if not isinstance(name, str) or not name.strip():
            return call
        arguments = {**given, **inner} if isinstance(inner, Mapping) else given
        return replace(call, tool_name=name.strip(), tool_args=arguments)

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Return the missing argument: a call that names a tool is made in place of this one."""
        told = f"Name the tool: {CALL_TOOL}(name, arguments)"
        return llm.ToolResult(data={"error": told}, error=True)


@dataclass
class ToolIndex:
    """An index of tools by the words of their names, descriptions and arguments' names.

    - The fewer tools have a word, the more it counts, and most in a name.
    - Forms of a word are one: "zones" and `zone`, "add-ons" and `addon`.
    """

    tools: Mapping[str, llm.Tool]
    """By their names."""
    _weights: dict[str, dict[str, float]] = field(default_factory=dict, init=False)
    """For each word: its weight in the tools that have it, by their names."""
    _stems: dict[str, set[str]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Index the tools' words."""
        for name, tool in self.tools.items():
            for weight, text in _texts(tool):
                for word in _plain(text):
                    of_tools = self._weights.setdefault(word, {})
                    of_tools[name] = max(weight, of_tools.get(name, 0))
        for word in self._weights:
            self._stems.setdefault(word[:_BEGINNING], set()).add(word)

    @classmethod
    def of_many(cls, tools: Iterable[llm.Tool]) -> ToolIndex | None:
        """Return the index of tools that take more than the budget, else None."""
        by_name = {tool.name: tool for tool in tools}
        return cls(by_name) if tokens_of(by_name.values()) > BUDGET else None

    @cached_property
    def topics(self) -> Sequence[str]:
        """The topics of the tools: words of their names that are no verbs, and that most lack."""
        verbs = {
            word
            for listed in language_of(_ENGLISH).tool_verbs.values()
            for text in listed
            for word in words(text)
        }
        counted = Counter(
            word
            for tool in self.tools.values()
            for word in {*words(words_apart(_bare(tool)))} - verbs
        )
        most = len(self.tools) / 2
        ranked = sorted(counted, key=lambda word: (-counted[word], word))
        return sorted([word for word in ranked if counted[word] <= most][:_TOPICS])

    def find(
        self, said: Text, *, least: float = _ENOUGH, explained: Collection[str] = ()
    ) -> list[llm.Tool]:
        """Return the tools that match a text's words, the best first.

        Args:
            said: the search text.
            least: the minimum weight of its best word in a matching tool.
            explained: words that refer to something else: a device's name.
        """
        empty = {*matcher(said.code).function_words, *explained}
        telling = {_stem(word) for word in said.words if word not in empty}
        # "Back up" is one word of a tool, and does not contain "back".
        together = {_stem("".join(pair)) for pair in pairwise(said.words)} & self._weights.keys()
        weights: Counter[str] = Counter()
        fit: set[str] = set()
        for word in telling | together:
            weighed = self._weighed(word)
            weights.update(weighed)
            fit |= {name for name, weight in weighed.items() if weight > least}
        best = max((weights[name] for name in fit), default=0)
        found = [name for name in self.tools if name in fit and weights[name] >= best * _NEXT]
        found.sort(key=lambda name: -weights[name])
        return [self.tools[name] for name in found[:_FOUND]]

    def _weighed(self, word: str) -> dict[str, float]:
        """Return the weight of a word for each tool."""
        near = self._stems.get(word[:_BEGINNING], ())
        alike = [word] if word in self._weights else [x for x in near if is_alike(word, x)]
        if not alike:
            return {}
        found: dict[str, float] = {}
        for form in alike:
            for name, weight in self._weights[form].items():
                found[name] = max(weight, found.get(name, 0))
        # A word in descriptions alone is not a common word of names.
        named = max(1, sum(found.values()) / _NAMED)
        rare = max(0, log(len(self.tools) / named) / log(len(self.tools)))
        return {name: weight * rare for name, weight in found.items()}


def tokens_of(tools: Iterable[llm.Tool]) -> int:
    """Return the approximate number of tokens that tools take in a prompt."""
    return sum(map(_cost, tools))


def within(tools: Iterable[llm.Tool], tokens: int) -> list[llm.Tool]:
    """Return as many tools as fit into a number of tokens, the first ones before others."""
    kept = []
    for tool in tools:
        if (cost := _cost(tool)) <= tokens:
            tokens -= cost
            kept.append(tool)
    return kept


def listed(tools: Iterable[llm.Tool]) -> str | None:
    """Return the text about the tools that match a sentence; it stands with the sentence."""
    if not (told := described(tools)):
        return None
    return f"[Tools for this, to be called with {CALL_TOOL}:\n{told}]"


def described(tools: Iterable[llm.Tool]) -> str:
    """Return tools as a model has to call them, up to the limit of one result, and at least one."""
    left = _WITH_SENTENCE * _BYTES
    lines: list[str] = []
    for text in map(_described, tools):
        if lines and len(text) > left:
            break
        left -= len(text)
        lines.append(text)
    return "\n".join(lines)


def _described(tool: llm.Tool) -> str:
    """Return a tool in one line, and each argument in one: a server's text cannot begin another."""
    schema = schema_of(tool, serialize_trimmed)
    lines = [f"{signature(tool.name, schema)}: {shortened(tool.description or '', _LINE)}"]
    for name, part in schema.get("properties", {}).items():
        if isinstance(part, dict) and isinstance(told := part.get("description"), str):
            lines.append(f"- {name}: {shortened(told, _LINE // 2)}")
    return "\n".join(" ".join(line.split()) for line in lines)


def _cost(tool: llm.Tool) -> int:
    """Return the approximate number of tokens that a tool takes in a prompt."""
    told = [tool.name, tool.description, schema_of(tool, serialize_trimmed)]
    return len(json.dumps(told, ensure_ascii=False, default=str).encode()) // _BYTES


def _bare(tool: llm.Tool) -> str:
    """Return a tool's name on its server."""
    return getattr(tool, "original_name", None) or tool.name.rpartition("__")[2]


def _texts(tool: llm.Tool) -> Iterator[tuple[float, str]]:
    """Yield the texts about a tool's purpose, each with the weight of its words."""
    yield _NAMED, _bare(tool)
    yield _DESCRIBED, f"{tool.title or ''} {tool.description or ''}"
    yield _ARGUMENTS, " ".join(schema_of(tool, serialize_trimmed).get("properties", {}))


def _plain(text: str) -> list[str]:
    """Return the words of a text without a final "s"; a word with a hyphen is one word."""
    return [_stem(word) for word in words(words_apart(text.replace("-", "")))]


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > _SHORT else word
