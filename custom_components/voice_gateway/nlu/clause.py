"""The clause model: clauses with their dialogue act, polarity and times, as `parser.parse` returns them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from .predicates import Predicate
from .time_resolution import TimeExpression, TimeType
from .tokenizer import NOTHING, Text, joined


class DialogueAct(StrEnum):
    """What a sentence or a clause is."""

    COMMAND = "command"
    QUESTION = "question"
    STATEMENT = "statement"
    """Something is reported: "the door is open", "I have turned off the lamp"."""
    UNKNOWN = "unknown"
    """Nothing is certain: it may be any of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One command of a sentence, or what stands in its place."""

    text: Text
    """Its words, as spoken."""
    command: Text
    """The same without moment, polite words, negation and exception."""
    act: DialogueAct = DialogueAct.UNKNOWN
    times: tuple[TimeExpression, ...] = ()
    """In the order in which they were said; several for "every day at six for ten minutes"."""
    negated: bool = False
    """The opposite is said: this is not to be done."""
    exclusion: Text = NOTHING
    """What is not to be touched: "bedroom 2"."""
    keeps_state: bool = False
    """Something is to stay as it is: "leave the light on"."""
    has_recipient: bool = False
    """Somebody else is to be told it: "write to Anna that the light is off"."""
    has_content: bool = False
    """Its other words may be a text, and nothing to do: "search for how to turn off the light"."""

    @property
    def predicate(self) -> Predicate:
        """What is to become of something."""
        return Predicate.of(self.command)

    @property
    def is_immediate(self) -> bool:
        """Whether it is plainly to be done at once, and for good."""
        return not self.times

    @property
    def is_plain(self) -> bool:
        """Whether it is to be done at once, and to all that it names: nothing of it is denied or a text."""
        return self.is_immediate and not (
            self.negated
            or self.exclusion
            or self.keeps_state
            or self.has_content
            or self.has_recipient
        )

    @property
    def starts_now(self) -> bool:
        """Whether it is to be done at once, be it for a while only."""
        return all(each.type in (TimeType.FOR, TimeType.UNTIL) for each in self.times)

    def without_answer_condition(self) -> Self:
        """Return it without the condition that what was asked before it is so."""
        return replace(self, times=tuple(each for each in self.times if not each.depends_on_answer))

    def inherit_day(self, earlier: Sequence[Clause]) -> Self:
        """Return it with its times on the day of the clauses before, if they say one and it says none."""
        moments = (moment for each in reversed(earlier) for moment in reversed(each.times))
        day = next((each for each in moments if each.names_day), None)
        if day is None or any(each.names_day for each in self.times):
            return self
        return replace(self, times=tuple(each.on_day_of(day) for each in self.times))

    def invert_until(self) -> Self | None:
        """Return what "don't, until eleven" says as "do, at eleven"; None where it says nothing so.

        Of an event it may as well be meant to stay undone.
        """
        match self.times:
            case [TimeExpression(type=TimeType.UNTIL, condition="") as end] if (
                self.negated and not self.keeps_state
            ):
                at = replace(end, type=TimeType.AT)
                return replace(self, times=(at,), negated=False)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedText:
    """A sentence, clause by clause."""

    act: DialogueAct
    clauses: tuple[Clause, ...]

    @property
    def is_immediate(self) -> bool:
        """Whether all of it is plainly to be done at once, and for good."""
        return all(clause.is_immediate for clause in self.clauses)


def join_commands(clauses: Sequence[Clause]) -> Text:
    """Return the words of some clauses without when, whether and except what."""
    return joined([each.command or each.text for each in clauses])
