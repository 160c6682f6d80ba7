"""Events of the exposed calendars that can be changed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
import datetime as dt
from typing import Any, Final

from homeassistant.components.calendar import CalendarEntity, CalendarEvent
from homeassistant.components.calendar.const import DATA_COMPONENT
from homeassistant.const import ATTR_SUPPORTED_FEATURES
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..home.exposed import Exposed, calendars
from ..names.inflection import is_like_any
from ..nlu.tokenizer import Text

_AHEAD: Final = dt.timedelta(days=366)
"""How far ahead an event is searched for."""
_LETTERS: Final = 3
"""The fewest letters beside a noun for an appointment in a compound: Zahnarzttermin."""


def writable(hass: HomeAssistant, assistant: str | None, feature: int) -> Sequence[Exposed]:
    """Return the calendars exposed to an assistant that support a change of their events."""
    return [
        each
        for each in calendars(hass, assistant or "")
        if (state := hass.states.get(each.entity_id))
        and state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & feature
    ]


def called(among: Sequence[Exposed], name: Text) -> Sequence[Exposed]:
    """Return the calendars that words name, "the family calendar"; all without words."""
    said = _topic(name)

    def is_called(own: Sequence[str]) -> bool:
        return bool(own) and all(is_like_any(word, said) for word in own)

    named = [
        each for each in among if any(is_called(_topic(name.alike(own))) for own in each.names)
    ]
    return named if name else among


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event, and the calendar that has it."""

    entity: CalendarEntity
    event: CalendarEvent

    @property
    def starts(self) -> dt.datetime:
        """Its local start; of an all-day event, midnight."""
        return self.event.start_datetime_local

    async def async_add(self) -> None:
        """Add it. Raises HomeAssistantError if that fails, as do the others."""
        await self.entity.async_create_event(**self._data)

    async def async_set(self, start: dt.datetime | dt.date, end: dt.datetime | dt.date) -> None:
        """Give it another time; of a series, only this one."""
        data = self._data | {"dtstart": start, "dtend": end}
        uid, of_series = self.event.uid or "", self.event.recurrence_id
        await self.entity.async_update_event(uid, data, recurrence_id=of_series)

    async def async_delete(self) -> None:
        """Delete it; of a series, only this one."""
        uid, of_series = self.event.uid or "", self.event.recurrence_id
        await self.entity.async_delete_event(uid, recurrence_id=of_series)

    @property
    def _data(self) -> dict[str, Any]:
        event = self.event
        kept = {"description": event.description, "location": event.location}
        data = {"summary": event.summary, "dtstart": event.start, "dtend": event.end}
        return data | {key: value for key, value in kept.items() if value}


def entity_of(hass: HomeAssistant, calendar: Exposed) -> CalendarEntity:
    """Return the entity of an exposed calendar."""
    entity = hass.data[DATA_COMPONENT].get_entity(calendar.entity_id)
    assert entity
    return entity


async def async_find(
    hass: HomeAssistant, among: Sequence[Exposed], title: Text, day: dt.date | None = None
) -> Sequence[StoredEvent]:
    """Return the events with all words of a title, by their start: the next one of each title.

    `day` is the local day on which they begin. A noun for an appointment is no part of the title.
    """
    topic = _topic(title)

    def is_meant(event: CalendarEvent) -> bool:
        known = _topic(title.alike(event.summary))
        return bool(topic) and all(is_like_any(word, known) for word in topic)

    return await _async_next(hass, among, is_meant, day)


async def async_named(
    hass: HomeAssistant, among: Sequence[Exposed], text: Text
) -> Sequence[StoredEvent]:
    """Return the events whose whole titles are in a text, by their start."""

    def is_meant(event: CalendarEvent) -> bool:
        return event.summary.casefold() in text.casefold()

    return await _async_next(hass, among, is_meant)


async def _async_next(
    hass: HomeAssistant,
    among: Sequence[Exposed],
    is_meant: Callable[[CalendarEvent], bool],
    day: dt.date | None = None,
) -> Sequence[StoredEvent]:
    """Return the next event of each title among those that are meant, by their start."""
    now = dt_util.now()
    found: dict[str, StoredEvent] = {}
    for each in among:
        entity = entity_of(hass, each)
        for event in await entity.async_get_events(hass, now, now + _AHEAD):
            stored = StoredEvent(entity, event)
            before = found.get(event.summary, stored)
            is_next = stored.starts <= before.starts and day in (None, stored.starts.date())
            if event.uid and is_next and is_meant(event):
                found[event.summary] = stored
    return sorted(found.values(), key=lambda one: one.starts)


def _topic(text: Text) -> Sequence[str]:
    """Return the content words of a title or a name, without nouns for events and calendars."""
    nouns = text.patterns.words_of("questions.appointments", "questions.calendars", "actions.into")
    ends = tuple(each for each in nouns if len(each) > _LETTERS)
    empty = text.function_words | text.patterns.pronouns
    left = [word for word in text.words if word not in empty]
    bare = (
        word.removesuffix(next((end for end in ends if word.endswith(end)), "")) for word in left
    )
    return [each for each in bare if len(each) > 1 and each not in nouns] or left
