"""A satellite's conversation goes on as long as the agent's option says."""

import datetime as dt
import json

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, says
from tests.rows import rows

WEATHER, LATER = "will it rain in Paris tomorrow?", "and the day after?"


# The option, the minutes that pass, whether another satellite is spoken to, and what is remembered.
TALKS = [
    (30, 10, False, True),
    (30, 31, False, False),
    (5, 10, False, False),
    (30, 10, True, False),
]


@rows("row", TALKS)
async def test_conversation_goes_on(
    home: HomeAssistant,
    ollama: PlayedOllama,
    freezer: FrozenDateTimeFactory,
    row: tuple[int, int, bool, bool],
) -> None:
    minutes, passed, elsewhere, is_known = row
    agent = await add_agent(home, ollama.url, reflex=True, talk_minutes=minutes)
    here, there = "kitchen-satellite", "bedroom-satellite"
    ollama.answers(says("It will."))
    first = await agent.hears(WEATHER, device_id=here)
    freezer.tick(dt.timedelta(minutes=passed))
    ollama.answers(says("It will not."))
    second = await agent.hears(LATER, device_id=there if elsewhere else here)
    assert second.conversation_id != first.conversation_id
    messages = [each["content"] for each in ollama.chats[-1]["messages"][1:]]
    assert (messages[-3:] == [WEATHER, "It will.", LATER]) is is_known
    assert (WEATHER in json.dumps(messages)) is is_known


async def test_question_is_not_carried_over(
    home: HomeAssistant, ollama: PlayedOllama, freezer: FrozenDateTimeFactory
) -> None:
    agent = await add_agent(home, ollama.url, reflex=True, talk_minutes=60)
    deeds = Deeds(home)
    asked = await agent.hears("open the garage door", device_id="satellite")
    assert asked.speech == "Shall I open the Garage Door?"
    freezer.tick(dt.timedelta(minutes=6))
    ollama.answers(*[says("Hm?")] * 3)
    await agent.hears("yes", device_id="satellite")
    assert not deeds.taken()
