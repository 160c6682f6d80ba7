"""How long the first agent is waited for before the second one is asked."""

import asyncio
from collections.abc import Iterator

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant

from tests.turn.second_agent import (
    BUILT_IN,
    TOO_LONG,
    UNREACHABLE,
    WISH,
    add_first,
    add_listening,
    answers,
)

from ..agent import Agent, add_agent, in_time
from ..ollama import Fault, PlayedOllama, Step, part, says


async def test_first_wait_and_the_second_agents_own_time_are_all_that_passes(
    second: Agent, ollama: PlayedOllama, spare: PlayedOllama
) -> None:
    agent = await add_first(second, ollama.url, fallback_after=0.4)
    loop = agent.hass.loop
    let_go = asyncio.Event()
    times: list[float] = []

    def slowly() -> Iterator[Step]:
        times.append(loop.time())
        loop.call_later(0.2, let_go.set)
        yield let_go
        yield from says("At last.")

    ollama.answers([Fault.HANG])
    spare.answers(slowly())
    began = loop.time()
    async with in_time(0.6, at_least=0.6):
        answer = await agent.hears(WISH)
    assert answer.speech == "At last."
    assert times[0] - began >= 0.4


async def test_reading_the_prompt_counts_as_waiting(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, fallback_agent=BUILT_IN, fallback_after=0.4)
    await conversation.async_prepare_intents(home, "en")
    ollama.reading = asyncio.Event()
    preparing = home.async_create_task(
        conversation.async_prepare_agent(home, agent.entity_id, "en")
    )
    await asyncio.wait_for(ollama.read_begun.wait(), 30)
    async with in_time(0.4, at_least=0.4):
        answer = await agent.hears("turn on the bed light")
    assert "urned on" in answer.speech
    assert ollama.chats == []
    # It may go on: the next sentence will find the prompt read.
    assert not preparing.done()
    ollama.reading.set()
    await preparing


async def test_model_that_has_begun_may_take_its_time(
    second: Agent, ollama: PlayedOllama, spare: PlayedOllama
) -> None:
    agent = await add_first(second, ollama.url, fallback_after=0.4)
    late = asyncio.Event()
    agent.hass.loop.call_later(0.5, late.set)
    ollama.answers([part(thinking="Hm."), late, *says("It is cosy.")])
    answer = await agent.hears(WISH)
    assert answer.speech == "It is cosy."
    assert late.is_set()
    assert spare.chats == []


async def test_second_agent_that_hangs_ends_with_the_first_ones_time(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    cancelled = asyncio.Event()

    async def hang(_: ConversationInput) -> str:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return ""

    agent_id, _ = add_listening(home, hang)
    agent = await add_agent(home, ollama.url, fallback_agent=agent_id, timeout=0.4)
    await ollama.stop()
    async with in_time(0.4, at_least=0.4):
        answer = await agent.hears(WISH)
    assert cancelled.is_set()
    assert answer.speech == UNREACHABLE
    assert answers(answer) == [(agent.entity_id, UNREACHABLE)]


async def test_wait_is_never_longer_than_the_turn(
    second: Agent, ollama: PlayedOllama, spare: PlayedOllama
) -> None:
    agent = await add_first(second, ollama.url, timeout=0.4, fallback_after=60)
    ollama.answers([Fault.HANG])
    async with in_time(0.4, at_least=0.4):
        answer = await agent.hears(WISH)
    assert answer.speech == TOO_LONG
    assert spare.chats == []


# Every provider


async def test_model_has_the_whole_time_where_the_second_agent_is_gone(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    gone = "conversation.gone"
    agent = await add_agent(home, ollama.url, fallback_agent=gone, fallback_after=0.1)
    let_go = asyncio.Event()

    def slowly() -> Iterator[Step]:
        home.loop.call_later(0.2, let_go.set)
        yield let_go
        yield from says("At last.")

    ollama.answers(slowly())
    assert (await agent.hears(WISH)).speech == "At last."
