"""Plans are seen, deleted and moved in a calendar and a to-do list; one of each, whoever is loaded."""

import datetime as dt
import json
from typing import Any

from homeassistant.components.homeassistant import async_should_expose
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.json import json_dumps
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]
from pytest_homeassistant_custom_component.typing import WebSocketGenerator  # type: ignore[import-untyped]

from custom_components.voice_gateway.diagnostics import async_get_config_entry_diagnostics
from custom_components.voice_gateway.plans.plan import StateSnapshot
from custom_components.voice_gateway.plans.plans import PLANS
from custom_components.voice_gateway.plans.schedule import Recurrence
from tests.agent import Agent, add_agent
from tests.ollama import PlayedOllama

from .house import House, when_open

CALENDAR, TODO = "calendar.plans", "todo.plans"
BED = "light.bed_light"
MINUTE, HOUR, DAY = (dt.timedelta(seconds=each) for each in (60, 3600, 86400))


@pytest.fixture
async def agent(house: House, ollama: PlayedOllama) -> Agent:
    """An agent in the home."""
    return await add_agent(house.hass, ollama.url)


class Shown:
    """The calendar and the list as Home Assistant's pages show and change them."""

    def __init__(self, house: House, client: Any) -> None:
        """Take the home, and the connection of its pages."""
        self._house = house
        self._client = client

    async def events(self, days: float = 4) -> list[str]:
        """Return the events of some days from now on: when and what."""
        now = self._house.now
        found = await self._house.hass.services.async_call(
            "calendar",
            "get_events",
            {"start_date_time": now, "end_date_time": now + days * DAY},
            True,
            return_response=True,
            target={"entity_id": CALENDAR},
        )
        assert found
        events: Any = found[CALENDAR]
        return [f"{each['start'][8:16]} {each['summary']}" for each in events["events"]]

    async def items(self) -> list[str]:
        """Return the items of the list."""
        found = await self._house.hass.services.async_call(
            "todo", "get_items", {}, True, return_response=True, target={"entity_id": TODO}
        )
        assert found
        items: Any = found[TODO]
        return [each["summary"] for each in items["items"]]

    async def change(self, command: str, **message: Any) -> str:
        """Change an event; return why that is not possible, if it is not."""
        await self._client.send_json_auto_id(
            {"type": f"calendar/event/{command}", "entity_id": CALENDAR, **message}
        )
        answer = await self._client.receive_json()
        await self._house.hass.async_block_till_done()
        return "" if answer["success"] else str(answer["error"]["message"])

    async def move(self, uid: str, at: dt.datetime, **message: Any) -> str:
        """Move an event."""
        times = {"dtstart": at.isoformat(), "dtend": (at + MINUTE).isoformat()}
        return await self.change("update", uid=uid, event={"summary": "x", **times}, **message)


@pytest.fixture
async def shown(house: House, agent: Agent, hass_ws_client: WebSocketGenerator) -> Shown:
    """What the pages show."""
    return Shown(house, await hass_ws_client(house.hass))


def local(*values: int) -> dt.datetime:
    """Return a moment on the home's clock."""
    return dt.datetime(*values, tzinfo=dt_util.get_default_time_zone())  # type: ignore[arg-type,misc]


async def test_plans_are_seen_where_they_are_looked_for(house: House, shown: Shown) -> None:
    await house.add(10 * MINUTE)
    await house.add(Recurrence(since=house.now, time=dt.time(20)))
    await house.add(when_open())
    before = StateSnapshot(target=BED, state="off", attributes={}, then="on")
    await house.add(HOUR, call=None, restore=(before,))
    words, end = "Turn on the bed light", "End of: turn on the bed light"
    assert await shown.events(2.5) == [
        f"20T14:10 {words}",
        f"20T15:00 {end}",
        *(f"{day}T20:00 {words}" for day in (20, 21, 22)),
    ]
    assert await shown.items() == [words, end, words, words]
    assert house.state(TODO) == "4"
    state = house.hass.states.get(CALENDAR)
    assert state
    assert state.attributes["message"] == words
    assert state.attributes["start_time"].startswith("2026-11-20 14:10:0")


