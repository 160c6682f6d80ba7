"""From the end of speech to the action and to the spoken answer, with a real model.

Both agents on one embedded server, in one house: of the data set where VOICE_GATEWAY_EVAL names its
folder, else a generated one. Speaking takes two seconds, and begins with what the assist pipeline
does then: it lets the agent prepare. Cases:

- `first`: the first sentence after a start of Home Assistant and of the model, a minute idle;
- `evicted`: another prompt used the server just before, and nothing is left of ours;
- `warm`: the server read the same prompt for the sentence before;
- `confirmed`: the same, until the whole answer is there to be spoken;
- `second-room`: from a device in another area, right after.

`read/CASE` says how many tokens the server had to read for it since speech began; that does not
depend on what else the computer does.
"""

import argparse
import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
import logging
import os
from pathlib import Path
import sys
from time import perf_counter
from typing import Any

import aiohttp
from homeassistant.components import conversation
from homeassistant.core import Event, EventStateChangedData, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event

from bench.agents import AGENTS, SERVERS, async_add_agent, async_ask
from bench.embedded import Server, embedded
from bench.generated import generated
from bench.home import Home
from bench.house import House, furnished
from bench.llama import LlamaServer, noted_llama
from bench.results import medians

MODEL = "qwen2.5-coder-tools:1.5b"
"""With the template by which Home Assistant's own agent understands its calls."""
CASES = ("first", "evicted", "warm", "second-room")
SIZE = 64
"""Entities of the generated house: enough for as many rooms as `second-room` needs."""
SPEAKING = 2.0
IDLE = 60.0
OTHER_PROMPT = "Write a short poem about the sea. " * 30


@dataclass(frozen=True, slots=True)
class Spoken:
    """Seconds from the end of speech to the action and to the answer; None: nothing was done."""

    action: float | None
    answer: float
    read: int
    """Tokens that the server read since speech began."""


@dataclass(slots=True)
class Bench:
    """One agent in one house, on one server."""

    house: House
    server: Server | LlamaServer
    model: str
    name: str
    agent: str
    commands: Iterator[tuple[str, str]]
    results: dict[str, list[Spoken]] = field(default_factory=dict)

    async def first(self, runs: int) -> None:
        """Measure the first sentence after a start."""
        for _ in range(runs):
            await self._forget()
            await self._restart()
            await self._idle()
            await self._measure("first")

    async def evicted(self, runs: int) -> None:
        """Measure a sentence after something else used the server."""
        for _ in range(runs):
            await self._forget()
            await self._read_another()
            await self._measure("evicted")

    async def warm(self, runs: int) -> None:
        """Measure sentences one after the other."""
        await self._speak()
        for _ in range(runs):
            await self._measure("warm")

    async def second_room(self, runs: int) -> None:
        """Measure sentences each of which comes from a room where nobody spoke yet."""
        rooms = list(_rooms(self.house))
        if len(rooms) <= runs:
            raise SystemExit(f"{self.house.home.name} has no {runs + 1} rooms to speak in")
        await self._forget()
        await self._speak(rooms[0])
        for room in rooms[1 : runs + 1]:
            await self._measure("second-room", room)

    async def _measure(self, case: str, device_id: str | None = None) -> None:
        spoken = await self._speak(device_id)
        self.results.setdefault(case, []).append(spoken)
        print(f"# {case} {self.name}: {spoken}", file=sys.stderr, flush=True)

    async def _speak(self, device_id: str | None = None) -> Spoken:
        """Say the next command that changes something."""
        hass = self.house.hass
        name, entity_id = next(self.commands)
        state = hass.states.get(entity_id)
        assert state is not None
        sentence = f"Turn {'off' if state.state == 'on' else 'on'} the {name}"
        before = len(self.server.records())
        done: list[float] = []

        @callback
        def changed(event: Event[EventStateChangedData]) -> None:
            done.append(perf_counter())

        stop = async_track_state_change_event(hass, [entity_id], changed)
        preparing = hass.async_create_background_task(
            conversation.async_prepare_agent(hass, self.agent, "en"), "bench prepare"
        )
        await asyncio.sleep(SPEAKING)
        ended = perf_counter()
        await async_ask(hass, self.agent, sentence, device_id)
        answered = perf_counter()
        stop()
        await preparing
        records = self.server.records()[before:]
        read = sum(record["prompt_tokens"] - record["cached_tokens"] for record in records)
        return Spoken(done[0] - ended if done else None, answered - ended, read)

    async def _restart(self) -> None:
        """Set the agent up anew, as a start does."""
        entity = er.async_get(self.house.hass).async_get(self.agent)
        assert entity is not None
        assert entity.config_entry_id is not None
        await self.house.hass.config_entries.async_reload(entity.config_entry_id)
        await self.house.hass.async_block_till_done()

    async def _idle(self) -> None:
        """Wait a minute, or until the agent has used the server and rests."""
        before = len(self.server.records())
        for _ in range(int(IDLE / SPEAKING)):
            await asyncio.sleep(SPEAKING)
            records = self.server.records()
            if len(records) > before and not await self._busy():
                return

    async def _busy(self) -> bool:
        """Tell whether something more ends on the server soon."""
        before = len(self.server.records())
        await asyncio.sleep(SPEAKING)
        return len(self.server.records()) > before

    async def _forget(self) -> None:
        """Unload the model, and with it all that it has read."""
        if isinstance(self.server, LlamaServer):
            await self.server.forget()
        else:
            await use_model(self.server, self.model, "", keep_alive=0)

    async def _read_another(self) -> None:
        """Have the server read what another program asks."""
        if isinstance(self.server, LlamaServer):
            await self.server.read(OTHER_PROMPT)
        else:
            await use_model(self.server, self.model, OTHER_PROMPT)


