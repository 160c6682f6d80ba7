"""What is asked of something that is not there is not answered with what another device shows."""

from typing import Any

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.recorder import Recorder
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from tests.agent import add_agent
from tests.answers.past_home import furnish, rename
from tests.ollama import PlayedOllama, call, calls, says

DOORS = {"binary_sensor.front": ("Front Door", "on"), "binary_sensor.back": ("Barn Door", "off")}
LIVE = "homeassistant__GetLiveContext"
HISTORY = "get_history"
# Code does not understand it all; what is asked about is sure.
RIDDLE = "Has the vault door been rattling lately?"
NOT_FOUND = "I couldn't find anything called vault door."


@pytest.fixture
def mock_recorder_before_hass(async_test_recorder: Any) -> None:
    """Have the recorder ready before Home Assistant is."""


IN_SEVEN = {
    "en": ("When did the vault door open?", "I couldn't find anything called vault door. I only know of Front Door."),
    "de": ("Wann ging die Tresortür auf?", "Ich habe nichts mit dem Namen Tresortür gefunden. Ich kenne nur Haustür."),
    "es": ("¿Cuándo se abrió la puerta del trastero?", "No he encontrado nada llamado puerta del trastero. Solo conozco Puerta principal."),
    "fr": ("La porte du coffre est-elle ouverte ?", "Je n’ai rien trouvé du nom de porte du coffre. Je connais seulement Porte d'entrée."),
    "it": ("La porta della soffitta è aperta?", "Non ho trovato niente che si chiami porta della soffitta. Conosco solo Porta d'ingresso."),
    "nl": ("Is de kluisdeur open?", "Ik heb niets gevonden dat kluisdeur heet. Ik ken alleen Voordeur."),
    "pl": ("Czy drzwi do sejfu są otwarte?", "Nie znaleziono niczego o nazwie drzwi do sejfu. Znam tylko: Drzwi wejściowe."),
}  # fmt: skip


def with_doors(home: HomeAssistant) -> None:
    """Give the home two doors."""
    for entity_id, (name, state) in DOORS.items():
        attributes = {"friendly_name": name, "device_class": "door"}
        home.states.async_set(entity_id, state, attributes)
        async_expose_entity(home, conversation.DOMAIN, entity_id, should_expose=True)


async def test_code_says_at_once_that_nothing_is_called_so(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    with_doors(home)
    agent = await add_agent(home, ollama.url)
    answer = await agent.hears("Is the vault door open?")
    assert answer.speech == f"{NOT_FOUND} I only know of Barn Door, Front Door and Garage Door."
    answer = await agent.hears("Ist der Küchenventilator an?", language="de")
    assert "Küchenventilator" not in answer.speech
    assert len(ollama.chats) == 1


async def test_seven_languages_say_so(
    recorder_mock: Recorder, hass: HomeAssistant, ollama: PlayedOllama
) -> None:
    await furnish(hass, recorder_mock)
    for component in ("intent", "llm"):
        assert await async_setup_component(hass, component, {})
    agent = await add_agent(hass, ollama.url)
    wrong = []
    for language, (question, expected) in IN_SEVEN.items():
        await rename(hass, language)
        answer = await agent.hears(question, language=language)
        if answer.speech != expected:
            wrong.append((language, answer.speech, expected))
    assert wrong == [], wrong
    assert not ollama.chats


@pytest.mark.parametrize(
    "made",
    [
        call(LIVE, name="Front Door"),
        call(LIVE, domain="binary_sensor"),
        call(HISTORY, name="Front Door", when="this week"),
    ],
    ids=str,
)
async def test_other_device_that_a_model_reads_is_not_told(
    recorder_mock: Recorder,
    home: HomeAssistant,
    ollama: PlayedOllama,
    made: dict[str, object],
) -> None:
    with_doors(home)
    agent = await add_agent(home, ollama.url)
    ollama.answers(calls(made), says("Yes, the vault door is open."))
    answer = await agent.hears(RIDDLE)
    assert answer.speech == NOT_FOUND
    assert "Barn" not in str(answer.tool_results)


async def test_what_else_is_read_with_it_is_told(home: HomeAssistant, ollama: PlayedOllama) -> None:
    with_doors(home)
    agent = await add_agent(home, ollama.url)
    ollama.answers(calls(call(LIVE)), says("There is no vault door."))
    answer = await agent.hears(RIDDLE)
    assert answer.speech == "There is no vault door."
    assert "Bed Light" in str(answer.tool_results)
    assert "Front Door" not in str(answer.tool_results)


@pytest.mark.parametrize(
    "question",
    [
        "Has the front door been rattling lately?",
        "Has the vault door been rattling lately, or the front door?",
        "Has the dog been rattling at something lately?",
        "Has a door been rattling lately?",
    ],
)
async def test_what_was_named_or_is_free_is_read(
    home: HomeAssistant, ollama: PlayedOllama, question: str
) -> None:
    with_doors(home)
    agent = await add_agent(home, ollama.url)
    ollama.answers(calls(call(LIVE, name="Front Door")), says("The front door is open."))
    answer = await agent.hears(question)
    assert answer.speech == "The front door is open."
    assert "on" in str(answer.tool_results)
