"""Whether what was said decides: sentences with a moment, a condition, a negation, a question.

Each sentence is said to Home Assistant's own `ollama` agent and to ours, on a Saturday at 14:00,
with models that are played: one calls tools whatever was said (eager), one writes the same calls as
text (written), one only promises, one is silent; or with one that runs (live). Where something is
to happen later, the clock is moved and devices change; once more with Home Assistant restarted.
Prints for each agent what came of which kind of sentence, and ends with, for each behaviour,

    wrong-now/eager core=89 voice_gateway=0 unit=lines ratio=0.00 n=110
    right/eager core=16 voice_gateway=70 unit=lines ratio=4.38 n=110
    controls-lost/eager core=0 voice_gateway=0 unit=lines ratio=nan n=26
    untrue/eager core=0 voice_gateway=0 unit=lines ratio=nan n=136

where wrong is what changed at once and should not have, a control is a plain command that is to be
done at once, and untrue an answer that claims what was not done. Whether an answer does is guessed
by its words (`bench/answers.py`): --failures prints all of them. Where Home Assistant asks before
something dangerous, the user says yes, once, whatever was asked about.
"""

import argparse
import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
import logging
from pathlib import Path
import sys
from time import perf_counter

from bench.agents import AGENTS, Turn, async_add_agent, async_agree, async_ask, async_tool_names
from bench.clock import Clock, clock_at
from bench.embedded import MODEL
from bench.house import House, furnished
from bench.options import add_data, home_of, with_data
from bench.replay import Replay
from bench.results import line
from bench.rules import add_option, switch_off
from bench.sentences import Behaviour, Sentence
from bench.server import server
from bench.stage import BEGAN, plans, share_sentences
from bench.timeline import Timeline
from bench.verdicts import Course, Verdict, judge

