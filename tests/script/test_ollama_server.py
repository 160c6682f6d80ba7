"""The embedded model server over real HTTP, with an engine that writes what it is told to."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
import json
from pathlib import Path
from typing import Any

import aiohttp
import ollama
import pytest

from script.ollama.engine import EngineError, Finished
from script.ollama.models import MODELS, QWEN_CODER_0_5B, Weights, without_tools
from script.ollama.scripted import ScriptedEngine
from script.ollama.server import serve
from script.ollama.store import FetchError, Progress
from tests.script.ollama_client import (
    BRACKETS,
    CALL,
    LIGHT,
    SMALL,
    STOCK,
    USER,
    calls,
    scripted,
    texts,
)

# Answers


async def test_text_streams_piece_by_piece_and_ends_with_counts() -> None:
    async with scripted(["It ", "is", " on."]) as (client, _):
        *before, last = await client.lines("/api/chat", model=STOCK, messages=[USER])
    assert texts([*before, last]) == ["It ", "is", " on.", ""]
    assert not any(chunk["done"] for chunk in before)
    assert last["done"]
    assert last["done_reason"] == "stop"
    assert last["eval_count"] == 3
    assert last["eval_duration"] == 500_000_000
    assert last["prompt_eval_count"] > 10
    assert last["prompt_eval_duration"] == 250_000_000
    assert last["total_duration"] >= last["load_duration"] >= 0


async def test_a_piece_is_sent_before_the_next_one_is_written() -> None:
    more = asyncio.Event()
    body = {"model": STOCK, "messages": [USER]}
    async with (
        scripted(["first", more, "second"]) as (client, _),
        client.session.post(f"{client.url}/api/chat", json=body) as response,
    ):
        first = json.loads(await response.content.readline())
        more.set()
        second = json.loads(await response.content.readline())
    assert texts([first, second]) == ["first", "second"]


async def test_an_answer_that_is_not_streamed_is_one_object() -> None:
    async with scripted(["It ", "is on."], [f"<tool_call>\n{CALL}\n</tool_call>"]) as (client, _):
        text = await client.chat()
        call = await client.chat(tools=[LIGHT])
    assert text["message"] == {"role": "assistant", "content": "It is on."}
    assert text["done"]
    assert call["message"]["content"] == ""
    assert calls([call]) == [("HassTurnOn", {"name": "Lamp {1}"})]


async def test_generate_answers_a_prompt() -> None:
    async with scripted(["Hel", "lo"]) as (client, engine):
        answer = (
            await client.post("/api/generate", {"model": STOCK, "prompt": "Hi", "stream": False})
        )[1]
        load = (await client.post("/api/generate", {"model": STOCK}))[1]
    assert (answer["response"], answer["done_reason"]) == ("Hello", "stop")
    assert (load["response"], load["done_reason"]) == ("", "load")
    assert "<|im_start|>user\nHi<|im_end|>" in engine.prompts[0]


async def test_num_predict_ends_the_answer_with_length() -> None:
    async with scripted(["a", "b", "c"]) as (client, _):
        answer = await client.chat(options={"num_predict": 2})
    assert answer["message"]["content"] == "ab"
    assert answer["done_reason"] == "length"


async def test_options_and_format_reach_the_engine() -> None:
    schema = {"type": "object", "properties": {"on": {"type": "boolean"}}}
    options = {"temperature": 0, "top_k": 3, "seed": 7, "stop": ["x"], "unknown": 1}
    async with scripted() as (client, engine):
        await client.chat(options=options, format=schema)
        await client.chat(format="json")
        await client.chat()
    assert engine.schemas == [schema, {"type": "object"}, None]
    first, _, last = engine.samplings
    assert (first.temperature, first.top_k, first.seed, first.stop) == (0.0, 3, 7, ("x",))
    assert (last.temperature, last.top_k, last.repeat_penalty) == (0.8, 40, 1.1)
    assert engine.limits[0] == 10 * 4096


async def test_without_shift_an_answer_ends_with_the_context() -> None:
    async with scripted() as (client, engine):
        answer = await client.chat(shift=False, options={"num_ctx": 100})
    assert engine.limits == [100 - answer["prompt_eval_count"]]


async def test_the_prefix_that_was_read_before_counts_as_cached() -> None:
    async with scripted(["Yes."]) as (client, _):
        await client.chat({"role": "user", "content": "Is the lamp on?"})
        await client.chat({"role": "user", "content": "Is the fan on?"})
    first, second = client.records
    assert first.cached_tokens == 0
    assert 10 < second.cached_tokens < second.prompt_tokens
    assert first.raw == "Yes."


# Errors

MISMATCH = "json: cannot unmarshal"


@pytest.mark.parametrize(
    ("path", "body", "status", "error"),
    [
        ("chat", {"model": "x", "messages": []}, 404, "model 'x' not found"),
        ("chat", {"messages": []}, 404, "model '' not found"),
        ("show", {"model": "x"}, 404, "model 'x' not found"),
        ("show", {}, 400, "model is required"),
        ("pull", {}, 400, "invalid model name"),
        ("chat", b"", 400, "missing request body"),
        ("chat", b"{", 400, "unexpected EOF"),
        ("chat", b"{x}", 400, "invalid character 'x' looking for beginning of value"),
        (
            "chat",
            {"model": STOCK, "messages": "x"},
            400,
            f"{MISMATCH} string into Go struct field ChatRequest.messages of type slice",
        ),
        (
            "chat",
            {"model": STOCK, "messages": [{"role": "user", "content": ["x"]}]},
            400,
            f"{MISMATCH} array into Go struct field ChatRequest.messages.content of type string",
        ),
        (
            "chat",
            {"model": STOCK, "messages": [], "keep_alive": "5"},
            400,
            'time: missing unit in duration "5"',
        ),
        (
            "chat",
            {"model": STOCK, "messages": [], "keep_alive": "soon"},
            400,
            'time: invalid duration "soon"',
        ),
        (
            "chat",
            {"model": STOCK, "messages": [], "keep_alive": "5d"},
            400,
            'time: unknown unit "d" in duration "5d"',
        ),
        (
            "chat",
            {"model": STOCK, "messages": [USER], "options": {"num_ctx": "big"}},
            500,
            'option "num_ctx" must be of type integer',
        ),
        (
            "chat",
            {"model": STOCK, "messages": [USER], "format": "yaml"},
            500,
            'invalid format: "yaml"; expected "json" or a valid JSON Schema object',
        ),
        (
            "chat",
            {"model": STOCK, "messages": [USER], "think": True},
            400,
            f'"{STOCK}" does not support thinking',
        ),
    ],
)
async def test_a_bad_request_is_refused_in_ollamas_words(
    path: str, body: Any, status: int, error: str
) -> None:
    async with scripted() as (client, engine):
        assert await client.post(f"/api/{path}", body) == (status, {"error": error})
    assert engine.loads == []


async def test_a_model_without_tools_says_so() -> None:
    async with scripted(["Hi."], models=without_tools(MODELS, [STOCK])) as (client, _):
        capable = (await client.post("/api/show", {"model": BRACKETS}))[1]["capabilities"]
        shown = (await client.post("/api/show", {"model": STOCK}))[1]
        body = {"model": STOCK, "messages": [USER], "tools": [LIGHT]}
        status, answer = await client.post("/api/chat", body)
        text = await client.chat()
    assert "tools" in capable
    assert "tools" not in shown["capabilities"]
    assert ".Tools }}" not in shown["template"].replace("or .System .Tools }}", "")
    assert status == 400
    assert answer == {"error": f"registry.ollama.ai/library/{STOCK} does not support tools"}
    assert text["message"]["content"] == "Hi."


def test_only_a_served_model_can_be_without_tools() -> None:
    with pytest.raises(ValueError, match="not served: nothing:1b"):
        without_tools(MODELS, ["nothing:1b", STOCK])


async def test_an_engine_that_fails_at_once_is_an_error_of_its_own() -> None:
    async with scripted([EngineError("out of memory")]) as (client, _):
        status, answer = await client.post("/api/chat", {"model": STOCK, "messages": [USER]})
    assert (status, answer) == (500, {"error": "out of memory"})
    assert client.records[0].reason == "error"


async def test_an_engine_that_fails_later_is_an_error_in_the_stream() -> None:
    async with scripted(["It ", EngineError("out of memory")], ["Yes."]) as (client, engine):
        chunks = await client.lines("/api/chat", model=STOCK, messages=[USER])
        engine.running = False
        after = await client.chat()
    assert chunks[0]["message"]["content"] == "It "
    assert chunks[1:] == [{"error": "out of memory"}]
    # What crashed is loaded again.
    assert after["message"]["content"] == "Yes."
    assert len(engine.loads) == 2


class CutOff(ScriptedEngine):
    """Ends without an end."""

    async def generate(self, *_: Any) -> AsyncGenerator[str | Finished]:
        """Write one word."""
        yield "It "


@pytest.mark.parametrize("stream", [True, False])
async def test_an_engine_that_just_ends_is_an_error(stream: bool) -> None:
    body = {"model": STOCK, "messages": [USER], "stream": stream}
    async with (
        serve(CutOff()) as url,
        aiohttp.ClientSession() as session,
        session.post(f"{url}/api/chat", json=body) as response,
    ):
        last = json.loads((await response.text()).splitlines()[-1])
    assert last == {"error": "unexpected end of the model's answer"}


async def test_an_unknown_path_or_method_is_refused() -> None:
    async with scripted() as (client, _):
        async with client.session.get(f"{client.url}/api/nothing") as response:
            assert (response.status, await response.text()) == (404, "404 page not found")
        async with client.session.get(f"{client.url}/api/chat") as response:
            assert response.status == 405


async def test_only_this_machine_is_served() -> None:
    with pytest.raises(ValueError, match=r"0\.0\.0\.0 is not a loopback address"):
        async with serve(ScriptedEngine(), host="0.0.0.0"):
            pass
    async with (
        scripted() as (client, _),
        client.session.get(client.url, headers={"Host": "evil.example"}) as response,
    ):
        assert response.status == 403


# One model, one request at a time


async def test_a_client_that_goes_away_stops_the_model_and_the_next_one_is_served() -> None:
    never = asyncio.Event()
    body = {"model": STOCK, "messages": [USER]}
    async with scripted(["Once ", never], ["Yes."]) as (client, engine):
        async with client.session.post(f"{client.url}/api/chat", json=body) as response:
            await response.content.readline()
        assert (await client.chat())["message"]["content"] == "Yes."
    assert engine.stopped == 1
    assert client.records[0].reason == "cancelled"
    assert client.records[0].raw == "Once "


async def test_requests_wait_for_their_turn() -> None:
    go = asyncio.Event()
    body = {"model": STOCK, "messages": [USER]}
    async with scripted(["first", go], ["second"]) as (client, engine):
        async with client.session.post(f"{client.url}/api/chat", json=body) as first:
            assert json.loads(await first.content.readline())["message"]["content"] == "first"
            second = asyncio.create_task(client.chat())
            # The server goes on answering what needs no model.
            assert await client.loaded() == [STOCK]
            assert len(engine.prompts) == 1
            go.set()
            assert json.loads(await first.content.readline())["done"]
        assert (await second)["message"]["content"] == "second"


async def test_empty_messages_load_and_unload() -> None:
    async with scripted() as (client, engine):
        load = await client.chat(messages=[])
        assert await client.loaded() == [STOCK]
        unload = await client.chat(messages=[], keep_alive=0)
        assert await client.loaded() == []
    assert (load["done_reason"], load["done"]) == ("load", True)
    assert (unload["done_reason"], unload["message"]["content"]) == ("unload", "")
    assert engine.loads == [("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", 4096)]


async def test_a_model_is_loaded_once_for_all_its_names_and_again_for_another_context() -> None:
    async with scripted() as (client, engine):
        await client.chat()
        await client.chat(model=BRACKETS)
        assert await client.loaded() == [BRACKETS]
        await client.chat(options={"num_ctx": 8192})
        await client.chat(options={"num_ctx": 1_000_000})
        (shown,) = (await client.get("/api/ps"))["models"]
    assert [context for _, context in engine.loads] == [4096, 8192, 32768]
    assert shown["context_length"] == 32768


@pytest.mark.parametrize("keep_alive", [0, "0", "0s"])
async def test_keep_alive_zero_unloads_after_the_answer(keep_alive: Any) -> None:
    async with scripted(["Hi."]) as (client, _):
        assert (await client.chat(keep_alive=keep_alive))["message"]["content"] == "Hi."
        assert await client.loaded() == []


@pytest.mark.parametrize("keep_alive", [0.05, "50ms", "0.05s"])
async def test_a_model_is_unloaded_when_its_time_is_over(keep_alive: Any) -> None:
    async with scripted() as (client, engine):
        await client.chat(keep_alive=keep_alive)
        async with asyncio.timeout(5):
            while await client.loaded():
                pass
    assert not engine.running


@pytest.mark.parametrize(
    ("keep_alive", "seconds"), [(None, 300), ("1h30m", 5400), (20, 20), (-1, 9e9), ("-1m", 9e9)]
)
async def test_ps_says_how_long_a_model_stays(keep_alive: Any, seconds: float) -> None:
    async with scripted() as (client, _):
        await client.chat(keep_alive=keep_alive)
        (shown,) = (await ollama.AsyncClient(client.url).ps()).models
    assert shown.expires_at
    assert shown.model == STOCK
    left = shown.expires_at - datetime.now(UTC)
    assert left.total_seconds() == pytest.approx(seconds, rel=0.05)


async def test_ollamas_own_client_understands_everything() -> None:
    async with scripted(["It "], [f"[tool_call]\n{CALL}"]) as (client, _):
        own = ollama.AsyncClient(client.url)
        listed = [model.model for model in (await own.list()).models]
        shown = await own.show(BRACKETS)
        text = [part async for part in await own.chat(STOCK, [USER], stream=True)]
        called = await own.chat(BRACKETS, [USER], tools=[LIGHT])
        with pytest.raises(ollama.ResponseError, match="model 'x' not found") as refused:
            await own.chat("x", [USER])
        assert await client.get("/api/version") == {"version": "0.12.10"}
        async with client.session.get(client.url) as response:
            assert await response.text() == "Ollama is running"
    assert listed == [model.name for model in MODELS]
    assert shown.capabilities == ["completion", "tools", "insert"]
    assert shown.modelinfo is not None
    assert shown.modelinfo["qwen2.context_length"] == 32768
    assert shown.template is not None
    assert "[tool_call]" in shown.template
    assert shown.details is not None
    assert shown.details.parameter_size == "1.5B"
    assert [part.message.content for part in text] == ["It ", ""]
    assert called.message.tool_calls is not None
    assert called.message.tool_calls[0].function.arguments == {"name": "Lamp {1}"}
    assert refused.value.status_code == 404


# Pulling


class SlowStore:
    """A store that gets a file in two steps, or fails."""

    def __init__(self, error: str = "") -> None:
        """Fail with `error` after the first step, if there is one."""
        self._there = False
        self._error = error

    def path(self, weights: Weights) -> Path | None:
        """Return a path once the file was fetched."""
        return Path(weights.file) if self._there else None

    async def fetch(self, weights: Weights) -> AsyncGenerator[Progress]:
        """Take two steps."""
        yield Progress("pulling", 1000, weights.size)
        if self._error:
            raise FetchError(self._error)
        self._there = True
        yield Progress("done", weights.size, weights.size)


async def test_a_model_that_is_not_there_can_be_pulled() -> None:
    async with scripted(["Hi."], store=SlowStore()) as (client, _):
        assert (await client.get("/api/tags")) == {"models": []}
        assert (await client.post("/api/chat", {"model": SMALL, "messages": []}))[0] == 404
        steps = await client.lines("/api/pull", model=SMALL)
        assert (await client.chat(model=SMALL))["message"]["content"] == "Hi."
    size, digest = QWEN_CODER_0_5B.size, QWEN_CODER_0_5B.sha256
    layer = {"status": f"pulling {digest[:12]}", "digest": f"sha256:{digest}", "total": size}
    assert steps == [
        {"status": "pulling manifest"},
        {**layer, "completed": 1000},
        {**layer, "completed": size},
        {"status": "verifying sha256 digest"},
        {"status": "writing manifest"},
        {"status": "success"},
    ]


async def test_an_unknown_model_cannot_be_pulled() -> None:
    error = {"error": "pull model manifest: file does not exist"}
    async with scripted() as (client, _):
        assert await client.lines("/api/pull", model="x") == [{"status": "pulling manifest"}, error]
        assert await client.post("/api/pull", {"model": "x", "stream": False}) == (500, error)
        done = await client.post("/api/pull", {"model": STOCK, "stream": False})
    assert done == (200, {"status": "success"})


async def test_a_pull_that_fails_says_why() -> None:
    async with scripted(store=SlowStore(error="no space left")) as (client, _):
        steps = await client.lines("/api/pull", model=STOCK)
    assert steps[-1] == {"error": "no space left"}
