"""A server of 88 tools beside the home's, with a model that runs: all of them in its prompt, or those that fit.

Ten sentences are for the server's tools, ten for devices of a house of 40 entities; the model is asked for each, as
our own reading of a sentence is switched off. `selected` is the agent as it is, `all` is told of every tool.

    tools/right selected=17 all=15 unit=sentences ratio=1.13 n=20

A sentence for a tool is right when that was called as it says and no other; one for a device when that, and no other,
is as it says. Where Home Assistant asks first, the user says yes. Besides: tokens before the sentence, tokens of the whole first request,
tokens that the server had to read for a sentence, in all requests, and seconds to the first word.
"""

import argparse
import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import logging
import re
import sys
from time import perf_counter
from typing import Any

from homeassistant.components import conversation
from homeassistant.helpers import llm

from bench import agents
from bench.agents import Turn, async_add_agent, async_agree, async_ask
from bench.embedded import MODEL, Server, embedded
from bench.generated import generated
from bench.house import House, furnished
from bench.prompt import before_the_sentence, vocabulary
from bench.replay import Replay, serve
from bench.results import line, medians
from bench.scoring import States
from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.settings import CommandServer
from custom_components.voice_gateway.tools import tool_search
from script.ollama.llama import LlamaEngine
from tests.mcp_entry import add_server, set_up_connected
from tests.mcp_servers.servers import MANAGEMENT

