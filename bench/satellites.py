"""Many satellites that are spoken to at the same moment: how long the last one waits, and what it costs.

`satellites/…`: each in another room turns on a light, all at once, on llama.cpp's own server with slots,
where our model is asked of plain commands, too. Before it, a sentence is said in each slot's turn, so that
prompts are read as in a home where somebody spoke before.

- `answered`: satellites that were answered within the time limit of an agent, with no error;
- `done`: lights that were on then, and no other;
- `slowest`, `throughput`: seconds until the last answer, and answers in a minute;
- `kept`: the share of the prompts' tokens that the server had read before.

`satellites/cpu-per-turn`: CPU time of Home Assistant for a turn, with one satellite after the other, and
with all at once, with a model that answers at once, in another process.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
import gc
import json
import logging
import sys
from time import perf_counter, process_time
from typing import Any

from aiohttp import web
from homeassistant.components import conversation
from homeassistant.core import Context
from homeassistant.helpers.intent import IntentResponseType

from bench.agents import OF_LLAMA, PATIENCE, async_add_agent
from bench.generated import generated
from bench.home import Home
from bench.house import House, furnished
from bench.llama import noted_llama
from bench.process import process
from bench.results import line, medians
from custom_components.voice_gateway.const import DOMAIN as OURS, EntryKind

MODEL = "qwen2.5-coder:0.5b"
SLOTS = 4
MANY = 50
"""Satellites of the case whose CPU time is measured."""
_LARGE = 1000
"""Entities of the house of which the lights are."""
AGENTS = {"core": OF_LLAMA, "voice_gateway": OURS}


@dataclass(frozen=True, slots=True)
class Satellite:
    """A device in a room, and a light there that is told to go on."""

    device_id: str
    light: str
    entity_id: str

    @property
    def sentence(self) -> str:
        """What is said to it."""
        return f"Turn on the {self.light}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a satellite got: whether that is an answer, and after how many seconds."""

    is_good: bool
    seconds: float


async def main() -> None:
    """Measure the cases that were asked for."""
    arguments = _arguments()
    if arguments.serve:
        await _serve()
        return
    logging.disable(logging.CRITICAL)
    if arguments.at_once:
        await _live(arguments)
    await _cpu(arguments.runs)


async def _live(arguments: argparse.Namespace) -> None:
    """Measure a real server, with one agent after the other."""
    count, slots, limit = arguments.at_once, arguments.slots, arguments.timeout
    figures: dict[str, Mapping[str, float]] = {}
    for name, domain in AGENTS.items():
        async with (
            noted_llama(arguments.model, slots) as server,
            furnished(home_of(count)) as house,
        ):
            options: dict[str, Any] = {}
            if domain == OURS:
                options = {"reflex": False, "timeout": int(limit)}
            agent = await async_add_agent(
                house.hass, domain, server.url, arguments.model, kind=EntryKind.OPENAI, **options
            )
            satellites = _satellites(house, count)
            # Each slot has read the prompt when as many have asked at once.
            await _all(house, agent, satellites[:slots], PATIENCE)
            await _off(house, satellites)
            before = len(server.records())
            answers = await _all(house, agent, satellites, 1.5 * limit)
            records = server.records()[before:]
        figures[name] = _figures(house, satellites, answers, records, limit)
        print(f"# {name}: {figures[name]}", file=sys.stderr, flush=True)
    for what, unit in _UNITS.items():
        sides = {name: each[what] for name, each in figures.items()}
        digits = 0 if unit == "satellites" else 2
        print(line(f"satellites/{what}", sides, unit, count, digits), flush=True)


_UNITS = {
    "answered": "satellites",
    "done": "satellites",
    "slowest": "s",
    "throughput": "answers/min",
    "kept": "share",
}


def _figures(
    house: House,
    satellites: Sequence[Satellite],
    answers: Sequence[Answer],
    records: Sequence[Mapping[str, Any]],
    limit: float,
) -> Mapping[str, float]:
    states = house.states()
    slowest = max(each.seconds for each in answers)
    read = sum(each["prompt_tokens"] for each in records)
    kept = sum(each["cached_tokens"] for each in records)
    return {
        "answered": sum(each.is_good and each.seconds <= limit for each in answers),
        "done": sum(states[each.entity_id]["state"] == "on" for each in satellites),
        "slowest": slowest,
        "throughput": 60 * sum(each.is_good for each in answers) / slowest,
        "kept": kept / read if read else 0.0,
    }


async def _all(
    house: House, agent: str, satellites: Sequence[Satellite], patience: float = PATIENCE
) -> list[Answer]:
    """Say its sentence to each satellite, all at once; return what each got within so many seconds."""

    async def one(satellite: Satellite) -> Answer:
        began = perf_counter()
        is_good = await _say(house, agent, satellite, patience)
        return Answer(is_good, perf_counter() - began)

    answers = await asyncio.gather(*map(one, satellites))
    await house.hass.async_block_till_done()
    return answers


async def _say(house: House, agent: str, satellite: Satellite, patience: float) -> bool:
    """Say its sentence to a satellite; return whether it was answered at all, and with no error."""
    try:
        async with asyncio.timeout(patience):
            result = await conversation.async_converse(
                house.hass,
                satellite.sentence,
                None,
                Context(),
                "en",
                agent,
                device_id=satellite.device_id,
            )
    except Exception as err:  # noqa: BLE001 - the pipeline would say "Unexpected error"
        print(f"# {agent}: {satellite.sentence}: {err!r}", file=sys.stderr, flush=True)
        return False
    response = result.response
    return bool(response.speech) and response.response_type is not IntentResponseType.ERROR


