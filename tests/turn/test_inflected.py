"""A name in another case is no misheard one: it is not asked about."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
import pytest

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.devices import async_change_device
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


@pytest.mark.parametrize("case", DONE)
async def test_a_name_in_another_case_is_the_name(
    home: HomeAssistant, ollama: PlayedOllama, case: tuple[str, ...]
) -> None:
    language, name, room, other, sentence, done = case
    areas = ar.async_get(home)
    bedroom = areas.async_get_area_by_name("Bedroom")
    assert bedroom
    areas.async_update(bedroom.id, name=room)
    await async_change_device(home, "light.bed_light", name=name)
    await async_change_device(home, "light.ceiling_lights", name=other)
    ollama.script = [says("Hm?")] * 4
    agent = await add_agent(home, ollama.url, reflex=True, second_opinion=False)
    deeds = Deeds(home)
    answer = await agent.hears(sentence, language=language)
    await home.async_block_till_done()
    assert deeds.taken() == [done], answer.speech


async def test_of_two_that_are_called_so_none_is_taken(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    await async_change_device(home, "light.bed_light", name="Girlanda")
    await async_change_device(home, "light.ceiling_lights", name="Girlando")
    agent = await add_agent(home, ollama.url, reflex=True, second_opinion=False)
    deeds = Deeds(home)
    answer = await agent.hears("Włącz girlandę", language="pl")
    assert (deeds.taken(), answer.speech[-1:]) == ([], "?")


@pytest.mark.parametrize(("language", "name", "sentence"), DOORS)
async def test_what_keeps_people_out_is_asked_about(
    home: HomeAssistant, ollama: PlayedOllama, language: str, name: str, sentence: str
) -> None:
    await async_change_device(home, "cover.garage_door", name=name)
    agent = await add_agent(home, ollama.url, reflex=True, second_opinion=False)
    deeds = Deeds(home)
    answer = await agent.hears(sentence, language=language)
    assert (deeds.taken(), answer.speech[-1:]) == ([], "?")
