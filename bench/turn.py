"""Own work of a turn: CPU time with a model that answers at once, in another process.

A turn is a sentence, one call that turns a light on or off, and the spoken answer; each in a new
conversation. In houses of 40 entities, and of 500 with 100 more tools of another API. Agents take
turns; the CPU time is that of the whole Home Assistant process, in milliseconds per turn. The model
is asked by both, but in `40-reflex`, where ours does without. If all cases run, the CPU time of
reading a sentence and ranking what it is about follows, in houses of 40 and of 1,000 entities.
"""

import argparse
import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
import gc
import json
import logging
from statistics import median
import sys
from time import process_time
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
import probatio

from bench.agents import AGENTS, CORE, async_add_agent, async_ask, async_tool_names
from bench.generated import generated
from bench.house import House, furnished
from bench.replay import Replay, serve
from bench.results import line, medians
from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.nlu.disambiguation import rank_entities
from custom_components.voice_gateway.nlu.utterance import Utterance, parse_once

REFLEX = "40-reflex"
CASES = {"40": (40, 0), "500": (500, 0), "500-100-tools": (500, 100), REFLEX: (40, 0)}
"""Exposed entities and tools of another API."""
TURNS = 20
MODEL = "replay"
CONTEXT = 65536
"""Tokens, so that nothing has to be left out of the largest prompt."""
TOOLS_API = "bench_tools"
COMMAND = "Turn on the Kitchen Ceiling Light"
READ = (40, 1000)
"""Entities of the houses in which sentences are only read."""
SENTENCES = {
    "command": COMMAND,
    "clauses": (
        f"{COMMAND}, close the Bedroom Blinds in twenty minutes, and turn off the Office Socket if"
        " the kitchen blinds are open"
    ),
    "question": "How many lights are on in the kitchen?",
    "talk": "Tell me something nice about lamps and the weather in spring",
}


class EndlessReplay(Replay):
    """Says the same at every turn."""

    def answer(self, request: dict[str, object]) -> dict[str, object]:
        """Begin anew at every sentence."""
        messages = request["messages"]
        assert isinstance(messages, list)
        if not messages[-1]["content"]:
            # The prompt is read beforehand, while another agent's turn may be going on.
            return {"role": "assistant", "content": ""}
        if messages[-1]["role"] == "user":
            self.used = 0
        self.requests.clear()
        return super().answer(request)


class ManyTools(llm.API):
    """An API of many tools, like that of an MCP server."""

    def __init__(self, hass: HomeAssistant, number: int) -> None:
        """Offer so many tools."""
        super().__init__(hass=hass, id=TOOLS_API, name="Bench tools")
        self._tools: list[llm.Tool] = [_Tool(index) for index in range(number)]

    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        """Return them all."""
        return llm.APIInstance(self, "Use these tools for the garden.", llm_context, self._tools)


class _Tool(llm.Tool):
    integration = "bench_house"

    def __init__(self, index: int) -> None:
        self.name = f"garden__measure_bed_{index}"
        self.description = f"Measure bed {index} of the garden: moisture, light and temperature."
        self.parameters = probatio.Schema(
            {
                probatio.Required("depth", description="Depth in centimetres"): int,
                probatio.Optional("unit", description="Unit of the result"): probatio.In(
                    ["celsius", "fahrenheit"]
                ),
                probatio.Optional("sensors", description="Names of sensors"): [str],
            }
        )

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        return llm.ToolResult(data={})


async def main() -> None:
    """Measure all cases."""
    arguments = _arguments()
    if arguments.serve:
        await _serve()
        return
    logging.disable(logging.CRITICAL)
    growth: dict[str, dict[str, float]] = {}
    for case in arguments.case or CASES:
        entities, tools = CASES[case]
        async with furnished(generated(entities)) as house, _server(house) as url:
            runs = await _measure(house, url, tools, arguments.runs, reflex=case == REFLEX)
        print(medians(f"turn/{case}", runs, "ms", 2), flush=True)
        growth[case] = {name: median(each) for name, each in runs.items()}
    for entities in () if arguments.case else READ:
        async with furnished(generated(entities)) as house:
            await _read(house, entities, arguments.runs)
    if not growth.keys() >= {"40", "500"}:
        return
    factors = {name: growth["500"][name] / growth["40"][name] for name in AGENTS}
    print(line("turn/growth-40-to-500", factors, "factor", arguments.runs, 2))


async def _measure(
    house: House, url: str, tools: int, runs: int, *, reflex: bool
) -> dict[str, list[float]]:
    """Return each agent's milliseconds per turn, a figure per run."""
    apis = [llm.LLM_API_ASSIST]
    if tools:
        llm.async_register_api(house.hass, ManyTools(house.hass, tools))
        apis.append(TOOLS_API)
    agents: dict[str, str] = {}
    for name, domain in AGENTS.items():
        options: dict[str, Any] = {} if domain == CORE else {"reflex": reflex}
        agents[name] = await async_add_agent(
            house.hass, domain, url, MODEL, llm_hass_api=apis, num_ctx=CONTEXT, **options
        )
    times: dict[str, list[float]] = {name: [] for name in agents}
    for run in range(runs + 1):
        for name, agent in agents.items():
            gc.collect()
            started = process_time()
            for _ in range(TURNS):
                await _turn(house, agent)
            if run:
                times[name].append((process_time() - started) * 1000 / TURNS)
    return times


async def _read(house: House, entities: int, runs: int) -> None:
    """Print the CPU time of reading each sentence, without the turn around it."""
    home = Home.seen_by(house.hass, conversation.DOMAIN)
    for name, text in SENTENCES.items():
        said = conversation.ConversationInput(text, Context(), None, None, None, "en", DOMAIN)
        times: list[float] = []
        for _ in range(runs + 1):
            gc.collect()
            started = process_time()
            for _ in range(TURNS):
                parse_once.cache_clear()  # nobody says the same all the time
                rank_entities(await Utterance.async_parse(house.hass, said, (), home))
            times.append((process_time() - started) * 1000 / TURNS)
        runs_of = {"voice_gateway": times[1:]}
        print(medians(f"turn/reading-{entities}-{name}", runs_of, "ms", 2), flush=True)


async def _turn(house: House, agent: str) -> None:
    turn = await async_ask(house.hass, agent, COMMAND)
    if not turn.speech or turn.errors or len(turn.calls) != 1:
        raise RuntimeError(f"{agent} did not do it: {turn.speech}")


@asynccontextmanager
async def _server(house: House) -> AsyncGenerator[str]:
    """Run the model in a process of its own; yield its address."""
    script = {"sentence": COMMAND, "tool_names": await async_tool_names(house.hass), "steps": STEPS}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.turn", "--serve"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps(script).encode() + b"\n")
        yield (await process.stdout.readline()).decode().strip()
    finally:
        process.stdin.close()
        await process.wait()


STEPS: Sequence[dict[str, object]] = (
    {
        "content": "",
        "tool_calls": [
            {"name": "HassTurnOn", "arguments": {"name": "Kitchen Ceiling Light"}},
        ],
    },
    {"content": "The light is on.", "tool_calls": []},
)


async def _serve() -> None:
    """Serve what the first line of stdin says, until stdin ends."""
    script = json.loads(sys.stdin.readline())
    async with serve(EndlessReplay(MODEL, **script)) as url:
        print(url, flush=True)
        await asyncio.to_thread(sys.stdin.read)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/bench turn", description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="of 20 turns each (default: 9)")
    parser.add_argument("--case", choices=CASES, action="append", help="only this one")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