async def use_model(server: Server, model: str, prompt: str, **more: object) -> None:
    """Let a model read a prompt; with `keep_alive=0` and no prompt, unload it."""
    options = {"num_ctx": 8192, "num_predict": 1}
    body = {"model": model, "prompt": prompt, "stream": False, "options": options, **more}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{server.url}/api/generate", json=body) as response,
    ):
        response.raise_for_status()
        await response.read()


def _rooms(house: House) -> Iterator[str]:
    """Yield a device in each area."""
    areas: set[str] = set()
    for device in house.home.devices:
        if device.area and device.area not in areas:
            areas.add(device.area)
            yield house.device_ids[device.device_id]


def _commands(home: Home) -> Iterable[tuple[str, str]]:
    """Return names and ids of the lights whose names nothing else has."""
    names = [entity.name for entity in home.entities]
    return [
        (entity.name, entity.entity_id)
        for entity in home.entities
        if entity.domain == "light" and names.count(entity.name) == 1
    ]


async def main() -> None:
    """Measure the cases that were asked for."""
    arguments = _arguments()
    logging.disable(logging.CRITICAL)
    home = Home.read(arguments.house) if arguments.house else generated(SIZE)
    serving = noted_llama if arguments.server == "openai" else embedded
    domains = AGENTS | {"core": SERVERS[arguments.server]}
    async with serving(arguments.model) as server, furnished(home) as house:
        benches: dict[str, Bench] = {}
        for case in arguments.case or CASES:
            for name, domain in domains.items():
                if name not in benches:
                    # Not before its turn: what it does after its start is not to slow another one.
                    options: dict[str, Any] = {} if name == "core" else {"reflex": arguments.reflex}
                    agent = await async_add_agent(
                        house.hass,
                        domain,
                        server.url,
                        arguments.model,
                        kind=arguments.server,
                        **options,
                    )
                    commands = cycle(_commands(home))
                    benches[name] = Bench(house, server, arguments.model, name, agent, commands)
                await getattr(benches[name], case.replace("-", "_"))(arguments.runs)
            _print(case, {name: bench.results[case] for name, bench in benches.items()})


def _print(case: str, results: Mapping[str, Sequence[Spoken]]) -> None:
    """Print a case's line; one more for `warm`, whose answers are `confirmed`."""
    actions = {
        name: [spoken.action for spoken in each if spoken.action is not None]
        for name, each in results.items()
    }
    for name, each in actions.items():
        if missing := len(results[name]) - len(each):
            print(f"# {case}: {name} did nothing {missing} times")
    if all(actions.values()):
        print(medians(f"latency/{case}", actions, "s"), flush=True)
    if case == "warm":
        answers = {name: [spoken.answer for spoken in each] for name, each in results.items()}
        print(medians("latency/confirmed", answers, "s"), flush=True)
    read = {name: [float(spoken.read) for spoken in each] for name, each in results.items()}
    print(medians(f"read/{case}", read, "tokens", 0), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/bench latency", description=__doc__)
    path = "VOICE_GATEWAY_EVAL"
    default = Path(os.environ[path]) / "homes" / "home1-us.yaml" if path in os.environ else None
    parser.add_argument(
        "--without-reflex",
        dest="reflex",
        action="store_false",
        help="our model is asked of plain commands, too",
    )
    parser.add_argument(
        "--house",
        type=Path,
        metavar="FILE",
        default=default,
        help=f"a house's file (default: homes/home1-us.yaml in ${path}, if set)",
    )
    parser.add_argument("--runs", type=int, default=7, help="of each case (default: 7)")
    parser.add_argument("--model", default=MODEL, help=f"(default: {MODEL})")
    parser.add_argument(
        "--server",
        choices=SERVERS,
        default="ollama",
        help="how the model is served: with openai, by llama.cpp's own server (default: ollama)",
    )
    parser.add_argument("--case", choices=CASES, action="append", help="only this one")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
