"""What was to be for a while ends as it was before, unless somebody changed it meanwhile."""

import datetime as dt
from typing import Any

from homeassistant.components.climate import HVACMode
from homeassistant.core import Context
from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.voice_gateway.plans.plan import Plan

from .house import House, lasting

MINUTE, HOUR, DAY = (dt.timedelta(seconds=each) for each in (60, 3600, 86400))
BED = "light.bed_light"
# What is done for a while: a tool, its arguments, and the device; the actions that put it before;
# the state and the attribute that it has then.
DEEDS: tuple[tuple[str, dict[str, Any], str, tuple[tuple[str, dict[str, Any]], ...], str], ...] = (
    ("HassTurnOn", {"name": "Bed Light"}, BED, (("light.turn_off", {}),), ""),
    ("HassTurnOff", {"name": "Bed Light"}, BED,
     (("light.turn_on", {"brightness": 77, "rgb_color": [255, 0, 10]}),), "brightness rgb_color"),
    ("HassLightSet", {"name": "Bed Light", "brightness": 10}, BED,
     (("light.turn_on", {"brightness": 200, "rgb_color": [0, 255, 0]}),), "brightness rgb_color"),
    ("HassLightSet", {"name": "Bed Light", "color": "red"}, BED,
     (("light.turn_on", {"brightness": 200, "rgb_color": [0, 255, 0]}),), "brightness rgb_color"),
    ("HassSetPosition", {"name": "Living Room Window", "position": 0}, "cover.living_room_window",
     (("cover.set_cover_position", {"position": 70}),), "current_position"),
    ("HassClimateSetTemperature", {"name": "HeatPump", "temperature": 25}, "climate.heatpump",
     (("climate.set_temperature", {"temperature": 19}),), "temperature"),
    ("HassSetVolume", {"name": "Living Room", "volume_level": 20}, "media_player.living_room",
     (("media_player.volume_set", {"volume_level": 0.7}),), "volume_level"),
    ("HassMediaPause", {"name": "Living Room"}, "media_player.living_room",
     (("media_player.media_play", {}),), ""),
    ("HassFanSetSpeed", {"name": "Living Room Fan", "percentage": 100}, "fan.living_room_fan",
     (("fan.set_percentage", {"percentage": 33}),), "percentage"),
    ("HassTurnOff", {"name": "Living Room Fan"}, "fan.living_room_fan",
     (("fan.set_percentage", {"percentage": 66}),), "percentage"),
    ("HassTurnOff", {"name": "Front Door"}, "lock.front_door", (("lock.lock", {}),), ""),
    ("HassTurnOn", {"name": "Front Garden"}, "valve.front_garden", (("valve.close_valve", {}),), ""),
    ("HassTurnOff", {"name": "Back Garden"}, "valve.back_garden",
     (("valve.set_valve_position", {"position": 60}),), "current_position"),
)  # fmt: skip


async def test_devices_are_put_back_as_they_were(house: House) -> None:
    for tool, arguments, entity_id, before, names in DEEDS:
        for service, data in before:
            await house.do(service, entity_id, **data)
        await house.until(house.now + 30 * MINUTE / 60)
        was = _shown(house, entity_id, names)
        plan = await house.add(
            MINUTE, entity_id, intent_type=tool, arguments=arguments, endings=lasting(600)
        )
        assert plan.due
        await house.until(plan.due + MINUTE / 2)
        assert _shown(house, entity_id, names) != was, (tool, house.told)
        (ending,) = house.plans.all
        assert ending.is_ending
        await house.restart()
        await house.until(plan.due + 11 * MINUTE)
        assert _shown(house, entity_id, names) == was, tool
        assert not house.plans.all
        assert not house.told


def _shown(house: House, entity_id: str, names: str) -> list[Any]:
    return [house.state(entity_id), *(house.attribute(entity_id, each) for each in names.split())]


async def on_for(house: House, minutes: float, *, tool: str = "HassTurnOn", **more: Any) -> Plan:
    """Have the bed light on for some minutes; return the plan that ends it."""
    before = {each.id for each in house.plans.all}
    arguments = {"name": "Bed Light", **more}
    await house.add(
        dt.timedelta(), BED, intent_type=tool, arguments=arguments, endings=lasting(60 * minutes)
    )
    await house.until(house.now)
    (ending,) = [each for each in house.plans.all if each.id not in before]
    return ending


async def test_what_somebody_changed_meanwhile_is_left(house: House) -> None:
    user = await house.hass.auth.async_create_user("Anna")
    by_user, by_automation = Context(user_id=user.id), Context(parent_id="01AUTOMATION")
    by_itself = Context()
    for before, changed, context, state in (
        ("turn_off", ("turn_off", {}), by_user, ["off", None]),
        ("turn_on", ("turn_on", {"brightness": 30}), by_user, ["on", 30]),
        ("turn_off", ("turn_on", {"brightness": 30}), by_automation, ["on", 30]),
        # A lamp that reports what it has come to is not somebody.
        ("turn_off", ("turn_on", {"brightness": 30}), by_itself, ["off", None]),
    ):
        await house.do(f"light.{before}", BED)
        await on_for(house, 10, tool="HassLightSet", brightness=50)
        service, data = changed
        await house.hass.services.async_call(
            "light", service, {"entity_id": BED, **data}, True, context
        )
        await house.until(house.now + 11 * MINUTE)
        assert _shown(house, BED, "brightness") == state, (before, changed)
        assert not house.plans.all


