"""A model of Anthropic's, over real HTTP: what is asked of it, and what becomes of its answers."""

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import probatio
import pytest

from custom_components.voice_gateway.json_schema import JsonSchema, serialize
from custom_components.voice_gateway.models.anthropic import server as module
from custom_components.voice_gateway.models.client import ModelError, Reason
from tests.anthropic import (
    MODEL,
    PlayedAnthropic,
    answer,
    call,
    calls,
    citation,
    error,
    model_info,
    says,
    search,
    text,
    thinking,
)
from tests.extra_tools import ExtraTool
from tests.rows import rows

from .model import HELLO, SYSTEM, Talk, api_instance, ask, called, client, lights, said

LIGHTS = probatio.Schema({probatio.Required("name"): str})
OLD: dict[str, Any] = {"thinking": ("enabled", "disabled"), "schemas": False}
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name"],
}


# Answers


@pytest.mark.requirement("J1")
async def test_text_passes_piece_by_piece(hass: HomeAssistant, anthropic: PlayedAnthropic) -> None:
    anthropic.answers(answer(text("It ", "is ", "warm."), text(" Very.")))
    deltas, completion = await ask(client(hass))
    assert deltas[0] == {"role": "assistant"}
    assert said(deltas) == ["It ", "is ", "warm.", " Very."]
    assert completion.finish_reason == "stop"


