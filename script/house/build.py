"""The whole of it: Home Assistant, a model, and an assistant that uses it."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from script.house.api import Api
from script.house.assistant import Assistant, add_assistant, add_zwave_tools
from script.house.devices import furnish
from script.house.home_assistant import home_assistant
from script.house.model import Model, Say, Source
from script.house.zwave import zwave_server

TURN_TIMEOUT = 300
"""Seconds for a turn: old hardware reads the first prompt for longer than a home would wait."""


@dataclass(frozen=True, slots=True)
class House:
    """A house that can be spoken to."""

    api: Api
    model: Model
    assistant: Assistant


@asynccontextmanager
async def house(
    model: Source, say: Say, *, ui: bool = False, zwave: bool = False, **options: Any
) -> AsyncGenerator[House]:
    """Build a house with a model; it goes with the block.

    With `zwave` there is a simulated Z-Wave network in it, and the agent has its tools too.
    `say` is told what goes on; `options` are the agent's. Raises HouseError.
    """
    async with AsyncExitStack() as stack:
        loading = await stack.enter_async_context(model)
        if zwave:
            say("Starting a simulated Z-Wave network…")
            network = await stack.enter_async_context(zwave_server())
        # Each takes seconds: they start at the same time.
        say("Starting Home Assistant and loading the model…")
        api = await stack.enter_async_context(home_assistant(ui=ui))
        await furnish(api)
        tools = [await add_zwave_tools(api, network)] if zwave else []
        loaded = await loading
        say(f"Adding {loaded.name} as an assistant…")
        options = {"timeout": TURN_TIMEOUT, **options}
        assistant = await add_assistant(api, loaded, tools, **options)
        yield House(api, loaded, assistant)
