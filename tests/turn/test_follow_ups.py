"""What people say of what was just done is answered without a model, by what was done."""

from collections.abc import Sequence
from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
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
    agent: Agent,
    ollama: PlayedOllama,
    rows: Sequence[Row],
    conversation_id: str | None = None,
    **where: Any,
) -> str | None:
    """Say sentences in one conversation, and compare what is said and done; return its id."""
    done = Deeds(agent.hass)
    for sentence, made, expected, deeds in rows:
        ollama.script.clear()
        ollama.answers(*([calls(*made)] if made else []), *[says(MODEL)] * 2)
        answer = await agent.hears(sentence, conversation_id=conversation_id, **where)
        await agent.hass.async_block_till_done()
        assert (sentence, answer.speech, done.taken()) == (sentence, expected, [*deeds])
        conversation_id = answer.conversation_id
    return conversation_id


BED = "turn on the bed light"
ON = ["light.turn_on bed_light"]
OFF = ["light.turn_off bed_light"]
BED_ON: Row = (BED, turn_on("Bed Light"), "Turned on Bed Light", ON)
CONVERSATIONS: dict[str, Sequence[Row]] = {
    "undone, step by step": [
        BED_ON,
        ("set the bed light to 20%", light("Bed Light", brightness=20), "Brightness of Bed Light set", ON),
        ("undo that", (), "As before: Bed Light.", ON),
        ("undo that", (), "As before: Bed Light.", OFF),
        ("undo that", (), "There is nothing that I could undo.", ()),
        ("what did you do?", (), "As before: Bed Light.", ()),
        ("thanks", (), "You're welcome.", ()),
        ("say that again", (), "There is nothing that I could undo.", ()),
    ],
    "it": [
        BED_ON,
        ("turn it back off", (), "Turned off Bed Light", OFF),
        ("and on again", (), "Turned on Bed Light", ON),
        ("a bit darker", (), "Brightness of Bed Light set", ON),
        ("turn it off in an hour", (), MODEL, ()),
        # Something else was spoken of since.
        ("turn it off", (), MODEL, ()),
    ],
    "others": [
        BED_ON,
        ("and the other one", (), "Turned on Ceiling Lights", ["light.turn_on ceiling_lights"]),
        ("no, the kitchen", (), "Turned on Kitchen Lights", ["light.turn_off ceiling_lights", "light.turn_on kitchen_lights"]),
        ("same in the bathroom", (), MODEL, ()),
    ],
    "elsewhere": [
        BED_ON,
        ("the kitchen lights too", (), "Turned on Kitchen Lights", ["light.turn_on kitchen_lights"]),
        ("undo that", (), "As before: Kitchen Lights.", ["light.turn_off kitchen_lights"]),
        ("undo that", (), "As before: Bed Light.", OFF),
    ],
    "nothing was done": [
        ("undo that", (), "There is nothing that I could undo.", ()),
        ("what have you done?", (), "I haven't done anything lately.", ()),
        ("never mind", (), "All right.", ()),
        ("thank you very much", (), "You're welcome.", ()),
        *((each, (), MODEL, ()) for each in (
            "stop", "a bit brighter", "the other one", "no, the kitchen", "turn it off again", "say that again",
        )),
    ],
}  # fmt: skip


@pytest.fixture
async def bedroom(home: HomeAssistant) -> HomeAssistant:
    """A home with two lights in its bedroom, and all lights off."""
    area = ar.async_get(home).async_get_area_by_name("Bedroom")
    entity = er.async_get(home).async_get("light.ceiling_lights")
    assert area
    assert entity
    assert entity.device_id
    dr.async_get(home).async_update_device(entity.device_id, area_id=area.id)
    await home.services.async_call("light", "turn_off", {"entity_id": "all"}, blocking=True)
    return home


@pytest.mark.usefixtures("bedroom")
@pytest.mark.parametrize("conversation", CONVERSATIONS)
async def test_follow_ups(agent: Agent, ollama: PlayedOllama, conversation: str) -> None:
    await converse(agent, ollama, CONVERSATIONS[conversation])


async def test_what_keeps_people_out_is_asked_first(agent: Agent, ollama: PlayedOllama) -> None:
    garage = "cover.garage_door"
    close = [call("intent__HassTurnOff", name="Garage Door")]
    await agent.hass.services.async_call("cover", "open_cover", {"entity_id": garage}, blocking=True)
    await agent.hass.async_block_till_done()
    await converse(
        agent,
        ollama,
        [
            ("close the garage door", close, "Closing Garage Door", ["cover.close_cover garage_door"]),
            ("open it again", (), MODEL, ()),
            ("undo that", (), "Shall I open the Garage Door?", ()),
            ("no", (), "All right, I won't.", ()),
            ("undo that", (), "Shall I open the Garage Door?", ()),
            ("yes", (), "Done.", ["cover.open_cover garage_door"]),
        ],
    )


async def test_what_somebody_has_changed_since_is_left_alone(
    agent: Agent, ollama: PlayedOllama
) -> None:
    await agent.hass.services.async_call("light", "turn_off", {"entity_id": "all"}, blocking=True)
    conversation_id = await converse(agent, ollama, [BED_ON])
    user = Context(user_id=(await agent.hass.auth.async_create_user("Someone")).id)
    data = {"entity_id": "light.bed_light", "brightness_pct": 10}
    await agent.hass.services.async_call("light", "turn_on", data, blocking=True, context=user)
    told = "Changed since then, so I left it alone: Bed Light."
    rows = [("undo that", (), told, ()), ("undo that", (), "There is nothing that I could undo.", ())]
    await converse(agent, ollama, rows, conversation_id=conversation_id)
