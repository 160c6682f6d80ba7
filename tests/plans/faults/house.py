"""A home in which something is planned, and time goes by."""

from dataclasses import dataclass, field, replace
import datetime as dt
import json
from pathlib import Path
from typing import Any

from homeassistant.components import persistent_notification
from homeassistant.components.persistent_notification import UpdateType
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import intent

from bench.clock import Clock
from custom_components.voice_gateway.nlu.time_resolution import TimeExpression, TimeType
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.plans.plan import Plan, PlannedCall, Spoken
from custom_components.voice_gateway.plans.plans import PLANS, Plans
from custom_components.voice_gateway.plans.schedule import AtTime, OnEvent, Recurrence, Schedule
from custom_components.voice_gateway.plans.undo import target_of

SPOKEN = Spoken(
    text="turn on the bed light",
    moment="in ten minutes",
    language="en",
    agent_id="conversation.jarvis",
    apis=("assist",),
)


@dataclass
class House:
    """A Home Assistant with plans."""

    hass: HomeAssistant
    clock: Clock
    _told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Listen to what the user is told."""

        def tell(
            change: UpdateType, notes: dict[str, persistent_notification.Notification]
        ) -> None:
            if change is UpdateType.ADDED:
                self._told += [each["message"] for each in notes.values()]

        persistent_notification.async_register_callback(self.hass, callback(tell))

    @property
    def plans(self) -> Plans:
        """Its plans."""
        return self.hass.data[PLANS]

    @property
    def now(self) -> dt.datetime:
        """What time it is, in UTC."""
        return self.clock.now()

    @property
    def stored(self) -> Path:
        """The file of the plans."""
        return Path(self.hass.config.path(".storage", "voice_gateway.plans"))

    @property
    def told(self) -> list[str]:
        """What the user was told, since this was looked at the last time."""
        told, self._told = self._told, []
        return told

    def stop(self) -> None:
        """Stop the plans, as Home Assistant's end does."""
        self.plans.async_stop()

    async def restart(self, at: dt.datetime | None = None) -> None:
        """Start the plans anew on what is stored, some time later."""
        self.stop()
        if at:
            self.clock.set(at)
        plans = self.hass.data[PLANS] = Plans(self.hass)
        await plans.async_load()
        await self.hass.async_block_till_done()

    async def until(self, at: dt.datetime) -> None:
        """Let the time go by."""
        await self.clock.async_move(self.hass, at + dt.timedelta(seconds=1))

    async def do(self, service: str, entity_id: str | None = None, **data: Any) -> None:
        """Have somebody do something in Home Assistant's own pages."""
        domain, _, name = service.partition(".")
        await self.hass.services.async_call(
            domain, name, data, True, target={"entity_id": entity_id} if entity_id else None
        )
        await self.hass.async_block_till_done()

    def state(self, entity_id: str) -> str:
        """Return the state of a device."""
        state = self.hass.states.get(entity_id)
        return state.state if state else ""

    def attribute(self, entity_id: str, name: str) -> Any:
        """Return an attribute of a device."""
        state = self.hass.states.get(entity_id)
        return state and state.attributes.get(name)

    def planned(self, when: Schedule | dt.timedelta, *entity_ids: str, **more: Any) -> Plan:
        """Return the plan to turn something on; a time span is one from now."""
        if isinstance(when, dt.timedelta):
            when = AtTime(at=self.now + when)
        due = when.at if isinstance(when, AtTime) else None
        intent_type = more.pop("intent_type", intent.INTENT_TURN_ON)
        plan = Plan(
            spoken=SPOKEN,
            made=self.now,
            when=when,
            due=due,
            call=PlannedCall(
                tool=intent_type,
                intent_type=intent_type,
                arguments=more.pop("arguments", {"name": "Bed Light"}),
                targets=tuple(target_of(self.hass, each) for each in entity_ids),
            ),
            about=("Bed Light",),
        )
        if isinstance(when, Recurrence):
            plan = replace(plan, due=self.plans._next(plan, self.now))
        return replace(plan, **more)

    async def add(self, when: Schedule | dt.timedelta, *entity_ids: str, **more: Any) -> Plan:
        """Plan to turn something on."""
        plan = self.planned(when, *(entity_ids or ("light.bed_light",)), **more)
        await self.plans.async_add(plan)
        await self.hass.async_block_till_done()
        return plan

    def data(self) -> Any:
        """Return what is stored."""
        return json.loads(self.stored.read_text())["data"]


def lasting(seconds: float) -> tuple[TimeExpression, ...]:
    """Return the moment of "for" so many seconds."""
    text = Text(f"for {seconds} seconds", "en")
    return (TimeExpression(type=TimeType.FOR, text=text, seconds=seconds),)


def when_open(*, each: bool = False, held: float = 0, window: str = "kitchen window") -> OnEvent:
    """Return the event that a window is opened."""
    return OnEvent(condition=f"the {window} is opened", each=each, held=held)
