"""The turn: from a sentence to its answer, when all goes well."""

import asyncio

from homeassistant.core import HomeAssistant
import probatio
import pytest

from .agent import Agent, add_agent, calls_without_their_result
from .extra_tools import API_ID, ExtraTool, add_tools
from .ollama import PlayedOllama, call, calls, done, part, says

BED_LIGHT = call("intent__HassTurnOn", name="Bed Light")
KITCHEN_LIGHTS = call("intent__HassTurnOff", name="Kitchen Lights")
# Home Assistant's own sentences make no command of it.
WISH = "how about some cosiness"


@pytest.mark.requirement("D5")
@pytest.mark.requirement("D6")
@pytest.mark.requirement("C11")
async def test_call_is_made_and_its_result_answered(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, confirm_at_once=False)
    ollama.answers(calls(BED_LIGHT), says("The bed light is on."))
    answer = await agent.hears(WISH)
    assert home.states.is_state("light.bed_light", "on")
    assert answer.speech == "The bed light is on."
    assert not answer.is_error
    user, asked, result = ollama.chats[1]["messages"][1:]
    assert user == {"role": "user", "content": WISH}
    assert asked["tool_calls"][0]["function"]["arguments"] == {"name": "Bed Light"}
    assert (result["role"], result["tool_name"]) == ("tool", "intent__HassTurnOn")
    assert "Bed Light" in result["content"]


