"""What people say of what was just done is answered without a model, by what was done."""

from collections.abc import Sequence
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, call, calls, says

MODEL = "?"
"""The model was asked: its answer is this."""
type Made = dict[str, Any]
type Row = tuple[str, Sequence[Made], str, Sequence[str]]
"""A sentence, what the model calls for it (none: it is not asked, but may be), the answer, and what is done."""


def turn_on(name: str) -> list[Made]:
    return [call("intent__HassTurnOn", name=name)]


def light(name: str, **values: Any) -> list[Made]:
    return [call("light__HassLightSet", name=name, **values)]


async def converse(
    agent: Agent, ollama: PlayedOllama, rows: Sequence[Row], **where: Any
) -> None:
    """Say sentences in one conversation, and compare what is said and done."""
    done = Deeds(agent.hass)
    conversation_id = None
    for sentence, made, expected, deeds in rows:
        ollama.script.clear()
        ollama.answers(*([calls(*made)] if made else []), *[says(MODEL)] * 2)
        answer = await agent.hears(sentence, conversation_id=conversation_id, **where)
        await agent.hass.async_block_till_done()
        assert (sentence, answer.speech, done.taken()) == (sentence, expected, [*deeds])
        conversation_id = answer.conversation_id


BED = "turn on the bed light"
CONVERSATIONS = {
    "undone, step by step": [
        (BED, turn_on("Bed Light"), "Turned on Bed Light", ["light.turn_on bed_light"]),
        ("set the bed light to 20%", light("Bed Light", brightness=20), "Brightness of Bed Light set", ["light.turn_on bed_light"]),
        ("undo that", (), "As before: Bed Light.", ["light.turn_on bed_light"]),
        ("undo that", (), "As before: Bed Light.", ["light.turn_off bed_light"]),
        ("undo that", (), "There is nothing that I could undo.", ()),
        ("what did you do?", (), "As before: Bed Light.", ()),
        ("thanks", (), "You're welcome.", ()),
        ("say that again", (), "There is nothing that I could undo.", ()),
    ],
    "it": [
        (BED, turn_on("Bed Light"), "Turned on Bed Light", ["light.turn_on bed_light"]),
        ("turn it back off", (), "Turned off Bed Light", ["light.turn_off bed_light"]),
        ("and on again", (), "Turned on Bed Light", ["light.turn_on bed_light"]),
        ("a bit darker", (), "Brightness of Bed Light set", ["light.turn_on bed_light"]),
        ("turn it off in an hour", (), MODEL, ()),
    ],
}  # fmt: skip


@pytest.mark.parametrize("conversation", CONVERSATIONS)
async def test_follow_ups(agent: Agent, ollama: PlayedOllama, conversation: str) -> None:
    await converse(agent, ollama, CONVERSATIONS[conversation])
