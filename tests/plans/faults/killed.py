"""A Home Assistant, in a process of its own, that is killed at one of the points at which plans may stand."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
import datetime as dt
from functools import partial
import json
import logging
import os
from pathlib import Path
import signal
import sys
from typing import Any
from unittest.mock import patch

from atomicwrites import AtomicWriter  # type: ignore[import-untyped]
from homeassistant.components import persistent_notification
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, ServiceCall, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component

from bench.clock import Clock, clock_at
from bench.house import home_assistant
from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.nlu.plan_requests import ReminderForm
from custom_components.voice_gateway.plans import plans as carrying_out, store
from custom_components.voice_gateway.plans.plan import Plan, PlannedCall, PlannedWords
from custom_components.voice_gateway.plans.plans import PLANS
from custom_components.voice_gateway.plans.runner import async_tell
from custom_components.voice_gateway.plans.schedule import AtTime, Recurrence, Schedule

from .house import SPOKEN, lasting, when_open

STORED = Path(".storage", "voice_gateway.plans")
_COURSE = "course"
_WINDOW = "binary_sensor.kitchen_window"
_KINDS = ("once", "again", "event", "ending", "failing", "late")
_SAID = ("words", "timer", "alarm")
_RECUR = ("again", "alarm")
HOUR = dt.timedelta(hours=1)


class Course:
    """What has come to pass, a line each, which outlasts the process."""

    def __init__(self, folder: Path, kill: int = -1) -> None:
        """Take where it is written, and at which point the process is killed."""
        self._path = folder / _COURSE
        self._left = kill

    @property
    def lines(self) -> list[str]:
        """All of it."""
        return self._path.read_text().splitlines() if self._path.exists() else []

    def note(self, line: str) -> None:
        """Write a line."""
        with self._path.open("a") as file:
            file.write(f"{line}\n")

    def point(self) -> None:
        """Be killed, if it is here."""
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= 1

    def around[**P](self, work: Callable[P, Awaitable[Any]]) -> Callable[P, Awaitable[Any]]:
        """Return the same with a point before and after it."""

        async def done(*args: P.args, **kwargs: P.kwargs) -> Any:
            self.point()
            result = await work(*args, **kwargs)
            self.point()
            return result

        return done


async def main(folder: Path, now: dt.datetime, kill: int) -> None:
    """Plan, or go on where the process before was killed if this one is not to be."""
    logging.disable(logging.CRITICAL)
    course = Course(folder, kill)
    save, commit = store.PlanStore.async_save, AtomicWriter.commit

    def committed(writer: AtomicWriter, file: Any) -> None:
        course.point()
        commit(writer, file)

    with (
        clock_at(now) as clock,
        patch.object(store.PlanStore, "async_save", course.around(save)),
        patch.object(AtomicWriter, "commit", committed),
        patch.object(carrying_out, "async_tell", course.around(async_tell)),
    ):
        async with home_assistant(str(folder)) as hass:
            await _furnish(hass, course)
            if kill >= 0:
                await hass.data[PLANS].async_add(*plans(now))
                course.note("planned")
            await _live(hass, clock)
            course.note("over")
            os._exit(0)


async def _furnish(hass: HomeAssistant, course: Course) -> None:
    """Set up lamps that are as they were left, and our plans."""
    for domain in ("intent", "llm", "persistent_notification"):
        await async_setup_component(hass, domain, {})

    async def turn(state: str, call: ServiceCall) -> None:
        listed = call.data["entity_id"]
        for entity_id in [listed] if isinstance(listed, str) else listed:
            course.point()
            if entity_id == "light.failing":
                raise HomeAssistantError("It does not work")
            course.note(f"{state} {entity_id}")
            hass.states.async_set(entity_id, state, _named(entity_id))
            course.point()

    def tell(_: Any, notes: dict[str, persistent_notification.Notification]) -> None:
        for each in notes.values():
            course.note(f"told {each['notification_id']}")

    persistent_notification.async_register_callback(hass, callback(tell))
    for state in ("on", "off"):
        hass.services.async_register("light", f"turn_{state}", partial(turn, state))
    for kind in _KINDS:
        entity_id = f"light.{kind}"
        changes = [line for line in course.lines if line.endswith(f" {entity_id}")]
        state = changes[-1].split()[0] if changes else "off"
        hass.states.async_set(entity_id, state, _named(entity_id))
        async_expose_entity(hass, "conversation", entity_id, True)
    hass.states.async_set(
        _WINDOW, "off", {"friendly_name": "Kitchen Window", "device_class": "window"}
    )
    async_expose_entity(hass, "conversation", _WINDOW, True)
    await async_setup_component(hass, DOMAIN, {})


def _named(entity_id: str) -> dict[str, str]:
    """Return the attributes of a device that is called as its id."""
    domain, _, name = entity_id.partition(".")
    device_class = {"device_class": "window"} if domain == "binary_sensor" else {}
    return {"friendly_name": name.replace("_", " ").title(), **device_class}


async def _live(hass: HomeAssistant, clock: Clock) -> None:
    """Let five minutes go by in which the window is opened."""
    await hass.async_block_till_done()
    for state in ("off", "on"):
        hass.states.async_set(_WINDOW, state, _named(_WINDOW))
        await hass.async_block_till_done()
    await clock.async_move(hass, clock.now() + dt.timedelta(minutes=5))


def plans(now: dt.datetime) -> list[Plan]:
    """Return a plan of each kind that is due, one that was, and what waits for the window."""
    whens: dict[str, Schedule] = {
        "event": when_open(),
        "again": Recurrence(since=now - HOUR, seconds=3600),
        "late": AtTime(at=now - HOUR),
    }
    planned = [
        Plan(
            id=kind,
            spoken=replace(SPOKEN, text=f"turn on the {kind}"),
            made=now - HOUR,
            when=(when := whens.get(kind, AtTime(at=now))),
            due=when.at if isinstance(when, AtTime) else None if kind == "event" else now,
            call=PlannedCall(
                tool="HassTurnOn",
                intent_type="HassTurnOn",
                arguments={"name": kind.title()},
                targets=(f"light.{kind}",),
            ),
            endings=lasting(60) if kind == "ending" else (),
        )
        for kind in _KINDS
    ]
    forms = (ReminderForm.TO, ReminderForm.TIMER, ReminderForm.ALARM)
    said = [
        replace(
            planned[_KINDS.index("again" if kind in _RECUR else "once")],
            id=kind,
            call=None,
            say=PlannedWords(form=form, text="take the bins out"),
        )
        for kind, form in zip(_SAID, forms, strict=True)
    ]
    return [*planned, *said]


def faults(root: Path) -> list[tuple[str, str]]:
    """Return what went wrong, with the point at which a process was killed."""
    return [(folder.name, each) for folder in root.iterdir() for each in _faults(folder)]


def _faults(folder: Path) -> Iterator[str]:
    lines, stored = Course(folder).lines, folder / STORED
    kept = json.loads(stored.read_text())["data"]["plans"] if stored.exists() else ()
    waiting = {each["id"] for each in kept}
    if "over" not in lines:
        yield "never over"
    for kind in (*_KINDS, *_SAID):
        done, is_told = lines.count(f"on light.{kind}"), f"told {DOMAIN}_{kind}" in lines
        if done > 1:
            yield f"{kind} twice"
        is_to_come = kind in waiting and kind not in _RECUR
        if "planned" in lines and not (done or is_told or is_to_come):
            yield f"{kind} lost"
    is_told = f"told {DOMAIN}_ending" in lines
    if "on light.ending" in lines and "off light.ending" not in lines and not is_told:
        yield "ending never ended"


def run(folder: Path, now: dt.datetime, kill: int) -> bool:
    """Live in a process that is killed at a point, and in the next one; return whether it came to that."""
    folder.mkdir()
    was_killed = False
    for at, point in ((now, kill), (now + HOUR / 120, -1)):
        if not (process := os.fork()):
            asyncio.run(main(folder, at, point))
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        was_killed |= status == -signal.SIGKILL
    return was_killed


if __name__ == "__main__":
    began = dt.datetime.fromtimestamp(float(sys.argv[2]), dt.UTC)
    every = int(sys.argv[3])
    kill = 0
    while run(Path(sys.argv[1], str(kill)), began, kill):
        kill += every
