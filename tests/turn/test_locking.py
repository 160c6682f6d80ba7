"""To lock a door is understood in the words that people have for it, with or without a model."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
import pytest

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, call, calls, says

LOCK = "lock.front_door"
LOCKS = ["lock.lock front_door"]
TO_LOCK = (
    ("de", "Schließ die Front Door ab"),
    ("de", "Verriegele die Front Door"),
    ("en", "Lock the front door"),
    ("es", "Cierra la Front Door con llave"),
    ("es", "Cierra con llave la Front Door"),
    ("es", "Echa la llave a la Front Door"),
    ("es", "Bloquea la Front Door"),
    ("es", "Cierra la puerta con llave"),
    ("fr", "Verrouille la Front Door"),
    ("fr", "Ferme la Front Door à clé"),
    ("fr", "Ferme à double tour la Front Door"),
    ("fr", "Ferme la porte à clé"),
    ("it", "Chiudi a chiave la Front Door"),
    ("it", "Chiudi la Front Door a chiave"),
    ("it", "Blocca la Front Door"),
    ("it", "Chiudi a chiave la porta"),
    ("nl", "Doe de Front Door op slot"),
    ("nl", "Vergrendel de Front Door"),
    ("pl", "Zamknij Front Door na klucz"),
    ("pl", "Zamknij na klucz Front Door"),
    ("pl", "Zarygluj Front Door"),
    ("pl", "Zamknij drzwi na klucz"),
)
# Each is open before, and what nobody may take for locking.
OTHER = (
    ("es", "Abre la Front Door con llave"),
    ("fr", "Déverrouille la Front Door"),
    ("it", "Apri a chiave la Front Door"),
    ("pl", "Otwórz Front Door na klucz"),
    ("es", "No cierres la Front Door con llave"),
    ("fr", "La Front Door est fermée à clé ?"),
    ("it", "Hai chiuso a chiave la Front Door?"),
    ("pl", "Czy Front Door jest zamknięta na klucz?"),
)


@pytest.fixture
async def house(home: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> HomeAssistant:
    """A home with one lock, and a garage door beside it."""
    monkeypatch.setattr("homeassistant.components.demo.lock.LOCK_UNLOCK_DELAY", 0)
    (demo,) = home.config_entries.async_entries("demo")
    await home.config_entries.async_forward_entry_setups(demo, (Platform.LOCK,))
    await home.async_block_till_done()
    async_expose_entity(home, "conversation", LOCK, should_expose=True)
    return home


async def unlock(hass: HomeAssistant) -> None:
    """Let the door be unlocked."""
    await hass.services.async_call("lock", "unlock", {"entity_id": LOCK}, blocking=True)


async def test_door_is_locked_without_a_model(house: HomeAssistant, ollama: PlayedOllama) -> None:
    agent = await add_agent(house, ollama.url, reflex=True)
    await ollama.stop()
    deeds = Deeds(house)
    wrong = []
    for language, sentence in TO_LOCK:
        await unlock(house)
        deeds.taken()
        answer = await agent.hears(sentence, language=language)
        if (taken := deeds.taken()) != LOCKS or answer.is_error:
            wrong.append((sentence, answer.speech, taken))
    assert not wrong


async def test_model_may_lock_what_is_to_be_locked(
    house: HomeAssistant, ollama: PlayedOllama
) -> None:
    """By the call that turns a lock on, though the sentence says to close."""
    agent = await add_agent(house, ollama.url)
    deeds = Deeds(house)
    wrong = []
    for language, sentence in TO_LOCK:
        await unlock(house)
        deeds.taken()
        ollama.script.clear()
        ollama.answers(calls(call("intent__HassTurnOn", name="Front Door", domain=["lock"])))
        answer = await agent.hears(sentence, language=language)
        if (taken := deeds.taken()) != LOCKS:
            wrong.append((sentence, answer.speech, taken))
    assert not wrong


async def test_what_is_no_order_to_lock_locks_nothing(
    house: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(house, ollama.url, reflex=True, second_opinion=False)
    await unlock(house)
    deeds = Deeds(house)
    wrong = []
    for language, sentence in OTHER:
        ollama.script.clear()
        ollama.answers(*[says("I do not know.")] * 3)
        answer = await agent.hears(sentence, language=language)
        if taken := deeds.taken():
            wrong.append((sentence, answer.speech, taken))
    assert not wrong
