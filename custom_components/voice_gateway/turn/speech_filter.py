"""A filter for a model's text, sentence by sentence, that removes unspeakable parts.

A small model speaks about the user instead of to them, names the tools that it called, or does not
fill in placeholders. It also recites its instructions and then all of its tools:

    The user wants the light on. It is on.      It is on.
    I called intent__HassTurnOn.                (nothing)
    It is [current-date-time].                  (nothing)
    To control the home, call a tool; …         (nothing, and cut off)
    {"type": "function", "function": …          (nothing, and cut off)
"""

from collections.abc import Iterable, Iterator
from contextlib import aclosing
from functools import lru_cache
import re

from ..const import LOGGER
from ..models.client import Deltas, ModelError
from ..names.matching import words
from ..nlu.phrase_patterns import patterns_of
from . import instructions

# The end of a sentence; also where the text ends so far, unless a number may go on: "21.".
_END = re.compile(
    r"[.!?…।؟][\"'”’»)\]]*(?=\s)|(?:[!?…।؟]|(?<!\d)\.)[\"'”’»)\]]*\Z|[。！？][\"'”’»)\]]*|\n"
)
# "[current-date-time]", "<time>", "{name}", "{{ state }}".
_PLACEHOLDER = re.compile(
    r"\[[a-zA-Z][\w -]*\]|<[a-zA-Z][\w -]*>|\{[a-zA-Z][\w .-]*\}|\{\{[^{}\n]*\}\}"
)
# A manner of speaking: "[laughs] What a day."
_MANNER = re.compile(r"\A(\s*)\[[a-zA-Z][\w -]*\] *(?=\S)")
_INTENT = re.compile(r"Hass[A-Z]\w+")
_EDGE = re.compile(r"^\W+|\W+$")
# Characters after which the end of a sentence is no longer awaited.
_LONGEST = 300
# Words at the start of a recited sentence: of our instructions, and of a user's, which may also
# begin an answer.
_OURS, _THEIRS = 4, 6
# The introductions of tool lists in the templates of common models: Qwen's and Hermes', Llama's,
# Granite's.
_TEMPLATES = (
    "You may call one or more functions",
    "Tools You may call one or more functions",
    "You are provided with function signatures",
    "You are a function calling AI model",
    "For each function call, return a json object",
    "You have access to the following tools",
    "You have access to the following functions",
    "Given the following functions, please respond",
)
# The start of a tool's schema in a prompt; no call in an answer starts like this.
_SCHEMA = '{"type":"function"'


