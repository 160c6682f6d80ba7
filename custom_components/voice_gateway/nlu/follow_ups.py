"""Sentences of a single act: follow-ups to an action, and questions about capabilities."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Final

from .clause import DialogueAct
from .numerals import Quantity
from .parser import LONGEST, parse
from .replies import NO
from .tokenizer import NOTHING, Text, TokenSequence
from .tokens import PhrasePattern

_POLITE: Final = 3
"""The most words of a polite phrase at the end."""
_REMARK: Final = 6
"""The most words of a remark beside a request."""


class FullSentenceMatcher:
    """Matches patterns with a whole sentence; without phrases of its language, none matches."""

    def __init__(self, text: Text) -> None:
        """Take a sentence; nothing is found in one that is too long."""
        self._code = text.code
        self._known = text.patterns
        is_read = bool(text.language.plans) and len(text) <= LONGEST
        self._line = TokenSequence.of(text if is_read else text.alike(""), self._known.numbers)
        self._end = self._without_marks(len(self._line.tokens))

    def _whole(self, patterns: Iterable[PhrasePattern]) -> Text | None:
        """Return the open words of a pattern that matches the whole sentence; None if none does."""
        listed = [*patterns]
        for first in self._beginnings:
            for pattern in listed:
                for end in {self._end: None, self._polite_end: None}:
                    if (rest := self._line.is_whole(pattern, first, end)) is not None:
                        return self._said(*rest)
        return None

    @cached_property
    def _beginnings(self) -> Sequence[int]:
        """The tokens at which a request may begin: the first, and those after polite phrases."""
        return self._line.beginnings

    @property
    def _with_joints(self) -> Sequence[int]:
        """The same, and the tokens after a conjunction: "and remember …"."""
        joints, tokens = self._line.source.language.conjunctions, self._line.tokens
        joints = joints | self._known.words_of("hence")
        found = self._line.beginnings
        more = (at + 1 for at in found if at + 1 < self._end and tokens[at].text in joints)
        return [*found, *more]

    @cached_property
    def _polite_end(self) -> int:
        """The end of the sentence without a polite phrase."""
        for first in range(max(1, self._end - _POLITE), self._end):
            for pattern in self._known.forms.get("polite", ()):
                if self._line.end_of(pattern, first) == self._end:
                    return self._without_marks(first)
        return self._end

    @property
    def without_polite_end(self) -> Text:
        """The sentence without a polite phrase at its end."""
        return self._said(0, self._polite_end)

    @property
    def cores(self) -> Iterator[Text]:
        """The sentence, and what is left of it without polite words around it and a conjunction."""
        for first in self._with_joints:
            for end in {self._end: None, self._polite_end: None}:
                yield self._said(first, end)

    @property
    def beside_remarks(self) -> Iterator[Text]:
        """The parts of the sentence between commas or full stops, if all others are remarks."""
        marks = [at for at in range(self._end) if self._line.tokens[at].is_mark]
        spans = [*pairwise((-1, *marks, self._end))] if marks else []
        parts = [self._said(first + 1, end) for first, end in spans if end > first + 1]
        for part in parts:
            if all(map(_is_remark, (each for each in parts if each is not part))):
                yield part

    def _said(self, first: int, end: int) -> Text:
        return self._line.surface(range(first, end))

    def _without_marks(self, end: int) -> int:
        while end and self._line.tokens[end - 1].is_mark:
            end -= 1
        return end


def _is_remark(text: Text) -> bool:
    """Return True if some words are a short remark: "it's done", "I'm up", "no"."""
    parsed = parse(text, ())
    is_plain = all(not (each.times or each.exclusion) for each in parsed.clauses)
    return is_plain and len(text.words) <= _REMARK and parsed.act is not DialogueAct.QUESTION


_LONGEST: Final = 120
"""The most characters of a follow-up; to search longer ones would take long."""


class FollowUpAct(StrEnum):
    """A follow-up to the last action; the values are the lists' names in `languages/`.

    Of an ambiguous sentence, it is the first.
    """

    UNDO = "undo"
    SAY_AGAIN = "say_again"
    TOLD = "told"
    """A question about the last action."""
    NOTHING = "nothing"
    THANKS = "thanks"
    STOP = "stop"
    OTHERS = "others"
    """Repeat it for all other devices of the category there."""
    OTHER = "other"
    """Repeat it for the only other device of the category there."""
    STEP = "step"
    """More or less of the quantity that was set."""
    ALSO = "also"
    """Repeat it elsewhere, too."""
    INSTEAD = "instead"
    """Do it elsewhere instead."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A follow-up to the last action."""

    act: FollowUpAct
    which: Text = NOTHING
    """The words for the devices or the place."""
    is_instead: bool = False
    """The last action is reverted: "no, the other one"."""
    quantity: Quantity | None = None
    """For STEP, the quantity to raise or lower."""


class FollowUpParser(FullSentenceMatcher):
    """Parses a sentence that may follow up on the last action."""

    def parse(self) -> FollowUp | None:
        """Return the follow-up; None if other words are in the sentence."""
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
        """The quantity to raise or lower, if the sentence has no other words."""
        for first in self._beginnings:
            found = Quantity.of(self._said(first, self._polite_end))
            if found and found.way:
                return found
        return None


class CapabilityQuestion(FullSentenceMatcher):
    """A sentence that may ask about the agent's capabilities."""

    @property
    def asks(self) -> bool:
        """Whether it asks for capabilities or tools, and nothing else."""
        return self._whole(self._known.abilities.get("asked", ())) is not None

    @property
    def is_about_tools(self) -> bool:
        """Whether it has a word for tools: an answer may then speak their names."""
        return any(pattern.search(self._line.text) for pattern in self._known.tool_words)
