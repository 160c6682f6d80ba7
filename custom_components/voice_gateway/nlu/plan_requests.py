"""Requests about plans, timers and alarms."""

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
"""Letters that forms of a name share: "pizza" and "pizzę"."""
_COMPOUND: Final = 5
"""The fewest letters of a word for a timer that may end a compound: "Eiertimer"."""


PICKS: Final = {
    "pick_all": slice(None),
    "pick_first": slice(1),
    "pick_second": slice(1, 2),
    "pick_last": slice(-1, None),
}
"""The parts of a list of plans in the order of their times, by the lists of the words for them."""


class PlanAct(StrEnum):
    """A request about plans, timers or alarms; the values name lists in `languages/`."""

    LEFT = "left"
    """Ask how long a timer still runs."""
    NEXT = "next"
    """Ask when an alarm rings."""
    LIST = "list"
    SNOOZE = "snooze"
    """Stop the ringing, and ring again later."""
    LENGTHEN = "lengthen"
    SHORTEN = "shorten"
    PAUSE = "pause"
    RESTART = "restart"
    """Let a timer run from its beginning."""
    RESUME = "resume"
    RENAME = "rename"
    CHANGE = "change"
    CANCEL = "cancel"
    SET = "set"
    STOP = "stop"
    """Stop the ringing."""


class ReminderForm(StrEnum):
    """The form of a reminder's content; the values are names of lists, and of texts."""

    TO = "to"
    """An infinitive: "take the bread out"."""
    THAT = "that"
    """A clause: "the oven is on"."""
    ABOUT = "about"
    """A noun behind a preposition: "the bread"."""
    PLAIN = "plain"
    """A noun or an action without a preposition: "call mum"."""
    NOTICE = "notice"
    """The event itself: the reminder has no other content."""
    BARE = "bare"
    """No content: the reminder only has a time."""
    TIMER = "timer"
    """The end of a timer."""
    ALARM = "alarm"
    """An alarm: it is time to get up."""

    @property
    def rings(self) -> bool:
        """Whether it repeats until the user stops it."""
        return self in (ReminderForm.TIMER, ReminderForm.ALARM)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """A request about plans, timers or alarms."""

    act: PlanAct
    is_certain: bool = True
    """It is about plans in every context."""
    all: bool = False
    """It applies to all plans."""
    which: Text = NOTHING
    """The words for which ones, or for their day."""
    part: slice | None = None
    """Which of those, in the order of their times: "the first one"."""
    command: Text = NOTHING
    """The command to cancel."""
    times: tuple[TimeExpression, ...] = ()
    """The time of the plan, or its new time."""
    only_reminders: bool = False
    form: ReminderForm | None = None
    """TIMER or ALARM, if it is about one."""
    seconds: float | None = None
    """The duration of a timer, or its change, in seconds."""
    label: Text = NOTHING
    """The label of a new timer or alarm: "pizza timer"; empty for one without a name."""

    @property
    def is_of_alarms(self) -> bool:
        """Whether it is about timers or alarms."""
        return self.form is not None

    def names(self, label: Text) -> bool:
        """Return True if it names the plan with this label, or names none."""
        words, known = label_words(self.which), label_words(label)
        return all(is_named(each, known, label.code) for each in words)


def parse_only_times(text: Text) -> tuple[TimeExpression, ...] | None:
    """Return the times that words consist of: "for tomorrow", "at nine"; empty for today or now.

    None if they have other words.
    """
    match parse(text, ()).clauses:
        case [Clause(command=command, negated=False, exclusion="", times=moments)]:
            says_more = not text.language.function_words.issuperset(command.casefold().split())
            return None if says_more or any(each.is_unread for each in moments) else moments
    return None


def label_words(label: Text) -> frozenset[str]:
    """Return the distinctive words of a timer's or an alarm's label, without accents."""
    known = label.patterns
    heads = timer_heads(known)
    nouns = known.words_of("alarms.timer", "alarms.alarm", "alarms.named", "alarms.a")
    bare = (
        word.removesuffix(next((h for h in heads if word.endswith(h)), "")) for word in label.words
    )
    return frozenset(bare) - nouns - label.function_words - {""}


def is_named(word: str, known: Collection[str], code: str) -> bool:
    """Return True if a word is a form of one of a label's words; `code`: their language."""
    return is_like_any(word, known, _STEM) or any(is_case_of(word, each, code) for each in known)


def timer_heads(known: PhrasePatterns) -> tuple[str, ...]:
    """Return the words for a timer that may end compounds, without accents, the longest first."""
    words = known.words_of("alarms.timer")
    return tuple(sorted((word for word in words if len(word) >= _COMPOUND), key=len, reverse=True))
