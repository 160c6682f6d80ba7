"""Events that plans wait for: a condition becomes true in the home."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
import math

from homeassistant.components import conversation
from homeassistant.core import (
    CALLBACK_TYPE,
    Event as StateEvent,
    EventStateChangedData,
    HomeAssistant,
    callback,
)
from homeassistant.helpers.event import async_call_later, async_track_state_change_event
from homeassistant.util import dt as dt_util

from ..const import DOMAIN
from ..home.exposed import Home, HomeWatch, area_of_device
from ..nlu.time_resolution import TimeType
from ..nlu.tokenizer import Text
from ..nlu.triggers import StateTrigger, async_find_trigger
from .plan import Plan, Spoken
from .schedule import OnEvent
from .undo import entity_id_of

_SUN = "sun.sun"
_LOST = 900.0
"""Seconds until an event without a trigger is reported: devices may start late."""
_SETTLED = 1.0
"""Seconds without a change of the home after which triggers are looked up again."""


@dataclass(slots=True)
class _Watch:
    """The trigger that one plan waits for."""

    event: OnEvent
    watched: StateTrigger
    was_so: bool | None
    """The last known value, if any: the first one may be old, so it is not an event."""
    stop: CALLBACK_TYPE | None = None
    held: CALLBACK_TYPE | None = None
    """Cancels the wait for the time that the condition must hold."""

    def end(self) -> None:
        """Stop watching."""
        for stop in (self.stop, self.held):
            if stop:
                stop()


class EventWatcher:
    """Watches the home for plans.

    - An event is a condition that changes from false to true; an unknown value, such as that of an
      unavailable device, is no change.
    - A condition that must hold for some time may already be true when the watch begins; the time
      counts from then.
    - A device that is renamed, moved or exposed later is watched from then on.
    """

    def __init__(self, hass: HomeAssistant, happened: Callable[[str], None]) -> None:
        """Take the callback for the id of a plan whose event has occurred."""
        self._hass = hass
        self._happened = happened
        self._began = dt_util.utcnow()
        self._watches: dict[str, _Watch | None] = {}
        """By plan id; None while no trigger is found."""
        self._home = HomeWatch(hass, conversation.DOMAIN)
        self._home.async_listen(self._home_changed)
        self._stop_home: CALLBACK_TYPE | None = None
        self._looks_again: CALLBACK_TYPE | None = None
        self._plans: Mapping[str, Plan] = {}
        self._unclear: dict[str, float] = {}
        """By plan id, the loop time since which no trigger is found; infinite once reported."""

    def lost(self) -> Sequence[Plan]:
        """Return the plans whose events have long had no trigger; each plan only once."""
        now = self._hass.loop.time()
        unclear = {plan_id for plan_id, watch in self._watches.items() if watch is None}
        self._unclear = {plan_id: self._unclear.get(plan_id, now) for plan_id in unclear}
        lost = [each for each, since in self._unclear.items() if now - since > _LOST]
        self._unclear |= dict.fromkeys(lost, math.inf)
        return [self._plans[each] for each in lost]

    @callback
    def async_watch(self, plans: Iterable[Plan]) -> None:
        """Watch for the events of these plans only."""
        self._plans = {plan.id: plan for plan in plans if isinstance(plan.when, OnEvent)}
        self._watch_home()
        for plan_id in self._watches.keys() - self._plans:
            if watch := self._watches.pop(plan_id):
                watch.end()
        for plan_id, plan in self._plans.items():
            if self._watches.get(plan_id) is None:
                self._watches[plan_id] = None
                self._hass.async_create_task(self._async_begin(plan), f"{DOMAIN} watch {plan_id}")

    def _watch_home(self) -> None:
        """Watch the exposed entities as long as a plan waits for an event."""
        if self._plans and not self._stop_home:
            self._stop_home = self._home.async_start()
        elif not self._plans and self._stop_home:
            self._stop_home()
            self._stop_home = None
            if self._looks_again:
                self._looks_again()
                self._looks_again = None

    @callback
    def _home_changed(self) -> None:
        """Look up all triggers again as soon as the home has not changed for a moment."""
        if self._looks_again:
            self._looks_again()
        self._looks_again = async_call_later(self._hass, _SETTLED, self._async_look_again)

    async def _async_look_again(self, _now: object) -> None:
        self._looks_again = None
        for plan in list(self._plans.values()):
            await self._async_begin(plan)

    async def _async_begin(self, plan: Plan) -> None:
        """Watch the trigger of a plan's event; continue a watch of the same trigger."""
        assert isinstance(plan.when, OnEvent)
        home = self._home.home
        kind = TimeType.UNTIL if plan.is_ending and not plan.when.is_over else TimeType.WHEN
        watched = await async_watch(self._hass, home, plan.spoken, plan.when.condition, kind)
        if plan.id not in self._watches:
            return
        before = self._watches[plan.id]
        if before and self._stays(before, watched, home):
            before.watched = watched or before.watched
            return
        if before:
            before.end()
        self._watches[plan.id] = self._begun(plan, watched) if watched else None

    def _stays(self, watch: _Watch, watched: StateTrigger | None, home: Home) -> bool:
        """Return True if a watch continues: its devices may only have been renamed."""
        ids = watch.watched.entity_ids
        if watched:
            return watched.entity_ids == ids
        exposed = {each.entity_id for each in home.entities}
        return all(each in exposed for each in ids if self._hass.states.get(each))

    def _begun(self, plan: Plan, watched: StateTrigger) -> _Watch:
        assert isinstance(plan.when, OnEvent)
        was_so = watched.is_so()
        if plan.is_ending and (plan.when.is_over or plan.made < self._began):
            # It was not over when the plan was made, but may be now.
            was_so = plan.when.is_over
        watch = _Watch(plan.when, watched, was_so)

        @callback
        def changed(_event: StateEvent[EventStateChangedData]) -> None:
            self._look(plan, watch)

        ids = watched.entity_ids or (_SUN,)
        watch.stop = async_track_state_change_event(self._hass, ids, changed)
        if was_so and not plan.when.is_over:
            self._hold(plan, watch)
        self._look(plan, watch)
        return watch

    @callback
    def _look(self, plan: Plan, watch: _Watch) -> None:
        """Report the event if the condition has become true."""
        is_so = watch.watched.is_so()
        was_so = watch.was_so
        if is_so is None or is_so is was_so:
            return
        watch.was_so = is_so
        if watch.held:
            watch.held()
            watch.held = None
        is_it = is_so is not watch.event.is_over
        if is_it and not self._hold(plan, watch) and was_so is not None:
            self._happened(plan.id)

    def _hold(self, plan: Plan, watch: _Watch) -> bool:
        """Wait until the condition has held long enough; return False if there is no such time."""

        @callback
        def held_long_enough(_now: object) -> None:
            watch.held = None
            self._happened(plan.id)

        if seconds := watch.event.held or watch.watched.held:
            watch.held = async_call_later(self._hass, seconds, held_long_enough)
        return bool(seconds)


async def async_watch(
    hass: HomeAssistant, home: Home, spoken: Spoken, condition: str, kind: TimeType = TimeType.WHEN
) -> StateTrigger | None:
    """Return the trigger of a command's condition; None if the home has none."""
    if spoken.among:
        ids = {entity_id_of(hass, each) for each in spoken.among}
        known = tuple(each for each in home.entities if each.entity_id in ids)
        home = replace(home, entities=known)
    return await async_find_trigger(
        hass,
        Text(condition, spoken.language),
        home,
        area_of_device(hass, spoken.device_id),
        command=Text(spoken.text, spoken.language),
        user_id=spoken.user_id,
        kind=kind,
    )
