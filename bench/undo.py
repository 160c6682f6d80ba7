"""Whether "undo that" gives a house back as it was, and how long that takes.

Each command is given to our agent in a fresh house, with what models once answered, until one of
these does it right; then "undo that" is said. Every state and attribute of every device is compared
with those before the command. Where Home Assistant asks before something dangerous, the user says
yes, before and after. A vacuum that was "off", which no service of Home Assistant's makes it, is back
where it returns to its base. Ends with

    undo/restored voice_gateway=1.000 unit=share n=56
    undo/seconds voice_gateway=0.020 unit=s n=56
    #   voice_gateway 0.010 to 0.060 s

where n are the commands that were done and have changed anything.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
import json
import logging
from pathlib import Path
import sys
from time import perf_counter
from typing import Any

from homeassistant.components.vacuum import VacuumActivity

from bench.agents import AGENTS, Turn, async_add_agent, async_agree, async_ask, async_tool_names
from bench.home import Home
from bench.house import House, furnished
from bench.options import add_commands, check_commands
from bench.replay import Replay
from bench.results import line, medians
from bench.scoring import Task, differences
from bench.server import server

OURS = "voice_gateway"
SENTENCE = "undo that"
type States = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a command that was done, and undone."""

    task: Task
    before: States
    after: States
    undone: States
    answer: str
    seconds: float

    @property
    def left(self) -> Sequence[str]:
        """What is not as it was before, in words."""
        return [
            f"{entity_id} {name}: {was.get(name)!r}, then {done.get(name)!r}, now {now.get(name)!r}"
            for entity_id, was in self.before.items()
            for done, now in [(self.after[entity_id], self.undone[entity_id])]
            for name in sorted(was.keys() | now.keys())
            if str(was.get(name)) != str(now.get(name))
            and not (_is_idle(entity_id, was) and name == "state" and now[name] == "returning")
        ]


def _is_idle(entity_id: str, was: Mapping[str, Any]) -> bool:
    """Tell whether a vacuum was in a state that none has: "off"."""
    return entity_id.startswith("vacuum.") and was["state"] not in [*VacuumActivity]


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    logging.disable(logging.NOTSET if arguments.verbose else logging.CRITICAL)
    tasks = Task.read_all(arguments.tasks)
    steps: dict[str, list[Any]] = {}
    for path in reversed(arguments.recorded):
        for record in map(json.loads, path.read_text("utf-8").splitlines()):
            steps.setdefault(record["task"], []).append(record["steps"])
    wanted = [each for each in tasks.values() if (arguments.task or "") in each.name]
    report(asyncio.run(_async_all(arguments.homes, wanted, steps)), len(wanted))
    return 0


async def _async_all(
    homes: Path, tasks: Sequence[Task], steps: Mapping[str, Sequence[Any]]
) -> Sequence[Outcome]:
    """Give all commands, house by house, and undo what was done."""
    outcomes: list[Outcome] = []
    replay = Replay("replay")
    async with server(replay, None, None) as url:
        for home, of_home in groupby(sorted(tasks, key=_home), _home):
            async with furnished(Home.read(homes / f"{home}.yaml")) as house:
                replay.tool_names = await async_tool_names(house.hass)
                agent = await async_add_agent(house.hass, AGENTS[OURS], url, replay.model)
                for task in of_home:
                    for answers in steps.get(task.name, ()):
                        outcome = await _async_undone(house, agent, task, answers, replay)
                        if outcome:
                            outcomes.append(outcome)
                            break
    return outcomes


async def _async_undone(
    house: House, agent: str, task: Task, answers: Sequence[Any], replay: Replay
) -> Outcome | None:
    """Give a command and undo it; return None where it was not done right, or changed nothing."""
    await house.async_begin(task.setup)
    before = house.states()
    replay.begin(task.text, answers)
    device_id = house.device_ids[task.from_device] if task.from_device else None
    turn = await async_ask(house.hass, agent, task.text, device_id)
    turn = await async_agree(house.hass, agent, turn, device_id)
    after = house.states()
    if differences(task, before, after) or before == after:
        return None
    began = perf_counter()
    undone = await _async_undo(house, agent, turn, device_id)
    seconds = perf_counter() - began
    return Outcome(task, before, after, house.states(), undone.speech, seconds)


async def _async_undo(house: House, agent: str, turn: Turn, device_id: str | None) -> Turn:
    said = await async_ask(house.hass, agent, SENTENCE, device_id, turn.conversation_id)
    return await async_agree(house.hass, agent, said, device_id)


def _home(task: Task) -> str:
    return task.home


def report(outcomes: Sequence[Outcome], tasks: int) -> None:
    """Print what is not as it was, and the figures."""
    for each in outcomes:
        if each.left:
            print(f"# {each.task.name}: “{each.answer}”")
            print("\n".join(f"#   {left}" for left in each.left))
    print(f"# {len(outcomes)} of {tasks} commands were done, and have changed anything")
    if outcomes:
        restored = sum(not each.left for each in outcomes) / len(outcomes)
        print(line("undo/restored", {OURS: restored}, "share", len(outcomes)))
        print(medians("undo/seconds", {OURS: [each.seconds for each in outcomes]}, "s"))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="script/bench undo",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_commands(parser)
    parser.add_argument("--verbose", action="store_true", help="with Home Assistant's log")
    arguments = parser.parse_args()
    check_commands(parser, arguments)
    return arguments


if __name__ == "__main__":
    sys.exit(main())
