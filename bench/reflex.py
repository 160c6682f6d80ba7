"""What is done without a model: plain commands, by code alone.

Every command of the data set, and every plain one among its sentences with moments, is given to
Home Assistant's own agent, which has no model, and to ours with a model server that is off. Prints
right answers per category, and ends with

    right/controls core=0.500 voice_gateway=0.850 unit=share ratio=1.70 n=26
    wrong/controls core=0.000 voice_gateway=0.000 unit=share ratio=nan n=26
    right/reflex core=0.410 voice_gateway=0.700 unit=share ratio=1.71 n=61
    wrong/reflex core=0.016 voice_gateway=0.000 unit=share ratio=0.00 n=61
    seconds/reflex core=0.010 voice_gateway=0.020 unit=s ratio=2.00 n=61

where a wrong action is a state that changed and should not have, and seconds are those from the
sentence to its answer, when all is done (the median; a line beside it tells the 95th percentile).
Where Home Assistant asks before something dangerous, the user says yes. With --model, Home
Assistant's `ollama` with that model does the same commands, and how long it takes is told. Tasks
may have a `language`; without one they are English.
"""

import argparse
import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
import logging
import os
from pathlib import Path
from statistics import median, quantiles
import sys
from time import perf_counter
from typing import Any, Self

from homeassistant.components import conversation

from bench.agents import CORE, Turn, async_add_agent, async_agree, async_ask
from bench.embedded import embedded
from bench.house import House, furnished
from bench.options import home_of
from bench.results import line
from bench.scoring import States, Task, differences
from bench.sentences import Sentence
from bench.verdicts import judge
from custom_components.voice_gateway.const import DOMAIN

OFF = "http://127.0.0.1:9"
"""Where nobody listens."""
_SIDES = ("core", "voice_gateway")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a house is as it should be, and what is not."""

    is_right: bool
    is_wrong: bool
    """Something was done that should not have been."""
    told: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """Something that is said, in a house in certain states."""

    home: str
    category: str
    text: str
    language: str
    from_device: str | None
    setup: Mapping[str, Mapping[str, Any]]
    judge: Callable[[States, States], Verdict]
    """Takes the states before and after it."""

    @classmethod
    def of_task(cls, task: Task) -> Self:
        """Return a command of the data set."""

        def judged(before: States, after: States) -> Verdict:
            wrong = differences(task, before, after)
            return Verdict(
                not wrong, any(each.wrong_action for each in wrong), [str(each) for each in wrong]
            )

        return cls(
            task.home,
            task.category,
            task.text,
            task.language,
            task.from_device,
            task.setup,
            judged,
        )

    @classmethod
    def of_sentence(cls, sentence: Sentence) -> Self:
        """Return a plain command among sentences with moments."""

        def judged(before: States, after: States) -> Verdict:
            verdict = judge(sentence, before, after, "")
            told = [str(each) for each in (*verdict.wrong_now, *verdict.missed)]
            return Verdict(verdict.right, bool(verdict.wrong_now), told)

        return cls(
            sentence.home,
            sentence.language,
            sentence.text,
            sentence.language,
            sentence.from_device,
            sentence.setup,
            judged,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an agent made of a command, and in how many seconds."""

    command: Command
    turn: Turn
    verdict: Verdict
    seconds: float


type Outcomes = Mapping[str, Sequence[Outcome]]
"""By agent."""


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    logging.disable(logging.NOTSET if arguments.verbose else logging.CRITICAL)
    tasks = [Command.of_task(each) for each in Task.read_all(arguments.tasks).values()]
    controls: Sequence[Command] = ()
    if arguments.moments:
        sentences = Sentence.read_all(arguments.moments)
        controls = [Command.of_sentence(each) for each in sentences if each.control]
    for title, commands in (("controls", controls), ("reflex", tasks)):
        if not commands:
            continue
        outcomes = asyncio.run(_async_all(arguments, sorted(commands, key=_home)))
        if arguments.failures:
            failed = (each for each in outcomes["voice_gateway"] if not each.verdict.is_right)
            print("\n".join(map(_story, failed)))
        report(title, outcomes)
    return 0


async def _async_all(arguments: argparse.Namespace, commands: Sequence[Command]) -> Outcomes:
    """Give all commands to all agents, house by house."""
    outcomes: dict[str, list[Outcome]] = {name: [] for name in _SIDES}
    for home, of_home in groupby(commands, _home):
        some = list(of_home)
        async with furnished(home_of(arguments.homes, home)) as house:
            agents = {
                "core": conversation.HOME_ASSISTANT_AGENT,
                "voice_gateway": await async_add_agent(house.hass, DOMAIN, OFF, "none"),
            }
            for name, agent in agents.items():
                # Home Assistant reads its sentences once after a start.
                for language in {each.language for each in some}:
                    await async_ask(house.hass, agent, some[0].text, language=language)
                for command in some:
                    outcomes[name].append(await _async_run(house, agent, command))
            if arguments.model:
                outcomes.setdefault(CORE, [])
                outcomes[CORE] += await _async_with_model(house, arguments.model, some)
    return outcomes


