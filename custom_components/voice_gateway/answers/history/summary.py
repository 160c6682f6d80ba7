"""Summary of entities' history in an interval, as a few lines for a model."""

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
from .recorder import HistoryUnavailable
from .states import StateHistoryHandler

_MOST: Final = 4
"""Maximum number of entities in a summary."""
_LATELY: Final = 7 * DAY
"""The default interval."""


class UnclearQuestion(Exception):
    """The entity or the time is ambiguous; the message explains how to ask instead."""


async def async_past_summary(
    hass: HomeAssistant, language: str, home: Home, name: str, when: Text
) -> str:
    """Return the history of the entities with a name, in a time given in natural language.

    Args:
        hass: the Home Assistant instance with the recorder and the states.
        language: the language of the summary; the time may be in English, too.
        home: the exposed entities.
        name: the name of a device, or words that refer to it.
        when: "yesterday", "last night", "on Monday"; a date such as 2026-11-20; empty for lately.

    Raises:
        UnclearQuestion: no exposed entity has the name, or too many have; the time is not
            understood, not past, or more than a year ago; the data is too much, or only texts.
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
    """Return the interval of a time expression in one of some languages, or of a date."""
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