@pytest.mark.requirement("J5")
async def test_several_calls_of_a_message_each_with_its_own_id(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    first = call("turn_on", name="Lamp", brightness=40)
    second = call("list_all")
    anthropic.answers(answer(text("One moment."), first, second, stop="tool_use"))
    deltas, completion = await ask(client(hass))
    assert called(deltas) == [
        llm.ToolInput("turn_on", {"name": "Lamp", "brightness": 40}, first.start["id"]),
        llm.ToolInput("list_all", {}, second.start["id"]),
    ]
    assert completion.finish_reason == "stop"


async def test_what_was_read_and_written_is_counted(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    anthropic.answers(
        answer(
            text("Hi."),
            input_tokens=5,
            cache_creation_input_tokens=100,
            cache_read_input_tokens=2000,
            output_tokens=7,
        )
    )
    _, completion = await ask(client(hass))
    assert completion.prompt_tokens == 2105
    assert completion.cached_tokens == 2000
    assert completion.answer_tokens == 7


async def test_answer_that_gets_too_long_is_told_apart(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    anthropic.answers(answer(text("Once upon"), stop="max_tokens"))
    deltas, completion = await ask(client(hass))
    assert said(deltas) == ["Once upon"]
    assert completion.finish_reason == "length"


async def test_refusal_is_an_error_with_its_reason(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    anthropic.answers(answer(stop="refusal", refusal="This may be harmful."))
    with pytest.raises(ModelError) as caught:
        await ask(client(hass))
    assert caught.value.reason is Reason.REFUSED
    assert "This may be harmful." in caught.value.detail


async def test_full_context_is_an_error(hass: HomeAssistant, anthropic: PlayedAnthropic) -> None:
    anthropic.answers(answer(text("Well"), stop="model_context_window_exceeded"))
    with pytest.raises(ModelError) as caught:
        await ask(client(hass))
    assert caught.value.reason is Reason.CONTEXT_EXCEEDED


# Requests


@pytest.mark.requirement("E2")
@pytest.mark.requirement("E3")
async def test_tools_keep_their_schemas_and_their_order(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    schema = {
        "type": "object",
        "properties": {"deviceName": {"$ref": "#/$defs/name"}, "level": {"minimum": 0}},
        "$defs": {"name": {"type": "string", "minLength": 1}},
        "required": ["deviceName"],
    }
    tools = await api_instance(
        hass, lights(), ExtraTool("set", dict, parameters=JsonSchema(schema))
    )
    tools.custom_serializer = serialize
    await ask(client(hass), tools=tools)
    turn_on, other = anthropic.chats[0]["tools"]
    assert (turn_on["name"], turn_on["description"]) == ("turn_on", "Does something")
    assert turn_on["input_schema"]["properties"] == {"name": {"type": "string"}}
    assert other["input_schema"] == schema


async def test_schemas_that_the_api_refuses_are_said_in_simpler_words(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    refusal = "tools.0.custom.input_schema: JSON schema is invalid"
    anthropic.answers(error(400, "invalid_request_error", refusal), says("Hi."), says("Hi."))
    model = client(hass)
    odd = {
        "type": "object",
        "properties": {"name": {"type": "string", "pattern": "["}},
        "required": ["name"],
        "not": {"required": ["area"]},
    }
    tools = await api_instance(hass, ExtraTool("set", dict, parameters=JsonSchema(odd)))
    tools.custom_serializer = serialize
    for _ in range(2):
        deltas, _ = await ask(model, tools=tools)
        assert said(deltas) == ["Hi."]
    schemas = [chat["tools"][0]["input_schema"] for chat in anthropic.chats]
    assert schemas[0] == odd
    assert all("not" not in schema for schema in schemas[1:])


async def test_names_that_the_api_does_not_take_are_made_safe_and_found_again(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    names = ["licht.an", "licht:an", "x" * 200, "ok"]
    tools = await api_instance(hass, *(ExtraTool(name, dict) for name in names))
    model = client(hass)
    await ask(model, tools=tools)
    shown = [tool["name"] for tool in anthropic.chats[0]["tools"]]
    assert shown[3] == "ok"
    anthropic.answers(calls(*map(call, shown)))
    deltas, _ = await ask(model, tools=tools)
    assert [made.tool_name for made in called(deltas)] == names


async def test_beginning_of_requests_is_the_same_byte_for_byte(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    anthropic.models[MODEL] = model_info(thinking=("adaptive", "disabled"))
    model = client(hass, think=True, web_search=True)
    talk = Talk(hass, model, await api_instance(hass, lights()))
    anthropic.answers(
        answer(thinking("Hm.", signature="s1"), call("turn_on", name="Lamp"), stop="tool_use"),
        says("The lamp is on."),
        answer(
            *search("weather", ("Weather", "https://example.org")),
            text("**Warm**.", citations=[citation("Weather", "https://example.org", "24")]),
        ),
        says("You are welcome."),
    )
    await talk.hears("Lamp on")
    await talk.hears("How is the weather?")
    await talk.hears("Thanks")
    assert len(anthropic.chats) == 4
    for before, after in zip(anthropic.chats, anthropic.chats[1:], strict=False):
        for part in ("tools", "system", "thinking", "cache_control", "model", "max_tokens"):
            assert json.dumps(before[part]) == json.dumps(after[part])
        begin = json.dumps(before["messages"])[:-1]
        assert json.dumps(after["messages"]).startswith(begin)


async def test_breakpoints_end_the_tools_the_system_prompt_and_the_conversation(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    tools = await api_instance(hass, lights(), ExtraTool("other", dict))
    await ask(client(hass), tools=tools)
    body = anthropic.chats[0]
    mark = {"type": "ephemeral"}
    assert [tool.get("cache_control") for tool in body["tools"]] == [None, mark]
    assert [block.get("cache_control") for block in body["system"]] == [mark]
    # At the top: the API puts it at the last message's end.
    assert body["cache_control"] == mark


async def test_last_round_shows_the_tools_and_forbids_them(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    model = client(hass)
    await ask(model, tools=await api_instance(hass, lights()))
    await ask(model, tools=None)
    first, last = anthropic.chats
    assert last["tools"] == first["tools"]
    assert "tool_choice" not in first
    assert last["tool_choice"] == {"type": "none"}


async def test_model_never_shown_a_tool_is_asked_without(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    await ask(client(hass))
    assert not {"tools", "tool_choice"} & anthropic.chats[0].keys()


@rows(
    ("types", "wanted", "sent"),
    [
        (("adaptive", "disabled"), False, {"type": "disabled"}),
        (("adaptive", "disabled"), True, {"type": "adaptive", "display": "summarized"}),
        (("enabled", "disabled"), True, {"type": "enabled", "budget_tokens": 4096}),
        (("adaptive", "between_tools"), False, {"type": "between_tools"}),
        (("adaptive",), False, {"type": "adaptive", "display": "omitted"}),
        (("disabled",), True, {"type": "disabled"}),
    ],
)
async def test_thinking_is_what_the_model_offers_and_off_unless_wanted(
    hass: HomeAssistant,
    anthropic: PlayedAnthropic,
    types: tuple[str, ...],
    wanted: bool,
    sent: dict[str, Any],
) -> None:
    anthropic.models[MODEL] = model_info(thinking=types)
    await ask(client(hass, think=wanted))
    body = anthropic.chats[0]
    assert body["thinking"] == sent
    thinks = sent["type"] in ("adaptive", "enabled")
    assert body["max_tokens"] == 1024 + 4096 * thinks
    assert ("output_config" in body) == (thinks and not wanted)


async def test_model_of_which_nothing_is_told_is_asked_all_the_same(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    anthropic.whole[f"/v1/models/{MODEL}"] = error(404, "not_found_error", "Not Found")
    deltas, _ = await ask(client(hass, think=True, web_search=True))
    assert said(deltas) == ["OK."]
    assert not {"thinking", "tools", "output_config"} & anthropic.chats[0].keys()


async def test_model_is_asked_about_once(hass: HomeAssistant, anthropic: PlayedAnthropic) -> None:
    server = client(hass).server
    await server.known(MODEL)
    await anthropic.stop()
    assert (await server.known(MODEL)).model.thinks


# Reading beforehand


async def test_connection_is_open_when_the_sentence_comes(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    model = client(hass)
    await model.read(SYSTEM, None)
    await ask(model)
    assert anthropic.connections == 1


async def test_connecting_beforehand_holds_up_nobody(
    hass: HomeAssistant, anthropic: PlayedAnthropic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SOON", 0.1)
    model = client(hass, think=True)
    await model.read(SYSTEM, None)
    anthropic.silent.add(f"/v1/models/{MODEL}")
    async with asyncio.timeout(30):
        await model.read(SYSTEM, None)
        await ask(model)
    assert anthropic.chats[0]["thinking"]["type"] == "adaptive"


async def test_what_a_model_learned_meanwhile_is_found_out(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    anthropic.models[MODEL] = model_info(thinking=("disabled",))
    model = client(hass, think=True)
    await model.read(SYSTEM, None)
    anthropic.models[MODEL] = model_info(thinking=("adaptive", "disabled"))
    await model.read(SYSTEM, None)
    await ask(model)
    assert anthropic.chats[0]["thinking"]["type"] == "adaptive"


async def test_nothing_is_read_beforehand_unless_wanted(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    await client(hass).read(SYSTEM, await api_instance(hass, lights()))
    assert anthropic.reads == anthropic.chats == []


@pytest.mark.parametrize(
    "types", [("adaptive", "disabled"), ("enabled", "disabled"), ("adaptive",)]
)
async def test_what_is_read_beforehand_is_what_a_sentence_begins_with(
    hass: HomeAssistant, anthropic: PlayedAnthropic, types: tuple[str, ...]
) -> None:
    anthropic.models[MODEL] = model_info(thinking=types)
    model = client(hass, warm_up=True, think=True)
    tools = await api_instance(hass, lights())
    await model.read(SYSTEM, tools)
    await ask(model, HELLO, tools)
    (read,), (chat,) = anthropic.reads, anthropic.chats
    assert read["max_tokens"] == 0
    for part in ("tools", "system"):
        assert json.dumps(read[part]) == json.dumps(chat[part])


# Structures


async def test_model_is_held_to_a_structure(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    anthropic.answers(says('{"name": ', '"Ada"}'))
    deltas, _ = await ask(client(hass), structure=PERSON)
    assert json.loads("".join(said(deltas))) == {"name": "Ada"}
    form = anthropic.chats[0]["output_config"]["format"]
    assert form["type"] == "json_schema"
    assert form["schema"]["required"] == ["name"]
    assert form["schema"]["additionalProperties"] is False


@pytest.mark.parametrize("with_tools", [False, True])
async def test_model_that_knows_no_structures_answers_by_a_call(
    hass: HomeAssistant, anthropic: PlayedAnthropic, with_tools: bool
) -> None:
    anthropic.models[MODEL] = model_info(**OLD)
    tools = await api_instance(hass, lights()) if with_tools else None
    anthropic.answers(answer(call("structured_answer", name="Ada", age=36), stop="tool_use"))
    deltas, completion = await ask(client(hass, think=True), tools=tools, structure=PERSON)
    assert json.loads("".join(said(deltas))) == {"name": "Ada", "age": 36}
    assert called(deltas) == []
    assert completion.finish_reason == "stop"
    body = anthropic.chats[0]
    assert body["tools"][-1]["input_schema"] == PERSON
    assert body["tool_choice"]["type"] == ("any" if with_tools else "tool")


async def test_structure_that_the_api_refuses_is_asked_for_by_a_call(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    model = client(hass)
    anthropic.answers(
        error(400, "invalid_request_error", "output_config.format.schema: too complex"),
        answer(call("structured_answer", name="Ada"), stop="tool_use"),
        answer(call("structured_answer", name="Bob"), stop="tool_use"),
        says('{"name": "Eve"}'),
    )
    names = []
    for structure in (PERSON, PERSON, PERSON | {"description": "Another one"}):
        deltas, _ = await ask(model, structure=structure)
        names.append(json.loads("".join(said(deltas)))["name"])
    assert names == ["Ada", "Bob", "Eve"]
    held = ["output_config" in chat for chat in anthropic.chats]
    assert held == [True, False, False, True]


# Attachments


def attached(path: Path, mime_type: str) -> list[conversation.Content]:
    file = conversation.Attachment("media-source://x", mime_type, path)
    return [SYSTEM, conversation.UserContent("What is this?", attachments=[file])]


@pytest.mark.parametrize(
    ("mime_type", "media_type"),
    [
        ("image/png", "image/png"),
        ("image/jpg", "image/jpeg"),
        ("image/webp", "image/webp"),
        ("application/pdf", "application/pdf"),
    ],
)
async def test_pictures_and_pdfs_are_shown(
    hass: HomeAssistant,
    anthropic: PlayedAnthropic,
    tmp_path: Path,
    mime_type: str,
    media_type: str,
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"bytes of it")
    await ask(client(hass), attached(path, mime_type))
    shown, question = anthropic.chats[0]["messages"][0]["content"]
    assert shown["type"] == ("document" if mime_type == "application/pdf" else "image")
    assert shown["source"]["media_type"] == media_type
    assert base64.b64decode(shown["source"]["data"]) == b"bytes of it"
    assert question["text"] == "What is this?"


@pytest.mark.parametrize(
    ("mime_type", "sees"), [("image/png", False), ("application/pdf", False), ("audio/wav", True)]
)
async def test_file_that_the_model_cannot_look_at_is_refused(
    hass: HomeAssistant, anthropic: PlayedAnthropic, tmp_path: Path, mime_type: str, sees: bool
) -> None:
    anthropic.models[MODEL] = model_info(sees=sees)
    path = tmp_path / "file"
    path.write_bytes(b"bytes of it")
    with pytest.raises(ModelError) as caught:
        await ask(client(hass), attached(path, mime_type))
    assert caught.value.reason is Reason.ATTACHMENT
    assert anthropic.chats == []


async def test_file_that_is_gone_is_an_error(
    hass: HomeAssistant, anthropic: PlayedAnthropic, tmp_path: Path
) -> None:
    with pytest.raises(ModelError) as caught:
        await ask(client(hass), attached(tmp_path / "gone", "image/png"))
    assert caught.value.reason is Reason.UNREADABLE
