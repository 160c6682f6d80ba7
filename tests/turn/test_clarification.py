"""A command for one of several devices is asked about at once, and its answer does it."""

from collections.abc import Sequence

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest

from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.devices import async_add_locks, async_change_device
from tests.ollama import PlayedOllama

from ..tables import table

LAMPS = "Ceiling Lights, Bed Light or Kitchen Lights?"
WHICH_LAMP = "Which one do you mean: " + LAMPS
WHICH_DOOR = "Which one do you mean: Front Door or Kitchen Door?"
# In which language; what is said, and heard; then what is answered to it, and done by that.
ASKED = table(__file__, "ASKED")
# Of none of these it is known that one is meant, or of which kind.
NOT_ASKED = (
    "turn on the porch light", "turn on the other light", "turn on the light and the fan",
    "lock the gate", "close the curtain", "turn off the television", "is the light on?",
    "turn on the light if I am at home", "turn the light upside down",
    "turn the bed light and the kitchen lights upside down",
)  # fmt: skip


DOORS = ("lock.front_door", "lock.kitchen_door")
# To lock what is open nobody has to be asked which, where the others are locked.
TO_LOCK = (
    ("en", "lock the door"), ("de", "schließ die Tür ab"), ("fr", "verrouille la porte"),
    ("it", "chiudi a chiave la porta"), ("es", "cierra la puerta con llave"),
    ("fr", "ferme la porte à clé"), ("pl", "zamknij drzwi na klucz"),
)  # fmt: skip


async def unlock(hass: HomeAssistant, *doors: str) -> None:
    """Let some doors be unlocked, and no others."""
    for each in DOORS:
        service = "unlock" if each in doors else "lock"
        await hass.services.async_call("lock", service, {"entity_id": each}, blocking=True)


@pytest.fixture
async def flat(home: HomeAssistant, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """An agent without a model, in a home with three lamps and two locks: nobody knows where one speaks."""
    monkeypatch.setattr("homeassistant.components.demo.lock.LOCK_UNLOCK_DELAY", 0)
    await async_add_locks(home, "lock.front_door", "lock.kitchen_door")
    entities = er.async_get(home)
    kept = ("bed_light", "ceiling_lights", "kitchen_lights", "front_door", "kitchen_door")
    for state in home.states.async_all(("light", "lock")):
        if state.object_id not in kept:
            entities.async_remove(state.entity_id)
    await home.async_block_till_done()
    agent = await add_agent(home, ollama.url, reflex=True)
    await ollama.stop()
    return agent


async def test_which_one_is_asked_without_a_model(flat: Agent) -> None:
    deeds = Deeds(flat.hass)
    wrong: list[tuple[str, str, str, Sequence[str]]] = []
    for language, sentence, question, answer, done in ASKED:
        await unlock(flat.hass, *DOORS)
        deeds.taken()
        asked = await flat.hears(sentence, language=language)
        before = deeds.taken()
        said = await flat.hears(answer, asked.conversation_id, language=language)
        taken = deeds.taken()
        if asked.speech != question or before or taken != done:
            wrong.append((sentence, asked.speech, said.speech, taken))
    assert not wrong


async def test_the_only_door_that_is_open_is_locked_without_a_question(flat: Agent) -> None:
    deeds = Deeds(flat.hass)
    wrong = []
    for language, sentence in TO_LOCK:
        for door in DOORS:
            await unlock(flat.hass, door)
            deeds.taken()
            answer = await flat.hears(sentence, language=language)
            taken = deeds.taken()
            if taken != [f"lock.lock {door.partition('.')[2]}"] or "?" in (answer.speech or ""):
                wrong.append((sentence, door, answer.speech, taken))
    assert not wrong


async def test_a_door_of_which_nobody_knows_whether_it_is_open_may_be_meant(flat: Agent) -> None:
    await unlock(flat.hass, DOORS[0])
    flat.hass.states.async_set(DOORS[1], "unavailable")
    deeds = Deeds(flat.hass)
    answer = await flat.hears("lock the door")
    assert answer.speech
    assert "Which one" in answer.speech
    assert not deeds.taken()
    # To open one is another thing: which one is locked tells nothing.
    await unlock(flat.hass, DOORS[0])
    deeds.taken()
    assert (await flat.hears("unlock the door")).speech == WHICH_DOOR
    assert not deeds.taken()


async def test_what_is_opened_is_asked_of_as_always(flat: Agent) -> None:
    deeds = Deeds(flat.hass)
    answer = await flat.hears("unlock the door")
    answer = await flat.hears("the front door", answer.conversation_id)
    assert answer.speech == "Shall I unlock the Front Door?"
    assert not deeds.taken()
    await flat.hears("yes", answer.conversation_id)
    assert deeds.taken() == ["lock.unlock front_door"]


async def test_what_may_be_more_or_another_is_not_asked(flat: Agent) -> None:
    deeds = Deeds(flat.hass)
    asked = {each: (await flat.hears(each)).speech for each in NOT_ASKED}
    assert not [each for each in asked.values() if each.startswith("Which")]
    assert not deeds.taken()


async def test_of_two_called_alike_the_room_tells(flat: Agent) -> None:
    for entity_id in ("light.bed_light", "light.kitchen_lights"):
        await async_change_device(flat.hass, entity_id, name="Lamp")
    deeds = Deeds(flat.hass)
    answer = await flat.hears("turn on the lamp")
    assert answer.speech == "Which one do you mean: Bedroom Lamp or Kitchen Lamp?"
    await flat.hears("the bedroom one", answer.conversation_id)
    assert deeds.taken() == ["light.turn_on bed_light"]
