"""Three hundred turns with three MCP servers that are killed, stopped and garbled all the while.

    script/bench soak [--minutes N] [--turns N]

An hour if not said else. The model calls a tool that writes something down, and then says that it is
done: every other one whatever the tool answered. What was really written down is in a file. Lines:

- `soak/false-sentences`: it was said that it is done and it was not, or that it was not and it was;
- `soak/double-executions`: something was written down twice for one sentence;
- `soak/error-lines`: lines of the level ERROR in the log;
- `soak/leaked`: processes, files, tasks, timers and objects more than after the first turns.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
import json
import logging
from pathlib import Path
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
from typing import Any, override

from aiohttp import web
from homeassistant.core import HomeAssistant
import psutil  # type: ignore[import-untyped]

from bench.house import home_assistant
from bench.results import line
from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import CommandServer, UrlServer
from tests.agent import Agent, add_agent
from tests.mcp_entry import add_server
from tests.mcp_servers.servers import LEDGER
from tests.ollama import PlayedOllama, call, calls, says
from tests.remains import remains

_SERVERS = {"kitchen": "stdio", "garden": "streamable-http", "cellar": "sse"}
_PATHS = {"streamable-http": "mcp", "sse": "sse"}
# Seconds for a call, and until what was stopped goes on.
_CALL = 4
_STOPPED = 2.5
# And until one at an address that has ended is started again.
_DEAD = 0.5
# Turns before anything goes wrong.
_CALM = 15
# How often something goes wrong with a turn.
_OFTEN = 0.4
_SENTENCE = re.compile(r"write down w(\d+) at (\w+)")
_DONE = "I have written it down."
_FAILED = "I could not write it down."
_DOUBT = "It may have been written down."


class Model(PlayedOllama):
    """A model that calls the tool, and says what came of it; the odd ones say that it is done."""

    @override
    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        messages = body["messages"]
        asked = [each["content"] for each in messages if each["role"] == "user"][-1]
        self.script.clear()
        if found := _SENTENCE.search(asked):
            number, server = found.groups()
            if messages[-1]["role"] != "tool":
                self.script.append(calls(call(f"write_down_{server}", word=f"w{number}")))
            else:
                self.script.append(says(_answer(int(number), messages[-1]["content"])))
        return await super()._chat(request)


def _answer(number: int, result: str) -> str:
    if number % 2 or "is written down" in result:
        return _DONE
    return _DOUBT if "may" in result else _FAILED


@dataclass
class Household:
    """Home Assistant with its servers, and what was written down."""

    hass: HomeAssistant
    folder: Path
    ports: dict[str, int] = field(default_factory=dict)
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def written(self) -> Counter[str]:
        """What was written down, and how often."""
        ledger = self.folder / "ledger"
        return Counter(ledger.read_text().split() if ledger.exists() else ())

    def start(self, name: str) -> None:
        """Start a server over HTTP."""
        self.processes[name] = subprocess.Popen(
            self.command(name), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def command(self, name: str) -> list[str]:
        """Return how a server is started."""
        port = str(self.ports.get(name, 0))
        return [sys.executable, LEDGER, name, _SERVERS[name], port, str(self.folder / "ledger")]

    def process(self, name: str) -> psutil.Process | None:
        """Return a server's process, where it runs."""
        if started := self.processes.get(name):
            return psutil.Process(started.pid) if started.poll() is None else None
        children = psutil.Process().children()
        found = (each for each in children if each.cmdline()[1:3] == [LEDGER, name])
        return next(found, None)

    async def harm(self, name: str, fault: signal.Signals) -> None:
        """Do something to a server, and let it be there again later."""
        # What has just ended may be there still, and be nobody's to ask.
        with suppress(psutil.NoSuchProcess):
            if process := self.process(name):
                process.send_signal(fault)
                if fault is signal.SIGSTOP:
                    await asyncio.sleep(_STOPPED)
                    process.send_signal(signal.SIGCONT)
        await asyncio.sleep(_DEAD)
        # Any signal ends a server that has only just been started.
        if (started := self.processes.get(name)) and started.poll() is not None:
            self.start(name)


class Errors(logging.Handler):
    """Collects what is logged as an error."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name}: {record.getMessage()}"[:300])


@asynccontextmanager
async def household(model: Model) -> AsyncGenerator[tuple[Household, Agent]]:
    """Set up the servers and an agent that has them."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        config = stack.enter_context(tempfile.TemporaryDirectory())
        hass = await stack.enter_async_context(home_assistant(config))
        home = Household(hass, Path(folder))
        stack.callback(_end, home)
        entries = [await _add(home, name) for name in _SERVERS]
        tools = ("assist", *(f"{DOMAIN}-{each.entry_id}" for each in entries))
        agent = await add_agent(hass, model.url, tools=tools, timeout=20)
        await _all_there(hass)
        yield home, agent


def _end(home: Household) -> None:
    for process in home.processes.values():
        process.kill()
        process.wait()


async def _add(home: Household, name: str) -> Any:
    transport = _SERVERS[name]
    if transport == "stdio":
        program, *args = home.command(name)
        server: CommandServer | UrlServer = CommandServer(command=program, args=tuple(args))
    else:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            home.ports[name] = free.getsockname()[1]
        home.start(name)
        server = UrlServer(url=f"http://127.0.0.1:{home.ports[name]}/{_PATHS[transport]}")
    entry = add_server(home.hass, server, title=name.title(), options={"timeout": _CALL})
    if entry.state.recoverable:
        await home.hass.config_entries.async_setup(entry.entry_id)
    return entry


