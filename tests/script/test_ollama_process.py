"""The embedded model server as a process, and with a real model."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
import json
from pathlib import Path
import signal
import sys
from typing import Any

import aiohttp
import psutil  # type: ignore[import-untyped]
import pytest

from script.ollama.fetch import cache_directory
from script.ollama.models import QWEN_CODER_0_5B
from tests.script.ollama_client import SMALL, USER, Client


@asynccontextmanager
async def process(
    models: Path, *arguments: str
) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Start the server as its users do; yield it with its address."""
    started = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "script.ollama", "--port", "0", "--models", str(models)),
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    try:
        assert started.stdout
        said = (await started.stdout.readline()).decode()
        assert said.startswith("Ollama is running on http://127.0.0.1:")
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


@dataclass(slots=True)
class Live:
    """The smallest real model, served by a process."""

    client: Client
    pid: int
    log: Path

    def records(self) -> list[dict[str, Any]]:
        """Return what the server noted of every request that ended."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[Live]:
    """Fetch the model if need be, and serve it."""
    log = tmp_path / "log.jsonl"
    async with (
        process(cache_directory(), "0.5b", "--log", str(log)) as (started, url),
        aiohttp.ClientSession() as session,
    ):
        yield Live(Client(url, session), started.pid, log)


GREEDY = {"temperature": 0, "num_predict": 12}


@pytest.mark.live
async def test_live_chat_reuses_what_it_read(live: Live) -> None:
    lamps = ", ".join(f"lamp {number} in room {number % 7}" for number in range(60))
    house = [{"role": "system", "content": f"There are {lamps}."}]
    other = {"role": "system", "content": "You are a poet. " * 20}
    cold = await live.client.chat(*house, USER, model=SMALL, options=GREEDY)
    assert cold["message"]["content"]
    again = await live.client.chat(*house, USER, model=SMALL, options=GREEDY)
    assert again["message"] == cold["message"]
    assert again["prompt_eval_count"] == cold["prompt_eval_count"] > 500
    assert again["prompt_eval_duration"] < cold["prompt_eval_duration"] / 10
    await live.client.chat(other, USER, model=SMALL, options=GREEDY)
    after = await live.client.chat(*house, USER, model=SMALL, options=GREEDY)
    assert after["prompt_eval_duration"] < cold["prompt_eval_duration"] / 10
    assert live.records()[-1]["cached_tokens"] > 500


@pytest.mark.live
async def test_live_what_was_read_is_known_after_a_start(tmp_path: Path) -> None:
    lamps = ", ".join(f"lamp {number} in room {number % 7}" for number in range(60))
    house = {"role": "system", "content": f"There are {lamps}."}
    log = tmp_path / "log.jsonl"
    prompts = tmp_path / "prompts"
    options = ("--log", str(log), "--keep-prompts", str(prompts))
    answers = []
    for start in range(3):
        if start == 2:
            (kept,) = prompts.iterdir()
            kept.write_bytes(kept.read_bytes()[:1000])
        async with (
            process(cache_directory(), "0.5b", *options) as (_, url),
            aiohttp.ClientSession() as session,
        ):
            answers.append(
                await Client(url, session).chat(house, USER, model=SMALL, options=GREEDY)
            )
    cached = [json.loads(line)["cached_tokens"] for line in log.read_text().splitlines()]
    assert (cached[0], cached[2]) == (0, 0)
    assert cached[1] > 500
    assert answers[0]["message"] == answers[1]["message"] == answers[2]["message"]


@pytest.mark.live
async def test_live_format_constrains_the_answer(live: Live) -> None:
    schema = {
        "type": "object",
        "properties": {"colour": {"enum": ["red", "blue"]}, "count": {"type": "integer"}},
        "required": ["colour", "count"],
        "additionalProperties": False,
    }
    answer = await live.client.chat(USER, model=SMALL, format=schema, options={"temperature": 0})
    data = json.loads(answer["message"]["content"])
    assert data["colour"] in ("red", "blue")
    assert isinstance(data["count"], int)


@pytest.mark.live
async def test_live_cancel_stops_reading_and_writing(live: Live) -> None:
    await live.client.chat(messages=[], model=SMALL)
    long = {"role": "user", "content": "Once there was a cat and a dog. " * 200}
    story = {"role": "user", "content": "Write a very long story."}
    loop = asyncio.get_running_loop()
    for message, seconds in ((long, 1.0), (story, 3.0)):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(seconds):
                await live.client.chat(message, model=SMALL)
        start = loop.time()
        await live.client.chat(USER, model=SMALL, options={"num_predict": 1})
        assert loop.time() - start < 5
    cancelled = [record for record in live.records() if record["reason"] == "cancelled"]
    assert [bool(record["raw"]) for record in cancelled] == [False, True]


@pytest.mark.live
async def test_live_context_is_shifted_unless_forbidden(live: Live) -> None:
    ask = {"role": "user", "content": "Write the numbers from one to three hundred, one per line."}
    options = {"temperature": 0, "num_ctx": 256, "num_predict": 300}
    shifted = await live.client.chat(ask, model=SMALL, options=options)
    cut = await live.client.chat(ask, model=SMALL, options=options, shift=False)
    assert shifted["eval_count"] == 300
    assert cut["eval_count"] + cut["prompt_eval_count"] == 256
    assert shifted["done_reason"] == cut["done_reason"] == "length"


@pytest.mark.live
async def test_live_model_that_crashes_ends_the_answer_and_is_loaded_again(live: Live) -> None:
    client = live.client
    body = {"model": SMALL, "messages": [{"role": "user", "content": "Write a long story."}]}
    async with client.session.post(f"{client.url}/api/chat", json=body) as response:
        await response.content.readline()
        (runner,) = psutil.Process(live.pid).children()
        runner.kill()
        *_, last = [json.loads(line) async for line in response.content]
    assert last == {"error": "model runner has unexpectedly stopped"}
    assert (await live.client.chat(USER, model=SMALL, options=GREEDY))["message"]["content"]


@pytest.mark.live
@pytest.mark.parametrize("ending", ["terminate", "kill"])
async def test_live_nothing_is_left_when_the_server_ends(live: Live, ending: str) -> None:
    await live.client.chat(messages=[], model=SMALL)
    server = psutil.Process(live.pid)
    (runner,) = server.children()
    socket = Path(runner.cmdline()[3])
    assert socket.name == "llama.sock"
    getattr(server, ending)()
    gone, left = await asyncio.to_thread(psutil.wait_procs, [server, runner], 5)
    assert (len(gone), left) == (2, [])
    assert not socket.parent.exists()
