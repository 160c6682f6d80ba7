"""To lock a door is understood in the words that people have for it, with or without a model."""

from collections.abc import Iterable

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
import pytest

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.devices import async_add_locks
from tests.ollama import PlayedOllama, call, calls, says

LOCK = "lock.front_door"
OTHER_LOCK = "lock.kitchen_door"
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

# All doors are meant, in none's name.
TO_LOCK_UP = (
    ("de", "Schließ ab"),
    ("de", "Schließ bitte alles ab"),
    ("de", "Kannst du das Haus abschließen?"),
    ("en", "Lock up please"),
    ("en", "Lock all the doors"),
    ("de", "Schließ alle Türen ab"),
    ("de", "Sperr beide Türen zu"),
    ("fr", "Verrouille toutes les portes"),
    ("es", "Cierra todas las puertas con llave"),
    ("it", "Chiudi a chiave tutte le porte"),
    ("nl", "Doe alle deuren op slot"),
    ("pl", "Zamknij wszystkie drzwi na klucz"),
    ("en", "Lock the house"),
    ("es", "Cierra con llave"),
    ("es", "Cierra la casa con llave"),
    ("fr", "Ferme à clé"),
    ("fr", "Verrouille la maison"),
    ("it", "Chiudi a chiave"),
    ("it", "Chiudi la casa a chiave"),
    ("nl", "Doe op slot"),
    ("nl", "Doe het huis op slot"),
    ("pl", "Zamknij na klucz"),
    ("pl", "Zamknij dom na klucz"),
)
# One may be meant, another place, or nothing of the kind.
NOT_ALL = (
    ("en", "Lock the door"),
    ("en", "Lock the shed"),
    ("en", "Unlock the house"),
    ("en", "Open up"),
    ("en", "Don't lock up"),
    ("en", "Lock up after yourself next time"),
    ("de", "Schließ auf"),
    ("de", "Schließ die Haustür ab"),
    ("fr", "Déverrouille la maison"),
    ("fr", "Verrouille la voiture"),
    ("it", "Blocca"),
    ("it", "Sblocca la casa"),
    ("pl", "Odblokuj dom"),
)


@pytest.fixture
async def house(home: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> HomeAssistant:
    """A home with one lock, and a garage door beside it."""
    monkeypatch.setattr("homeassistant.components.demo.lock.LOCK_UNLOCK_DELAY", 0)
    await async_add_locks(home, LOCK)
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
    await unlock(house)
    assert not await locked_by(house, ollama, OTHER)


async def locked_by(
    hass: HomeAssistant, ollama: PlayedOllama, said: Iterable[tuple[str, str]]
) -> list[tuple[str, str, list[str]]]:
    """Return which sentences do something, with the answer, and what is done: the model does nothing."""
    agent = await add_agent(hass, ollama.url, reflex=True, second_opinion=False)
    deeds = Deeds(hass)
    wrong = []
    for language, sentence in said:
        ollama.script.clear()
        ollama.answers(*[says("I do not know.")] * 3)
        answer = await agent.hears(sentence, language=language)
        if taken := deeds.taken():
            wrong.append((sentence, answer.speech, taken))
    return wrong


@pytest.fixture
async def two_doors(house: HomeAssistant) -> HomeAssistant:
    """Two locks: the kitchen door has one as well."""
    async_expose_entity(house, "conversation", OTHER_LOCK, should_expose=True)
    return house


async def unlock_both(hass: HomeAssistant) -> None:
    for each in (LOCK, OTHER_LOCK):
        await hass.services.async_call("lock", "unlock", {"entity_id": each}, blocking=True)


async def test_all_doors_are_locked_where_no_one_is_named(
    two_doors: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(two_doors, ollama.url, reflex=True)
    await ollama.stop()
    wrong = []
    for language, sentence in TO_LOCK_UP:
        await unlock_both(two_doors)
        answer = await agent.hears(sentence, language=language)
        states = {str(two_doors.states.get(each)).split(";")[0] for each in (LOCK, OTHER_LOCK)}
        if answer.is_error or not all(each.endswith("=locked") for each in states):
            wrong.append((sentence, answer.speech, states))
    assert not wrong


async def test_model_may_lock_all_doors_one_by_one(
    two_doors: HomeAssistant, ollama: PlayedOllama
) -> None:
    """In calls that it writes, too: each is one of all that were said."""
    agent = await add_agent(two_doors, ollama.url)
    deeds = Deeds(two_doors)
    wrong = []
    for language, sentence in TO_LOCK_UP:
        await unlock_both(two_doors)
        deeds.taken()
        ollama.script.clear()
        written = (
            f'{{"name": "HassTurnOn", "arguments": {{"name": "{name}", "domain": ["lock"]}}}}'
            for name in ("Front Door", "Kitchen Door")
        )
        ollama.answers(says("\n".join(written)))
        answer = await agent.hears(sentence, language=language)
        if {*deeds.taken()} != {*LOCKS, "lock.lock kitchen_door"}:
            wrong.append((sentence, answer.speech))
    assert not wrong


async def test_one_door_or_another_place_is_not_all(
    two_doors: HomeAssistant, ollama: PlayedOllama
) -> None:
    await unlock_both(two_doors)
    assert not await locked_by(two_doors, ollama, NOT_ALL)


async def test_who_says_to_unlock_has_nothing_locked_by_the_model(
    house: HomeAssistant, ollama: PlayedOllama
) -> None:
    """Home Assistant has no Polish sentence for it: the words themselves say what is the opposite."""
    await unlock(house)
    agent = await add_agent(house, ollama.url, second_opinion=False)
    deeds = Deeds(house)
    ollama.answers(calls(call("intent__HassTurnOn", name="Front Door")), *[says("Hm.")] * 2)
    answer = await agent.hears("Odblokuj Front Door", language="pl")
    assert deeds.taken() == []
    assert [each.data for each in answer.tool_results] == [
        {"error": "The user asked for the opposite: call intent__HassTurnOff"}
    ]
