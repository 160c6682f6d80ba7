"""A house with an assistant that hears and speaks."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
import pytest_socket

from script.house.api import Api, until
from script.house.assistant import Assistant, add_assistant, add_entry
from script.house.devices import furnish
from script.house.home_assistant import home_assistant
from script.house.model import Model
from script.ollama.engine import Finished, Sampling
from script.ollama.models import MODELS
from script.ollama.scripted import ScriptedEngine
from script.ollama.server import serve
from tests.voice.engines.process import engine, missing
from tests.voice.satellite import Satellite

_MODEL = "qwen2.5-coder:1.5b"


class WritingModel(ScriptedEngine):
    """Keeps its scripts for sentences: what it is made to read meanwhile ends with one token."""

    async def generate(
        self,
        prompt: Sequence[int],
        sampling: Sampling,
        limit: int,
        schema: Mapping[str, Any] | None,
    ) -> AsyncGenerator[str | Finished]:
        """Write the next script, or nothing."""
        if limit == 1:
            self.scripts.insert(0, ())
        async with aclosing(super().generate(prompt, sampling, limit, schema)) as steps:
            async for step in steps:
                yield step


@dataclass(frozen=True, slots=True)
class VoiceHouse:
    """A house, the satellite in it, and what its model is told to write."""

    api: Api
    satellite: Satellite
    agent_id: str
    model: WritingModel
    whisper_port: int


@pytest.fixture(autouse=True)
def _custom_integrations(socket_enabled: None) -> None:
    """Leave Home Assistant to its own process, and let programs on this machine talk."""


@pytest.fixture(autouse=True)
def verify_cleanup() -> None:
    """Let the house outlive a test."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house() -> AsyncGenerator[VoiceHouse]:
    """Build the house, with speech engines that are connected as a household connects them."""
    if reason := missing():
        pytest.fail(reason, pytrace=False)
    pytest_socket.enable_socket()
    async with AsyncExitStack() as stack:
        model = WritingModel()
        url = await stack.enter_async_context(serve(model, MODELS))
        whisper, espeak, api = await asyncio.gather(
            stack.enter_async_context(engine("whisper")),
            stack.enter_async_context(engine("espeak")),
            stack.enter_async_context(home_assistant()),
        )
        await furnish(api)
        assistant = await add_assistant(api, Model(url, _MODEL))
        pipeline_id = await _pipeline(api, assistant, whisper, espeak)
        satellite = Satellite(api, pipeline_id)
        yield VoiceHouse(api, satellite, assistant.agent_id, model, whisper)


async def _pipeline(api: Api, assistant: Assistant, whisper: int, espeak: int) -> str:
    """Add the engines to Home Assistant, and a pipeline with them and the agent."""
    pipeline = await api.command(
        "assist_pipeline/pipeline/create",
        name="Voice Gateway, spoken to",
        language="en",
        conversation_engine=assistant.agent_id,
        conversation_language="en",
        prefer_local_intents=False,
        stt_engine=await _engine(api, "stt", whisper),
        stt_language="en",
        tts_engine=await _engine(api, "tts", espeak),
        tts_language="en",
        tts_voice="en-us",
        wake_word_entity=None,
        wake_word_id=None,
    )
    pipeline_id: str = pipeline["id"]
    return pipeline_id


async def _engine(api: Api, domain: str, port: int) -> str:
    """Add a Wyoming server to Home Assistant; return the entity that it becomes."""
    entry_id = await add_entry(api, "wyoming", {"host": "127.0.0.1", "port": port})

    async def entity() -> str | None:
        for each in await api.command("config/entity_registry/list"):
            entity_id: str = each["entity_id"]
            if each["config_entry_id"] == entry_id and entity_id.startswith(f"{domain}."):
                return entity_id
        return None

    return await until(f"The {domain} engine did not appear", entity)
