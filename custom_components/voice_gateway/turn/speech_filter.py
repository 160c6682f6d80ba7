"""What a model says, sentence by sentence: without what is not for the ears of who listens.

A small model speaks of the user instead of to them, names the tools that it called, or leaves open
what it was to fill in. And it recites what it was told, and then all of its tools:

    The user wants the light on. It is on.      It is on.
    I called intent__HassTurnOn.                (nothing)
    It is [current-date-time].                  (nothing, and cut short)
    To control the home, call a tool; …         (nothing, and broken off)
    {"type": "function", "function": …          (nothing, and broken off)
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import lru_cache
from itertools import chain
import re

from ..const import LOGGER
from ..models.client import Deltas
from ..names.matching import words
from ..nlu.phrase_patterns import patterns_of
from . import instructions

type _Phrases = Mapping[str, Sequence[tuple[str, ...]]]
"""By their first words."""

_PART = re.compile(r"\s+|[^\s\[{<]+|[\[{<]")
_ENDS = re.compile(r"[.!?…。！？।؟][\"'”’»)\]]*$")
_NEXT = re.compile(r"[.!?…。！？।؟][\"'”’»)\]]*(?=\s)|\n")
# "[current-date-time]", "<time>", "{name}", "{{ state }}".
_PLACEHOLDER = re.compile(
    r"\[[a-zA-Z][\w -]*\]|<[a-zA-Z][\w -]*>|\{[a-zA-Z][\w .-]*\}|\{\{[^{}\n]*\}\}"
)
_PLACEHOLDER_BEGUN = re.compile(r"[\[<{]([a-zA-Z][\w .-]{0,60})?|\{\{[^{}\n]{0,60}\}?")
_INTENT = re.compile(r"Hass[A-Z]\w+")
_INTENT_BEGUN = re.compile(r"Hass(?:[A-Z]\w{0,60})?|H(?:a(?:s)?)?")
# Characters of a sentence that is not waited for any longer, nor looked back at.
_LONGEST = 300
# What is held back is read again when it has grown by this part: see `models/text/speech.py`.
_GROWTH = 1 / 8
_EDGE = re.compile(r"^\W+|\W+$")
# Characters of a tool's name that are looked back at.
_TOOL = 64
_WORD_BEGUN = re.compile(r"\w+$")
# Words with which a sentence begins that is plainly one of ours, and one that a user gave the model:
# that may be one of an answer's, too.
_OURS, _THEIRS = 4, 6
# How the templates of common models begin to tell of tools, before they are listed: Qwen's and
# Hermes', Llama's, Granite's.
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
# What a tool is told to a model with, and no call that is left in an answer.
_SCHEMA = '{"type":"function"'


class SpeechFilter:
    """Lets through what somebody may hear.

    - A sentence that speaks of "the user", wherever in it, names a tool, or has a placeholder, is left
      out; who asks for the tools hears their names.
    - Words of the first sentence that are plainly none of these are let through at once, unless it
      is to be `whole`, as the others are. Where it turns out to be one then, the message ends.
    - A sentence that begins as one of the model's instructions does, or as what it is told of tools,
      is left out with all after it: the rest is not waited for.
    """

    def __init__(
        self, language: str, tools: Iterable[str] | None, *, whole: bool, told: str = ""
    ) -> None:
        """Take the language that is spoken, and the names of the tools; None: they are asked for.

        `told` are the agent's own instructions, if it has others than ours.
        """
        self._asides = _asides(language)
        self._told = _recited(told)
        self._names = _unspoken(tuple(tools or ()))
        self._may_be_named = tools is None
        self._whole = whole
        self._held = ""
        self._due = 0
        """The length of what is held with which it is read again."""
        self._sentence = ""
        """What is known to be let through of the sentence."""
        self._heard = 0
        """How much of that was heard."""
        self._leaves_out = False
        self.dropped = False
        """Whether something was left out."""
        self.is_cut = False
        """Whether something of its sentence was heard before."""
        self.recites = False
        """Whether it was broken off as the model said what it was told."""

    async def of(self, stream: Deltas) -> Deltas:
        """Pass a message on; all but its text as it came."""
        async with aclosing(stream):
            async for delta in stream:
                text = delta.pop("content", None)
                if text and (utterance := self._hear(text)):
                    yield {"content": utterance}
                if delta:
                    yield delta
                if self.recites:
                    return
        if utterance := self._hear("", final=True):
            yield {"content": utterance}

    def _hear(self, text: str, *, final: bool = False) -> str:
        self._held += text
        if len(self._held) < self._due and not final:
            return ""
        utterance = ""
        while self._held and not self.is_cut:
            if self._leaves_out:
                if not self._skip():
                    break
                continue
            length = self._clear(final=final)
            if length is None:
                continue
            if not length:
                break
            part, self._held = self._held[:length], self._held[length:]
            self._sentence += part
            ends = bool(_ENDS.search(part)) or "\n" in part
            if ends or not self._whole or len(self._sentence) > _LONGEST:
                utterance += self._let_through(ends=ends)
        self._due = len(self._held) + int(len(self._held) * _GROWTH)
        return utterance + (self._let_through() if final else "")

    def _let_through(self, *, ends: bool = False) -> str:
        if not self._heard and self._speaks_of_others():
            self._sentence, self.dropped = "", True
            return ""
        utterance = self._sentence[self._heard :]
        self._heard = len(self._sentence)
        if ends:
            self._sentence, self._heard = "", 0
            self._whole = True
        elif self._heard > 2 * _LONGEST:
            self._sentence, self._heard = self._sentence[-_LONGEST:], _LONGEST
        return utterance

    def _speaks_of_others(self) -> bool:
        """Return True if a sentence speaks of the user or of tools, wherever in it."""
        said = words(self._sentence)
        return any(
            said[begin : begin + len(aside)] == aside
            for begin, word in enumerate(said)
            for aside in self._asides.get(word, ())
        )

    def _skip(self) -> bool:
        """Leave out the rest of a sentence; tell whether its end is there."""
        end = _NEXT.search(self._held)
        if end is None:
            self._held = self._held[-2:]
            return False
        self._held = self._held[end.end() :].lstrip(" ")
        self._leaves_out = False
        return True

    def _clear(self, *, final: bool) -> int | None:
        """Return how much of what is held may be heard now; None where it is to be left out."""
        begins = not self._sentence.strip()
        part = _PART.match(self._held)
        assert part
        if part[0].isspace():
            return part.end()
        if begins and (recites := self._begins_as(self._told, final=final)) is not False:
            return 0 if recites is None else self._break_off()
        if begins and (aside := self._begins_as(self._asides, final=final)) is not False:
            return 0 if aside is None else self._begin_to_leave_out()
        if part[0] in "[{<":
            return self._bracket(begins=begins, final=final)
        # Of a word that came in pieces, the first ones may be there already.
        begun = _WORD_BEGUN.search(self._sentence[-_TOOL:])
        word = _EDGE.sub("", f"{begun[0] if begun else ''}{part[0]}")
        if part.end() == len(self._held) and not final and self._may_name(word):
            return 0
        return self._begin_to_leave_out() if self._names_tool(word) else part.end()

    def _begin_to_leave_out(self) -> int | None:
        self.dropped = self._leaves_out = True
        self.is_cut = bool(self._sentence[: self._heard].strip())
        # The space before it is that of the sentence after it.
        space = len(self._sentence) - len(self._sentence.lstrip())
        self._sentence = self._sentence[self._heard : space]
        self._heard = 0
        return None

    def _break_off(self) -> int | None:
        LOGGER.debug("Broken off, the model recites what it was told")
        self.dropped = self.recites = True
        self._held = self._sentence = ""
        return None

    def _begins_as(self, by_first: _Phrases, *, final: bool) -> bool | None:
        """Return True if a sentence begins with one of some phrases; None while it may."""
        beginning = self._held[:_LONGEST]
        final = final or len(self._held) > _LONGEST
        said = words(beginning)
        whole = len(said) if final or not beginning[-1].isalnum() else len(said) - 1
        may_begin = by_first.get(said[0], ()) if whole else [*chain(*by_first.values())]
        if any(len(each) <= whole and said[: len(each)] == each for each in may_begin):
            return True
        may_be = not final and any(_begins(each, said, whole) for each in may_begin)
        return None if may_be else False

    def _bracket(self, *, begins: bool, final: bool) -> int | None:
        """Leave out a placeholder; what stands so before a sentence tells how it is to be said."""
        beginning = "".join(self._held[:_LONGEST].split())
        if beginning.startswith(_SCHEMA):
            return self._break_off()
        if _SCHEMA.startswith(beginning) and not final:
            return 0
        if found := _PLACEHOLDER.match(self._held):
            if begins and found[0][0] == "[":
                self._held = self._held[found.end() :].lstrip(" ")
                self.dropped = True
                return 0 if not self._held else self._clear(final=final)
            return self._begin_to_leave_out()
        begun = _PLACEHOLDER_BEGUN.fullmatch(self._held)
        return 0 if begun and not final else 1

    def _may_name(self, word: str) -> bool:
        """Return True if a word of which more may come may become a tool's name."""
        return bool(word and not self._may_be_named) and (
            "_" in word
            or _INTENT_BEGUN.fullmatch(word) is not None
            or any(name.startswith(_folded(word)) for name in self._names)
        )

    def _names_tool(self, word: str) -> bool:
        if self._may_be_named:
            return False
        bare = word.partition("(")[0]
        if not _is_word(bare) and _folded(bare) in self._names:
            return True
        return _INTENT.search(bare) is not None or "__" in bare.strip("_")


