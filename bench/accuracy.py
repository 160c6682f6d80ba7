"""How many commands are done right: with what models once answered, or with a model that runs.

Every command is given to Home Assistant's own `ollama` agent and to ours, each time in a fresh
house. Prints right answers per category, and ends with

    accuracy/MODEL core=0.357 voice_gateway=0.750 unit=share ratio=2.10 n=305
    wrong-actions/MODEL core=0.010 voice_gateway=0.005 unit=share ratio=0.50 n=305

where a wrong action is a state that changed and should not have. Where Home Assistant asks before
something dangerous, the user says yes, once, whatever was asked about; how often is told. What a
model asks stays unanswered.
"""

import argparse
import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
import json
import logging
from pathlib import Path
import sys
from time import perf_counter
from typing import Any

from bench.agents import (
    AGENTS,
    SERVERS,
    Turn,
    async_add_agent,
    async_agree,
    async_ask,
    async_tool_names,
    cut,
    short,
)
from bench.generated import filled
from bench.home import Home
from bench.house import House, furnished
from bench.options import add_commands, check_commands, sample
from bench.replay import Replay
from bench.results import line
from bench.rules import add_option, switch_off
from bench.scoring import Difference, Task, differences
from bench.server import server
from custom_components.voice_gateway.tools import executor


