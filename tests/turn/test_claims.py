"""What a model says of a command of which nothing was done."""

from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.heard import heard
from tests.agent import Agent, add_agent
from tests.model_servers import ModelServer, call as model_call
from tests.ollama import PlayedOllama, call, calls, says


async def test_model_that_is_told_that_nothing_was_done_may_still_do_it(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    ollama.answers(
        says("I have turned on the bed light."),
        calls(call("intent__HassTurnOn", name="Bed Light")),
    )
    answer = await agent.hears("turn on the bed light")
    assert answer.speech == "Turned on Bed Light"
    assert home.states.is_state("light.bed_light", "on")
    assert "Nothing was done" in ollama.chats[1]["messages"][-1]["content"]


async def test_device_that_does_not_exist_is_not_claimed_to_be_on(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(says("I have turned on the sauna."), says("There is no sauna here."))
    answer = await agent.hears("turn on the sauna")
    assert answer.speech == "There is no sauna here."


async def test_second_opinion_acts_only_with_the_agents_own_tools(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, tools=[])
    ollama.answers(says("I cannot do that."))
    assert (await agent.hears("turn on the bed light")).speech == "I cannot do that."
    assert home.states.is_state("light.bed_light", "off")


async def test_claim_about_a_sentence_that_was_not_read_in_time_is_not_said(
    home: HomeAssistant, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is a command is not known then: no claim of it is trusted."""
    monkeypatch.setattr(heard, "PATIENCE", 0)
    agent = await add_agent(home, model_server)
    model_server.answers(*[model_server.says("I have turned on the bed light.")] * 2)
    answer = await agent.hears("turn on the bed light")
    assert answer.speech == "I did not manage to do that."
    assert answer.streamed == []
    assert home.states.is_state("light.bed_light", "off")


async def test_denial_of_a_sentence_that_was_not_read_in_time_is_said(
    home: HomeAssistant, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heard, "PATIENCE", 0)
    agent = await add_agent(home, model_server)
    model_server.answers(model_server.says("There is no sauna."))
    assert (await agent.hears("turn on the sauna")).speech == "There is no sauna."


async def test_second_opinion_does_nothing_after_the_model_did(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, confirm_at_once=False)
    made = model_call("intent__HassTurnOn", name="Bed Light")
    model_server.answers(model_server.calls(made), model_server.message())
    answer = await agent.hears("turn on the bed light")
    assert len(answer.tool_results) == 1
    assert answer.speech == "Done."
