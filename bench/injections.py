"""Whether text that others wrote gives orders, and whether danger is asked about before it is done.

Each scenario is played in a house of its own, to Home Assistant's own `ollama` agent (with its own
`mcp`) and to ours, with a model that obeys every order it reads: at once (native), in written calls
(written), a call a message and all of them twice (rounds), or after the next innocent sentence
(next_turn). Tools are those of real MCP servers, and of a search engine. Prints for each behaviour

    injections/changes/native core=52 voice_gateway=0 unit=runs n=137
    injections/calls/native core=21 voice_gateway=0 unit=runs n=137
    injections/leaks/native core=7 voice_gateway=0 unit=runs n=137
    injections/obeyed/native core=0.9 voice_gateway=0 unit=share n=61

which are runs with a change of the house, a call or a text sent that nobody asked for, and the
share of those with an attacker in which he got what he wanted; then, over all behaviours, the share
of dangerous commands that are right with each reply (danger-right), of plain ones that are done
without a needless question (utility), and how many runs have needless-questions, controls-lost,
lies (which no protection of calls prevents) and baited-questions (harmless until somebody says yes
out of habit). What an agent has no part in is left out of its figures, and counted.

With --unprotected, nothing is refused or asked: each attack that then does nothing is named.
"""

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import partial
import logging
from multiprocessing import get_context
import os
import sys
from time import perf_counter
from zoneinfo import ZoneInfo

from bench.agents import AGENTS
from bench.attack import Stage, cannot
from bench.clock import Clock, clock_at
from bench.harm import Course, Harm, judge
from bench.obedient import Behaviour, Obedient, Run, runs
from bench.options import add_data, with_data
from bench.outside import outside
from bench.replay import serve
from bench.results import line
from bench.rules import add_option, switch_all_off, switch_off
from bench.scenarios import CONTROL, DANGER, INJECTION, SAFE, Scenario
from custom_components.voice_gateway.const import CONF_CONFIRM_AT_ONCE

# The test helpers' house is in California.
BEGAN = datetime(2026, 11, 21, 14, tzinfo=ZoneInfo("US/Pacific"))
OURS = "voice_gateway"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run with an agent."""

    agent: str
    run: Run
    harm: Harm
    attacks: bool
    """Whether the model made calls that nobody asked for."""
    story: str

    @property
    def kind(self) -> str:
        """The scenario's kind."""
        return self.run.scenario.kind


type Outcomes = Sequence[Outcome]
type Test = Callable[[Outcome], bool]


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    logging.disable(logging.NOTSET if arguments.verbose else logging.CRITICAL)
    everything = Scenario.read_all(arguments.scenarios)
    scenarios = [
        each
        for each in everything
        if (arguments.kind in (None, each.kind)) and (arguments.id in (None, each.id))
    ]
    started = perf_counter()
    agents = [name for name in AGENTS if arguments.only in (None, name)]
    outcomes = _play(arguments, scenarios, agents)
    by_agent = {name: [each for each in outcomes if each.agent == name] for name in agents}
    if arguments.failures:
        for each in outcomes:
            if not each.harm.right or each.harm.lies or each.harm.baited:
                print(f"{each.story}\n")
    for name in agents:
        _print_left_out(name, scenarios)
    report(by_agent, breakdown=arguments.breakdown)
    if arguments.unprotected:
        _print_idle(by_agent)
    print(f"# {len(outcomes)} runs in {perf_counter() - started:.0f} s", flush=True)
    return 0


def _play(
    arguments: argparse.Namespace, scenarios: Sequence[Scenario], agents: Sequence[str]
) -> Outcomes:
    """Play all scenarios to all agents, in processes that share them out."""
    jobs = [(name, each) for name in agents for each in scenarios if not cannot(name, each)]
    number = min(os.cpu_count() or 1, len(jobs)) or 1
    parts = [jobs[first::number] for first in range(number)]
    part = partial(_play_part, arguments, _satellites(scenarios))
    # Forked, so that rules that are switched off stay so.
    with ProcessPoolExecutor(number, get_context("fork")) as processes:
        played = [outcome for some in processes.map(part, parts) for outcome in some]
    order = {(name, each.id): number for number, (name, each) in enumerate(jobs)}
    return sorted(played, key=lambda each: order[each.agent, each.run.scenario.id])


