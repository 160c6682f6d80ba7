"""What happens after a sentence, on a clock that is moved."""

from collections.abc import AsyncGenerator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from homeassistant.core import CoreState, Event as HassEvent, HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.event import (
    async_call_later,
    async_track_state_change_event,
    async_track_time_change,
)
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util
import pytest

from bench.clock import Clock, clock_at
from bench.home import Home
from bench.house import House, furnished
from bench.sentences import Event, Sentence
from bench.timeline import Timeline, sun
from bench.verdicts import Course

BEGAN = datetime(2026, 11, 21, 22, tzinfo=UTC)
LAMP = "light.lamp"
ON, OFF = {LAMP: {"state": "on"}}, {LAMP: {"state": "off"}}
DOOR = "lock.attic_door"
UNLOCKED = {DOOR: {"state": "unlocked"}}


@pytest.fixture
def clock() -> Iterator[Clock]:
    with clock_at(BEGAN) as clock:
        yield clock


@pytest.fixture
async def house(data: Path, clock: Clock) -> AsyncGenerator[House]:
    async with furnished(Home.read(data / "homes" / "small.yaml")) as furnished_house:
        await furnished_house.async_begin({LAMP: {"state": "on", "attributes": {"brightness": 50}}})
        yield furnished_house


async def async_follow(
    house: House, clock: Clock, restarts: bool = False, **ahead: list[Event]
) -> Course:
    sentence = Sentence(
        id="1",
        kind="in",
        language="en",
        home="small",
        text="",
        from_device=None,
        setup={},
        eager=[],
        promise="",
        now={},
        **ahead,  # type: ignore[arg-type]
    )
    return await Timeline(house, clock, BEGAN).async_follow(sentence, restarts=restarts)


def turn_off_in(house: House, *seconds: float) -> None:
    """Plan to turn off the lamp."""
    for each in seconds:
        async_call_later(house.hass, each, turn_off(house.hass))


def turn_off(hass: HomeAssistant) -> Any:
    async def now(_: datetime | HassEvent[Any]) -> None:
        await hass.services.async_call("light", "turn_off", {"entity_id": LAMP}, blocking=True)

    return now


async def test_timers_are_called_in_their_time(house: House, clock: Clock) -> None:
    called: list[float] = []

    @callback
    def note(_: datetime) -> None:
        called.append(round((dt_util.utcnow() - BEGAN).total_seconds(), -1))

    async_call_later(house.hass, 600, note)
    async_track_time_change(house.hass, note, hour=21, minute=0, second=0)

    await clock.async_move(house.hass, BEGAN + timedelta(days=2))

    # 21:00 at home, seven hours later, and a day after that.
    assert called == [600, 7 * 3600, 31 * 3600]


async def test_what_comes_in_time_is_right(house: House, clock: Clock) -> None:
    turn_off_in(house, 600)

    assert await async_follow(house, clock, later=[Event(after=600, expect=OFF)]) == Course()


@pytest.mark.parametrize(("seconds", "wrong"), [(300, True), (590, True), (598, False)])
async def test_what_comes_before_its_time_is_wrong(
    house: House, clock: Clock, seconds: float, wrong: bool
) -> None:
    turn_off_in(house, seconds)

    course = await async_follow(house, clock, later=[Event(after=600, expect=OFF)])

    assert bool(course.wrong) == wrong


async def test_what_does_not_come_or_too_late_is_missed(house: House, clock: Clock) -> None:
    turn_off_in(house, 120)

    course = await async_follow(house, clock, later=[Event(after=45, expect=OFF)])

    assert not course.wrong
    assert len(course.missed) == 1


async def test_what_is_done_twice_is_missed(house: House, clock: Clock) -> None:
    turn_off_in(house, 600, 602)

    course = await async_follow(house, clock, later=[Event(after=600, expect=OFF)])

    assert course == Course(missed=["at +600 s: light.lamp twice"])


async def test_what_is_to_come_once_and_comes_again_is_wrong(house: House, clock: Clock) -> None:
    turn_off_in(house, 600, 4200)
    again = Event(after=4200, reset=ON, unchanged=[LAMP])

    course = await async_follow(
        house, clock, later=[Event(after=600, expect=OFF)], not_then=[again]
    )

    assert [each.partition(":")[0] for each in course.wrong] == ["at +4200 s"]


async def test_device_that_changes_brings_what_was_said(house: House, clock: Clock) -> None:
    async_track_state_change_event(house.hass, DOOR, turn_off(house.hass))

    course = await async_follow(house, clock, when=[Event(set=UNLOCKED, expect=OFF)])

    assert course == Course()


async def test_device_that_should_bring_nothing_is_noticed(house: House, clock: Clock) -> None:
    async_track_state_change_event(house.hass, DOOR, turn_off(house.hass))

    course = await async_follow(house, clock, not_then=[Event(set=UNLOCKED, unchanged=[LAMP])])

    assert len(course.wrong) == 1


async def test_sunsets_are_a_day_apart(house: House) -> None:
    first, second = (sun(house.hass, "sunset", BEGAN, n) for n in (1, 2))

    assert timedelta(hours=1) < first - BEGAN < timedelta(hours=8)
    assert timedelta(hours=23) < second - first < timedelta(hours=25)


async def test_plan_that_is_kept_in_memory_alone_is_lost_with_a_restart(
    house: House, clock: Clock
) -> None:
    turn_off_in(house, 600)

    course = await async_follow(house, clock, restarts=True, later=[Event(after=600, expect=OFF)])

    assert len(course.missed) == 1


async def test_restarted_home_assistant_has_what_was_stored_and_devices_as_they_were(
    house: House,
) -> None:
    hass, before = house.hass, house.states()
    await Store[dict[str, int]](hass, 1, "notes").async_save({"a": 1})
    await house.async_happen(UNLOCKED)

    await house.async_restart()

    assert house.hass is not hass
    assert house.hass.state is CoreState.running
    assert await Store[dict[str, int]](house.hass, 1, "notes").async_load() == {"a": 1}
    assert house.states() == {**before, DOOR: {**before[DOOR], "state": "unlocked"}}
    assert dr.async_get(house.hass).async_get(house.device_ids["speaker"]) is not None
