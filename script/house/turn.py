"""One sentence, said to the house: what was called, what changed, what was answered."""

import asyncio
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from time import perf_counter

from script.house.api import Api, Json
from script.house.assistant import Assistant

# Domains of what can be acted on; the others change by themselves.
_CONTROLLED = (
    "alarm_control_panel",
    "climate",
    "cover",
    "fan",
    "humidifier",
    "input_boolean",
    "lawn_mower",
    "light",
    "lock",
    "media_player",
    "number",
    "select",
    "siren",
    "switch",
    "vacuum",
    "valve",
    "water_heater",
)
# What a person notices of a device beside its state.
_NOTICED = (
    "brightness",
    "rgb_color",
    "color_temp_kelvin",
    "current_position",
    "temperature",
    "target_temp_high",
    "target_temp_low",
    "percentage",
    "preset_mode",
    "oscillating",
    "volume_level",
    "is_volume_muted",
    "media_title",
    "source",
)
_MOVING = frozenset(("opening", "closing", "locking", "unlocking"))
SETTLE_TIMEOUT = 12
"""Seconds to wait for a cover on its way or a lock that turns."""
RUN_TIMEOUT = 900
"""Seconds for a run of the pipeline."""
_POLL = 0.25


@dataclass(slots=True)
class Change:
    """How a device changed: `before` and `after` have its state and whatever else is different."""

    entity_id: str
    name: str
    before: Json
    after: Json


@dataclass(slots=True)
class Turn:
    """A sentence and what came of it. `seconds` are by step, in their order."""

    text: str
    tool_calls: list[Json] = field(default_factory=list)
    """Each with `id`, `name`, `arguments`, and, once it has one, its `result` and whether it `failed`."""
    changes: list[Change] = field(default_factory=list)
    answer: str = ""
    failed: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    conversation_id: str | None = None


async def say(
    api: Api, assistant: Assistant, text: str, conversation_id: str | None = None
) -> Turn:
    """Say a sentence, as part of a conversation if there is one, and wait for what comes of it."""
    turn = Turn(text, conversation_id=conversation_id)
    before = await api.states()
    await _run(api, assistant, turn)
    turn.changes = changes(before, await settled(api, before))
    return turn


async def _run(api: Api, assistant: Assistant, turn: Turn) -> None:
    clock = _Clock()
    events = api.events(
        "assist_pipeline/run",
        start_stage="intent",
        end_stage="intent",
        input={"text": turn.text},
        pipeline=assistant.pipeline_id,
        conversation_id=turn.conversation_id,
        # An agent ends its turns by itself, or is to be seen to take its time.
        timeout=RUN_TIMEOUT,
    )
    async with aclosing(events):
        async for event in events:
            match event:
                case {"type": "intent-progress", "data": {"chat_log_delta": delta}}:
                    _note(turn, clock, delta)
                case {"type": "intent-end", "data": {"intent_output": output}}:
                    response = output["response"]
                    turn.answer = response["speech"]["plain"]["speech"]
                    turn.failed = response["response_type"] == "error"
                    turn.conversation_id = output["conversation_id"]
                case {"type": "error", "data": {"message": message}}:
                    turn.answer = message
                    turn.failed = True
                case {"type": "run-end"}:
                    break
    clock.spend("answer")
    turn.seconds = clock.spent


def _note(turn: Turn, clock: _Clock, delta: Json) -> None:
    """Note a tool call or a tool's result."""
    for call in delta.get("tool_calls") or ():
        clock.spend("understand")
        turn.tool_calls.append(
            {"id": call["id"], "name": call["tool_name"], "arguments": call["tool_args"]}
        )
    if delta.get("role") == "tool_result":
        clock.spend("act")
        for call in turn.tool_calls:
            if call["id"] == delta["tool_call_id"]:
                call["result"] = delta["result"]["data"]
                call["failed"] = delta["result"]["error"]


class _Clock:
    """Adds up the seconds of each step."""

    def __init__(self) -> None:
        self._last = perf_counter()
        self.spent: dict[str, float] = {}

    def spend(self, step: str) -> None:
        now = perf_counter()
        self.spent[step] = self.spent.get(step, 0) + now - self._last
        self._last = now


async def settled(api: Api, before: dict[str, Json]) -> dict[str, Json]:
    """Return the states when nothing that was changed is on its way any more."""
    states = await api.states()
    # What moves for longer than anybody wants to wait is told as moving.
    with suppress(TimeoutError):
        async with asyncio.timeout(SETTLE_TIMEOUT):
            while any(change.after["state"] in _MOVING for change in changes(before, states)):
                await asyncio.sleep(_POLL)
                states = await api.states()
    return states


def changes(before: dict[str, Json], after: dict[str, Json]) -> list[Change]:
    """Return what a person notices of the difference between two sets of states."""
    found = []
    for entity_id, new in after.items():
        if entity_id.partition(".")[0] not in _CONTROLLED:
            continue
        was, is_ = _noticed(before.get(entity_id)), _noticed(new)
        different = [key for key in is_ if was.get(key) != is_[key]]
        if different:
            found.append(
                Change(
                    entity_id,
                    new["attributes"].get("friendly_name", entity_id),
                    {key: was.get(key) for key in ("state", *different)},
                    {key: is_[key] for key in ("state", *different)},
                )
            )
    return found


def _noticed(state: Json | None) -> Json:
    if state is None:
        return {}
    attributes = state["attributes"]
    return {"state": state["state"], **{key: attributes.get(key) for key in _NOTICED}}