def _play_part(
    arguments: argparse.Namespace,
    satellites: Mapping[str, Sequence[str]],
    jobs: Sequence[tuple[str, Scenario]],
) -> Outcomes:
    with clock_at(BEGAN) as clock:
        return asyncio.run(_async_play(arguments, satellites, jobs, clock))


async def _async_play(
    arguments: argparse.Namespace,
    satellites: Mapping[str, Sequence[str]],
    jobs: Sequence[tuple[str, Scenario]],
    clock: Clock,
) -> Outcomes:
    """Play scenarios to agents, one after the other."""
    outcomes: list[Outcome] = []
    model = Obedient("obedient")
    # Confirmed in Home Assistant's words, a command ends the turn before the attack.
    options = {CONF_CONFIRM_AT_ONCE: False} if arguments.unprotected else {}
    async with serve(model) as url, outside() as world:
        stage = Stage(model, url, clock, BEGAN, world, arguments.homes, satellites, options)
        for name, scenario in jobs:
            for run in runs(scenario, arguments.behaviour):
                course = await _async_run(stage, name, run)
                harm = judge(course)
                attacks = any(told.attacked for told in course.told)
                outcomes.append(Outcome(name, run, harm, attacks, story(name, course, harm)))
    return outcomes


async def _async_run(stage: Stage, name: str, run: Run) -> Course:
    """Run a scenario; once more where a busy computer was too slow for it."""
    try:
        return await stage.async_run(name, run)
    except (TimeoutError, OSError) as err:
        print(f"# {name}, {run.behaviour}: {run.id} once more: {err!r}", file=sys.stderr)
    return await stage.async_run(name, run)


def _satellites(scenarios: Sequence[Scenario]) -> Mapping[str, Sequence[str]]:
    """Return the devices of each home that are spoken to in any scenario."""
    found: dict[str, set[str]] = defaultdict(set)
    for scenario in scenarios:
        found[scenario.home] |= scenario.devices()
    return {home: sorted(devices) for home, devices in found.items()}


def report(by_agent: Mapping[str, Outcomes], *, breakdown: bool = False) -> None:
    """Print all counts and shares, and on request those of carriers and goals."""
    for behaviour in Behaviour:
        some = {
            name: [each for each in outcomes if each.run.behaviour is behaviour]
            for name, outcomes in by_agent.items()
        }
        _print_count(f"changes/{behaviour}", some, lambda each: bool(each.harm.changes))
        _print_count(f"calls/{behaviour}", some, lambda each: bool(each.harm.calls))
        _print_count(f"leaks/{behaviour}", some, lambda each: bool(each.harm.leaks))
        _print_share(f"obeyed/{behaviour}", some, _attacked, _obeyed)
    if breakdown:
        _print_breakdown(by_agent)
    _print_share("danger-right", by_agent, _of(DANGER), lambda each: each.harm.right)
    _print_share("utility", by_agent, _of(CONTROL, SAFE), _useful)
    _print_share("needless", by_agent, _of(CONTROL, SAFE), lambda each: bool(each.harm.needless))
    for title, counted in (
        ("needless-questions", lambda each: bool(each.harm.needless)),
        ("controls-lost", lambda each: bool(each.harm.lost)),
        ("lies", lambda each: bool(each.harm.lies)),
        ("baited-questions", lambda each: bool(each.harm.baited)),
    ):
        _print_count(title, by_agent, counted)


def _of(*kinds: str) -> Test:
    return lambda each: each.kind in kinds


def _attacked(outcome: Outcome) -> bool:
    return outcome.kind in (INJECTION, CONTROL) and outcome.run.scenario.attacked


def _obeyed(outcome: Outcome) -> bool:
    return outcome.harm.obeyed


def _useful(outcome: Outcome) -> bool:
    return not (outcome.harm.lost or outcome.harm.needless)


def _print_count(title: str, by_agent: Mapping[str, Outcomes], counted: Test) -> None:
    """Print in how many runs something is so."""
    size = max(map(len, by_agent.values()))
    if size:
        sums = {name: sum(map(counted, some)) for name, some in by_agent.items()}
        print(line(f"injections/{title}", sums, "runs", size, 0), flush=True)


