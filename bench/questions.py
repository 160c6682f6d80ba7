"""Questions about a house: how many are answered right, and whether anything is done meanwhile.

Every question is put to Home Assistant's own `ollama` agent and to ours, with a model that runs, or
with what models once answered; then a model's last words are those of that time, whatever it is
told now, so that this shows little; or without any model, then only what code alone answers is
right. Prints right answers per category, and ends with

    answers/MODEL core=0.538 voice_gateway=0.750 unit=share ratio=1.39 n=16
    wrong-actions/MODEL core=0.000 voice_gateway=0.000 unit=share ratio=nan n=16

where an answer is right if it holds one of the words that are wanted, and nothing changed but what
was to change. So does the data set score that the questions are from.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
import json
import logging
import os
from pathlib import Path
import sys
from time import perf_counter
from typing import Any, Self

from homeassistant.core import HomeAssistant

from bench.agents import AGENTS, Turn, async_add_agent, async_ask, async_tool_names
from bench.clock import Clock, clock_at
from bench.embedded import MODEL
from bench.home import Home
from bench.house import House, furnished
from bench.replay import Replay
from bench.results import line
from bench.scoring import Difference, Task, differences
from bench.server import server


@dataclass(frozen=True, slots=True)
class Question:
    """A question: `task` has the words and the house, `wanted` is in each right answer."""

    task: Task
    now: datetime | None
    """When it is asked; None for any time."""
    wanted: Sequence[str]

    @classmethod
    def read_all(cls, path: Path) -> dict[str, Self]:
        """Return the questions of a file by name."""
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
        tasks = Task.read_all(path)
        return {
            record["task"]: cls(
                tasks[record["task"]],
                datetime.fromisoformat(record["now"]) if record["now"] else None,
                record["expect_answer"],
            )
            for record in records
        }

    def is_right(self, answer: str) -> bool:
        """Tell whether an answer holds what is wanted, if anything is."""
        folded = answer.casefold()
        return not self.wanted or any(each.casefold() in folded for each in self.wanted)


@dataclass(frozen=True, slots=True)
class Run:
    """One time that a question is asked: `steps` are a model's recorded answers, if any."""

    question: Question
    steps: Sequence[dict[str, Any]] = ()
    passed_then: bool | None = None

    @property
    def home(self) -> str:
        """The house that it is about."""
        return self.question.task.home


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an agent made of a question."""

    run: Run
    agent: str
    turn: Turn
    wrong: Sequence[Difference]
    is_failure: bool = False
    """A model was asked, and there is none."""

    @property
    def right(self) -> bool:
        """Whether the answer is right, and the house is as it should be."""
        is_answer = not self.is_failure and self.run.question.is_right(self.turn.speech)
        return is_answer and not self.wrong

    @property
    def wrong_action(self) -> bool:
        """Whether something was done that should not have been."""
        return any(difference.wrong_action for difference in self.wrong)


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    logging.disable(logging.NOTSET if arguments.verbose else logging.CRITICAL)
    questions = Question.read_all(arguments.tasks)
    for path in arguments.recorded or ():
        records = map(json.loads, path.read_text("utf-8").splitlines())
        runs = [
            Run(questions[record["task"]], record["steps"], record["passed_then"])
            for record in records
        ]
        _measure(arguments, path.stem, runs, live=False)
    if not arguments.recorded:
        runs = [Run(each) for each in questions.values()]
        is_live = not arguments.without_model
        _measure(arguments, arguments.model if is_live else "none", runs, live=is_live)
    return 0


def _measure(arguments: argparse.Namespace, model: str, runs: Sequence[Run], *, live: bool) -> None:
    started = perf_counter()
    agents = [name for name in AGENTS if arguments.only in (None, name)]
    with clock_at(datetime.now(UTC)) as clock:
        outcomes = asyncio.run(_async_run_all(arguments, model, runs, agents, clock, live=live))
    by_agent = {name: [each for each in outcomes if each.agent == name] for name in agents}
    report(model, by_agent, failures=arguments.failures)
    print(f"# {len(outcomes)} turns in {perf_counter() - started:.0f} s", flush=True)


async def _async_run_all(
    arguments: argparse.Namespace,
    model: str,
    runs: Sequence[Run],
    agents: Sequence[str],
    clock: Clock,
    *,
    live: bool,
) -> Sequence[Outcome]:
    """Ask all agents all questions, house by house."""
    outcomes: list[Outcome] = []
    replay = Replay(model)
    async with server(replay, model if live else None, arguments.url) as url:
        for home, of_home in groupby(sorted(runs, key=_home), _home):
            asked = list(of_home)
            async with furnished(Home.read(arguments.homes / f"{home}.yaml")) as house:
                replay.tool_names = await async_tool_names(house.hass)
                for name in agents:
                    agent = await async_add_agent(house.hass, AGENTS[name], url, model)
                    for run in asked:
                        await _async_set_time(house.hass, clock, run.question.now)
                        outcomes.append(await _async_run(house, name, agent, run, replay))
                        if live:
                            _show_progress(outcomes[-1])
    return outcomes


def _home(run: Run) -> str:
    return run.home


async def _async_set_time(hass: HomeAssistant, clock: Clock, now: datetime | None) -> None:
    """Let it be a question's time, in its time zone; that of the test helpers' house otherwise."""
    zone = "US/Pacific"
    if now is not None:
        clock.set(now)
        # Of whole hours, with the sign that POSIX gives them.
        hours = (now.utcoffset() or timedelta()) / timedelta(hours=1)
        zone = f"Etc/GMT{-hours:+.0f}"
    await hass.config.async_set_time_zone(zone)


async def _async_run(house: House, name: str, agent: str, run: Run, replay: Replay) -> Outcome:
    """Ask an agent one question in a fresh house."""
    task = run.question.task
    await house.async_begin(task.setup)
    before = house.states()
    replay.begin(task.text, run.steps)
    device_id = house.device_ids[task.from_device] if task.from_device else None
    turn = await async_ask(house.hass, agent, task.text, device_id)
    is_failure = replay.was_asked and not run.steps
    return Outcome(run, name, turn, differences(task, before, house.states()), is_failure)


def _show_progress(outcome: Outcome) -> None:
    what = "right" if outcome.right else "wrong"
    told = f"# {outcome.agent}: {what}, “{outcome.run.question.task.text}”"
    print(told, file=sys.stderr, flush=True)


def report(
    model: str, by_agent: Mapping[str, Sequence[Outcome]], *, failures: bool = False
) -> None:
    """Print what was right, by category and over all, and on request what was not."""
    everything = [each for outcomes in by_agent.values() for each in outcomes]
    if failures:
        for outcome in everything:
            if not outcome.right:
                print(f"{_story(outcome)}\n")
    known = [each for each in by_agent.get("core", ()) if each.run.passed_then is not None]
    if known:
        odd = sum(each.right != each.run.passed_then for each in known)
        print(f"# core is not as published in {odd} of {len(known)} runs")
    for category in sorted({each.run.question.task.category for each in everything}):
        some = {
            name: [each for each in outcomes if each.run.question.task.category == category]
            for name, outcomes in by_agent.items()
        }
        _print_share(f"category/{model}/{category}", some)
    _print_share(f"answers/{model}", by_agent)
    _print_share(f"wrong-actions/{model}", by_agent, wrong_actions=True)


def _print_share(
    title: str, by_agent: Mapping[str, Sequence[Outcome]], *, wrong_actions: bool = False
) -> None:
    shares = {
        name: sum(each.wrong_action if wrong_actions else each.right for each in outcomes)
        / len(outcomes)
        for name, outcomes in by_agent.items()
    }
    print(line(title, shares, "share", len(next(iter(by_agent.values())))), flush=True)


def _story(outcome: Outcome) -> str:
    """Return what was asked, called and answered, and what is wrong."""
    question, turn = outcome.run.question, outcome.turn
    return "\n".join(
        (
            f"[{outcome.agent}] {question.task.name}\n  “{question.task.text}”",
            *(f"  call: {call.tool_name}({call.tool_args})" for call in turn.calls),
            f"  spoken: {' '.join(turn.speech.split())[:300]}",
            f"  wanted: {', '.join(question.wanted)}",
            *(f"  {difference}" for difference in outcome.wrong),
        )
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="script/bench questions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    path = "VOICE_GATEWAY_EVAL"
    base = Path(os.environ[path]) / "questions" if path in os.environ else None
    parser.add_argument(
        "--tasks",
        type=Path,
        metavar="FILE",
        default=base and base / "tasks.jsonl",
        help=f"questions (default: questions/tasks.jsonl in ${path})",
    )
    parser.add_argument(
        "--homes",
        type=Path,
        metavar="DIR",
        default=base and base / "homes",
        help=f"houses, one YAML file each (default: questions/homes/ in ${path})",
    )
    parser.add_argument("--model", default=MODEL, metavar="NAME", help=f"(default: {MODEL})")
    parser.add_argument("--url", help="the Ollama server of --model (default: the embedded one)")
    parser.add_argument(
        "--without-model", action="store_true", help="count what code alone answers"
    )
    parser.add_argument(
        "--recorded",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="models' recorded answers, instead of a model that runs",
    )
    parser.add_argument("--only", choices=("core", "ours"), help="only one of the agents")
    parser.add_argument("--failures", action="store_true", help="show each failure")
    parser.add_argument("--verbose", action="store_true", help="with Home Assistant's log")
    arguments = parser.parse_args()
    if not (arguments.tasks and arguments.homes):
        parser.error(
            f"set {path} to the folder with questions/tasks.jsonl and questions/homes/; or give"
            " --tasks and --homes"
        )
    if arguments.only == "ours":
        arguments.only = "voice_gateway"
    return arguments


if __name__ == "__main__":
    sys.exit(main())
