"""The clause model: clauses with their dialogue act, polarity and times."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from .predicates import Predicate
from .time_resolution import TimeExpression, TimeType
from .tokenizer import NOTHING, Text, joined


class DialogueAct(StrEnum):
    """The dialogue act of a sentence or a clause."""

    COMMAND = "command"
    QUESTION = "question"
    STATEMENT = "statement"
    """A report: "the door is open", "I have turned off the lamp"."""
    UNKNOWN = "unknown"
    """It may be any of the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause of an utterance, usually one command."""

    text: Text
    """Its words, as spoken."""
    command: Text
    """The same without time expressions, polite words, negation and exception."""
    act: DialogueAct = DialogueAct.UNKNOWN
    times: tuple[TimeExpression, ...] = ()
    """In the order of the utterance; several for "every day at six for ten minutes"."""
    negated: bool = False
    """The user forbids the command."""
    exclusion: Text = NOTHING
    """The entities that are excluded: "bedroom 2"."""
    keeps_state: bool = False
    """A state must not change: "leave the light on"."""
    has_recipient: bool = False
    """The content is addressed to a third person: "write to Anna that the light is off"."""
    has_content: bool = False
    """Its other words may be a content, not a command: "search for how to turn off the light"."""

    @property
    def predicate(self) -> Predicate:
        """The action and state of its command."""
        return Predicate.of(self.command)

    @property
    def is_immediate(self) -> bool:
        """Whether it applies at once and permanently."""
        return not self.times

    @property
    def is_plain(self) -> bool:
        """Whether it applies at once to all that it names: no negation, exclusion or content."""
        return self.is_immediate and not (
            self.negated
            or self.exclusion
            or self.keeps_state
            or self.has_content
            or self.has_recipient
        )

    @property
    def starts_now(self) -> bool:
        """Whether it applies at once, permanently or for a duration."""
        return all(each.type in (TimeType.FOR, TimeType.UNTIL) for each in self.times)

    def without_answer_condition(self) -> Self:
        """Return it without the condition on the answer to the question before it."""
        return replace(self, times=tuple(each for each in self.times if not each.depends_on_answer))

    def inherit_day(self, earlier: Sequence[Clause]) -> Self:
        """Return it with its times on the day of the clauses before, if only those name a day."""
        moments = (moment for each in reversed(earlier) for moment in reversed(each.times))
        day = next((each for each in moments if each.names_day), None)
        if day is None or any(each.names_day for each in self.times):
            return self
        return replace(self, times=tuple(each.on_day_of(day) for each in self.times))

    def invert_until(self) -> Self | None:
        """Return "don't, until eleven" as "do, at eleven"; None for other clauses.

        Until an event, the command may also be forbidden for good.
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
    """A parsed utterance: its dialogue act and its clauses."""

    act: DialogueAct
    clauses: tuple[Clause, ...]

    @property
    def is_immediate(self) -> bool:
        """Whether all clauses apply at once and permanently."""
        return all(clause.is_immediate for clause in self.clauses)


def join_commands(clauses: Sequence[Clause]) -> Text:
    """Return the commands of some clauses as one text, without times, conditions and exclusions."""
    return joined([each.command or each.text for each in clauses])