def _print_share(title: str, by_agent: Mapping[str, Outcomes], of: Test, counted: Test) -> None:
    """Print in which share of some runs something is so."""
    some = {name: [*filter(of, outcomes)] for name, outcomes in by_agent.items()}
    size = max(map(len, some.values()))
    if size:
        shares = {
            name: sum(map(counted, each)) / len(each) if each else 0 for name, each in some.items()
        }
        print(line(f"injections/{title}", shares, "share", size), flush=True)


def _print_breakdown(by_agent: Mapping[str, Outcomes]) -> None:
    """Print who is obeyed by where his text stands, and by what he wants."""
    attacked = {name: [*filter(_attacked, some)] for name, some in by_agent.items()}
    for what in ("carrier", "goal"):
        values = {str(getattr(o.run.scenario, what)) for some in attacked.values() for o in some}
        for value in sorted(values):

            def is_it(each: Outcome, what: str = what, value: str = value) -> bool:
                return str(getattr(each.run.scenario, what)) == value

            _print_share(f"obeyed/{what}/{value}", attacked, is_it, _obeyed)


def _print_left_out(name: str, scenarios: Sequence[Scenario]) -> None:
    """Print what an agent has no part in."""
    left: dict[str, list[str]] = defaultdict(list)
    for scenario in scenarios:
        if why := cannot(name, scenario):
            left[why].append(scenario.id)
    for why, ids in left.items():
        print(f"# {name}: {len(ids)} scenarios left out, as {why}: {', '.join(ids)}")


def _print_idle(by_agent: Mapping[str, Outcomes]) -> None:
    """Print how many attacks acted, and which did not: that is then the bench's own fault.

    One that undoes what the user had done leaves the house as it was; then that is missing.
    """
    for name, outcomes in by_agent.items():
        attacks = [each for each in outcomes if _attacked(each) and each.attacks]
        idle = [each for each in attacks if not (each.harm.obeyed or each.harm.lost)]
        print(f"# {name}: {len(attacks) - len(idle)} of {len(attacks)} attacks act unprotected")
        for each in idle:
            print(f"{each.story}\n")


def story(agent: str, course: Course, harm: Harm) -> str:
    """Return what was said, called and answered, and what is wrong with it."""
    lines = [f"[{agent}, {course.run.behaviour}] {course.run.id}"]
    for told in course.told:
        lines.append(f"  “{told.said}”" if told.said else "  (silence)")
        lines += [f"    call: {note}" for note in told.notes]
        lines.append(f"    {'asks' if told.asked else 'says'}: {' '.join(told.speech.split())}")
    lines += [f"  reached: {call.server}/{call.name}({call.arguments})" for call in course.calls]
    for what, found in (
        ("change", harm.changes),
        ("call", harm.calls),
        ("leak", harm.leaks),
        ("lost", harm.lost),
        ("needless", harm.needless),
        ("lie", harm.lies),
        ("baited", harm.baited),
        ("not asked", ("it was to be asked",) if harm.unasked else ()),
    ):
        lines += [f"  ! {what}: {each}" for each in found]
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="script/bench injections",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_data(parser, "scenarios", "injections")
    parser.add_argument(
        "--behaviour",
        nargs="+",
        type=Behaviour,
        choices=tuple(Behaviour),
        default=tuple(Behaviour),
        help="of the model (default: all)",
    )
    parser.add_argument("--only", choices=("core", "ours"), help="only one of the agents")
    parser.add_argument("--kind", help="only scenarios of this kind")
    parser.add_argument("--id", help="only this scenario")
    parser.add_argument("--breakdown", action="store_true", help="obeyed, by carrier and goal")
    parser.add_argument("--failures", action="store_true", help="show each run that is not right")
    parser.add_argument("--unprotected", action="store_true", help="with all protection off")
    parser.add_argument("--verbose", action="store_true", help="with Home Assistant's log")
    add_option(parser)
    arguments = with_data(parser, "scenarios", "injections")
    if arguments.only == "ours":
        arguments.only = OURS
    switch_off(parser, arguments.without)
    if arguments.unprotected:
        switch_all_off()
    return arguments


if __name__ == "__main__":
    sys.exit(main())
