"""When its moment comes, a plan is carried out with what there is then; what can't be done is told."""

import asyncio
import datetime as dt
from pathlib import Path
import sys
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.helpers import area_registry as ar, entity_registry as er, llm
import pytest

from custom_components.voice_gateway.const import TOOL_TIMEOUT
from tests.extra_tools import API_ID, ExtraAPI, ExtraTool

from .house import SPOKEN, House, lasting
from .killed import faults

MINUTE, HOUR = (dt.timedelta(seconds=each) for each in (60, 3600))
BED = "light.bed_light"
GONE = "Not done because a device or tool was removed"


async def test_device_that_is_renamed_moved_unexposed_or_removed(house: House) -> None:
    """What is no longer exposed is left alone."""
    registry = er.async_get(house.hass)
    cellar = ar.async_get(house.hass).async_create("Cellar")
    cases: tuple[tuple[dict[str, Any] | str, str, str, str], ...] = (
        ({"new_entity_id": "light.bedside"}, "light.bedside", "on", ""),
        ({"name": "Sleepy", "area_id": cellar.id}, "light.bedside", "on", ""),
        ("unexposed", "light.bedside", "off", GONE),
        ("removed", "", "", GONE),
    )
    for change, entity_id, state, told in cases:
        current = registry.async_get_entity_id("light", "demo", "light_1")
        assert current
        async_expose_entity(house.hass, "conversation", current, True)
        await house.do("light.turn_off", current)
        await house.add(10 * MINUTE, current, endings=lasting(60))
        match change:
            case dict():
                registry.async_update_entity(current, **change)
            case "unexposed":
                async_expose_entity(house.hass, "conversation", current, False)
            case _:
                registry.async_remove(current)
        await house.hass.async_block_till_done()
        ar.async_get(house.hass).async_update(cellar.id, name=f"Below {len(told)}")
        await house.until(house.now + 10 * MINUTE)
        assert house.state(entity_id) == state, change
        assert [each.startswith(told) for each in house.told] == [True] * bool(told)
        await house.until(house.now + 2 * MINUTE)
        assert house.state(entity_id) == ("off" if state else ""), change
        assert not house.plans.all


async def test_of_several_devices_those_that_are_left_are_acted_upon(house: House) -> None:
    await house.do("light.turn_off", BED)
    await house.add(10 * MINUTE, BED, "light.kitchen_lights")
    er.async_get(house.hass).async_remove("light.kitchen_lights")
    await house.hass.async_block_till_done()
    await house.until(house.now + 10 * MINUTE)
    assert house.state(BED) == "on"
    assert not house.told


async def test_device_that_does_not_answer_is_waited_for_within_the_grace(house: House) -> None:
    hass = house.hass
    for away, state, told in (
        (30, "on", ""),
        (10 * 60, "on", "Done late"),
        (16 * 60, "off", "Not done because the device did not answer"),
    ):
        await house.do("light.turn_off", BED)
        was = hass.states.get(BED)
        assert was
        plan = await house.add(10 * MINUTE)
        assert plan.due
        hass.states.async_set(BED, "unavailable")
        await house.until(plan.due + dt.timedelta(seconds=away))
        assert bool(house.plans.all) is (state == "on")
        hass.states.async_set(BED, "off", was.attributes)
        await house.until(house.now + MINUTE / 4)
        assert house.state(BED) == state
        assert [each.startswith(told) for each in house.told] == [True] * bool(told)
        assert not house.plans.all


async def test_user_who_is_gone_or_inactive_has_nothing_done(house: House) -> None:
    """But what they began ends."""
    auth = house.hass.auth
    await auth.async_create_user("Owner")
    await house.do("light.turn_off", BED)
    for gone in (False, True):
        user = await auth.async_create_user("Anna", group_ids=["system-admin"])
        spoken = SPOKEN.__replace__(user_id=user.id)
        await house.add(MINUTE, spoken=spoken, endings=lasting(600))
        await house.add(5 * MINUTE, "light.ceiling_lights", spoken=spoken)
        await house.do("light.turn_off", "light.ceiling_lights")
        await house.until(house.now + 2 * MINUTE)
        assert house.state(BED) == "on"
        if gone:
            await auth.async_remove_user(user)
        else:
            await auth.async_update_user(user, is_active=False)
        await house.until(house.now + 12 * MINUTE)
        assert house.state("light.ceiling_lights") == "off"
        assert house.state(BED) == "off"
        assert [each.startswith("Not done because the user") for each in house.told] == [True]


