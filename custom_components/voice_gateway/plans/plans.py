"""All plans of a home: stored, and carried out when they are due."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
import datetime as dt

from homeassistant.const import EVENT_HOMEASSISTANT_STOP
from homeassistant.core import CALLBACK_TYPE, Event as StopEvent, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.start import async_at_started
from homeassistant.util import dt as dt_util
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.ulid import ulid_now

from ..const import DOMAIN, LOGGER
from .conflicts import apart, with_endings
from .events import EventWatcher
from .last_mentioned import LastMentionedPlans
from .plan import Plan
from .ringing import Ringing
from .runner import async_carry_out, async_tell, is_allowed
from .schedule import OnEvent, moved, next_after
from .store import PlanStore
from .undo import answers

PLANS: HassKey[Plans] = HassKey(f"{DOMAIN}_plans")
MOST = 1000
"""The most plans at a time."""

_GRACE = dt.timedelta(minutes=15)
"""The most delay of a plan: after a restart, a change of the clock, or an unavailable device."""
_GUARDED_GRACE = dt.timedelta(minutes=1)
_ENDING_GRACE = dt.timedelta(days=1)
"""How long a revert waits for an unavailable device."""
_LATE = dt.timedelta(minutes=1)
"""The delay from which the user hears that a plan was late."""
_LOOK = 60.0
"""The longest wait, in seconds: the event loop's clock ignores that the wall clock is set."""
_TRY = 10.0
"""Seconds until an unavailable device is checked again."""


