"""To shut the only thing that is called so needs no question; to open it does."""

from homeassistant.core import HomeAssistant
import pytest

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.devices import async_add_locks, async_change_device
from tests.ollama import PlayedOllama, says
from tests.rows import rows

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


@rows(("language", "name", "sentence"), SHUT)
async def test_the_only_door_that_is_called_so_is_shut(
    yard: HomeAssistant, ollama: PlayedOllama, language: str, name: str, sentence: str
) -> None:
    await async_change_device(yard, DOOR, name=name)
    assert await done(yard, ollama, language, sentence) == ["cover.close_cover garage_door"]
    assert not ollama.chats


@pytest.mark.parametrize(("language", "name", "sentence"), NOT_SHUT)
async def test_nothing_else_is_taken_for_it(
    yard: HomeAssistant, ollama: PlayedOllama, language: str, name: str, sentence: str
) -> None:
    await async_change_device(yard, DOOR, name=name)
    assert await done(yard, ollama, language, sentence) == []


async def test_of_two_that_are_called_so_none_is_shut(
    yard: HomeAssistant, ollama: PlayedOllama
) -> None:
    await async_change_device(yard, DOOR, name="Boat House Door")
    await async_change_device(yard, WINDOW, name="Boat House Shutter")
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
    await async_add_locks(yard, LOCK)
    await async_change_device(yard, DOOR, name="Boat House Door")
    yard.states.async_set(LOCK, "unlocked", {"friendly_name": "Boat House Bolt"})
    assert await done(yard, ollama, "en", sentence) == wanted
