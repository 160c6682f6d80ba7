"""What is asked of a server: as it can, once less where it refuses, and never the same in vain."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
import json
from pathlib import Path
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import probatio
import pytest

from custom_components.voice_gateway.json_schema import each_schema
from custom_components.voice_gateway.models.api_server import SlotUser
from custom_components.voice_gateway.models.client import Completion, ModelError, Reason
from custom_components.voice_gateway.models.history import HAS_TO_ANSWER
from custom_components.voice_gateway.models.openai.capabilities import (
    OpenAICapabilities,
    SchemaMode,
    strict,
)
from custom_components.voice_gateway.models.openai.server import Slots
from tests.openai import MODEL, PlayedOpenAI, call, calls, end, error, of_kind, says, text, thought

from .model import SAID, TOOLS, client, read, tools

LLAMA = {"id": MODEL, "owned_by": "llamacpp", "meta": {"n_ctx": 4096}}
PROPS = {"total_slots": 2, "default_generation_settings": {"n_ctx": 4096}}
SCHEMA = {
    "type": "object",
    "properties": {
        "animal": {"type": "string"},
        "legs": {"type": "integer"},
        "food": {"type": "array", "items": {"type": "object", "properties": {"name": {}}}},
    },
    "required": ["animal"],
}
NO_JINJA = "tools param requires --jinja flag"
NO_PARSER = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
NO_SUPPORT = "No endpoints found that support tool use."
COMMON = {"model", "messages", "stream", "temperature", "max_tokens", "tools", "tool_choice"}


def own(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a request has beside model, messages and tools."""
    return {key: body[key] for key in body if key not in ("model", "messages", "tools", "stream")}


KINDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "vllm": (
        {"owned_by": "vllm"},
        {
            "temperature": 0,
            "max_tokens": 3000,
            "stream_options": {"include_usage": True},
            "chat_template_kwargs": {
                "enable_thinking": False,
                "thinking": False,
                "reasoning_effort": "low",
            },
        },
    ),
    "llamacpp": (
        {"owned_by": "llamacpp"},
        {
            "temperature": 0,
            "max_tokens": 1024,
            "stream_options": {"include_usage": True},
            "parallel_tool_calls": True,
            "id_slot": 0,
            "chat_template_kwargs": {
                "enable_thinking": False,
                "thinking": False,
                "reasoning_effort": "low",
            },
        },
    ),
    "library": (
        {"owned_by": "library"},
        {
            "temperature": 0,
            "max_tokens": 3000,
            "stream_options": {"include_usage": True},
            "reasoning_effort": "none",
        },
    ),
}


