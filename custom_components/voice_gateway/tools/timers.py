"""Timers, after others' texts were read: they run as long as the user said."""

from collections.abc import Mapping
from typing import Any, Final

from ..heard.line import Line
from ..heard.music import SEARCH
from ..heard.phrases import phrases
from ..heard.said import Clause, Mood
from ..heard.templates import templates
from ..heard.times import times
from ..heard.whole import Whole
from ..languages import language_of
from ..names.matching import words
from .danger import is_said
from .deed import Deed, Turn

_SECONDS: Final = {"hours": 3600, "minutes": 60, "seconds": 1}
_COMPOUND: Final = 5
"""Letters of a word for a timer that others end in: "Eiertimer"."""


def starts_timer(deed: Deed, turn: Turn) -> bool:
    """Tell whether the user's words start a timer, that is called by them if by anything.

    It runs as long as they say: "six minute timer", "ten minutes for the rice". Where they say nothing
    of it, that may be what was to be looked up: "a timer for as long as the rice takes".
    """
    heard = turn.heard
    said = {name: each for name, each in deed.arguments.items() if each not in (None, "", 0)}
    name = str(said.pop("name", ""))
    if heard.asks or not said or not said.keys() <= _SECONDS.keys() or _is_another(turn):
        return False
    if name and not is_said(heard.text, name, heard.language, whole=True):
        return False
    wanting = [each for each in turn.clauses(deed) if _wants(each, turn)]
    lengths = {_length(each.text, heard.language) for each in wanting} - {None}
    if lengths:
        return _seconds(said) in lengths
    return any(each.mood is Mood.COMMAND for each in wanting)


def _is_another(turn: Turn) -> bool:
    """Tell whether Home Assistant reads something else in the sentence, such as to cancel one."""
    understood = turn.heard.understood
    if understood is None or understood.intent_type == "HassStartTimer":
        return False
    # "Lance un minuteur" is taken for something to be played, which only "play" says.
    is_music = understood.intent_type == SEARCH
    return not is_music or Whole(turn.heard.text, turn.heard.language).begins("plays")


def _wants(clause: Clause, turn: Turn) -> bool:
    """Tell whether a part of the sentence wants a timer: by its name, or by a verb with how long."""
    heard = turn.heard
    if clause.mood not in (Mood.COMMAND, Mood.UNKNOWN) or clause.negated or clause.tells_others:
        return False
    if _names_timer(clause.text, heard.language):
        return True
    is_begun = clause.mood is Mood.COMMAND and Whole(clause.text, heard.language).begins("timing")
    return is_begun and not heard.meant(clause.text).tells


def _names_timer(text: str, language: str) -> bool:
    known = {word for phrase in phrases(language_of(language).code, "timer") for word in phrase}
    ends = tuple(word for word in known if len(word) >= _COMPOUND)
    return any(word in known or word.endswith(ends) for word in words(text))


def _length(text: str, language: str) -> float | None:
    """Return for how long a text says that something is to run, in seconds."""
    code = language_of(language).code
    line = Line.of(text, templates(code).numbers)
    return times(code).seconds(line.canonical(0, len(line.tokens)))


def _seconds(said: Mapping[str, Any]) -> float | None:
    """Return how long a call's timer runs; None where it says no numbers."""
    try:
        return sum(float(each) * _SECONDS[name] for name, each in said.items())
    except TypeError, ValueError:
        return None
