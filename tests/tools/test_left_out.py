"""What is left out behind a command for all of a kind is not the only one that a call is for."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service  # type: ignore[import-untyped]

from tests.agent import add_agent
from tests.ollama import PlayedOllama, call, calls, says

BLIND = {
    "de": "Rollladen",
    "en": "Blind",
    "es": "Persiana",
    "fr": "Volet",
    "it": "Tapparella",
    "nl": "Rolluik",
    "pl": "Roleta",
}

# In which language, what the blind's room is called, and what is said.
LEFT_OUT = [
    ("en", "Bedroom", "Close all the blinds, only the one in the bedroom not"),
    ("en", "Bedroom", "Close all the blinds, just not the one in the bedroom"),
    ("de", "Schlafzimmer", "Mach alle Rollläden zu, nur den im Schlafzimmer nicht."),
    ("de", "Schlafzimmer", "Mach alle Rollläden zu, aber nicht den im Schlafzimmer"),
    ("fr", "Chambre", "Ferme tous les volets, seulement pas celui de la chambre"),
    ("fr", "Chambre", "Ferme tous les volets, celui de la chambre non"),
    ("es", "Dormitorio", "Baja todas las persianas, solo la del dormitorio no"),
    ("it", "Camera", "Chiudi tutte le tapparelle, solo quella della camera no"),
    ("nl", "Slaapkamer", "Doe alle rolluiken dicht, alleen die in de slaapkamer niet"),
    ("pl", "Sypialnia", "Zamknij wszystkie rolety, tylko tej w sypialni nie"),
]
# What is said of it that is no exception, or is said of it after one.
MEANT = [
    "Close all the blinds, and don't open the one in the bedroom",
    "Close all the blinds, not the one in the bedroom. Now close the blind in the bedroom",
    "Close the blind in the bedroom, don't turn on the light in the kitchen",
]


async def _closes(
    home: HomeAssistant, ollama: PlayedOllama, room: str, text: str, language: str
) -> bool:
    """Tell whether a call for the blind of that room alone is made; another room has one, too."""
    for area in (room, "Loft"):
        name = f"{BLIND[language]} {area}"
        entry = er.async_get(home).async_get_or_create(
            "cover", "demo", name, suggested_object_id=f"blind_{area}", original_name=name
        )
        area_id = ar.async_get(home).async_get_or_create(area).id
        er.async_get(home).async_update_entity(entry.entity_id, area_id=area_id, name=name)
        shown = {"friendly_name": name, "device_class": "shutter", "supported_features": 15}
        home.states.async_set(entry.entity_id, "open", {**shown, "current_position": 100})
        async_expose_entity(home, "conversation", entry.entity_id, should_expose=True)
    moved = async_mock_service(home, "cover", "set_cover_position")
    closed = async_mock_service(home, "cover", "close_cover")
    agent = await add_agent(home, ollama.url, second_opinion=False)
    made = call("intent__HassSetPosition", name=f"{BLIND[language]} {room}", position=0)
    ollama.answers(calls(made), *[says("Done.")] * 2)
    await agent.hears(text, language=language)
    return bool(moved or closed)


@pytest.mark.parametrize(("language", "room", "text"), LEFT_OUT)
async def test_only_what_is_left_out_is_not_acted_upon(
    home: HomeAssistant, ollama: PlayedOllama, language: str, room: str, text: str
) -> None:
    assert not await _closes(home, ollama, room, text, language)


@pytest.mark.parametrize("text", MEANT)
async def test_what_is_not_left_out_is_acted_upon(
    home: HomeAssistant, ollama: PlayedOllama, text: str
) -> None:
    assert await _closes(home, ollama, "Bedroom", text, "en")