async def test_each_kind_is_asked_in_its_own_words(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    for owner, (info, wanted) in KINDS.items():
        of_kind(openai, [{"id": MODEL, **info}], {"/props": PROPS} if owner == "llamacpp" else {})
        await read(client(hass, openai))
        assert own(openai.chats[-1]) == wanted, owner
        (system, user) = openai.chats[-1]["messages"]
        assert (system["role"], user) == ("system", {"role": "user", "content": "Turn on the lamp"})
    await read(client(hass, openai, think=True))
    assert openai.chats[-1]["reasoning_effort"] == "medium"


async def test_what_is_refused_by_name_is_left_out_and_remembered(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    openai.takes = COMMON
    model = client(hass, openai)
    assert (await read(model))[0] == "OK."
    tries = len(openai.chats)
    assert tries > 1
    assert own(openai.chats[-1]) == {"temperature": 0, "max_tokens": 3000}
    await read(replace(model))
    assert len(openai.chats) == tries + 1
    assert model.server.learned()[MODEL] == ["chat_template_kwargs", "stream_options"]


# What servers say, and what of the next request is another than before.
LESSONS: dict[str, tuple[Any, dict[str, Any]]] = {
    "OpenAI: other name of the limit": (
        error(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
            " 'max_completion_tokens' instead.",
            param="max_tokens",
        ),
        {"max_tokens": None, "max_completion_tokens": 3000},
    ),
    "OpenAI: a temperature that a model does not take": (
        error(400, "Unsupported value: 'temperature' does not support 0", param="temperature"),
        {"temperature": None},
    ),
    "LiteLLM: its own words": (
        error(400, "openai does not support parameters: ['chat_template_kwargs'], for model=x"),
        {"chat_template_kwargs": None},
    ),
    "a validator that names nothing": (
        error(422, "Extra inputs are not permitted"),
        {"chat_template_kwargs": None, "stream_options": None},
    ),
    "Gemma's template": (
        error(500, "Jinja exception: System role not supported"),
        {"messages": [{"role": "user", "content": "Be kind.\n\nTurn on the lamp"}]},
    ),
}


async def test_a_refusal_teaches_one_thing(hass: HomeAssistant, openai: PlayedOpenAI) -> None:
    for name, (refusal, changed) in LESSONS.items():
        openai.chats.clear()
        openai.script = [refusal, says("Done.")]
        assert (await read(client(hass, openai)))[0] == "Done.", name
        first, second = openai.chats
        other = {key for key in first | second if first.get(key) != second.get(key)}
        assert {key: second.get(key) for key in other} == changed, name


async def test_what_cannot_be_mended_is_asked_for_no_more_often_than_there_are_fields(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    for words in ("temperature", "schema", "No.", " ".join(sorted(COMMON))):
        openai.chats.clear()
        openai.script = [error(400, words) for _ in range(30)]
        with pytest.raises(ModelError) as caught:
            await read(client(hass, openai), structure=SCHEMA, offered=None)
        assert caught.value.reason is Reason.SERVER_ERROR
        assert len(openai.chats) <= 8


# Tools


async def test_model_whose_server_has_no_tools_is_told_of_them_in_its_prompt(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    for words, begins in (
        (NO_JINJA, "system"),
        (NO_PARSER, "system"),
        (NO_SUPPORT, "system"),
        (NO_SUPPORT, "user"),
    ):
        openai.chats.clear()
        no_system = [error(500, "System role not supported")] if begins == "user" else []
        openai.script = [error(500, words), *no_system, says('{"say": "Hel', 'lo."}')]
        model = client(hass, openai)
        assert (await read(model))[0] == "Hello.", words
        asked = openai.chats[-1]
        assert "tools" not in asked
        assert asked["messages"][0]["role"] == begins
        assert "HassTurnOn(" in asked["messages"][0]["content"]
        assert asked["response_format"]["type"] == "json_schema"
        # It is known from then on.
        openai.answers(says('{"say": "Hello."}'))
        await read(model)
        assert "tools" not in openai.chats[-1]


async def test_schema_that_a_server_makes_no_grammar_of_is_said_in_plain_words(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    schema = probatio.Schema({probatio.Required("level"): probatio.All(int, probatio.Range(0, 9))})
    offered = tools("dim")
    offered.tools[0].parameters = schema
    model = client(hass, openai)
    openai.answers(error(400, "failed to parse grammar"), says("Done."))
    assert (await read(model, offered=offered))[0] == "Done."
    first, second = (body["tools"][0]["function"]["parameters"] for body in openai.chats)
    assert first["properties"]["level"] == {"type": "integer", "minimum": 0, "maximum": 9}
    assert second == {**first, "properties": {"level": {"type": "integer"}}}


async def test_names_that_no_server_takes_are_written_otherwise(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    odd = tools("light.turn_on", "a" * 80)
    await read(client(hass, openai), offered=odd)
    shown = [tool["function"]["name"] for tool in openai.chats[-1]["tools"]]
    assert all(len(name) <= 64 for name in shown)
    openai.script = [calls(*(call(name, index=at) for at, name in enumerate(shown)))]
    _, called, _ = await read(client(hass, openai), offered=odd)
    assert [name for name, _ in called] == ["light.turn_on", "a" * 80]


async def test_model_that_has_to_answer_is_shown_its_tools_and_calls_none(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    made = llm.ToolInput("HassTurnOn", {"name": "Lämp"})
    content = [
        *SAID,
        conversation.AssistantContent(
            agent_id="a", content=None, tool_calls=[made], thinking_content="Light."
        ),
        conversation.ToolResultContent(
            agent_id="a",
            tool_call_id=made.id,
            tool_name="HassTurnOn",
            result=llm.ToolResult(data={"result": "On"}),
        ),
    ]
    model = client(hass, openai)
    openai.answers([*thought("Hm."), *text("Hm"), *end()])
    await read(model)
    await read(model, content, None)
    asked = openai.chats[-1]
    assert asked["tool_choice"] == "none"
    assert asked["tools"] == openai.chats[0]["tools"]
    *_, called, result, note = asked["messages"]
    assert json.loads(called["tool_calls"][0]["function"]["arguments"]) == {"name": "Lämp"}
    # A model that gave its thinking in a field is given it back within the turn.
    assert called["reasoning_content"] == "Light."
    assert result == {
        "role": "tool",
        "tool_call_id": called["tool_calls"][0]["id"],
        "content": "On",
    }
    assert note == {"role": "user", "content": HAS_TO_ANSWER}


# Structures


async def test_structure_is_held_to_as_strictly_as_the_server_can(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    refused = error(400, "Invalid schema for response_format 'answer'", param="response_format")
    model = client(hass, openai)
    openai.answers(refused, refused, refused, says("{}"))
    assert (await read(model, offered=None, structure=SCHEMA))[0] == "{}"
    held = [body.get("response_format", {}) for body in openai.chats]
    assert [each.get("type") for each in held] == ["json_schema"] * 2 + ["json_object", None]
    assert held[0]["json_schema"] == {"name": "answer", "strict": True, "schema": SCHEMA}
    # Of this structure it is known, of another one it is not.
    await read(model, offered=None, structure=SCHEMA)
    assert "response_format" not in openai.chats[-1]
    await read(model, offered=None, structure={**SCHEMA, "title": "Other"})
    assert openai.chats[-1]["response_format"]["json_schema"]["strict"] is True


def test_a_strict_schema_requires_all_that_it_has() -> None:
    assert each_schema(SCHEMA, strict) == {
        "type": "object",
        "properties": {
            "animal": {"type": "string"},
            "legs": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "food": {
                "anyOf": [
                    {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {"name": {"anyOf": [{}, {"type": "null"}]}},
                            "required": ["name"],
                            "additionalProperties": False,
                        },
                    },
                    {"type": "null"},
                ]
            },
        },
        "required": ["animal", "legs", "food"],
        "additionalProperties": False,
    }
    assert OpenAICapabilities().held_to(SCHEMA) is SchemaMode.STRICT


# The context


async def test_context_that_turns_out_too_short_costs_the_oldest_turns(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    """With servers that tell how long it is, and with those that do not."""
    earlier: list[conversation.Content] = [SAID[0]]
    for number in range(6):
        earlier.append(conversation.UserContent(content=f"Tell me story {number}"))
        earlier.append(conversation.AssistantContent(agent_id="a", content="Once " * 200))
    content = [*earlier, SAID[1]]
    too_long = error(400, "context_length_exceeded", n_ctx=1500, n_prompt_tokens=2000)
    for info in ({"owned_by": "me"}, {"owned_by": "vllm", "max_model_len": 4000}):
        of_kind(openai, [{"id": MODEL, **info}])
        for refusal in (too_long, error(400, "maximum context length")):
            openai.chats.clear()
            openai.answers(refusal, says("Done."))
            assert (await read(client(hass, openai), content))[0] == "Done."
            first, *_, last = openai.chats
            assert len(last["messages"]) < len(first["messages"])
            assert last["messages"][0] == first["messages"][0]
            assert last["messages"][-1] == first["messages"][-1]
            openai.script.clear()


async def test_context_that_is_known_is_kept_to(hass: HomeAssistant, openai: PlayedOpenAI) -> None:
    of_kind(openai, [{"id": MODEL, "owned_by": "vllm", "max_model_len": 100}])
    with pytest.raises(ModelError) as caught:
        await read(client(hass, openai), [conversation.SystemContent(content="x" * 900), SAID[1]])
    assert caught.value.reason is Reason.CONTEXT_EXCEEDED
    assert not openai.chats


# Pictures


def picture(path: Path) -> conversation.UserContent:
    path.write_bytes(b"pixels")
    attachment = conversation.Attachment(media_content_id="media", mime_type="image/png", path=path)
    return conversation.UserContent(content="What is it?", attachments=[attachment])


async def test_picture_is_shown_and_one_that_cannot_be_seen_is_told(
    hass: HomeAssistant, openai: PlayedOpenAI, tmp_path: Path
) -> None:
    content = [SAID[0], picture(tmp_path / "door.png")]
    model = client(hass, openai)
    await read(model, [conversation.SystemContent(content="word " * 300), content[1]], None)
    # What a picture takes is not taken for what words take.
    assert (await model.server.known(MODEL)).tokens.per_byte is None
    await read(model, content, None)
    words, shown = openai.chats[-1]["messages"][1]["content"]
    assert words == {"type": "text", "text": "What is it?"}
    assert shown["image_url"] == {"url": "data:image/png;base64,cGl4ZWxz"}
    assert await model.sees()
    openai.answers(error(500, "image input is not supported - hint: you may need the mmproj"))
    with pytest.raises(ModelError) as caught:
        await read(model, content, None)
    assert caught.value.reason is Reason.ATTACHMENT
    assert caught.value.translation_placeholders == {"model": MODEL, "mime_type": "image/png"}
    assert not await model.sees()


# Slots


async def test_everybody_has_a_slot_of_their_own(hass: HomeAssistant, openai: PlayedOpenAI) -> None:
    of_kind(openai, [LLAMA], {"/props": PROPS})
    first = client(hass, openai)
    second = replace(first, seat=SlotUser())
    for model in (first, second, first, second, first):
        await read(model)
    assert [body["id_slot"] for body in openai.chats] == [0, 1, 0, 1, 0]
    # What was read beforehand is read where the sentence will be answered.
    await first.read(SAID[0], TOOLS)
    await second.read(SAID[0], TOOLS)
    assert [body["id_slot"] for body in openai.reads] == [0, 1]
    assert openai.reads[0]["tools"] == openai.chats[0]["tools"]


async def test_no_more_is_asked_at_once_than_there_are_slots(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    of_kind(openai, [LLAMA], {"/props": PROPS})
    model = client(hass, openai)
    go_on = asyncio.Event()
    openai.answers(*([*text("A"), go_on, *end()] for _ in range(6)))
    asking = [asyncio.create_task(read(model)) for _ in range(6)]
    while len(openai.chats) < 2:  # noqa: ASYNC110 - the stand-in has no event for it
        await asyncio.sleep(0)
    go_on.set()
    assert [said for said, *_ in await asyncio.gather(*asking)] == ["A"] * 6
    assert openai.at_once == 2
    # A second sentence to the same agent need not wait for the first one's slot.
    assert {body["id_slot"] for body in openai.chats} == {0, 1}


async def test_a_slot_that_is_given_up_is_free() -> None:
    slots = Slots(1)

    async def give_up() -> None:
        async with slots.one(SlotUser()) as slot:
            assert slot == 0
            raise KeyError

    for _ in range(3):
        with pytest.raises(KeyError):
            await give_up()


async def test_prompt_is_read_beforehand_where_that_is_free_or_wanted(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    for owner, warms_up, reads in (("vllm", False, 1), ("me", False, 0), ("me", True, 1)):
        openai.reads.clear()
        of_kind(openai, [{"id": MODEL, "owned_by": owner}])
        await client(hass, openai, warm_up=warms_up).read(SAID[0], TOOLS)
        assert len(openai.reads) == reads
    assert openai.reads[0]["max_tokens"] == 1


async def test_prefix_of_a_request_stays_as_it_was(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    model = client(hass, openai)
    for completion in (Completion(), Completion()):
        await read(model, completion=completion)
    await model.read(SAID[0], TOOLS)
    first, second, read_before = *openai.chats, *openai.reads
    assert json.dumps(first) == json.dumps(second)
    assert read_before["messages"][0] == first["messages"][0]
    assert read_before["tools"] == first["tools"]


async def test_connection_is_used_again(hass: HomeAssistant, openai: PlayedOpenAI) -> None:
    """To a server in the cloud, another one takes a fifth of a second."""
    model = client(hass, openai)
    for _ in range(4):
        await read(model)
    assert len(openai.peers) == 1
