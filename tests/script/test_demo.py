"""The demo as people start it, with a model that writes what the tests say."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
import json
import os
from pathlib import Path
import signal
import sys
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

from custom_components.voice_gateway.const import DEFAULT_NUM_CTX
from script.house.model import NUM_CTX, client_url
from script.ollama.models import MODELS
from script.ollama.scripted import Script, ScriptedEngine
from script.ollama.server import serve
from tests.zwave_network import missing

CHECKOUT = Path(__file__).parents[2]
TIMEOUT = 120
KITCHEN = '{"name": "HassTurnOn", "arguments": {"name": "Kitchen Lights"}}'
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


async def said(
    *arguments: str, scripts: tuple[Script, ...] = (), stdin: str = ""
) -> tuple[int | None, str, str]:
    """Run the demo to its end; return its status, what it printed, and what it said of itself."""
    async with (
        serve(ScriptedEngine(*scripts), MODELS) as url,
        demo(url, "--model", STOCK, *arguments) as process,
    ):
        out, err = await process.communicate(stdin.encode())
    return process.returncode, out.decode(), err.decode()


def _existing(folders: set[str]) -> list[str]:
    return [folder for folder in folders if Path(folder).exists()]


async def test_a_sentence_changes_the_house_and_everything_is_printed_as_json() -> None:
    status, out, err = await said("turn on", "the kitchen lights", "--json", scripts=((KITCHEN,),))
    assert status == 0, err
    turn: dict[str, Any] = json.loads(out)
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
    assert turn["seconds"]["total"] >= turn["seconds"]["start"] > 0


async def test_a_cover_is_reported_when_it_has_stopped() -> None:
    call = '{"name": "HassTurnOff", "arguments": {"name": "Living Room Window"}}'
    status, out, err = await said("close the living room window", "--json", scripts=((call,),))
    assert status == 0, err
    (change,) = json.loads(out)["changes"]
    assert change["before"] == {"state": "open", "current_position": 70}
    assert change["after"] == {"state": "closed", "current_position": 0}


async def test_without_a_sentence_a_conversation_is_kept() -> None:
    engine = ScriptedEngine(["Hello you."], ["You said hello."])
    async with serve(engine, MODELS) as url, demo(url, "--model", STOCK) as process:
        out, _ = await process.communicate(b"hello\n\nwhat did I say?\n")
    assert process.returncode == 0
    assert out.decode().count("answer   ") == 2
    assert "hello" not in engine.prompts[0].partition("hello")[2]
    assert "Hello you." in engine.prompts[1]


async def test_an_answer_that_failed_is_printed_and_is_the_status() -> None:
    status, out, _ = await said("hello", scripts=())
    assert status == 1
    assert "failed   The model gave no answer." in out


@pytest.mark.skipif(bool(missing()), reason=str(missing()))
async def test_the_z_wave_tools_are_there_on_demand() -> None:
    call = '{"name": "check_zwave_health", "arguments": {}}'
    status, out, err = await said(
        "is Z-Wave all right?", "--zwave", "--json", scripts=((call,), ("No.",))
    )
    assert status == 0, err
    turn = json.loads(out)
    (made,) = turn["tool_calls"]
    assert not made["failed"]
    assert "Garden Pump" in str(made["result"])
    assert turn["answer"] == "No."


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
async def test_nothing_is_left_behind_when_it_is_ended(number: signal.Signals) -> None:
    async with (
        serve(ScriptedEngine([asyncio.Event()]), MODELS) as url,
        demo(url, "--model", STOCK, "--ui") as process,
    ):
        assert process.stdout
        while "password" not in (line := (await process.stdout.readline()).decode()):
            assert line, "it ended"
        children = psutil.Process(process.pid).children(recursive=True)
        assert children
        folders = {
            argument for child in children for argument in child.cmdline() if "house-" in argument
        }
        process.send_signal(number)
        await process.wait()
        _, alive = await asyncio.to_thread(psutil.wait_procs, children, timeout=20)
        assert not alive
        if number != signal.SIGKILL:
            assert folders
            assert not _existing(folders)


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
    assert NUM_CTX == DEFAULT_NUM_CTX


@pytest.mark.live
async def test_the_real_model_turns_on_the_kitchen_lights() -> None:
    async with demo("127.0.0.1:1", "turn on the kitchen lights", "--json") as process:
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    (change,) = json.loads(out)["changes"]
    assert change["entity_id"] == "light.kitchen_lights"
    assert change["after"]["state"] == "on"
