"""A conversation that fits: whole turns go, the oldest first, and no call without its result."""

from itertools import count, pairwise
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.json import json_bytes
from hypothesis import given, strategies as st
import pytest

from custom_components.voice_gateway.models.client import Completion, ModelError, Reason
from custom_components.voice_gateway.models.history import (
    Note,
    as_fits,
    fitting,
    result_text,
    with_all_results,
    with_short_results,
)
from custom_components.voice_gateway.models.learned import TokenEstimate
from custom_components.voice_gateway.models.ollama.server import OllamaClient, OllamaServer
from tests.agent import calls_without_their_result
from tests.ollama import MODEL, PlayedOllama, done, part, says

type Content = conversation.Content

_NUMBERS = count()
SYSTEM = conversation.SystemContent("You are a voice assistant.")


def user(text: str = "Is the lamp on?") -> conversation.UserContent:
    return conversation.UserContent(text)


def says_(text: str = "Yes.") -> conversation.AssistantContent:
    return conversation.AssistantContent(agent_id="agent", content=text)


def calling(*names: str) -> conversation.AssistantContent:
    return conversation.AssistantContent(
        agent_id="agent",
        tool_calls=[llm.ToolInput(name, {}, f"call_{next(_NUMBERS)}") for name in names],
    )


def result_of(call: llm.ToolInput, text: str = "on") -> conversation.ToolResultContent:
    return conversation.ToolResultContent(
        agent_id="agent",
        tool_call_id=call.id,
        tool_name=call.tool_name,
        result=llm.ToolResult(data={"result": text}),
    )


@st.composite
def turns(draw: st.DrawFn) -> list[Content]:
    """Draw a turn: a sentence, rounds of calls and results, and an answer.

    Some calls were interrupted, after some the model was told something, and some have no answer.
    """
    turn: list[Content] = [user(draw(st.text(max_size=30)))]
    for _ in range(draw(st.integers(0, 2))):
        message = calling(*draw(st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=3)))
        turn.append(message)
        results = [
            result_of(call, draw(st.text(max_size=10)) * draw(st.integers(1, 60)))
            for call in message.tool_calls or ()
            if draw(st.integers(0, 4))
        ]
        turn += draw(st.permutations(results))
        if draw(st.booleans()):
            turn.append(Note("Answer now."))
    if draw(st.booleans()):
        turn.append(says_(draw(st.text(max_size=30))))
    return turn


CONVERSATIONS = st.lists(turns(), min_size=1, max_size=5).map(
    lambda some: [SYSTEM, *(item for turn in some for item in turn)]
)


def cost(item: Content) -> int:
    match item:
        case conversation.ToolResultContent():
            return 4 + len(result_text(item.result))
        case conversation.AssistantContent(tool_calls=[*calls]) if calls:
            return 10 * len(calls)
        case _:
            return 4 + len(item.content or "")


def turn_starts(content: list[Content]) -> list[int]:
    users = [n for n, item in enumerate(content) if isinstance(item, conversation.UserContent)]
    return [n for n in users if not isinstance(content[n], Note)]


@given(CONVERSATIONS, st.integers(0, 600))
def test_what_is_kept_fits_is_whole_and_is_the_newest(content: list[Content], room: int) -> None:
    complete = with_short_results(list(with_all_results(content)))
    kept = fitting(complete, room, cost)

    assert calls_without_their_result(kept) == []
    assert kept[0] == SYSTEM
    starts = turn_starts(complete)
    assert kept[-(len(complete) - starts[-1]) :] == complete[starts[-1] :], "The turn is whole"
    length = len(kept) - 1
    assert kept[1:] == complete[len(complete) - length :], "The newest are kept, in their order"
    assert len(complete) - length in [1, *starts], "Turns go as a whole"
    if len(turn_starts(kept)) > 1:
        assert sum(map(cost, kept)) <= room
    if len(kept) < len(complete):
        earlier = max(n for n in starts if n < len(complete) - length)
        assert sum(map(cost, [SYSTEM, *complete[earlier:]])) > room, "No more than has to go, goes"


@given(CONVERSATIONS)
def test_every_call_has_one_result_whatever_happened(content: list[Content]) -> None:
    assert calls_without_their_result(list(with_all_results(content))) == []


@given(CONVERSATIONS)
def test_only_answered_results_are_shortened(content: list[Content]) -> None:
    complete = list(with_all_results(content))
    current = turn_starts(complete)[-1]
    short = with_short_results(complete)
    assert short[current:] == complete[current:]
    for before, after in zip(complete, short, strict=True):
        if isinstance(before, conversation.ToolResultContent):
            assert isinstance(after, conversation.ToolResultContent)
            assert after.tool_call_id == before.tool_call_id
            text = result_text(after.result)
            assert result_text(before.result).startswith(text.removesuffix("… (shortened)"))
            assert len(text) < 330 or after == before
        else:
            assert after is before


