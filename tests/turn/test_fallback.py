"""Where the model does not answer, a second agent does, once, and nothing is done twice."""

import asyncio
from dataclasses import replace

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationInput
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import SOURCE_REAUTH
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers import llm
from homeassistant.helpers.dispatcher import async_dispatcher_connect
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN, EntryKind
from custom_components.voice_gateway.models.client import Reason
from custom_components.voice_gateway.turn.report import TurnReport, turn_reported
from tests.turn.second_agent import (
    BED_LIGHT,
    BUILT_IN,
    FIRST,
    LOST,
    SECOND,
    TOO_LONG,
    UNREACHABLE,
    WISH,
    add_first,
    add_listening,
    answer_hello,
    answers,
    nobody,
    sentences,
)

from .. import anthropic as claude
from ..agent import Agent, add_agent, calls_without_their_result, in_time
from ..extra_tools import API_ID, ExtraTool, add_tools
from ..model_servers import ModelServer, Thought, serving
from ..ollama import MODEL, Fault, PlayedOllama, Step, call, calls, done, error, part, says

HOME = (llm.LLM_API_ASSIST,)

# Home Assistant's own agent


async def test_lights_work_with_the_server_off(
    home: HomeAssistant, ollama: PlayedOllama, caplog: pytest.LogCaptureFixture
) -> None:
    agent = await add_agent(home, ollama.url, fallback_agent=BUILT_IN)
    await ollama.stop()
    with caplog.at_level("INFO"):
        answer = await agent.hears("turn on the bed light")
    assert home.states.is_state("light.bed_light", "on")
    assert not answer.is_error
    assert "urned on" in answer.speech
    assert sentences(answer) == ["turn on the bed light"]
    assert answers(answer) == [(agent.entity_id, answer.speech)], "it is done by our own rules"
    assert calls_without_their_result(answer.log) == []
    assert f"{BUILT_IN} answered for {agent.entity_id}: {Reason.UNREACHABLE}" in caplog.text


# When it is asked


@pytest.mark.parametrize(
    ("played", "reason"),
    [
        pytest.param(error(503, "server busy, please try again."), Reason.OVERLOADED, id="busy"),
        pytest.param(error(404, f"model '{MODEL}' not found"), Reason.MODEL_NOT_FOUND, id="gone"),
        pytest.param(error(401, "unauthorized"), Reason.UNAUTHORIZED, id="unauthorized"),
        pytest.param(error(400, "exceeds the context size"), Reason.CONTEXT_EXCEEDED, id="context"),
        pytest.param([Fault.CUT], Reason.CONNECTION_LOST, id="cut before the answer"),
        pytest.param(
            [part(thinking="Let me see."), Fault.CUT], Reason.CONNECTION_LOST, id="cut in thought"
        ),
    ],
)
async def test_second_agent_answers_what_the_first_did_not_begin_to(
    second: Agent,
    ollama: PlayedOllama,
    spare: PlayedOllama,
    played: list[Step],
    reason: Reason,
) -> None:
    agent = await add_first(second, ollama.url)
    reports: list[TurnReport] = []
    (subentry_id,) = agent.entry.subentries

    @callback
    def keep(report: TurnReport) -> None:
        reports.append(report)

    agent.entry.async_on_unload(
        async_dispatcher_connect(agent.hass, turn_reported(subentry_id), keep)
    )
    ollama.answers(played)
    spare.answers(says("It is ", "cosy now."))
    answer = await agent.hears(WISH)
    assert answer.speech == "It is cosy now."
    assert not answer.is_error
    assert answer.streamed == ["It is cosy now."]
    assert sentences(answer) == [WISH]
    assert answers(answer) == [(SECOND, "It is cosy now.")]
    # The second one hears the same as if it had been asked first.
    assert [m["content"] for m in spare.chats[0]["messages"][1:]] == [WISH]
    (report,) = reports
    assert (report.failure, report.fallback_agent) == (reason, SECOND)


async def test_key_that_is_refused_is_asked_for_though_somebody_else_answered(
    second: Agent, ollama: PlayedOllama
) -> None:
    agent = await add_first(second, ollama.url)
    ollama.key = "new"
    answer = await agent.hears(WISH)
    assert answer.speech == "OK."
    (flow,) = agent.hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    assert flow["context"]["source"] == SOURCE_REAUTH
    assert flow["context"]["entry_id"] == agent.entry.entry_id