@pytest.mark.requirement("D4")
@pytest.mark.requirement("L6")
async def test_several_calls_of_a_message_run_at_once_and_results_keep_their_order(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    both = asyncio.Barrier(2)
    finished: list[int] = []

    async def meet(number: int) -> dict[str, str]:
        await both.wait()
        if number == 1:
            # The first one ends last.
            while 2 not in finished:  # noqa: ASYNC110 - by the next turn of the loop
                await asyncio.sleep(0)
        finished.append(number)
        return {"result": f"Number {number}"}

    add_tools(home, ExtraTool("meet", meet))
    agent = await add_agent(home, ollama.url, tools=[API_ID], timeout=5)
    ollama.answers(calls(call("meet", number=1), call("meet", number=2)), says("They met."))
    answer = await agent.hears(WISH)
    assert answer.speech == "They met."
    assert finished == [2, 1]
    results = [m["content"] for m in ollama.chats[1]["messages"] if m["role"] == "tool"]
    assert results == ["Number 1", "Number 2"]
    assert calls_without_their_result(answer.log) == []


@pytest.mark.requirement("D7")
async def test_several_rounds_of_calls(home: HomeAssistant, ollama: PlayedOllama) -> None:
    add_tools(
        home,
        ExtraTool("look", lambda: {"result": "The bed light is off"}),
        ExtraTool("remember", lambda what: {"result": f"Remembered {what}"}),
    )
    agent = await add_agent(home, ollama.url, tools=["assist", API_ID], confirm_at_once=False)
    ollama.answers(
        calls(call("look")),
        [part("One moment. "), *calls(BED_LIGHT)],
        calls(call("remember", what="light")),
        says("All done."),
    )
    answer = await agent.hears(WISH)
    assert answer.speech == "All done."
    assert home.states.is_state("light.bed_light", "on")
    assert [made.tool_name for made in answer.tool_calls] == [
        "look",
        "intent__HassTurnOn",
        "remember",
    ]
    assert len(ollama.chats) == 4
    assert all("tools" in chat for chat in ollama.chats)
    assert calls_without_their_result(answer.log) == []


@pytest.mark.requirement("D10")
async def test_model_tells_the_user_what_a_tool_refused(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, confirm_at_once=False)
    ollama.answers(calls(call("intent__HassTurnOn", name="Moon")), says("There is no moon here."))
    answer = await agent.hears(WISH)
    assert answer.speech == "There is no moon here."
    assert ollama.chats[1]["messages"][-1]["content"].startswith("Error: ")


@pytest.mark.requirement("B8")
async def test_unknown_tool_does_not_end_the_turn(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.answers(calls(call("sing", song="anything")), says("I cannot sing."))
    answer = await agent.hears(WISH)
    assert answer.speech == "I cannot sing."
    text = ollama.chats[1]["messages"][-1]["content"]
    assert text.startswith('Error: Unknown tool "sing"')
    assert "intent__HassTurnOn" in text


async def test_plain_command_is_confirmed_in_home_assistants_words(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(calls(BED_LIGHT))
    answer = await agent.hears("turn on the bed light")
    assert agent.hass.states.is_state("light.bed_light", "on")
    assert "Turned on" in answer.speech
    # The model was not asked again.
    assert len(ollama.chats) == 1


async def test_two_commands_in_one_sentence_are_both_done(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(calls(BED_LIGHT, KITCHEN_LIGHTS))
    answer = await agent.hears("turn on the bed light and turn off the kitchen lights")
    assert agent.hass.states.is_state("light.bed_light", "on")
    assert agent.hass.states.is_state("light.kitchen_lights", "off")
    assert answer.speech
    assert not answer.is_error


async def test_what_the_model_claims_and_did_not_do_is_not_said(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    claim = "I have turned on the bed light."
    ollama.answers(says(claim), says(claim))
    answer = await agent.hears("turn on the bed light")
    assert home.states.is_state("light.bed_light", "off")
    assert claim not in answer.speech
    assert claim not in "".join(answer.streamed)
    assert answer.is_error


async def test_home_assistant_acts_where_the_model_only_talks(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(says("I have turned on the bed light."))
    answer = await agent.hears("turn on the bed light")
    assert agent.hass.states.is_state("light.bed_light", "on")
    assert not answer.is_error
    assert calls_without_their_result(answer.log) == []


async def test_agent_without_tools_talks(home: HomeAssistant, ollama: PlayedOllama) -> None:
    agent = await add_agent(home, ollama.url, tools=[])
    ollama.answers(says("Hello ", "there."))
    answer = await agent.hears(WISH)
    assert answer.speech == "Hello there."
    assert "tools" not in ollama.chats[0]


async def test_tools_that_are_gone_cost_only_themselves(
    home: HomeAssistant, ollama: PlayedOllama, caplog: pytest.LogCaptureFixture
) -> None:
    add_tools(home, ExtraTool("admin", dict), id="admin", requires_admin=True)
    agent = await add_agent(
        home, ollama.url, tools=["gone", "admin", "assist"], confirm_at_once=False
    )
    ollama.answers(calls(BED_LIGHT), says("It is on."))
    answer = await agent.hears(WISH)
    assert answer.speech == "It is on."
    assert home.states.is_state("light.bed_light", "on")
    names = {tool["function"]["name"] for tool in ollama.chats[0]["tools"]}
    assert "admin" not in names
    assert "without the tools of gone" in caplog.text


async def test_instructions_and_serializer_of_another_api_are_used(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    class Colour:
        """A type of argument that only its API knows."""

    def serialize(value: object) -> dict[str, object] | None:
        return {"type": "string", "enum": ["red"]} if isinstance(value, Colour) else None

    tool = ExtraTool("paint", lambda **_: {})
    tool.parameters = probatio.Schema({probatio.Required("colour"): Colour()})
    add_tools(home, tool, prompt="Paint only in red.", serializer=serialize)
    agent = await add_agent(home, ollama.url, tools=["assist", API_ID])
    await agent.hears(WISH)
    (paint,) = [
        offered["function"]
        for offered in ollama.chats[0]["tools"]
        if offered["function"]["name"] == "paint"
    ]
    assert paint["parameters"]["properties"]["colour"] == {"type": "string", "enum": ["red"]}
    assert "Paint only in red." in ollama.chats[0]["messages"][0]["content"]


async def test_thoughts_are_not_spoken(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.answers([part(thinking="What do they want? "), part("I am well."), done()])
    answer = await agent.hears("how are you")
    assert answer.speech == "I am well."
    assert answer.streamed == ["I am well."]


async def test_tools_own_words_are_spoken_where_the_model_has_none(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    add_tools(home, ExtraTool("water", lambda: {"result": "The garden is being watered."}))
    agent = await add_agent(home, ollama.url, tools=[API_ID])
    ollama.answers(calls(call("water")), says(""))
    answer = await agent.hears(WISH)
    assert answer.speech == "The garden is being watered."
    assert not answer.is_error
