"""To shut the only thing that is called so needs no question; to open it does."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er
import pytest

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, says

DOOR, WINDOW, LOCK = "cover.garage_door", "cover.hall_window", "lock.front_door"
# In which language; what the door is called; what is said.
SHUT = [
    ("en", "Boat House Door", "Shut the boat house"),
    ("en", "Boat House Door", "Close the boat house please"),
    ("de", "Bootshaus Tor", "Mach das Bootshaus zu"),
    ("es", "Puerta del cobertizo", "Cierra el cobertizo"),
    ("fr", "Porte de la remise", "Ferme la remise"),
    ("it", "Porta della rimessa", "Chiudi la rimessa"),
    ("nl", "Schuur Deur", "Doe de schuur dicht"),
    ("pl", "Brama atelier", "Zamknij atelier"),
]
# Of these the model is asked, or the user: it may be another thing, or more is said than to shut it.
NOT_SHUT = [
    ("en", "Boat House Door", "Open the boat house"),
    ("en", "Boat House Door", "Shut the bathhouse"),
    ("en", "Boat House Door", "Turn off the boat house"),
    ("en", "Boat House Door", "Lock the boat house"),
    ("en", "Boat House Door", "Don't shut the boat house"),
    ("en", "Boat House Door", "Shut the boat house halfway"),
    ("en", "Boat House Door", "Is the boat house shut?"),
    ("de", "Bootshaus Tor", "Mach das Bootshaus auf"),
    ("fr", "Porte de la remise", "Ouvre la remise"),
]


async def called(hass: HomeAssistant, entity_id: str, name: str) -> None:
    """Give a device another name."""
    entity = er.async_get(hass).async_get(entity_id)
    assert entity
    assert entity.device_id
    dr.async_get(hass).async_update_device(entity.device_id, name_by_user=name)
    await hass.async_block_till_done()


@pytest.fixture
async def yard(home: HomeAssistant) -> HomeAssistant:
    """A home whose garage door is open."""
    await home.services.async_call("cover", "open_cover", {"entity_id": DOOR}, blocking=True)
    return home


async def done(hass: HomeAssistant, ollama: PlayedOllama, language: str, said: str) -> list[str]:
    """Return what is done by a sentence, without the model."""
    ollama.script = [says("Hm?")] * 4
    agent = await add_agent(hass, ollama.url, reflex=True)
    deeds = Deeds(hass)
    await agent.hears(said, language=language)
    return deeds.taken()


@pytest.mark.parametrize(("language", "name", "sentence"), SHUT)
async def test_the_only_door_that_is_called_so_is_shut(
    yard: HomeAssistant, ollama: PlayedOllama, language: str, name: str, sentence: str
) -> None:
    await called(yard, DOOR, name)
    assert await done(yard, ollama, language, sentence) == ["cover.close_cover garage_door"]
    assert not ollama.chats


@pytest.mark.parametrize(("language", "name", "sentence"), NOT_SHUT)
async def test_nothing_else_is_taken_for_it(
    yard: HomeAssistant, ollama: PlayedOllama, language: str, name: str, sentence: str
) -> None:
    await called(yard, DOOR, name)
    assert await done(yard, ollama, language, sentence) == []


async def test_of_two_that_are_called_so_none_is_shut(
    yard: HomeAssistant, ollama: PlayedOllama
) -> None:
    await called(yard, DOOR, "Boat House Door")
    await called(yard, WINDOW, "Boat House Shutter")
    assert await done(yard, ollama, "en", "Shut the boat house") == []


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("Lock the boat house", ["lock.lock front_door"]),
        ("Shut the boat house", ["cover.close_cover garage_door"]),
        ("Unlock the boat house", []),
    ],
)
async def test_a_lock_is_locked_and_a_door_is_shut(
    yard: HomeAssistant, ollama: PlayedOllama, sentence: str, wanted: list[str]
) -> None:
    (demo,) = yard.config_entries.async_entries("demo")
    await yard.config_entries.async_forward_entry_setups(demo, (Platform.LOCK,))
    await yard.async_block_till_done()
    async_expose_entity(yard, "conversation", LOCK, should_expose=True)
    await called(yard, DOOR, "Boat House Door")
    yard.states.async_set(LOCK, "unlocked", {"friendly_name": "Boat House Bolt"})
    assert await done(yard, ollama, "en", sentence) == wanted