LIVE = "live"
BEHAVIOURS = tuple(str(behaviour) for behaviour in Behaviour)
_IN_PAIRS = ("if", "unless")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an agent made of a sentence."""

    agent: str
    sentence: Sentence
    behaviour: str
    turn: Turn
    courses: Sequence[Course]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Run:
    """A sentence that is to be said; once more with restarts, after it went right without."""

    sentence: Sentence
    behaviour: str
    first: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """What all turns have in common."""

    replay: Replay
    url: str
    clock: Clock
    homes: Sequence[Path]

    async def async_all(self, name: str, home: str, runs: Iterable[Run]) -> Sequence[Outcome]:
        """Say sentences to an agent in a house; return what came of each.

        After one that has something ahead, or of which something was planned, Home Assistant is
        thrown away.
        """
        left, outcomes = deque(runs), []
        while left:
            async with furnished(home_of(self.homes, home)) as house:
                share_sentences(house.hass)
                agent = await async_add_agent(house.hass, AGENTS[name], self.url, self.replay.model)
                self.replay.tool_names = await async_tool_names(house.hass)
                fresh = True
                while left and fresh:
                    run = left.popleft()
                    outcome = await self._async_say(house, name, agent, run)
                    fresh = not (run.sentence.ahead or plans(house.hass))
                    if run.first is None and outcome.courses and outcome.verdict.right:
                        left.appendleft(Run(run.sentence, run.behaviour, outcome))
                    else:
                        outcomes.append(outcome)
                        _show_progress(outcome)
        return outcomes

    async def _async_say(self, house: House, name: str, agent: str, run: Run) -> Outcome:
        """Say a sentence in a house without a past, and follow what is ahead of it."""
        sentence = run.sentence
        await house.async_begin(sentence.setup)
        self.clock.set(BEGAN)
        before = house.states()
        if run.behaviour != LIVE:
            steps = sentence.steps(Behaviour(run.behaviour), self.replay.tool_names)
            self.replay.begin(sentence.text, steps)
        device_id = house.device_ids[sentence.from_device] if sentence.from_device else None
        turn = await async_ask(
            house.hass, agent, sentence.text, device_id, language=sentence.language
        )
        turn = await async_agree(house.hass, agent, turn, device_id, language=sentence.language)
        after = house.states()
        courses = [*run.first.courses] if run.first else []
        verdict = judge(sentence, before, after, turn.speech)
        # What is wrong already cannot become right, and one that may ask has no more to do.
        if sentence.ahead and verdict.right and not verdict.missed:
            timeline = Timeline(house, self.clock, BEGAN)
            courses.append(await timeline.async_follow(sentence, restarts=run.first is not None))
            verdict = judge(sentence, before, after, turn.speech, courses)
        return Outcome(name, sentence, run.behaviour, turn, courses, verdict)


def main(folder: str = "moments") -> int:
    """Run the command line, with the sentences of a folder by default; return the exit status."""
    arguments = _arguments(folder)
    logging.disable(logging.NOTSET if arguments.verbose else logging.CRITICAL)
    sentences = [
        sentence
        for sentence in Sentence.read_all(arguments.sentences)
        if arguments.kind in (None, sentence.kind)
    ]
    started = perf_counter()
    agents = [name for name in AGENTS if arguments.only in (None, name)]
    with clock_at(BEGAN) as clock:
        outcomes = asyncio.run(_async_run_all(arguments, sentences, agents, clock))
    for behaviour in arguments.behaviour:
        some = [each for each in outcomes if each.behaviour == behaviour]
        by_agent = {name: [each for each in some if each.agent == name] for name in agents}
        report(behaviour, by_agent, answers=arguments.failures)
    print(f"# {len(outcomes)} sentences in {perf_counter() - started:.0f} s", flush=True)
    return 0


async def _async_run_all(
    arguments: argparse.Namespace,
    sentences: Sequence[Sentence],
    agents: Sequence[str],
    clock: Clock,
) -> Sequence[Outcome]:
    """Say all sentences to all agents, house by house."""
    outcomes: list[Outcome] = []
    for live, behaviours in groupby(arguments.behaviour, lambda each: each == LIVE):
        replay = Replay(arguments.model if live else "replay")
        wanted = list(behaviours)
        async with server(replay, arguments.model if live else None, arguments.url) as url:
            stage = Stage(replay, url, clock, arguments.homes)
            for home, of_home in groupby(sorted(sentences, key=_home), _home):
                some = list(of_home)
                for name in agents:
                    runs = [Run(each, behaviour) for behaviour in wanted for each in some]
                    outcomes += await stage.async_all(name, home, runs)
    return outcomes


def _home(sentence: Sentence) -> str:
    return sentence.home


def _show_progress(outcome: Outcome) -> None:
    """Tell of a model that runs what it does: it takes its time."""
    if outcome.behaviour == LIVE:
        told = f"# {outcome.agent}: {_what(outcome.verdict)}, “{outcome.sentence.text}”"
        print(told, file=sys.stderr, flush=True)


def report(
    behaviour: str, by_agent: Mapping[str, Sequence[Outcome]], *, answers: bool = False
) -> None:
    """Print what came of which kind of sentence, and the sums; on request every answer."""
    for name, outcomes in by_agent.items():
        if answers:
            for outcome in outcomes:
                print(f"{_story(outcome)}\n")
        _print_table(f"{name}, {behaviour}", outcomes)
    for title, control, counted in (
        ("wrong-now", False, lambda verdict: bool(verdict.wrong_now)),
        ("right", False, lambda verdict: verdict.right),
        ("controls-lost", True, lambda verdict: not verdict.right),
        ("untrue", None, lambda verdict: verdict.untrue),
    ):
        _print_sum(f"{title}/{behaviour}", by_agent, control, counted)


def _print_sum(
    title: str,
    by_agent: Mapping[str, Sequence[Outcome]],
    control: bool | None,
    counted: Callable[[Verdict], bool],
) -> None:
    """Print how many sentences a count holds for: controls, others, or (None) all."""
    some = {
        name: [each.verdict for each in outcomes if control in (None, each.sentence.control)]
        for name, outcomes in by_agent.items()
    }
    size = len(next(iter(some.values())))
    if size:
        sums = {name: sum(map(counted, verdicts)) for name, verdicts in some.items()}
        print(line(title, sums, "lines", size, 0), flush=True)


def _print_table(title: str, outcomes: Sequence[Outcome]) -> None:
    """Print counts by kind and language, controls last, then pairs."""
    print(f"# {title}")
    print("#   kind      language  lines  wrong  right   told   lost untrue")
    rows: dict[tuple[bool, str, str], list[Verdict]] = defaultdict(list)
    for each in outcomes:
        key = (each.sentence.control, each.sentence.kind, each.sentence.language)
        rows[key].append(each.verdict)
    for (_, kind, language), verdicts in sorted(rows.items()):
        sums = (
            len(verdicts),
            sum(bool(verdict.wrong) for verdict in verdicts),
            sum(verdict.right for verdict in verdicts),
            sum(verdict.told for verdict in verdicts),
            sum(verdict.lost for verdict in verdicts),
            sum(verdict.untrue for verdict in verdicts),
        )
        print(f"#   {kind:9} {language:8} " + "".join(f"{each:7}" for each in sums))
    for kind in _IN_PAIRS:
        pairs: dict[str, list[bool]] = defaultdict(list)
        for each in outcomes:
            if each.sentence.kind == kind:
                pairs[each.sentence.text].append(each.verdict.right)
        if pairs:
            print(f"#   {kind}: {sum(map(all, pairs.values()))} of {len(pairs)} pairs right")


def _what(verdict: Verdict) -> str:
    """Return what came of a sentence, in a word or two."""
    if verdict.wrong:
        what = "wrong"
    elif verdict.right:
        what = "right"
    else:
        what = "told" if verdict.told else "lost"
    return f"{what}, untrue" if verdict.untrue else what


def _story(outcome: Outcome) -> str:
    """Return what was said, done and answered."""
    sentence, verdict = outcome.sentence, outcome.verdict
    calls = [f"{call.tool_name}({call.tool_args})" for call in outcome.turn.calls]
    return "\n".join(
        (
            f"[{outcome.agent}, {outcome.behaviour}] {sentence.id}: {_what(verdict)}",
            f"  “{sentence.text}”",
            *(f"  call: {call}" for call in calls),
            f"  spoken: {' '.join(outcome.turn.speech.split())[:300]}",
            *(f"  ! {each}" for each in verdict.wrong),
            *(f"    {each}" for each in verdict.missed),
        )
    )


def _arguments(folder: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=f"script/bench {folder}",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_data(parser, "sentences", folder)
    parser.add_argument(
        "--behaviour",
        nargs="+",
        choices=(*BEHAVIOURS, LIVE),
        default=BEHAVIOURS,
        help="of the model (default: all but live)",
    )
    parser.add_argument("--model", default=MODEL, help=f"of live (default: {MODEL})")
    parser.add_argument("--url", help="the Ollama server of live (default: the embedded one)")
    parser.add_argument("--only", choices=("core", "ours"), help="only one of the agents")
    parser.add_argument("--kind", help="only sentences of this kind")
    parser.add_argument("--failures", action="store_true", help="show each answer")
    parser.add_argument("--verbose", action="store_true", help="with Home Assistant's log")
    add_option(parser)
    arguments = with_data(parser, "sentences", folder)
    if arguments.only == "ours":
        arguments.only = "voice_gateway"
    switch_off(parser, arguments.without)
    return arguments


if __name__ == "__main__":
    sys.exit(main())
