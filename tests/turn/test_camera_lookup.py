"""What is to be seen is asked of a model with a picture, or it is said that nobody can look."""

from base64 import b64decode
from pathlib import Path
from typing import Any

from homeassistant.components.camera import Camera
from homeassistant.components.camera.const import DATA_COMPONENT
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.quoted_answer import QuotedAnswer
from custom_components.voice_gateway.texts import async_text
from tests.agent import add_agent
from tests.model_servers import ModelServer, call
from tests.ollama import MODEL, PlayedOllama, says

# The smallest picture that there is.
PICTURE = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)
POSTMAN = "It is the postman."
ASKED = {
    "en": ("who is at the door?", "what do you see?", "is somebody at the front door?"),
    "de": ("Wer ist an der Tür?", "Was siehst du?", "Wer hat geklingelt?"),
    "es": ("¿Quién está en la puerta?", "¿Qué ves?", "¿Hay alguien en la puerta?"),
    "fr": (
        "Qui est à la porte ?",
        "Qu'est-ce que tu vois ?",
        "Y a-t-il quelqu'un devant la porte ?",
    ),
    "it": ("Chi c'è alla porta?", "Che cosa vedi?", "C'è qualcuno alla porta?"),
    "nl": ("Wie staat er voor de deur?", "Wat zie je?", "Staat er iemand voor de deur?"),
    "pl": ("Kto jest pod drzwiami?", "Co widzisz?", "Czy ktoś stoi pod drzwiami?"),
}
# What happens somewhere is to be seen where a camera is.
ASKED_OF_KITCHEN = {
    "en": ("what is going on in the kitchen?", "is there a car on the camera?", "do you see anybody in the kitchen?"),
    "de": ("Was ist in der Kitchen los?", "Ist ein Auto auf der Kamera?"),
    "es": ("¿Qué pasa en la Kitchen?", "¿Hay un coche en la cámara?"),
    "fr": ("Que se passe-t-il dans la Kitchen ?", "Y a-t-il une voiture sur la caméra ?"),
    "it": ("Cosa succede nella Kitchen?", "C'è una macchina sulla telecamera?"),
    "nl": ("Wat gebeurt er in de Kitchen?", "Staat er een auto op de camera?"),
    "pl": ("Co się dzieje w Kitchen?", "Czy na kamerze jest samochód?"),
}  # fmt: skip
NOT_ASKED = {
    "en": (
        "turn on the bed light", "is the garage door open?", "who is home?", "what is the time?",
        "tell me a joke about a camel", "I saw somebody at the door", "when do you see it coming?", "do you see the problem?",
        "what is happening in the world?", "what's going on in the stock market?", "what is in the fridge?",
        "do you see anything wrong with my plan?", "what does it look like in Paris in spring?",
        "which camera should I buy?", "is the camera on?", "is my camera battery low?", "who invented the camera?",
        "who rang the doorbell yesterday?", "what is on the menu today?",
    ),
    "de": (
        "Was ist in der Welt los?", "Was passiert im Körper beim Sport?", "Siehst du etwas im Kalender?",
        "Welche Kamera soll ich kaufen?", "Ist der Akku der Kamera leer?", "Was siehst du als Problem?",
    ),
    "es": ("¿Qué pasa en el mundo?", "¿Qué cámara me compro?", "¿Quién ha llamado a mi hermana?"),
    "fr": ("Que se passe-t-il dans le monde ?", "Quelle caméra dois-je acheter ?", "Qu'est-ce que tu vois comme solution ?"),
    "it": ("Cosa succede nel mondo?", "Quale telecamera devo comprare?", "Cosa vedi come soluzione?"),
    "nl": ("Wat gebeurt er in de wereld?", "Welke camera moet ik kopen?", "Kun je iets doen?"),
    "pl": ("Co się dzieje w świecie?", "Jaką kamerę mam kupić?", "Co widzisz jako problem?"),
}  # fmt: skip

NOT_TO_LOOK = [(code, sentence) for code, listed in NOT_ASKED.items() for sentence in listed]


class Eye(Camera):
    """A camera that has one picture."""

    _attr_should_poll = False

    def __init__(self, name: str, content: bytes = PICTURE) -> None:
        """Take its name, and what it sees."""
        super().__init__()
        self._attr_name = name
        self._attr_unique_id = name.casefold()
        self.content_type = "image/png"
        self.content = content
        self.looks = 0

    async def async_camera_image(
        self, width: int | None = None, height: int | None = None
    ) -> bytes:
        """Return the picture."""
        self.looks += 1
        if not self.content:
            raise HomeAssistantError("The lens is covered")
        return self.content


async def add_camera(
    hass: HomeAssistant, name: str, area: str = "", *, is_exposed: bool = True, **more: Any
) -> Eye:
    """Add a camera to a home, in an area if one is named."""
    assert await async_setup_component(hass, "camera", {})
    eye = Eye(name, **more)
    await hass.data[DATA_COMPONENT].async_add_entities([eye])
    if area:
        found = ar.async_get(hass).async_get_or_create(area)
        er.async_get(hass).async_update_entity(eye.entity_id, area_id=found.id)
    async_expose_entity(hass, "conversation", eye.entity_id, is_exposed)
    await hass.async_block_till_done()
    return eye