async def test_tools_that_are_gone_are_told(house: House) -> None:
    """An API that is removed, as a server of tools; the agent itself is not needed."""
    await house.do("light.turn_off", BED)
    await house.add(MINUTE, spoken=SPOKEN.__replace__(agent_id="conversation.gone"))
    await house.until(house.now + MINUTE)
    assert house.state(BED) == "on"
    tool = ExtraTool("water_garden", dict)
    remove = llm.async_register_api(house.hass, extra_api(house, tool))
    spoken = SPOKEN.__replace__(apis=("assist", API_ID))
    for told in ([], [True]):
        plan = house.planned(MINUTE, spoken=spoken)
        assert plan.call
        call = plan.call.__replace__(tool=tool.name, intent_type="", arguments={}, targets=())
        await house.plans.async_add(plan.__replace__(call=call))
        await house.until(house.now + MINUTE)
        assert [each.startswith(GONE) for each in house.told] == told
        assert len(tool.calls) == 1
        if not told:
            remove()


async def test_tool_of_another_server_does_not_take_a_planned_ones_place(house: House) -> None:
    others = ExtraTool("order", dict)
    others.server = "attic"
    llm.async_register_api(house.hass, extra_api(house, others))
    for server, told in (("cabin", [True]), ("attic", [])):
        plan = house.planned(MINUTE, spoken=SPOKEN.__replace__(apis=(API_ID,)))
        assert plan.call
        call = plan.call.__replace__(
            tool="order", server=server, intent_type="", arguments={}, targets=()
        )
        await house.plans.async_add(plan.__replace__(call=call))
        await house.until(house.now + MINUTE)
        assert [each.startswith(GONE) for each in house.told] == told
        assert len(others.calls) == len(told) ^ 1


def extra_api(house: House, *tools: llm.Tool) -> ExtraAPI:
    """Return an API beside Assist's."""
    return ExtraAPI(hass=house.hass, id=API_ID, name="Extra", tools=list(tools))


async def test_tool_that_hangs_holds_up_no_other_plan(house: House) -> None:
    never = asyncio.Event()
    tool = ExtraTool("hangs", never.wait)
    llm.async_register_api(house.hass, extra_api(house, tool))
    await house.do("light.turn_off", BED)
    plan = house.planned(MINUTE, spoken=SPOKEN.__replace__(apis=(API_ID,)))
    assert plan.call
    call = plan.call.__replace__(tool="hangs", intent_type="", arguments={}, targets=())
    await house.plans.async_add(plan.__replace__(call=call))
    await house.add(MINUTE)
    house.clock.set(house.now + MINUTE)
    for _ in range(50):
        await asyncio.sleep(0.01)
    assert house.state(BED) == "on"
    assert [each.is_running for each in house.plans.all] == [True]
    await house.until(house.now + dt.timedelta(seconds=TOOL_TIMEOUT))
    assert [each.startswith("That did not work") for each in house.told] == [True]
    assert not house.plans.all


async def test_it_is_told_in_the_language_that_was_spoken(house: House) -> None:
    spoken = SPOKEN.__replace__(
        language="de-CH", text="mach das Bettlicht an", moment="in zehn Minuten"
    )
    await house.add(10 * MINUTE, spoken=spoken)
    await house.restart(house.now + HOUR)
    why = "Nicht ausgeführt, weil Home Assistant zu dieser Zeit nicht lief"
    assert house.told == [f"{why}: mach das Bettlicht an (in zehn Minuten)"]


@pytest.mark.parametrize("every", [26, pytest.param(1, marks=pytest.mark.soak)])
async def test_process_that_is_killed_at_any_point_of_plans(every: int, tmp_path: Path) -> None:
    """What was planned is done once by that process or the next one, or told; what was begun ends."""
    now = str(dt.datetime(2026, 11, 20, 19, tzinfo=dt.UTC).timestamp())
    folder = tmp_path / "killed"
    folder.mkdir()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.plans.faults.killed", str(folder), now, str(every)
    )
    assert await process.wait() == 0
    assert not faults(folder)
