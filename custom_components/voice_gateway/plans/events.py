"""Events that plans wait for: a condition becomes true in the home."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
import math

from homeassistant.components import conversation
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
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
    """A plan that waits for an event, and the event's trigger."""

    plan: Plan
    since: float
    """The loop time since which no trigger is found; infinite once that was reported."""
    trigger: StateTrigger | None = None
    was_so: bool | None = None
    """The last known value, if any: the first one may be old, so it is not an event."""
    stop: CALLBACK_TYPE | None = None
    held: CALLBACK_TYPE | None = None
    """Cancels the wait for the time that the condition must hold."""

    @property
    def event(self) -> OnEvent:
        """The event of the plan."""
        assert isinstance(self.plan.when, OnEvent)
        return self.plan.when

    def end(self) -> None:
        """Stop watching."""
        if self.stop:
            self.stop()
        self.end_hold()
        self.trigger = self.stop = None

    def end_hold(self) -> None:
        """Stop waiting for the time that the condition must hold."""
        if self.held:
            self.held()
        self.held = None


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
        self._watches: dict[str, _Watch] = {}
        """By plan id."""
        self._home = HomeWatch(hass, conversation.DOMAIN)
        self._home.async_listen(self._home_changed)
        self._stop_home: CALLBACK_TYPE | None = None
        self._looks_again: CALLBACK_TYPE | None = None

    def lost(self) -> Sequence[Plan]:
        """Return the plans whose events have long had no trigger; each plan only once."""
        now = self._hass.loop.time()
        without = (each for each in self._watches.values() if not each.trigger)
        lost = [each for each in without if now - each.since > _LOST]
        for each in lost:
            each.since = math.inf
        return [each.plan for each in lost]

    @callback
    def async_watch(self, plans: Iterable[Plan]) -> None:
        """Watch for the events of these plans only."""
        waiting = {plan.id: plan for plan in plans if isinstance(plan.when, OnEvent)}
        for plan_id in self._watches.keys() - waiting:
            self._watches.pop(plan_id).end()
        self._watch_home(is_needed=bool(waiting))
        for plan_id, plan in waiting.items():
            watch = self._watches.setdefault(plan_id, _Watch(plan, self._hass.loop.time()))
            if plan.when != watch.plan.when:
                watch.end()
            watch.plan = plan
            if watch.trigger is None:
                self._hass.async_create_task(self._async_begin(watch), f"{DOMAIN} watch {plan_id}")

    def _watch_home(self, *, is_needed: bool) -> None:
        """Watch the exposed entities as long as a plan waits for an event."""
        if is_needed and not self._stop_home:
            self._stop_home = self._home.async_start()
        elif not is_needed and self._stop_home:
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
        for watch in list(self._watches.values()):
            await self._async_begin(watch)

    async def _async_begin(self, watch: _Watch) -> None:
        """Watch the trigger of a plan's event; continue a watch of the same trigger."""
        plan, event, home = watch.plan, watch.event, self._home.home
        kind = TimeType.UNTIL if plan.is_ending and not event.is_over else TimeType.WHEN
        trigger = await async_watch(self._hass, home, plan.spoken, event.condition, kind)
        if self._watches.get(plan.id) is not watch:
            return
        if watch.trigger and self._stays(watch.trigger, trigger, home):
            watch.trigger = trigger or watch.trigger
            return
        if watch.trigger:
            watch.end()
            watch.since = self._hass.loop.time()
        if trigger:
            self._begin(watch, trigger)

    def _stays(self, before: StateTrigger, trigger: StateTrigger | None, home: Home) -> bool:
        """Return True if a watch continues: its devices may only have been renamed."""
        if trigger:
            return trigger.entity_ids == before.entity_ids
        exposed = {each.entity_id for each in home.entities}
        return all(each in exposed for each in before.entity_ids if self._hass.states.get(each))

    def _begin(self, watch: _Watch, trigger: StateTrigger) -> None:
        plan, event = watch.plan, watch.event
        watch.trigger, watch.was_so = trigger, trigger.is_so()
        if plan.is_ending and (event.is_over or plan.made < self._began):
            # It was not over when the plan was made, but may be now.
            watch.was_so = event.is_over
        watch.stop = async_track_state_change_event(
            self._hass, trigger.entity_ids or (_SUN,), callback(lambda _event: self._look(watch))
        )
        if watch.was_so and not event.is_over:
            self._hold(watch)
        self._look(watch)

    def _look(self, watch: _Watch) -> None:
        """Report the event if the condition has become true."""
        is_so, was_so = watch.trigger.is_so() if watch.trigger else None, watch.was_so
        if is_so is None or is_so is was_so:
            return
        watch.was_so = is_so
        watch.end_hold()
        is_it = is_so is not watch.event.is_over
        if is_it and not self._hold(watch) and was_so is not None:
            self._happened(watch.plan.id)

    def _hold(self, watch: _Watch) -> bool:
        """Wait until the condition has held long enough; return False if there is no such time."""

        @callback
        def held_long_enough(_now: object) -> None:
            watch.held = None
            self._happened(watch.plan.id)

        if seconds := watch.event.held or (watch.trigger and watch.trigger.held):
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
