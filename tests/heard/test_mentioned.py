"""What the user spoke of, where two of a kind may be meant."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.heard.places import Place

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


@pytest.mark.parametrize(
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
    mentioned = unread(doors, sentence).mentioned
    (entity,) = (each for each in mentioned.home.entities if each.entity_id == entity_id)
    assert mentioned.of_device(entity, Place()) is is_meant
