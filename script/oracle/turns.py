"""The stage "turns": what a whole turn does, without a model's help and with a model's obvious calls."""

from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.components.intent.const import TIMER_DATA
from homeassistant.helpers import intent

from bench.agents import async_add_agent, async_ask, async_tool_names
from bench.replay import Replay, serve

from . import calls as probes
from .cases import Case, Json, plain
from .product import AGENT, Listener, async_forget, is_pending, plans
from .stage import Stage

type States = Mapping[str, Mapping[str, Any]]

FACETS = ("silent", "silent_speech", "eager", "eager_speech")
BEHAVIOURS = ("silent", "eager")
"""A model that says nothing, and one that makes the obvious calls whatever was said."""
_MODEL = "replay"
_STATELESS = ("button", "scene")
"""Domains whose state is the time of the last activation."""
_COMPARED = (
    "brightness",
    "color_temp_kelvin",
    "current_position",
    "direction",
    "fan_mode",
    "fan_speed",
    "hs_color",
    "humidity",
    "is_volume_muted",
    "media_track",
    "message",
    "oscillating",
    "percentage",
    "preset_mode",
    "temperature",
    "volume_level",
)
"""Attributes whose changes are recorded, besides the state."""


async def async_play(stage: Stage, cases: Sequence[Case]) -> Sequence[Json]:
    """Return the records of sentences of one home, in its order; earlier sentences are not said."""
    hass, replay = stage.house.hass, Replay(_MODEL)
    async with serve(replay) as url:
        agent = await async_add_agent(hass, AGENT, url, _MODEL)
        replay.tool_names = await async_tool_names(hass)
        for language in dict.fromkeys(case.language for case in cases):
            await async_ask(hass, agent, "xyz", language=language)
        played = _Played(stage, replay, agent)
        return [await played.async_line(case) for case in cases]


class _Played:
    """Says sentences to an agent."""

    def __init__(self, stage: Stage, replay: Replay, agent: str) -> None:
        self._stage = stage
        self._hass = stage.house.hass
        self._replay = replay
        self._agent = agent
        self._listener = Listener.of(stage.house.hass)
        self._is_dirty = True

    async def async_line(self, case: Case) -> Json:
        """Return what each behaviour of a model leads to."""
        calls = case.calls or await self._obvious(case)
        line: Json = {"calls": [*calls]}
        for behaviour in BEHAVIOURS:
            made = calls if behaviour == "eager" else ()
            line[behaviour], line[f"{behaviour}_speech"] = await self._async_say(case, made)
        return line

    async def _obvious(self, case: Case) -> Sequence[Json]:
        await self._stage.async_begin(case, is_dirty=self._is_dirty)
        self._is_dirty = False
        device_id = self._stage.device_id(case)
        understood = await self._listener.async_understand(case.text, case.language, device_id)
        return probes.obvious(understood.recognition(), understood.aimed_at(), "")

    async def _async_say(self, case: Case, calls: Sequence[Json]) -> tuple[Json, str]:
        """Say a sentence; return what became of it, and what was answered."""
        await self._stage.async_begin(case, is_dirty=self._is_dirty)
        await self._async_forget()
        hass, device_id = self._hass, self._stage.device_id(case)
        before = self._states()
        steps: list[Json] = [{"content": "Done." if calls else "", "tool_calls": []}]
        if calls:
            steps.insert(0, {"content": "", "tool_calls": [*calls]})
        self._replay.begin(case.text, steps)
        turn = await async_ask(hass, self._agent, case.text, device_id, language=case.language)
        found: Json = {
            "asked_model": self._replay.was_asked,
            "asks": is_pending(hass, turn.conversation_id),
            "listens": turn.listens,
            "calls": [
                [each.tool_name.rpartition("__")[2], plain(each.tool_args)] for each in turn.calls
            ],
            "changes": _changes(before, self._states()),
            "plans": [*plans(hass)],
            "timers": self._timers(),
        }
        self._is_dirty = bool(found["calls"] or found["changes"])
        return {key: value for key, value in found.items() if value}, turn.speech

    async def _async_forget(self) -> None:
        """Let no sentence depend on those before it, in the product or in Home Assistant."""
        await async_forget(self._hass)
        self._hass.data[DATA_CHAT_LOGS].clear()
        for handler in intent.async_get(self._hass):
            if paused := getattr(handler, "last_paused", None):
                paused.clear()

    def _states(self) -> States:
        states = self._stage.house.states()
        found = {
            entity_id: {key: plain(state[key]) for key in ("state", *_COMPARED) if key in state}
            for entity_id, state in states.items()
        }
        for entity_id, device in self._stage.house.devices.items():
            if entity_id.startswith("todo."):
                items = getattr(device, "_attr_todo_items", None) or ()
                found[entity_id]["items"] = [f"{item.summary}: {item.status}" for item in items]
        return found

    def _timers(self) -> Sequence[Json]:
        """Return the timers that were started, and end them."""
        found: list[Json] = []
        if manager := self._hass.data.get(TIMER_DATA):
            for timer in [*manager.timers.values()]:
                found.append({"name": timer.name, "seconds": timer.created_seconds})
                manager.cancel_timer(timer.id)
        return found


def _changes(before: States, after: States) -> Json:
    """Return what changed, by entity and attribute: the value before and after."""
    found: Json = {}
    for entity_id, state in after.items():
        was = before.get(entity_id, {})
        if entity_id.startswith(_STATELESS):
            if was != state:
                found[entity_id] = "activated"
            continue
        for key in sorted({*was, *state}):
            if was.get(key) != state.get(key):
                found.setdefault(entity_id, {})[key] = [was.get(key), state.get(key)]
    return found
