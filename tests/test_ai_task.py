"""AI tasks as automations ask for them: data, structures, pictures, tools, and what goes wrong."""

import asyncio
from base64 import b64decode
import json
from pathlib import Path
from typing import Any, override

from homeassistant.components import ai_task
from homeassistant.const import ATTR_SUPPORTED_FEATURES
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import probatio
import pytest

from custom_components.voice_gateway.const import DOMAIN, EntryKind

from . import anthropic as claude, ollama
from .extra_tools import API_ID, ExtraAPI, ExtraTool, add_tools
from .providers import Ollama, Provider, add_task, provider

__all__ = ["provider"]

TASK = "ai_task.helper"
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
async def with_media(hass: HomeAssistant, tmp_path: Path) -> HomeAssistant:
    """Home Assistant with a picture and a PDF among its media."""
    (tmp_path / "door.png").write_bytes(PICTURE)
    (tmp_path / "bill.pdf").write_bytes(b"%PDF-1.7")
    hass.config.media_dirs = {"local": str(tmp_path)}
    assert await async_setup_component(hass, "media_source", {})
    return hass


async def generate(hass: HomeAssistant, instructions: str = "Name an animal", **more: Any) -> Any:
    """Ask for data as an automation does."""
    response = await hass.services.async_call(
        "ai_task",
        "generate_data",
        {"task_name": "Test", "entity_id": TASK, "instructions": instructions, **more},
        blocking=True,
        return_response=True,
    )
    assert response
    return response["data"]


async def failure(hass: HomeAssistant, **more: Any) -> str:
    """Ask for data, and return the words of the error that is the answer."""
    with pytest.raises(HomeAssistantError) as caught:
        await generate(hass, **more)
    assert caught.value.translation_domain == DOMAIN
    return str(caught.value)


def attached(media_content_id: str, mime_type: str) -> list[dict[str, str]]:
    return [{"media_content_id": media_content_id, "media_content_type": mime_type}]


# Text and structures


async def test_text_comes_as_it_is_written(hass: HomeAssistant, provider: Provider) -> None:
    await add_task(hass, provider)
    provider.server.answers(provider.says('**A poem**\n\n- one 🐕\n- {"two": 2}\n'))
    assert await generate(hass) == '**A poem**\n\n- one 🐕\n- {"two": 2}'
    assert "Name an animal" in provider.told(provider.requests[0])
    assert provider.structure(provider.requests[0]) is None


async def test_structure_is_told_held_to_and_given(hass: HomeAssistant, provider: Provider) -> None:
    await add_task(hass, provider)
    provider.server.answers(provider.says(json.dumps(DOG)))
    assert await generate(hass, structure=COUNT) == DOG
    schema = provider.structure(provider.requests[0])
    assert schema["required"] == ["animal", "legs"]
    assert schema["properties"]["tame"]["type"] == "boolean"
    system = str(provider.requests[0].get("system") or provider.requests[0]["messages"][0])
    assert "What it is called" in system


@pytest.mark.parametrize(
    "written",
    [
        f"```json\n{json.dumps(DOG)}\n```",
        f"Here it is:\n\n```\n{json.dumps(DOG)}\n```\nThat's all.",
        '{"animal": "dog", "legs": "4", "tame": "yes"}',
    ],
)
async def test_what_a_small_model_makes_of_a_structure_is_understood(
    hass: HomeAssistant, provider: Provider, written: str
) -> None:
    await add_task(hass, provider)
    provider.server.answers(provider.says(written))
    assert await generate(hass, structure=COUNT) == DOG
    assert len(provider.requests) == 1


async def test_whole_numbers_stay_whole_and_nothing_given_is_left_out(
    hass: HomeAssistant, provider: Provider
) -> None:
    await add_task(hass, provider)
    provider.server.answers(provider.says('{"animal": "dog", "legs": 4, "tame": null}'))
    data = await generate(hass, structure=COUNT)
    assert json.dumps(data) == '{"animal": "dog", "legs": 4}'


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("A dog has four legs.", "not JSON"),
        ('```json\n{"animal": "dog"}\n```\n```json\n{"animal": "cat"}\n```', "not JSON"),
        ("```json\n{'animal': 'dog'}\n```", "not JSON"),
        ('{"animal": "dog", "legs": -1}', "legs"),
        ('{"animal": "dog"}', "legs"),
        ('{"animal": "dog", "legs": 4, "wings": 0}', "wings"),
        ("[]", "mapping"),
    ],
)
async def test_answer_not_as_asked_goes_back_once_with_what_is_wrong(
    hass: HomeAssistant, provider: Provider, wrong: str, why: str
) -> None:
    await add_task(hass, provider)
    provider.server.answers(provider.says(wrong), provider.says(json.dumps(DOG)))
    assert await generate(hass, structure=COUNT) == DOG
    first, again = provider.requests
    assert len(again["messages"]) == len(first["messages"]) + 2
    assert why in json.dumps(again["messages"][-1])
    assert provider.structure(again) is not None


