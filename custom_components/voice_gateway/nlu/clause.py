"""The clause model: clauses with their dialogue act, polarity and times, as `parser.parse` returns them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import time
from enum import StrEnum
from typing import Self

from .predicates import Predicate
from .tokenizer import NOTHING, Text, joined


class TimeType(StrEnum):
    """When a command is to be carried out; the values are the lists' names in `languages/`."""

    IN = "in"
    """After a duration: "in ten minutes"."""
    AT = "at"
    """At a time of day, on a day, or both: "tomorrow at seven", "on Monday", "at sunset"."""
    FOR = "for"
    """At once, and undone after a duration: "for ten minutes"."""
    UNTIL = "until"
    """At once, and undone at a time or an event: "until ten", "until the film is over"."""
    EVERY = "every"
    """Again and again, at times, on days, or each so much time: "on weekdays at six"."""
    WHEN = "when"
    """When something happens, the next time: "as soon as I get home"."""
    WHENEVER = "whenever"
    """Each time that something happens: "whenever somebody rings"."""
    IF = "if"
    """Where something is so: "if the window is open"."""
    UNLESS = "unless"
    """Where something is not so: "unless the window is open"."""
    BEFORE = "before"
    """Before a time or an event: "before I go to bed", "by eight"."""
    UNCLEAR = "unclear"
    """Not plainly now, and nobody knows when: "later", "while I cook"."""


class DialogueAct(StrEnum):
    """What a sentence or a clause is."""

    COMMAND = "command"
    QUESTION = "question"
    STATEMENT = "statement"
    """Something is reported: "the door is open", "I have turned off the lamp"."""
    UNKNOWN = "unknown"
    """Nothing is certain: it may be any of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeExpression:
    """When, for how long, or on what condition. What is not certain is None or empty."""

    type: TimeType
    text: Text = NOTHING
    """The words, as spoken."""
    seconds: float | None = None
    """The delay of IN, the duration of FOR, the interval of EVERY; before the sun's time negative.

    Of EVERY also each how many days or weeks: 1209600 for "every other Monday"."""
    time: time | None = None
    """A time of day as said: 8 may be in the evening where `meridiem` is empty."""
    meridiem: str = ""
    """"am" or "pm" where it, or a part of the day, was said."""
    day_offset: int | None = None
    """Days from today: 1 for "tomorrow"."""
    daytime: str = ""
    """The part of the day: a key of `values.daytimes`, as `en.toml` explains them."""
    weekdays: tuple[int, ...] = ()
    """Days of the week, Monday is 0."""
    week: str = ""
    """"next" for a day of the next week, "coming" for the first such day after today, "either" for
    "next Friday", which may be both."""
    month_day: int | None = None
    """The day of a month: 24 for "on the 24th"."""
    month: int | None = None
    """The month of that, January is 1."""
    sun: str = ""
    """"sunrise", "sunset", "dawn" or "dusk"."""
    condition: Text = NOTHING
    """The words of the condition or the event: "the garage door is open"."""
    is_met: bool | None = None
    """Whether it is so, as far as what is exposed shows it for certain: of IF and UNLESS."""
    depends_on_answer: bool = False
    """The condition is what the sentence asks before it: "see whether it rains, and if so, ..."."""
    is_unread: bool = False
    """A part of its words is not understood, or belongs to nothing else in it."""
    follows: bool = False
    """It is counted from the moment of the clause before: "ten minutes later"."""
    is_shared: bool = False
    """It stands with another clause of the sentence, and may be meant for this one, too."""

    @property
    def part_of_day(self) -> str:
        """The part of the day, or which half of it, as far as one was said."""
        return self.daytime or self.meridiem

    def as_shared(self) -> Self:
        """Return it as it is for the other clauses of its sentence."""
        return replace(self, is_shared=True)


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
    def start_time(self) -> TimeExpression | None:
        """The moment that decides when it begins, if it is not at once."""
        begins = [each for each in self.times if each.type not in (TimeType.FOR, TimeType.UNTIL)]
        return next(iter((*begins, *self.times)), None)

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
