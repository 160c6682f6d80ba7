"""What a question asks of what is past, by its words alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
import datetime as dt
from enum import StrEnum
from typing import Final

from ...nlu.tokenizer import Text
from ..intervals import Interval
from ..question import RECKONED, SINGLE
from ..token_consumer import TokenConsumer
from .interval import past_span

METERED: Final[Mapping[str, Sequence[str]]] = {
    "energy": ("energy", "electricity"),
    "water": ("water",),
    "gas": ("gas",),
}
"""The words for what is used, by the class of the sensors that count it."""
_ABOUT_NOTHING: Final = ("did", "has")
_LIMITS: Final = {"at_most": "highest", "at_least": "lowest"}
"""How a number is compared, and what is asked for where there is none: "höchstens"."""


class HistoryQuestionType(StrEnum):
    """How something is asked; some values are the lists' names in `languages/`."""

    LAST = "when"
    """When it was so the last time."""
    FIRST = "first"
    """When it was so the first time."""
    COUNT = "how_often"
    LONG = "how_long"
    USED = "used"
    """How much of something was used."""
    OTHER = ""
    """Whether it was so, or what was measured."""


_FORMS: Final = {
    "since_when": HistoryQuestionType.LAST,
    "how_often": HistoryQuestionType.COUNT,
    "how_long": HistoryQuestionType.LONG,
    "when": HistoryQuestionType.LAST,
}


@dataclass(frozen=True, slots=True)
class HistoryQuestion:
    """A question about what is past."""

    form: HistoryQuestionType
    words: Text
    """The words that say of what, and what of it, as they were spoken."""
    span: Interval | None
    """The time of which it is asked; None where none is said."""
    reckoned: str = ""
    """One of `RECKONED`, where that is asked for."""
    other: Interval | None = None
    """A time with which that one is compared."""
    is_more: bool = True
    """Whether it is asked if it was more than in that; else if it was less."""


def past_question(text: Text, now: dt.datetime) -> HistoryQuestion | None:
    """Return what is asked of what is past; None where a question is not certainly about that.

    Args:
        text: a sentence that is known to ask something.
        now: when it was asked, by the home's clock.
    """
    # "Did I forget to lock the door?" It may be locked by now.
    if not text.patterns.past or TokenConsumer(text).tokens("forgotten"):
        return None
    if compared := _compared(text, now):
        first, other, is_more = compared
        asked = _asked(first, now)
        if asked is None or asked.form is not HistoryQuestionType.USED:
            return None
        return replace(asked, other=other, is_more=is_more)
    return _asked(text, now)


def _compared(text: Text, now: dt.datetime) -> tuple[Text, Interval, bool] | None:
    """Return a comparison of two times without the second of them, that, and what is asked."""
    said = TokenConsumer(text)
    than, more, less = (said.tokens(f"past.{each}") for each in ("than", "more", "less"))
    if not than or bool(more) == bool(less):
        return None
    after = {*range(max(than) + 1, len(said.whole))}
    found = past_span(said.part(after), now)
    if found is None or found[0] is None or _telling(found[1]):
        return None
    return said.part(said.whole - than - more - less - after), found[0], bool(more)


def _asked(text: Text, now: dt.datetime) -> HistoryQuestion | None:
    if (found := past_span(text, now)) is None:
        return None
    span, rest = found
    line = TokenConsumer(rest)
    said = {name: line.tokens(f"past.{name}") for name in line.names("past")}
    names = [name for name in _FORMS if said.get(name)]
    # "Since when" has the words of "when".
    name = max(names, key=lambda each: len(said[each]), default="")
    used = said.get("used", set())
    limits = {how: line.tokens(f"comparatives.{list_}") for list_, how in _LIMITS.items()}
    reckoned = {how for how, tokens in limits.items() if tokens}
    reckoned |= {each for each in RECKONED if line.tokens(each)}
    reckoned |= {how for each, (how, _) in SINGLE.items() if line.tokens(each)}
    is_past = bool(said["did"] or name in ("since_when", "how_often"))
    is_past = is_past or (name == "when" and bool(said["last"]))
    is_past = is_past or bool(span and span.is_past)
    if not is_past and not said["now"]:
        is_past = bool(used or name == "how_long") or _has_happened(line)
    if len(reckoned) > 1 or not is_past:
        return None
    if name == "since_when" and span:
        return None
    form = _FORMS.get(name, HistoryQuestionType.OTHER)
    if form is HistoryQuestionType.LAST and said["first"]:
        form = HistoryQuestionType.FIRST
    if used and not name:
        form = HistoryQuestionType.USED
    gone = line.marks.union(line.tokens("around"), *limits.values())
    gone = gone.union(*(said[each] for each in (*_ABOUT_NOTHING, "last", "first", *names)))
    if form is HistoryQuestionType.USED:
        # "Stromverbrauch" says both that it was used, and what.
        gone |= (used - _metered(line)) | said["much"]
    return HistoryQuestion(form, line.part(line.whole - gone), span, next(iter(reckoned), ""))


def _metered(line: TokenConsumer) -> set[int]:
    """Return the words for what is used."""
    names = {name for lists in METERED.values() for name in lists}
    return line.tokens(*(f"{table}.{name}" for table in ("quantities", "past") for name in names))


def _has_happened(line: TokenConsumer) -> bool:
    """Return True if a word says that something is past: "ran", and not "open" or "closed"."""
    said, present = (
        line.tokens(*(f"{table}.{name}" for name in line.names(table)))
        for table in ("past_event_verbs", "state_phrases")
    )
    return bool(said - present - line.tokens("forms.verbs"))


def _telling(text: Text) -> bool:
    """Return True if words say more than that something was."""
    said = TokenConsumer(text)
    said.says("past.did", "past.has", "past.used")
    return bool(said.left)