async def test_answer_wrong_twice_is_an_error_that_says_why(
    hass: HomeAssistant, provider: Provider
) -> None:
    await add_task(hass, provider)
    provider.server.answers(
        provider.says("A dog."), provider.says('{"animal": "dog", "legs": "x"}')
    )
    said = await failure(hass, structure=COUNT)
    assert "structure" in said
    assert "legs" in said
    assert len(provider.requests) == 2


# What goes wrong


async def test_server_gone_is_said(hass: HomeAssistant, provider: Provider) -> None:
    await add_task(hass, provider)
    await provider.server.stop()
    assert await failure(hass) == "The model server can't be reached"


async def test_connection_lost_in_the_answer_is_said(
    hass: HomeAssistant, provider: Provider
) -> None:
    await add_task(hass, provider)
    provider.server.answers(provider.cut("The dog"))
    assert await failure(hass) == "The connection to the model was lost"


@pytest.mark.parametrize("more", [{}, {"structure": COUNT}])
async def test_answer_cut_short_is_no_data(
    hass: HomeAssistant, provider: Provider, more: dict[str, Any]
) -> None:
    await add_task(hass, provider)
    provider.server.answers(provider.says('{"animal": "do', stop="length"))
    assert await failure(hass, **more) == "The answer was cut short"


async def test_empty_answer_is_no_data(hass: HomeAssistant, provider: Provider) -> None:
    await add_task(hass, provider)
    provider.server.answers(provider.says(" \n"))
    assert await failure(hass) == "The model gave no answer"


async def test_empty_answer_is_asked_again_where_there_is_a_structure(
    hass: HomeAssistant, provider: Provider
) -> None:
    await add_task(hass, provider)
    provider.server.answers(provider.says(""), provider.says(json.dumps(DOG)))
    assert await generate(hass, structure=COUNT) == DOG


async def test_task_ends_in_time(hass: HomeAssistant, provider: Provider) -> None:
    await add_task(hass, provider, timeout=0.3)
    hang = provider.cut("The dog")
    provider.server.answers(
        [ollama.Fault.HANG if step is ollama.Fault.CUT else step for step in hang]
    )
    assert await failure(hass) == "That took too long, so I stopped"
    async with asyncio.timeout(5):
        await provider.server.abandoned.wait()


async def test_refused_key_asks_for_another(hass: HomeAssistant, provider: Provider) -> None:
    entry = await add_task(hass, provider)
    provider.server.key = "another"
    assert await failure(hass) == "The model server refuses the API key"
    await hass.async_block_till_done()
    assert [flow["context"]["source"] for flow in entry.async_get_active_flows(hass, {"reauth"})]


@pytest.mark.parametrize("provider", [EntryKind.ANTHROPIC], indirect=True)
async def test_refusal_is_said(hass: HomeAssistant, provider: Provider) -> None:
    await add_task(hass, provider)
    provider.server.answers(claude.answer(stop="refusal", refusal="Not that."))
    assert await failure(hass, structure=COUNT) == f"The model {claude.MODEL} will not answer that"


# Files


async def test_picture_is_shown_to_the_model(with_media: HomeAssistant, provider: Provider) -> None:
    await add_task(with_media, provider)
    provider.server.answers(provider.says("A door."))
    said = await generate(with_media, attachments=attached(PICTURE_ID, "image/png"))
    assert said == "A door."
    (picture,) = provider.files(provider.requests[0])
    assert b64decode(picture) == PICTURE


async def test_picture_stays_when_the_answer_is_asked_again(
    with_media: HomeAssistant, provider: Provider
) -> None:
    await add_task(with_media, provider)
    provider.server.answers(provider.says("A dog."), provider.says(json.dumps(DOG)))
    attachments = attached(PICTURE_ID, "image/png")
    assert await generate(with_media, structure=COUNT, attachments=attachments) == DOG
    assert [len(provider.files(request)) for request in provider.requests] == [1, 1]


@pytest.mark.parametrize("provider", [EntryKind.ANTHROPIC], indirect=True)
async def test_pdf_is_shown_to_a_model_that_reads_it(
    with_media: HomeAssistant, provider: Provider
) -> None:
    await add_task(with_media, provider)
    await generate(with_media, attachments=attached(PDF_ID, "application/pdf"))
    assert b64decode(provider.files(provider.requests[0])[0]) == b"%PDF-1.7"


@pytest.mark.parametrize("provider", [EntryKind.OLLAMA], indirect=True)
async def test_pdf_is_refused_where_no_model_reads_it(
    with_media: HomeAssistant, provider: Provider
) -> None:
    await add_task(with_media, provider)
    said = await failure(with_media, attachments=attached(PDF_ID, "application/pdf"))
    assert said == f"The model {ollama.MODEL} can't look at files of the type application/pdf"
    assert provider.requests == []


async def test_file_that_is_gone_is_said(
    with_media: HomeAssistant, provider: Provider, tmp_path: Path
) -> None:
    await add_task(with_media, provider)
    (tmp_path / "door.png").unlink()
    said = await failure(with_media, attachments=attached(PICTURE_ID, "image/png"))
    assert said == "The file door.png can't be read"


