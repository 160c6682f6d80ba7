"""Plain commands as a speech engine hears them: names misheard, without a model.

150 commands are made from the names of the houses' own devices and areas (bench/misheard.toml), spoken
by eSpeak NG and heard by Whisper; what was heard is kept, so that each is spoken once. It is given to
Home Assistant's own agent and to ours, whose model server is off. Prints

    right/misheard core=0.410 voice_gateway=0.700 unit=share ratio=1.71 n=150
    asked/misheard core=0.000 voice_gateway=0.100 unit=share n=150
    wrong/misheard core=0.016 voice_gateway=0.000 unit=share ratio=0.00 n=150
    misheard/en core=0.410 voice_gateway=0.800 unit=share ratio=1.95 n=150

where right is the house as it was to be, at once; asked is a question that names what was meant, with
nothing done before a yes; and wrong is a change of any device that was not meant; the last line, with the language's code, has
what is right or asked.
`tiny.en`, the engine of script/voice, hears English. For other languages, --whisper names the folder of
a Whisper model for CTranslate2.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
import json
import logging
import os
from pathlib import Path
import subprocess
import sys
from typing import Any

from homeassistant.components import conversation

from bench.agents import Turn, async_add_agent, async_agree, async_ask
from bench.home import Home
from bench.house import House, furnished
from bench.reflex import OFF
from bench.results import line
from bench.spoken import Command, Templates
from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.nlu.categories import is_home_language
from script.house.home_assistant import CHECKOUT
from script.ollama.fetch import cache_directory
from tests.voice.engines.process import PYTHON, missing

_ENGLISH = "en"
_COMPARED = ("brightness", "current_position", "temperature", "volume_level")
"""What of a device may change besides its state."""
_NEAR = {"brightness": 2, "volume_level": 0.01}


class Result(StrEnum):
    """What came of a command."""

    RIGHT = "right"
    ASKED = "asked"
    WRONG = "wrong"
    OTHER = "other"
    """Another deed, of a device that was meant: the engine heard another one."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an agent made of what was heard."""

    command: Command
    utterance: str
    turn: Turn
    result: Result
    changed: Sequence[str]
    """The devices that are not as before."""


