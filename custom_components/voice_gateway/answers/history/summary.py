"""What was of some entities in a time, as a few lines that a model can read."""

from collections.abc import Sequence
from dataclasses import replace
import datetime as dt
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ...home.clock import DAY, to_instant
from ...home.exposed import Home
from ...languages import LANGUAGES, language_of
from ...nlu.tokenizer import Text
from ..handler import HomeView
from ..intervals import LONGEST, Interval, past_interval
from .measurements import MeasurementHistory
from .recorder_reader import HistoryUnavailable
from .states import StateHistoryHandler

_MOST: Final = 4
"""Entities that are told of."""
_LATELY: Final = 7 * DAY
"""The time that is told of where none is said."""


class UnclearQuestion(Exception):
    """It is not certain of what, or of when, somebody asks; the text says what to say instead."""


async def async_past_summary(
    hass: HomeAssistant, language: str, home: Home, name: str, when: Text
) -> str:
    """Return what was of the entities of a name, in a time as people say it.

    Args:
        hass: where the recorder and the states are.
        language: that in which it is told; it may be said in English, too.
        home: what is exposed.
        name: of a device, or the words for one.
        when: "yesterday", "last night", "on Monday"; a date, as 2026-11-20; empty for lately.

    Raises:
        UnclearQuestion: nothing that is exposed is called so, or too much is; the time is not understood,
            not past, or more than a year ago; or what is recorded is too much, or texts.
    """
    known = language_of(language)
    known = known if known.past else LANGUAGES["en"]
    view = await HomeView.async_of(hass, home, known)
    span = _span(when, (known.code, "en"), view.now)
    entities = view.conditions.things.link(name, lambda _: True)
    if not entities:
        raise UnclearQuestion(f"No exposed device is called “{name}”")
    if len(entities) > _MOST:
        raise UnclearQuestion("Too many devices are called so: name one of them")
    numbers, states = MeasurementHistory(view), StateHistoryHandler(view)
    try:
        told = [
            await numbers.async_summary(each, span) or await states.async_summary(each, span)
            for each in entities
        ]
    except HistoryUnavailable:
        raise UnclearQuestion("It can't be read now, or is too much: ask for less") from None
    if not any(told):
        raise UnclearQuestion("What it was are texts, which are not told")
    return "\n".join(filter(None, told))


def _span(when: str, codes: Sequence[str], now: dt.datetime) -> Interval:
    """Return a time that is said in one of some languages, or as a date."""
    if not when.strip():
        return Interval(dt_util.as_local(now.astimezone(dt.UTC) - _LATELY), now)
    if day := dt_util.parse_date(when.strip()):
        start, end = (dt_util.as_local(to_instant(each)) for each in (day, day + DAY))
        if now - LONGEST <= start <= now:
            return Interval(start, min(end, now), words=when.strip())
    for code in codes:
        match past_interval(Text(when, code), now):
            case Interval() as span, rest if not rest.strip():
                return replace(span, words=when.strip())
    raise UnclearQuestion(
        "This time is not understood, or not within the last year. Say for example: today,"
        " yesterday, last night, this week, on Monday, in the last two hours, yesterday at 3 pm"
    )
