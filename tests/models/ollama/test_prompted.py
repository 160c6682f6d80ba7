"""Models without tools: told of them in the prompt, held to a schema, and none the wiser."""

from collections.abc import Iterator
import json
from pathlib import Path
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir, llm
from hypothesis import given, strategies as st
import probatio
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.models.functions import to_functions
from custom_components.voice_gateway.models.history import to_messages
from custom_components.voice_gateway.models.ollama.server import OllamaModel
from custom_components.voice_gateway.models.prompted_tools import PromptedTools, SayParser
from tests.agent import Agent, add_agent
from tests.extra_tools import ExtraAPI, ExtraTool
from tests.ollama import MODEL, PlayedOllama, call, calls, error, says
from tests.real_model import real_model

pytestmark = pytest.mark.requirement("K1")

CONTEXT = llm.LLMContext(
    platform="test", context=None, language="en", assistant="conversation", device_id=None
)
QWEN = "qwen2.5-coder:1.5b"
GEMMA = "gemma3:270m"
REFUSAL = f"registry.ollama.ai/library/{MODEL} does not support tools"


def wrote(**answer: Any) -> list[Any]:
    """Return an answer that is one object, in pieces of three letters."""
    text = json.dumps(answer)
    return list(says(*(text[index : index + 3] for index in range(0, len(text), 3))))


def called(name: str, /, **arguments: Any) -> list[Any]:
    return wrote(calls=[{"name": name, "arguments": arguments}])


@pytest.fixture
def no_tools(ollama: PlayedOllama) -> None:
    """A model of which its server says that it has no tools."""
    ollama.models[MODEL] = ["completion"]