async def _async_with_model(
    house: House, model: str, commands: Sequence[Command]
) -> Sequence[Outcome]:
    async with embedded(model) as server:
        agent = await async_add_agent(house.hass, CORE, server.url, model)
        return [await _async_run(house, agent, each) for each in commands]


async def _async_run(house: House, agent: str, command: Command) -> Outcome:
    """Give one command to one agent in a fresh house."""
    await house.async_begin(command.setup)
    before = house.states()
    device_id = house.device_ids[command.from_device] if command.from_device else None
    language = command.language
    began = perf_counter()
    turn = await async_ask(house.hass, agent, command.text, device_id, language=language)
    seconds = perf_counter() - began
    turn = await async_agree(house.hass, agent, turn, device_id, language=language)
    return Outcome(command, turn, command.judge(before, house.states()), seconds)


def report(title: str, outcomes: Outcomes) -> None:
    """Print what was right, wrong, and how fast."""
    both = {name: outcomes[name] for name in _SIDES}
    n = len(both["core"])
    for category in sorted({each.command.category for each in both["core"]}):
        some = {
            name: [each for each in mine if each.command.category == category]
            for name, mine in both.items()
        }
        print(line(f"category/{title}/{category}", _rights(some), "share", len(some["core"])))
    agreed = sum(each.turn.agreed for each in both["voice_gateway"])
    print(f"# asked first, and done after a yes: {agreed}")
    for name, mine in outcomes.items():
        seconds = [each.seconds for each in mine]
        last = quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]
        print(f"# {name}: 95 % within {last:.3f} s, the slowest {max(seconds):.3f} s")
    wrong = {name: _share(each.verdict.is_wrong for each in mine) for name, mine in both.items()}
    print(line(f"right/{title}", _rights(both), "share", n))
    print(line(f"wrong/{title}", wrong, "share", n))
    medians = {name: median(each.seconds for each in mine) for name, mine in outcomes.items()}
    ours = medians["voice_gateway"]
    if CORE in outcomes:
        sides = {"core": medians[CORE], "voice_gateway": ours}
        print(line(f"seconds/{title}-ollama", sides, "s", n))
    print(line(f"seconds/{title}", {"core": medians["core"], "voice_gateway": ours}, "s", n))
    sys.stdout.flush()


def _rights(outcomes: Outcomes) -> Mapping[str, float]:
    return {name: _share(each.verdict.is_right for each in mine) for name, mine in outcomes.items()}


def _share(counted: Iterable[bool]) -> float:
    values = list(counted)
    return sum(values) / len(values)


def _story(outcome: Outcome) -> str:
    """Return what was said, done and answered."""
    command, turn = outcome.command, outcome.turn
    speaker = f", said to {command.from_device}" if command.from_device else ""
    calls = [f"  call: {each.tool_name}({each.tool_args})" for each in turn.calls]
    wrong = [f"  {each}" for each in outcome.verdict.told]
    return "\n".join((f"“{command.text}”{speaker}", *calls, f"  spoken: {turn.speech}", *wrong))


def _home(command: Command) -> str:
    return command.home


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="script/bench reflex",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    path = "VOICE_GATEWAY_EVAL"
    base = Path(os.environ[path]) if path in os.environ else None
    parser.add_argument(
        "--tasks",
        type=Path,
        metavar="FILE",
        help=f"commands (default: tasks.jsonl in ${path})",
    )
    parser.add_argument(
        "--moments",
        type=Path,
        metavar="FILE",
        help=f"sentences, of which the plain commands count (default: without --tasks, moments/ in ${path})",
    )
    parser.add_argument(
        "--homes",
        type=Path,
        nargs="+",
        metavar="DIR",
        default=base and [base / "homes", base / "moments" / "homes"],
        help=f"houses, one YAML file each (default: homes/ and moments/homes/ in ${path})",
    )
    parser.add_argument(
        "--model", metavar="NAME", help="how long Home Assistant takes with a model"
    )
    parser.add_argument("--failures", action="store_true", help="show what was not right")
    parser.add_argument("--verbose", action="store_true", help="with Home Assistant's log")
    arguments = parser.parse_args()
    if base and not arguments.tasks:
        arguments.tasks = base / "tasks.jsonl"
        arguments.moments = arguments.moments or base / "moments" / "moments.jsonl"
    if not (arguments.tasks and arguments.homes):
        parser.error(f"set {path} to the folder with tasks.jsonl and homes/; or give both")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
