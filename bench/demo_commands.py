"""Twelve plain commands to the demo's house, with a small model: how many end as they should.

Home Assistant's own `ollama` agent and ours use the same embedded server, one after the other. A
command is done when the devices that it names are in the right state and no other has changed; a
question is answered when that is true and nothing has changed. Ours is asked at temperature 0.
Home Assistant's has no such setting: it takes the server's default.

Prints a line for each command, and last

    demo-commands/1.5b core=0 voice_gateway=11 unit=commands ratio=inf n=12
"""

import argparse
import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
import re
import sys
from typing import Any

from bench.results import line
from script.house.api import Json, until
from script.house.assistant import Assistant, add_entry, add_pipeline, add_subentry, agent_of
from script.house.build import TURN_TIMEOUT, House, house
from script.house.failure import HouseError
from script.house.model import NUM_CTX, embedded
from script.house.turn import Turn, say, settled

type States = Mapping[str, Json]
type Action = tuple[str, str, dict[str, Any]]

LIGHTS_ON = ("light.ceiling_lights", "light.kitchen_lights")


@dataclass(frozen=True, slots=True)
class Command:
    """A sentence: what to do before it, and how things are when it was understood."""

    text: str
    before: tuple[Action, ...] = ()
    wanted: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By device its state and attributes afterwards; numbers may be off by one percent."""
    true: Callable[[str, States], bool] = lambda answer, states: True
    """Whether an answer is true, in these states."""


def tells_time(answer: str, _: States) -> bool:
    """Tell whether the time in an answer is that of the clock, give or take two minutes."""
    now = datetime.now().astimezone()
    for hour, minute, half in re.findall(
        r"(\d{1,2}):(\d{2})(?::\d{2})?\s*([ap]\.?m)?", answer, re.IGNORECASE
    ):
        told = int(hour) % 12 * 60 + int(minute)
        if half.casefold().startswith("p") or (not half and int(hour) >= 12):
            told += 12 * 60
        there = [now.hour * 60 + now.minute, (now.hour % 12) * 60 + now.minute]
        return any(abs(told - minutes) <= 2 for minutes in there[: 1 if half else 2])
    return False


def tells_lights(answer: str, states: States) -> bool:
    """Tell whether an answer names the lights that are on, and no other."""
    said = answer.casefold()
    return all(
        (state["attributes"]["friendly_name"].casefold() in said) == (state["state"] == "on")
        for entity_id, state in states.items()
        if entity_id.startswith("light.")
    )


def tells(entity_id: str) -> Callable[[str, States], bool]:
    """Tell whether an answer has an entity's value."""
    return lambda answer, states: (
        states[entity_id]["state"] in re.findall(r"-?\d+(?:\.\d+)?", answer)
    )


COMMANDS = (
    Command(
        "turn on the kitchen lights",
        (("light.turn_off", "light.kitchen_lights", {}),),
        {"light.kitchen_lights": {"state": "on"}},
    ),
    Command(
        "turn off the bed light",
        (("light.turn_on", "light.bed_light", {}),),
        {"light.bed_light": {"state": "off"}},
    ),
    Command(
        "dim the ceiling lights to 40 percent",
        (("light.turn_on", "light.ceiling_lights", {"brightness_pct": 90}),),
        {"light.ceiling_lights": {"state": "on", "brightness": 102}},
    ),
    Command(
        "open the garage door",
        (("cover.close_cover", "cover.garage_door", {}),),
        {"cover.garage_door": {"state": "open"}},
    ),
    Command(
        "close the living room window",
        (("cover.open_cover", "cover.living_room_window", {}),),
        {"cover.living_room_window": {"state": "closed"}},
    ),
    Command(
        "lock the kitchen door",
        (("lock.unlock", "lock.kitchen_door", {}),),
        {"lock.kitchen_door": {"state": "locked"}},
    ),
    Command(
        "set the heat pump to 22 degrees",
        (("climate.set_temperature", "climate.heatpump", {"temperature": 19}),),
        {"climate.heatpump": {"state": "heat", "temperature": 22}},
    ),
    Command(
        "turn on the ceiling fan",
        (("fan.turn_off", "fan.ceiling_fan", {}),),
        {"fan.ceiling_fan": {"state": "on"}},
    ),
    Command(
        "set the volume in the bedroom to 30 percent",
        (("media_player.volume_set", "media_player.bedroom", {"volume_level": 0.6}),),
        {"media_player.bedroom": {"volume_level": 0.3}},
    ),
    Command("what time is it?", true=tells_time),
    Command(
        "which lights are on?",
        tuple(
            (f"light.turn_{'on' if light in LIGHTS_ON else 'off'}", light, {})
            for light in (
                *LIGHTS_ON,
                "light.bed_light",
                "light.entrance_color_white_lights",
                "light.living_room_rgbww_lights",
                "light.office_rgbw_lights",
            )
        ),
        true=tells_lights,
    ),
    Command("how warm is it outside?", true=tells("sensor.outside_temperature")),
)


