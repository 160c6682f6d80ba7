"""Plans are kept: whatever happens to Home Assistant, none is carried out twice or forgotten unsaid."""

from collections.abc import Iterator
from dataclasses import replace
import datetime as dt
import json
from pathlib import Path
from typing import Any

from homeassistant.components.repairs import ConfirmRepairFlow
from homeassistant.helpers import issue_registry as ir
from homeassistant.util import dt as dt_util
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.nlu.plan_requests import ReminderForm
from custom_components.voice_gateway.nlu.time_resolution import TimeExpression, TimeType
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.plans.plan import Plan, PlannedWords, StateSnapshot
from custom_components.voice_gateway.plans.plans import MOST
from custom_components.voice_gateway.plans.schedule import AtTime, Recurrence, Schedule
from custom_components.voice_gateway.plans.stored import as_json, of_json
from custom_components.voice_gateway.repairs import async_create_fix_flow
from tests.agent import add_agent
from tests.ollama import PlayedOllama

from .house import House, lasting, when_open

BED = "light.bed_light"
SECOND, MINUTE, HOUR, DAY = (dt.timedelta(seconds=each) for each in (1, 60, 3600, 86400))
LATE = "Done late"
MISSED = "Not done because Home Assistant was not running"


async def test_restart_before_at_and_after_the_moment(house: House) -> None:
    """Late within its grace it is done and told; later told and not done; what lets in never late."""
    for is_guarded, back_after, state, told in (
        (False, -5 * MINUTE, "on", ""),
        (False, 0 * MINUTE, "on", ""),
        (False, 30 * SECOND, "on", ""),
        (False, 10 * MINUTE, "on", LATE),
        (False, 16 * MINUTE, "off", MISSED),
        (False, 3 * DAY, "off", MISSED),
        (True, 30 * SECOND, "on", ""),
        (True, 2 * MINUTE, "off", MISSED),
    ):
        case = (is_guarded, back_after)
        await house.do("light.turn_off", BED)
        plan = await house.add(10 * MINUTE, is_guarded=is_guarded)
        assert plan.due
        await house.restart(plan.due + back_after)
        if back_after < 0 * MINUTE:
            assert house.state(BED) == "off", case
            await house.until(plan.due)
        assert house.state(BED) == state, case
        words = house.told
        assert [each.startswith(told) for each in words] == [True] * bool(told), (case, words)
        assert not house.plans.all, case
        await house.do("light.turn_off", BED)
        await house.restart(house.now + HOUR)
        assert house.state(BED) == "off", case


async def test_an_ending_is_always_done_but_where_it_lets_somebody_in(house: House) -> None:
    for is_guarded, back_after, state in ((False, 3 * DAY, "off"), (True, HOUR, "on")):
        await house.do("light.turn_on", BED)
        before = StateSnapshot(target=BED, state="off", attributes={}, then="on")
        await house.add(10 * MINUTE, call=None, restore=(before,), is_guarded=is_guarded)
        await house.restart(house.now + 10 * MINUTE + back_after)
        assert house.state(BED) == state
        assert not house.plans.all


async def test_recurring_plan_goes_on_after_a_restart(house: House) -> None:
    """The time that passed is told, the next one is done."""
    daily = Recurrence(since=house.now, time=dt.time(15))
    plan = await house.add(daily)
    await house.restart(house.now + 2 * DAY + 3 * HOUR)
    assert house.state(BED) == "off"
    assert [each.startswith(MISSED) for each in house.told] == [True]
    (plan,) = house.plans.all
    assert plan.due
    assert (
        dt_util.as_local(plan.due)
        == dt_util.as_local(house.now).replace(hour=15, minute=0, second=0, microsecond=0) + 1 * DAY
    )
    house.clock.set(plan.due - MINUTE)
    await house.until(plan.due)
    assert house.state(BED) == "on"


async def test_what_was_begun_when_home_assistant_ended_is_told_and_not_done_again(
    house: House,
) -> None:
    """What recurs goes on; an ending is done again, which changes nothing that was put back."""
    await house.do("light.turn_on", "light.ceiling_lights")
    daily = Recurrence(since=house.now, time=dt.time(15))
    once = house.planned(MINUTE, BED, is_running=True, due=None)
    again = house.planned(daily, BED, is_running=True)
    before = StateSnapshot(target="light.ceiling_lights", state="off", attributes={}, then="on")
    ending = house.planned(MINUTE, call=None, restore=(before,), is_running=True, due=None)
    await house.plans.async_add(once, again, ending)
    await house.restart(house.now + 2 * MINUTE)
    assert house.state(BED) == "off"
    assert [each.startswith("Home Assistant stopped while") for each in house.told] == [True, True]
    assert [each.id for each in house.plans.all] == [again.id]
    assert house.state("light.ceiling_lights") == "off"
    await house.restart()
    assert house.told == []
    await house.until(dt_util.as_utc(dt.datetime(2026, 11, 20, 20, tzinfo=dt.UTC)))
    assert house.state(BED) == "on"


