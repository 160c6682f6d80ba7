"""Calls that name no device, where the user named one."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er, intent
import pytest

from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.tools.assist.call_errors import Refusal
from custom_components.voice_gateway.tools.assist.features import unmatched
from tests.rows import rows

from .test_target_repair import LIGHTS, ON_OFF, acted_upon, house, repaired  # noqa: F401 - the fixture

CLIMATE = {"climate"}
PLAYERS = {"media_player"}


@pytest.fixture
def rooms(house: HomeAssistant) -> HomeAssistant:  # noqa: F811 - the fixture
    """The house with devices that are called as rooms are, and as nothing else is."""
    add(house, "climate.heatpump", "HeatPump")
    add(house, "climate.hvac", "Hvac")
    add(house, "media_player.bedroom", "Bedroom")
    add(house, "media_player.kitchen", "Kitchen")
    return house


def add(hass: HomeAssistant, entity_id: str, name: str, **attributes: str) -> None:
    from homeassistant.components.homeassistant.exposed_entities import async_expose_entity

    hass.states.async_set(entity_id, "on", {"friendly_name": name, **attributes})
    async_expose_entity(hass, "conversation", entity_id, should_expose=True)


def add_to_kitchen(hass: HomeAssistant, entity_id: str, name: str) -> None:
    domain, object_id = entity_id.split(".")
    registry = er.async_get(hass)
    registry.async_get_or_create(domain, "test", object_id, suggested_object_id=object_id)
    registry.async_update_entity(entity_id, area_id="kitchen", name=name)
    add(hass, entity_id, name)


async def test_the_device_that_the_user_named_is_taken(rooms: HomeAssistant) -> None:
    target = repaired(rooms, CLIMATE, utterance="set the heat pump to 22 degrees")
    assert target == {"name": "HeatPump", "domain": ["climate"]}


async def test_a_device_that_is_called_as_the_room_is_taken(rooms: HomeAssistant) -> None:
    utterance = "set the volume in the bedroom to 30 percent"
    target = repaired(rooms, PLAYERS, area="Bedroom", utterance=utterance)
    assert target == {"name": "Bedroom", "domain": ["media_player"]}


@rows(
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
    for domains in (ON_OFF | PLAYERS, LIGHTS | PLAYERS):
        with pytest.raises(Refusal):
            repaired(rooms, domains, utterance="turn on the bedroom light", **said)


async def test_a_list_in_a_text_is_that_list(rooms: HomeAssistant) -> None:
    said = {"area": "Bedroom", "domain": '["light"]'}
    target = repaired(rooms, ON_OFF | PLAYERS, utterance="turn on the bedroom light", **said)
    assert acted_upon(rooms, target) == {"light.bedroom_reading_lamp"}


@pytest.mark.parametrize("utterance", ["make it cosy", "make it cosy in the kitchen"])
async def test_wish_for_a_place_is_for_no_device_that_is_in_none(
    rooms: HomeAssistant, utterance: str
) -> None:
    with pytest.raises(Refusal):
        repaired(rooms, CLIMATE, name="Hvac", utterance=utterance)


async def test_wish_for_a_place_opens_no_door_there(rooms: HomeAssistant) -> None:
    add(rooms, "lock.front", "Front Door")
    with pytest.raises(Refusal):
        repaired(rooms, ON_OFF, name="Back Door", utterance="make it cosy in the kitchen")


async def test_wish_that_names_a_device_is_for_no_other_one(rooms: HomeAssistant) -> None:
    for name in ("aurora", "nimbus"):
        add_to_kitchen(rooms, f"light.{name}", name.title())
    target = repaired(rooms, LIGHTS, name="Nimbus", utterance="make it cosy in the kitchen")
    assert acted_upon(rooms, target) == {"light.nimbus"}
    with pytest.raises(Refusal):
        repaired(rooms, LIGHTS, name="Nimbus", utterance="make it cosy in the kitchen with aurora")


@pytest.mark.parametrize("utterance", ["make it warmer", "the heat pump and the hvac to 20"])
async def test_none_is_taken_where_none_or_several_were_named(
    rooms: HomeAssistant, utterance: str
) -> None:
    with pytest.raises(Refusal):
        repaired(rooms, CLIMATE, utterance=utterance)


async def test_half_a_name_is_not_enough_where_no_device_was_called(rooms: HomeAssistant) -> None:
    with pytest.raises(Refusal):
        repaired(rooms, {"light"}, utterance="turn on the lights")


@pytest.mark.parametrize(
    ("utterance", "said"),
    [
        ("start vacuuming", {"area": "Living Room"}),
        ("start vacuuming", {"area": "Living Room", "domain": "vacuum"}),
        ("vacuum the house", {"area": "Living Room", "floor": "Ground"}),
        ("start Robo", {"area": "Downstairs"}),
    ],
)
async def test_the_only_device_that_a_tool_is_for_is_meant(
    house: HomeAssistant,  # noqa: F811 - the fixture
    utterance: str,
    said: dict[str, str],
) -> None:
    """Where it stands, the user need not have said."""
    target = repaired(house, {"vacuum"}, utterance=utterance, **said)
    assert target == {"name": "Robo Downstairs", "domain": ["vacuum"]}


@pytest.mark.parametrize(
    ("domains", "utterance", "said"),
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
    utterance: str,
    said: dict[str, object],
) -> None:
    with pytest.raises(Refusal):
        repaired(house, domains, utterance=utterance, **said)


async def test_a_device_that_is_said_in_full_is_meant_beside_others(
    house: HomeAssistant,  # noqa: F811 - the fixture
) -> None:
    utterance = "turn on both the attic light and the kitchen counter light"
    target = repaired(house, {"light"}, name="Attic Light", utterance=utterance)
    assert target == {"name": "Attic Light", "domain": ["light"]}


async def test_the_word_of_another_devices_class_is_not_overheard(
    rooms: HomeAssistant,
) -> None:
    """The call has the class that was spoken of, and the name of something else."""
    add(rooms, "valve.sprinkler", "Sprinkler", device_class="water")
    with pytest.raises(Refusal, match="Sprinkler"):
        repaired(
            rooms,
            {"light", "valve"},
            name="Attic Light",
            device_class=["water"],
            utterance="turn on the water in the attic",
        )


async def test_a_device_that_is_called_all_is_that_device(rooms: HomeAssistant) -> None:
    add(rooms, "light.all", "All")
    target = repaired(rooms, ON_OFF, name="all", floor="x", utterance="turn on all")
    assert target == {"name": "All", "domain": ["light"]}


async def test_of_namesakes_of_two_kinds_none_is_taken_where_the_call_says_both(
    rooms: HomeAssistant,
) -> None:
    add(rooms, "light.sky", "Skylight")
    add(rooms, "cover.sky", "Skylight", device_class="window")
    said = {"name": "Skylight", "domain": ["light"], "utterance": "turn on the skylight"}
    assert acted_upon(rooms, repaired(rooms, ON_OFF, **said)) == {"light.sky"}
    for classes in (["window"], ["light", "window"]):
        with pytest.raises(Refusal, match=r"Skylight could be: .*cover.*light"):
            repaired(rooms, ON_OFF, device_class=classes, **said)


async def test_a_domain_is_no_class_of_another_one(rooms: HomeAssistant) -> None:
    """Who updates something presses no button, though there are buttons that update."""
    add(rooms, "update.hub", "Hub")
    add(rooms, "button.bell", "Bell")
    with pytest.raises(Refusal):
        repaired(rooms, {"button", "light"}, domain="update", utterance="update everything")


async def test_to_lock_up_is_to_lock_every_lock_and_nothing_else(rooms: HomeAssistant) -> None:
    add(rooms, "lock.front", "Front Door")
    locks = {"lock.front", "lock.kitchen_back_door"}
    target = repaired(rooms, {"lock"}, domain="locks", utterance="lock up")
    assert acted_upon(rooms, target) == locks
    for domains, utterance in (({"lock"}, "lock it"), ({"lock", "light"}, "lock up")):
        with pytest.raises(Refusal):
            repaired(rooms, domains, name="all", utterance=utterance)


async def test_a_device_for_which_there_is_no_tool_is_told_by_its_name_and_never_meant(
    rooms: HomeAssistant,
) -> None:
    add(rooms, "sensor.rain", "Rain Gauge")
    with pytest.raises(Refusal, match=r"^Rain Gauge is a sensor"):
        repaired(rooms, ON_OFF, name="Rain Gauge", utterance="turn on the rain gauge")
    with pytest.raises(Refusal, match=r"^There is no device"):
        repaired(rooms, ON_OFF, name="Rain Gauge sensor", utterance="turn on the rain gauge")
    utterance = "the rain is loud, make it cosy in the kitchen"
    target = repaired(rooms, LIGHTS, name="Counter Light", utterance=utterance)
    assert target == {"name": "Counter Light", "domain": ["light"]}


async def test_the_device_that_was_spoken_of_is_told_wherever_it_is(rooms: HomeAssistant) -> None:
    with pytest.raises(Refusal, match=r"Maybe meant: HeatPump \(climate\)"):
        repaired(
            rooms,
            CLIMATE | LIGHTS,
            name="Reading Lamp",
            area="Bedroom",
            utterance="heat pump to 20",
        )


@pytest.mark.parametrize(
    ("utterance", "told"),
    [
        ("water the garden", r"Garden Valve \(valve\)$"),
        ("start the vacuum in the garden", r"Robo Downstairs \(vacuum, Living Room\)$"),
    ],
)
async def test_who_speaks_of_a_kind_is_told_of_that_alone(
    rooms: HomeAssistant, utterance: str, told: str
) -> None:
    """A word of another device's name says only where it is."""
    add(rooms, "light.garden", "Garden Light")
    with pytest.raises(Refusal, match=told):
        repaired(rooms, ON_OFF, name="Coffee", utterance=utterance)