@given(st.integers(1000, 100_000), st.floats(0.1, 1.2), st.integers(1, 200_000))
def test_estimates_lie_on_both_sides_of_what_was_counted(
    size: int, per_byte: float, other: int
) -> None:
    estimate = TokenEstimate()
    assert estimate.at_least(other) <= estimate.at_most(other)
    estimate.learn(size, int(size * per_byte))
    assert estimate.at_least(size) <= int(size * per_byte) <= estimate.at_most(size)


def test_an_estimate_learns_nothing_from_no_count() -> None:
    estimate = TokenEstimate()
    estimate.learn(5000, None)
    estimate.learn(20, 15)
    assert estimate.per_byte is None


# Against a server


def client(server: OllamaServer, num_ctx: int) -> OllamaClient:
    return OllamaClient(
        server=server, model=MODEL, num_ctx=num_ctx, keep_alive=-1, think=False, temperature=0.2
    )


async def ask(agent: OllamaClient, content: list[Content]) -> None:
    async for _ in agent.stream(content, None, Completion()):
        pass


def long_talk(turns_: int) -> list[Content]:
    talk: list[Content] = [SYSTEM]
    for number in range(turns_):
        talk += [user(f"Sentence {number} " + "word " * 100), says_("Yes. " * 20)]
    return [*talk, user("And now?")]


def texts(request: dict[str, Any]) -> list[str]:
    return [message["content"] for message in request["messages"]]


async def test_a_long_conversation_loses_its_oldest_turns_before_it_is_sent(
    hass: HomeAssistant, ollama: PlayedOllama
) -> None:
    await ask(client(OllamaServer(hass, ollama.url), 2048), long_talk(40))
    (request,) = ollama.chats
    sent = texts(request)
    assert sent[0] == SYSTEM.content
    assert sent[-1] == "And now?"
    assert sent[1].startswith("Sentence "), "What is kept begins with a sentence of the user"
    numbers = [int(text.split()[1]) for text in sent[1:-1:2]]
    assert numbers[-1] == 39
    assert all(after == before + 1 for before, after in pairwise(numbers))
    # An eighth is kept free for the answer.
    assert len(json_bytes(request["messages"])) / 3 < 2048 - 256


async def test_results_take_their_part_of_what_there_is_room_for(
    hass: HomeAssistant, ollama: PlayedOllama
) -> None:
    talk: list[Content] = [SYSTEM]
    for _ in range(40):
        message = calling("a")
        assert message.tool_calls
        talk += [user(), message, result_of(message.tool_calls[0], "word " * 60), says_()]
    await ask(client(OllamaServer(hass, ollama.url), 2048), [*talk, user("And now?")])
    (request,) = ollama.chats
    assert len(json_bytes(request["messages"])) / 3 < 2048 - 256


def test_room_is_kept_for_the_answer_and_for_what_is_told_beside_the_conversation() -> None:
    def kept(answer: int, fixed: int) -> int:
        found = as_fits(
            long_talk(9),
            lambda parts: [{"content": getattr(part, "content", None)} for part in parts],
            2048,
            answer=answer,
            fixed=fixed,
            tokens=TokenEstimate(),
            model=MODEL,
        )
        return len(found)

    # Without a count of the server, three bytes may be a token.
    assert kept(0, 0) > kept(600, 0) == kept(0, 1800) > kept(600, 1800)


async def test_counts_of_the_server_make_better_use_of_the_context(
    hass: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = client(OllamaServer(hass, ollama.url), 2048)
    ollama.answers([part("Yes."), done(prompt_eval_count=1000)], says("Yes."))
    await ask(agent, long_talk(7))
    await ask(agent, long_talk(40))
    first, second = ollama.chats
    assert len(second["messages"]) > len(first["messages"])


async def test_what_can_never_fit_is_named_before_it_is_sent(
    hass: HomeAssistant, ollama: PlayedOllama
) -> None:
    content: list[Content] = [
        conversation.SystemContent("A home with many devices. " * 1000),
        user(),
    ]
    with pytest.raises(ModelError) as raised:
        await ask(client(OllamaServer(hass, ollama.url), 2048), content)
    assert raised.value.reason is Reason.CONTEXT_EXCEEDED
    assert "2048" in raised.value.detail
    assert ollama.chats == []
