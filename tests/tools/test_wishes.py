"""Wishes for a place that leave open how: what is there may serve, and nothing elsewhere."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
import pytest

from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows

SET, ON, OFF = "light__HassLightSet", "intent__HassTurnOn", "intent__HassTurnOff"
KITCHEN = {"Küche", "Cuisine", "Cocina", "Cucina", "Keuken", "Kuchnia"}
# In French, "sorte" is but a letter off the name of the lock there.
WISHES = [
    ("en", "make it a bit cosier in the kitchen"), ("en", "get the kitchen ready for guests"),
    ("de", "mach es in der Küche gemütlicher"), ("de", "die Küche bitte etwas wohnlicher"),
    ("fr", "rends la cuisine plus accueillante"),
    ("fr", "fais en sorte que la cuisine soit accueillante"),
    ("es", "haz la cocina un poco más acogedora"), ("es", "prepara la cocina para los invitados"),
    ("it", "rendi la cucina più accogliente"), ("it", "un po' di atmosfera in cucina"),
    ("nl", "maak het wat gezelliger in de keuken"), ("nl", "creëer een ontspannen sfeer in de keuken"),
    ("pl", "zrób przytulniej w kuchni"), ("pl", "romantyczny nastrój w kuchni"),
]  # fmt: skip


@pytest.fixture
async def wished(home: HomeAssistant, ollama: PlayedOllama) -> Agent:
    """An agent whose kitchen has a name in each language, a lamp that is called so, and a lock."""
    kitchen = ar.async_get(home).async_get_area_by_name("Kitchen")
    assert kitchen
    ar.async_get(home).async_update(kitchen.id, aliases=KITCHEN)
    door = er.async_get(home).async_get_or_create(
        "lock", "demo", "porte", original_name="Porte du balcon", suggested_object_id="porte"
    )
    er.async_get(home).async_update_entity(door.entity_id, area_id=kitchen.id)
    home.states.async_set(door.entity_id, "locked", {"friendly_name": "Porte du balcon"})
    async_expose_entity(home, "conversation", door.entity_id, should_expose=True)
    await home.async_block_till_done()
    return await add_agent(home, ollama.url, reflex=False, second_opinion=False)


@rows(("language", "sentence"), WISHES)
async def test_wish_for_a_place_is_met_there_and_nowhere_else(
    wished: Agent, ollama: PlayedOllama, language: str, sentence: str
) -> None:
    deeds = Deeds(wished.hass)
    for made, done in (
        (call(SET, name="Kitchen Lights", brightness=40), ["light.turn_on kitchen_lights"]),
        (call(SET, name="Bed Light", brightness=40), []),
        (call(OFF, name="Porte du balcon"), []),
    ):
        ollama.answers(calls(made), *[says("Hm.")] * 2)
        answer = await wished.hears(sentence, language=language)
        assert deeds.taken() == done, answer.speech
