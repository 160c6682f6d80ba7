"""Events that plans wait for: something in the home becomes so."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

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
from ..heard.heard import area_of
from ..heard.said import Kind
from ..heard.watched import Watched, async_watched
from ..home.exposed import Home
from .plan import Plan, Spoken
from .undo import entity_id_of
from .when import Event


@dataclass(slots=True)
class _Watch:
    """What one plan waits for."""

    watched: Watched
    was_so: bool
    stop: CALLBACK_TYPE | None = None
    held: CALLBACK_TYPE | None = None
    """Ends the wait for how long it has to be so."""

    def end(self) -> None:
        """Watch no longer."""
        for stop in (self.stop, self.held):
            if stop:
                stop()


class Events:
    """Watches the home for plans.

    An event is that something becomes so which was not so before; where nobody knows how it is, because a
    device does not answer, that is no change.
    """

    def __init__(self, hass: HomeAssistant, happened: Callable[[str], None]) -> None:
        """Take what is called with the id of a plan whose event has come."""
        self._hass = hass
        self._happened = happened
        self._began = dt_util.utcnow()
        self._watches: dict[str, _Watch | None] = {}
        """By plan; None while it is not clear yet what is to be watched."""

    @property
    def are_unclear(self) -> bool:
        """Whether a plan waits for what nothing shows at present: a device may come back."""
        return None in self._watches.values()

    @callback
    def async_watch(self, plans: Iterable[Plan]) -> None:
        """Watch for the events of these plans, and for no others."""
        waiting = {plan.id: plan for plan in plans if isinstance(plan.when, Event)}
        for plan_id in self._watches.keys() - waiting:
            if watch := self._watches.pop(plan_id):
                watch.end()
        for plan_id, plan in waiting.items():
            if self._watches.get(plan_id) is None:
                self._watches[plan_id] = None
                self._hass.async_create_task(self._async_begin(plan), f"{DOMAIN} watch {plan_id}")

    async def _async_begin(self, plan: Plan) -> None:
        assert isinstance(plan.when, Event)
        home = Home.seen_by(self._hass, conversation.DOMAIN)
        kind = Kind.UNTIL if plan.is_ending and not plan.when.is_over else Kind.WHEN
        watched = await async_watch(self._hass, home, plan.spoken, plan.when.condition, kind)
        if watched is None or self._watches.get(plan.id, watched) is not None:
            return
        is_so = watched.is_so() is True
        if plan.is_ending and (plan.when.is_over or plan.made < self._began):
            # It was not over when it was planned, and may be by now.
            is_so = plan.when.is_over
        watch = self._watches[plan.id] = _Watch(watched, was_so=is_so)

        @callback
        def changed(_event: StateEvent[EventStateChangedData]) -> None:
            self._look(plan, watch)

        watch.stop = async_track_state_change_event(self._hass, watched.entity_ids, changed)
        self._look(plan, watch)

    @callback
    def _look(self, plan: Plan, watch: _Watch) -> None:
        """See whether it has become so."""
        is_so = watch.watched.is_so()
        if is_so is None or is_so is watch.was_so:
            return
        watch.was_so = is_so
        if watch.held:
            watch.held()
            watch.held = None
        assert isinstance(plan.when, Event)
        if is_so is plan.when.is_over:
            return
        if seconds := plan.when.held or watch.watched.held:
            watch.held = async_call_later(self._hass, seconds, self._held(plan, watch))
        else:
            self._happened(plan.id)

    def _held(self, plan: Plan, watch: _Watch) -> Callable[[object], None]:
        @callback
        def held_long_enough(_now: object) -> None:
            watch.held = None
            self._happened(plan.id)

        return held_long_enough


async def async_watch(
    hass: HomeAssistant, home: Home, spoken: Spoken, condition: str, kind: Kind = Kind.WHEN
) -> Watched | None:
    """Return what shows what was spoken of with a command; None where nothing does."""
    if spoken.among:
        ids = {entity_id_of(hass, each) for each in spoken.among}
        known = tuple(each for each in home.entities if each.entity_id in ids)
        home = replace(home, entities=known)
    return await async_watched(
        hass,
        condition,
        home,
        spoken.language,
        area_of(hass, spoken.device_id),
        command=spoken.text,
        user_id=spoken.user_id,
        kind=kind,
    )
