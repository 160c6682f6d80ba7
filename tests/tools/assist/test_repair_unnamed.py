"""Calls that name no device, where the user named one."""

from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.tools.assist.refusals import Refusal

from .test_repair import ON_OFF, acted_upon, house, repaired  # noqa: F401 - the fixture

CLIMATE = {"climate"}
PLAYERS = {"media_player"}


@pytest.fixture
def rooms(house: HomeAssistant) -> HomeAssistant:  # noqa: F811 - the fixture
    """The house with devices that are called as rooms are, and as nothing else is."""
    for entity_id, name in {
        "climate.heatpump": "HeatPump",
        "climate.hvac": "Hvac",
        "media_player.bedroom": "Bedroom",
        "media_player.kitchen": "Kitchen",
    }.items():
        house.states.async_set(entity_id, "on", {"friendly_name": name})
        expose(house, entity_id)
    return house


def expose(hass: HomeAssistant, entity_id: str) -> None:
    from homeassistant.components.homeassistant.exposed_entities import async_expose_entity

    async_expose_entity(hass, "conversation", entity_id, should_expose=True)


async def test_the_device_that_the_user_named_is_taken(rooms: HomeAssistant) -> None:
    target = repaired(rooms, CLIMATE, heard="set the heat pump to 22 degrees")
    assert target == {"name": "HeatPump", "domain": ["climate"]}


async def test_a_device_that_is_called_as_the_room_is_taken(rooms: HomeAssistant) -> None:
    heard = "set the volume in the bedroom to 30 percent"
    target = repaired(rooms, PLAYERS, area="Bedroom", heard=heard)
    assert target == {"name": "Bedroom", "domain": ["media_player"]}


@pytest.mark.parametrize(
    "said",
    [
        {"area": "Bedroom", "domain": ["lamp"]},
        {"area": "Bedroom", "domain": "lamp"},
        {"area": "Bedroom light"},
        {"domain": ["lamp"]},
        {"domain": ["bedroom_light"]},
    ],
)
async def test_a_device_that_is_called_as_the_room_is_not_taken_for_another_kind(
    rooms: HomeAssistant, said: dict[str, Any]
) -> None:
    """The speaker "Bedroom" is not "the bedroom light"."""
    with pytest.raises(Refusal):
        repaired(rooms, ON_OFF | PLAYERS, heard="turn on the bedroom light", **said)


async def test_a_list_in_a_text_is_that_list(rooms: HomeAssistant) -> None:
    said = {"area": "Bedroom", "domain": '["light"]'}
    target = repaired(rooms, ON_OFF | PLAYERS, heard="turn on the bedroom light", **said)
    assert acted_upon(rooms, target) == {"light.bedroom_reading_lamp"}


@pytest.mark.parametrize("heard", ["make it warmer", "the heat pump and the hvac to 20"])
async def test_none_is_taken_where_none_or_several_were_named(
    rooms: HomeAssistant, heard: str
) -> None:
    with pytest.raises(Refusal):
        repaired(rooms, CLIMATE, heard=heard)


async def test_half_a_name_is_not_enough_where_no_device_was_called(rooms: HomeAssistant) -> None:
    with pytest.raises(Refusal):
        repaired(rooms, {"light"}, heard="turn on the lights")


@pytest.mark.parametrize(
    ("heard", "said"),
    [
        ("start vacuuming", {"area": "Living Room"}),
        ("vacuum the house", {"area": "Living Room", "floor": "Ground"}),
        ("start Robo", {"area": "Downstairs"}),
    ],
)
async def test_the_only_device_that_a_tool_is_for_is_meant(
    house: HomeAssistant,  # noqa: F811 - the fixture
    heard: str,
    said: dict[str, str],
) -> None:
    """Where it stands, the user need not have said."""
    target = repaired(house, {"vacuum"}, heard=heard, **said)
    assert target == {"name": "Robo Downstairs", "domain": ["vacuum"]}


@pytest.mark.parametrize(
    ("domains", "heard", "said"),
    [
        pytest.param({"vacuum"}, "vacuum the bedroom", {"area": "Bedroom"}, id="elsewhere"),
        pytest.param({"vacuum"}, "clean up there", {"area": "Penthouse"}, id="no such place"),
        pytest.param({"lock"}, "open up", {"area": "Kitchen"}, id="guarded"),
        pytest.param({"vacuum"}, "lights on", {"area": "Living Room", "domain": ["light"]},
                     id="another kind"),
    ],
)  # fmt: skip
async def test_the_only_device_is_not_meant_whatever_is_said(
    house: HomeAssistant,  # noqa: F811 - the fixture
    domains: set[str],
    heard: str,
    said: dict[str, object],
) -> None:
    with pytest.raises(Refusal):
        repaired(house, domains, heard=heard, **said)


async def test_a_device_that_is_said_in_full_is_meant_beside_others(
    house: HomeAssistant,  # noqa: F811 - the fixture
) -> None:
    heard = "turn on both the attic light and the kitchen counter light"
    target = repaired(house, {"light"}, name="Attic Light", heard=heard)
    assert target == {"name": "Attic Light", "domain": ["light"]}


async def test_the_word_of_another_devices_class_is_not_overheard(
    rooms: HomeAssistant,
) -> None:
    """The call has the class that was spoken of, and the name of something else."""
    rooms.states.async_set(
        "valve.sprinkler", "closed", {"friendly_name": "Sprinkler", "device_class": "water"}
    )
    expose(rooms, "valve.sprinkler")
    with pytest.raises(Refusal, match="Sprinkler"):
        repaired(
            rooms,
            {"light", "valve"},
            name="Attic Light",
            device_class=["water"],
            heard="turn on the water in the attic",
        )