async def _all_there(hass: HomeAssistant) -> None:
    """Wait until all servers are connected."""
    entries = hass.config_entries.async_loaded_entries(DOMAIN)
    sessions = [each.runtime_data for each in entries if each.data["kind"].startswith("mcp")]
    away = sessions
    try:
        async with asyncio.timeout(90):
            while away := [each for each in sessions if each.state is not SessionState.CONNECTED]:
                for session in away:
                    # As whoever speaks does: one that was lost again and again is else tried seldom.
                    session.async_retry()
                await asyncio.sleep(0.5)
    except TimeoutError:
        why = [f"{each.settings.name}: {each.last_error}" for each in away]
        sys.exit(f"not connected again: {'; '.join(why)}")
    await asyncio.sleep(1)


def _judge(speech: str, times: int) -> str | None:
    """Return what is false in a sentence about something that was written down so often."""
    if _DONE in speech and not times:
        return "said to be done"
    if (_FAILED in speech or "couldn't do that" in speech) and times:
        return "said not to be done"
    return None


async def soak(
    home: Household, agent: Agent, turns: int, seconds: float
) -> tuple[list[str], Counter[str]]:
    """Say sentence after sentence; return what was false, and how often anything was said."""
    chance = random.Random(home.hass.config.location_name)
    told: dict[str, str] = {}
    false: dict[str, str] = {}
    said: Counter[str] = Counter()
    harm: set[asyncio.Task[None]] = set()
    pause = seconds / turns
    loop = asyncio.get_running_loop()
    for number in range(turns):
        began = loop.time()
        name = chance.choice([*_SERVERS])
        if chance.random() < _OFTEN:
            fault = chance.choice((signal.SIGKILL, signal.SIGSTOP, signal.SIGUSR1))
            harm.add(
                task := asyncio.create_task(_harm_soon(home, name, fault, chance.random() / 8))
            )
            task.add_done_callback(harm.discard)
        answer = await agent.hears(f"write down w{number} at {name}")
        said[re.sub(r"\d+", "N", answer.speech)] += 1
        told[word := f"w{number}"] = answer.speech
        if fault_of := _judge(answer.speech, home.written[word]):
            false[word] = fault_of
        await asyncio.sleep(max(0.0, pause - (loop.time() - began)))
    await asyncio.gather(*harm)
    # What was said not to be done may have been done since.
    written = home.written
    late = {word: _judge(speech, written[word]) for word, speech in told.items()}
    false = {word: why for word, why in late.items() if why} | false
    return [f"{word} {why}: {told[word]}" for word, why in false.items()], said


async def _harm_soon(home: Household, name: str, fault: signal.Signals, seconds: float) -> None:
    await asyncio.sleep(seconds)
    await home.harm(name, fault)


def _open() -> tuple[int, int]:
    this = psutil.Process()
    return this.num_fds(), this.memory_info().rss >> 20


async def main() -> None:
    """Soak, and print what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--turns", type=int, default=300)
    said = parser.parse_args()
    errors = Errors()
    logging.getLogger().addHandler(errors)
    logging.disable(logging.DEBUG)
    model = Model()
    await model.start()
    async with household(model) as (home, agent):
        for number in range(_CALM):
            await agent.hears(f"write down w-{number} at {[*_SERVERS][number % 3]}")
            await agent.hears(f"write down w{number}0000 at {[*_SERVERS][number % 3]}")
        await _all_there(home.hass)
        before, (files, megabytes) = remains(home.hass), _open()
        false, speech = await soak(home, agent, said.turns, said.minutes * 60)
        await _all_there(home.hass)
        await asyncio.sleep(2 * _CALL)
        after, (files_after, megabytes_after) = remains(home.hass), _open()
        double = [word for word, times in home.written.items() if times > 1]
    await model.stop()
    leaked = _leaks(after) - _leaks(before)
    more = max(0, files_after - files)
    for name, number, what in (
        ("false-sentences", len(false), false),
        ("double-executions", len(double), double),
        ("error-lines", len(errors.lines), errors.lines),
        ("leaked", sum(leaked.values()) + more, [json.dumps(leaked), f"{more} files"]),
    ):
        print(line(f"soak/{name}", {"voice_gateway": number}, "count", said.turns, 0))
        for each in what[:10] if number else ():
            print(f"#   {each}")
    print(line("soak/memory", {"before": megabytes, "after": megabytes_after}, "MB", said.turns, 0))
    for words, times in speech.most_common(12):
        print(f"#   {times} × {words}")


def _leaks(found: Counter[str]) -> Counter[str]:
    """Return what there should not be more of than before, whatever its number is.

    Of tools there are more: a conversation keeps those that it began with, until it is forgotten.
    """
    kept: Counter[str] = Counter()
    for kind, count in found.items():
        is_ours = ".mcp_servers." in kind and ".mcp_servers.tool." not in kind
        if is_ours or kind.startswith(("task ", "process ", "timer ")):
            kept[re.sub(r"\d+", "N", kind)] += count
    return kept


if __name__ == "__main__":
    asyncio.run(main())
