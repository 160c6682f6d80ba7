"""The demo as people start it, with a model that writes what the tests say."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
import json
import os
from pathlib import Path
import signal
import sys

import psutil  # type: ignore[import-untyped]
import pytest

from custom_components.voice_gateway.const import CONF_NUM_CTX, DEFAULTS
from script.house.model import NUM_CTX, client_url
from script.ollama.models import MODELS
from script.ollama.scripted import ScriptedEngine
from script.ollama.server import serve
from tests.zwave_network import missing

CHECKOUT = Path(__file__).parents[2]
TIMEOUT = 120
COVER = '{"name": "HassSetPosition", "arguments": {"name": "Living Room Window", "position": 60}}'
STOCK = "qwen2.5-coder:1.5b"


@asynccontextmanager
async def demo(
    ollama: str, *arguments: str, environment: Mapping[str, str] = {}
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start the demo with an Ollama server at hand."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "script.house", *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=CHECKOUT,
        env={**os.environ, "OLLAMA_HOST": ollama, **environment},
    )
    try:
        async with asyncio.timeout(TIMEOUT):
            yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def end(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """End a demo by a signal; nothing of it may be left, and no folder where it could tidy up."""
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    folders = {part for child in children for part in child.cmdline() if "house-" in part}
    assert folders
    process.send_signal(number)
    await process.wait()
    _, alive = await asyncio.to_thread(psutil.wait_procs, children, timeout=20)
    assert not alive
    if number != signal.SIGKILL:
        assert not _existing(folders)


def _existing(folders: set[str]) -> list[str]:
    return [folder for folder in folders if Path(folder).exists()]


@pytest.mark.skipif(bool(missing()), reason=str(missing()))
async def test_a_conversation_changes_the_house_and_everything_is_printed_as_json() -> None:
    health = '{"name": "check_zwave_health", "arguments": {}}'
    engine = ScriptedEngine(["Hello you."], ["You said hello."], [health], ["No."], [COVER])
    sentences = (
        b"turn on the kitchen lights\nhello\n\nwhat did I say?\n"
        b"is Z-Wave all right?\nset the living room window to 60 percent\n"
    )
    arguments = ("--model", STOCK, "--json", "--zwave")
    async with serve(engine, MODELS) as url, demo(url, *arguments) as process:
        out, err = await process.communicate(sentences)
    assert process.returncode == 0, err.decode()
    turn, _, _, zwave, cover = map(json.loads, out.decode().replace("› ", "").splitlines())
    assert list(turn) == ["text", "tool_calls", "changes", "answer", "seconds"]
    assert turn["text"] == "turn on the kitchen lights"
    (call,) = turn["tool_calls"]
    assert call["name"] == "intent__HassTurnOn"
    assert call["arguments"]["name"] == "Kitchen Lights"
    assert not call["failed"]
    (change,) = turn["changes"]
    assert change["entity_id"] == "light.kitchen_lights"
    assert change["before"]["state"] == "off"
    assert change["after"]["state"] == "on"
    assert turn["answer"]
    assert turn["seconds"]["total"] > 0
    assert "Hello you." in engine.prompts[1]
    # A cover is reported when it has stopped.
    (change,) = cover["changes"]
    positions = [change[when]["current_position"] for when in ("before", "after")]
    assert positions == [70, 60]
    (made,) = zwave["tool_calls"]
    assert not made["failed"]
    assert "Garden Pump" in str(made["result"])
    assert zwave["answer"] == "No."


async def test_an_answer_that_failed_is_printed_and_is_the_status() -> None:
    async with (
        serve(ScriptedEngine(), MODELS) as url,
        demo(url, "--model", STOCK, "hello") as process,
    ):
        out, _ = await process.communicate(b"")
    assert process.returncode == 1
    assert "failed   The model gave no answer." in out.decode()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
async def test_nothing_is_left_behind_when_its_start_is_ended(number: signal.Signals) -> None:
    async with serve(ScriptedEngine(), MODELS) as url, demo(url, "--model", STOCK) as process:
        this = psutil.Process(process.pid)
        # Home Assistant's process has no event of its own.
        while not any("house-" in part for child in this.children() for part in child.cmdline()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await end(process, number)


async def test_an_unknown_model_of_the_embedded_server_is_refused_with_those_it_has() -> None:
    async with demo("127.0.0.1:1", "--model", "llama3", "hello") as process:
        _, err = await process.communicate()
    assert process.returncode == 1
    assert (
        "llama3 is no model of the embedded server. There are: qwen2.5-coder:1.5b" in err.decode()
    )


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        (":8080", "http://127.0.0.1:8080"),
        ("nas", "http://nas:11434"),
        ("nas:8080", "http://nas:8080"),
        ("[::1]:11434", "http://[::1]:11434"),
        ("https://nas.example/ollama/", "https://nas.example/ollama"),
    ],
)
def test_ollama_host_is_read_as_ollamas_own_client_reads_it(host: str, url: str) -> None:
    assert client_url(host) == url


def test_the_model_is_loaded_with_the_context_that_the_agent_uses() -> None:
    assert DEFAULTS[CONF_NUM_CTX] == NUM_CTX


@pytest.mark.live
async def test_the_real_model_turns_on_the_kitchen_lights() -> None:
    async with demo("127.0.0.1:1", "turn on the kitchen lights", "--json") as process:
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    (change,) = json.loads(out)["changes"]
    assert change["entity_id"] == "light.kitchen_lights"
    assert change["after"]["state"] == "on"
