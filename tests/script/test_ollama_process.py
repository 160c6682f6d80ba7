"""The embedded model server as a process, and with a real model."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
import json
import os
from pathlib import Path
import signal
import sys

import aiohttp
import pytest

from script.ollama.fetch import ModelStore, cache_directory
from script.ollama.llama import LlamaEngine
from script.ollama.models import QWEN_CODER_0_5B
from tests.script.ollama_client import SMALL, USER, Client, serving


@asynccontextmanager
async def process(
    models: Path, *arguments: str
) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Start the server as its users do; yield it with its address."""
    started = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "script.ollama", "--port", "0", "--models", str(models)),
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    try:
        assert started.stderr
        said = (await started.stderr.readline()).decode()
        assert said.startswith("Ollama is running on http://127.0.0.1:"), said
        yield started, said.split()[-1]
    finally:
        if started.returncode is None:
            started.kill()
        await started.wait()


@pytest.fixture
def broken_models(tmp_path: Path) -> Path:
    """A directory with a file that has the right size, and nothing else right."""
    with (tmp_path / QWEN_CODER_0_5B.file).open("wb") as file:
        file.truncate(QWEN_CODER_0_5B.size)
    return tmp_path


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_the_process_ends_on_a_signal(broken_models: Path, number: signal.Signals) -> None:
    async with process(broken_models, "0.5b") as (started, _):
        started.send_signal(number)
        async with asyncio.timeout(5):
            assert await started.wait() == 0


async def test_the_process_ends_with_the_one_that_started_it(broken_models: Path) -> None:
    async with process(broken_models, "0.5b", "--until-stdin-closes") as (started, _):
        assert started.stdin
        started.stdin.close()
        async with asyncio.timeout(5):
            assert await started.wait() == 0


async def test_a_broken_file_is_told_to_the_client_and_the_log(
    broken_models: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    async with (
        process(broken_models, "0.5b", "--log", str(log), "--no-tools", SMALL) as (_, url),
        aiohttp.ClientSession() as session,
        session.post(f"{url}/api/chat", json={"model": SMALL, "messages": []}) as response,
    ):
        assert response.status == 500
        error = (await response.json())["error"]
        shown = await (await session.post(f"{url}/api/show", json={"model": SMALL})).json()
    assert error.startswith("llama runner process has terminated: ")
    assert shown["capabilities"] == ["completion", "insert"]
    (line,) = log.read_text().splitlines()
    assert json.loads(line)["reason"] == "error"


# The real model


@pytest.fixture
async def live(request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    """The smallest real model, fetched if need be."""
    store = ModelStore(cache_directory())
    async for _ in store.fetch(QWEN_CODER_0_5B):
        pass
    async with serving(LlamaEngine(), store=store) as client:
        yield client


GREEDY = {"temperature": 0, "num_predict": 12}


@pytest.mark.live
async def test_live_chat_reuses_what_it_read(live: Client) -> None:
    lamps = ", ".join(f"lamp {number} in room {number % 7}" for number in range(60))
    house = [{"role": "system", "content": f"There are {lamps}."}]
    other = {"role": "system", "content": "You are a poet. " * 20}
    cold = await live.chat(*house, USER, model=SMALL, options=GREEDY)
    assert cold["message"]["content"]
    again = await live.chat(*house, USER, model=SMALL, options=GREEDY)
    assert again["message"] == cold["message"]
    assert again["prompt_eval_count"] == cold["prompt_eval_count"] > 500
    assert again["prompt_eval_duration"] < cold["prompt_eval_duration"] / 10
    await live.chat(other, USER, model=SMALL, options=GREEDY)
    after = await live.chat(*house, USER, model=SMALL, options=GREEDY)
    assert after["prompt_eval_duration"] < cold["prompt_eval_duration"] / 10
    assert live.records[-1].cached_tokens > 500


@pytest.mark.live
async def test_live_format_constrains_the_answer(live: Client) -> None:
    schema = {
        "type": "object",
        "properties": {"colour": {"enum": ["red", "blue"]}, "count": {"type": "integer"}},
        "required": ["colour", "count"],
        "additionalProperties": False,
    }
    answer = await live.chat(USER, model=SMALL, format=schema, options={"temperature": 0})
    data = json.loads(answer["message"]["content"])
    assert data["colour"] in ("red", "blue")
    assert isinstance(data["count"], int)


@pytest.mark.live
async def test_live_cancel_stops_reading_and_writing(live: Client) -> None:
    await live.chat(messages=[], model=SMALL)
    long = {"role": "user", "content": "Once there was a cat and a dog. " * 200}
    story = {"role": "user", "content": "Write a very long story."}
    loop = asyncio.get_running_loop()
    for message, seconds in ((long, 1.0), (story, 3.0)):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(seconds):
                await live.chat(message, model=SMALL)
        start = loop.time()
        await live.chat(USER, model=SMALL, options={"num_predict": 1})
        assert loop.time() - start < 5
    cancelled = [record for record in live.records if record.reason == "cancelled"]
    assert [bool(record.raw) for record in cancelled] == [False, True]


@pytest.mark.live
async def test_live_context_is_shifted_unless_forbidden(live: Client) -> None:
    ask = {"role": "user", "content": "Write the numbers from one to three hundred, one per line."}
    options = {"temperature": 0, "num_ctx": 256, "num_predict": 300}
    shifted = await live.chat(ask, model=SMALL, options=options)
    cut = await live.chat(ask, model=SMALL, options=options, shift=False)
    assert shifted["eval_count"] == 300
    assert cut["eval_count"] + cut["prompt_eval_count"] == 256
    assert shifted["done_reason"] == cut["done_reason"] == "length"


@pytest.mark.live
async def test_live_model_that_crashes_ends_the_answer_and_is_loaded_again(live: Client) -> None:
    assert isinstance(live.engine, LlamaEngine)
    body = {"model": SMALL, "messages": [{"role": "user", "content": "Write a long story."}]}
    async with live.session.post(f"{live.url}/api/chat", json=body) as response:
        await response.content.readline()
        os.kill(live.engine.pid, signal.SIGKILL)
        *_, last = [json.loads(line) async for line in response.content]
    assert last == {"error": "model runner has unexpectedly stopped"}
    assert (await live.chat(USER, model=SMALL, options=GREEDY))["message"]["content"]
