"""What a model's server, an MCP server or a sentence can do to Home Assistant that means it harm.

For each case a turn is made, and printed are: the longest time for which the event loop did nothing
else, in seconds of its thread's own CPU time (so that other programs on the computer do not count);
how much the memory of the process grew; how long the turn took by the clock, and the sentence that it
ended with. A turn has 10 seconds. `plain` is a turn in which nobody means harm.
"""

import argparse
import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
import logging
import sys
from time import perf_counter, thread_time

from homeassistant.core import HomeAssistant
import psutil

from bench.agents import async_add_agent, async_ask
from bench.generated import generated
from bench.hostile_model import ANSWERS, PAGES
from bench.house import House, furnished
from bench.results import line

ENTITIES = 200
SECONDS = 10
COMMAND = "Turn on the Kitchen Ceiling Light"
TALK = "Tell me something nice about lamps"
STALL = 0.1
GROWTH = 64
_MEGABYTE = 1 << 20


@dataclass(slots=True)
class Watch:
    """Looks at the event loop and at the memory every few milliseconds."""

    stall: float = 0
    """The longest time without a look, in seconds of CPU time."""
    growth: float = 0
    """Megabytes."""

    async def async_look(self) -> None:
        """Look on until cancelled."""
        memory = psutil.Process().memory_info
        before, first = thread_time(), memory().rss
        while True:
            await asyncio.sleep(0.002)
            now = thread_time()
            self.stall = max(self.stall, now - before)
            before = now
            self.growth = max(self.growth, (memory().rss - first) / _MEGABYTE)


@asynccontextmanager
async def watched(name: str) -> AsyncGenerator[list[str]]:
    """Watch what is done meanwhile, and print it with the sentence that is put into the list."""
    watch, sentences = Watch(), list[str]()
    task = asyncio.create_task(watch.async_look())
    await asyncio.sleep(0)
    started = perf_counter()
    try:
        yield sentences
        took = perf_counter() - started
        await asyncio.sleep(0.01)
    finally:
        task.cancel()
    bad = watch.stall > STALL or watch.growth > GROWTH
    print(line(f"hostile/{name} stall", {"voice_gateway": watch.stall}, "s", 1))
    print(line(f"hostile/{name} memory", {"voice_gateway": watch.growth}, "MB", 1, 0))
    print(line(f"hostile/{name} turn", {"voice_gateway": took}, "s", 1, 2))
    for sentence in dict.fromkeys(sentences):
        short = sentence if len(sentence) < 100 else f"{sentence[:60]} … {sentence[-30:]}"
        print(f"#   {'OVER ITS LIMIT; ' if bad else ''}ended with {short!r}", flush=True)


@asynccontextmanager
async def process(*command: str) -> AsyncGenerator[str]:
    """Run a server in a process of its own; yield the line that it prints first."""
    running = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert running.stdin and running.stdout  # noqa: PT018
    try:
        yield (await running.stdout.readline()).decode().strip()
    finally:
        running.stdin.close()
        await running.wait()


async def of_models(house: House, url: str, wanted: Callable[[str], bool]) -> None:
    """Ask each model of the hostile server something."""
    for model in (*ANSWERS, *PAGES):
        if wanted(model):
            agent = await async_add_agent(
                house.hass, "voice_gateway", url, model, timeout=SECONDS, num_ctx=65536
            )
            sentence = COMMAND if model == "plain" else TALK
            async with watched(model) as sentences:
                sentences.append((await async_ask(house.hass, agent, sentence)).speech)


async def of_sentences(house: House, url: str, wanted: Callable[[str], bool]) -> None:
    """Say what nobody says."""
    agent = await async_add_agent(
        house.hass, "voice_gateway", url, "plain", timeout=SECONDS, num_ctx=65536
    )
    cases: dict[str, list[str]] = {
        "sentence-of-100-kB": [f"{COMMAND} and " * 2800],
        "word-of-100-kB": ["a" * 100_000],
        "numbers-of-100-kB": ["at 7 in 5 minutes " * 6000],
        "fifty-at-once": [COMMAND] * 50,
    }
    for name, said in cases.items():
        if wanted(name):
            async with watched(name) as sentences:
                turns = await asyncio.gather(*(async_ask(house.hass, agent, each) for each in said))
                sentences += [turn.speech for turn in turns]


async def main() -> None:
    """Measure what is asked for."""
    arguments = _arguments()
    logging.disable(logging.CRITICAL)

    def wanted(name: str) -> bool:
        return not arguments.case or name in arguments.case

    async with (
        furnished(generated(ENTITIES)) as house,
        process("-m", "bench.hostile_model") as url,
    ):
        await _warm(house.hass, url)
        await of_models(house, url, wanted)
        await of_sentences(house, url, wanted)


async def _warm(hass: HomeAssistant, url: str) -> None:
    """Make what is made once: Home Assistant's own sentences, the languages."""
    agent = await async_add_agent(hass, "voice_gateway", url, "plain")
    for _ in range(2):
        await async_ask(hass, agent, COMMAND)
        await async_ask(hass, agent, TALK)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/bench hostile", description=__doc__)
    parser.add_argument("--case", action="append", help="only this one")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
