"""A conversation goes on: the microphone stays open for an answer, and what was done is known."""

from typing import Any

from homeassistant.components.conversation import HOME_ASSISTANT_AGENT, async_prepare_intents
from homeassistant.core import HomeAssistant
import pytest

from tests.devices import async_change_device
from tests.rows import rows

from ..agent import Agent, add_agent, calls_without_their_result
from ..ollama import PlayedOllama, call, calls, error, says

SENTENCE = "turn on the bed light"
BED_LIGHT = call("intent__HassTurnOn", name="Bed Light")
BED_LIGHT_OFF = call("intent__HassTurnOff", name="Bed Light")
CEILING = call("intent__HassTurnOn", name="Ceiling Lights")


@pytest.fixture
async def bedroom(home: HomeAssistant) -> HomeAssistant:
    """A home with two lights in its bedroom."""
    await async_change_device(home, "light.ceiling_lights", area="Bedroom")
    await home.services.async_call(
        "light", "turn_off", {"entity_id": "light.ceiling_lights"}, blocking=True
    )
    # A busy machine takes longer for it than an answer waits.
    await async_prepare_intents(home, "en")
    return home


def after_the_prompt(ollama: PlayedOllama) -> list[dict[str, Any]]:
    """Return the conversation that the last request told."""
    messages: list[dict[str, Any]] = ollama.chats[-1]["messages"]
    return messages[1:]


# The microphone


@pytest.mark.parametrize("keep_formatting", [False, True])
@rows(
    "asked",
    [
        "Which lamp?",
        "Which lamp? ",
        "Which lamp? 💡",
        "Which lamp?! 👨‍👩‍👧",
        "Did you say “lamp?”",
        "Which one (or both?)",
        "أي مصباح؟",
        "你想开哪一盏灯？",
        "「どちらですか？」",
        "Ποια λάμπα;",
        "Ποια λάμπα\N{GREEK QUESTION MARK}",
        "What now ❓",
    ],
)
async def test_question_keeps_the_microphone_open(
    home: HomeAssistant, ollama: PlayedOllama, asked: str, keep_formatting: bool
) -> None:
    if "❓" in asked and not keep_formatting:
        return  # An emoji is not spoken.
    agent = await add_agent(home, ollama.url, keep_formatting=keep_formatting)
    ollama.answers(says(asked))
    assert (await agent.hears("how are you")).result.continue_conversation


@rows("said", ["It is on.", "Is it on? Yes.", "我很好。", "Oh! 💡", "哪个？这个"])
async def test_statement_closes_the_microphone(
    agent: Agent, ollama: PlayedOllama, said: str
) -> None:
    ollama.answers(says(said))
    assert not (await agent.hears("how are you")).result.continue_conversation


async def test_failure_closes_the_microphone(agent: Agent, ollama: PlayedOllama) -> None:
    await ollama.stop()
    assert not (await agent.hears("how are you")).result.continue_conversation


async def test_question_about_a_command_is_asked_and_answered(
    bedroom: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(bedroom, ollama.url)
    ollama.answers(says("The bed light or the ceiling lights?"), calls(CEILING))
    first = await agent.hears("turn on the light up there")
    assert first.speech == "The bed light or the ceiling lights?"
    assert first.result.continue_conversation
    second = await agent.hears("the ceiling lights", first.conversation_id)
    assert bedroom.states.is_state("light.ceiling_lights", "on")
    assert bedroom.states.is_state("light.bed_light", "off")
    assert not second.is_error
    asked, question, reply = after_the_prompt(ollama)[:3]
    assert asked["content"] == "turn on the light up there"
    assert question == {"role": "assistant", "content": first.speech}
    assert reply["content"] == "the ceiling lights"


# No, the other one


@pytest.mark.parametrize(
    ("options", "answers"),
    [
        pytest.param(
            {"confirm_at_once": False},
            [calls(BED_LIGHT), says("The bed light is on.")],
            id="in the model's words",
        ),
        pytest.param({}, [calls(BED_LIGHT)], id="confirmed at once"),
        pytest.param({}, [says("I have turned on the bed light.")], id="second opinion"),
        pytest.param(
            {"fallback_agent": HOME_ASSISTANT_AGENT}, [error(503, "server busy")], id="second agent"
        ),
    ],
)
async def test_other_one_is_done_after_any_answer(
    bedroom: HomeAssistant, ollama: PlayedOllama, options: dict[str, Any], answers: list[Any]
) -> None:
    """The bed light is turned on, then the other light of the room instead."""
    agent = await add_agent(bedroom, ollama.url, **options)
    ollama.answers(*answers)
    first = await agent.hears(SENTENCE)
    assert bedroom.states.is_state("light.bed_light", "on")
    ollama.chats.clear()
    ollama.answers(calls(BED_LIGHT_OFF, CEILING), says("Now the ceiling lights are on."))
    second = await agent.hears("no, the other one", first.conversation_id)
    if ollama.chats:
        # What another agent did is no deed of ours: the model is told of it.
        user, made, result, said, follow_up = after_the_prompt(ollama)
        assert user["content"] == SENTENCE
        called = made["tool_calls"][0]["function"]
        assert called["name"].endswith("HassTurnOn")
        assert "Bed Light" in str(called["arguments"])
        assert (result["role"], result["tool_name"]) == ("tool", called["name"])
        assert not result["content"].startswith("Error")
        assert said == {"role": "assistant", "content": first.speech}
        assert follow_up == {"role": "user", "content": "no, the other one"}
    assert bedroom.states.is_state("light.bed_light", "off")
    assert bedroom.states.is_state("light.ceiling_lights", "on")
    assert not second.is_error
    assert calls_without_their_result(second.log) == []


async def test_other_one_that_the_model_writes(
    bedroom: HomeAssistant, ollama: PlayedOllama
) -> None:
    """A call that is merely written is held to what the user said, in this sentence or before."""
    agent = await add_agent(bedroom, ollama.url)
    ollama.answers(
        says('{"name": "intent__HassTurnOn", "arguments": {"name": "Bed Light"}}'),
    )
    first = await agent.hears(SENTENCE)
    assert bedroom.states.is_state("light.bed_light", "on")
    ollama.answers(
        says('{"name": "intent__HassTurnOn", "arguments": {"name": "Ceiling Lights"}}'),
        says("The ceiling lights are on."),
    )
    await agent.hears("no, the other one", first.conversation_id)
    assert bedroom.states.is_state("light.ceiling_lights", "on")


@pytest.mark.parametrize("sentence", ["thank you", "now turn it off", "no, the other lock"])
async def test_no_other_one_is_made_up(
    bedroom: HomeAssistant, ollama: PlayedOllama, sentence: str
) -> None:
    agent = await add_agent(bedroom, ollama.url)
    first = await agent.hears("turn on the office light")
    ollama.answers(says('{"name": "intent__HassTurnOn", "arguments": {"name": "Ceiling Lights"}}'))
    second = await agent.hears(sentence, first.conversation_id)
    assert bedroom.states.is_state("light.ceiling_lights", "off")
    assert calls_without_their_result(second.log) == []