async def test_clock_that_is_set_decides(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock on the wall is set while the event loop's goes on."""
    for shift, after, state in (
        (HOUR, MINUTE, "off"),  # half an hour late then: told, not done
        (25 * MINUTE, 5 * MINUTE, "on"),
        (-HOUR, 31 * MINUTE, "off"),
        (-HOUR, 91 * MINUTE, "on"),
    ):
        await house.do("light.turn_off", BED)
        plan = await house.add(30 * MINUTE)
        with monkeypatch.context() as patched:
            patched.setattr(dt_util, "utcnow", lambda shift=shift: house.now + shift)
            await house.until(house.now + after)
            assert house.state(BED) == state, (shift, after)
            await house.plans.async_remove([plan.id])
    # It was wrong for a while only.
    await house.do("light.turn_off", BED)
    plan = await house.add(30 * MINUTE)
    with monkeypatch.context() as patched:
        patched.setattr(dt_util, "utcnow", lambda: house.now - HOUR)
        await house.until(house.now + 5 * MINUTE)
    assert plan.due
    await house.until(plan.due + MINUTE)
    assert house.state(BED) == "on"


async def test_daylight_saving_moves_no_time_of_day(house: House) -> None:
    """New York's clocks go forward on March 14, 2027 at two, and back on November 7 at two."""
    shown: list[str] = []
    for day in (dt.datetime(2027, 3, 12, 12), dt.datetime(2027, 11, 5, 12)):
        house.clock.set(day.replace(tzinfo=dt.UTC))
        for time in (dt.time(1, 30), dt.time(2, 30)):
            plan = house.planned(Recurrence(since=house.now, time=time), BED)
            await house.plans.async_add(plan)
            times = house.plans.times(plan, house.now, house.now + 3 * DAY, 9)
            shown.append(" ".join(f"{dt_util.as_local(at):%d %H:%M%z}" for at in times))
            due = [*house.plans.times(plan, house.now, house.now + 3 * DAY, 9)][1]
            house.clock.set(due - MINUTE)
            await house.until(due - MINUTE)
            await house.do("light.turn_off", BED)
            await house.until(due)
            assert house.state(BED) == "on"
            await house.plans.async_remove([plan.id])
            house.clock.set(day.replace(tzinfo=dt.UTC))
    assert shown == [
        "13 01:30-0500 14 01:30-0500 15 01:30-0400",
        "13 02:30-0500 14 03:00-0400 15 02:30-0400",
        "06 01:30-0400 07 01:30-0400 08 01:30-0500",
        "06 02:30-0400 07 02:30-0500 08 02:30-0500",
    ]


async def test_ten_plans_for_one_moment_are_all_done_and_one_that_fails_stops_none(
    house: House,
) -> None:
    async def fails(*_: object) -> None:
        raise RuntimeError("no power")

    house.hass.services.async_register("cover", "open_cover", fails)
    lights = list(house.hass.states.async_entity_ids("light"))[:5]
    for entity_id in lights:
        await house.do("light.turn_off", entity_id)
    at = house.now + 10 * MINUTE
    for number in range(10):
        entity_id = "cover.hall_window" if number == 4 else lights[number % 5]
        await house.add(at - house.now, entity_id)
    ending = StateSnapshot(target="cover.kitchen_window", state="open", attributes={}, then="")
    await house.add(at - house.now, call=None, restore=(ending,))
    await house.do("cover.close_cover", "cover.kitchen_window")
    await house.until(at)
    assert [house.state(each) for each in lights] == ["on"] * 5
    assert [each.startswith("That did not work") for each in house.told] == [True, True]
    assert not house.plans.all


async def test_as_many_plans_as_there_may_be(house: House) -> None:
    plans = [house.planned(DAY, BED) for _ in range(MOST)]
    was_full = house.plans.is_full
    await house.plans.async_add(*plans)
    assert (was_full, house.plans.is_full) == (False, True)
    await house.restart()
    assert len(house.plans.all) == MOST


async def test_storage_that_is_garbage_is_kept_aside_and_told(house: House) -> None:
    """By Home Assistant itself where it is no JSON, by us where it is another's, or of a newer version."""
    stop = house.stop
    newer = {"version": 9, "minor_version": 1, "key": "voice_gateway.plans", "data": {"plans": 5}}
    of_none = {**newer, "version": 1}
    for text, domain, issue in (
        ("{]", "homeassistant", "storage_corruption"),
        (json.dumps(newer), DOMAIN, "plans_file_unread"),
        (json.dumps(of_none), DOMAIN, "plans_file_unread"),
        ("[]", DOMAIN, "plans_file_unread"),
    ):
        stop()
        house.stored.parent.mkdir(exist_ok=True)
        house.stored.write_text(text)
        await house.restart()
        issues = [each for each in ir.async_get(house.hass).issues if each[1].startswith(issue)]
        assert [each[0] for each in issues] == [domain], text
        aside = list(house.stored.parent.glob("voice_gateway.plans.*"))
        assert [each.read_text() for each in aside] == [text]
        # What is planned now is kept.
        await house.add(10 * MINUTE)
        await house.restart()
        assert len(house.plans.all) == 1
        await house.until(house.now + 10 * MINUTE)
        assert house.state(BED) == "on"
        await house.do("light.turn_off", BED)
        for each in aside:
            each.unlink()
        ir.async_delete_issue(house.hass, *issues[0])


async def test_one_bad_plan_among_good_ones_is_kept_and_the_others_go_on(house: House) -> None:
    good = await house.add(10 * MINUTE)
    bad: list[Any] = [
        {"id": "new", "when": {"kind": "at the full moon"}},
        "nothing",
        None,
        {**as_json(good)},
    ]
    bad[-1]["due"] = "2026-11-20T20:00:00"  # no time zone
    house.stop()
    stored = json.loads(house.stored.read_text())
    stored["data"]["plans"] += bad
    house.stored.write_text(json.dumps(stored))
    await house.restart()
    assert [each.id for each in house.plans.all] == [good.id]
    issue = ir.async_get(house.hass).async_get_issue(DOMAIN, "plans_unread")
    assert issue
    assert issue.translation_placeholders
    assert issue.translation_placeholders["number"] == "4"
    assert isinstance(
        await async_create_fix_flow(house.hass, issue.issue_id, None), ConfirmRepairFlow
    )
    other = await house.add(HOUR)
    assert house.data()["unread"] == json.loads(json.dumps(bad))
    # It is told once, and tried again at each start: a newer version may know what it is.
    ir.async_delete_issue(house.hass, DOMAIN, "plans_unread")
    stored = json.loads(house.stored.read_text())
    stored["data"]["unread"].append(as_json(house.planned(2 * HOUR, BED)))
    house.stored.write_text(json.dumps(stored))
    await house.restart()
    assert ir.async_get(house.hass).async_get_issue(DOMAIN, "plans_unread") is None
    assert len(house.plans.all) == 3
    assert {good.id, other.id} < {each.id for each in house.plans.all}


async def test_file_that_cannot_be_moved_aside_is_not_written_over(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.stop()
    house.stored.parent.mkdir(exist_ok=True)
    house.stored.write_text('{"version": 9}')

    def refuse(*_: object) -> None:
        raise PermissionError

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", refuse)
        await house.restart()
    await house.add(MINUTE)
    assert house.stored.read_text() == '{"version": 9}'
    await house.until(house.now + MINUTE)
    assert house.state(BED) == "on"


async def test_everything_of_a_plan_is_stored(house: House) -> None:
    plan = house.planned(
        Recurrence(since=house.now, time=dt.time(6, 30), weekdays=(0, 4), nth=2),
        BED,
        conditions=(
            TimeExpression(
                type=TimeType.IF,
                text=Text("if the door is open", "en"),
                condition=Text("the door is open", "en"),
                is_unread=True,
            ),
        ),
        endings=lasting(60),
        restore=(
            StateSnapshot(target=BED, state="off", attributes={"a": 1}, then="on", context="c"),
        ),
        skipped=(house.now,),
        last=house.now + DAY,
    )
    assert of_json(Plan, json.loads(json.dumps(as_json(plan)))) == plan


BROKEN: list[Any] = [
    None, True, 0, -1, 7, 10**30, 1e308, "x", "", [], [None], ["x"], {}, {"x": 1},
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "2026-13-01", "25:00", [7], [-1],
]  # fmt: skip
"""What may stand in a file in the place of any value."""


def mutations(stored: Any, known: Any = None) -> Iterator[Any]:
    """Yield what was stored with one value in it broken, or one key missing.

    Values that `known` has at the same place are left out.
    """
    whole = json.dumps(stored)

    def places(
        value: Any, at: tuple[str | int, ...], other: Any
    ) -> Iterator[tuple[str | int, ...]]:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in items:
            before = other.get(key, KeyError) if isinstance(other, dict) else KeyError
            if each == before:
                continue
            yield (*at, key)
            if isinstance(each, dict | list):
                yield from places(each, (*at, key), before)

    for *way, last in places(stored, (), known):
        for broken in (*BROKEN, KeyError):
            mutated = json.loads(whole)
            inner = mutated
            for key in way:
                inner = inner[key]
            if broken is KeyError:
                del inner[last]
            else:
                inner[last] = broken
            yield mutated


def stored_kinds(house: House) -> list[Any]:
    """Return a plan of each kind as it is stored."""
    window = Text("the kitchen window is open", "en")
    conditions = tuple(
        TimeExpression(type=type_, text=Text(f"{type_} {window}", "en"), condition=window)
        for type_ in (TimeType.IF, TimeType.UNLESS)
    )
    snapshot = StateSnapshot(target=BED, state="off", attributes={"a": 1}, then="on")
    workdays = Recurrence(since=house.now, time=dt.time(6, 30), weekdays=(0, 1, 2, 3, 4), nth=2)
    timer = PlannedWords(form=ReminderForm.TIMER, text="pizza timer")
    alarm = PlannedWords(form=ReminderForm.ALARM, text="")
    bins = PlannedWords(form=ReminderForm.TO, text="take the bins out")
    soon = AtTime(at=house.now + 10 * HOUR)
    sunset = Recurrence(since=house.now, sun="sunset", offset=60)
    more: list[tuple[Schedule, dict[str, Any]]] = [
        (soon, {"endings": lasting(60), "skipped": (house.now,), "last": house.now + 99 * HOUR}),
        (soon, {"call": None, "restore": (snapshot,)}),
        (workdays, {"conditions": conditions}),
        (replace(workdays, weekdays=(), month_day=31), {}),
        (replace(workdays, time=None, seconds=3600.0), {}),
        (sunset, {}),
        (AtTime(at=house.now + 10 * HOUR, sun="sunset", offset=-60), {}),
        (when_open(each=True, held=60), {"is_while": True}),
        (soon, {"call": None, "say": bins}),
        (soon, {"call": None, "say": timer}),
        (soon, {"call": None, "say": replace(timer, left=90.0), "due": None}),
        (workdays, {"call": None, "say": alarm}),
        # One that was snoozed, and one that rang when Home Assistant ended.
        (AtTime(at=house.now + 9 * MINUTE), {"call": None, "say": alarm}),
        (soon, {"call": None, "say": replace(alarm, since=house.now), "is_running": True}),
    ]  # fmt: skip
    plans = [house.planned(when, BED, **given) for when, given in more]
    return [json.loads(json.dumps(as_json(replace(each, id="broken")))) for each in plans]


async def test_no_broken_plan_stops_another(house: House, ollama: PlayedOllama) -> None:
    """More than five thousand ways to break stored plans of all kinds, all of them in one file beside good ones."""
    window = "cover.kitchen_window"
    await house.do("cover.close_cover", window)
    house.hass.states.async_set(window, "closed", {"friendly_name": "Kitchen Window"})
    rings = PlannedWords(form=ReminderForm.ALARM, text="")
    good = await house.add(10 * MINUTE)
    alarm = await house.add(10 * MINUTE, call=None, say=rings, about=())
    opened = await house.add(when_open(), "light.ceiling_lights")
    await house.do("light.turn_off", "light.ceiling_lights")
    kinds = stored_kinds(house)
    broken = [*mutations(kinds[0])]
    broken += [each for kind in kinds[1:] for each in mutations(kind, kinds[0])]
    assert len(broken) > 5000
    for at, each in enumerate(broken):
        if isinstance(each.get("id"), str):
            each["id"] = f"{each['id']}{at}"
    house.stop()
    stored = json.loads(house.stored.read_text())
    stored["data"]["plans"] = [*broken, *stored["data"]["plans"]]
    house.stored.write_text(json.dumps(stored))
    await house.restart()
    assert {good.id, alarm.id, opened.id} <= {each.id for each in house.plans.all}
    # They are shown and told of like the others.
    agent = await add_agent(house.hass, ollama.url)
    for domain, service in (("calendar", "get_events"), ("todo", "get_items")):
        ends = {"end_date_time": house.now + HOUR} if domain == "calendar" else {}
        found = await house.hass.services.async_call(
            domain,
            service,
            ends,
            True,
            return_response=True,
            target={"entity_id": f"{domain}.plans"},
        )
        assert "turn on the bed light" in str(found)
    for said, told in (
        ("what is planned?", "Turn on the bed light"),
        ("which alarms are set?", "PM"),
    ):
        answer = await agent.hears(said)
        assert told in answer.speech
    listed = await house.hass.services.async_call(
        DOMAIN, "list_plans", {}, True, return_response=True
    )
    assert good.id in str(listed)
    house.hass.states.async_set(window, "open", {"friendly_name": "Kitchen Window"})
    await house.hass.async_block_till_done()
    assert house.state("light.ceiling_lights") == "on"
    await house.until(house.now + 10 * MINUTE)
    assert house.state(BED) == "on"
    assert good.id not in {each.id for each in house.plans.all}
    assert any(each.id == alarm.id and each.is_running for each in house.plans.all)
    for plan in house.plans.all:
        times = house.plans.times(plan, house.now, house.now + 99 * HOUR, 9)
        assert len([*times]) <= 9
