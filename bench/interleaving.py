"""Whether preparing ever delays a sentence that comes meanwhile.

Our agent, and a real model that has read nothing of our prompt: preparing begins when speech does,
and the sentence comes at a random moment, before, while or after the server reads the prompt. What
is measured is the time from the sentence to the model's first word, and how many tokens the server
read in all; each against a sentence without any preparing.
"""

import argparse
import asyncio
from dataclasses import dataclass
from datetime import datetime
import logging
import random
from statistics import median
import sys
from time import time

from homeassistant.components import conversation

from bench.agents import AGENTS, async_add_agent, async_ask
from bench.embedded import Server, embedded
from bench.generated import generated
from bench.house import House, furnished
from bench.latency import OTHER_PROMPT, use_model

MODEL = "qwen2.5-coder:0.5b"
SIZE = 20
SENTENCE = "Turn on the Kitchen Ceiling Light"


@dataclass(frozen=True, slots=True)
class Waited:
    """Seconds from the sentence to the first word, and tokens that the server read."""

    seconds: float
    read: int


async def main() -> None:
    """Measure without preparing, then with it at random moments."""
    arguments = _arguments()
    logging.disable(logging.CRITICAL)
    moments = random.Random(arguments.seed)
    async with embedded(arguments.model) as server, furnished(generated(SIZE)) as house:
        domain = AGENTS["voice_gateway"]
        agent = await async_add_agent(house.hass, domain, server.url, arguments.model)
        without = [
            await _sentence(house, server, arguments.model, agent, None)
            for _ in range(arguments.without)
        ]
        usual = median(waited.seconds for waited in without)
        prepared = [
            await _sentence(house, server, arguments.model, agent, moments.uniform(0, 1.2 * usual))
            for _ in range(arguments.runs)
        ]
    worst = max(waited.seconds for waited in prepared)
    spread = [round(waited.seconds, 2) for waited in without]
    print(
        f"interleaving/worst without={usual:.3f} voice_gateway={worst:.3f} unit=s "
        f"ratio={worst / usual:.2f} n={len(prepared)}\n#   without: {spread} s"
    )
    tokens = max(waited.read for waited in without)
    most = max(waited.read for waited in prepared)
    print(
        f"interleaving/read without={tokens} voice_gateway={most} unit=tokens "
        f"ratio={most / tokens:.2f} n={len(prepared)}"
    )


async def _sentence(
    house: House, server: Server, model: str, agent: str, after: float | None
) -> Waited:
    """Say the sentence so many seconds after preparing began; None: nothing is prepared."""
    await house.async_begin({})
    await use_model(server, model, "", keep_alive=0)
    await use_model(server, model, OTHER_PROMPT)
    before = len(server.records())
    preparing = None
    if after is not None:
        preparing = house.hass.async_create_background_task(
            conversation.async_prepare_agent(house.hass, agent, "en"), "bench prepare"
        )
        await asyncio.sleep(after)
    said = time()
    await async_ask(house.hass, agent, SENTENCE)
    if preparing:
        await preparing
    records = server.records()[before:]
    asked = next(record for record in records if SENTENCE in str(record["request"]))
    came = datetime.fromisoformat(asked["at"]).timestamp() - said
    waited = Waited(
        came + asked["total_seconds"] - asked["seconds"],
        sum(record["prompt_tokens"] - record["cached_tokens"] for record in records),
    )
    shown = "not prepared" if after is None else f"{after:.2f} s after"
    print(f"# {shown}: {waited}", file=sys.stderr, flush=True)
    return waited


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/bench interleaving", description=__doc__)
    parser.add_argument("--model", default=MODEL, help=f"(default: {MODEL})")
    parser.add_argument("--runs", type=int, default=30, help="moments (default: 30)")
    parser.add_argument(
        "--without", type=int, default=7, help="runs without preparing (default: 7)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default: 1)")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
