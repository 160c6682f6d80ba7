"""What becomes of sentences that strangers say: public test sets, in seven languages.

Each sentence is said to our agent in a house that has what it speaks of, with a model that is played:
one that says nothing (silent), one that makes the obvious calls (eager), one that answers in words
(talk); or to Home Assistant's own agent, which has no model (core). For each behaviour it prints

    right/slurp/en/silent voice_gateway=0.530 unit=share n=168
    right/all/silent voice_gateway=0.640 unit=share n=766
    asked/all/silent voice_gateway=3 unit=sentences n=766
    refused/all/silent voice_gateway=0 unit=sentences n=766
    wrong/all/silent voice_gateway=2 unit=sentences n=1415
    kind/ask/silent voice_gateway=0.420 unit=share n=316
    acted/free/silent voice_gateway=9 unit=sentences n=1074

Right are commands that are done, asked those about which the user is asked needlessly: what opens or
unlocks may be asked about first. Refused is what a model called and that was not done. Wrong is what
changes or is claimed and should not, among all sentences but those of which nobody has told what they
want (free): read what acts there, with --show. Of the other kinds (`kind/…`) right is an answer without
the model, a plan, or that nothing happens. Of talk, `heard/all/talk` is the share of questions and remarks
to which the model's words are spoken, where it was asked.
"""

import argparse
import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
import json
import logging
from pathlib import Path
import sys
from time import perf_counter

from homeassistant.components import conversation
from homeassistant.components.media_player import MediaPlayerEntityFeature

from bench.agents import async_add_agent, async_agree
from bench.clock import clock_at
from bench.options import Part, add_data, home_of, sample, with_data
from bench.parallel import play_by_home
from bench.replay import DONE, Json, serve, steps
from bench.results import line
from bench.stage import BEGAN, Stage, stage_of
from bench.strangers_scoring import Outcome, Sentence, judge
from custom_components.voice_gateway.const import DOMAIN

