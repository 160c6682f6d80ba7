"""Streams as servers write them, each from its documentation or recorded: what is said and called."""

from dataclasses import replace
import json
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.models.client import Completion, ModelError, Reason
from custom_components.voice_gateway.models.openai.client import OpenAIClient
from tests.openai import DONE, PlayedOpenAI, chunk, end, event, says, text, thought
from tests.rows import rows

from .model import Calls, client, read

ON = ("HassTurnOn", {"name": "Lamp"})
OFF = ("HassTurnOff", {"area": "Hall"})
NOW: tuple[str, dict[str, Any]] = ("GetDateTime", {})


def piece(**values: Any) -> bytes:
    """Return a chunk with a piece of a call; `name` and `arguments` are the function's."""
    function = {key: values.pop(key) for key in ("name", "arguments") if key in values}
    return chunk({"tool_calls": [{**values, "function": function}]})


ON_JSON, OFF_JSON = json.dumps(ON[1]), json.dumps(OFF[1])

STREAMS: dict[str, tuple[list[Any], tuple[str, Calls, str]]] = {
    # https://platform.openai.com/docs/api-reference/chat-streaming
    "OpenAI: arguments in pieces, ids at the beginning": (
        [
            chunk({"role": "assistant", "content": None, "refusal": None}),
            piece(index=0, id="call_a", type="function", name="HassTurnOn", arguments=""),
            *(piece(index=0, arguments=part) for part in ('{"', "name", '":"', "Lamp", '"}')),
            piece(index=1, id="call_b", type="function", name="HassTurnOff", arguments=""),
            *(piece(index=1, arguments=part) for part in ('{"area":', '"Hall"}')),
            *end("tool_calls"),
        ],
        ("", [ON, OFF], ""),
    ),
    # Recorded from llama.cpp b11549; tests/server/unit/test_tool_call.py has the calls.
    "llama.cpp: text before, arguments letter by letter, counts in a chunk without choices": (
        [
            chunk({"role": "assistant", "content": None}),
            chunk({"content": "One "}),
            chunk({"content": "moment."}),
            piece(index=0, id="wiLAbMjfl9", type="function", name="HassTurnOn", arguments="{"),
            *(piece(index=0, arguments=letter) for letter in ON_JSON[1:]),
            chunk({}, "tool_calls"),
            chunk(
                usage={
                    "completion_tokens": 19,
                    "prompt_tokens": 158,
                    "total_tokens": 177,
                    "prompt_tokens_details": {"cached_tokens": 120},
                },
                timings={"cache_n": 120, "prompt_n": 38, "prompt_ms": 10.5, "predicted_n": 19},
            ),
            DONE,
        ],
        ("One moment.", [ON], ""),
    ),
    # https://docs.vllm.ai/en/latest/features/tool_calling.html, and …/reasoning_outputs.html
    "vLLM: thinking as `reasoning`, name alone, usage null": (
        [
            chunk({"role": "assistant", "content": ""}, usage=None),
            *thought("The user ", "wants light.", name="reasoning"),
            piece(id="chatcmpl-tool-1", type="function", index=0, name="HassTurnOn"),
            piece(index=0, arguments=ON_JSON[:8]),
            piece(index=0, arguments=ON_JSON[8:]),
            chunk({"content": ""}, "tool_calls", stop_reason=None),
            DONE,
        ],
        ("", [ON], "The user wants light."),
    ),
    # https://docs.sglang.ai/advanced_features/tool_parser.html
    "SGLang: whole calls, nulls for what there is not": (
        [
            chunk({"role": "assistant", "content": "", "tool_calls": None}),
            chunk({"reasoning_content": "Light.", "content": None, "tool_calls": None}),
            piece(index=0, id="call_1", name="HassTurnOn", arguments=ON_JSON),
            piece(index=1, id="call_2", name="HassTurnOff", arguments=OFF_JSON),
            chunk({"content": None}, "tool_calls", matched_stop=None),
            DONE,
        ],
        ("", [ON, OFF], "Light."),
    ),
    # https://lmstudio.ai/docs/developer/openai-compat/tools, "Streaming"
    "LM Studio: id and type in the first piece, `stop` at the end": (
        [
            piece(index=0, id="291363218", type="function", name="HassTurnOn", arguments=""),
            piece(index=0, arguments=ON_JSON),
            chunk({}, "stop"),
            DONE,
        ],
        ("", [ON], ""),
    ),
    # https://localai.io/features/openai-functions/
    "LocalAI: all calls in one chunk, the name in each piece": (
        [
            chunk(
                {
                    "tool_calls": [
                        {"index": 0, "id": "u1", "function": {"name": "HassTurnOn"}},
                        {"index": 1, "id": "u2", "function": {"name": "HassTurnOff"}},
                    ]
                }
            ),
            piece(index=0, id="u1", name="HassTurnOn", arguments=ON_JSON[:5]),
            piece(index=1, id="u2", name="HassTurnOff", arguments=OFF_JSON[:5]),
            piece(index=0, id="u1", name="HassTurnOn", arguments=ON_JSON[5:]),
            piece(index=1, id="u2", name="HassTurnOff", arguments=OFF_JSON[5:]),
            *end("tool_calls"),
        ],
        ("", [ON, OFF], ""),
    ),
    # https://docs.ollama.com/api/openai-compatibility: up to 0.5 all calls had the index 0
    "Ollama: whole calls, all with the index 0": (
        [
            piece(index=0, id="call_x", type="function", name="HassTurnOn", arguments=ON_JSON),
            piece(index=0, id="call_y", type="function", name="HassTurnOff", arguments=OFF_JSON),
            *end("tool_calls"),
        ],
        ("", [ON, OFF], ""),
    ),
    # https://openrouter.ai/docs/api-reference/streaming, and …/use-cases/reasoning-tokens
    "OpenRouter: comments between, thinking twice over": (
        [
            b": OPENROUTER PROCESSING\n\n",
            chunk({"reasoning": "Hm.", "reasoning_details": [{"type": "reasoning.text"}]}),
            b": OPENROUTER PROCESSING\n\n",
            *text("It is ", "on."),
            *end(),
        ],
        ("It is on.", [], "Hm."),
    ),
    "thinking under both of its names": (
        [chunk({"reasoning": "Hm.", "reasoning_content": "Hm."}), *says("It is on.")],
        ("It is on.", [], "Hm."),
    ),
    # https://docs.mistral.ai/capabilities/reasoning/
    "Mistral: text in parts": (
        [
            chunk({"content": [{"type": "thinking", "thinking": [{"text": "Hm."}]}]}),
            chunk({"content": [{"type": "text", "text": "It is on."}]}),
            *end(),
        ],
        ("It is on.", [], "Hm."),
    ),
    # https://ai.google.dev/gemini-api/docs/openai
    "Gemini: no index": (
        [
            piece(id="", type="function", name="HassTurnOn", arguments=ON_JSON),
            piece(id="", type="function", name="HassTurnOn", arguments=OFF_JSON),
            *end(),
        ],
        ("", [ON, ("HassTurnOn", OFF[1])], ""),
    ),
    "no ids, no index, one without arguments": (
        [piece(name="GetDateTime", arguments=""), piece(name=ON[0], arguments=ON_JSON), *end()],
        ("", [NOW, ON], ""),
    ),
    "no ids, no index, one without arguments, the next one in pieces": (
        [
            piece(name="GetDateTime", arguments=""),
            piece(name=ON[0], arguments=ON_JSON[:5]),
            piece(arguments=ON_JSON[5:]),
            *end(),
        ],
        ("", [NOW, ON], ""),
    ),
    "pieces that only their ids tell apart": (
        [
            piece(index=0, id="a", name=ON[0], arguments=""),
            piece(index=0, id="b", name=OFF[0], arguments=""),
            piece(index=0, id="a", arguments=ON_JSON),
            piece(index=0, id="b", arguments=OFF_JSON),
            *end(),
        ],
        ("", [ON, OFF], ""),
    ),
    "one call twice over, without index or arguments": (
        [piece(name="GetDateTime", arguments=""), piece(name="GetDateTime", arguments=""), *end()],
        ("", [NOW, NOW], ""),
    ),
    "whole calls of one tool, with one index and no ids": (
        [
            piece(index=0, name=ON[0], arguments=ON_JSON),
            piece(index=0, name=ON[0], arguments=OFF_JSON),
            *end(),
        ],
        ("", [ON, (ON[0], OFF[1])], ""),
    ),
    "a call of nothing": ([piece(index=0, id="a", arguments=ON_JSON), *says("OK")], ("OK", [], "")),
    "arguments as an object": (
        [piece(index=0, id="a", name="HassTurnOn", arguments=ON[1]), *end()],
        ("", [ON], ""),
    ),
    "arguments as Python writes them": (
        [piece(index=0, id="a", name="HassTurnOn", arguments="{'name': 'Lamp'}"), *end()],
        ("", [ON], ""),
    ),
    "two pieces of calls that are whole, then a break": (
        [piece(index=0, id="a", name="HassTurnOn", arguments=ON_JSON), piece(index=1, name="H")],
        ("", [ON], ""),
    ),
    "thinking within the text": (
        [*says("<think>Light.</think>", "It is on.")],
        ("It is on.", [], "Light."),
    ),
    "an id that comes after the name": (
        [
            piece(index=0, name="HassTurnOn", arguments=""),
            piece(index=0, id="a", arguments=ON_JSON),
            *end(),
        ],
        ("", [ON], ""),
    ),
    "lines that end with CR LF, no space after the colon": (
        [text("It is on.")[0].replace(b"data: ", b"data:").replace(b"\n", b"\r\n"), *end()],  # type: ignore[union-attr]
        ("It is on.", [], ""),
    ),
    "things that are none of the protocol's": (
        [event([]), event(5), event({"choices": "none"}), event({"choices": [None]}), *says("OK")],
        ("OK", [], ""),
    ),
}