def done(command: Command, turn: Turn, states: States) -> bool:
    """Tell whether a command ended as it should."""
    return bool(
        {change.entity_id for change in turn.changes} <= command.wanted.keys()
        and all(
            _is(
                value, {"state": states[entity_id]["state"], **states[entity_id]["attributes"]}[key]
            )
            for entity_id, values in command.wanted.items()
            for key, value in values.items()
        )
        and command.true(turn.answer, states)
    )


def _is(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, str) or not isinstance(found, int | float):
        return bool(wanted == found)
    return bool(abs(wanted - found) <= abs(wanted) / 100)


async def ask(there: House, assistant: Assistant, command: Command) -> tuple[Turn, bool]:
    """Prepare the house for a command, say it, and judge what came of it."""
    before = await there.api.states()
    for action, entity_id, data in command.before:
        await there.api.act(action, entity_id, **data)
    await settled(there.api, before)
    turn = await say(there.api, assistant, command.text)
    return turn, done(command, turn, await there.api.states())


async def core_assistant(there: House) -> Assistant:
    """Add Home Assistant's own integration for the same model, as its forms suggest it."""
    api, model = there.api, there.model
    entry_id = await add_entry(api, "ollama", {"url": model.url})
    await add_subentry(
        api,
        entry_id,
        {"name": "Core", "model": model.name, "llm_hass_api": ["assist"], "num_ctx": NUM_CTX},
    )
    agent_id = await until("Home Assistant's agent did not appear", lambda: agent_of(api, entry_id))
    return Assistant(agent_id, await add_pipeline(api, "Core", agent_id))


async def main(size: str, only: str) -> None:
    """Ask both, agent by agent: each keeps its prompt in the server's cache that way."""
    model = embedded(f"qwen2.5-coder:{size}")
    async with house(model, _progress, temperature=0, timeout=TURN_TIMEOUT) as there:
        assistants = {"voice_gateway": None, "core": core_assistant}
        right: dict[str, float] = {}
        for name, add in assistants.items():
            if only not in ("both", name):
                continue
            assistant = await add(there) if add else there.assistant
            right[name] = 0
            for command in COMMANDS:
                turn, good = await ask(there, assistant, command)
                right[name] += good
                _show(name, turn, good)
    right = {name: right[name] for name in reversed(right)}
    print(line(f"demo-commands/{size}", right, "commands", len(COMMANDS), digits=0))


def _show(name: str, turn: Turn, good: bool) -> None:
    calls = "; ".join(f"{call['name']} {call['arguments']}" for call in turn.tool_calls)
    print(
        f"{'right' if good else 'WRONG'}  {name:13}  {turn.text:44}"
        f"  {sum(turn.seconds.values()):5.1f} s  [{calls}]  {' '.join(turn.answer.split())[:150]}",
        flush=True,
    )


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="script/bench demo-commands", description=__doc__)
    parser.add_argument("size", nargs="?", choices=("1.5b", "0.5b"), default="1.5b")
    parser.add_argument("--only", choices=("both", "core", "voice_gateway"), default="both")
    arguments = parser.parse_args()
    try:
        asyncio.run(main(arguments.size, arguments.only))
    except HouseError as err:
        sys.exit(str(err))