async def _off(house: House, satellites: Sequence[Satellite]) -> None:
    """Have all lights off."""
    await house.async_happen({each.entity_id: {"state": "off"} for each in satellites})


def home_of(count: int) -> Home:
    """Return a house with a light in each of so many rooms, as far as there are rooms."""
    home = generated(_LARGE)
    lights = [each for each in home.entities if each.domain == "light" and each.area]
    names = Counter(each.name for each in lights)
    single = [each for each in lights if names[each.name] == 1]
    # The first of each room before the second one of any.
    seen: Counter[str | None] = Counter()
    ranked = []
    for each in single:
        ranked.append((seen[each.area], each))
        seen[each.area] += 1
    ranked.sort(key=lambda pair: pair[0])
    return replace(home, entities=[each for _, each in ranked[:count]])


def _satellites(house: House, count: int) -> list[Satellite]:
    """Return so many satellites, each with the light of its room that it is told to turn on."""
    places = {each.area: house.device_ids[each.device_id] for each in house.home.devices}
    found = [
        Satellite(places[each.area], each.name, each.entity_id) for each in house.home.entities
    ]
    if len(found) < count:
        raise SystemExit(f"{house.home.name} has {len(found)} lights that can be told apart")
    return found


# CPU time


async def _cpu(runs: int) -> None:
    """Measure the CPU time of a turn, alone and among many."""
    alone: dict[str, list[float]] = {name: [] for name in AGENTS}
    among: dict[str, list[float]] = {name: [] for name in AGENTS}
    async with (
        process("-m", "bench.satellites", "--serve") as url,
        furnished(home_of(MANY)) as house,
    ):
        satellites = _satellites(house, MANY)
        agents: dict[str, str] = {}
        for name, domain in AGENTS.items():
            options: dict[str, Any] = {"reflex": False} if domain == OURS else {}
            agents[name] = await async_add_agent(
                house.hass, domain, url, "played", kind=EntryKind.OPENAI, **options
            )
        for run in range(runs + 1):
            for name, agent in agents.items():
                one = await _spent(house, agent, [[each] for each in satellites])
                many = await _spent(house, agent, [satellites])
                if run:
                    alone[name].append(one)
                    among[name].append(many)
    print(medians("satellites/cpu-per-turn-alone", alone, "ms", 2))
    print(medians("satellites/cpu-per-turn", among, "ms", 2))
    growth = {name: sum(among[name]) / sum(alone[name]) for name in AGENTS}
    print(line("satellites/cpu-growth-1-to-50", growth, "factor", runs, 2))


async def _spent(house: House, agent: str, groups: Sequence[Sequence[Satellite]]) -> float:
    """Return the milliseconds of a turn, where those of a group speak at once."""
    satellites = [each for group in groups for each in group]
    await _off(house, satellites)
    gc.collect()
    began = process_time()
    for group in groups:
        await _all(house, agent, group)
    spent = process_time() - began
    states = house.states()
    if lost := [each.light for each in satellites if states[each.entity_id]["state"] != "on"]:
        raise RuntimeError(f"{agent} did not turn on {len(lost)} of {len(satellites)}: {lost[:3]}")
    return spent * 1000 / len(satellites)


async def _serve() -> None:
    """Serve a model that turns on what the last sentence names, until stdin ends."""
    app = web.Application(client_max_size=64 << 20)
    app.add_routes([web.get("/v1/models", _models), web.post("/v1/chat/completions", _chat)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
    await asyncio.to_thread(sys.stdin.read)


async def _models(_: web.Request) -> web.Response:
    # Of vLLM's kind, which is given many requests at once.
    return web.json_response({"object": "list", "data": [{"id": "played", "owned_by": "vllm"}]})


async def _chat(request: web.Request) -> web.Response:
    body = await request.json()
    *_, last = body["messages"]
    delta: dict[str, Any] = {"role": "assistant", "content": "It is on."}
    if last["role"] == "user":
        text = last["content"] if isinstance(last["content"], str) else last["content"][0]["text"]
        named = text.rpartition("Turn on the ")[2]
        name = next(
            tool["function"]["name"]
            for tool in body["tools"]
            if tool["function"]["name"].endswith("HassTurnOn")
        )
        function = {"name": name, "arguments": json.dumps({"name": named})}
        call = {"index": 0, "id": "call00001", "type": "function", "function": function}
        delta = {"role": "assistant", "content": None, "tool_calls": [call]}
    reason = "tool_calls" if delta["content"] is None else "stop"
    chunks: list[dict[str, Any]] = [
        {"delta": delta, "finish_reason": None},
        {"delta": {}, "finish_reason": reason},
    ]
    shared: dict[str, Any] = {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "played",
    }
    lines = [json.dumps({**shared, "choices": [{"index": 0, **chunk}]}) for chunk in chunks]
    events = "".join(f"data: {each}\n\n" for each in [*lines, "[DONE]"])
    return web.Response(text=events, content_type="text/event-stream")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/bench satellites", description=__doc__)
    parser.add_argument(
        "--at-once", type=int, default=16, help="on the real server; 0 leaves it out (default: 16)"
    )
    parser.add_argument(
        "--slots", type=int, default=SLOTS, help=f"of the server (default: {SLOTS})"
    )
    parser.add_argument("--model", default=MODEL, help=f"(default: {MODEL})")
    parser.add_argument(
        "--timeout", type=float, default=60, help="an agent's time limit in seconds (default: 60)"
    )
    parser.add_argument("--runs", type=int, default=5, help="of CPU time (default: 5)")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