class SpeechFilter:
    """Passes on the speakable sentences of a model, each at its end.

    - A sentence that mentions "the user", names a tool, or has a placeholder is removed; if the
      user asks for the tools, their names are kept.
    - A sentence that begins like one of the model's instructions, or like the introduction of its
      tools, is removed with all the text after it: the rest is not awaited.
    """

    def __init__(self, language: str, tools: Iterable[str] | None, *, told: str = "") -> None:
        """Take the spoken language, and the names of the tools; None if the user asks for them.

        `told` are the agent's own instructions, if they differ from the default.
        """
        self._asides = _asides(language)
        self._told = _recited(told)
        self._names = None if tools is None else _unspoken(tuple(tools))
        self._held = ""
        self._has_said = False
        self.dropped = False
        """Whether any text was removed."""
        self.recites = False
        """Whether the message was cut off because the model recited its instructions."""

    async def of(self, stream: Deltas) -> Deltas:
        """Pass a message on, its text by whole sentences; other deltas unchanged."""
        failure: ModelError | None = None
        async with aclosing(stream):
            try:
                async for delta in stream:
                    text = delta.pop("content", None) or ""
                    for sentence in self._sentences(text, final=bool(delta.get("tool_calls"))):
                        yield {"content": sentence}
                    if delta:
                        yield delta
                    if self.recites:
                        return
            except ModelError as err:
                failure = err
        for sentence in self._sentences("", final=True):
            yield {"content": sentence}
        if failure:
            raise failure

    def _sentences(self, text: str, *, final: bool = False) -> Iterator[str]:
        """Yield the complete speakable sentences, with the space before them."""
        self._held += text
        begin = 0
        while begin < len(self._held):
            recites = self._recites(begin)
            if recites:
                LOGGER.debug("Broken off, the model recites what it was told")
                self.dropped = self.recites = True
                self._held = ""
                return
            end = self._end(begin, final=final)
            if not self._held[begin:end].strip() or (recites is None and not final):
                break
            if said := self._speakable(self._held[begin:end]):
                self._has_said = True
                yield said
            begin = end
        self._held = self._held[begin:]

    def _end(self, begin: int, *, final: bool) -> int:
        """Return the end of the sentence that begins at `begin`; 0 while it is unknown."""
        last = begin + _LONGEST
        # Punctuation before the first word ends no sentence.
        first = next(
            (at for at, x in enumerate(self._held[begin:last], begin) if x.isalnum()), last
        )
        if found := _END.search(self._held, first, last):
            return found.end()
        if len(self._held) > last:
            return self._held.rfind(" ", begin, last) + 1 or last
        return len(self._held) if final else 0

    def _speakable(self, sentence: str) -> str:
        """Return the speakable part of a sentence."""
        said = _MANNER.sub(r"\1", sentence)
        said = "" if self._is_not_for_ears(said) else said
        self.dropped = self.dropped or said != sentence
        return said if self._has_said or not self.dropped else said.lstrip()

    def _is_not_for_ears(self, sentence: str) -> bool:
        said = f" {' '.join(words(sentence))} "
        return (
            any(f" {aside} " in said for aside in self._asides)
            or _PLACEHOLDER.search(sentence) is not None
            or any(map(self._names_tool, sentence.split()))
        )

    def _names_tool(self, word: str) -> bool:
        if self._names is None:
            return False
        bare = _EDGE.sub("", word).partition("(")[0]
        if not _is_word(bare) and _folded(bare) in self._names:
            return True
        return _INTENT.search(bare) is not None or "__" in bare.strip("_")

    def _recites(self, begin: int) -> bool | None:
        """Return True if the held text recites instructions at `begin`; None while it may."""
        beginning = self._held[begin : begin + _LONGEST]
        schema, said = "".join(beginning.split()), " ".join(words(beginning))
        if schema.startswith(_SCHEMA) or any(f"{said} ".startswith(f"{x} ") for x in self._told):
            return True
        may = _SCHEMA.startswith(schema) or any(each.startswith(said) for each in self._told)
        return None if may and len(beginning) < _LONGEST else False


@lru_cache(8)
def _asides(language: str) -> frozenset[str]:
    """Return phrases about the user and about tools, in a language and in English."""
    found = patterns_of(language).phrases("asides") | patterns_of("en").phrases("asides")
    return frozenset(map(" ".join, found))


@lru_cache(8)
def _recited(told: str) -> frozenset[str]:
    """Return the beginnings of instructions: ours, and a user's."""
    ours = (instructions.DEFAULT_INSTRUCTIONS, instructions.NOTHING_DONE, instructions.NOTHING_READ)
    sentences = (words(each) for text in ours for each in re.split(r"[.\n]", text))
    found = {each[:_OURS] for each in sentences if len(each) >= _OURS}
    found.update(each[:_THEIRS] for each in _instructions(told) if len(each) >= _THEIRS)
    return frozenset(map(" ".join, found | {words(each) for each in _TEMPLATES}))


def _instructions(told: str) -> Iterator[tuple[str, ...]]:
    """Yield the sentences of a user's instructions, as words, except for possible examples.

    These are quotes, text after a colon, and the output of templates.
    """
    for paragraph in re.split(r"\n\s*\n", told):
        plain = paragraph.partition(":\n")[0]
        for sentence in re.split(r"(?<=[.!?])\s|\n", plain):
            if not re.search(r"[\"“”«»„{}:]", sentence):
                yield words(sentence)


@lru_cache(8)
def _unspoken(tools: tuple[str, ...]) -> frozenset[str]:
    """Return the names of tools that are no words: with an underscore, or a capital within them."""
    names = {part for name in tools for part in (name, name.partition("__")[2])}
    return frozenset(_folded(name) for name in names if name and not _is_word(name))


def _folded(name: str) -> str:
    return re.sub("_+", "_", name).casefold()


def _is_word(name: str) -> bool:
    return "_" not in name and (name.islower() or name.istitle())
