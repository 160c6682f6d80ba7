"""What is done without a model: plain commands, by code alone.

Every command of the data set is given to Home Assistant's own agent, which has no model, and to
ours with a model server that is off. Prints right answers per category, and ends with

    right/reflex core=0.410 voice_gateway=0.700 unit=share ratio=1.71 n=61
    wrong/reflex core=0.016 voice_gateway=0.000 unit=share ratio=0.00 n=61
    seconds/reflex core=0.010 voice_gateway=0.020 unit=s ratio=2.00 n=61

where a wrong action is a state that changed and should not have, and seconds are those from the
sentence to its answer, when all is done (the median; a line beside it tells the 95th percentile).
Where Home Assistant asks before something dangerous, the user says yes. With --model, Home
Assistant's `ollama` with that model does the same commands, and how long it takes is told.
"""

import argparse
import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
import logging
from pathlib import Path
from statistics import median, quantiles
import sys
from time import perf_counter

from homeassistant.components import conversation

from bench.agents import CORE, Turn, async_add_agent, async_agree, async_ask
from bench.embedded import embedded
from bench.home import Home
from bench.house import House, furnished
from bench.options import add_data, with_data
from bench.results import line
from bench.scoring import Difference, Task, differences
from custom_components.voice_gateway.const import DOMAIN

OFF = "http://127.0.0.1:9"
"""Where nobody listens."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an agent made of a command, and in how many seconds."""

    task: Task
    turn: Turn
    wrong: Sequence[Difference]
    seconds: float

    @property
    def right(self) -> bool:
        """Whether the house is as it should be."""
        return not self.wrong

    @property
    def wrong_action(self) -> bool:
        """Whether something was done that should not have been."""
        return any(each.wrong_action for each in self.wrong)


_COUNTED: Mapping[str, Callable[[Outcome], bool]] = {
    "right": lambda each: each.right,
    "wrong": lambda each: each.wrong_action,
}


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    logging.disable(logging.NOTSET if arguments.verbose else logging.CRITICAL)
    tasks = sorted(Task.read_all(arguments.tasks).values(), key=_home)
    outcomes = asyncio.run(_async_all(arguments, tasks))
    if arguments.failures:
        for each in outcomes["voice_gateway"]:
            if not each.right:
                print(_story(each))
    report(outcomes)
    return 0


async def _async_all(
    arguments: argparse.Namespace, tasks: Sequence[Task]
) -> Mapping[str, Sequence[Outcome]]:
    """Give all commands to all agents, house by house."""
    outcomes: dict[str, list[Outcome]] = {"core": [], "voice_gateway": []}
    for home, of_home in groupby(tasks, _home):
        commands = list(of_home)
        async with furnished(Home.read(_path(arguments.homes, home))) as house:
            agents = {
                "core": conversation.HOME_ASSISTANT_AGENT,
                "voice_gateway": await async_add_agent(house.hass, DOMAIN, OFF, "none"),
            }
            for name, agent in agents.items():
                # Home Assistant reads its sentences once after a start.
                await async_ask(house.hass, agent, commands[0].text)
                for task in commands:
                    outcomes[name].append(await _async_run(house, agent, task))
            if arguments.model:
                outcomes.setdefault(CORE, [])
                outcomes[CORE] += await _async_with_model(house, arguments.model, commands)
    return outcomes


async def _async_with_model(
    house: House, model: str, commands: Sequence[Task]
) -> Sequence[Outcome]:
    async with embedded(model) as server:
        agent = await async_add_agent(house.hass, CORE, server.url, model)
        return [await _async_run(house, agent, task) for task in commands]


async def _async_run(house: House, agent: str, task: Task) -> Outcome:
    """Give one command to one agent in a fresh house."""
    await house.async_begin(task.setup)
    before = house.states()
    device_id = house.device_ids[task.from_device] if task.from_device else None
    began = perf_counter()
    turn = await async_ask(house.hass, agent, task.text, device_id)
    seconds = perf_counter() - began
    turn = await async_agree(house.hass, agent, turn, device_id)
    return Outcome(task, turn, differences(task, before, house.states()), seconds)


def report(outcomes: Mapping[str, Sequence[Outcome]]) -> None:
    """Print what was right, wrong, and how fast."""
    both = {name: outcomes[name] for name in ("core", "voice_gateway")}
    for category in sorted({each.task.category for each in both["core"]}):
        some = {
            name: [each for each in mine if each.task.category == category]
            for name, mine in both.items()
        }
        rights = {name: _share(each.right for each in mine) for name, mine in some.items()}
        print(line(f"category/reflex/{category}", rights, "share", len(some["core"])))
    n = len(both["core"])
    agreed = sum(each.turn.agreed for each in both["voice_gateway"])
    print(f"# asked first, and done after a yes: {agreed}")
    for name, mine in outcomes.items():
        seconds = [each.seconds for each in mine]
        last = quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]
        print(f"# {name}: 95 % within {last:.3f} s, the slowest {max(seconds):.3f} s")
    for title, counted in _COUNTED.items():
        shares = {name: _share(map(counted, mine)) for name, mine in both.items()}
        print(line(f"{title}/reflex", shares, "share", n))
    medians = {name: median(each.seconds for each in mine) for name, mine in outcomes.items()}
    ours = medians["voice_gateway"]
    if CORE in outcomes:
        print(line("seconds/ollama", {"core": medians[CORE], "voice_gateway": ours}, "s", n))
    sides = {"core": medians["core"], "voice_gateway": ours}
    print(line("seconds/reflex", sides, "s", n), flush=True)


def _share(counted: Iterable[bool]) -> float:
    values = list(counted)
    return sum(values) / len(values)


def _story(outcome: Outcome) -> str:
    """Return what was said, done and answered."""
    task, turn = outcome.task, outcome.turn
    speaker = f", said to {task.from_device}" if task.from_device else ""
    calls = [f"  call: {each.tool_name}({each.tool_args})" for each in turn.calls]
    wrong = [f"  {each}" for each in outcome.wrong]
    return "\n".join(
        (f"{task.name}", f"  “{task.text}”{speaker}", *calls, f"  spoken: {turn.speech}", *wrong)
    )


def _home(task: Task) -> str:
    return task.home


def _path(folders: Sequence[Path], home: str) -> Path:
    for folder in folders:
        if (path := folder / f"{home}.yaml").exists():
            return path
    raise SystemExit(f"There is no {home}.yaml in {', '.join(map(str, folders))}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="script/bench reflex",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_data(parser, "tasks", "")
    parser.add_argument(
        "--model", metavar="NAME", help="how long Home Assistant takes with a model"
    )
    parser.add_argument("--failures", action="store_true", help="show what was not right")
    parser.add_argument("--verbose", action="store_true", help="with Home Assistant's log")
    return with_data(parser, "tasks", "")


if __name__ == "__main__":
    sys.exit(main())