async def test_what_was_changed_before_it_began_is_put_back(house: House) -> None:
    user = await house.hass.auth.async_create_user("Anna")
    await house.hass.services.async_call(
        "light", "turn_on", {"entity_id": BED}, True, Context(user_id=user.id)
    )
    await on_for(house, 10, tool="HassTurnOff")
    assert house.state(BED) == "off"
    await house.until(house.now + 11 * MINUTE)
    assert house.state(BED) == "on"


@pytest.mark.parametrize("gap", [5, 15])
async def test_of_two_for_a_while_the_later_counts_and_ends_as_before_the_first(
    house: House, gap: int
) -> None:
    for tool, arguments in (("HassTurnOn", {}), ("HassLightSet", {"brightness": 20})):
        await house.do("light.turn_off", BED)
        began = house.now
        await on_for(house, 10)
        await house.until(began + 5 * MINUTE)
        await on_for(house, gap, tool=tool, **arguments)
        assert len(house.plans.all) == 1
        await house.until(began + (4 + gap) * MINUTE)
        assert house.state(BED) == "on", tool
        await house.until(began + (6 + gap) * MINUTE)
        assert house.state(BED) == "off", tool
        assert not house.plans.all


async def test_first_of_two_counts_no_more_where_somebody_changed_its_device(house: House) -> None:
    await house.do("light.turn_on", BED, brightness=200)
    await on_for(house, 10, tool="HassTurnOff")
    await house.do("light.turn_on", BED, brightness=90)
    await on_for(house, 30, tool="HassTurnOff")
    await house.until(house.now + 15 * MINUTE)
    assert house.state(BED) == "off"
    await house.until(house.now + 16 * MINUTE)
    assert _shown(house, BED, "brightness") == ["on", 90]


async def test_of_several_devices_only_those_done_again_are_taken_from_the_first(
    house: House,
) -> None:
    lights = [BED, "light.ceiling_lights"]
    for each in lights:
        await house.do("light.turn_off", each)
    await house.add(dt.timedelta(), *lights, endings=lasting(600))
    await house.until(house.now)
    await on_for(house, 30)
    await house.until(house.now + 15 * MINUTE)
    assert [house.state(each) for each in lights] == ["on", "off"]
    await house.until(house.now + 16 * MINUTE)
    assert [house.state(each) for each in lights] == ["off", "off"]


async def test_cancelled_end_leaves_it_as_it_is(house: House) -> None:
    await house.do("light.turn_off", BED)
    ending = await on_for(house, 10)
    await house.plans.async_remove([ending.id])
    await house.until(house.now + 11 * MINUTE)
    assert house.state(BED) == "on"


async def test_device_that_does_not_answer_is_waited_for(house: House) -> None:
    """Within a day; the others are put back at once."""
    lights = [BED, "light.ceiling_lights"]
    for each in lights:
        await house.do("light.turn_off", each)
    await house.add(dt.timedelta(), *lights, endings=lasting(600))
    await house.until(house.now)
    hass = house.hass
    was = hass.states.get(BED)
    assert was
    hass.states.async_set(BED, "unavailable")
    await house.until(house.now + 15 * MINUTE)
    assert house.state("light.ceiling_lights") == "off"
    await house.restart(house.now + HOUR)
    (left,) = house.plans.all
    assert len(left.restore) == 1
    hass.states.async_set(BED, "on", was.attributes)
    await house.until(house.now + MINUTE)
    assert house.state(BED) == "off"
    assert [each.startswith("Done late") for each in house.told] == [True]
    # One that stays away is given up, and told.
    await on_for(house, 10)
    hass.states.async_set(BED, "unavailable")
    await house.restart(house.now + 2 * DAY)
    assert [
        each.startswith("Not done because the device did not answer: End of") for each in house.told
    ]
    assert not house.plans.all


async def test_device_that_is_gone_is_left_out(house: House) -> None:
    await on_for(house, 10)
    er.async_get(house.hass).async_remove(BED)
    await house.hass.async_block_till_done()
    await house.until(house.now + 11 * MINUTE)
    assert not house.plans.all
    assert not house.told


async def test_renamed_device_is_put_back(house: House) -> None:
    await house.do("light.turn_off", BED)
    await on_for(house, 10)
    er.async_get(house.hass).async_update_entity(BED, new_entity_id="light.bedside", name="Bedside")
    await house.hass.async_block_till_done()
    assert house.state("light.bedside") == "on"
    await house.until(house.now + 11 * MINUTE)
    assert house.state("light.bedside") == "off"


async def test_end_that_unlocks_is_never_late(house: House) -> None:
    await house.do("lock.unlock", "lock.front_door")
    await house.add(
        dt.timedelta(),
        "lock.front_door",
        arguments={"name": "Front Door"},
        endings=lasting(600),
    )
    await house.until(house.now + MINUTE / 2)
    assert house.state("lock.front_door") == "locked"
    (ending,) = house.plans.all
    assert ending.is_guarded
    await house.restart(house.now + HOUR)
    assert house.state("lock.front_door") == "locked"
    assert [each.startswith("Not done") for each in house.told] == [True]
    assert house.hass.states.is_state("climate.hvac", HVACMode.COOL)


async def test_player_that_plays_by_now_is_turned_off_again(house: House) -> None:
    player = "media_player.bedroom"
    await house.do("media_player.turn_off", player)
    await house.add(dt.timedelta(), player, arguments={"name": "Bedroom"}, endings=lasting(600))
    await house.until(house.now)
    await house.do("media_player.media_pause", player)
    assert house.state(player) == "paused"
    await house.until(house.now + 11 * MINUTE)
    assert house.state(player) == "off"