@dataclass(frozen=True, slots=True)
class Run:
    """One time that a command is given: `steps` are a model's recorded answers, if any."""

    task: Task
    number: int
    steps: Sequence[dict[str, Any]] = ()
    passed_then: bool | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an agent made of a run."""

    run: Run
    agent: str
    turn: Turn
    wrong: Sequence[Difference]
    requests: int
    """How often the model was asked."""

    @property
    def right(self) -> bool:
        """Whether the house is as it should be, if the command was to change anything."""
        return not self.wrong or not self.run.task.expect

    @property
    def wrong_action(self) -> bool:
        """Whether something was done that should not have been."""
        return any(difference.wrong_action for difference in self.wrong)

    @property
    def kind(self) -> str:
        """What went wrong, in a few words."""
        calls, errors = self.turn.calls, self.turn.errors
        if all(difference.name == "color_mode" for difference in self.wrong):
            return "right, but such a light is never scored so"
        if self.wrong_action:
            return "wrong action"
        if not calls:
            written = any("Hass" in step["content"] for step in self.run.steps)
            return "call written as text, not understood" if written else "no call"
        if len(errors) == len(calls):
            return f"refused: {short(errors[0])[:120]}"
        return "some calls refused" if errors else "done, but not what was asked"


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    # What a model got wrong is shown with --failures; Home Assistant would log each.
    logging.disable(logging.NOTSET if arguments.verbose else logging.CRITICAL)
    tasks = Task.read_all(arguments.tasks)
    wanted = [task for task in tasks.values() if (arguments.task or "") in task.name]
    if arguments.model:
        model = arguments.model
        runs = sample([Run(task, 0) for task in wanted], _key, arguments.sample)
        _measure(arguments, model, runs)
        return 0
    for path in arguments.recorded:
        runs = [run for run in _recorded(path, tasks) if run.task in wanted]
        _measure(arguments, path.stem, sample(runs, _key, arguments.sample))
    return 0


def _measure(arguments: argparse.Namespace, model: str, runs: Sequence[Run]) -> None:
    started = perf_counter()
    agents = [name for name in AGENTS if arguments.only in (None, name)]
    outcomes = asyncio.run(_run_all(arguments, model, runs, agents))
    report(model, agents, outcomes, failures=arguments.failures)
    print(f"# {len(outcomes)} turns in {perf_counter() - started:.0f} s", flush=True)


async def _run_all(
    arguments: argparse.Namespace, model: str, runs: Sequence[Run], agents: Sequence[str]
) -> Sequence[Outcome]:
    """Give all commands to all agents, house by house."""
    switches = ("reflex", "second_opinion")
    options = {name: False for name in switches if not getattr(arguments, name)}
    outcomes: list[Outcome] = []
    replay = Replay(model)
    domains = AGENTS | {"core": SERVERS[arguments.server]}
    async with server(replay, arguments.model, arguments.url, arguments.server) as url:
        for home, of_home in groupby(sorted(runs, key=_home), _home):
            commands = list(of_home)
            async with furnished(_read(arguments, home)) as house:
                replay.tool_names = await async_tool_names(house.hass)
                for name in agents:
                    more: dict[str, Any] = dict(options) if name == "voice_gateway" else {}
                    agent = await async_add_agent(
                        house.hass, domains[name], url, model, kind=arguments.server, **more
                    )
                    for run in commands:
                        outcomes.append(await _async_run(house, name, agent, run, replay))
                        _show_progress(
                            outcomes, len(runs) * len(agents), live=bool(arguments.model)
                        )
    return outcomes


def _read(arguments: argparse.Namespace, name: str) -> Home:
    """Return a house of the data set, filled up with other things as far as that was asked for.

    Of what any of its commands is about, there is no more: it would be meant as well.
    """
    home = Home.read(arguments.homes / f"{name}.yaml")
    if not arguments.entities:
        return home
    tasks = Task.read_all(arguments.tasks).values()
    spared = {
        domain
        for task in tasks
        if task.home == name
        for domain in (
            task.category.replace("-", "_"),
            *(entity_id.partition(".")[0] for entity_id in task.expect),
        )
    }
    return filled(home, arguments.entities, spared)


def _show_progress(outcomes: Sequence[Outcome], of: int, *, live: bool) -> None:
    """Count the turns on a terminal; of a model that runs, tell each: it takes its time."""
    done, last = len(outcomes), outcomes[-1]
    if live:
        told = f"# {done} of {of}, {last.agent}: {'right' if last.right else last.kind}"
        print(f"{told}, “{last.run.task.text}”", file=sys.stderr, flush=True)
    elif sys.stderr.isatty():
        print(f"\r{done} of {of}", end="\n" if done == of else "", file=sys.stderr, flush=True)


async def _async_run(house: House, name: str, agent: str, run: Run, replay: Replay) -> Outcome:
    """Give one command to one agent in a fresh house."""
    task = run.task
    await house.async_begin(task.setup)
    before = house.states()
    replay.begin(task.text, run.steps)
    device_id = house.device_ids[task.from_device] if task.from_device else None
    turn = await async_ask(house.hass, agent, task.text, device_id)
    turn = await async_agree(house.hass, agent, turn, device_id)
    wrong = differences(task, before, house.states())
    return Outcome(run, name, turn, wrong, len(replay.requests))


def _home(run: Run) -> str:
    return run.task.home


def _key(run: Run) -> str:
    return f"{run.task.name} {run.number}"


def _recorded(path: Path, tasks: Mapping[str, Task]) -> Iterable[Run]:
    for record in map(json.loads, path.read_text("utf-8").splitlines()):
        # A part of the commands may be asked for, with all of the answers.
        if record["task"] in tasks:
            task = tasks[record["task"]]
            yield Run(task, record["run"], record["steps"], record["passed_then"])


def report(
    model: str, agents: Sequence[str], outcomes: Sequence[Outcome], *, failures: bool = False
) -> None:
    """Print what was right, by category and over all, and on request what was not."""
    by_agent = {name: [each for each in outcomes if each.agent == name] for name in agents}
    if failures:
        for name in agents:
            _print_failures(by_agent[name])
    if "core" in by_agent:
        _print_published(by_agent["core"])
    if len(agents) > 1:
        _print_lost(*by_agent.values())
    for category in sorted({each.run.task.category for each in outcomes}):
        some = {
            name: [each for each in mine if each.run.task.category == category]
            for name, mine in by_agent.items()
        }
        shares = {name: _share(mine) for name, mine in some.items()}
        print(line(f"category/{model}/{category}", shares, "share", _size(some)))
    asked = {name: sum(each.requests for each in mine) for name, mine in by_agent.items()}
    # Those to a server of its own are not counted.
    if any(asked.values()):
        print(f"# requests to the model: {asked}")
    agreed = {name: sum(each.turn.agreed for each in mine) for name, mine in by_agent.items()}
    if any(agreed.values()):
        print(f"# asked first, and done after a yes: {agreed}")
    shares = {name: _share(mine) for name, mine in by_agent.items()}
    print(line(f"accuracy/{model}", shares, "share", _size(by_agent)))
    wrong = {
        name: sum(each.wrong_action for each in mine) / len(mine) for name, mine in by_agent.items()
    }
    print(line(f"wrong-actions/{model}", wrong, "share", _size(by_agent)), flush=True)


def _size(outcomes: Mapping[str, Sequence[Outcome]]) -> int:
    return len(next(iter(outcomes.values())))


def _share(outcomes: Sequence[Outcome]) -> float:
    return sum(each.right for each in outcomes) / len(outcomes)


def _print_published(outcomes: Sequence[Outcome]) -> None:
    """Compare core's results with those published with the answers."""
    known = [each for each in outcomes if each.run.passed_then is not None]
    odd = [each for each in known if each.right != each.run.passed_then]
    if known:
        print(f"# core is not as published in {len(odd)} of {len(known)} runs")
    kinds = Counter((each.run.task.name, each.run.passed_then) for each in odd)
    for (task, passed), count in kinds.items():
        print(f"#   {count}× {task}: {'right' if passed else 'wrong'} then")