async def test_deleting_and_moving_single_plans(house: House, shown: Shown) -> None:
    first, second = await house.add(10 * MINUTE), await house.add(20 * MINUTE)
    assert await shown.change("delete", uid=first.id) == ""
    assert await shown.events() == ["20T14:20 Turn on the bed light"]
    # It may be done by now.
    assert await shown.change("delete", uid=first.id) == ""
    assert await shown.move(second.id, house.now - HOUR) == "That time has already passed"
    assert await shown.move("gone", house.now + HOUR) == "This plan can't be moved to that time"
    assert await shown.move(second.id, local(2026, 11, 20, 16)) == ""
    assert await shown.events() == ["20T16:00 Turn on the bed light"]
    await house.until(house.now + 30 * MINUTE)
    await house.do("light.turn_off", BED)
    await house.restart()
    house.clock.set(local(2026, 11, 20, 15, 59))
    await house.until(local(2026, 11, 20, 16))
    assert house.state(BED) == "on"


async def test_deleting_and_moving_recurring_plans(house: House, shown: Shown) -> None:
    plan = await house.add(Recurrence(since=house.now, time=dt.time(20)))

    async def days() -> list[str]:
        return [each[:8] for each in await shown.events(6)]

    def on(day: int, hour: int = 20) -> str:
        return local(2026, 11, day, hour).isoformat()

    future = {"recurrence_range": "THISANDFUTURE"}
    assert await shown.change("delete", uid=plan.id, recurrence_id=on(21)) == ""
    assert await days() == ["20T20:00", *(f"{day}T20:00" for day in (22, 23, 24, 25))]
    assert await shown.change("delete", uid=plan.id, recurrence_id=on(20)) == ""
    assert await shown.move(plan.id, local(2026, 11, 22, 9), recurrence_id=on(22)) == ""
    assert await days() == ["22T09:00", "23T20:00", "24T20:00", "25T20:00"]
    assert await shown.change("delete", uid=plan.id, recurrence_id=on(25), **future) == ""
    assert await days() == ["22T09:00", "23T20:00", "24T20:00"]
    moved = local(2026, 11, 24, 7)
    assert await shown.move(plan.id, moved, recurrence_id=on(24), **future) == ""
    assert (await days())[:3] == ["22T09:00", "23T20:00", "24T07:00"]
    assert await shown.change("delete", uid=plan.id, recurrence_id=on(23), **future) == ""
    assert plan.id not in {each.id for each in house.plans.all}
    # What recurs by the hour goes on by the hour; on a day of the week, on the day it is moved to.
    await house.plans.async_remove([each.id for each in house.plans.all])
    hourly = await house.add(Recurrence(since=house.now, seconds=7200))
    assert await shown.move(hourly.id, local(2026, 11, 20, 17)) == ""
    assert (await days())[:2] == ["20T17:00", "20T19:00"]
    await house.plans.async_remove([hourly.id])
    weekly = await house.add(Recurrence(since=house.now, time=dt.time(20), weekdays=(6,)))
    assert await shown.move(weekly.id, local(2026, 11, 23, 21)) == ""
    assert await days() == ["23T21:00"]
    # The last of its times is deleted one by one.
    assert await shown.change("delete", uid=weekly.id, recurrence_id=on(30, 21), **future) == ""
    assert await shown.change("delete", uid=weekly.id, recurrence_id=on(23, 21)) == ""
    assert not house.plans.all


async def test_what_is_ticked_off_or_deleted_in_the_list_is_cancelled(
    house: House, shown: Shown
) -> None:
    first, second = await house.add(10 * MINUTE), await house.add(when_open())
    await house.do("todo.update_item", TODO, item=first.id, status="completed")
    assert [each.id for each in house.plans.all] == [second.id]
    with pytest.raises(ServiceValidationError, match="You can tick off or delete plans here"):
        await house.do("todo.update_item", TODO, item=second.id, rename="Turn it off")
    await house.do("todo.remove_item", TODO, item=second.id)
    assert house.state(TODO) == "0"
    await house.do("light.turn_off", BED)
    await house.until(house.now + 11 * MINUTE)
    assert house.state(BED) == "off"