SILENT, EAGER, CORE, TALK = "silent", "eager", "core", "talk"
BEHAVIOURS = (SILENT, EAGER, CORE, TALK)
WORDS = "Here is what I know about that."
"""What the model says that talks."""
_CANNOT = "I can't do that."
_SATELLITE = "sat"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a sentence with one behaviour."""

    sentence: Sentence
    behaviour: str
    outcome: Outcome
    asked_model: bool
    is_heard: bool
    """Whether what the model says that talks was spoken."""
    story: Sequence[str] = ()
    """What was done and said, where it is not right."""


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    started = perf_counter()
    sentences = sample(_chosen(arguments), lambda each: each.id, arguments.sample)
    # Those of a language and of a setup are together.
    sentences = sorted(sentences, key=lambda each: (each.lang, json.dumps(each.setup)))
    play = partial(_play, arguments.homes, arguments.behaviour, arguments.verbose)
    results = play_by_home(play, sentences, lambda each: each.home, arguments.jobs)
    for behaviour in arguments.behaviour:
        some = [each for each in results if each.behaviour == behaviour]
        if arguments.show:
            _show(some)
        report(behaviour, some)
    print(f"# {len(results)} sentences in {perf_counter() - started:.0f} s", flush=True)
    return 0


def _chosen(arguments: argparse.Namespace) -> Sequence[Sentence]:
    """Return the sentences of the sets, languages, kinds and parts that were asked for."""
    return [
        each
        for each in Sentence.read_all(arguments.sentences, arguments.setups)
        if arguments.set in (None, each.set)
        and arguments.language in (None, each.lang)
        and arguments.kind in (None, each.kind)
        and any(each.id in part for part in arguments.part)
    ]


def _play(
    homes: Sequence[Path], behaviours: Sequence[str], verbose: bool, sentences: Sequence[Sentence]
) -> Sequence[Result]:
    """Say sentences of one home, in a process of its own."""
    logging.disable(logging.NOTSET if verbose else logging.CRITICAL)
    return asyncio.run(_async_play(homes, behaviours, sentences))


async def _async_play(
    homes: Sequence[Path], behaviours: Sequence[str], sentences: Sequence[Sentence]
) -> Sequence[Result]:
    with clock_at(BEGAN) as clock:
        async with (
            stage_of(home_of(homes, sentences[0].home), clock) as stage,
            serve(stage.replay) as url,
        ):
            ours = await async_add_agent(stage.house.hass, DOMAIN, url, stage.replay.model)
            await stage.async_learn(ours, [each.lang for each in sentences])
            return [
                await _async_say(stage, ours, each, behaviour)
                for behaviour in behaviours
                for each in sentences
                if _is_possible(stage, each)
            ]


def _is_possible(stage: Stage, sentence: Sentence) -> bool:
    """Return False if something is wanted from a player that finds nothing to play."""
    states = stage.house.states()
    return not sentence.need or any(
        not what.startswith("played:")
        or states[entity_id]["supported_features"] & MediaPlayerEntityFeature.PLAY_MEDIA
        for one in sentence.need
        for entity_id, what in one
    )


async def _async_say(stage: Stage, ours: str, sentence: Sentence, behaviour: str) -> Result:
    """Say a sentence; where Home Assistant asks before something is done, the user says yes."""
    agent = conversation.HOME_ASSISTANT_AGENT if behaviour == CORE else ours
    hass, device_id = stage.house.hass, stage.house.device_ids[_SATELLITE]
    await stage.async_begin(sentence.setup)
    played = await stage.async_say(
        agent, sentence.text, sentence.lang, _SATELLITE, _answer(sentence, behaviour)
    )
    agreed = None
    if played.asks:
        await async_agree(hass, agent, played.turn, device_id, language=sentence.lang)
        agreed = stage.states()
    verdict = judge(sentence, played, agreed, is_eager=behaviour == EAGER)
    story = (*played.turn.deeds, *played.turn.story, *(f"  ! {each}" for each in verdict.wrong))
    return Result(
        sentence=sentence,
        behaviour=behaviour,
        outcome=verdict.outcome,
        asked_model=played.asked_model,
        is_heard=played.turn.speech == WORDS,
        story=() if verdict.outcome is Outcome.RIGHT else story,
    )


def _answer(sentence: Sentence, behaviour: str) -> Sequence[Json]:
    """Return what a model answers that is played."""
    match behaviour:
        case "eager":
            return steps(DONE if sentence.calls else _CANNOT, sentence.calls)
        case "talk":
            return steps(WORDS)
    return steps("")


def report(behaviour: str, results: Sequence[Result]) -> None:
    """Print what came of sentences: commands by set and language, others by kind, and the sums."""
    commands = [each for each in results if each.sentence.kind == "do"]
    for (name, language), some in _grouped(commands, _set_and_language):
        _print(f"right/{name}/{language}", behaviour, some, Outcome.RIGHT, as_share=True)
    others = [each for each in results if each.sentence.kind not in ("do", "free")]
    for kind, some in _grouped(others, lambda each: each.sentence.kind):
        _print(f"kind/{kind}", behaviour, some, Outcome.RIGHT, as_share=True)
    free = [each for each in results if each.sentence.kind == "free"]
    _print("acted/free", behaviour, free, Outcome.ACTED)
    remarks = [
        each for each in others if each.sentence.kind in ("ask", "none") and each.asked_model
    ]
    if behaviour == TALK and remarks:
        heard = sum(each.is_heard for each in remarks) / len(remarks)
        print(line("heard/all/talk", {"voice_gateway": heard}, "share", len(remarks)))
    for outcome, name in (
        (Outcome.ASKED_FIRST, "asked-first"),
        (Outcome.ASKED, "asked"),
        (Outcome.REFUSED, "refused"),
        (Outcome.LEFT, "left"),
    ):
        _print(f"{name}/all", behaviour, commands, outcome)
    _print("wrong/all", behaviour, [*commands, *others], Outcome.WRONG)
    _print("right/all", behaviour, commands, Outcome.RIGHT, as_share=True)


def _print(
    name: str,
    behaviour: str,
    results: Sequence[Result],
    outcome: Outcome,
    *,
    as_share: bool = False,
) -> None:
    """Print how many sentences have an outcome; nothing where there are none."""
    if not results:
        return
    count = Counter(each.outcome for each in results)[outcome]
    side = "core" if behaviour == CORE else "voice_gateway"
    values = {side: count / len(results) if as_share else count}
    unit, digits = ("share", 3) if as_share else ("sentences", 0)
    print(line(f"{name}/{behaviour}", values, unit, len(results), digits), flush=True)


def _grouped[K](
    results: Iterable[Result], key: Callable[[Result], K]
) -> Iterable[tuple[K, Sequence[Result]]]:
    groups: dict[K, list[Result]] = defaultdict(list)
    for each in results:
        groups[key(each)].append(each)
    return sorted(groups.items(), key=lambda item: str(item[0]))


def _set_and_language(result: Result) -> tuple[str, str]:
    return result.sentence.set, result.sentence.lang


def _show(results: Iterable[Result]) -> None:
    """Print the failures, and the sentences without an expectation that changed something."""
    for each in results:
        sentence, outcome = each.sentence, each.outcome
        if outcome is Outcome.RIGHT or (sentence.kind == "free" and outcome is Outcome.LEFT):
            continue
        print(f"[{each.behaviour}] {sentence.id}, {sentence.kind}: {outcome}")
        print(f"  “{sentence.text}” ({sentence.label})")
        print("\n".join((*each.story, *(f"  needs: {dict(one)}" for one in sentence.need), "")))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="script/bench strangers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_data(parser, "sentences", "strangers", "sentences")
    parser.add_argument(
        "--setups",
        type=Path,
        metavar="FILE",
        help="states before the sentences, by their keys (default: setups.json beside the sentences)",
    )
    parser.add_argument(
        "--behaviour",
        nargs="+",
        choices=BEHAVIOURS,
        default=(SILENT, EAGER),
        help="of the model; core: Home Assistant's own agent (default: silent eager)",
    )
    parser.add_argument("--set", help="only sentences of this test set")
    parser.add_argument("--language", help="only sentences in this language")
    parser.add_argument("--kind", help="only sentences of this kind")
    parser.add_argument(
        "--part",
        type=Part.read,
        nargs="+",
        metavar="K/N",
        default=[Part(1, 1)],
        help="only the K-th of N parts of the sentences, by a hash of their ids",
    )
    parser.add_argument(
        "--sample", type=int, metavar="N", help="only so many sentences, the same always"
    )
    parser.add_argument("--show", action="store_true", help="show what is not right")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--verbose", action="store_true", help="with Home Assistant's log")
    arguments = with_data(parser, "sentences", "strangers")
    arguments.setups = arguments.setups or arguments.sentences.with_name("setups.json")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
