"""What people say about plans is answered without a model."""

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.plans.plans import PLANS
from tests.agent import Agent
from tests.ollama import PlayedOllama, says

NOON = "2026-11-23 12:00:00+00:00"
"""A Monday."""
MODEL = "?"
"""The model was asked: its answer is this."""


@pytest.fixture
async def at_noon(home: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Let it be noon by the home's clock."""
    await home.config.async_set_time_zone("UTC")
    freezer.move_to(NOON)


async def converse(agent: Agent, ollama: PlayedOllama, rows: list[tuple[str, str]]) -> None:
    """Say sentences in one conversation, and compare the answers."""
    conversation_id = None
    for sentence, expected in rows:
        ollama.answers(*[says(MODEL)] * 2)
        answer = await agent.hears(sentence, conversation_id=conversation_id)
        print(sentence, "->", answer.speech)
        conversation_id = answer.conversation_id


ROWS = [
    ("what is planned?", "Nothing is planned."),
    ("cancel all plans", "Nothing is planned."),
    ("cancel that", MODEL),
    ("make it half an hour", MODEL),
    ("don't turn off the bed light after all", MODEL),
    ("turn on the bed light in ten minutes", "At 12:10 PM I'll turn on Bed Light"),
    ("make it half an hour", "At 12:30 PM I'll turn on Bed Light."),
    ("make it at nine instead", "At 9:00 PM I'll turn on Bed Light."),
    ("make it tomorrow", ""),
    ("what have you planned for tomorrow?", ""),
    ("what have you planned for today?", ""),
    ("what is planned?", ""),
    ("cancel that", ""),
    ("turn on the bed light at nine", ""),
    ("turn off the bed light at ten", ""),
    ("turn off the kitchen lights at eleven", ""),
    ("don't turn off the bed light after all", ""),
    ("cancel the plan for the kitchen", ""),
    ("don't turn it on after all", ""),
    ("cancel the garage plan", ""),
    ("turn on the bed light for half an hour", ""),
    ("what is planned", ""),
    ("make it ten minutes", ""),
    ("cancel that", ""),
    ("turn on the bed light at nine and turn off the kitchen lights at ten", ""),
    ("make it at eleven", ""),
    ("the kitchen lights", ""),
    ("cancel all plans", ""),
    ("remind me at five to take the bread out", ""),
    ("remind me in ten minutes that the oven is on", ""),
    ("let me know when the kitchen window opens", ""),
    ("tell me when the bed light is on", ""),
    ("tell me when the moon falls down", ""),
    ("let me know when the moon falls down", ""),
    ("remind me every day at eight to take my pills", ""),
    ("what is planned", ""),
    ("cancel all reminders", ""),
    ("cancel the timer", ""),
    ("set a timer for five minutes", ""),
    ("cancel", ""),
]


@pytest.mark.usefixtures("at_noon")
async def test_plans_are_listed_cancelled_and_changed(agent: Agent, ollama: PlayedOllama) -> None:
    await converse(agent, ollama, ROWS)
    assert 0
