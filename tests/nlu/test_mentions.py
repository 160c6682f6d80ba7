"""What the user spoke of, where two of a kind may be meant."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er, floor_registry as fr
from homeassistant.setup import async_setup_component
import pytest

from tests.rows import rows

from .saying import unread


@pytest.fixture
async def doors(hass: HomeAssistant) -> HomeAssistant:
    """A home with two locks and two lights of the same names."""
    assert await async_setup_component(hass, "homeassistant", {})
    for domain in ("light", "lock"):
        for name in ("Front Door", "Back Door"):
            entity_id = f"{domain}.{name.replace(' ', '_').lower()}"
            hass.states.async_set(entity_id, "off", {"friendly_name": name})
            async_expose_entity(hass, "conversation", entity_id, should_expose=True)
    return hass


@rows(
    ("sentence", "entity_id", "is_meant"),
    [
        ("turn on the back", "light.back_door", True),
        ("turn on the back", "light.front_door", False),
        # Half a name is not enough where somebody could come in.
        ("unlock the back", "lock.back_door", False),
        ("unlock the back door", "lock.back_door", True),
        ("unlock the back door", "lock.front_door", False),
    ],
)
async def test_half_a_name_is_enough_but_for_what_is_guarded(
    doors: HomeAssistant, sentence: str, entity_id: str, is_meant: bool
) -> None:
    mentioned = unread(doors, sentence).dialogue
    (entity,) = (each for each in mentioned.home.entities if each.entity_id == entity_id)
    assert mentioned.prefers(entity) is is_meant


@pytest.fixture
async def lamps(hass: HomeAssistant) -> HomeAssistant:
    """A home with two lights in the kitchen, and one in the den, on one floor."""
    assert await async_setup_component(hass, "homeassistant", {})
    floor_id = fr.async_get(hass).async_create("Downstairs").floor_id
    for area, names in {"Kitchen": ("Kitchen Lamp", "Kitchen Spot"), "Den": ("Den Lamp",)}.items():
        area_id = ar.async_get(hass).async_create(area, floor_id=floor_id).id
        for name in names:
            own_id = name.replace(" ", "_").lower()
            light = er.async_get(hass).async_get_or_create(
                "light", "test", own_id, suggested_object_id=own_id
            )
            er.async_get(hass).async_update_entity(light.entity_id, area_id=area_id)
            hass.states.async_set(light.entity_id, "off", {"friendly_name": name})
            async_expose_entity(hass, "conversation", light.entity_id, should_expose=True)
    return hass


@rows(
    ("sentences", "area_id", "meant"),
    [
        # Of two that are called alike, the one where the speaker is.
        (["turn on the lamp"], None, set()),
        (["turn on the lamp"], "kitchen", {"Kitchen Lamp"}),
        (["turn on the lamp"], "den", {"Den Lamp"}),
        (["turn on the den lamp"], "kitchen", {"Den Lamp"}),
        # The other one of that room may be meant besides, and none of another.
        (["turn on the kitchen lamp", "now the other one"], None, {"Kitchen Lamp", "Kitchen Spot"}),
    ],
)
async def test_one_of_several_is_meant(
    lamps: HomeAssistant, sentences: list[str], area_id: str | None, meant: set[str]
) -> None:
    utterance = unread(lamps, *sentences, area_id=area_id)
    found = {
        each.names[0]
        for each in utterance.home.entities
        if utterance.dialogue.prefers(each) or utterance.is_alternative(each)
    }
    assert found == meant


async def test_speaker_is_in_a_room_and_speaks_of_no_whole_floor(lamps: HomeAssistant) -> None:
    mentioned = unread(lamps, "turn on the lights", area_id="kitchen").dialogue
    assert mentioned.mentions_area(["kitchen"], "")
    assert not mentioned.mentions_area(["den"], "")
    assert not mentioned.mentions_area(["den", "kitchen"], "Downstairs")
