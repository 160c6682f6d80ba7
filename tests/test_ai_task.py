"""AI tasks as automations ask for them: data, structures, pictures, tools, and what goes wrong."""

import asyncio
from base64 import b64decode
from collections.abc import Iterator
import json
from pathlib import Path
from typing import Any, override

from homeassistant.components import ai_task
from homeassistant.const import ATTR_SUPPORTED_FEATURES, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import probatio
import pytest

from custom_components.voice_gateway.const import CONF_KIND, EntryKind
from tests.rows import rows

from . import anthropic as claude, ollama
from .extra_tools import API_ID, ExtraAPI, ExtraTool, add_tools
from .model_servers import ModelServer, OllamaModel, OpenAIModel, Thought, call
from .ollama import Fault, PlayedOllama
from .openai import PlayedOpenAI
from .real_model import real_model
from .task import TASK, add_task, failure, generate

# The smallest picture that there is.
PICTURE = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)
PICTURE_ID = "media-source://media_source/local/door.png"
PDF_ID = "media-source://media_source/local/bill.pdf"
COUNT = {
    "animal": {"selector": {"text": {}}, "required": True, "description": "What it is called"},
    "legs": {"selector": {"number": {"min": 0}}, "required": True},
    "tame": {"selector": {"boolean": {}}},
}
DOG = {"animal": "dog", "legs": 4, "tame": True}


@pytest.fixture
async def with_media(
    hass: HomeAssistant, model_server: ModelServer, tmp_path: Path
) -> HomeAssistant:
    """Home Assistant with a picture and a PDF among its media, and a model that sees."""
    model_server.see(sees=True)
    (tmp_path / "door.png").write_bytes(PICTURE)
    (tmp_path / "bill.pdf").write_bytes(b"%PDF-1.7")
    hass.config.media_dirs = {"local": str(tmp_path)}
    assert await async_setup_component(hass, "media_source", {})
    return hass


def attached(media_content_id: str, mime_type: str) -> list[dict[str, str]]:
    return [{"media_content_id": media_content_id, "media_content_type": mime_type}]


# Text and structures


async def test_text_comes_as_it_is_written(hass: HomeAssistant, model_server: ModelServer) -> None:
    await add_task(hass, model_server)
    model_server.answers(model_server.says('**A poem**\n\n- one 🐕\n- {"two": 2}\n'))
    assert await generate(hass) == '**A poem**\n\n- one 🐕\n- {"two": 2}'
    assert "Name an animal" in json.dumps(model_server.requests[0])
    assert model_server.structure(model_server.requests[0]) is None


