"""How much of a prompt is as it was in the request before, so that a server need not read it again.

20 turns in 5 conversations from 3 satellites, with a clock that advances by a day, devices that
change, and a restart in between that finds the devices in another order. Of every request, the
prompt that Qwen 2.5 reads is compared with that of the request before: the share of system prompt
and tools up to the first difference. 1 means that none of it is read again. `prefix-large` is
the same in a house of 1,000 entities, `prefix-tools` of agents that do not control the home and have
another API's tools, as those of an MCP server are; `prefix-many-tools` of agents that control it and have a hundred.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import pairwise, takewhile
import logging
from statistics import median
from typing import Any

from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory
from homeassistant.helpers import llm

from bench.agents import AGENTS, async_add_agent, async_ask, async_tool_names
from bench.generated import generated
from bench.home import Home
from bench.house import House, furnished
from bench.prompt import before_the_sentence
from bench.replay import Replay, serve
from bench.results import line
from bench.turn import TOOLS_API, ManyTools

CONVERSATIONS = 5
TURNS = 4
SIZE = 40
LARGE = 1000
LAMP = {"name": "Kitchen Ceiling Light"}


@dataclass(frozen=True, slots=True)
class Case:
    """A house of some exposed entities, and an agent with some tools of another API."""

    size: int = SIZE
    tools: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)


CASES = {
    "prefix": Case(),
    "prefix-large": Case(size=LARGE),
    "prefix-tools": Case(tools=10, options={"llm_hass_api": [TOOLS_API]}),
    "prefix-many-tools": Case(tools=100, options={"llm_hass_api": [llm.LLM_API_ASSIST, TOOLS_API]}),
}


async def main() -> None:
    """Measure both agents."""
    logging.disable(logging.CRITICAL)
    for name, case in CASES.items():
        shares = {agent: await _shares(domain, case) for agent, domain in AGENTS.items()}
        n = min(len(each) for each in shares.values())
        worst = {agent: min(each) for agent, each in shares.items()}
        print(line(f"{name}/worst", worst, "share", n))
        middle = {agent: median(each) for agent, each in shares.items()}
        print(line(f"{name}/median", middle, "share", n))
        whole = {
            agent: sum(share == 1 for share in each) / len(each) for agent, each in shares.items()
        }
        print(line(f"{name}/whole", whole, "share-of-requests", n), flush=True)


async def _shares(domain: str, case: Case) -> Sequence[float]:
    """Return what is kept of each request's prompt but the first's."""
    home = generated(case.size)
    turned = replace(home, entities=tuple(reversed(home.entities)))
    requests: list[Mapping[str, Any]] = []
    with freeze_time("2026-11-02 06:00:00", real_asyncio=True) as clock:
        assert isinstance(clock, FrozenDateTimeFactory)
        requests += await _turns(domain, home, clock, range(3), case)
        requests += await _turns(domain, turned, clock, range(3, CONVERSATIONS), case)
    return [_kept(*pair) for pair in pairwise(requests)]


async def _turns(
    domain: str,
    home: Home,
    clock: FrozenDateTimeFactory,
    conversations: range,
    case: Case,
) -> Sequence[Mapping[str, Any]]:
    """Return the requests of some conversations, a few hours from each other."""
    replay = Replay("replay")
    requests: list[Mapping[str, Any]] = []
    async with serve(replay) as url, furnished(home) as house:
        replay.tool_names = await async_tool_names(house.hass)
        llm.async_register_api(house.hass, ManyTools(house.hass, case.tools))
        agent = await async_add_agent(house.hass, domain, url, replay.model, **case.options)
        satellites = _satellites(house)
        for conversation in conversations:
            conversation_id = None
            for number in range(TURNS):
                tool = "HassTurnOff" if number % 2 else "HassTurnOn"
                call: Mapping[str, Any] = {"name": tool, "arguments": LAMP}
                if case.options:
                    call = {"name": "garden__measure_bed_1", "arguments": {"depth": number + 1}}
                replay.begin(
                    f"Sentence {number} of {conversation}",
                    [
                        {"content": "", "tool_calls": [call]},
                        {"content": "Done.", "tool_calls": []},
                    ],
                )
                turn = await async_ask(
                    house.hass,
                    agent,
                    replay.sentence,
                    satellites[(conversation + number // 2) % len(satellites)],
                    conversation_id,
                )
                conversation_id = turn.conversation_id
                requests += replay.requests
                clock.tick(timedelta(minutes=1))
            clock.tick(timedelta(hours=24 / CONVERSATIONS))
    return requests


def _satellites(house: House) -> Sequence[str]:
    """Return devices in three rooms."""
    by_area = {device.area: house.device_ids[device.device_id] for device in house.home.devices}
    return [by_area[area.area_id] for area in house.home.areas[:3]]


def _kept(before: Mapping[str, Any], now: Mapping[str, Any]) -> float:
    old, new = before_the_sentence(before), before_the_sentence(now)
    same = takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
    return sum(1 for _ in same) / len(new)


if __name__ == "__main__":
    asyncio.run(main())
