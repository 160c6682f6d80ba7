"""Files that come with messages, and structures of answers, as Ollama's models get them."""

from base64 import b64decode
import json
from pathlib import Path
from typing import Any

from homeassistant.components.conversation import (
    AssistantContent,
    Attachment,
    Content,
    SystemContent,
    UserContent,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.voice_gateway.models.client import Completion, ModelError, Reason
from custom_components.voice_gateway.models.history import fitting, with_seen
from custom_components.voice_gateway.models.ollama.server import OllamaClient, OllamaServer
from tests.extra_tools import ExtraAPI, ExtraTool
from tests.ollama import MODEL, PlayedOllama, done, error, part, says

PICTURE = b"\xff" * 3_000_000
SYSTEM = SystemContent(content="You are helpful.")
SCHEMA = {"type": "object", "properties": {"legs": {"type": "integer"}}, "required": ["legs"]}


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture of three megabytes."""
    path = tmp_path / "door.jpg"
    path.write_bytes(PICTURE)
    return path


def shows(text: str, *paths: Path, mime_type: str = "image/jpeg") -> UserContent:
    return UserContent(text, [Attachment(str(path), mime_type, path) for path in paths] or None)


def answers(text: str) -> AssistantContent:
    return AssistantContent(agent_id="agent", content=text)


def client(hass: HomeAssistant, ollama: PlayedOllama, num_ctx: int = 8192) -> OllamaClient:
    return OllamaClient(
        server=OllamaServer(hass, ollama.url),
        model=MODEL,
        num_ctx=num_ctx,
        keep_alive=-1,
        think=False,
        temperature=0.2,
    )


async def ask(
    model: OllamaClient,
    *content: Content,
    tools: llm.APIInstance | None = None,
    structure: dict[str, Any] | None = None,
) -> str:
    return "".join(
        [
            delta.get("content") or ""
            async for delta in model.stream(
                [SYSTEM, *content], tools, Completion(), structure=structure
            )
        ]
    )


@pytest.fixture
async def tools(hass: HomeAssistant) -> llm.APIInstance:
    """One tool."""
    context = llm.LLMContext(
        platform="test", context=None, language="en", assistant="test", device_id=None
    )
    tool = ExtraTool("GetLegs", lambda **_: None, description="Counts legs")
    return await ExtraAPI(hass=hass, id="x", name="X", tools=[tool]).async_get_api_instance(context)


# Files


@pytest.mark.parametrize("capabilities", [["tools", "vision"], ["vision"], []])
async def test_large_picture_fits_whatever_the_model_can_do_else(
    hass: HomeAssistant,
    ollama: PlayedOllama,
    picture: Path,
    tools: llm.APIInstance,
    capabilities: list[str],
) -> None:
    ollama.models[MODEL] = capabilities
    await ask(client(hass, ollama), shows("What is this?", picture), tools=tools)
    (request,) = ollama.chats
    shown = [message for message in request["messages"] if "images" in message]
    assert [message["role"] for message in shown] == ["user"]
    assert b64decode(shown[0]["images"][0]) == PICTURE


async def test_oldest_pictures_go_first_where_the_context_is_short(
    hass: HomeAssistant, ollama: PlayedOllama, picture: Path
) -> None:
    ollama.models[MODEL] = ["vision"]
    talk: list[Content] = [
        *(shows("First", picture), answers("A door.")),
        *(shows("Second", picture), answers("A door, too.")),
        shows("Third", picture),
    ]
    await ask(client(hass, ollama, num_ctx=4096), *talk)
    _, *messages = ollama.chats[0]["messages"]
    assert [message["content"].split("\n")[0] for message in messages[::2]] == [
        "First",
        "Second",
        "Third",
    ]
    assert ["images" in message for message in messages[::2]] == [False, True, True]
    assert "no longer shown" in messages[0]["content"]


async def test_pictures_that_cannot_fit_are_said(
    hass: HomeAssistant, ollama: PlayedOllama, picture: Path
) -> None:
    ollama.models[MODEL] = ["vision"]
    with pytest.raises(ModelError) as caught:
        await ask(client(hass, ollama, num_ctx=2048), shows("All these", *[picture] * 40))
    assert caught.value.reason is Reason.CONTEXT_EXCEEDED
    assert ollama.chats == []


async def test_what_a_picture_takes_is_not_taken_for_what_words_take(
    hass: HomeAssistant, ollama: PlayedOllama, picture: Path
) -> None:
    ollama.models[MODEL] = ["vision"]
    ollama.answers([part("A door."), done(prompt_eval_count=20_000)], says("Yes."))
    model = client(hass, ollama)
    await ask(model, shows("word " * 300, picture))
    assert (await model.server.known(MODEL)).tokens.per_byte is None


async def test_file_of_an_earlier_turn_that_was_refused_does_not_spoil_the_later_ones(
    picture: Path,
) -> None:
    refused = shows("Look", picture, mime_type="application/pdf")
    with pytest.raises(ModelError) as caught:
        with_seen([SYSTEM, refused], str.isdigit, MODEL)
    assert caught.value.reason is Reason.ATTACHMENT
    talk: list[Content] = [SYSTEM, refused, answers("No."), shows("Hello")]
    seen = with_seen(talk, str.isdigit, MODEL)
    assert [getattr(item, "attachments", None) for item in seen] == [None] * 4
    assert talk[1] is refused
    assert with_seen([SYSTEM, refused], lambda _: True, MODEL) == [SYSTEM, refused]


def test_files_stay_as_long_as_there_is_room(picture: Path) -> None:
    talk: list[Content] = [shows("One", picture), answers("Yes"), shows("Two", picture)]
    assert fitting(talk, 3, lambda _: 1) == talk
    assert fitting(talk, 0, lambda _: 1)[-1] is talk[2]


# Structures


async def test_model_is_held_to_a_structure_only_where_it_cannot_call_tools(
    hass: HomeAssistant, ollama: PlayedOllama, tools: llm.APIInstance
) -> None:
    model = client(hass, ollama)
    await ask(model, shows("Legs?"), tools=tools, structure=SCHEMA)
    await ask(model, shows("Legs?"), structure=SCHEMA)
    await ask(model, shows("Legs?"))
    assert [request.get("format") for request in ollama.chats] == [None, SCHEMA, None]


async def test_model_without_tools_writes_calls_or_the_structure_and_nothing_else(
    hass: HomeAssistant, ollama: PlayedOllama, tools: llm.APIInstance
) -> None:
    ollama.models[MODEL] = ["completion"]
    written = '{"legs": 4, "say": "Hello"}'
    ollama.answers(says(written))
    model = client(hass, ollama)
    said = await ask(
        model, shows("A dog."), answers('{"legs": 5}'), shows("No."), tools=tools, structure=SCHEMA
    )
    assert said == written
    (request,) = ollama.chats
    calls, answer = request["format"]["anyOf"]
    assert "calls" in calls["properties"]
    assert answer == SCHEMA
    system, _, before, _ = request["messages"]
    assert "GetLegs(" in system["content"]
    assert '"say"' not in system["content"]
    assert before["content"] == '{"legs": 5}'


async def test_server_that_takes_no_schema_is_asked_without_one(
    hass: HomeAssistant, ollama: PlayedOllama
) -> None:
    ollama.answers(error(500, "failed to parse grammar"), says(json.dumps({"legs": 4})))
    model = client(hass, ollama)
    assert json.loads(await ask(model, shows("Legs?"), structure=SCHEMA)) == {"legs": 4}
    await ask(model, shows("Legs?"), structure=SCHEMA)
    assert ["format" in request for request in ollama.chats] == [True, False, False]


async def test_server_that_fails_otherwise_is_asked_with_the_schema_again(
    hass: HomeAssistant, ollama: PlayedOllama
) -> None:
    ollama.answers(error(500, "out of memory"), error(500, "out of memory"), says('{"legs": 4}'))
    model = client(hass, ollama)
    with pytest.raises(ModelError):
        await ask(model, shows("Legs?"), structure=SCHEMA)
    await ask(model, shows("Legs?"), structure=SCHEMA)
    assert ["format" in request for request in ollama.chats] == [True, False, True]