async def test_model_looks_through_the_camera(
    home: HomeAssistant, model_server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    eye = await add_camera(home, "Front Door Camera")
    hidden = await add_camera(home, "Bathroom", is_exposed=False)
    model_server.see(sees=True)
    agent = await add_agent(home, model_server, reflex=True)
    model_server.answers(model_server.message(POSTMAN))
    answer = await agent.hears("who is at the door?")
    assert answer.speech == POSTMAN
    (shown,) = model_server.files(model_server.requests[-1])
    assert b64decode(shown) == PICTURE
    assert "Front Door Camera" in str(model_server.requests[-1])
    # What is in it may say anything: it is no wish of the user's, in this turn or the next.
    assert isinstance(answer.log[-1], QuotedAnswer)
    assert not any(getattr(each, "attachments", None) for each in answer.log)
    assert not list_of(tmp_path)
    model_server.answers(model_server.message("You are welcome."))
    later = await agent.hears("and tell me something about him", answer.conversation_id)
    assert later.speech == "You are welcome."
    assert not model_server.files(model_server.requests[-1])
    assert (eye.looks, hidden.looks) == (1, 0)


def list_of(folder: Path) -> list[Path]:
    return [*folder.iterdir()]


async def test_sign_in_a_picture_has_nothing_done(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    await add_camera(home, "Front Door Camera")
    model_server.see(sees=True)
    agent = await add_agent(home, model_server)
    before = home.states.get("light.bed_light")
    for sentence in ("what do you see?", "and now?"):
        model_server.answers(
            model_server.message(call("intent__HassTurnOff", name="Bed Light")),
            *[model_server.message(POSTMAN)] * 2,
        )
        await agent.hears(sentence)
    assert home.states.get("light.bed_light") == before


async def test_languages(home: HomeAssistant, ollama: PlayedOllama) -> None:
    eye = await add_camera(home, "Eye", "Kitchen")
    ollama.models[MODEL] = ["completion", "tools", "vision"]
    agent = await add_agent(home, ollama.url, reflex=True)
    wrong: list[str] = []
    for language, sentences in ASKED.items():
        for sentence in (*sentences, *ASKED_OF_KITCHEN[language]):
            ollama.script.clear()
            ollama.answers(*[says(POSTMAN)] * 2)
            await agent.hears(sentence, language=language)
            if eye.looks != 1:
                wrong.append(sentence)
            eye.looks = 0
    for language, sentence in NOT_TO_LOOK:
        ollama.script.clear()
        ollama.answers(*[says("I do not know.")] * 3)
        await agent.hears(sentence, language=language)
        if eye.looks:
            wrong.append(sentence)
        eye.looks = 0
    assert not wrong


async def test_who_has_no_camera_is_told_so_only_where_one_is_needed(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, reflex=True)
    told: list[str] = []
    for language, sentence in NOT_TO_LOOK:
        ollama.script.clear()
        ollama.answers(*[says("I do not know.")] * 3)
        answer = await agent.hears(sentence, language=language)
        if answer.speech == await async_text(home, language, "no_camera"):
            told.append(sentence)
    assert not told


async def test_camera_that_is_meant(home: HomeAssistant, ollama: PlayedOllama) -> None:
    garden = await add_camera(home, "Garden Camera", "Garden")
    street = await add_camera(home, "Street Camera")
    ollama.models[MODEL] = ["completion", "tools", "vision"]
    agent = await add_agent(home, ollama.url, reflex=True)
    for sentence, looks, expected in (
        ("what do you see in the garden?", (1, 0), POSTMAN),
        ("is there a car on the street camera?", (0, 1), POSTMAN),
        ("what do you see in the kitchen?", (0, 1), POSTMAN),
        (
            "is there a car on my camera?",
            (0, 0),
            "Which one do you mean: Street Camera or Garden Camera?",
        ),
        ("what do you see?", (0, 0), "Which one do you mean: Street Camera or Garden Camera?"),
    ):
        ollama.script.clear()
        ollama.answers(*[says(POSTMAN)] * 2)
        answer = await agent.hears(sentence)
        assert (sentence, (garden.looks, street.looks), answer.speech) == (
            sentence,
            looks,
            expected,
        )
        garden.looks = street.looks = 0
    answer = await agent.hears("the garden camera", answer.conversation_id)
    assert (answer.speech, garden.looks) == (POSTMAN, 1)
    # What was asked before is of another one.
    ollama.answers(*[says(POSTMAN)] * 4)
    answer = await agent.hears("is there a car on the street camera?", answer.conversation_id)
    assert (answer.speech, street.looks) == (POSTMAN, 1)
    asked = await agent.hears("is there a car on my camera?")
    answer = await agent.hears("the street camera", asked.conversation_id)
    assert (answer.speech, street.looks) == (POSTMAN, 2)


async def test_what_keeps_it_from_looking_is_said(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, reflex=True)
    asked = "who is at the door?"
    assert (await agent.hears(asked)).speech == "No camera is exposed to me."
    eye = await add_camera(home, "Eye", "Kitchen", content=b"")
    blind = "My model can't see images."
    assert (await agent.hears(asked)).speech == blind
    german = await agent.hears("Wer ist an der Tür?", language="de")
    assert german.speech == "Mein Modell kann keine Bilder sehen."
    assert (eye.looks, ollama.chats) == (0, [])


async def test_camera_that_gives_nothing_is_named(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    eye = await add_camera(home, "Eye", "Kitchen", content=b"")
    ollama.models[MODEL] = ["completion", "tools", "vision"]
    agent = await add_agent(home, ollama.url, reflex=True)
    assert (await agent.hears("what do you see?")).speech == "Eye didn't deliver an image."
    there = await agent.hears("what do you see in the bedroom?")
    assert there.speech == "No camera is exposed to me there."
    eye.content = bytes(4_000_000)
    assert (await agent.hears("what do you see?")).speech == "Eye didn't deliver an image."
    assert ollama.chats == []
