"""LiteLLM's proxy before llama.cpp's server: another real one that speaks OpenAI's protocol."""

import asyncio
from collections.abc import AsyncGenerator
import os
from pathlib import Path
import socket
from typing import Any

from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.const import CONF_KIND, EntryKind
from script.openai.process import llama_server
from tests.agent import add_agent
from tests.flows.forms import begin, fill_in

from .fetching import fetch_python

pytestmark = [pytest.mark.foreign, pytest.mark.live]

MODEL = "small"
KEY = "sk-of-this-test"
CONFIG = """
model_list:
  - model_name: {model}
    litellm_params: {{model: "openai/qwen2.5-coder:0.5b", api_base: "{url}", api_key: none}}
general_settings: {{master_key: {key}}}
"""
START_TIMEOUT = 480
"""Seconds: it loads for a minute, and many times that on a very busy machine."""


class Proxy:
    """A running proxy, as `add_agent` takes it."""

    model = MODEL

    def __init__(self, url: str) -> None:
        """Take its address."""
        self.url = url
        self.data = {CONF_KIND: EntryKind.OPENAI, CONF_URL: f"{url}/v1", CONF_API_KEY: KEY}


@pytest.fixture(scope="session")
def program() -> Path:
    """Fetch it."""
    return fetch_python("litellm") / "litellm"


@pytest.fixture
async def proxy(program: Path, socket_enabled: None, tmp_path: Path) -> AsyncGenerator[Proxy]:
    """The proxy, with a real model behind it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    async with llama_server("0.5b", "--context", "4096") as url:
        config = tmp_path / "litellm.yaml"
        config.write_text(CONFIG.format(model=MODEL, url=url, key=KEY))
        process = await asyncio.create_subprocess_exec(
            *(program, "--config", config, "--host", "127.0.0.1", "--port", str(port)),
            # It asks for prices of models from elsewhere else.
            env={**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=tmp_path,
        )
        assert process.stdout
        try:
            async with asyncio.timeout(START_TIMEOUT):
                await _until_it_runs(process.stdout)
            reading = asyncio.create_task(process.stdout.read())
            yield Proxy(f"http://127.0.0.1:{port}")
        finally:
            process.kill()
            await process.wait()
        await reading


async def _until_it_runs(output: asyncio.StreamReader) -> None:
    told = []
    async for line in output:
        told.append(line.decode())
        if "Uvicorn running on" in told[-1]:
            return
    raise RuntimeError("".join(told))


async def _add(hass: HomeAssistant, proxy: Proxy, key: str) -> Any:
    form = await begin(hass, EntryKind.OPENAI)
    return await fill_in(hass, form, {"url": proxy.url, "api_key": key})


async def test_it_is_added_with_its_key_alone_and_answers(
    hass: HomeAssistant, proxy: Proxy
) -> None:
    for domain in ("homeassistant", "conversation", "llm"):
        assert await async_setup_component(hass, domain, {})
    # It answers a wrong key as a fault of the request: it looks for it in a database that it has not.
    refused = await _add(hass, proxy, "sk-wrong")
    assert refused["errors"] == {"base": "server_unauthorized"}
    hass.config_entries.flow.async_abort(refused["flow_id"])
    added = await _add(hass, proxy, KEY)
    assert added["type"] is FlowResultType.CREATE_ENTRY
    assert added["title"] == "LiteLLM (127.0.0.1)"
    assert added["data"] == proxy.data
    await hass.async_block_till_done()
    await hass.config_entries.async_remove(added["result"].entry_id)
    # Without tools: Assist's take the smallest computers minutes to read.
    agent = await add_agent(hass, proxy, tools=(), prompt="Be brief.", timeout=300)
    answer = await agent.hears("Say hello to Anna.")
    assert not answer.is_error, answer.speech
    assert answer.speech
