"""The whole of it: Home Assistant, a model, and an assistant that uses it."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from script.house.api import Api
from script.house.assistant import Assistant, add_assistant, add_entry
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
        if zwave:
            await add_entry(api, "voice_gateway", {"next_step_id": "zwave"}, {"url": network})
        loaded = await loading
        say(f"Adding {loaded.name} as an assistant…")
        assistant = await add_assistant(api, loaded, **{"timeout": TURN_TIMEOUT, **options})
        yield House(api, loaded, assistant)
