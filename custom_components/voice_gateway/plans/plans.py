"""All plans of a home: stored, and carried out when their moment comes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
import datetime as dt
from typing import Any

from homeassistant.const import EVENT_HOMEASSISTANT_STOP
from homeassistant.core import CALLBACK_TYPE, Event as StopEvent, HomeAssistant, callback
from homeassistant.helpers.event import async_track_point_in_utc_time
from homeassistant.helpers.start import async_at_started
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.ulid import ulid_now

from ..const import DOMAIN, LOGGER
from .carry_out import async_carry_out, async_tell, is_allowed
from .events import Events
from .latest import Latest
from .plan import Plan
from .shared_entity import SharedEntity
from .when import Event, Once, Repeat, When, next_after

PLANS: HassKey[Plans] = HassKey(f"{DOMAIN}_plans")
MOST = 1000
"""Plans that are kept at a time."""

_VERSION = 1
_GRACE = dt.timedelta(minutes=15)
"""How late something is still done: after a restart, or where the clock was set."""
_GUARDED_GRACE = dt.timedelta(minutes=1)
_LOOK = dt.timedelta(minutes=1)
"""How often the clock on the wall is looked at: it may be set while the event loop's goes on."""


class Plans:
    """The plans of a home.

    - A plan is stored before anybody is told of it, and taken off, or moved on to its next time, before
      it is carried out: whatever ends Home Assistant, it is never carried out twice.
    - A plan that comes too late is not carried out, and the user is told; what only ends something is
      never too late.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Begin without plans."""
        self._hass = hass
        self._store: Store[dict[str, Any]] = Store(
            hass, _VERSION, f"{DOMAIN}.plans", private=True, atomic_writes=True
        )
        self._plans: dict[str, Plan] = {}
        self._listeners: list[CALLBACK_TYPE] = []
        self._timer: CALLBACK_TYPE | None = None
        self._events = Events(hass, self._happened)
        self._is_started = False
        self.latest = Latest()
        self.calendar = SharedEntity()
        self.list = SharedEntity()

    async def async_load(self) -> None:
        """Read what is stored; carry it out from when Home Assistant has started."""
        stored = await self._store.async_load() or {}
        for data in stored.get("plans", ()):
            try:
                plan = Plan.of_json(data)
            except (KeyError, TypeError, ValueError) as err:
                LOGGER.warning("A plan in the storage can't be read, and is left out: %s", err)
                continue
            self._plans[plan.id] = plan
        async_at_started(self._hass, self._async_start)
        self._hass.bus.async_listen_once(EVENT_HOMEASSISTANT_STOP, self._async_stop)

    @property
    def all(self) -> Sequence[Plan]:
        """All plans, the next ones first; those that wait for an event last."""
        return sorted(self._plans.values(), key=_order)

    def get(self, plan_id: str) -> Plan | None:
        """Return a plan by its id."""
        return self._plans.get(plan_id)

    async def async_add(self, *plans: Plan) -> None:
        """Keep plans. Raises ValueError where there are too many."""
        if len(self._plans) + len(plans) > MOST:
            raise ValueError("Too many plans")
        self._plans |= {plan.id: plan for plan in plans}
        await self._async_changed()

    async def async_remove(self, plan_ids: Iterable[str]) -> Sequence[Plan]:
        """Forget plans; return those that there were."""
        gone = [plan for each in plan_ids if (plan := self._plans.pop(each, None))]
        if gone:
            await self._async_changed()
        return gone

    def times(
        self, plan: Plan, begins: dt.datetime, ends: dt.datetime, most: int
    ) -> Iterator[dt.datetime]:
        """Yield the times of a plan that are to come, after one time and before another one."""
        at = plan.due
        for _ in range(most):
            if at is None or at >= ends:
                return
            if at > begins:
                yield at
            at = self._next(plan, at)

    async def async_move(self, plan_id: str, at: dt.datetime) -> None:
        """Do it at another time, in UTC; what is done again and again, at its time of day from then on."""
        plan = self._plans[plan_id]
        when: When = Once(at=at)
        if isinstance(plan.when, Repeat):
            since = at - dt.timedelta(seconds=1)
            time = dt_util.as_local(at).time()
            when = replace(plan.when, since=since, time=time, sun="", seconds=None)
        await self.async_replace(replace(plan, when=when, due=at))

    async def async_move_one(self, plan_id: str, before: dt.datetime, at: dt.datetime) -> None:
        """Do at another time what would be done at one of a plan's times; both in UTC."""
        plan = self._plans[plan_id]
        once = replace(plan, id=ulid_now(), when=Once(at=at), due=at, skipped=(), last=None)
        self._plans[once.id] = once
        await self.async_skip(plan_id, before)

    async def async_skip(self, plan_id: str, at: dt.datetime) -> None:
        """Leave out one of a plan's times, in UTC."""
        plan = self._plans[plan_id]
        plan = replace(plan, skipped=(*plan.skipped, at))
        due = self._next(plan, at) if plan.due == at else plan.due
        await self.async_replace(replace(plan, due=due))

    async def async_end_before(self, plan_id: str, at: dt.datetime) -> None:
        """Leave out one of a plan's times, in UTC, and all after it."""
        plan = self._plans[plan_id]
        if plan.due and plan.due >= at:
            await self.async_remove([plan_id])
        else:
            await self.async_replace(replace(plan, last=at - dt.timedelta(seconds=1)))

    async def async_end_now(self, plan_id: str) -> None:
        """Undo now what a plan would have undone later."""
        now = dt_util.utcnow()
        plan = replace(self._plans[plan_id], when=Once(at=now), due=now)
        self._begin(plan, now)
        await self._async_changed()
        await self._async_do(plan)

    async def async_replace(self, plan: Plan) -> None:
        """Keep a plan instead of the one that has its id."""
        self._plans[plan.id] = plan
        await self._async_changed()

    def _next(self, plan: Plan, after: dt.datetime) -> dt.datetime | None:
        """Return the next time of a plan, in UTC; None where it is over."""
        if plan.is_once or isinstance(plan.when, Event):
            return None
        at = next_after(plan.when, after, self._hass)
        while at in plan.skipped:
            at = next_after(plan.when, at, self._hass)
        return None if at and plan.last and at > plan.last else at

    @callback
    def async_listen(self, listener: CALLBACK_TYPE) -> CALLBACK_TYPE:
        """Call a listener whenever the plans have changed, until the returned function is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def _async_changed(self) -> None:
        """Store the plans, and wait for what is next now."""
        await self._store.async_save({"plans": [each.as_json() for each in self._plans.values()]})
        self._wait()
        for listener in tuple(self._listeners):
            listener()

    # When a moment comes

    async def _async_start(self, _hass: HomeAssistant) -> None:
        """Begin to carry out what is due."""
        self._is_started = True
        for plan in self.all:
            if plan.is_running:
                await self._async_interrupted(plan)
        await self._async_look()

    @callback
    def _async_stop(self, _event: StopEvent) -> None:
        """Carry out nothing more."""
        self._is_started = False
        self._wait()
        self._events.async_watch(())

    async def _async_interrupted(self, plan: Plan) -> None:
        """Tell of a plan in the midst of which Home Assistant ended: it may have been carried out."""
        self._tell(plan, "plan_in_doubt")
        self._plans.pop(plan.id, None)
        if not plan.is_once:
            self._plans[plan.id] = replace(plan, is_running=False)

    def _wait(self) -> None:
        """Wait for the next moment, and for events."""
        if self._timer:
            self._timer()
            self._timer = None
        if not self._is_started:
            return
        self._events.async_watch(self._plans.values())
        due = min((plan.due for plan in self._plans.values() if plan.due), default=None)
        if due or self._events.are_unclear:
            look = dt_util.utcnow() + _LOOK
            self._timer = async_track_point_in_utc_time(
                self._hass, self._async_look, min(due or look, look)
            )

    async def _async_look(self, _now: dt.datetime | None = None) -> None:
        """Carry out what is due by the clock on the wall."""
        self._timer = None
        now = dt_util.utcnow()
        due = [plan for plan in self.all if plan.due and plan.due <= now and not plan.is_running]
        for plan in due:
            self._begin(plan, now)
        if due:
            await self._async_changed()
        else:
            self._wait()
        for plan in due:
            assert plan.due
            doing = self._async_do(plan, late=now - plan.due)
            if plan.say:
                # It takes as long as it is spoken.
                self._hass.async_create_task(doing, f"{DOMAIN} plan {plan.id}")
            else:
                await doing

    def _begin(self, plan: Plan, now: dt.datetime) -> None:
        """Note that a plan begins, and when it is to be carried out again."""
        self._plans[plan.id] = replace(plan.running(), due=self._next(plan, now))

    @callback
    def _happened(self, plan_id: str) -> None:
        """Carry out a plan whose event has come."""
        plan = self._plans.get(plan_id)
        if plan and not plan.is_running:
            self._hass.async_create_task(self._async_on_event(plan), f"{DOMAIN} plan {plan_id}")

    async def _async_on_event(self, plan: Plan) -> None:
        self._plans[plan.id] = plan.running()
        await self._async_changed()
        await self._async_do(plan)

    async def _async_do(self, plan: Plan, *, late: dt.timedelta = dt.timedelta()) -> None:
        """Carry out a plan that has begun; tell the user where it can't be, or is late."""
        key = ""
        added: Sequence[Plan] = ()
        grace = _GUARDED_GRACE if plan.is_guarded else _GRACE
        if late > grace and not plan.is_ending:
            key = "plan_missed"
        elif not await is_allowed(self._hass, plan):
            key = "plan_forbidden"
        else:
            key, added = await async_carry_out(self._hass, plan)
            if not key and late > _LOOK and not plan.say:
                key = "plan_late"
        self._plans |= {each.id: each for each in added}
        if current := self._plans.get(plan.id):
            if current.due or (isinstance(current.when, Event) and current.when.each):
                self._plans[plan.id] = replace(current, is_running=False)
            else:
                del self._plans[plan.id]
        await self._async_changed()
        if key:
            self._tell(plan, key)

    def _tell(self, plan: Plan, key: str) -> None:
        """Tell the user of a plan; what is spoken holds up no other plan."""
        telling = async_tell(self._hass, plan, key)
        self._hass.async_create_task(telling, f"{DOMAIN} tell {plan.id}")


def _order(plan: Plan) -> tuple[bool, dt.datetime, str]:
    return plan.due is None, plan.due or plan.made, plan.id