async def test_of_two_kinds_that_are_said_each_is_meant(rooms: HomeAssistant) -> None:
    utterance = "turn on the lights and the sprinklers"
    target = repaired(rooms, ON_OFF, name="Garden Valve", floor="x", utterance=utterance)
    assert acted_upon(rooms, target) == {"valve.none_garden_valve"}


async def test_a_word_of_another_devices_name_only_tells_where_it_is(rooms: HomeAssistant) -> None:
    """Who speaks of a fan means no light, and what blows may be a switch."""
    add(rooms, "light.garden", "Garden Light")
    add_to_kitchen(rooms, "switch.extractor", "Extractor")
    utterance = "turn on the fan at the garden side of the kitchen"
    target = repaired(rooms, ON_OFF, name="Extractor", area="Kitchen", utterance=utterance)
    assert acted_upon(rooms, target) == {"switch.extractor"}


async def test_user_is_asked_which_of_several_where_a_tool_takes_one(rooms: HomeAssistant) -> None:
    one = intent.MatchTargetsConstraints(
        domains=CLIMATE, assistant="conversation", single_target=True
    )
    result = intent.async_match_targets(rooms, one)
    err = intent.MatchFailedError(result=result, constraints=one)
    refusal = unmatched(err, Home.seen_by(rooms, "conversation"))
    assert refusal is not None
    assert str(refusal) == "Say which one is meant, by name: HeatPump, Hvac"
    assert refusal.is_any
