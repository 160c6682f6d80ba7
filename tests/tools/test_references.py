"""What a part of a sentence means by a word for what was named before it: "the other one", "it"."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
import pytest

from custom_components.voice_gateway.heard.done import Done
from custom_components.voice_gateway.tools.coverage import covered
from custom_components.voice_gateway.tools.deed import Deed, Turn
from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.targets import meant
from tests.heard.saying import hears

from .test_coverage import has_read, intent_tool, what

LIGHTS = BED, CEILING, KITCHEN = "Bed Light", "Ceiling Lights", "Kitchen Lights"
TWO, THREE = (BED, CEILING), (BED, CEILING, KITCHEN)
"""The lights that are in one room."""
ON, OFF, SET = "HassTurnOn", "HassTurnOff", "HassLightSet"
# The language; what was said before, and turned the bed light on or off, if it did so; what is said
# now; the lights of that room; the call, and to what; whether it is certainly meant.
SAID: list[tuple[str, str, str, str, tuple[str, ...], str, Mapping[str, Any], bool]] = [
    ("en", "turn off the bed light", OFF, "the other one too, and open the blinds", TWO, OFF, {"name": CEILING}, True),
    ("de", "mach das Bed Light aus", OFF, "das andere auch, und mach die Rollläden auf", TWO, OFF, {"name": CEILING}, True),
    ("fr", "éteins la Bed Light", OFF, "l'autre aussi, et ouvre les stores", TWO, OFF, {"name": CEILING}, True),
    ("es", "apaga la Bed Light", OFF, "la otra también, y abre las persianas", TWO, OFF, {"name": CEILING}, True),
    ("it", "spegni la Bed Light", OFF, "anche l'altra, e apri le tapparelle", TWO, OFF, {"name": CEILING}, True),
    ("nl", "doe de Bed Light uit", OFF, "de andere ook, en doe de rolgordijnen open", TWO, OFF, {"name": CEILING}, True),
    ("pl", "wyłącz Bed Light", OFF, "drugą też, i otwórz rolety", TWO, OFF, {"name": CEILING}, True),
    ("en", "turn off the bed light", OFF, "open the blinds, and the other one too", TWO, OFF, {"name": CEILING}, False),
    # It is done to the other one, as it was to this, and where there is one other.
    ("en", "turn off the bed light", OFF, "the other one too, and open the blinds", TWO, ON, {"name": CEILING}, False),
    ("en", "turn off the bed light", OFF, "the other one too, and open the blinds", TWO, SET, {"name": CEILING, "brightness": 5}, False),
    ("en", "turn off the bed light", OFF, "the other one too, and open the blinds", THREE, OFF, {"name": CEILING}, False),
    ("en", "turn off the bed light", OFF, "the other one too, and open the blinds", TWO, OFF, {"name": KITCHEN}, False),
    ("en", "turn off the bed light", OFF, "not the other one, and open the blinds", TWO, OFF, {"name": CEILING}, False),
    ("en", "turn off the bed light", OFF, "the other fan too, and open the blinds", TWO, OFF, {"name": CEILING}, False),
    ("en", "read my mail", "", "the other one too, and open the blinds", TWO, OFF, {"name": CEILING}, False),
    # With a verb of its own.
    ("en", "turn on the bed light", ON, "good, dim it to twenty and switch the other one off", TWO, OFF, {"name": CEILING}, True),
    ("en", "turn on the bed light", ON, "good, dim it to twenty and switch the other one off", TWO, SET, {"name": BED, "brightness": 20}, True),
    ("de", "Bed Light an", ON, "gut, dimm es auf zwanzig und mach das andere aus", TWO, OFF, {"name": CEILING}, True),
    ("fr", "allume la Bed Light", ON, "bien, mets-la à vingt et éteins l'autre", TWO, OFF, {"name": CEILING}, True),
    ("es", "enciende la Bed Light", ON, "bien, ponla al veinte y apaga la otra", TWO, OFF, {"name": CEILING}, True),
    ("it", "accendi la Bed Light", ON, "bene, mettila a venti e spegni l'altra", TWO, OFF, {"name": CEILING}, True),
    ("nl", "doe de Bed Light aan", ON, "mooi, zet hem op twintig en doe de andere uit", TWO, OFF, {"name": CEILING}, True),
    ("pl", "włącz Bed Light", ON, "ładnie, ustaw ją na dwadzieścia i wyłącz drugą", TWO, OFF, {"name": CEILING}, True),
    ("en", "turn on the bed light", ON, "switch the other one off", TWO, ON, {"name": CEILING}, False),
    ("en", "turn on the bed light", ON, "switch the other one off", TWO, OFF, {"name": KITCHEN}, False),
    ("en", "turn on the bed light", ON, "switch the other one off", THREE, OFF, {"name": CEILING}, False),
    ("en", "turn on the bed light", ON, "don't switch the other one off", TWO, OFF, {"name": CEILING}, False),
    ("en", "turn on the bed light", ON, "is the other one off?", TWO, OFF, {"name": CEILING}, False),
    ("en", "turn on the bed light", ON, "send the other one to Bob", TWO, OFF, {"name": CEILING}, False),
    # What was named last, in the sentence or in the one before it, is meant.
    ("en", "", "", "turn on the bed light and switch the other one off", TWO, OFF, {"name": CEILING}, True),
    ("en", "turn on the bed light", ON, "turn on the kitchen lights and switch the other one off", TWO, OFF, {"name": CEILING}, False),
    ("en", "is the bed light on?", "", "switch the other one off", TWO, OFF, {"name": CEILING}, True),
    ("en", "the bed light and the kitchen lights are on", "", "switch the other one off", TWO, OFF, {"name": CEILING}, False),
]  # fmt: skip


@pytest.mark.parametrize("said", SAID, ids=[f"{each[0]}-{each[3]}-{each[5]}" for each in SAID])
async def test_what_was_named_before_is_meant_where_that_is_certain(
    full_house: HomeAssistant,
    said: tuple[str, str, str, str, tuple[str, ...], str, Mapping[str, Any], bool],
) -> None:
    language, before, did, text, lights, intent_type, arguments, is_meant = said
    room = ar.async_get(full_house).async_create("Loft")
    for each in LIGHTS:
        entity = er.async_get(full_house).async_get(f"light.{each.lower().replace(' ', '_')}")
        assert entity
        assert entity.device_id
        area_id = room.id if each in lights else None
        dr.async_get(full_house).async_update_device(entity.device_id, area_id=area_id)
    heard = await hears(full_house, text, *([before] if before else []), language=language)
    known = {each.names[0]: each for each in heard.mentioned.home.entities}
    if did:
        heard = replace(heard, done=(Done(did, {}, (known[BED],)),))
    deed = Deed(
        tool=intent_tool(intent_type),
        arguments=dict(arguments),
        is_written=False,
        domains=frozenset(("light",)),
        targets=[known[arguments["name"]]],
    )
    turn = Turn(heard, Journal(), ToolManager(), hass=full_house, taint=has_read("mail"))
    decided = [what(rule(deed, turn)) for rule in (meant, covered)]
    assert (decided == ["yes", "yes"]) is is_meant, decided