async def test_model_that_does_not_see_takes_no_files(
    with_media: HomeAssistant, provider: Provider
) -> None:
    if isinstance(provider, Ollama):
        provider.server.models[ollama.MODEL] = ["completion"]
    else:
        provider.server.models[claude.MODEL] = claude.model_info(sees=False)
    await add_task(with_media, provider)
    state = with_media.states.get(TASK)
    assert state
    features = state.attributes[ATTR_SUPPORTED_FEATURES]
    assert features == ai_task.AITaskEntityFeature.GENERATE_DATA
    with pytest.raises(ServiceValidationError):
        await generate(with_media, attachments=attached(PICTURE_ID, "image/png"))


async def test_model_turns_out_not_to_see_when_its_server_comes_back(
    with_media: HomeAssistant, provider: Provider
) -> None:
    port = provider.server.port
    await provider.server.stop()
    await add_task(with_media, provider)
    if isinstance(provider, Ollama):
        provider.server.models[ollama.MODEL] = ["completion"]
    else:
        provider.server.models[claude.MODEL] = claude.model_info(sees=False)
    await provider.server.start(port)
    said = await failure(with_media, attachments=attached(PICTURE_ID, "image/png"))
    assert "can't look at files of the type image/png" in said
    assert provider.requests == []


# Tools


def weather() -> ExtraTool:
    return ExtraTool("GetWeather", lambda **_: {"result": "Rain"}, description="Tells the weather")


@pytest.mark.parametrize("more", [{}, {"structure": COUNT}])
async def test_task_uses_the_tools_that_it_was_given(
    hass: HomeAssistant, provider: Provider, more: dict[str, Any]
) -> None:
    tool = weather()
    add_tools(hass, tool)
    await add_task(hass, provider, tools=[API_ID])
    provider.server.answers(
        provider.calls("GetWeather", where="here"), provider.says(json.dumps(DOG))
    )
    assert await generate(hass, **more) == (DOG if more else json.dumps(DOG))
    assert [call.tool_args for call in tool.calls] == [{"where": "here"}]
    assert "Rain" in provider.told(provider.requests[1])


async def test_tools_that_come_with_a_task_stand_in_for_the_models_own(
    hass: HomeAssistant, provider: Provider
) -> None:
    own, brought = weather(), ExtraTool("GetNews", lambda **_: {"result": "War is over"})
    add_tools(hass, own)
    api = add_tools(hass, brought, id="brought")
    await add_task(hass, provider, tools=[API_ID])
    provider.server.answers(provider.calls("GetNews"), provider.says("Peace."))
    result = await ai_task.async_generate_data(
        hass, task_name="Test", entity_id=TASK, instructions="What is new?", llm_api=api
    )
    assert result.data == "Peace."
    assert len(brought.calls) == 1
    assert "GetWeather" not in provider.told(provider.requests[0])


async def test_tool_that_fails_does_not_end_the_task(
    hass: HomeAssistant, provider: Provider
) -> None:
    def fail(**_: Any) -> None:
        raise RuntimeError("The sky fell down")

    api = add_tools(hass, ExtraTool("GetWeather", fail), id="brought")
    await add_task(hass, provider)
    provider.server.answers(provider.calls("GetWeather"), provider.says("I don't know."))
    result = await ai_task.async_generate_data(
        hass, task_name="Test", entity_id=TASK, instructions="Weather?", llm_api=api
    )
    assert result.data == "I don't know."


async def test_model_that_calls_for_ever_has_to_answer(
    hass: HomeAssistant, provider: Provider
) -> None:
    add_tools(hass, weather())
    await add_task(hass, provider, tools=[API_ID], max_rounds=2)
    provider.server.answers(
        provider.calls("GetWeather", day=1),
        provider.calls("GetWeather", day=2),
        provider.says(json.dumps(DOG)),
    )
    assert await generate(hass, structure=COUNT) == DOG
    last = provider.requests[-1]
    assert "tools" not in last or last["tool_choice"] == {"type": "none"}
    assert provider.structure(last)


async def test_call_written_as_text_is_made(hass: HomeAssistant, provider: Provider) -> None:
    tool = weather()
    add_tools(hass, tool)
    await add_task(hass, provider, tools=[API_ID])
    provider.server.answers(
        provider.says('{"name": "GetWeather", "arguments": {}}'), provider.says("Rain.")
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
    hass: HomeAssistant, provider: Provider
) -> None:
    llm.async_register_api(hass, SlowAPI(hass=hass, id="slow", name="Slow", tools=[]))
    await add_task(hass, provider, tools=["slow"], timeout=0.2)
    assert await failure(hass) == "That took too long, so I stopped"
    assert provider.requests == []


async def test_structure_of_any_validators_is_checked(
    hass: HomeAssistant, provider: Provider
) -> None:
    """Other integrations ask with structures of their own making."""
    await add_task(hass, provider)
    provider.server.answers(provider.says('{"n": 7}'), provider.says('{"n": 3}'))
    structure = probatio.Schema({probatio.Required("n"): probatio.All(int, probatio.Range(max=5))})
    result = await ai_task.async_generate_data(
        hass, task_name="Test", entity_id=TASK, instructions="A number", structure=structure
    )
    assert result.data == {"n": 3}