@pytest.fixture
async def model(hass: HomeAssistant, openai: PlayedOpenAI) -> OpenAIClient:
    """A model of a server."""
    return client(hass, openai)


async def test_streams_of_many_servers_say_and_call_the_same(
    model: OpenAIClient, openai: PlayedOpenAI
) -> None:
    for name, (stream, expected) in STREAMS.items():
        openai.answers(stream)
        # A model that thinks in its text in one stream need not do so in the next one.
        assert await read(replace(model, server=model.server)) == expected, name


async def test_answer_that_comes_whole_is_read_too(
    model: OpenAIClient, openai: PlayedOpenAI
) -> None:
    """A proxy may know nothing of streams."""
    from aiohttp import web

    function = {"name": "HassTurnOn", "arguments": ON_JSON}
    message = {
        "role": "assistant",
        "content": "OK",
        "tool_calls": [{"id": "a", "function": function}],
    }
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    openai.answers(web.json_response({"choices": [choice], "usage": usage}))
    completion = Completion()
    assert await read(model, completion=completion) == ("OK", [ON], "")
    assert (completion.prompt_tokens, completion.finish_reason) == (7, "stop")


async def test_end_tells_reason_counts_and_seconds(
    model: OpenAIClient, openai: PlayedOpenAI
) -> None:
    openai.answers(
        STREAMS[
            "llama.cpp: text before, arguments letter by letter, counts in a chunk without choices"
        ][0]
    )
    completion = Completion()
    await read(model, completion=completion)
    assert completion == Completion("stop", 158, 120, 19, 32768, 0.0105)
    openai.answers([*text("It"), *end("length", prompt_tokens_details={"cached_tokens": 4})])
    completion = Completion()
    await read(model, completion=completion)
    assert completion == Completion("length", 10, 4, 1, 32768)


