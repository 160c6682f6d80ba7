"""What waits for something to happen is done when that becomes so, and not because it is so already."""

from dataclasses import replace
import datetime as dt

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.helpers import entity_registry as er

from custom_components.voice_gateway.nlu.time_resolution import TimeExpression, TimeType
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.plans.schedule import OnEvent

from .house import House, lasting, when_open

MINUTE = dt.timedelta(minutes=1)
BED, WINDOW = "light.bed_light", "cover.kitchen_window"


async def _is_done(house: House, *states: str) -> list[bool]:
    """Put the window into states, one after the other; return after which of them the light is on."""
    found: list[bool] = []
    for state in states:
        await house.do("light.turn_off", BED)
        house.hass.states.async_set(WINDOW, state, {"friendly_name": "Kitchen Window"})
        await house.hass.async_block_till_done()
        found.append(house.state(BED) == "on")
    return found


async def test_it_has_to_become_so(house: House) -> None:
    for each, before, states, done in (
        (False, "closed", "opening open closed open", [0, 1, 0, 0]),
        (True, "closed", "open closed open unavailable open", [1, 0, 1, 0, 0]),
        (True, "open", "closed open", [0, 1]),
        (True, "open", "unavailable open closed unavailable open", [0, 0, 0, 0, 1]),
        (True, "unavailable", "open closed open", [0, 0, 1]),
        (True, "unavailable", "closed unknown open open", [0, 0, 1, 0]),
    ):
        await _is_done(house, before)
        plan = await house.add(when_open(each=each))
        found = await _is_done(house, *states.split())
        # A window on its way may count as open.
        assert [int(each) for each in found[-len(done) + 1 :]] == done[1:], (each, before, states)
        assert bool(house.plans.get(plan.id)) is each
        await house.plans.async_remove([plan.id])


async def test_it_has_to_be_so_for_some_time(house: House) -> None:
    held = when_open(held=900)
    await _is_done(house, "closed")
    await house.add(held)
    await _is_done(house, "open")
    await house.until(house.now + 14 * MINUTE)
    await _is_done(house, "unavailable", "open")
    await house.until(house.now + 2 * MINUTE)
    assert house.state(BED) == "on"
    assert not house.plans.all
    # A break begins it anew; what is so at the restart is counted from then.
    await _is_done(house, "closed")
    await house.add(held)
    await _is_done(house, "open")
    await house.until(house.now + 10 * MINUTE)
    await _is_done(house, "closed", "open")
    await house.until(house.now + 10 * MINUTE)
    assert house.state(BED) == "off"
    await house.restart()
    await house.until(house.now + 14 * MINUTE)
    assert house.state(BED) == "off"
    await house.until(house.now + 2 * MINUTE)
    assert house.state(BED) == "on"


async def test_restart_is_no_event(house: House) -> None:
    """Devices come after us, and are then as they were."""
    await _is_done(house, "closed")
    await house.add(when_open(each=True))
    assert await _is_done(house, "open") == [True]
    await _is_done(house, "unavailable")
    await house.restart()
    assert await _is_done(house, "open", "closed", "open") == [False, False, True]
    assert not house.told


async def test_device_is_watched_from_when_it_is_there(house: House) -> None:
    hass = house.hass
    await house.add(when_open(each=True, window="cellar window"))
    cellar = "cover.cellar"
    await house.until(house.now + 2 * MINUTE)
    hass.states.async_set(cellar, "closed", {"friendly_name": "Cellar Window"})
    async_expose_entity(hass, "conversation", cellar, True)
    await house.until(house.now + 2 * MINUTE)
    hass.states.async_set(cellar, "open", {"friendly_name": "Cellar Window"})
    await hass.async_block_till_done()
    assert house.state(BED) == "on"
    # And no longer when it is not exposed any more.
    await house.do("light.turn_off", BED)
    async_expose_entity(hass, "conversation", cellar, False)
    hass.states.async_set(cellar, "closed", {"friendly_name": "Cellar Window"})
    await house.until(house.now + 2 * MINUTE)
    hass.states.async_set(cellar, "open", {"friendly_name": "Cellar Window"})
    await hass.async_block_till_done()
    assert house.state(BED) == "off"
    # That is told, once.
    await house.until(house.now + 40 * MINUTE)
    assert [each.startswith("I can no longer tell when") for each in house.told] == [True]


async def test_renamed_device_is_watched_on(house: House) -> None:
    registry = er.async_get(house.hass)
    await house.do("cover.close_cover", WINDOW)
    await house.add(when_open(each=True))
    await house.until(house.now + 20 * MINUTE / 60)
    registry.async_update_entity(WINDOW, new_entity_id="cover.by_the_sink")
    await house.until(house.now + 5 * MINUTE / 60)
    for name in (None, "The old window"):
        registry.async_update_entity("cover.by_the_sink", name=name)
        await house.until(house.now + 5 * MINUTE / 60)
        for service in ("close_cover", "open_cover"):
            await house.do("light.turn_off", BED)
            await house.do(f"cover.{service}", "cover.by_the_sink")
            await house.until(house.now + 20 * MINUTE / 60)
        assert house.state(BED) == "on", name


async def test_plan_moved_to_another_event_no_longer_waits_for_the_first(house: House) -> None:
    lights = "light.ceiling_lights"
    await house.do("light.turn_off", lights)
    await _is_done(house, "closed")
    plan = await house.add(when_open(each=True))
    await house.until(house.now)
    other = OnEvent(condition="the ceiling lights are turned on", each=True)
    await house.plans.async_replace(replace(plan, when=other))
    await house.until(house.now)
    assert await _is_done(house, "open") == [False]
    await house.do("light.turn_on", lights)
    assert house.state(BED) == "on"


async def test_what_lasts_until_something_happens_ends_then(house: House) -> None:
    await house.do("light.turn_off", BED)
    await _is_done(house, "closed")
    until = (
        TimeExpression(type=TimeType.UNTIL, condition=Text("the kitchen window is opened", "en")),
    )
    await house.add(dt.timedelta(), endings=until)
    await house.until(house.now)
    assert house.state(BED) == "on"
    await house.restart()
    house.hass.states.async_set(WINDOW, "open", {"friendly_name": "Kitchen Window"})
    await house.hass.async_block_till_done()
    assert house.state(BED) == "off"
    assert not house.plans.all


async def test_event_with_a_condition_and_a_duration(house: House) -> None:
    await _is_done(house, "closed")
    others = "light.ceiling_lights"
    condition = TimeExpression(type=TimeType.IF, condition=Text("the ceiling lights are on", "en"))
    await house.add(when_open(each=True), conditions=(condition,), endings=lasting(600))
    await house.do("light.turn_off", others)
    assert await _is_done(house, "open", "closed") == [False, False]
    await house.do("light.turn_on", others)
    assert await _is_done(house, "open") == [True]
    await house.until(house.now + 11 * MINUTE)
    assert house.state(BED) == "off"
    assert len(house.plans.all) == 1
