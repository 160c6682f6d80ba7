"""How long a trivial call of an MCP tool takes.

In one run:

- over stdio, ours against the SDK's bare open session;
- over HTTP, ours against Home Assistant's own `mcp` integration, and against the SDK's session.

Ours and Home Assistant's go through an `llm.APIInstance`, as an agent's calls do. Each line gives
medians in milliseconds: `mcp/stdio sdk=0.60 voice_gateway=0.70 unit=ms ratio=1.17 n=200`; below it
are the fastest and the slowest call.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
import logging
import sys
from time import perf_counter
from typing import Any

from homeassistant.components.mcp.coordinator import ModelContextProtocolCoordinator
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from mcp import Client, StdioServerParameters
from pytest_homeassistant_custom_component import common  # type: ignore[import-untyped]

from bench.results import medians
from custom_components.voice_gateway.mcp_servers.entry import McpAPI
from custom_components.voice_gateway.mcp_servers.session import McpSession
from custom_components.voice_gateway.mcp_servers.settings import (
    CommandServer,
    ServerSettings,
    Timings,
    UrlServer,
)
from tests.mcp_servers.servers import EVERYDAY, http_process

CALLS = 200
WARM_UP = 20
# The first call waits as long for the server as a slow computer needs to start it.
PATIENT = Timings(wait=60)
NAME, ARGUMENTS = "add", {"a": 1, "b": 2}
CONTEXT = llm.LLMContext(
    platform="bench", context=None, language="en", assistant="conversation", device_id=None
)

type Call = Callable[[], Awaitable[Any]]


async def compare(case: str, other_name: str, other: Call, ours: Call) -> None:
    """Time two ways of making the same call, in turns, and print a line."""
    calls = {other_name: other, "voice_gateway": ours}
    times: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(WARM_UP + CALLS):
        for name, call in calls.items():
            started = perf_counter()
            await call()
            if number >= WARM_UP:
                times[name].append((perf_counter() - started) * 1000)
    print(medians(f"mcp/{case}", times, "ms", 2), flush=True)


@asynccontextmanager
async def our_call(hass: HomeAssistant, server: CommandServer | UrlServer) -> AsyncGenerator[Call]:
    """Return a call through our session."""
    session = McpSession(hass, ServerSettings(name="Bench", server=server, timings=PATIENT))
    session.async_start()
    await session.async_call(NAME, ARGUMENTS)
    api = McpAPI(hass=hass, id="bench", name="Bench", session=session)
    instance = await api.async_get_api_instance(CONTEXT)
    try:
        yield lambda: instance.async_call_tool(llm.ToolInput(NAME, ARGUMENTS))
    finally:
        await session.async_stop()


async def core_call(hass: HomeAssistant, url: str) -> Call:
    """Return a call through a tool of Home Assistant's own integration."""
    entry = common.MockConfigEntry(domain="mcp", data={"url": url})
    coordinator = ModelContextProtocolCoordinator(hass, entry)
    await coordinator.async_refresh()
    tool = next(tool for tool in coordinator.data if tool.name == NAME)
    return lambda: tool.async_call(hass, llm.ToolInput(NAME, ARGUMENTS), CONTEXT)


async def main() -> None:
    """Measure over stdio, then over HTTP."""
    # Home Assistant's own default; at a lower level the library logs each request.
    logging.disable(logging.INFO)
    command = CommandServer(command=sys.executable, args=(EVERYDAY, "stdio"))
    parameters = StdioServerParameters(command=command.command, args=list(command.args))
    async with common.async_test_home_assistant() as hass:
        async with Client(parameters) as client, our_call(hass, command) as ours:
            await compare("stdio", "sdk", lambda: client.call_tool(NAME, ARGUMENTS), ours)
        with http_process(sys.executable, "streamable-http") as process:
            async with our_call(hass, UrlServer(url=process.url)) as ours:
                await compare("http", "core", await core_call(hass, process.url), ours)
                async with Client(process.url) as client:
                    sdk = lambda: client.call_tool(NAME, ARGUMENTS)  # noqa: E731
                    await compare("http-open", "sdk", sdk, ours)
        await hass.async_stop(force=True)


if __name__ == "__main__":
    asyncio.run(main())
