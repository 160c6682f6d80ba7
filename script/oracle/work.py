"""Plays cases in several processes, home by home."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
import json
import logging
from pathlib import Path
from typing import Any

from bench.clock import clock_at
from bench.parallel import play_by_home
from bench.stage import BEGAN, Stage, stage_of

from . import readings, turns
from .cases import Case, Json
from .homes import home_of

type Play = Callable[[Stage, Sequence[Case]], Coroutine[Any, Any, Sequence[Json]]]

STAGES: dict[str, Play] = {"readings": readings.async_play, "turns": turns.async_play}
FACETS = {"readings": readings.FACETS, "turns": turns.FACETS}


def play(stage: str, cases: Iterable[Case], data: Path | None, jobs: int) -> Sequence[Json]:
    """Return the records of cases, sorted by key: the case itself, and a field for each facet."""
    # Those of a language and of a setup are together.
    ordered = sorted(cases, key=lambda case: (case.language, json.dumps(case.setup), case.key))
    lines = play_by_home(partial(_play, stage, data), ordered, lambda case: case.home, jobs)
    return sorted(lines, key=lambda line: str(line["key"]))


def _play(stage: str, data: Path | None, cases: Sequence[Case]) -> Sequence[Json]:
    logging.disable(logging.CRITICAL)
    return asyncio.run(_async_play(stage, cases, data))


async def _async_play(stage: str, cases: Sequence[Case], data: Path | None) -> Sequence[Json]:
    found: Sequence[Json] = ()
    try:
        with clock_at(BEGAN) as clock:
            async with stage_of(home_of(cases[0].home, data), clock) as there:
                found = await STAGES[stage](there, cases)
    except OSError:
        # Home Assistant may still store something while its folder is removed.
        if not found:
            raise
    return [
        {"key": case.key, **case.as_json(), **_kept(line)}
        for case, line in zip(cases, found, strict=True)
    ]


def _kept(value: Any) -> Any:
    """Return a value without what is empty in it."""
    if isinstance(value, dict):
        kept = {key: _kept(each) for key, each in value.items()}
        return {key: each for key, each in kept.items() if each not in ("", None, {}, [])}
    return value
