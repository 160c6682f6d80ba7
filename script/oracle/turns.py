"""The stage "turns": what a whole turn does, without a model's help and with a model's obvious calls."""

from collections.abc import Sequence

from bench.agents import async_add_agent
from bench.replay import DONE, serve, steps
from bench.stage import Played, Stage

from . import calls as probes
from .cases import Case, Json, plain
from .product import AGENT, Listener, told

FACETS = ("silent", "silent_speech", "eager", "eager_speech")
BEHAVIOURS = ("silent", "eager")
"""A model that says nothing, and one that makes the obvious calls whatever was said."""
_STATELESS = ("button", "scene")
"""Domains whose state is the time of the last activation."""


async def async_play(stage: Stage, cases: Sequence[Case]) -> Sequence[Json]:
    """Return the records of sentences of one home, in its order; earlier sentences are not said."""
    hass, listener = stage.house.hass, Listener.of(stage.house.hass)
    async with serve(stage.replay) as url:
        agent = await async_add_agent(hass, AGENT, url, stage.replay.model)
        await stage.async_learn(agent, [case.language for case in cases])
        return [await _async_line(stage, listener, agent, case) for case in cases]


async def _async_line(stage: Stage, listener: Listener, agent: str, case: Case) -> Json:
    """Return what each behaviour of a model leads to."""
    calls = case.calls or await _async_obvious(stage, listener, case)
    line: Json = {"calls": [*calls]}
    for behaviour in BEHAVIOURS:
        made = calls if behaviour == "eager" else ()
        answer = steps(DONE if made else "", made)
        await stage.async_begin(case.setup, case.now)
        played = await stage.async_say(agent, case.text, case.language, case.device, answer)
        line[behaviour], line[f"{behaviour}_speech"] = _record(played), played.turn.speech
    return line


async def _async_obvious(stage: Stage, listener: Listener, case: Case) -> Sequence[Json]:
    await stage.async_begin(case.setup, case.now)
    device_id = stage.house.device_ids.get(case.device or "")
    understood = await listener.async_understand(case.text, case.language, device_id)
    return probes.obvious(understood.recognition(), understood.aimed_at(), "")


def _record(played: Played) -> Json:
    """Return what became of a sentence, without what is empty."""
    found: Json = {
        "asked_model": played.asked_model,
        "asks": played.asks,
        "listens": played.turn.listens,
        "calls": [
            [each.tool_name.rpartition("__")[2], plain(each.tool_args)]
            for each in played.turn.calls
        ],
        "changes": _changes(played),
        "plans": [*told(played.plans)],
        "timers": [{"name": each.name, "seconds": each.created_seconds} for each in played.timers],
    }
    return {key: value for key, value in found.items() if value}


def _changes(played: Played) -> Json:
    """Return what changed, by entity and attribute: the value before and after."""
    found: Json = {}
    for entity_id in played.changed:
        before, after = played.before[entity_id], played.after[entity_id]
        if entity_id.startswith(_STATELESS):
            found[entity_id] = "activated"
            continue
        for key in sorted({*before, *after}):
            if before.get(key) != after.get(key):
                values = [plain(before.get(key)), plain(after.get(key))]
                found.setdefault(entity_id, {})[key] = values
    return found
