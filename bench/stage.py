"""A home in which sentences are said one after the other, each as if it were the first."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
import json
import random
from typing import Any
from zoneinfo import ZoneInfo

from homeassistant.components.conversation.agent_manager import get_agent_manager
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.components.intent import TimerInfo, async_register_timer_handler
from homeassistant.components.intent.const import TIMER_DATA
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from bench.agents import Turn, async_ask, async_tool_names, is_asked
from bench.clock import Clock
from bench.home import Home
from bench.house import House, furnished
from bench.replay import Json, Replay
from bench.scoring import States
from custom_components.voice_gateway.answers.change_log import CHANGES
from custom_components.voice_gateway.plans.plan import Plan
from custom_components.voice_gateway.plans.plans import PLANS
from custom_components.voice_gateway.turn.action_history import DEEDS
from custom_components.voice_gateway.turn.consent_dialog import QUESTIONS

# The test helpers' house is in California.
BEGAN = datetime(2026, 11, 21, 14, tzinfo=ZoneInfo("US/Pacific"))
"""When every sentence is said: on a Saturday."""
COMPARED = (
    "brightness",
    "color_temp_kelvin",
    "current_position",
    "direction",
    "fan_mode",
    "fan_speed",
    "hs_color",
    "humidity",
    "is_volume_muted",
    "media_content_id",
    "media_track",
    "message",
    "oscillating",
    "percentage",
    "preset_mode",
    "temperature",
    "volume_level",
)
"""Attributes that people set. Beside them and the state, a list has its `items`."""
_BEFORE = timedelta(hours=1)
_SENTENCES: dict[str, Any] = {}
"""Home Assistant's own sentences by language: reading them takes seconds."""


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a sentence."""

    turn: Turn
    asked_model: bool
    asks: bool
    """Whether the user was asked before something is done."""
    before: States
    after: States
    told: frozenset[str]
    """The entities that were told to do something, also what they did already."""
    plans: Sequence[Plan]
    timers: Sequence[TimerInfo]

    @property
    def changed(self) -> Sequence[str]:
        """The entities that are not as they were."""
        return [each for each, state in self.after.items() if state != self.before[each]]


@dataclass(slots=True)
class Stage:
    """A home, a clock, and a model that is played."""

    house: House
    clock: Clock
    replay: Replay = field(default_factory=lambda: Replay("replay"))
    _setup: str = field(default="{}", init=False)
    _is_dirty: bool = field(default=True, init=False)

    async def async_begin(self, setup: States, now: str = "") -> None:
        """Put the home into the states of a sentence; anew, if an earlier one has changed it.

        Entities that the home does not have are left out. `now` is a time in ISO format.
        """
        states = json.dumps(setup, sort_keys=True)
        if self._is_dirty or states != self._setup:
            self.clock.set(BEGAN - _BEFORE)
            known = {each.entity_id for each in self.house.home.entities}
            await self.house.async_begin({key: setup[key] for key in setup.keys() & known})
            self._setup, self._is_dirty = states, False
        self.clock.set(datetime.fromisoformat(now) if now else BEGAN)

    async def async_learn(self, agent: str, languages: Sequence[str]) -> None:
        """Let an agent read what it reads at the first sentence of each language."""
        self.replay.tool_names = await async_tool_names(self.house.hass)
        for language in dict.fromkeys(languages):
            await async_ask(self.house.hass, agent, "xyz", language=language)

    async def async_say(
        self, agent: str, text: str, language: str, device: str | None, steps: Sequence[Json]
    ) -> Played:
        """Say a sentence to an agent, whose model answers in these steps; return what became of it.

        What it planned, and what it asks, stays until the next sentence; timers end.
        """
        hass = self.house.hass
        await self._async_forget()
        before = self.states()
        self.replay.begin(text, steps)
        device_id = self.house.device_ids.get(device or "")
        turn = await async_ask(hass, agent, text, device_id, language=language)
        played = Played(
            turn=turn,
            asked_model=self.replay.was_asked,
            asks=is_asked(hass, turn),
            before=before,
            after=self.states(),
            told=frozenset(key for key, each in self.house.devices.items() if each.deeds),
            plans=plans(hass),
            timers=self._timers(),
        )
        self._is_dirty = bool(turn.calls or played.changed)
        return played

    def states(self) -> States:
        """Return the states of all entities, and those attributes that people set."""
        found: dict[str, dict[str, Any]] = {}
        for entity_id, state in self.house.states().items():
            device = self.house.devices.get(entity_id)
            found[entity_id] = {key: state[key] for key in ("state", *COMPARED) if key in state}
            if entity_id.startswith("todo."):
                items = getattr(device, "_attr_todo_items", None) or ()
                found[entity_id]["items"] = [f"{item.summary}: {item.status}" for item in items]
            if entity_id.startswith("light."):
                # A played light keeps its color mode, in which the state has no color temperature.
                kelvin = getattr(device, "_attr_color_temp_kelvin", None)
                found[entity_id]["color_temp_kelvin"] = kelvin
        return found

    async def _async_forget(self) -> None:
        """Let no sentence depend on those before it, in the product or in Home Assistant."""
        hass = self.house.hass
        hass.data.pop(DEEDS, None)
        hass.data.pop(QUESTIONS, None)
        if made := plans(hass):
            await hass.data[PLANS].async_remove([each.id for each in made])
        if changes := hass.data.get(CHANGES):
            changes._entities.clear()  # it listens until Home Assistant ends
            changes._contexts.clear()
        hass.data[DATA_CHAT_LOGS].clear()
        for handler in intent.async_get(hass):
            if paused := getattr(handler, "last_paused", None):
                paused.clear()
        for device in self.house.devices.values():
            device.deeds.clear()

    def _timers(self) -> Sequence[TimerInfo]:
        """Return the timers that were started, and end them."""
        if (manager := self.house.hass.data.get(TIMER_DATA)) is None:
            return ()
        found = [*manager.timers.values()]
        for timer in found:
            manager.cancel_timer(timer.id)
        return found


def plans(hass: HomeAssistant) -> Sequence[Plan]:
    """Return what is planned; of Home Assistant's own agents, nothing ever is."""
    return hass.data[PLANS].all if PLANS in hass.data else ()


def share_sentences(hass: HomeAssistant) -> None:
    """Spare a new Home Assistant the reading of its sentences: it takes longer than a turn."""
    agent = get_agent_manager(hass).default_agent
    assert agent is not None
    agent._lang_intents = _SENTENCES


@asynccontextmanager
async def stage_of(home: Home, clock: Clock) -> AsyncGenerator[Stage]:
    """Run a Home Assistant with a home in it, and yield the stage."""
    clock.set(BEGAN - _BEFORE)
    # Once: ids of conversations are made of the time, which stands, and of random numbers.
    random.seed(0)
    async with furnished(home) as house:
        share_sentences(house.hass)
        for device_id in house.device_ids.values():
            async_register_timer_handler(house.hass, device_id, lambda *_: None)
        await house.hass.async_block_till_done()
        yield Stage(house, clock)
        await asyncio.sleep(0)