SIZE = 40
NUM_CTX = 16384
"""Tokens: room for all tools."""
SIDES = {"selected": tool_search.BUDGET, "all": sys.maxsize}
"""Tokens of tools that the agent is told of."""
PATIENCE = 3600
"""Seconds for a turn: a slow computer reads all tools for minutes."""
OPTIONS: Mapping[str, Any] = {
    "reflex": False,
    "second_opinion": False,
    "num_ctx": NUM_CTX,
    "timeout": PATIENCE,
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is said, and what is right: one of some tools, called with certain arguments, or a state."""

    text: str
    tools: Sequence[str] = ()
    arguments: Mapping[str, str] = field(default_factory=dict)
    """Patterns of values, by names of arguments."""
    wanted: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """States and attributes afterwards, by entity id; without any, and without tools, nothing is to change."""
    setup: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """States before it, by entity id."""
    says: str = ""
    """What the answer has."""

    def is_right(self, turn: Turn, before: States, after: States) -> bool:
        """Return True if that was called, or became so, and nothing else was changed."""
        changed = {each for each in after if after[each]["state"] != before[each]["state"]}
        is_so = all(
            after[entity_id].get(name) == value
            for entity_id, values in self.wanted.items()
            for name, value in values.items()
        )
        is_called = self._is_called(turn) if self.tools else not self._acts(turn)
        return is_so and is_called and changed <= self.wanted.keys() and self.says in turn.speech

    def _is_called(self, turn: Turn) -> bool:
        made = self._made(turn)
        return bool(made) and all(map(self._fits, made))

    def _acts(self, turn: Turn) -> bool:
        """Return True if a tool of the server was called for a device."""
        return any(call.tool_name.startswith("ha_") for call in self._made(turn))

    def _made(self, turn: Turn) -> Sequence[llm.ToolInput]:
        """Return the calls that were not refused, but for looks at tools and at the clock."""
        refused = {
            item.tool_call_id
            for item in turn.content
            if isinstance(item, conversation.ToolResultContent) and item.result.error
        }
        looks = (tool_search.FIND_TOOLS, "GetDateTime")
        return [call for call in turn.calls if call.id not in refused and _bare(call) not in looks]

    def _fits(self, call: llm.ToolInput) -> bool:
        return _bare(call) in self.tools and all(
            re.search(pattern, str(call.tool_args.get(name, "")), re.IGNORECASE)
            for name, pattern in self.arguments.items()
        )


def _becomes(entity_id: str, state: str, before: str | None = None) -> Mapping[str, Any]:
    """Return what is wanted of an entity, and what it is before."""
    setup = {entity_id: {"state": before}} if before else {}
    return {"wanted": {entity_id: {"state": state}}, "setup": setup}


SENTENCES = (
    Sentence("Create a backup called spring cleaning", ("ha_create_backup",), {"name": "spring"}),
    Sentence("Which add-ons are installed?", ("ha_list_addons",)),
    Sentence("Which dashboards are there?", ("ha_list_dashboards",)),
    Sentence("What is in the error log?", ("ha_get_error_log",)),
    Sentence("Check the configuration for errors", ("ha_check_config",)),
    Sentence("Create a label called summer", ("ha_set_label",), {"name": "summer"}),
    Sentence("List all zones", ("ha_list_zones",)),
    Sentence(
        "Send a notification to mobile_app_anna that dinner is ready",
        ("ha_send_notification",),
        {"target": "anna", "message": "dinner"},
    ),
    Sentence("Which updates are available?", ("ha_get_updates",)),
    Sentence("Create a floor called attic", ("ha_set_floor",), {"name": "attic"}),
    Sentence("Turn on the kitchen ceiling light", **_becomes("light.kitchen_ceiling_light", "on")),
    Sentence(
        "Switch off the hallway floor lamp", **_becomes("light.hallway_floor_lamp", "off", "on")
    ),
    Sentence("Open the bedroom blinds", **_becomes("cover.bedroom_blinds", "open")),
    Sentence(
        "Set the living room thermostat to 23 degrees",
        wanted={"climate.living_room_thermostat": {"temperature": 23}},
    ),
    Sentence("Close the hallway blinds", **_becomes("cover.hallway_blinds", "closed", "open")),
    Sentence(
        "Add milk to the kitchen shopping list", **_becomes("todo.kitchen_shopping_list", "1")
    ),
    Sentence("Turn on the bedroom socket", **_becomes("switch.bedroom_socket", "on")),
    Sentence("Start the kitchen robot", **_becomes("vacuum.kitchen_robot", "cleaning")),
    Sentence(
        "Turn off the living room ceiling light",
        **_becomes("light.living_room_ceiling_light", "off", "on"),
    ),
    Sentence("What is the bathroom temperature?", says="21"),
)


def _bare(call: llm.ToolInput) -> str:
    return call.tool_name.rpartition("__")[2]


@asynccontextmanager
async def managed(house: House) -> AsyncGenerator[str]:
    """Connect the server of many tools; yield its API's id."""
    command = CommandServer(command=sys.executable, args=(MANAGEMENT, "stdio"))
    entry = add_server(house.hass, command, "Management")
    await set_up_connected(house.hass, entry)
    yield next(api.id for api in llm.async_get_apis(house.hass) if api.name == "Management")
    await house.hass.config_entries.async_unload(entry.entry_id)


async def tokens_before(side: str) -> int:
    """Return how many tokens a model reads before the sentence."""
    replay = Replay("replay")
    async with serve(replay) as url, furnished(generated(SIZE)) as house, managed(house) as api_id:
        agent = await async_add_agent(
            house.hass,
            DOMAIN,
            url,
            replay.model,
            llm_hass_api=[llm.LLM_API_ASSIST, api_id],
            **OPTIONS,
        )
        replay.begin("Hello", [{"content": "Hello.", "tool_calls": []}])
        await async_ask(house.hass, agent, "Hello")
    engine = LlamaEngine()
    await engine.load(await vocabulary(), 512)
    try:
        return len(await engine.tokenize(before_the_sentence(replay.requests[0])))
    finally:
        await engine.unload()


async def run(
    side: str, server: Server, sentences: Sequence[Sentence]
) -> Sequence[Mapping[str, Any]]:
    """Say all sentences to an agent, each in a conversation of its own."""
    results = []
    async with furnished(generated(SIZE)) as house, managed(house) as api_id:
        agent = await async_add_agent(
            house.hass,
            DOMAIN,
            server.url,
            MODEL,
            llm_hass_api=[llm.LLM_API_ASSIST, api_id],
            **OPTIONS,
        )
        for sentence in sentences:
            await house.async_begin(sentence.setup)
            states, before = house.states(), len(server.records())
            started = perf_counter()
            turn = await async_ask(house.hass, agent, sentence.text)
            turn = await async_agree(house.hass, agent, turn, None)
            seconds = perf_counter() - started
            report = _report(turn)
            records = server.records()[before:]
            read = sum(each["prompt_tokens"] - each["cached_tokens"] for each in records)
            right = sentence.is_right(turn, states, house.states())
            calls = "; ".join(f"{_bare(call)} {call.tool_args}" for call in turn.calls)
            print(
                f"# {'right' if right else 'WRONG'} {side:8} {sentence.text:60} {seconds:5.1f} s"
                f" {read} tokens [{calls}] {turn.speech[:100]!r}",
                file=sys.stderr,
                flush=True,
            )
            results.append(
                {
                    "right": right,
                    "first_word": report.get("seconds_to_first_word") or seconds,
                    "read": read,
                    "asked": _asked(turn),
                }
            )
    return results


def _report(turn: Turn) -> Mapping[str, Any]:
    reports = [report for note in turn.notes for report in (note.get("turn") or {}).values()]
    return reports[-1] if reports else {}


def _asked(turn: Turn) -> int:
    """Return the tokens of the first request."""
    told = [note["completion"]["prompt_tokens"] for note in turn.notes if "completion" in note]
    return next((tokens for tokens in told if tokens), 0)


async def main(sides: Sequence[str], sample: int | None) -> None:
    """Measure one side after the other: each has its prompt in the server's mind."""
    logging.disable(logging.CRITICAL)
    results: dict[str, Sequence[Mapping[str, Any]]] = {}
    prompts: dict[str, float] = {}
    agents.PATIENCE = PATIENCE
    sentences = SENTENCES[:: max(1, len(SENTENCES) // sample)] if sample else SENTENCES
    for side in sides:
        tool_search.BUDGET = SIDES[side]  # type: ignore[misc]
        prompts[side] = await tokens_before(side)
        async with embedded(MODEL) as server:
            results[side] = await run(side, server, sentences)
    n = len(sentences)
    right = {side: float(sum(each["right"] for each in runs)) for side, runs in results.items()}
    print(line("tools/right", right, "sentences", n, 0))
    print(line("tools/before-the-sentence", prompts, "tokens", 1, 0))
    asked = {side: [each["asked"] for each in runs] for side, runs in results.items()}
    print(medians("tools/first-request", asked, "tokens", 0))
    reads = {side: [each["read"] for each in runs] for side, runs in results.items()}
    print(medians("tools/read", reads, "tokens", 0))
    waits = {side: [each["first_word"] for each in runs] for side, runs in results.items()}
    print(medians("tools/first-word", waits, "s", 1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="script/bench tools", description=__doc__)
    parser.add_argument("--only", choices=SIDES, help="one side alone")
    parser.add_argument("--sample", type=int, help="so many sentences")
    given = parser.parse_args()
    asyncio.run(main([given.only] if given.only else [*SIDES], given.sample))