async def test_there_is_one_of_each_as_long_as_any_server_is_loaded(
    house: House, agent: Agent, ollama: PlayedOllama
) -> None:
    """It is handed over, with its name and place; the last one takes the plans with it."""
    hass, entries = house.hass, house.hass.config_entries
    registry = er.async_get(hass)
    registry.async_update_entity(TODO, name="To come")
    second = await add_agent(hass, ollama.url)
    await house.add(DAY)

    def there() -> list[str]:
        states = [each for each in (CALENDAR, TODO) if house.state(each) != "unavailable"]
        return [each for each in states if house.state(each)]

    def owner() -> set[str | None]:
        found = [registry.async_get(each) for each in (CALENDAR, TODO)]
        assert all(found)
        return {each.config_entry_id for each in found if each}

    assert (there(), owner()) == ([CALENDAR, TODO], {agent.entry.entry_id})
    assert not async_should_expose(hass, "conversation", TODO)
    assert await entries.async_unload(agent.entry.entry_id)
    await hass.async_block_till_done()
    assert (there(), owner()) == ([CALENDAR, TODO], {second.entry.entry_id})
    assert await entries.async_setup(agent.entry.entry_id)
    await hass.async_block_till_done()
    assert await entries.async_reload(second.entry.entry_id)
    await hass.async_block_till_done()
    assert (there(), owner()) == ([CALENDAR, TODO], {agent.entry.entry_id})
    await entries.async_remove(agent.entry.entry_id)
    await hass.async_block_till_done()
    assert (there(), owner()) == ([CALENDAR, TODO], {second.entry.entry_id})
    state = hass.states.get(TODO)
    assert state
    assert state.name == "To come"
    assert len(house.plans.all) == 1
    assert house.stored.exists()
    await entries.async_remove(second.entry.entry_id)
    await hass.async_block_till_done()
    assert there() == []
    assert not house.plans.all
    assert not house.stored.exists()
    assert [registry.async_get(each) for each in (CALENDAR, TODO)] == [None, None]


async def test_plans_go_with_an_entry_that_is_not_set_up(
    house: House, ollama: PlayedOllama
) -> None:
    """As one that was disabled before the start: nothing of ours is loaded then."""
    await house.add(MINUTE)
    house.stop()
    plans = house.hass.data.pop(PLANS)
    entry = MockConfigEntry(domain="voice_gateway", data={"kind": "ollama", "url": ollama.url})
    entry.add_to_hass(house.hass)
    await house.hass.config_entries.async_remove(entry.entry_id)
    assert not house.stored.exists()
    house.hass.data[PLANS] = plans


async def test_diagnostics_have_the_plans_without_what_was_said(
    house: House, agent: Agent, ollama: PlayedOllama
) -> None:
    async def told() -> Any:
        data = await async_get_config_entry_diagnostics(house.hass, agent.entry)
        return json.loads(json_dumps(data["server"]["plans"]))

    condition = when_open(window="goldfish")
    await house.add(condition, about=("Goldfish",))
    (plan,) = await told()
    assert plan["when"] == {
        "kind": "event",
        "condition": "",
        "each": False,
        "held": 0,
        "is_over": False,
    }
    assert plan["call"]["tool"] == "HassTurnOn"
    assert "bed light" not in json.dumps(plan).lower()
    assert "goldfish" not in json.dumps(plan).lower()
    subentry = next(iter(agent.entry.subentries.values()))
    house.hass.config_entries.async_update_subentry(
        agent.entry, subentry, data={**subentry.data, "diagnostics_sentences": True}
    )
    await house.hass.async_block_till_done()
    (plan,) = await told()
    assert plan["spoken"]["text"] == "turn on the bed light"
    assert plan["about"] == ["Goldfish"]
    assert plan["spoken"]["user_id"] is None


async def test_times_of_many_plans_are_found_quickly(house: House, shown: Shown) -> None:
    """A calendar's page is of a month."""
    await house.add(Recurrence(since=house.now, seconds=60))
    assert len(await shown.events(31)) == 500


async def test_without_a_server_there_is_no_calendar(house: House) -> None:
    await house.add(MINUTE)
    assert house.hass.states.async_all("calendar") == []
