"""Sentences that are all of one kind: follow-ups to an action, and questions about capabilities."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from .numerals import Quantity
from .parser import LONGEST
from .replies import NO
from .tokenizer import NOTHING, Text, TokenSequence
from .tokens import PhrasePattern

_POLITE: Final = 3
"""Words of a polite phrase at the end."""


class FullSentenceMatcher:
    """A sentence of a language that has words for what is asked of us, else none."""

    def __init__(self, text: Text) -> None:
        """Take a sentence; nothing is found in one that is too long."""
        self._code = text.code
        self._known = text.patterns
        is_read = bool(text.language.plans) and len(text) <= LONGEST
        self._line = TokenSequence.of(text if is_read else text.alike(""), self._known.numbers)
        self._end = self._without_marks(len(self._line.tokens))

    def _whole(self, patterns: Iterable[PhrasePattern]) -> Text | None:
        """Return the words that a pattern leaves open which is all of the sentence; None where none is."""
        listed = [*patterns]
        for first in self._beginnings:
            for pattern in listed:
                for end in {self._end: None, self._polite_end: None}:
                    if (rest := self._line.is_whole(pattern, first, end)) is not None:
                        return self._said(*rest)
        return None

    @cached_property
    def _beginnings(self) -> Sequence[int]:
        """Where what is wanted may begin: at the beginning, and after each polite word."""
        return self._line.beginnings

    @cached_property
    def _polite_end(self) -> int:
        """Where the sentence ends without a polite word at its end."""
        for first in range(max(1, self._end - _POLITE), self._end):
            for pattern in self._known.forms.get("polite", ()):
                if self._line.end_of(pattern, first) == self._end:
                    return self._without_marks(first)
        return self._end

    @property
    def without_polite_end(self) -> Text:
        """Its words without a polite one at its end."""
        return self._said(0, self._polite_end)

    def _said(self, first: int, end: int) -> Text:
        return self._line.surface(range(first, end))

    def _without_marks(self, end: int) -> int:
        while end and self._line.tokens[end - 1].is_mark:
            end -= 1
        return end


_LONGEST: Final = 120
"""Characters: longer ones follow up on nothing, and would be looked at for long."""


class FollowUpAct(StrEnum):
    """What somebody wants of what was done last; the values are the lists' names in `languages/`.

    Where a sentence may be two of them, it is the first.
    """

    UNDO = "undo"
    SAY_AGAIN = "say_again"
    TOLD = "told"
    """What was done."""
    NOTHING = "nothing"
    THANKS = "thanks"
    STOP = "stop"
    OTHERS = "others"
    """The same with all others of the kind that are there."""
    OTHER = "other"
    """The same with the only other one of its kind there."""
    STEP = "step"
    """More or less of what was set."""
    ALSO = "also"
    """The same somewhere else, too."""
    INSTEAD = "instead"
    """The same somewhere else, and not where it was done."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What a sentence wants of what was done last."""

    act: FollowUpAct
    which: Text = NOTHING
    """The words that say with what, or where."""
    is_instead: bool = False
    """What was done is not wanted: "no, the other one"."""
    quantity: Quantity | None = None
    """Of STEP, what is to be more or less."""


class FollowUpParser(FullSentenceMatcher):
    """A sentence that may follow up on what was done last."""

    def parse(self) -> FollowUp | None:
        """Return what it wants of what was done last; None where not all of it says such."""
        if len(self._line.source) > _LONGEST:
            return None
        for follow in FollowUpAct:
            if follow is FollowUpAct.STEP and (quantity := self._quantity):
                return FollowUp(follow, quantity=quantity)
            which = self._whole(self._known.follow_ups.get(follow, ()))
            if which is not None:
                is_instead = follow is FollowUpAct.INSTEAD or bool(
                    self._line.source.phrase_end(0, NO)
                )
                # "The lamp please"
                which = FullSentenceMatcher(which).without_polite_end or which
                return FollowUp(follow, which, is_instead)
        return None

    @property
    def _quantity(self) -> Quantity | None:
        """What it says is to be more or less, and nothing else."""
        for first in self._beginnings:
            found = Quantity.of(self._said(first, self._polite_end))
            if found and found.way:
                return found
        return None


class CapabilityQuestion(FullSentenceMatcher):
    """A sentence that may ask what we can do."""

    @property
    def asks(self) -> bool:
        """Whether it asks what we can do, or which tools we have, and nothing else."""
        return self._whole(self._known.abilities.get("asked", ())) is not None

    @property
    def is_about_tools(self) -> bool:
        """Whether it has a word for tools: their names may be spoken in an answer to it."""
        return any(pattern.search(self._line.text) for pattern in self._known.tool_words)
