"""Where several devices may be meant, one is asked which: by us, if the model does not."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest

from tests.agent import add_agent
from tests.devices import async_change_device
from tests.ollama import PlayedOllama, call, calls, says

ON, OFF = "intent__HassTurnOn", "intent__HassTurnOff"
MODEL = "The call failed because the user did not specify the device class."
LIGHTS = ("light.bed_light", "light.ceiling_lights", "light.kitchen_lights")


@pytest.fixture
async def loft(home: HomeAssistant) -> HomeAssistant:
    """A home with three lamps, of which two are called the same."""
    for entity_id in home.states.async_entity_ids("light"):
        if entity_id not in LIGHTS:
            er.async_get(home).async_remove(entity_id)
    await async_change_device(home, LIGHTS[0], name="Lamp", area="Bedroom")
    await async_change_device(home, LIGHTS[1], name="Lamp", area="Kitchen")
    return home


# What is said, in which language; what the model calls and says; what is heard.
SAID = [
    ("en", "turn on the lamp", (ON, "lamp"), MODEL,
     "Which one do you mean: Bedroom Lamp or Kitchen Lamp?"),
    ("en", "turn on the lamp", (ON, "lamp"), "I can't do that.",
     "Which one do you mean: Bedroom Lamp or Kitchen Lamp?"),
    ("en", "turn on the lamp", (ON, "lamp"), "Done!",
     "Which one do you mean: Bedroom Lamp or Kitchen Lamp?"),
    ("en", "turn on the lamp", (ON, "lamp"), "Which lamp, please?", "Which lamp, please?"),
    ("en", "turn on the lamp", (ON, "lamp"), "I can't. Anything else?",
     "Which one do you mean: Bedroom Lamp or Kitchen Lamp?"),
    ("de", "schalte das Licht ein", (ON, "Licht"), "Das geht nicht.",
     "Was davon meinst du: Bedroom Lamp, Kitchen Lights oder Kitchen Lamp?"),
    ("fr", "allume la lumière", (ON, "lumière"), "Je ne peux pas.",
     "Que voulez-vous dire : Bedroom Lamp, Kitchen Lights ou Kitchen Lamp ?"),
    ("es", "enciende la luz", (ON, "luz"), "No puedo.",
     "¿A qué te refieres: Bedroom Lamp, Kitchen Lights o Kitchen Lamp?"),
    ("it", "accendi la luce", (ON, "luce"), "Non posso.",
     "Quale intendi: Bedroom Lamp, Kitchen Lights o Kitchen Lamp?"),
    ("nl", "doe het licht aan", (ON, "licht"), "Dat gaat niet.",
     "Welke bedoel je: Bedroom Lamp, Kitchen Lights of Kitchen Lamp?"),
    ("pl", "włącz światło", (ON, "światło"), "Nie mogę.",
     "Co masz na myśli: Bedroom Lamp, Kitchen Lights lub Kitchen Lamp?"),
    # Nobody knows what that could be.
    ("en", "turn on the sauna", (ON, "sauna"), "I can't do that.", "I can't do that."),
]  # fmt: skip


async def test_which_one_is_asked(loft: HomeAssistant, ollama: PlayedOllama) -> None:
    agent = await add_agent(loft, ollama.url)
    wrong = []
    for language, sentence, (tool, name), said, utterance in SAID:
        ollama.script = [calls(call(tool, name=name)), *[says(said)] * 3]
        answer = await agent.hears(sentence, language=language)
        if (answer.speech, answer.result.continue_conversation) != (utterance, "?" in utterance):
            wrong.append((sentence, said, answer.speech, answer.tool_results))
    assert not wrong


async def test_which_of_many_is_not_asked_after_a_plain_answer(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """In another home, with more lamps than one can hear at once."""
    agent = await add_agent(home, ollama.url)
    for said, utterance in (
        ("There is no porch light.", "There is no porch light."),
        (MODEL, "Which one do you mean: Ceiling Lights, "),
    ):
        ollama.script = [calls(call(ON, name="Porch Light")), *[says(said)] * 3]
        answer = await agent.hears("turn on the porch light")
        assert (answer.speech or "").startswith(utterance)


async def test_what_was_done_besides_is_not_forgotten(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url)
    ollama.script = [
        calls(call(ON, name="Bed Light"), call(OFF, name="Porch Window")),
        *[says("I can't do all of it.")] * 3,
    ]
    answer = await agent.hears("turn on the bed light and close the porch window")
    assert answer.speech == "I can't do all of it."
