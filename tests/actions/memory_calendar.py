"""A calendar in memory that supports all changes."""

from datetime import datetime
from typing import Any, override

from homeassistant.components.calendar import CalendarEntity, CalendarEntityFeature, CalendarEvent
from homeassistant.components.calendar.const import DATA_COMPONENT
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util.ulid import ulid_now


class MemoryCalendar(CalendarEntity):
    """A calendar whose events are a list."""

    _attr_supported_features = (
        CalendarEntityFeature.CREATE_EVENT
        | CalendarEntityFeature.DELETE_EVENT
        | CalendarEntityFeature.UPDATE_EVENT
    )

    def __init__(self, name: str) -> None:
        """Take its name."""
        self._attr_name = name
        self._attr_unique_id = name
        self.events: list[CalendarEvent] = []

    @property
    @override
    def event(self) -> CalendarEvent | None:
        return None

    @override
    async def async_get_events(
        self, hass: HomeAssistant, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        return [
            each
            for each in self.events
            if each.end_datetime_local > start_date and each.start_datetime_local < end_date
        ]

    @override
    async def async_create_event(self, **kwargs: Any) -> None:
        self.add(kwargs)

    def add(self, data: dict[str, Any], uid: str | None = None) -> None:
        """Add an event."""
        data = {"start": data["dtstart"], "end": data["dtend"], "summary": data["summary"]}
        self.events.append(CalendarEvent(**data, uid=uid or ulid_now()))

    @override
    async def async_delete_event(
        self, uid: str, recurrence_id: str | None = None, recurrence_range: str | None = None
    ) -> None:
        self.events = [each for each in self.events if each.uid != uid]

    @override
    async def async_update_event(
        self,
        uid: str,
        event: dict[str, Any],
        recurrence_id: str | None = None,
        recurrence_range: str | None = None,
    ) -> None:
        await self.async_delete_event(uid)
        self.add(event, uid)

    @property
    def told(self) -> list[str]:
        """The events: title, start, and end."""
        return [
            f"{each.summary}: {each.start:%a %d %H:%M}-{each.end:%a %d %H:%M}"
            if isinstance(each.start, datetime)
            else f"{each.summary}: {each.start:%a %d}"
            for each in self.events
        ]


async def add_calendars(hass: HomeAssistant, *names: str) -> list[MemoryCalendar]:
    """Add exposed calendars that can be changed."""
    await async_setup_component(hass, "calendar", {})
    made = [MemoryCalendar(name) for name in names]
    await hass.data[DATA_COMPONENT].async_add_entities(made)
    for each in made:
        async_expose_entity(hass, "conversation", each.entity_id, should_expose=True)
    await hass.async_block_till_done()
    return made
