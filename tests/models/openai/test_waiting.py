"""Sentences that wait for a slot of a server."""

import asyncio

from homeassistant.core import HomeAssistant

from tests.agent import add_agent
from tests.model_servers import OpenAIModel
from tests.ollama import Fault
from tests.openai import PlayedOpenAI, of_kind

from .test_requests import LLAMA, PROPS


async def test_who_waits_for_a_slot_is_told_in_time_and_the_next_one_is_answered(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    of_kind(openai, [LLAMA], {"/props": PROPS | {"total_slots": 1}})
    model = OpenAIModel(openai)
    agent = await add_agent(home, model, timeout=1)
    model.answers(*[model.message(Fault.HANG, ends=None)] * 2)
    answers = await asyncio.gather(agent.hears("Tell me a tale"), agent.hears("Tell me another"))
    assert [answer.is_error for answer in answers] == [True, True]
    assert openai.at_once == 1
    model.forget()
    model.answers(model.says("Hello!"))
    assert (await agent.hears("Say hello")).speech == "Hello!"
