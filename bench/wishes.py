"""What people say freely: wishes whose calls must not be refused, and small talk to be answered.

A model is played that understands: it makes the calls that a wish is about, or answers small talk
without any. Both agents are told all of it (`bench/wishes.toml`). Ends with

    wishes-refused/eager core=0 voice_gateway=0 unit=calls ratio=nan n=18
    smalltalk-refused/played core=0 voice_gateway=0 unit=answers ratio=nan n=20

where a call is refused if its result is an error, and small talk if something else is spoken than
the model's answer.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import logging
from pathlib import Path
import sys
import tomllib
from typing import Any

from bench.agents import AGENTS, Turn, async_add_agent, async_ask, async_tool_names
from bench.generated import generated
from bench.house import House, furnished
from bench.replay import Replay, serve, steps
from bench.results import line
from bench.rules import add_option, switch_off

DATA = Path(__file__).with_suffix(".toml")
SIZE = 40


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody says in an area, or anywhere, and what the model makes of it."""

    text: str
    language: str
    area: str | None = None
    calls: Sequence[Mapping[str, Any]] = ()
    answer: str = "Done."

    @property
    def steps(self) -> Sequence[dict[str, Any]]:
        """The model's messages."""
        return steps(self.answer, self.calls)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an agent made of it."""

    said: Said
    turn: Turn

    @property
    def refused(self) -> int:
        """How many calls were; small talk counts if it is answered with something else."""
        if self.said.calls:
            return len(self.turn.errors)
        return int(self.turn.speech.split() != self.said.answer.split())


def read() -> tuple[Sequence[Said], Sequence[Said]]:
    """Return the wishes and the small talk."""
    data = tomllib.loads(DATA.read_text("utf-8"))
    return [Said(**each) for each in data["wish"]], [Said(**each) for each in data["talk"]]


async def main() -> None:
    """Tell both agents everything."""
    arguments = _arguments()
    logging.disable(logging.CRITICAL)
    wishes, talk = read()
    by_agent: dict[str, Sequence[Outcome]] = {}
    replay = Replay("replay")
    async with serve(replay) as url, furnished(generated(SIZE)) as house:
        replay.tool_names = await async_tool_names(house.hass)
        for name, domain in AGENTS.items():
            agent = await async_add_agent(house.hass, domain, url, replay.model)
            by_agent[name] = [
                await _async_say(house, agent, replay, said) for said in (*wishes, *talk)
            ]
    if arguments.failures:
        _print_refused(by_agent)
    calls = sum(len(wish.calls) for wish in wishes)
    print(line("wishes-refused/eager", _refused(by_agent, wishes), "calls", calls, 0))
    print(line("smalltalk-refused/played", _refused(by_agent, talk), "answers", len(talk), 0))


async def _async_say(house: House, agent: str, replay: Replay, said: Said) -> Outcome:
    await house.async_begin({})
    replay.begin(said.text, said.steps)
    device_id = next(
        (
            house.device_ids[device.device_id]
            for device in house.home.devices
            if device.area == said.area
        ),
        None,
    )
    turn = await async_ask(house.hass, agent, said.text, device_id, language=said.language)
    return Outcome(said, turn)


def _refused(
    by_agent: Mapping[str, Sequence[Outcome]], what: Sequence[Said]
) -> Mapping[str, float]:
    return {
        name: sum(each.refused for each in outcomes if each.said in what)
        for name, outcomes in by_agent.items()
    }


def _print_refused(by_agent: Mapping[str, Sequence[Outcome]]) -> None:
    for name, outcomes in by_agent.items():
        for each in outcomes:
            if each.refused:
                print(f"[{name}] “{each.said.text}”")
                print(f"  spoken: {each.turn.speech}")
                for error in each.turn.errors:
                    print(f"  error: {error}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="script/bench wishes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--failures", action="store_true", help="show what was refused")
    add_option(parser)
    arguments = parser.parse_args()
    switch_off(parser, arguments.without)
    return arguments


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