class Plans:
    """The plans of a home.

    - A plan is stored before it is confirmed, and marked as running, with its next time,
      before it is carried out: whatever ends Home Assistant, it is never carried out twice.
    - A plan that was not carried out, or not as planned, is reported before it is removed.
    - A plan that is too late is reported, not carried out. A revert is never too late, unless it
      would open an entry point.
    - A ringing timer or alarm is kept until it is stopped: it goes on ringing after a restart.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Begin without plans."""
        self._hass = hass
        self._store = PlanStore(hass)
        self._plans: dict[str, Plan] = {}
        self._listeners: list[CALLBACK_TYPE] = []
        self._timer: CALLBACK_TYPE | None = None
        self._events = EventWatcher(hass, self._happened)
        self._is_started = False
        self.latest = LastMentionedPlans()
        self.ringing = Ringing(hass, self._async_rung)

    async def async_load(self) -> None:
        """Load the stored plans; carry them out once Home Assistant has started."""
        self._plans = {plan.id: plan for plan in await self._store.async_load()}
        async_at_started(self._hass, self._async_start)
        self._hass.bus.async_listen_once(EVENT_HOMEASSISTANT_STOP, self.async_stop)

    @property
    def all(self) -> Sequence[Plan]:
        """All plans by their next time; plans that wait for an event come last."""
        return sorted(
            self._plans.values(), key=lambda each: (not each.due, each.due or each.made, each.id)
        )

    def get(self, plan_id: str) -> Plan | None:
        """Return a plan by its id; None if it does not exist."""
        return self._plans.get(plan_id)

    @property
    def is_full(self) -> bool:
        """Whether there are as many plans as are allowed."""
        return len(self._plans) >= MOST

    async def async_add(self, *plans: Plan) -> None:
        """Add plans and store them."""
        self._plans = with_endings(self._plans, plans)
        await self._async_changed()

    async def async_forget(self) -> None:
        """Remove all plans and their file."""
        self._plans.clear()
        self.ringing.stop_all()
        self._tell_changed()
        await self._store.async_remove()

    async def async_remove(self, plan_ids: Iterable[str]) -> Sequence[Plan]:
        """Remove plans by their ids; return the removed ones."""
        gone = [plan for each in plan_ids if (plan := self._plans.pop(each, None))]
        for each in gone:
            self.ringing.stop(each.id)
        if gone:
            await self._async_changed()
        return gone

    def times(
        self, plan: Plan, begins: dt.datetime, ends: dt.datetime, most: int
    ) -> Iterator[dt.datetime]:
        """Yield those of a plan's next `most` times that are after `begins` and before `ends`."""
        at = plan.due
        for _ in range(most):
            if at is None or at >= ends:
                return
            if at > begins:
                yield at
            at = self._next(plan, at)

    async def async_move(
        self, plan_id: str, at: dt.datetime, *, begins: dt.datetime | None = None
    ) -> None:
        """Move a plan to another time, in UTC; a recurrence with all its later occurrences.

        `begins` is the first occurrence that is moved; without it, the next one.
        """
        plan = self._plans[plan_id]
        spoken = replace(plan.spoken, moment="")
        later = replace(plan, when=moved(plan.when, at), due=at, spoken=spoken)
        if begins and plan.due and begins > plan.due:
            later = replace(later, id=ulid_now())
            self._plans[plan_id] = replace(plan, last=begins - dt.timedelta(seconds=1))
        await self.async_replace(later)

    async def async_move_one(self, plan_id: str, before: dt.datetime, at: dt.datetime) -> None:
        """Move one occurrence of a plan to another time; both in UTC."""
        plan = self._plans[plan_id]
        once = replace(plan.once(at), id=ulid_now(), spoken=replace(plan.spoken, moment=""))
        self._plans[once.id] = once
        await self.async_skip(plan_id, before)

    async def async_skip(self, plan_id: str, at: dt.datetime) -> None:
        """Cancel one occurrence of a plan, in UTC."""
        plan = self._plans[plan_id]
        plan = replace(plan, skipped=(*plan.skipped, at))
        due = self._next(plan, at) if plan.due == at else plan.due
        if due is None:
            await self.async_remove([plan_id])
        else:
            await self.async_replace(replace(plan, due=due))

    async def async_end_before(self, plan_id: str, at: dt.datetime) -> None:
        """Cancel one occurrence of a plan, in UTC, and all later ones."""
        plan = self._plans[plan_id]
        if plan.due and plan.due >= at:
            await self.async_remove([plan_id])
        else:
            await self.async_replace(replace(plan, last=at - dt.timedelta(seconds=1)))

    async def async_end_now(self, plan_id: str) -> None:
        """Carry out a revert now instead of later."""
        now = dt_util.utcnow()
        plan = self._plans[plan_id].once(now)
        self._begin(plan, now)
        await self._async_changed()
        await self._async_do(plan)

    async def async_silence(self, plan_id: str, again: dt.datetime | None = None) -> None:
        """Stop a ringing plan; `again` is the end of a snooze, in UTC."""
        plan = self._plans[plan_id]
        self.ringing.stop(plan_id)
        self._end(plan)
        if again:
            once = plan.ended().once(again)
            if plan_id in self._plans:
                once = replace(once, id=ulid_now())
            self._plans[once.id] = once
        await self._async_changed()

    async def _async_rung(self, plan: Plan, is_heard: bool) -> None:
        """End a plan that has rung for its longest time; report it if it was ever spoken."""
        if is_heard and plan.id in self._plans:
            await async_tell(self._hass, plan, "alarm_unanswered")
        if current := self._plans.get(plan.id):
            self._end(current)
            await self._async_changed()

    def _end(self, plan: Plan) -> None:
        """Remove a plan that was carried out, or keep it for its next time."""
        if plan.goes_on:
            self._plans[plan.id] = plan.ended()
        else:
            self._plans.pop(plan.id, None)

    async def async_replace(self, plan: Plan) -> None:
        """Replace the plan that has the same id."""
        self._plans[plan.id] = plan
        await self._async_changed()

    def _next(self, plan: Plan, after: dt.datetime) -> dt.datetime | None:
        """Return the next time of a plan, in UTC; None if there is none."""
        if plan.is_once or isinstance(plan.when, OnEvent):
            return None
        at = next_after(plan.when, after, self._hass)
        while at in plan.skipped:
            at = next_after(plan.when, at, self._hass)
        return None if at and plan.last and at > plan.last else at

    @callback
    def async_listen(self, listener: CALLBACK_TYPE) -> CALLBACK_TYPE:
        """Call a listener after each change of the plans until the returned function is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def _async_changed(self) -> None:
        """Store the plans, notify the listeners, and wait for the next time."""
        await self._store.async_save(self._plans.values())
        self._tell_changed()

    def _tell_changed(self) -> None:
        self._wait()
        for listener in tuple(self._listeners):
            listener()

    # Execution

    async def _async_start(self, _hass: HomeAssistant) -> None:
        """Begin to carry out due plans."""
        self._is_started = True
        if interrupted := [plan for plan in self.all if plan.is_running]:
            for plan in interrupted:
                await self._async_interrupted(plan)
            await self._async_changed()
        await self._async_look()

    @callback
    def async_stop(self, _event: StopEvent | None = None) -> None:
        """Stop carrying out plans."""
        self._is_started = False
        self.ringing.stop_all()
        self._wait()
        self._events.async_watch(())

    async def _async_interrupted(self, plan: Plan) -> None:
        """Report a plan that ran when Home Assistant ended: it may have been carried out.

        A revert is repeated instead, as it does not change restored devices again.
        """
        if plan.is_ending:
            self._plans[plan.id] = replace(plan, is_running=False, due=dt_util.utcnow())
            return
        rings_since = plan.say and plan.say.since
        if rings_since and dt_util.utcnow() - rings_since <= _GRACE:
            self.ringing.begin(plan)
            return
        await async_tell(self._hass, plan, "alarm_missed" if rings_since else "plan_in_doubt")
        if plan.id in self._plans:
            self._end(plan)

    def _wait(self) -> None:
        """Wait for the next time and for events."""
        self._wait_no_longer()
        if not self._is_started:
            return
        self._events.async_watch(self._plans.values())
        now = dt_util.utcnow()
        waits = [self._seconds(plan, plan.due, now) for plan in self._plans.values() if plan.due]
        if self._plans:
            seconds = min((_LOOK, *waits))
            self._timer = async_call_later(self._hass, seconds, self._async_look)

    def _wait_no_longer(self) -> None:
        if self._timer:
            self._timer()
            self._timer = None

    async def _async_look(self, _now: dt.datetime | None = None) -> None:
        """Carry out the plans that are due by the wall clock."""
        # It is also called at the start, when a timer may run.
        self._wait_no_longer()
        now = dt_util.utcnow()
        for plan in self._events.lost():
            await async_tell(self._hass, plan, "plan_unwatched")
        due, before = [], len(self._plans)
        for plan in self.all:
            try:
                if self._is_due(plan, now):
                    self._begin(plan, now)
                    due.append(plan)
            except Exception:  # noqa: BLE001 - an unusable plan must not stop the others
                LOGGER.exception("A plan can't be used, and is set aside")
                del self._plans[plan.id]
                self._store.set_aside(plan)
        if due or len(self._plans) < before:
            await self._async_changed()
        else:
            self._wait()
        await asyncio.gather(*(self._async_do_each(plans, now) for plans in apart(due)))

    def _seconds(self, plan: Plan, due: dt.datetime, now: dt.datetime) -> float:
        """Return the seconds until a plan must be checked again."""
        if due > now:
            return (due - now).total_seconds()
        return 0 if self._is_due(plan, now) else _TRY

    def _is_due(self, plan: Plan, now: dt.datetime) -> bool:
        """Return True if a plan must be carried out now, or given up as too late."""
        if plan.due is None or plan.due > now or plan.is_running:
            return False
        return now - plan.due > _grace(plan) or answers(self._hass, plan)

    async def _async_do_each(self, plans: Sequence[Plan], now: dt.datetime) -> None:
        """Carry out due plans one after the other, except those cancelled meanwhile."""
        for plan in plans:
            assert plan.due
            if plan.id in self._plans:
                await self._async_do(plan, late=now - plan.due)

    def _begin(self, plan: Plan, now: dt.datetime) -> None:
        """Mark a plan as running and set its next time."""
        self._plans[plan.id] = replace(plan.running(now), due=self._next(plan, now))

    @callback
    def _happened(self, plan_id: str) -> None:
        """Carry out a plan whose event has occurred."""
        plan = self._plans.get(plan_id)
        if plan and not plan.is_running:
            self._hass.async_create_task(self._async_on_event(plan), f"{DOMAIN} plan {plan_id}")

    async def _async_on_event(self, plan: Plan) -> None:
        self._plans[plan.id] = plan.running()
        # A plan that waits for its event again can't be repeated by a restart, so a frequent event,
        # such as motion, need not be written to disk.
        if not plan.goes_on:
            await self._async_changed()
        await self._async_do(plan)

    async def _async_do(self, plan: Plan, *, late: dt.timedelta = dt.timedelta()) -> None:
        """Carry out a running plan; report it if that fails or is late."""
        if plan.rings and late <= _GRACE and await is_allowed(self._hass, plan):
            self.ringing.begin(self._plans[plan.id])
            return
        try:
            key, added = await self._async_outcome(plan, late)
        except Exception:  # noqa: BLE001 - whatever a device's integration raises
            LOGGER.exception("A plan failed")
            key, added = "plan_failed", ()
        self._plans = with_endings(self._plans, added)
        if key:
            # Report before the removal: otherwise the report is lost if Home Assistant ends now.
            await async_tell(self._hass, plan, key)
        if current := self._plans.get(plan.id):
            self._end(current)
        if plan.due or added or not plan.goes_on:
            await self._async_changed()

    async def _async_outcome(self, plan: Plan, late: dt.timedelta) -> tuple[str, Sequence[Plan]]:
        """Carry out a plan; return the key of the message to the user, and the plans to add."""
        if plan.rings and late > _GRACE:
            return "alarm_missed", ()
        if late > _grace(plan) and (plan.is_guarded or not plan.is_ending):
            return "plan_missed" if answers(self._hass, plan) else "plan_unanswered", ()
        if not plan.is_ending and not await is_allowed(self._hass, plan):
            return "plan_forbidden", ()
        key, added = await async_carry_out(self._hass, plan)
        if plan.is_ending and added:
            return ("plan_unanswered", ()) if late > _ENDING_GRACE else ("", added)
        is_late = late > _LATE and not plan.say  # a late reminder needs no report
        return key or ("plan_late" if is_late else ""), added


def _grace(plan: Plan) -> dt.timedelta:
    """Return the most delay with which a plan is still carried out."""
    if plan.is_guarded:
        return _GUARDED_GRACE
    return _ENDING_GRACE if plan.is_ending else _GRACE
