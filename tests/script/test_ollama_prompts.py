"""What a model reads: a conversation as Ollama's templates render it, cut where it is too long."""

from typing import Any

import pytest

from tests.script.ollama_client import GEMMA, LIGHT, STOCK, USER, scripted


async def test_a_conversation_is_rendered_as_by_ollamas_template() -> None:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You run a house."},
        USER,
        {
            "role": "assistant",
            "tool_calls": [{"function": {"name": "HassTurnOn", "arguments": {"b": 1, "a": "<"}}}],
        },
        {"role": "tool", "content": "ok", "tool_name": "HassTurnOn"},
        {"role": "assistant", "content": "It is on."},
        {"role": "user", "content": "Thanks."},
        {"role": "user", "content": "Bye."},
    ]
    async with scripted() as (client, engine):
        await client.chat(*messages, tools=[LIGHT])
    assert engine.prompts == [
        """<|im_start|>system
You run a house.

# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools>:
<tools>
{"type": "function", "function": {"name":"HassTurnOn","description":"Turns on \\u003ca\\u003e \
device","parameters":{"type":"object","required":["name"],"properties":{"area":{"anyOf":\
[{"type":"string"},{"type":"null"}]},"name":{"type":"string"}}}}}
</tools>

For each function call, return a json object with function name and arguments within \
<tool_call></tool_call> with NO other text. Do not include any backticks or ```json.
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call><|im_end|>
<|im_start|>user
Turn on the lamp<|im_end|>
<|im_start|>assistant
<tool_call>
{"name": "HassTurnOn", "arguments": {"a":"\\u003c","b":1}}
</tool_call><|im_end|>
<|im_start|>user
<tool_response>
ok
</tool_response><|im_end|>
<|im_start|>assistant
It is on.<|im_end|>
<|im_start|>user
Thanks.

Bye.<|im_end|>
<|im_start|>assistant
"""
    ]


async def test_an_answer_that_was_begun_is_gone_on_with() -> None:
    async with scripted() as (client, engine):
        await client.chat(USER, {"role": "assistant", "content": "The lamp"})
    assert engine.prompts[0].startswith("<|im_start|>system\nYou are Qwen, created by Alibaba")
    assert engine.prompts[0].endswith("<|im_start|>assistant\nThe lamp")


def conversation() -> list[dict[str, Any]]:
    """A system message, two questions with answers, and a call with its result at the end."""
    return [
        {"role": "system", "content": "House."},
        {"role": "user", "content": "first " * 30},
        {"role": "assistant", "content": "second " * 30},
        {"role": "user", "content": "third " * 30},
        {
            "role": "assistant",
            "tool_calls": [{"function": {"name": "HassTurnOn", "arguments": {"name": "Lamp"}}}],
        },
        {"role": "tool", "content": "fourth " * 30},
    ]


@pytest.mark.parametrize(
    ("context", "kept", "dropped"),
    [
        (200, ["House.", "first", "second", "third", "fourth"], []),
        (120, ["House.", "second", "third", "fourth"], ["first"]),
        (90, ["House.", "third", "HassTurnOn", "fourth"], ["first", "second"]),
        (60, ["House.", "HassTurnOn", "fourth"], ["first", "second", "third"]),
    ],
)
async def test_the_oldest_messages_go_when_the_context_is_short(
    context: int, kept: list[str], dropped: list[str]
) -> None:
    async with scripted() as (client, engine):
        await client.chat(*conversation(), options={"num_ctx": context})
    assert [word for word in kept + dropped if word in engine.prompts[0]] == kept


async def test_a_tools_result_never_stands_without_its_call() -> None:
    arguments = {"name": "Lamp " * 30}
    call = {"function": {"name": "HassTurnOn", "arguments": arguments}}
    result = {"role": "tool", "content": "on"}
    async with scripted() as (client, engine):
        asked = {"role": "assistant", "tool_calls": [call, call]}
        answer = await client.chat(USER, asked, result, result, options={"num_ctx": 60})
    # What cannot be dropped is cut, although the results alone would fit.
    assert answer["prompt_eval_count"] == 59
    assert "Lamp Lamp" in engine.prompts[0]


async def test_a_last_message_that_is_too_long_loses_its_beginning() -> None:
    long = {"role": "user", "content": " ".join(f"word{n}" for n in range(200))}
    async with scripted() as (client, engine):
        answer = await client.chat(long, options={"num_ctx": 50})
    assert answer["prompt_eval_count"] == 49
    assert engine.prompts[0].startswith("<|im_start|>system\nYou are Qwen,")
    assert "word199<|im_end|>\n<|im_start|>assistant\n" in engine.prompts[0]
    assert "word100" not in engine.prompts[0]


async def test_a_conversation_that_is_too_long_is_refused_where_it_may_not_be_cut() -> None:
    body = {
        "model": STOCK,
        "messages": conversation(),
        "truncate": False,
        "options": {"num_ctx": 100},
    }
    async with scripted() as (client, engine):
        status, answer = await client.post("/api/chat", body)
    assert (status, answer) == (400, {"error": "the input length exceeds the context length"})
    assert engine.prompts == []


async def test_gemma_reads_its_own_template_and_has_no_tools() -> None:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You run a house."},
        USER,
        {"role": "assistant", "content": "It is on."},
        {"role": "user", "content": "Thanks."},
    ]
    async with scripted() as (client, engine):
        await client.chat(*messages, model=GEMMA)
        await client.chat(USER, {"role": "assistant", "content": "The"}, model=GEMMA)
        shown = (await client.post("/api/show", {"model": GEMMA}))[1]
    assert engine.prompts == [
        """<bos><start_of_turn>user
You run a house.<end_of_turn>
<start_of_turn>user
Turn on the lamp<end_of_turn>
<start_of_turn>model
It is on.<end_of_turn>
<start_of_turn>user
Thanks.<end_of_turn>
<start_of_turn>model
""",
        "<bos><start_of_turn>user\nTurn on the lamp<end_of_turn>\n<start_of_turn>model\nThe",
    ]
    assert shown["capabilities"] == ["completion"]
    assert shown["details"]["family"] == "gemma3"
    assert "<start_of_turn>" in shown["template"]
