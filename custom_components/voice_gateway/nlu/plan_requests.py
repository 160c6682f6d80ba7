"""What somebody wants of what is planned, and of timers and alarms."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..names.inflection import is_case_of, is_like_any
from .clause import Clause
from .parser import parse
from .phrase_patterns import PhrasePatterns
from .time_resolution import TimeExpression
from .tokenizer import NOTHING, Text

_STEM: Final = 3
"""Letters that forms of a name begin with: "pizza" and "pizzę"."""
_COMPOUND: Final = 5
"""Letters of a word for a timer that others end in: "Eiertimer"."""


class PlanAct(StrEnum):
    """What somebody wants of what is planned; of timers and alarms, a list's name in `languages/`."""

    LEFT = "left"
    """To know how long a timer still runs."""
    NEXT = "next"
    """To know when an alarm rings."""
    LIST = "list"
    SNOOZE = "snooze"
    """That what rings stops, and rings again."""
    LENGTHEN = "lengthen"
    SHORTEN = "shorten"
    PAUSE = "pause"
    RESUME = "resume"
    CHANGE = "change"
    CANCEL = "cancel"
    SET = "set"
    STOP = "stop"
    """That what rings stops."""


class ReminderForm(StrEnum):
    """How what is said at its moment is said; the values are names of lists, and of texts."""

    TO = "to"
    """To do something: "take the bread out"."""
    THAT = "that"
    """That something is so: "the oven is on"."""
    ABOUT = "about"
    """Of a thing: "the bread"."""
    PLAIN = "plain"
    """Of a thing or a deed that follows at once: "call mum"."""
    NOTICE = "notice"
    """Of what happens: there is only a moment."""
    BARE = "bare"
    """Of nothing but the time."""
    TIMER = "timer"
    """That so much time is over."""
    ALARM = "alarm"
    """That it is time: to get up."""

    @property
    def rings(self) -> bool:
        """Whether it is said again and again, until somebody stops it."""
        return self in (ReminderForm.TIMER, ReminderForm.ALARM)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What somebody wants of what is planned."""

    act: PlanAct
    is_certain: bool = True
    """It is about plans, whatever was said before."""
    all: bool = False
    """All plans are meant."""
    which: Text = NOTHING
    """The words that say which ones, or of which day."""
    command: Text = NOTHING
    """What is not to be done after all."""
    times: tuple[TimeExpression, ...] = ()
    """When it is to be, or to be instead."""
    only_reminders: bool = False
    form: ReminderForm | None = None
    """TIMER or ALARM, where it is about one."""
    seconds: float | None = None
    """How long a timer is to run, or by how much more or less."""
    label: Text = NOTHING
    """What a new timer or alarm is called: "pizza timer"; empty for one without a name."""

    @property
    def is_of_alarms(self) -> bool:
        """Whether it is about what rings: timers and alarms."""
        return self.form is not None

    def names(self, label: Text) -> bool:
        """Return True if it names what is called so, or names none."""
        words, known = label_words(self.which), label_words(label)
        return all(is_named(each, known, label.code) for each in words)


def parse_only_times(text: Text) -> tuple[TimeExpression, ...] | None:
    """Return the moments that words say: "for tomorrow", "at nine"; none for today, or now.

    None where they say anything else.
    """
    match parse(text, ()).clauses:
        case [Clause(command=command, negated=False, exclusion="", times=moments)]:
            says_more = not text.language.function_words.issuperset(command.casefold().split())
            return None if says_more or any(each.is_unread for each in moments) else moments
    return None


def label_words(label: Text) -> frozenset[str]:
    """Return the words, without accents, by which a timer or an alarm is told from others."""
    known = label.patterns
    heads = timer_heads(known)
    nouns = known.words_of("alarms.timer", "alarms.alarm", "alarms.named", "alarms.a")
    bare = (
        word.removesuffix(next((h for h in heads if word.endswith(h)), "")) for word in label.words
    )
    return frozenset(bare) - nouns - label.function_words - {""}


def is_named(word: str, known: Collection[str], code: str) -> bool:
    """Return True if a word is a form of one of a label's words; `code` is their language's."""
    return is_like_any(word, known, _STEM) or any(is_case_of(word, each, code) for each in known)


def timer_heads(known: PhrasePatterns) -> tuple[str, ...]:
    """Return the words for a timer that others may end in, without accents, the longest first."""
    words = known.words_of("alarms.timer")
    return tuple(sorted((word for word in words if len(word) >= _COMPOUND), key=len, reverse=True))
