"""Whose work watering is: a valve's that is for it, else that of a switch that is called so."""

from homeassistant.components.conversation import DOMAIN
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.home.exposed import Exposed, Home
from custom_components.voice_gateway.nlu.predicates import entities_for_sense
from tests.agent import add_agent
from tests.deeds import Deeds
from tests.devices import async_change_device
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows

VALVE = "valve.front_garden"
# What the valve is called, what waters with it, and what ends that.
SAID = {
    "en": ("Irrigation Valve", "water the flowers", "stop watering the flowers"),
    "de": ("Gartenbewässerung", "gieß die Blumen", "stopp die Gartenbewässerung"),
    "fr": ("Arrosage", "arrose les fleurs", "arrête l'arrosage"),
    "es": ("Riego", "riega las flores", "para el riego"),
    "it": ("Irrigazione", "innaffia i fiori", "ferma l'irrigazione"),
    "nl": ("Sproeier", "geef de bloemen water", "stop de sproeier"),
    "pl": ("Nawadnianie", "podlej kwiaty", "zatrzymaj nawadnianie"),
}


async def leave_one_valve(hass: HomeAssistant) -> None:
    """Let one valve be exposed, and a light that is called by the garden."""
    for entity_id in hass.states.async_entity_ids("valve"):
        async_expose_entity(hass, DOMAIN, entity_id, should_expose=entity_id == VALVE)
    await async_change_device(hass, "light.bed_light", name="Garden Light")


@rows("language", SAID)
async def test_the_only_valve_waters_and_stops_without_a_model(
    full_house: HomeAssistant, ollama: PlayedOllama, language: str
) -> None:
    await leave_one_valve(full_house)
    name, begins, ends = SAID[language]
    await async_change_device(full_house, VALVE, name=name)
    agent = await add_agent(full_house, ollama.url, reflex=True)
    await ollama.stop()
    deeds = Deeds(full_house)
    for sentence, done in ((begins, "open_valve"), (ends, "close_valve")):
        answer = await agent.hears(sentence, language=language)
        await full_house.async_block_till_done()
        assert deeds.taken() == [f"valve.{done} front_garden"], (sentence, answer.speech)


async def test_model_may_open_the_only_valve_and_no_light(
    full_house: HomeAssistant, ollama: PlayedOllama
) -> None:
    """It is called by nothing that says what it is for: that is left to the model."""
    await leave_one_valve(full_house)
    await async_change_device(full_house, VALVE, name="Main")
    agent = await add_agent(full_house, ollama.url, reflex=True, second_opinion=False)
    deeds = Deeds(full_house)
    light = call("intent__HassTurnOn", name="Garden Light")
    ollama.answers(calls(light), calls(call("intent__HassTurnOn", name="Main")), says("Done."))
    answer = await agent.hears("water the garden")
    await full_house.async_block_till_done()
    assert deeds.taken() == ["valve.open_valve front_garden"]
    assert answer.tool_results[0].data == {
        "error": "That is no work for Garden Light, but for a valve: call intent__HassTurnOn"
    }


@pytest.mark.parametrize("written", [False, True])
async def test_of_several_valves_a_refusal_names_valves_alone(
    full_house: HomeAssistant, ollama: PlayedOllama, *, written: bool
) -> None:
    await async_change_device(full_house, "light.bed_light", name="Garden Light")
    names = ["Front Valve", "Back Valve", "Tree Valve", "Orchard Valve"]
    ids = ["front_garden", "back_garden", "trees", "orchard"]
    for name, object_id in zip(names, ids, strict=True):
        await async_change_device(full_house, f"valve.{object_id}", name=name)
    agent = await add_agent(full_house, ollama.url, second_opinion=False)
    deeds = Deeds(full_house)
    for name in ("Front Valve", "Garden Light"):
        made = (
            says(f'{{"name": "HassTurnOn", "arguments": {{"name": "{name}"}}}}')
            if written
            else calls(call("intent__HassTurnOn", name=name))
        )
        ollama.answers(made, *[says("Which one?")] * 2)
        answer = await agent.hears("water the garden")
        assert deeds.taken() == []
        (told,) = answer.tool_results
        assert told.error
        assert "meant: Garden Light" not in str(told.data)
        assert "be: Garden Light" not in str(told.data)
        ollama.script.clear()


def home_of(*things: tuple[str, str, str | None]) -> Home:
    found = [
        Exposed("", domain, (name,), f"{domain}.{number}", device_class)
        for number, (domain, name, device_class) in enumerate(things)
    ]
    return Home(tuple(found), {}, {})


@pytest.mark.parametrize(
    ("things", "does"),
    [
        ([("valve", "Sprinkler", None), ("switch", "Irrigation", None)], ["Sprinkler"]),
        ([("valve", "Main Water", "water")], []),
        ([("valve", "Garden Gas", "gas")], []),
        ([("switch", "Lawn Sprinkler", None), ("switch", "Coffee", None)], ["Lawn Sprinkler"]),
        ([("light", "Garden Light", None)], []),
    ],
)
def test_what_is_called_so_waters(
    things: list[tuple[str, str, str | None]], does: list[str]
) -> None:
    found = entities_for_sense("valve", home_of(*things), "en", certainly=True)
    assert [each.names[0] for each in found] == does
