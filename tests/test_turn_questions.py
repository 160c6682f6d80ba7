"""A question that a tool has answered is answered, and nothing else is done."""

from homeassistant.core import HomeAssistant

from custom_components.voice_gateway.prompt import ANSWER_NOW

from .agent import add_agent
from .ollama import PlayedOllama, call, calls, says

QUESTION = "is the bed light on?"
WRITTEN = '{"name": "homeassistant__GetLiveContext", "arguments": {"name": "Bed Light"}}'


async def test_a_model_that_writes_its_calls_is_reminded_to_answer(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    ollama.script = [says(WRITTEN), says("It is off.")]
    agent = await add_agent(home, ollama.url)
    answer = await agent.hears(QUESTION)
    assert answer.speech == "It is off."
    assert ollama.chats[1]["messages"][-1] == {"role": "user", "content": ANSWER_NOW}
    assert ANSWER_NOW not in str(answer.log)


async def test_a_written_call_that_failed_may_be_mended(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    ollama.script = [says(WRITTEN.replace("Bed Light", "No Such Thing")), says("There is none.")]
    agent = await add_agent(home, ollama.url)
    await agent.hears(QUESTION)
    assert ollama.chats[1]["messages"][-1]["role"] == "tool"


async def test_a_model_that_makes_its_calls_decides_by_itself(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    made = call("homeassistant__GetLiveContext", name="Bed Light")
    ollama.script = [calls(made), says("It is off.")]
    agent = await add_agent(home, ollama.url)
    await agent.hears(QUESTION)
    assert ollama.chats[1]["messages"][-1]["role"] == "tool"
