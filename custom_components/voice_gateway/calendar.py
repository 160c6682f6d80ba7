"""The calendar of the plans."""

import datetime as dt
from typing import Any, override

from homeassistant.components.calendar import CalendarEntity, CalendarEntityFeature, CalendarEvent
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .models.provider import ProviderConfigEntry
from .plans.entity import PlansEntity
from .plans.plan import Plan
from .plans.schedule import Recurrence, rrule
from .texts import translated

PARALLEL_UPDATES = 0

_LENGTH = dt.timedelta(minutes=1)
"""Length of the event of a plan, which is due at an instant: an event can't be shorter."""
_MOST = 500
"""Maximum number of events of one plan in one response."""
_THIS_AND_FUTURE = "THISANDFUTURE"


async def async_setup_entry(
    hass: HomeAssistant,
    entry: ProviderConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the calendar, if no other entry has."""
    PlansCalendar.offer(hass, entry, async_add_entities)


class PlansCalendar(PlansEntity, CalendarEntity):
    """Shows the plans that have a time; deleting or moving an event changes its plan."""

    _attr_supported_features = (
        CalendarEntityFeature.DELETE_EVENT | CalendarEntityFeature.UPDATE_EVENT
    )

    @property
    @override
    def event(self) -> CalendarEvent | None:
        """The next event."""
        plan = next((each for each in self._plans.all if each.due), None)
        return self._event(plan, plan.due) if plan and plan.due else None

    @override
    async def async_get_events(
        self, hass: HomeAssistant, start_date: dt.datetime, end_date: dt.datetime
    ) -> list[CalendarEvent]:
        """Return the events between two times, one for each occurrence of a recurring plan."""
        return [
            self._event(plan, at)
            for plan in self._plans.all
            for at in self._plans.times(plan, start_date - _LENGTH, end_date, _MOST)
        ]

    @override
    async def async_delete_event(
        self, uid: str, recurrence_id: str | None = None, recurrence_range: str | None = None
    ) -> None:
        """Cancel a plan, one of its occurrences, or all from one on; the plan may be over."""
        if recurrence_id is None or self._plans.get(uid) is None:
            await self._plans.async_remove([uid])
            return
        at = dt_util.as_utc(dt.datetime.fromisoformat(recurrence_id))
        if recurrence_range == _THIS_AND_FUTURE:
            await self._plans.async_end_before(uid, at)
        else:
            await self._plans.async_skip(uid, at)

    @override
    async def async_update_event(
        self,
        uid: str,
        event: dict[str, Any],
        recurrence_id: str | None = None,
        recurrence_range: str | None = None,
    ) -> None:
        """Move a plan, or one of its occurrences."""
        start = event["dtstart"]
        plan = self._plans.get(uid)
        if plan is None or not isinstance(start, dt.datetime):
            raise translated(HomeAssistantError, "plan_not_moved")
        at = dt_util.as_utc(start)
        if at <= dt_util.utcnow():
            raise translated(HomeAssistantError, "plan_in_the_past")
        before = dt_util.as_utc(dt.datetime.fromisoformat(recurrence_id)) if recurrence_id else None
        rule = rrule(plan.when) if isinstance(plan.when, Recurrence) else None
        if before and recurrence_range != _THIS_AND_FUTURE:
            await self._plans.async_move_one(uid, before, at)
        elif rule and event.get("rrule") not in (None, rule):
            raise translated(HomeAssistantError, "plan_not_moved")
        else:
            await self._plans.async_move(uid, at, begins=before)

    def _event(self, plan: Plan, at: dt.datetime) -> CalendarEvent:
        start = dt_util.as_local(at)
        rule = rrule(plan.when) if isinstance(plan.when, Recurrence) else None
        return CalendarEvent(
            start=start,
            end=start + _LENGTH,
            summary=self._title(plan),
            description=", ".join(plan.about),
            uid=plan.id,
            recurrence_id=start.isoformat() if rule else None,
            rrule=rule,
        )
