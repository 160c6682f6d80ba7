"""An assistant in the house: the integration added as a user adds it, and a pipeline with its agent."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from script.house.api import Api, Json, until
from script.house.failure import HouseError
from script.house.model import Model

_ENTRIES = "/api/config/config_entries/flow"
_SUBENTRIES = "/api/config/config_entries/subentries/flow"
PULL_TIMEOUT = 3600
"""Seconds that a server may take to pull a model."""


@dataclass(frozen=True, slots=True)
class Assistant:
    """An agent and the pipeline that asks it."""

    agent_id: str
    pipeline_id: str


async def add_zwave_tools(api: Api, url: str) -> str:
    """Add the tools for the network of a Z-Wave JS server, wait until they are there; return their id.

    Raises HouseError with what the form said.
    """
    entry_id = await add_entry(api, "voice_gateway", {"next_step_id": "zwave"}, {"url": url}, {})

    async def connected() -> bool:
        states = await api.states()
        return any(
            entity["config_entry_id"] == entry_id
            and states.get(entity["entity_id"], {}).get("state") == "on"
            for entity in await api.command("config/entity_registry/list")
            if entity["entity_id"].startswith("binary_sensor.")
        )

    await until("The Z-Wave tools did not connect", connected)
    return f"voice_gateway-{entry_id}"


async def add_assistant(
    api: Api, model: Model, tools: Sequence[str] = (), **options: Any
) -> Assistant:
    """Add the model's server, an agent and a preferred pipeline.

    `tools` are the ids of LLM APIs beside that of Assist. `options` are those of the agent's form; what is left out keeps its default. Raises HouseError
    with what the forms said.
    """
    entry_id = await add_entry(
        api, "voice_gateway", {"next_step_id": model.kind}, {"url": model.url}
    )
    await add_subentry(
        api,
        entry_id,
        {"model": model.name, "llm_hass_api": ["assist", *tools], **options},
    )
    agent_id = await until("The agent did not appear", lambda: agent_of(api, entry_id))
    pipeline_id = await add_pipeline(api, "Voice Gateway", agent_id)
    await api.command("assist_pipeline/pipeline/set_preferred", pipeline_id=pipeline_id)
    return Assistant(agent_id, pipeline_id)


async def add_entry(api: Api, integration: str, *answers: Json) -> str:
    """Walk an integration's config flow with an answer for each step; return the entry's id."""
    step = await api.post(_ENTRIES, {"handler": integration})
    step = await _walk(api, _ENTRIES, step, answers)
    entry_id: str = step["result"]["entry_id"]
    return entry_id


async def add_subentry(api: Api, entry_id: str, *answers: Json) -> None:
    """Walk the flow that adds a conversation agent to an entry, with an answer for each step."""
    step = await api.post(_SUBENTRIES, {"handler": [entry_id, "conversation"]})
    await _walk(api, _SUBENTRIES, step, answers)


async def _walk(api: Api, flows: str, step: Json, answers: tuple[Json, ...]) -> Json:
    for answer in answers:
        if step["type"] not in ("form", "menu"):
            break
        flow = f"{flows}/{step['flow_id']}"
        step = await api.post(flow, _in_sections(step.get("data_schema") or [], answer))
        if step["type"] == "progress":
            step = await until(
                "The model did not arrive", partial(_after_progress, api, flow), PULL_TIMEOUT
            )
    if step["type"] != "create_entry":
        said = step.get("errors") or step.get("reason") or step.get("step_id")
        raise HouseError(f"The configuration went no further: {said}")
    return step


def _in_sections(fields: list[Json], answer: Json) -> Json:
    """Return an answer with its values in the sections that a form has them in."""
    answer = dict(answer)
    for field in fields:
        if field.get("type") == "expandable":
            names = {each["name"] for each in field["schema"]} & answer.keys()
            answer[field["name"]] = {name: answer.pop(name) for name in names}
    return answer


async def _after_progress(api: Api, flow: str) -> Json | None:
    step: Json = await api.get(flow)
    return None if step["type"] == "progress" else step


async def agent_of(api: Api, entry_id: str) -> str | None:
    """Return an entry's conversation agent, once it is there."""
    for entity in await api.command("config/entity_registry/list"):
        agent_id: str = entity["entity_id"]
        if entity["config_entry_id"] == entry_id and agent_id.startswith("conversation."):
            state = (await api.states()).get(agent_id, {"state": "unavailable"})
            return agent_id if state["state"] != "unavailable" else None
    return None


async def add_pipeline(api: Api, name: str, agent_id: str) -> str:
    """Add an Assist pipeline that gives every sentence to an agent; return its id."""
    pipeline = await api.command(
        "assist_pipeline/pipeline/create",
        name=name,
        language="en",
        conversation_engine=agent_id,
        conversation_language="en",
        prefer_local_intents=False,
        # Text in, text out.
        stt_engine=None,
        stt_language=None,
        tts_engine=None,
        tts_language=None,
        tts_voice=None,
        wake_word_entity=None,
        wake_word_id=None,
    )
    pipeline_id: str = pipeline["id"]
    return pipeline_id
