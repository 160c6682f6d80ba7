"""How fast the Z-Wave server answers, beside the transport, the driver and another server.

On one simulated network, over stdio, each in turns with what it is compared with:

- `transport-*`: what a read costs beside a bare round trip of the same session, a ping;
- `driver-switch`: what a switch costs beside the driver's own confirmation, asked for directly;
- the rest: the same questions to `mcp-server-zwave-js-ui` (0.4.0, from PyPI, with the SDK's first
  version in an environment of its own).

A line says which of these `core` is in those below it; each gives medians:
`zwave/read core=12.10 voice_gateway=1.50 unit=ms ratio=0.12 n=200`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
import json
import os
from pathlib import Path
from statistics import median
import subprocess
import sys
from time import perf_counter
from typing import Any

from aiohttp import ClientSession
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import CallToolResult
from zwave_js_server.client import Client as ZwaveClient
from zwave_js_server.model.node import Node

from bench.results import line
from tests.zwave_mcp.session import parameters
from tests.zwave_network import ZwaveNetwork, zwave_network

READS, OTHER_READS, SWITCHES, STARTS, WARM_UP = 200, 30, 50, 5, 10
COFFEE = 2  # node of house.mjs
COFFEE_TARGET = "2-37-0-targetValue"

type Call = Callable[[], Awaitable[Any]]


def other_server(url: str) -> StdioServerParameters:
    """Return how the other server is started; it is installed at the first time."""
    cache = os.environ.get("VOICE_GATEWAY_CACHE") or (
        Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "voice-gateway"
    )
    environment = Path(cache) / "zwave-js-ui"
    program = environment / "bin" / "mcp-server-zwave-js-ui"
    if not program.exists():
        uv = str(Path(sys.executable).with_name("uv"))
        python = str(environment / "bin" / "python")
        # It says that it works with any SDK, and works with the first only.
        packages = ("mcp-server-zwave-js-ui==0.4.0", "mcp<2", "zwave-js-server-python==0.74.0")
        for command in (
            ("venv", "--clear", "--python", sys.executable, str(environment)),
            ("pip", "install", "--python", python, *packages),
        ):
            subprocess.run([uv, *command, "--quiet"], check=True)
    return StdioServerParameters(command=str(program), env={"ZWAVE_JS_URL": url})


def report(case: str, both: tuple[float, float], count: int, unit: str = "ms") -> None:
    """Print a line of what another and ours took."""
    sides = dict(zip(("core", "voice_gateway"), both, strict=True))
    print(line(f"zwave/{case}", sides, unit, count, 2), flush=True)


async def compare(case: str, other: Call, ours: Call, count: int = READS) -> None:
    """Time two calls in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(WARM_UP + count):
        for call, taken in zip((other, ours), times, strict=True):
            started = perf_counter()
            await call()
            if number >= WARM_UP:
                taken.append((perf_counter() - started) * 1000)
    report(case, (median(times[0]), median(times[1])), count)


SILENCE = Path(os.devnull).open("w")  # noqa: SIM115


@asynccontextmanager
async def opened(server: StdioServerParameters) -> AsyncIterator[Client]:
    """Open a session, without what the server has to say about it."""
    async with Client(stdio_client(server, errlog=SILENCE), mode="legacy") as client:
        yield client


async def called(client: Client, tool: str, **arguments: Any) -> CallToolResult:
    """Call a tool that must succeed."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result


async def size(client: Client) -> int:
    """Return how many bytes of a prompt the tools take, as an agent offers them to its model."""
    tools = [
        {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
        for tool in (await client.list_tools()).tools
    ]
    return len(json.dumps(tools, separators=(",", ":")))


async def started(server: StdioServerParameters, tool: str | None = None) -> float:
    """Return how long it takes from nothing to the list of tools, or to a tool's first answer."""
    begun = perf_counter()
    async with opened(server) as client:
        await (called(client, tool) if tool else client.list_tools())
        return (perf_counter() - begun) * 1000


async def starts(url: str) -> None:
    """Measure the way to the list of tools and to the first answer."""
    theirs, ours = other_server(url), parameters("--url", url)
    for case, their_tool, tool in (
        ("start", None, None),
        ("start-answer", "zwave_list_nodes", "list_devices"),
    ):
        times = [
            (await started(theirs, their_tool), await started(ours, tool)) for _ in range(STARTS)
        ]
        report(case, (median(t for t, _ in times), median(o for _, o in times)), STARTS)


COFFEE_MACHINE = {"deviceName": "coffee machine"}
READERS: dict[str, dict[str, Any]] = {
    "list_zwave_devices": {},
    "get_device_sensor_data": COFFEE_MACHINE,
    "get_device_details": COFFEE_MACHINE,
    "check_zwave_health": {},
}
# What of the other server gives the same.
ALIKE: dict[str, tuple[str, dict[str, Any]]] = {
    "list_zwave_devices": ("zwave_list_nodes", {}),
    "get_device_sensor_data": ("zwave_node_values", {"node_id": COFFEE}),
    "get_device_details": ("zwave_node_info", {"node_id": COFFEE}),
    "check_zwave_health": ("zwave_controller_info", {}),
}


class Switch:
    """A switch that is turned over, each time in another way."""

    def __init__(self) -> None:
        """Begin with whatever it is."""
        self._on = False

    def by(self, turn: Callable[[bool], Awaitable[Any]]) -> Call:
        """Return what turns it over in this way."""

        async def turned() -> None:
            self._on = not self._on
            await turn(self._on)

        return turned


@asynccontextmanager
async def driver_node(url: str) -> AsyncIterator[Node]:
    """Open a connection of its own to the Z-Wave JS server."""
    async with ClientSession() as session:
        client = ZwaveClient(url, session)
        await client.connect()
        ready = asyncio.Event()
        listening = asyncio.create_task(client.listen(ready))
        await ready.wait()
        assert client.driver
        yield client.driver.controller.nodes[COFFEE]
        await client.disconnect()
        await listening


async def measure(network: ZwaveNetwork) -> None:
    """Measure everything on one network."""
    switch = Switch()
    async with (
        opened(other_server(network.url)) as theirs,
        opened(parameters("--url", network.url)) as ours,
        driver_node(network.url) as node,
    ):
        own_switch = switch.by(
            lambda on: called(
                ours, "control_zwave_device", **COFFEE_MACHINE, action="on" if on else "off"
            )
        )
        print("core = a ping over the same session")
        for tool, arguments in READERS.items():
            own = partial(called, ours, tool, **arguments)
            await compare(f"transport-{tool}", ours.session.send_ping, own)

        print("core = the driver's confirmation")
        by_driver = switch.by(
            lambda on: node.async_set_value(COFFEE_TARGET, on, wait_for_result=True)
        )
        await compare("driver-switch", by_driver, own_switch, SWITCHES)

        print("core = mcp-server-zwave-js-ui")
        for tool, (their_tool, their_arguments) in ALIKE.items():
            other = partial(called, theirs, their_tool, **their_arguments)
            await compare(tool, other, partial(called, ours, tool, **READERS[tool]), OTHER_READS)
        by_other = switch.by(
            lambda on: called(
                theirs, "zwave_set_value", node_id=COFFEE, value_id=COFFEE_TARGET, value=on
            )
        )
        await compare("switch", by_other, own_switch, SWITCHES)
        report("tools", (await size(theirs), await size(ours)), 1, "bytes")
    await starts(network.url)


def main() -> None:
    """Start a network and measure on it."""
    with zwave_network() as network:
        asyncio.run(measure(network))


if __name__ == "__main__":
    main()
