"""Plays cases in several processes, home by home."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
import json
import logging
from multiprocessing import get_context
from pathlib import Path
import sys
from typing import Any

from bench.clock import clock_at
from bench.stage import BEGAN, Stage, stage_of

from . import readings, turns
from .cases import Case, Json
from .homes import home_of

type Play = Callable[[Stage, Sequence[Case]], Coroutine[Any, Any, Sequence[Json]]]

STAGES: dict[str, Play] = {"readings": readings.async_play, "turns": turns.async_play}
FACETS = {"readings": readings.FACETS, "turns": turns.FACETS}
_LARGEST = 250
"""Cases that are played in one home before another process may take over."""


def play(stage: str, cases: Iterable[Case], data: Path | None, jobs: int) -> Sequence[Json]:
    """Return the records of cases, sorted by key: the case itself, and a field for each facet."""
    parts = sorted(_parts(cases), key=len, reverse=True)
    lines: list[Json] = []
    with ProcessPoolExecutor(jobs, get_context("fork")) as processes:
        running = [processes.submit(_play, stage, part, data) for part in parts]
        for number, done in enumerate(as_completed(running), 1):
            lines += done.result()
            if sys.stderr.isatty():
                print(f"\r{stage}: {number} of {len(parts)} parts", end="", file=sys.stderr)
    return sorted(lines, key=lambda line: str(line["key"]))


def _parts(cases: Iterable[Case]) -> Iterator[Sequence[Case]]:
    """Yield parts of one home each, in which those of a language and of a setup are together."""
    by_home: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_home[case.home].append(case)
    for some in by_home.values():
        some.sort(key=lambda case: (case.language, json.dumps(case.setup), case.key))
        for first in range(0, len(some), _LARGEST):
            yield some[first : first + _LARGEST]


def _play(stage: str, cases: Sequence[Case], data: Path | None) -> Sequence[Json]:
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