@rows("written", ['{"name": "La', "Lamp", "[1]"])
@rows("reason", ["tool_calls", "length"])
async def test_call_that_cannot_be_read_is_given_as_it_was_written(
    model: OpenAIClient, openai: PlayedOpenAI, written: str, reason: str
) -> None:
    """The tool refuses it, and the model reads why."""
    openai.answers([piece(index=0, id="a", name="HassTurnOn", arguments=written), *end(reason)])
    given = [1] if written == "[1]" else written
    assert await read(model) == ("", [("HassTurnOn", {"arguments": given})], "")


@pytest.mark.parametrize(
    "stream",
    [
        [chunk({"refusal": "I can't "}), chunk({"refusal": "help."}), *end()],
        [*text("It"), *end("content_filter")],
    ],
)
async def test_refusal_of_the_model_is_one(
    model: OpenAIClient, openai: PlayedOpenAI, stream: list[Any]
) -> None:
    openai.answers(stream)
    with pytest.raises(ModelError) as caught:
        await read(model)
    assert caught.value.reason is Reason.REFUSED


async def test_calls_without_end_are_given_up(model: OpenAIClient, openai: PlayedOpenAI) -> None:
    long = piece(index=0, arguments="a" * 60_000)
    openai.answers([piece(index=0, id="a", name="HassTurnOn"), *[long] * 6])
    with pytest.raises(ModelError) as caught:
        await read(model)
    assert caught.value.reason is Reason.CUT_SHORT
