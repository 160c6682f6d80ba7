"""A name in another case is no misheard one: it is not asked about."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
import pytest

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, says

# In which language; what the bed light and its room, and the ceiling lights are called; what is said, and done.
DONE = [
    ("pl", "Girlanda", "Pracownia", "Zegar", "Włącz girlandę", "light.turn_on bed_light"),
    ("pl", "Girlanda", "Pracownia", "Zegar", "Zgaś światło w pracowni", "light.turn_off bed_light"),
    ("pl", "Girlanda", "Weranda", "Zegar", "Włącz światło na werandzie", "light.turn_on bed_light"),
    ("pl", "Girlanda", "Pracownia", "Zegar babci", "Wyłącz zegara babci", "light.turn_off ceiling_lights"),
    ("de", "Kleiner Strahler", "Labor", "Uhr", "Schalte den kleinen Strahler ein", "light.turn_on bed_light"),
    ("de", "Girlande", "Kleines Labor", "Uhr", "Schalte das Licht im kleinen Labor ein", "light.turn_on bed_light"),
    ("nl", "Klein Stolpje", "Zolder", "Klok", "Doe het kleine stolpje aan", "light.turn_on bed_light"),
]  # fmt: skip
# What keeps people out is asked about, whether it is to be opened or closed.
DOORS = [
    ("pl", "Wiata", "Otwórz wiatę"),
    ("pl", "Wiata", "Zamknij wiatę"),
    ("de", "Kleiner Verschlag", "Öffne den kleinen Verschlag"),
]


async def called(hass: HomeAssistant, entity_id: str, name: str) -> None:
    """Give a device another name."""
    entity = er.async_get(hass).async_get(entity_id)
    assert entity
    assert entity.device_id
    dr.async_get(hass).async_update_device(entity.device_id, name_by_user=name)
    await hass.async_block_till_done()


@pytest.mark.parametrize("case", DONE)
async def test_a_name_in_another_case_is_the_name(
    home: HomeAssistant, ollama: PlayedOllama, case: tuple[str, ...]
) -> None:
    language, name, room, other, sentence, done = case
    areas = ar.async_get(home)
    bedroom = areas.async_get_area_by_name("Bedroom")
    assert bedroom
    areas.async_update(bedroom.id, name=room)
    await called(home, "light.bed_light", name)
    await called(home, "light.ceiling_lights", other)
    ollama.script = [says("Hm?")] * 4
    agent = await add_agent(home, ollama.url, reflex=True, second_opinion=False)
    deeds = Deeds(home)
    answer = await agent.hears(sentence, language=language)
    await home.async_block_till_done()
    assert deeds.taken() == [done], answer.speech


async def test_of_two_that_are_called_so_none_is_taken(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    await called(home, "light.bed_light", "Girlanda")
    await called(home, "light.ceiling_lights", "Girlando")
    agent = await add_agent(home, ollama.url, reflex=True, second_opinion=False)
    deeds = Deeds(home)
    answer = await agent.hears("Włącz girlandę", language="pl")
    assert (deeds.taken(), answer.speech[-1:]) == ([], "?")


@pytest.mark.parametrize(("language", "name", "sentence"), DOORS)
async def test_what_keeps_people_out_is_asked_about(
    home: HomeAssistant, ollama: PlayedOllama, language: str, name: str, sentence: str
) -> None:
    await called(home, "cover.garage_door", name)
    agent = await add_agent(home, ollama.url, reflex=True, second_opinion=False)
    deeds = Deeds(home)
    answer = await agent.hears(sentence, language=language)
    assert (deeds.taken(), answer.speech[-1:]) == ([], "?")
