"""What 500 plans cost: to load at Home Assistant's start, in memory, to store, and in a calendar.

Most are at a time, some recur, some wait for an event. There is no other side to compare with.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import time, timedelta
import gc
import json
import logging
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
import tracemalloc

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util

from bench.house import home_assistant
from bench.results import line
from custom_components.voice_gateway.plans.plan import Plan, PlannedCall, Spoken, StateSnapshot
from custom_components.voice_gateway.plans.plans import PLANS, Plans
from custom_components.voice_gateway.plans.schedule import AtTime, OnEvent, Recurrence
from custom_components.voice_gateway.plans.stored import as_json

NUMBER = 500
RUNS = 5
SIDE = "voice_gateway"
MONTH = timedelta(days=31)


async def main() -> None:
    """Measure all."""
    logging.disable(logging.CRITICAL)
    with TemporaryDirectory() as folder:
        async with home_assistant(folder) as hass:
            for domain in ("intent", "llm", "persistent_notification", "voice_gateway"):
                await async_setup_component(hass, domain, {})
            file = Path(hass.config.path(".storage", "voice_gateway.plans"))
            await hass.async_add_executor_job(_write, file)
            loads = [await _load(hass) for _ in range(RUNS)]
            # Loaded once more, when nothing else is loaded with it.
            gc.collect()
            tracemalloc.start()
            await _load(hass)
            gc.collect()
            memory, _ = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            changes = [await _change(hass) for _ in range(RUNS)]
            shows = [_show(hass.data[PLANS]) for _ in range(RUNS)]
    for name, milliseconds in (("load", loads), ("change", changes), ("month", shows)):
        print(line(f"plans/{name}-{NUMBER}", {SIDE: median(milliseconds)}, "ms", RUNS, 1))
    print(line(f"plans/memory-{NUMBER}", {SIDE: memory / 1024}, "KiB", 1, 0))


def _write(file: Path) -> None:
    """Store plans as they are stored."""
    data = {"plans": [as_json(plan) for plan in _plans()], "unread": []}
    stored = {"version": 1, "minor_version": 1, "key": file.name, "data": data}
    file.write_text(json.dumps(stored), encoding="utf-8")


def _plans() -> Iterator[Plan]:
    now = dt_util.utcnow()
    for number in range(NUMBER):
        name = f"Lamp {number}"
        at = now + timedelta(minutes=10 + number)
        plan = Plan(
            spoken=Spoken(
                text=f"turn on the {name}",
                moment="at some time",
                language="en",
                agent_id="conversation.agent",
                apis=("assist",),
            ),
            made=now,
            when=AtTime(at=at),
            due=at,
            call=PlannedCall(
                tool="HassTurnOn",
                intent_type="HassTurnOn",
                arguments={"name": name},
                targets=(f"light.lamp_{number}",),
            ),
            about=(name,),
        )
        match number % 10:
            case 0:
                before = StateSnapshot(target="light.lamp", state="off", attributes={}, then="on")
                yield replace(plan, call=None, restore=(before,))
            case 1 | 2 | 3:
                yield replace(plan, when=Recurrence(since=now, time=time(8), weekdays=(0, 2)))
            case 4:
                yield replace(plan, when=Recurrence(since=now, sun="sunset"))
            case 5:
                event = OnEvent(condition=f"the door {number} is opened", each=True)
                yield replace(plan, when=event, due=None)
            case _:
                yield plan


async def _load(hass: HomeAssistant) -> float:
    """Start anew with the stored plans; return the milliseconds until they are waited for."""
    _stop(hass)
    began = perf_counter()
    plans = hass.data[PLANS] = Plans(hass)
    await plans.async_load()
    await hass.async_block_till_done()
    took = perf_counter() - began
    assert len(plans.all) == NUMBER
    return took * 1000


def _stop(hass: HomeAssistant) -> None:
    """End those that were loaded before."""
    plans = hass.data.pop(PLANS)
    plans.async_stop()


async def _change(hass: HomeAssistant) -> float:
    """Add and cancel a plan; return the milliseconds of one of both."""
    (plan, *_) = _plans()
    began = perf_counter()
    await hass.data[PLANS].async_add(plan)
    await hass.data[PLANS].async_remove([plan.id])
    return (perf_counter() - began) * 1000 / 2


def _show(plans: Plans) -> float:
    """Find all events of a month; return the milliseconds."""
    now = dt_util.utcnow()
    began = perf_counter()
    assert all([*plans.times(plan, now, now + MONTH, 500)] or not plan.due for plan in plans.all)
    return (perf_counter() - began) * 1000


if __name__ == "__main__":
    asyncio.run(main())
