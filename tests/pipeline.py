"""Assist's pipeline, as the frontend runs it, with one of our agents."""

import asyncio
from typing import Any

from homeassistant.setup import async_setup_component

from .agent import Agent

type Events = list[dict[str, Any]]


async def run_pipeline(agent: Agent, connect: Any, sentence: str) -> tuple[Events, Events]:
    """Have a new pipeline hear a sentence.

    `connect` is the fixture `hass_ws_client`. Returns the events that came meanwhile, and those that
    the debug view shows afterwards.
    """
    assert await async_setup_component(agent.hass, "assist_pipeline", {})
    client = await connect(agent.hass)

    async def ask(command: str, **arguments: Any) -> Any:
        await client.send_json_auto_id({"type": f"assist_pipeline/{command}", **arguments})
        return (await client.receive_json())["result"]

    created = await ask(
        "pipeline/create",
        name="Ours",
        language="en",
        conversation_engine=agent.entity_id,
        conversation_language="en",
        stt_engine=None,
        stt_language=None,
        tts_engine=None,
        tts_language=None,
        tts_voice=None,
        wake_word_entity=None,
        wake_word_id=None,
        prefer_local_intents=False,
    )
    pipeline = created["id"]
    text = {"text": sentence}
    await ask("run", start_stage="intent", end_stage="intent", pipeline=pipeline, input=text)
    events: Events = []
    async with asyncio.timeout(60):
        while not events or events[-1]["type"] != "run-end":
            events.append((await client.receive_json())["event"])
    (run,) = (await ask("pipeline_debug/list", pipeline_id=pipeline))["pipeline_runs"]
    ran = run["pipeline_run_id"]
    shown = await ask("pipeline_debug/get", pipeline_id=pipeline, pipeline_run_id=ran)
    return events, shown["events"]