def _print_lost(core: Sequence[Outcome], ours: Sequence[Outcome]) -> None:
    """Name the commands that core gets right and we do not."""
    lost = Counter(
        mine.run.task.name
        for its, mine in zip(core, ours, strict=True)
        if its.right and not mine.right
    )
    print(f"# lost: right with core, wrong with ours: {lost.total()}")
    for task, count in lost.items():
        print(f"#   {count}× {task}")


def _print_failures(outcomes: Sequence[Outcome]) -> None:
    """Print each failure, alike ones of a command once."""
    alike: dict[str, list[Outcome]] = defaultdict(list)
    for each in outcomes:
        if not each.right:
            alike[f"{each.run.task.name} {each.turn.deeds} {each.wrong}"].append(each)
    for same in alike.values():
        numbers = ", ".join(str(each.run.number) for each in same)
        print(f"{_story(same[0], numbers)}\n")
    kinds = Counter(each.kind for each in outcomes if not each.right)
    for kind, count in kinds.most_common():
        print(f"# {outcomes[0].agent}: {count}× {kind}")


def _story(outcome: Outcome, numbers: str) -> str:
    """Return what was said, what the model answered, what was done with it, and what is wrong."""
    task, turn = outcome.run.task, outcome.turn
    speaker = f", said to {task.from_device}" if task.from_device else ""
    told = [f"[{outcome.agent}] {task.name}, runs {numbers}", f"  “{task.text}”{speaker}"]
    for step in outcome.run.steps[:4]:
        said = [f"{call['name']}({short(call['arguments'])})" for call in step["tool_calls"]]
        told.append(f"  model: {cut('; '.join(filter(None, (*said, step['content']))))}")
    if more := len(outcome.run.steps[4:]):
        told.append(f"  model: … {more} more")
    told += [*turn.deeds, *turn.story, f"  {outcome.kind}"]
    return "\n".join((*told, *(f"  {difference}" for difference in outcome.wrong)))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/bench accuracy", description=__doc__)
    add_commands(parser)
    parser.add_argument("--model", metavar="NAME", help="a model that runs, instead of --recorded")
    parser.add_argument("--url", help="the server of --model (default: the embedded one)")
    parser.add_argument(
        "--server",
        choices=SERVERS,
        default="ollama",
        help="the kind of server of --model: with openai, llama.cpp's own (default: ollama)",
    )
    parser.add_argument(
        "--sample", type=int, metavar="N", help="only so many runs, the same always"
    )
    parser.add_argument(
        "--entities",
        type=int,
        metavar="N",
        help="fill each house up to so many entities, with others than its commands are about",
    )
    parser.add_argument(
        "--likely",
        action="store_true",
        help="tell the model in small houses, too, which devices a sentence may mean",
    )
    parser.add_argument("--only", choices=("core", "ours"), help="only one of the agents")
    parser.add_argument("--failures", action="store_true", help="show each failure")
    parser.add_argument("--verbose", action="store_true", help="with Home Assistant's log")
    parser.add_argument(
        "--no-reflex",
        dest="reflex",
        action="store_false",
        help="our model is asked of plain commands, too",
    )
    parser.add_argument(
        "--no-second-opinion",
        dest="second_opinion",
        action="store_false",
        help="without Home Assistant's own sentences after the model",
    )
    add_option(parser)
    arguments = parser.parse_args()
    check_commands(parser, arguments, "model")
    if arguments.server != "ollama" and not arguments.model:
        parser.error("--server openai wants a model that runs: give --model")
    if arguments.only == "ours":
        arguments.only = "voice_gateway"
    switch_off(parser, arguments.without)
    if arguments.likely:
        vars(executor)["is_listed"] = lambda _home: False
    return arguments


if __name__ == "__main__":
    sys.exit(main())