@pytest.mark.usefixtures("no_tools")
async def test_a_model_without_tools_controls_a_light(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.answers(called("HassTurnOff", name="Kitchen Lights"), wrote(say="It is off now."))
    await agent.hears("Would you switch the kitchen lights off for me, pretty please")
    assert agent.hass.states.is_state("light.kitchen_lights", "off")
    request = ollama.chats[0]
    assert "tools" not in request
    shown = [message["content"] for message in request["messages"]]
    assert '{"calls": [{"name": "HassTurnOff", "arguments": {"name": "Hall Light"}}]}' in shown
    assert "HassTurnOff(" in request["messages"][0]["content"]
    assert {message["role"] for message in request["messages"]} <= {"system", "user", "assistant"}


@pytest.mark.usefixtures("no_tools")
async def test_what_it_says_is_spoken_as_it_is_written(agent: Agent, ollama: PlayedOllama) -> None:
    text = "It is “21” °C 🌡, and\nthat's warm."
    ollama.answers(wrote(say=text))
    answer = await agent.hears("How do you feel about the weather")
    assert answer.speech.split() == ["It", "is", "“21”", "°C,", "and", "that's", "warm."]
    assert len(answer.streamed) > 1, "Speech begins before the answer ends"


async def test_a_server_that_refuses_tools_is_asked_without_them_from_then_on(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(error(400, REFUSAL), wrote(say="Hello."), wrote(say="Hello again."))
    assert (await agent.hears("Hi there you")).speech == "Hello."
    assert (await agent.hears("Hi there again")).speech == "Hello again."
    assert ["tools" in request for request in ollama.chats] == [True, False, False]


@pytest.mark.usefixtures("no_tools")
async def test_a_server_that_takes_no_schema_is_asked_without_it(
    agent: Agent, ollama: PlayedOllama
) -> None:
    refusal = error(500, "failed to parse grammar")
    ollama.answers(refusal, wrote(say="Hello."), wrote(say="Hello again."))
    assert (await agent.hears("Hi there you")).speech == "Hello."
    assert (await agent.hears("Hi there again")).speech == "Hello again."
    assert ["format" in request for request in ollama.chats] == [True, False, False]


@pytest.mark.usefixtures("no_tools")
async def test_a_model_that_ignores_the_schema_is_understood(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(says("```json\n", '{"say": "Hello', '."}', "\n```"), says("Just text."))
    assert (await agent.hears("Hi there you")).speech == "Hello."
    assert (await agent.hears("Hi there again")).speech == "Just text."


@pytest.mark.usefixtures("no_tools")
async def test_results_come_back_as_the_users_words(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.answers(called("GetLiveContext"), wrote(say="Two lights are on."))
    answer = await agent.hears("Which of the lights do you think are on")
    assert answer.speech == "Two lights are on."
    *_, made, result = ollama.chats[-1]["messages"]
    assert made["role"] == "assistant"
    assert json.loads(made["content"])["calls"][0]["name"] == "GetLiveContext"
    assert result["role"] == "user"
    assert result["content"].startswith("GetLiveContext: ")


@pytest.mark.usefixtures("no_tools")
async def test_a_model_that_has_to_answer_is_told_the_same_and_held_to_an_answer(
    agent: Agent, ollama: PlayedOllama
) -> None:
    again = [called("GetLiveContext") for _ in range(2)]
    ollama.answers(*again, wrote(say="Two lights are on."))
    assert (await agent.hears("Why are the lights on")).speech == "Two lights are on."
    first, *_, last = ollama.chats
    assert last["messages"][0] == first["messages"][0]
    assert "anyOf" in first["format"]
    assert list(last["format"]["properties"]) == ["say"]


@pytest.mark.usefixtures("no_tools")
async def test_the_server_is_asked_once_what_a_model_can_do(
    agent: Agent, ollama: PlayedOllama
) -> None:
    await agent.hears("Hi there you")
    ollama.models[MODEL] = ["completion", "tools"]
    await agent.hears("Hi there again")
    assert "tools" not in ollama.chats[-1]


async def test_a_model_with_tools_is_asked_in_its_own_way(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(calls(call("intent__HassTurnOff", name="Kitchen Lights")))
    await agent.hears("Would you switch the kitchen lights off for me, pretty please")
    assert "tools" in ollama.chats[0]
    assert "format" not in ollama.chats[0]


@pytest.mark.usefixtures("no_tools")
async def test_a_model_whose_calls_often_fail_is_reported_until_it_does_better(
    agent: Agent, ollama: PlayedOllama
) -> None:
    issues = ir.async_get(agent.hass)
    (subentry_id,) = agent.entry.subentries
    issue_id = f"model_fails_often_{subentry_id}"
    sentences = 0
    while issues.async_get_issue(DOMAIN, issue_id) is None:
        sentences += 1
        assert sentences <= 9
        ollama.answers(called("HassTurnOn", name=f"Nothing {sentences}"), wrote(say="I can't."))
        await agent.hears("Would you please do something about it")
    assert sentences > 3, "One failure or two are no reason to complain"
    issue = issues.async_get_issue(DOMAIN, issue_id)
    assert issue
    assert issue.translation_placeholders == {"name": "Jarvis", "model": MODEL}
    for _ in range(9):
        ollama.answers(called("GetLiveContext"), wrote(say="All is well."))
        await agent.hears("Would you please look whether all is well")
    assert issues.async_get_issue(DOMAIN, issue_id) is None


async def instance(hass: HomeAssistant, *tools: llm.Tool) -> llm.APIInstance:
    api = ExtraAPI(hass=hass, id="test", name="Test", tools=list(tools))
    return await api.async_get_api_instance(CONTEXT)


async def test_a_tool_is_described_in_one_short_line(hass: HomeAssistant) -> None:
    schema = probatio.Schema(
        {
            probatio.Required("query"): str,
            probatio.Optional("count"): int,
            probatio.Optional("kind"): probatio.In(["a", "b"]),
            probatio.Optional("names"): [str],
        }
    )
    tools = await instance(
        hass,
        ExtraTool(
            "extra__search", dict, description="Search the web. More words.", parameters=schema
        ),
    )
    prompted = PromptedTools(tools)
    assert (
        "search(query, count?: integer, kind?: a|b, names?: []): Search the web.\n"
        in prompted.instructions
    )
    calls_schema = prompted.schema["anyOf"][0]["properties"]["calls"]["items"]["anyOf"][0]
    assert calls_schema["properties"]["name"] == {"enum": ["search"]}
    assert calls_schema["properties"]["arguments"]["required"] == ["query"]


async def test_examples_are_shown_only_of_tools_that_there_are(hass: HomeAssistant) -> None:
    tools = await instance(hass, ExtraTool("HassTurnOn", dict))
    assert not list(PromptedTools(tools).examples)
    assert not list(PromptedTools(None).examples)


async def test_tools_that_differ_in_their_prefix_keep_it(hass: HomeAssistant) -> None:
    tools = await instance(hass, ExtraTool("one__search", dict), ExtraTool("two__search", dict))
    text = PromptedTools(tools).instructions
    assert "one__search(" in text
    assert "two__search(" in text


async def test_short_names_are_the_prompts_alone(hass: HomeAssistant) -> None:
    """The same tool may be shown to a model that calls it by its whole name."""
    tools = await instance(hass, ExtraTool("one__search", dict))
    assert "search(" in PromptedTools(tools).instructions
    (function,) = to_functions(tools.tools)
    assert function["function"]["name"] == "one__search"


def test_a_template_without_system_role_has_the_prompt_in_the_first_message() -> None:
    content: list[conversation.Content] = [
        conversation.SystemContent("Be kind."),
        conversation.UserContent("Hi"),
        conversation.AssistantContent(agent_id="agent", content="Hello."),
    ]
    assert to_messages(content, PromptedTools(None).written, has_system=False) == [
        {"role": "user", "content": "Be kind.\n\nHi"},
        {"role": "assistant", "content": '{"say": "Hello."}'},
    ]
    assert PromptedTools(None).schema["required"] == ["say"]


def test_what_a_server_says_of_a_model_is_taken_over() -> None:
    known = OllamaModel(MODEL).known()
    assert known.calls_tools, "An old server says nothing of capabilities"
    assert known.has_system


def test_a_template_tells_whether_there_is_a_system_role() -> None:
    known = OllamaModel(
        MODEL, frozenset({"completion"}), "<start_of_turn>user\n{{ .Prompt }}<end_of_turn>"
    ).known()
    assert not known.calls_tools
    assert not known.has_system
    assert not known.thinking.opened_by_template


def test_a_template_tells_whether_messages_begin_in_the_thinking() -> None:
    known = OllamaModel(
        MODEL, frozenset({"completion"}), "{{ .System }}<|assistant|><think>\n{{- end }}"
    ).known()
    assert known.has_system
    assert known.thinking.opened_by_template


def read(*pieces: str) -> str:
    answer = SayParser()
    deltas = [delta for piece in pieces for delta in answer.feed(piece)] + answer.end()
    return "".join(delta.get("content") or "" for delta in deltas)


@given(st.text(), st.booleans())
def test_what_is_said_arrives_letter_by_letter_as_it_was_meant(text: str, ascii_only: bool) -> None:
    text = text.translate(dict.fromkeys(map(ord, "\r\b\f\x00")))
    text = text.encode("utf-16", "replace").decode("utf-16")
    written = json.dumps({"say": text}, ensure_ascii=ascii_only)
    assert read(*written) == read(written) == text


@given(
    st.lists(
        st.sampled_from(['{"say": "', '"', "{", "}", "\\", "\\u", "d83d", "```", "say", ",", "x"])
    ).map("".join)
)
def test_no_answer_makes_it_raise_or_depends_on_its_pieces(text: str) -> None:
    assert read(*text) == read(text)


@pytest.mark.parametrize("text", ["Hello.", '{"calls": []}', '{"s": 1}', '["say"]', '"say'])
def test_what_is_no_such_object_passes_as_it_is(text: str) -> None:
    assert read(*text) == read(text) == text


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("It\\'s on.", "It's on."),
        ("Two\nlines\tand \x00 more", "Two\nlines\tand \x00 more"),
        (r"Half \ud83d a \ude00 letter \ud83d\ude00", "Half � a � letter 😀"),
        (r"No \u12x escape", "No u12x escape"),
    ],
)
def test_a_string_that_is_not_quite_json_is_said(written: str, said: str) -> None:
    text = f'{{"say": "{written}"}}'
    assert read(*text) == read(text) == said


def test_calls_behind_what_is_said_are_kept() -> None:
    text = '{"say": "I do it.", "calls": [{"name": "x", "arguments": {}}]}'
    assert read(text) == 'I do it.{ "calls": [{"name": "x", "arguments": {}}]}'


@pytest.fixture
def live_url(request: pytest.FixtureRequest, socket_enabled: None, tmp_path: Path) -> Iterator[str]:
    """The embedded server with a real model that has no tools, or of which it says so."""
    with real_model(tmp_path, *request.param) as url:
        yield url


@pytest.mark.live
@pytest.mark.parametrize("live_url", [("1.5b", "--no-tools", QWEN)], indirect=True)
async def test_a_real_model_without_tools_controls_lights(
    home: HomeAssistant, live_url: str
) -> None:
    agent = await add_agent(home, live_url, model=QWEN, timeout=600, second_opinion=False)
    for sentence, entity_id, state in (
        ("Turn off the kitchen lights", "light.kitchen_lights", "off"),
        ("Please turn the bed light on", "light.bed_light", "on"),
    ):
        answer = await agent.hears(sentence)
        assert home.states.is_state(entity_id, state), answer.tool_calls
        assert "{" not in answer.speech


@pytest.mark.live
@pytest.mark.parametrize("live_url", [("270m",)], indirect=True)
async def test_the_smallest_model_controls_a_light(home: HomeAssistant, live_url: str) -> None:
    """These weights were never taught to follow instructions: they know on, and not off."""
    agent = await add_agent(home, live_url, model=GEMMA, timeout=600, second_opinion=False)
    answer = await agent.hears("Please turn the bed light on")
    assert home.states.is_state("light.bed_light", "on"), answer.tool_calls
    assert "{" not in answer.speech
    answer = await agent.hears("Please turn the bed light off")
    assert all(result.error for result in answer.tool_results)
    assert "{" not in answer.speech
