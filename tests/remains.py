"""What an integration can leave behind in Home Assistant, counted."""

import asyncio
from collections import Counter
from collections.abc import Callable
import gc
from heapq import heapify
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    device_registry as dr,
    entity_registry as er,
    issue_registry as ir,
    llm,
)
from homeassistant.helpers.dispatcher import DATA_DISPATCHER
import psutil  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN

PACKAGE = "custom_components.voice_gateway"


def remains(hass: HomeAssistant) -> Counter[str]:
    """Count what an integration can leave behind, each by a name that people can look for.

    Of tasks, timers, listeners and processes all are counted, whoever they belong to; of registries
    and files those that name the integration; of objects those of its own classes.
    """
    # A timer that was cancelled keeps what it was made in until its time has come.
    scheduled = _scheduled(hass)
    scheduled[:] = [timer for timer in scheduled if not timer.cancelled()]
    heapify(scheduled)
    gc.collect()
    return Counter(
        {f"{kind} {name}": n for kind, count in _KINDS.items() for name, n in count(hass).items()}
    )


def _tasks(hass: HomeAssistant) -> Counter[str]:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    return Counter(getattr(task.get_coro(), "__qualname__", "?") for task in others)


def _timers(hass: HomeAssistant) -> Counter[str]:
    return Counter(_name(timer._callback) for timer in _scheduled(hass))  # type: ignore[attr-defined]


def _scheduled(hass: HomeAssistant) -> list[asyncio.TimerHandle]:
    """Return the loop's own heap of timers: it tells of them nowhere else."""
    scheduled: list[asyncio.TimerHandle] = hass.loop._scheduled  # type: ignore[attr-defined]
    return scheduled


def _name(callback: Any) -> str:
    """Return the name of a callback; of Home Assistant's own timers that of what they run."""
    if job := getattr(callback, "job", None):
        return f"{job.name or _name(job.target)}"
    if (func := getattr(callback, "func", None)) is not None:
        return _name(func)
    owner = type(getattr(callback, "__self__", None)).__name__
    return f"{owner}.{getattr(callback, '__qualname__', type(callback).__qualname__)}"


def _processes(hass: HomeAssistant) -> Counter[str]:
    return Counter(" ".join(child.cmdline()) for child in psutil.Process().children(recursive=True))


def _listeners(hass: HomeAssistant) -> Counter[str]:
    return Counter({str(event): number for event, number in hass.bus.async_listeners().items()})


def _signals(hass: HomeAssistant) -> Counter[str]:
    signals = hass.data.get(DATA_DISPATCHER, {})
    return Counter({str(signal): len(listeners) for signal, listeners in signals.items()})


def _files(hass: HomeAssistant) -> Counter[str]:
    folder = Path(hass.config.config_dir)
    return Counter(
        str(file.relative_to(folder)) for file in folder.rglob("*") if DOMAIN in file.name
    )


def _registered(hass: HomeAssistant) -> Counter[str]:
    entities = (entity for entity in er.async_get(hass).entities.values())
    found = [entity.entity_id for entity in entities if entity.platform == DOMAIN]
    for device in dr.async_get(hass).devices:
        found += [str(identifier) for identifier in device.identifiers if identifier[0] == DOMAIN]
    found += [issue for domain, issue in ir.async_get(hass).issues if domain == DOMAIN]
    return Counter(found)


def _offered(hass: HomeAssistant) -> Counter[str]:
    states = [state.entity_id for state in hass.states.async_all()]
    flows = [flow["flow_id"] for flow in hass.config_entries.flow.async_progress_by_handler(DOMAIN)]
    return Counter([*(api.id for api in llm.async_get_apis(hass)), *states, *flows])


def _objects(hass: HomeAssistant) -> Counter[str]:
    kinds = (type(thing) for thing in gc.get_objects())
    return Counter(
        f"{kind.__module__}.{kind.__qualname__}"
        for kind in kinds
        if str(getattr(kind, "__module__", "")).startswith(PACKAGE)
    )


_KINDS: dict[str, Callable[[HomeAssistant], Counter[str]]] = {
    "task": _tasks,
    "timer": _timers,
    "process": _processes,
    "listener": _listeners,
    "signal": _signals,
    "file": _files,
    "registered": _registered,
    "offered": _offered,
    "object": _objects,
}
