"""Calls with the same effect are made once in a turn, however a model writes them."""

import json
from typing import Any

from homeassistant.core import HomeAssistant

from tests import openai as of_openai
from tests.agent import add_agent
from tests.deeds import Deeds
from tests.model_servers import OpenAIModel
from tests.ollama import call
from tests.openai import PlayedOpenAI
from tests.rows import rows

from .conftest import House

ON, ADD, NEXT = "intent__HassTurnOn", "todo__HassListAddItem", "HassMediaNext"
BED = call(ON, name="Bed Light")
LIT = ["light.turn_on bed_light"]
# In which language; what is said; the calls of each message; and what is done.
TWICE: list[tuple[str, str, list[list[dict[str, Any]]], list[str]]] = [
    # Another device, which is corrected to the one that was said; or another name of it.
    ("en", "Turn on the bed light", [[BED, call(ON, name="Kitchen Lights")]], LIT),
    ("en", "Turn on the bed light", [[BED], [call(ON, name="light.bed_light")]], LIT),
    ("en", "Turn on the bed light", [[BED, call(ON, area="Bedroom", domain=["light"])]], LIT),
    ("de", "Schalte das Bed Light ein", [[BED, call(ON, name="bed light", domain=["light"])]], LIT),
    ("fr", "Allume Bed Light", [[BED, call(ON, name="Bed Light", area="Bedroom")]], LIT),
    ("it", "Accendi Bed Light", [[BED, call(ON, name="Bed Light", domain=["light"])]], LIT),
    ("uk", "Увімкни Bed Light", [[BED, call(ON, name="Bed Light", domain=["light"])]], LIT),
    # Twice would be another song further, and two of it on the list.
    ("en", "Skip this song on the Walkman", [[call(NEXT, name="Walkman"), call(NEXT)]],
     ["media_player.media_next_track walkman"]),
    ("en", "Add milk to the shopping list",
     [[call(ADD, name="Shopping list", item="milk"), call(ADD, name="shopping list", item="Milk")]],
     ["1 on the list"]),
    ("de", "Setz Milch auf die Shopping list",
     [[call(ADD, name="Shopping list", item="Milch"), call(ADD, name="shopping list", item="Milch")]],
     ["1 on the list"]),
    # Another device that was said is another call.
    ("en", "Turn on the bed light and the kitchen lights",
     [[BED, call(ON, name="Kitchen Lights"), BED]], [*LIT, "light.turn_on kitchen_lights"]),
]  # fmt: skip


@rows(("language", "said", "made", "done"), TWICE)
async def test_call_with_the_same_effect_is_made_once(
    house: House, language: str, said: str, made: list[list[dict[str, Any]]], done: list[str]
) -> None:
    hass = house.agent.hass
    for written in (False, True):
        await hass.services.async_call("light", "turn_off", {"entity_id": "all"}, True)
        await hass.services.async_call("shopping_list", "complete_all", {}, True)
        await hass.async_block_till_done()
        house.deeds.taken()
        # A model that reads first writes what follows.
        steps = [[call("GetDateTime")], *made]
        answer, found = await house.hears(said, *steps, "Done.", language=language, written=written)
        items = hass.states.get("todo.shopping_list")
        assert items
        # A written call for a place is refused, where the device was said.
        assert [*found, *([f"{items.state} on the list"] if items.state != "0" else [])] == done, (
            answer.speech
        )


@rows("number", ["", "call_1", None])
async def test_ids_that_are_no_ids_make_no_call_twice(
    home: HomeAssistant, openai: PlayedOpenAI, number: str | None
) -> None:
    """Empty ones, the same one twice, or none at all."""
    agent = await add_agent(home, OpenAIModel(openai))
    deeds = Deeds(home)
    begun = [
        {
            "index": index,
            "type": "function",
            "function": {"name": ON, "arguments": json.dumps(each)},
            **({} if number is None else {"id": number}),
        }
        for index, each in enumerate(({"name": "Bed Light"}, {"name": "Kitchen Lights"}))
    ]
    chunks = [of_openai.chunk({"tool_calls": [each]}) for each in begun]
    openai.script = [[*chunks, *of_openai.end("tool_calls")], *[of_openai.says("Done.")] * 2]
    await agent.hears("Turn on the bed light")
    assert deeds.taken() == LIT
