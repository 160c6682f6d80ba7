"""What a question asks of what is past, by its words alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
import datetime as dt
from enum import StrEnum
from typing import Final

from ...nlu.phrase_patterns import PhrasePatterns, patterns_of
from ...nlu.tokenizer import Text, TokenSequence
from ..forgotten import forgets
from ..question import tokens_in
from .interval import PastInterval, past_span

METERED: Final[Mapping[str, Sequence[str]]] = {
    "energy": ("energy", "electricity"),
    "water": ("water",),
    "gas": ("gas",),
}
"""The words for what is used, by the class of the sensors that count it."""
_ABOUT_NOTHING: Final = ("did", "has")
_RECKONED: Final = {
    "coldest": "low",
    "lowest": "low",
    "driest": "low",
    "warmest": "high",
    "highest": "high",
    "most_humid": "high",
    "average": "mean",
    "average_temperature": "mean",
}
_LIMITS: Final = {"at_most": "high", "at_least": "low"}
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
    span: PastInterval | None
    """The time of which it is asked; None where none is said."""
    reckoned: str = ""
    """"low", "high" or "mean", where one of them is asked for."""
    other: PastInterval | None = None
    """A time with which that one is compared."""
    is_more: bool = True
    """Whether it is asked if it was more than in that; else if it was less."""


def past_question(text: Text, now: dt.datetime) -> HistoryQuestion | None:
    """Return what is asked of what is past; None where a question is not certainly about that.

    Args:
        text: a sentence that is known to ask something.
        now: when it was asked, by the home's clock.
    """
    known = patterns_of(text.code)
    # "Did I forget to lock the door?" It may be locked by now.
    if not known.past or forgets(_line(text, known), known):
        return None
    if compared := _compared(text, known, now):
        first, other, is_more = compared
        asked = _asked(first, known, now)
        if asked is None or asked.form is not HistoryQuestionType.USED:
            return None
        return replace(asked, other=other, is_more=is_more)
    return _asked(text, known, now)


def _compared(
    text: Text, known: PhrasePatterns, now: dt.datetime
) -> tuple[Text, PastInterval, bool] | None:
    """Return a comparison of two times without the second of them, that, and what is asked."""
    line = _line(text, known)
    than = tokens_in(line, known.past.get("than", ()))
    more, less = (tokens_in(line, known.past.get(each, ())) for each in ("more", "less"))
    if not than or bool(more) == bool(less):
        return None
    after = range(max(than) + 1, len(line.tokens))
    found = past_span(line.surface(after), now)
    if found is None or found[0] is None or _telling(found[1], known):
        return None
    gone = than | more | less | {*after}
    first = line.surface(index for index in range(len(line.tokens)) if index not in gone)
    return first, found[0], bool(more)


def _asked(text: Text, known: PhrasePatterns, now: dt.datetime) -> HistoryQuestion | None:
    if (found := past_span(text, now)) is None:
        return None
    span, rest = found
    line = _line(rest, known)
    said = {name: tokens_in(line, known.past.get(name, ())) for name in known.past}
    names = [name for name in _FORMS if said.get(name)]
    # "Since when" has the words of "when".
    name = max(names, key=lambda each: len(said[each]), default="")
    used = said.get("used", set())
    reckoned = {how for list_, how in _RECKONED.items() if tokens_in(line, known.questions[list_])}
    limits = {
        how: tokens
        for list_, how in _LIMITS.items()
        if (tokens := tokens_in(line, known.comparatives.get(list_, ())))
    }
    reckoned |= {*limits}
    is_past = bool(said["did"] or name in ("since_when", "how_often"))
    is_past = is_past or (name == "when" and bool(said["last"]))
    is_past = is_past or bool(span and span.is_past)
    if not is_past and not said["now"]:
        is_past = bool(used or name == "how_long") or _has_happened(line, known)
    if len(reckoned) > 1 or not is_past:
        return None
    if name == "since_when" and span:
        return None
    form = _FORMS.get(name, HistoryQuestionType.OTHER)
    if form is HistoryQuestionType.LAST and said["first"]:
        form = HistoryQuestionType.FIRST
    if used and not name:
        form = HistoryQuestionType.USED
    gone = {index for index, token in enumerate(line.tokens) if token.is_mark}
    gone |= tokens_in(line, known.questions.get("around", ()))
    gone = gone.union(*limits.values())
    gone = gone.union(*(said[each] for each in (*_ABOUT_NOTHING, "last", "first", *names)))
    if form is HistoryQuestionType.USED:
        # "Stromverbrauch" says both that it was used, and what.
        gone |= (used - _metered(line, known)) | said["much"]
    words = line.surface(index for index in range(len(line.tokens)) if index not in gone)
    return HistoryQuestion(form, words, span, next(iter(reckoned), ""))


def _metered(line: TokenSequence, known: PhrasePatterns) -> set[int]:
    """Return the words for what is used."""
    names = {name for lists in METERED.values() for name in lists}
    tables = (known.quantities, known.past)
    return set[int]().union(
        *(tokens_in(line, table.get(name, ())) for table in tables for name in names)
    )


def _has_happened(line: TokenSequence, known: PhrasePatterns) -> bool:
    """Return True if a word says that something is past: "ran", and not "open" or "closed"."""
    said = set[int]().union(*(tokens_in(line, each) for each in known.past_event_verbs.values()))
    present = set[int]().union(*(tokens_in(line, each) for each in known.state_phrases.values()))
    return bool(said - present - tokens_in(line, known.forms["verbs"]))


def _telling(text: Text, known: PhrasePatterns) -> bool:
    """Return True if words say more than that something was."""
    line = _line(text, known)
    gone = set[int]().union(
        *(tokens_in(line, known.past.get(each, ())) for each in (*_ABOUT_NOTHING, "used")),
        tokens_in(line, known.questions.get("around", ())),
    )
    left = (each for index, each in enumerate(line.tokens) if index not in gone)
    return any(not each.is_mark and each.text not in known.language.function_words for each in left)


def _line(text: Text, known: PhrasePatterns) -> TokenSequence:
    return TokenSequence.of(text, known.numbers)