class Ears:
    """Hears sentences of a language with one engine, each of them once."""

    def __init__(self, language: str, voice: str, model: Path | None) -> None:
        """Take the language, the speaker's voice, and the folder of a model other than `tiny.en`."""
        name = f"{language}-{model.resolve().name if model else 'tiny.en'}.json"
        self._file = cache_directory().parent / "misheard" / name
        self._engine = [str(PYTHON), "-m", "tests.voice.engines.hearing", voice, language]
        self._engine += [str(model.resolve())] if model else []

    def hear(self, sentences: Sequence[str]) -> Mapping[str, str]:
        """Return what was heard of each sentence."""
        known = json.loads(self._file.read_text("utf-8")) if self._file.exists() else {}
        unknown = [each for each in sentences if each not in known]
        if unknown and (reason := missing(("espeak-ng",))):
            raise SystemExit(reason)
        if unknown:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._listen(unknown, known)
        return {each: known[each] for each in sentences}

    def _listen(self, sentences: Sequence[str], known: dict[str, str]) -> None:
        pipe = subprocess.PIPE
        with subprocess.Popen(
            self._engine, stdin=pipe, stdout=pipe, text=True, cwd=CHECKOUT
        ) as engine:
            assert engine.stdin
            assert engine.stdout
            for each in sentences:
                engine.stdin.write(f"{each}\n")
                engine.stdin.flush()
                known[each] = json.loads(engine.stdout.readline())
                self._file.write_text(json.dumps(known, ensure_ascii=False, indent=1), "utf-8")
            engine.stdin.close()


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    logging.disable(logging.NOTSET if arguments.verbose else logging.CRITICAL)
    templates = Templates(arguments.language)
    homes = _homes(arguments, templates)
    each = -(-arguments.number // len(homes))
    said = [(home, templates.commands(home, each, place)) for place, home in enumerate(homes)]
    ears = Ears(arguments.language, templates.voice, arguments.whisper)
    utterance = ears.hear([command.text for _, commands in said for command in commands])
    outcomes = asyncio.run(_async_all(said, utterance, arguments.language))
    if arguments.failures:
        print("\n".join(_stories(outcomes, arguments.failures)))
    report(outcomes, arguments.language)
    return 0


def _homes(arguments: argparse.Namespace, templates: Templates) -> Sequence[Home]:
    """Return the houses whose devices are named in the language, or the language's own."""
    files = sorted(path for folder in arguments.homes or () for path in folder.glob("*.yaml"))
    homes = [Home.read(path) for path in files]
    named = [each for each in homes if _is_named_in(each, arguments.language)]
    if not named and (own := templates.home()):
        named = [own]
    if not named:
        raise SystemExit(f"None of the houses is named in {arguments.language}: see --homes.")
    return named


def _is_named_in(home: Home, language: str) -> bool:
    """Tell whether a house is named in a language; English counts where words of both may be."""
    names = frozenset(each.name for each in home.entities)
    is_english = language != _ENGLISH and is_home_language(names, _ENGLISH)
    return is_home_language(names, language) and not is_english


async def _async_all(
    said: Sequence[tuple[Home, Sequence[Command]]], utterance: Mapping[str, str], language: str
) -> Mapping[str, Sequence[Outcome]]:
    """Give all that was heard to both agents, house by house."""
    outcomes: dict[str, list[Outcome]] = {"core": [], "voice_gateway": []}
    for home, commands in said:
        async with furnished(home) as house:
            agents = {
                "core": conversation.HOME_ASSISTANT_AGENT,
                "voice_gateway": await async_add_agent(house.hass, DOMAIN, OFF, "none"),
            }
            for name, agent in agents.items():
                for command in commands:
                    outcome = await _async_run(
                        house, agent, command, utterance[command.text], language
                    )
                    outcomes[name].append(outcome)
    return outcomes


async def _async_run(
    house: House, agent: str, command: Command, utterance: str, language: str
) -> Outcome:
    """Give one command, as it was heard, to one agent in a fresh house."""
    await house.async_begin(command.setup)
    before = house.states()
    turn = await async_ask(house.hass, agent, utterance, language=language)
    result, changed = _result(command, before, house.states())
    if not changed and turn.listens and _is_about(turn.speech, command):
        agreed = await async_agree(house.hass, agent, turn, None, language=language)
        result, changed = _result(command, before, house.states())
        if result is Result.RIGHT or not agreed.agreed:
            result = Result.ASKED
    return Outcome(command, utterance, turn, result, changed)


def _result(
    command: Command,
    before: Mapping[str, Mapping[str, Any]],
    after: Mapping[str, Mapping[str, Any]],
) -> tuple[Result, Sequence[str]]:
    """Return what came of a command, and the devices that are not as before."""
    changed = [name for name in before if _compared(before[name]) != _compared(after[name])]
    if not changed:
        return Result.NOTHING, ()
    if set(changed) - command.after.keys():
        return Result.WRONG, changed
    is_right = all(
        _is_near(name, after[entity_id].get(name), value)
        for entity_id, wanted in command.after.items()
        for name, value in wanted.items()
    )
    return Result.RIGHT if is_right else Result.OTHER, changed


def _is_near(name: str, value: Any, wanted: Any) -> bool:
    if name in _NEAR:
        return value is not None and abs(value - wanted) <= _NEAR[name]
    return bool(value == wanted)


def _compared(state: Mapping[str, Any]) -> Sequence[Any]:
    return [state["state"], *(state.get(name) for name in _COMPARED)]


def _is_about(speech: str, command: Command) -> bool:
    """Tell whether a question names what was meant: a choice without it is none."""
    return any(each.casefold() in speech.casefold() for each in command.names)


def report(outcomes: Mapping[str, Sequence[Outcome]], language: str) -> None:
    """Print what was right, asked back and wrong; the two halves of the commands beside it."""
    for name, mine in outcomes.items():
        for title, some in (("odd", mine[::2]), ("even", mine[1::2])):
            counts = Counter(each.result for each in some)
            told = ", ".join(f"{result} {counts[result]}" for result in Result)
            print(f"# {name}, the {title} ones of {len(some)}: {told}")
    n = len(outcomes["core"])
    exact = sum(_plain(each.utterance) == _plain(each.command.text) for each in outcomes["core"])
    print(f"# heard to the letter: {exact} of {n}")
    for result in (Result.RIGHT, Result.ASKED, Result.WRONG):
        print(line(f"{result}/misheard", _shares(outcomes, result), "share", n), flush=True)
    either = _shares(outcomes, Result.RIGHT, Result.ASKED)
    print(line(f"misheard/{language}", either, "share", n), flush=True)


def _shares(outcomes: Mapping[str, Sequence[Outcome]], *results: Result) -> Mapping[str, float]:
    return {
        name: sum(each.result in results for each in mine) / len(mine)
        for name, mine in outcomes.items()
    }


def _plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _stories(outcomes: Mapping[str, Sequence[Outcome]], half: str) -> Sequence[str]:
    """Return what our agent did of what was not right, in one half of the commands."""
    mine = outcomes["voice_gateway"][half == "even" :: 2]
    return [
        f"{each.result}: “{each.command.text}”, heard “{each.utterance}”: {each.turn.speech!r}"
        f" {', '.join(each.changed)}"
        for each in mine
        if each.result is not Result.RIGHT
    ]


def _arguments() -> argparse.Namespace:
    base = os.environ.get("VOICE_GATEWAY_EVAL")
    parser = argparse.ArgumentParser(
        prog="script/bench misheard",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--language", default="en", metavar="CODE")
    parser.add_argument(
        "--homes",
        type=Path,
        nargs="+",
        metavar="DIR",
        default=base and [Path(base, "homes"), Path(base, "moments", "homes")],
        help="houses, one YAML file each (default: homes/ and moments/homes/ in $VOICE_GATEWAY_EVAL)",
    )
    parser.add_argument("--number", type=int, default=150, help="commands (default: 150)")
    parser.add_argument("--whisper", type=Path, metavar="DIR", help="another model to hear with")
    parser.add_argument(
        "--failures", choices=("odd", "even"), help="show what was not right in one half"
    )
    parser.add_argument("--verbose", action="store_true", help="with Home Assistant's log")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