async def test_structure_is_told_held_to_and_given(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(hass, model_server)
    model_server.answers(model_server.says(json.dumps(DOG)))
    assert await generate(hass, structure=COUNT) == DOG
    schema = model_server.structure(model_server.requests[0])
    assert schema
    assert schema["required"] == ["animal", "legs"]
    assert schema["properties"]["tame"]["type"] == "boolean"
    system = str(model_server.requests[0].get("system") or model_server.requests[0]["messages"][0])
    assert "What it is called" in system


@rows(
    "written",
    [
        f"```json\n{json.dumps(DOG)}\n```",
        f"Here it is:\n\n```\n{json.dumps(DOG)}\n```\nThat's all.",
        '{"animal": "dog", "legs": "4", "tame": "yes"}',
        f"Here it is: {json.dumps(DOG)} That's all.",
        json.dumps({"data": DOG}),
        json.dumps({"answer": DOG}),
        json.dumps([DOG]),
        json.dumps({"output": json.dumps(DOG)}),
        f"{json.dumps(DOG)}\n{json.dumps(DOG)}",
        json.dumps({"name": "structured_answer", "arguments": DOG}),
        str(DOG),
        f"{json.dumps(DOG)[:-1]},}}",
        f"{{\n  // an animal\n  {json.dumps(DOG)[1:]}",
        f"{{}}{json.dumps(DOG)}",
        f"[{json.dumps(DOG)}, {json.dumps(DOG)}]",
        f"Sure! {json.dumps(DOG)}\n\nNote: {{}}",
        json.dumps(json.dumps(DOG)),
        json.dumps({"result": {"data": DOG}}),
        "animal: dog\nlegs: 4\ntame: true",
    ],
)
async def test_what_a_small_model_makes_of_a_structure_is_understood(
    hass: HomeAssistant, model_server: ModelServer, written: str
) -> None:
    await add_task(hass, model_server)
    model_server.answers(model_server.says(written))
    assert await generate(hass, structure=COUNT) == DOG
    assert len(model_server.requests) == 1


@rows(
    "written",
    [
        f"{json.dumps(DOG)}<|return|>",
        f"<|channel|>final <|constrain|>json<|message|>{json.dumps(DOG)}",
        f"<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>{json.dumps(DOG)}",
        f"{json.dumps(DOG)}<|im_end|>\n<|im_start|>user\nThanks",
        f"<think>A dog.</think>{json.dumps(DOG)}</s>",
        f"<answer>{json.dumps(DOG)}</answer>",
        f"assistantfinal{json.dumps(DOG)}",
    ],
)
async def test_marks_of_templates_are_no_part_of_a_structure(
    hass: HomeAssistant, ollama: PlayedOllama, openai: PlayedOpenAI, written: str
) -> None:
    for server in (OllamaModel(ollama), OpenAIModel(openai)):
        agent = await add_task(hass, server)
        for pieces in ([written], written):
            server.answers(server.says(*pieces))
            assert await generate(hass, structure=COUNT) == DOG
        assert len(server.requests) == 2
        await hass.config_entries.async_remove(agent.entry_id)


async def test_structure_that_is_only_thought_is_given(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(hass, model_server)
    model_server.answers(model_server.message(Thought(f'{{"legs": 1}} no: {json.dumps(DOG)}')))
    assert await generate(hass, structure=COUNT) == DOG
    assert len(model_server.requests) == 1


async def test_whole_numbers_stay_whole_and_nothing_given_is_left_out(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(hass, model_server)
    model_server.answers(model_server.says('{"animal": "dog", "legs": 4, "tame": null}'))
    data = await generate(hass, structure=COUNT)
    assert json.dumps(data) == '{"animal": "dog", "legs": 4}'


@rows(
    ("wrong", "why"),
    [
        ("A dog has four legs.", "not JSON"),
        ('```json\n{"animal": "dog"}\n```\n```json\n{"animal": "cat"}\n```', "not JSON"),
        ("```json\n{'animal' 'dog\n```", "not JSON"),
        ('{"animal": "dog", "legs": -1}', "legs"),
        ('{"animal": "dog"}', "legs"),
        ('{"animal": "dog", "legs": 4, "wings": 0}', "wings"),
        ("[]", "mapping"),
    ],
)
async def test_answer_not_as_asked_goes_back_once_with_what_is_wrong(
    hass: HomeAssistant, model_server: ModelServer, wrong: str, why: str
) -> None:
    await add_task(hass, model_server)
    model_server.answers(model_server.says(wrong), model_server.says(json.dumps(DOG)))
    assert await generate(hass, structure=COUNT) == DOG
    first, again = model_server.requests
    assert len(again["messages"]) == len(first["messages"]) + 2
    assert why in json.dumps(again["messages"][-1])
    assert model_server.structure(again) is not None


async def test_answer_wrong_twice_is_an_error_that_says_why(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(hass, model_server)
    model_server.answers(
        model_server.says("A dog."), model_server.says('{"animal": "dog", "legs": "x"}')
    )
    said = await failure(hass, structure=COUNT)
    assert "structure" in said
    assert "legs" in said
    assert len(model_server.requests) == 2


# What goes wrong


async def test_server_gone_is_said(hass: HomeAssistant, model_server: ModelServer) -> None:
    await add_task(hass, model_server)
    await model_server.server.stop()
    assert await failure(hass) == "The model server can't be reached"


async def test_connection_lost_in_the_answer_is_said(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(hass, model_server)
    model_server.answers(model_server.message("The dog", Fault.CUT, ends=None))
    assert await failure(hass) == "The connection to the model was lost"


@rows("more", [{}, {"structure": COUNT}])
async def test_answer_cut_short_is_no_data(
    hass: HomeAssistant, model_server: ModelServer, more: dict[str, Any]
) -> None:
    await add_task(hass, model_server)
    model_server.answers(model_server.message('{"animal": "do', ends="length"))
    assert await failure(hass, **more) == "The answer was cut short"


async def test_empty_answer_is_no_data(hass: HomeAssistant, model_server: ModelServer) -> None:
    await add_task(hass, model_server)
    model_server.answers(model_server.says(" \n"))
    assert await failure(hass) == "The model gave no answer"


async def test_empty_answer_is_asked_again_where_there_is_a_structure(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(hass, model_server)
    model_server.answers(model_server.says(""), model_server.says(json.dumps(DOG)))
    assert await generate(hass, structure=COUNT) == DOG


async def test_task_ends_in_time(hass: HomeAssistant, model_server: ModelServer) -> None:
    await add_task(hass, model_server, timeout=0.3)
    model_server.answers(model_server.message("The dog", Fault.HANG, ends=None))
    assert await failure(hass) == "That took too long, so I stopped"
    async with asyncio.timeout(30):
        await model_server.server.abandoned.wait()


async def test_refused_key_asks_for_another(hass: HomeAssistant, model_server: ModelServer) -> None:
    entry = await add_task(hass, model_server)
    model_server.server.key = "another"
    assert await failure(hass) == "The model server rejected the API key"
    await hass.async_block_till_done()
    assert [flow["context"]["source"] for flow in entry.async_get_active_flows(hass, {"reauth"})]


@pytest.mark.parametrize("model_server", [EntryKind.ANTHROPIC], indirect=True)
async def test_refusal_is_said(hass: HomeAssistant, model_server: ModelServer) -> None:
    await add_task(hass, model_server)
    model_server.answers(claude.answer(stop="refusal", refusal="Not that."))
    assert (
        await failure(hass, structure=COUNT) == f"The model {claude.MODEL} refused to answer that"
    )


# Files


async def test_picture_is_shown_to_the_model(
    with_media: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(with_media, model_server)
    model_server.answers(model_server.says("A door."))
    said = await generate(with_media, attachments=attached(PICTURE_ID, "image/png"))
    assert said == "A door."
    (picture,) = model_server.files(model_server.requests[0])
    assert b64decode(picture) == PICTURE


async def test_picture_stays_when_the_answer_is_asked_again(
    with_media: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(with_media, model_server)
    model_server.answers(model_server.says("A dog."), model_server.says(json.dumps(DOG)))
    attachments = attached(PICTURE_ID, "image/png")
    assert await generate(with_media, structure=COUNT, attachments=attachments) == DOG
    assert [len(model_server.files(request)) for request in model_server.requests] == [1, 1]


@pytest.mark.parametrize("model_server", [EntryKind.ANTHROPIC], indirect=True)
async def test_pdf_is_shown_to_a_model_that_reads_it(
    with_media: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(with_media, model_server)
    await generate(with_media, attachments=attached(PDF_ID, "application/pdf"))
    assert b64decode(model_server.files(model_server.requests[0])[0]) == b"%PDF-1.7"


@pytest.mark.parametrize("model_server", [EntryKind.OLLAMA], indirect=True)
async def test_pdf_is_refused_where_no_model_reads_it(
    with_media: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(with_media, model_server)
    said = await failure(with_media, attachments=attached(PDF_ID, "application/pdf"))
    assert said == f"The model {ollama.MODEL} can't look at files of the type application/pdf"
    assert model_server.requests == []


async def test_file_that_is_gone_is_said(
    with_media: HomeAssistant, model_server: ModelServer, tmp_path: Path
) -> None:
    await add_task(with_media, model_server)
    (tmp_path / "door.png").unlink()
    said = await failure(with_media, attachments=attached(PICTURE_ID, "image/png"))
    assert said == "The file door.png can't be read"


async def test_model_that_does_not_see_takes_no_files(
    with_media: HomeAssistant, model_server: ModelServer
) -> None:
    model_server.see(sees=False)
    await add_task(with_media, model_server)
    # Nobody waits for the server that tells it.
    await with_media.async_block_till_done(wait_background_tasks=True)
    state = with_media.states.get(TASK)
    assert state
    features = state.attributes[ATTR_SUPPORTED_FEATURES]
    can = ai_task.AITaskEntityFeature
    assert features == can.GENERATE_DATA | can.EVALUATE
    with pytest.raises(ServiceValidationError):
        await generate(with_media, attachments=attached(PICTURE_ID, "image/png"))


async def test_model_turns_out_not_to_see_when_its_server_comes_back(
    with_media: HomeAssistant, model_server: ModelServer
) -> None:
    port = model_server.server.port
    await model_server.server.stop()
    await add_task(with_media, model_server)
    model_server.see(sees=False)
    await model_server.server.start(port)
    said = await failure(with_media, attachments=attached(PICTURE_ID, "image/png"))
    assert "can't look at files of the type image/png" in said
    assert model_server.requests == []


# Tools


def weather() -> ExtraTool:
    return ExtraTool("GetWeather", lambda **_: {"result": "Rain"}, description="Tells the weather")


def in_words(model_server: ModelServer, words: str) -> list[Any]:
    """Return what a model says of its tools' results before it is told of a structure, if so."""
    return [model_server.says(words)] if model_server.kind is not EntryKind.ANTHROPIC else []


async def test_task_uses_the_tools_that_it_was_given(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    tool = weather()
    add_tools(hass, tool)
    await add_task(hass, model_server, tools=[API_ID])
    model_server.answers(
        model_server.calls(call("GetWeather", where="here")), model_server.says("It rains.")
    )
    assert await generate(hass) == "It rains."
    assert [call.tool_args for call in tool.calls] == [{"where": "here"}]
    assert model_server.results(model_server.requests[1]) == ["Rain"]


async def test_structure_waits_for_what_tools_find_out(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    """A small model that is told of both at once makes up what it should ask the tools."""
    add_tools(hass, weather())
    await add_task(hass, model_server, tools=[API_ID])
    model_server.answers(
        model_server.calls(call("GetWeather")),
        *in_words(model_server, "A dog was seen."),
        model_server.says(json.dumps(DOG)),
    )
    assert await generate(hass, structure=COUNT) == DOG
    *earlier, last = model_server.requests
    assert model_server.structure(last)
    assert "What it is called" in json.dumps(last)
    if model_server.kind is not EntryKind.ANTHROPIC:
        assert not any("What it is called" in json.dumps(request) for request in earlier)
        assert [said.text for said in model_server.conversation(last)][-2] == "A dog was seen."


async def test_tools_that_come_with_a_task_stand_in_for_the_models_own(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    own, brought = weather(), ExtraTool("GetNews", lambda **_: {"result": "War is over"})
    add_tools(hass, own)
    api = add_tools(hass, brought, id="brought")
    await add_task(hass, model_server, tools=[API_ID])
    model_server.answers(model_server.calls(call("GetNews")), model_server.says("Peace."))
    result = await ai_task.async_generate_data(
        hass, task_name="Test", entity_id=TASK, instructions="What is new?", llm_api=api
    )
    assert result.data == "Peace."
    assert len(brought.calls) == 1
    assert "GetWeather" not in json.dumps(model_server.requests[0])


async def test_tool_that_fails_does_not_end_the_task(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    def fail(**_: Any) -> None:
        raise RuntimeError("The sky fell down")

    api = add_tools(hass, ExtraTool("GetWeather", fail), id="brought")
    await add_task(hass, model_server)
    model_server.answers(model_server.calls(call("GetWeather")), model_server.says("I don't know."))
    result = await ai_task.async_generate_data(
        hass, task_name="Test", entity_id=TASK, instructions="Weather?", llm_api=api
    )
    assert result.data == "I don't know."


async def test_model_that_calls_for_ever_has_to_answer(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    add_tools(hass, weather())
    await add_task(hass, model_server, tools=[API_ID], max_rounds=2)
    model_server.answers(
        model_server.calls(call("GetWeather", day=1)),
        model_server.calls(call("GetWeather", day=2)),
        model_server.says(json.dumps(DOG)),
    )
    assert await generate(hass, structure=COUNT) == DOG
    last = model_server.requests[-1]
    assert not model_server.tools(last)
    assert model_server.structure(last)


async def test_structure_that_looks_like_a_call_is_none_in_the_end(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    add_tools(hass, weather())
    await add_task(hass, model_server, tools=[API_ID])
    asked_for = '{"action": "turn_on", "parameters": {"brightness": 3}}'
    model_server.answers(*[model_server.says(asked_for)] * 4)
    structure = {
        "action": {"selector": {"text": {}}, "required": True},
        "parameters": {"selector": {"object": {}}, "required": True},
    }
    assert await generate(hass, structure=structure) == json.loads(asked_for)


async def test_call_written_as_text_is_made(hass: HomeAssistant, model_server: ModelServer) -> None:
    tool = weather()
    add_tools(hass, tool)
    await add_task(hass, model_server, tools=[API_ID])
    model_server.answers(
        model_server.says('{"name": "GetWeather", "arguments": {}}'), model_server.says("Rain.")
    )
    assert await generate(hass) == "Rain."
    assert len(tool.calls) == 1


class SlowAPI(ExtraAPI):
    """An API that never says what its tools are."""

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        await asyncio.Event().wait()
        raise AssertionError


async def test_tools_that_are_never_there_end_the_task_in_time(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    llm.async_register_api(hass, SlowAPI(hass=hass, id="slow", name="Slow", tools=[]))
    await add_task(hass, model_server, tools=["slow"], timeout=0.2)
    assert await failure(hass) == "That took too long, so I stopped"
    assert model_server.requests == []


async def test_structure_of_any_validators_is_checked(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    """Other integrations ask with structures of their own making."""
    await add_task(hass, model_server)
    model_server.answers(model_server.says('{"n": 7}'), model_server.says('{"n": 3}'))
    structure = probatio.Schema({probatio.Required("n"): probatio.All(int, probatio.Range(max=5))})
    result = await ai_task.async_generate_data(
        hass, task_name="Test", entity_id=TASK, instructions="A number", structure=structure
    )
    assert result.data == {"n": 3}


# A real model


class Live:
    """The embedded server with a real model."""

    model = "qwen2.5-coder:1.5b"

    def __init__(self, url: str) -> None:
        """Take its address."""
        self.data = {CONF_KIND: EntryKind.OLLAMA, CONF_URL: url}


@pytest.fixture
def live(socket_enabled: None, tmp_path: Path) -> Iterator[Live]:
    """A real model."""
    with real_model(tmp_path, "1.5b") as url:
        yield Live(url)


@pytest.mark.live
async def test_a_real_model_does_tasks(hass: HomeAssistant, live: Live) -> None:
    """Read a text, choose, and answer from a tool's result: each in a structure."""
    tool = ExtraTool(
        "GetWeather", lambda **_: {"result": "Rain, 8 °C"}, description="Tells the weather now"
    )
    api = add_tools(hass, tool)
    await add_task(hass, live, temperature=0, timeout=600)
    read = await generate(
        hass,
        "The washing machine in the basement finished after 95 minutes and used 0.8 kWh.",
        structure={
            "device": {"selector": {"text": {}}, "required": True},
            "minutes": {"selector": {"number": {}}, "required": True},
            "kwh": {"selector": {"number": {"step": "any"}}, "required": True},
        },
    )
    kinds = {"options": ["person", "animal", "parcel"]}
    chosen = await generate(
        hass,
        "The doorbell's camera saw this: a brown cat sits on the doormat. What did it see?",
        structure={"kind": {"selector": {"select": kinds}, "required": True}},
    )
    told = await ai_task.async_generate_data(
        hass,
        task_name="Test",
        entity_id=TASK,
        instructions="What is the temperature outside now, in °C? Use the tool.",
        structure=probatio.Schema({probatio.Required("temperature"): probatio.Coerce(int)}),
        llm_api=api,
    )
    assert (read | {"device": ""}, chosen, told.data, len(tool.calls)) == (
        {"device": "", "minutes": 95, "kwh": 0.8},
        {"kind": "animal"},
        {"temperature": 8},
        1,
    )
    assert "washing" in read["device"].lower()