@lru_cache(8)
def _asides(language: str) -> _Phrases:
    """Return how people speak of the user and of tools, in a language and in English, by first words."""
    return _by_first(patterns_of(language).phrases("asides") | patterns_of("en").phrases("asides"))


@lru_cache(8)
def _recited(told: str) -> _Phrases:
    """Return how the sentences begin that models are told, by first words: by us, and by a user."""
    ours = (instructions.DEFAULT_INSTRUCTIONS, instructions.NOTHING_DONE, instructions.NOTHING_READ)
    sentences = (words(each) for text in ours for each in re.split(r"[.\n]", text))
    found = {each[:_OURS] for each in sentences if len(each) >= _OURS}
    found.update(each[:_THEIRS] for each in _instructions(told) if len(each) >= _THEIRS)
    return _by_first(found | {words(each) for each in _TEMPLATES})


def _instructions(told: str) -> Iterator[tuple[str, ...]]:
    """Yield the sentences of a user's instructions, as words, but those that may be examples.

    That is what is quoted, what a colon announces, and what a template makes.
    """
    for paragraph in re.split(r"\n\s*\n", told):
        plain = paragraph.partition(":\n")[0]
        for sentence in re.split(r"(?<=[.!?])\s|\n", plain):
            if not re.search(r"[\"“”«»„{}:]", sentence):
                yield words(sentence)


def _by_first(all_phrases: Iterable[tuple[str, ...]]) -> _Phrases:
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for each in all_phrases:
        by_first.setdefault(each[0], []).append(each)
    return by_first


@lru_cache(8)
def _unspoken(tools: tuple[str, ...]) -> frozenset[str]:
    """Return the tools' names that are no words: with an underscore, or a capital within them."""
    names = {part for name in tools for part in (name, name.partition("__")[2])}
    return frozenset(_folded(name) for name in names if name and not _is_word(name))


def _folded(name: str) -> str:
    return re.sub("_+", "_", name).casefold()


def _is_word(name: str) -> bool:
    return "_" not in name and (name.islower() or name.istitle())


def _begins(aside: tuple[str, ...], said: tuple[str, ...], whole: int) -> bool:
    """Return True if some words, the last of them maybe unfinished, may become a phrase."""
    if len(said) > len(aside):
        return False
    if said[:whole] != aside[:whole]:
        return False
    return len(said) == whole or aside[whole].startswith(said[whole])