async def test_words_held_back_do_not_keep_the_second_agent_from_acting(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """What is said of a command is not heard before something was done."""
    await conversation.async_prepare_intents(home, "en")
    agent = await add_agent(home, ollama.url, fallback_agent=BUILT_IN)
    ollama.answers([part("I have turned on "), Fault.CUT])
    answer = await agent.hears("turn on the bed light")
    assert home.states.is_state("light.bed_light", "on")
    assert "I have" not in answer.speech
    assert sentences(answer) == ["turn on the bed light"]
    assert answers(answer) == [(agent.entity_id, answer.speech)]


async def test_bad_answer_is_no_reason_to_ask_another(
    second: Agent, ollama: PlayedOllama, spare: PlayedOllama
) -> None:
    agent = await add_first(second, ollama.url)
    ollama.answers([done()])
    answer = await agent.hears(WISH)
    assert answer.speech == "The model gave no answer."
    assert spare.chats == []


async def test_whoever_is_asked_hears_it_as_the_first_one_did(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent_id, other = add_listening(home, answer_hello)
    agent = await add_agent(home, ollama.url, fallback_agent=agent_id)
    await ollama.stop()
    context = Context()
    result = await conversation.async_converse(
        home,
        "bonjour",
        "kitchen",
        context,
        "fr",
        agent_id=agent.entity_id,
        device_id="a device",
        satellite_id="assist_satellite.kitchen",
        extra_system_prompt="Be brief.",
    )
    assert result.conversation_id == "kitchen"
    assert result.response.speech["plain"]["speech"] == "Hello from the other one."
    (utterance,) = other.utterance
    assert utterance.context.parent_id == context.id
    assert [utterance] == [
        ConversationInput(
            text="bonjour",
            context=utterance.context,
            conversation_id="kitchen",
            device_id="a device",
            satellite_id="assist_satellite.kitchen",
            language="fr",
            agent_id=agent_id,
            extra_system_prompt="Be brief.",
        )
    ]


async def test_answer_of_an_agent_without_chat_log_is_in_the_conversation(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent_id, _ = add_listening(home, answer_hello)
    agent = await add_agent(home, ollama.url, fallback_agent=agent_id)
    await ollama.stop()
    answer = await agent.hears("hello")
    assert answers(answer) == [(agent_id, "Hello from the other one.")]
    await ollama.start(ollama.port)
    await agent.hears("who was that", answer.conversation_id)
    said = [m["content"] for m in ollama.chats[-1]["messages"][1:]]
    assert said == ["hello", "Hello from the other one.", "who was that"]


# Never two answers, never two actions


async def test_server_killed_during_the_answer_is_told_by_the_one_that_spoke(
    second: Agent, ollama: PlayedOllama, spare: PlayedOllama
) -> None:
    agent = await add_first(second, ollama.url)
    spoken = asyncio.Event()
    ollama.answers([part("The light is red. It is"), spoken, Fault.CUT])
    answer = await agent.hears(
        "how is the light", on_delta=lambda delta: spoken.set() if "content" in delta else None
    )
    assert answer.speech == f"The light is red. It is {LOST}"
    assert spare.chats == []


@pytest.mark.parametrize("fault", [Fault.CUT, Fault.HANG])
async def test_nobody_else_is_asked_once_a_tool_was_called(
    second: Agent, ollama: PlayedOllama, spare: PlayedOllama, fault: Fault
) -> None:
    agent = await add_first(
        second, ollama.url, timeout=0.4, fallback_after=0.2, confirm_at_once=False
    )
    ollama.answers([part(tool_calls=[BED_LIGHT]), fault])
    answer = await agent.hears(WISH)
    assert agent.hass.states.is_state("light.bed_light", "on")
    assert answer.speech == f"Done. {LOST if fault is Fault.CUT else TOO_LONG}"
    assert len(answer.tool_calls) == 1
    assert spare.chats == []


async def test_nobody_else_is_asked_in_a_later_round(
    home: HomeAssistant, second: Agent, ollama: PlayedOllama, spare: PlayedOllama
) -> None:
    step = ExtraTool("step", lambda: {"result": "A step was taken."})
    add_tools(home, step)
    agent = await add_first(second, ollama.url, tools=[API_ID])
    ollama.answers(calls(call("step")), error(503, "server busy"))
    answer = await agent.hears(WISH)
    assert len(step.calls) == 1
    assert answer.is_error
    assert spare.chats == []


# In time


@pytest.mark.parametrize("thoughts", [(), (Thought("Let me see."),)])
async def test_model_of_any_provider_that_breaks_off_before_it_speaks(
    home: HomeAssistant, model_server: ModelServer, thoughts: tuple[Thought, ...]
) -> None:
    agent = await add_agent(home, model_server, fallback_agent=BUILT_IN)
    model_server.answers(model_server.message(*thoughts, Fault.CUT, ends=None))
    answer = await agent.hears("turn on the bed light")
    assert home.states.is_state("light.bed_light", "on")
    assert answers(answer) == [(agent.entity_id, answer.speech)]
    # The next sentence is for the model again, and it is told what was done.
    model_server.answers(model_server.says("I am ", "back."))
    following = await agent.hears("how are you", answer.conversation_id)
    assert following.speech == "I am back."
    request = model_server.requests[-1]
    assert model_server.unpaired(request) == []
    user, made, result, said, _ = model_server.conversation(request)
    assert (user.who, user.text) == ("user", "turn on the bed light")
    assert (made.who, made.tool) == ("call", "intent__HassTurnOn")
    assert (result.who, result.tool) == ("result", "intent__HassTurnOn")
    assert (said.who, said.text) == ("model", answer.speech)


async def test_silent_model_of_any_provider_is_given_up_in_time(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    await conversation.async_prepare_intents(home, "en")
    agent = await add_agent(home, model_server, fallback_agent=BUILT_IN, fallback_after=0.4)
    model_server.answers(model_server.message(Fault.HANG))
    async with in_time(0.4, at_least=0.4):
        await agent.hears("turn on the bed light")
    assert home.states.is_state("light.bed_light", "on")
    await asyncio.wait_for(model_server.server.abandoned.wait(), 10)


async def test_second_agent_does_not_wait_until_overload_is_over(
    home: HomeAssistant, monkeypatch: pytest.MonkeyPatch, socket_enabled: None
) -> None:
    """Anthropic's servers are asked again and again while they are overloaded."""
    await conversation.async_prepare_intents(home, "en")
    async with serving(EntryKind.ANTHROPIC, monkeypatch) as server:
        agent = await add_agent(home, server, fallback_agent=BUILT_IN, fallback_after=0.4)
        server.answers(*(claude.error(529, *claude.OVERLOADED) for _ in range(20)))
        async with in_time(0.4):
            answer = await agent.hears("turn on the bed light")
    assert home.states.is_state("light.bed_light", "on")
    assert answers(answer) == [(agent.entity_id, answer.speech)]


# No circles, and two failures


async def test_agent_that_names_itself_is_asked_once(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, fallback_agent="conversation.jarvis")
    ollama.answers(error(503, "server busy"))
    answer = await agent.hears(WISH)
    assert answer.speech.startswith("The model server is busy.")
    assert len(ollama.chats) == 1


async def test_two_agents_that_name_each_other_are_each_asked_once(
    home: HomeAssistant, ollama: PlayedOllama, spare: PlayedOllama
) -> None:
    second = await add_agent(home, spare.url, fallback_agent=FIRST)
    agent = await add_first(second, ollama.url)
    ollama.answers(error(404, f"model '{MODEL}' not found"))
    spare.answers(error(503, "server busy"))
    answer = await agent.hears(WISH)
    assert len(ollama.chats) == len(spare.chats) == 1
    # The truth of the first failure, and nothing of the second.
    assert answer.speech == f"The model {MODEL} is no longer on the server."
    assert answers(answer) == [(FIRST, answer.speech)]
    assert not answer.streamed
    # Asked first, it can fall back again.
    spare.answers(error(503, "server busy"))
    ollama.answers(says("I am here."))
    assert (await second.hears(WISH)).speech == "I am here."


async def test_three_agents_in_a_row(
    home: HomeAssistant, second: Agent, ollama: PlayedOllama, spare: PlayedOllama
) -> None:
    """Each has a second one: the last one in the row answers."""
    middle = await add_first(second, ollama.url)
    last = await add_agent(home, ollama.url, fallback_agent=middle.entity_id)
    first = replace(last, entity_id="conversation.jarvis_3")
    await ollama.stop()
    answer = await first.hears(WISH)
    assert answer.speech == "OK."
    assert answers(answer) == [(SECOND, "OK.")]
    assert len(spare.chats) == 1


@pytest.mark.parametrize("agent_id", [None, "conversation.gone", BUILT_IN])
async def test_second_agent_that_raises_is_gone_or_understands_nothing_leaves_the_first_failure(
    home: HomeAssistant, ollama: PlayedOllama, agent_id: str | None
) -> None:
    agent_id = agent_id or add_listening(home, nobody)[0]
    agent = await add_agent(home, ollama.url, fallback_agent=agent_id)
    await ollama.stop()
    answer = await agent.hears(WISH)
    assert answer.speech == UNREACHABLE
    assert answer.is_error
    assert answers(answer) == [(agent.entity_id, UNREACHABLE)]
    assert not answer.streamed, "the result tells it"


async def test_second_agent_that_acted_and_failed_then_tells_so_itself(
    second: Agent, ollama: PlayedOllama, spare: PlayedOllama
) -> None:
    agent = await add_first(second, ollama.url)
    await ollama.stop()
    spare.answers([part(tool_calls=[BED_LIGHT]), Fault.CUT])
    answer = await agent.hears(WISH)
    assert agent.hass.states.is_state("light.bed_light", "on")
    assert answer.speech == f"Done. {LOST}"
    assert calls_without_their_result(answer.log) == []


async def test_question_of_the_second_agent_keeps_the_microphone_open(
    second: Agent, ollama: PlayedOllama, spare: PlayedOllama
) -> None:
    agent = await add_first(second, ollama.url)
    await ollama.stop()
    spare.answers(says("Which lamp?"))
    answer = await agent.hears(WISH)
    assert answer.result.continue_conversation


@pytest.mark.parametrize(("reflex", "tools"), [(True, HOME), (False, HOME), (True, ())])
async def test_door_is_asked_about_also_while_another_agent_stands_in(
    home: HomeAssistant, ollama: PlayedOllama, reflex: bool, tools: tuple[str, ...]
) -> None:
    """What is suggested to everybody must not open what the model would have asked about."""
    opened = [
        calls
        for domain, service in (("lock", "unlock"), ("lock", "open"), ("cover", "open_cover"))
        for calls in [async_mock_service(home, domain, service)]
    ]
    for entity_id, state, name in (
        ("lock.front_door", "locked", "Front Door"),
        ("cover.garage_door", "closed", "Garage Door"),
    ):
        features = {"friendly_name": name, "supported_features": 3}
        if entity_id.startswith("cover"):
            features["device_class"] = "garage"
        home.states.async_set(entity_id, state, features)
        async_expose_entity(home, conversation.DOMAIN, entity_id, True)
    agent = await add_agent(home, ollama.url, tools=tools, fallback_agent=BUILT_IN, reflex=reflex)
    await ollama.stop()
    for sentence in (
        "unlock the front door",
        "please unlock the front door",
        "open the garage door",
        "unlock all the doors",
        "unlock the front door and turn on the bed light",
    ):
        answer = await agent.hears(sentence)
        assert opened == [[], [], []], (sentence, answer.speech)
    await agent.hears("turn on the kitchen lights")
    assert home.states.is_state("light.kitchen_lights", "on")


async def test_home_assistants_agent_does_only_what_was_certainly_said(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """By itself it takes "don't turn on …" for "turn on …"."""
    agent = await add_agent(home, ollama.url, fallback_agent=BUILT_IN)
    await ollama.stop()
    for sentence in (
        "don't turn on the bed light",
        "do not ever turn on the bed light",
        "turn on every light except the bed light please and the others never",
        "if grandma is happy turn on the bed light",
        "why did you turn on the bed light",
        "would you have turned on the bed light",
    ):
        await agent.hears(sentence)
        assert home.states.is_state("light.bed_light", "off"), sentence
    answer = await agent.hears("what is the state of the bed light")
    assert "off" in answer.speech
