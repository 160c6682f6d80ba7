"""A database of Home Assistant's recorder with ten million rows in a year."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
import shutil
import sqlite3
from typing import Final

from bench.past_home import NOW, Past, Row, async_make, entity, fill, made

QUESTIONS: Final[Sequence[str]] = (
    "When did the front door last open?",
    "How warm was it in the kitchen last month?",
    "What was the lowest temperature outside this year?",
    "How much energy did we use this year?",
    "How often was the front door opened last month?",
    "How long was the bed light on in the last 300 days?",
    "What was the temperature in the kitchen yesterday at 3 pm?",
)
_DAYS: Final = 365
_ROWS: Final = 10_000_000
_OTHERS: Final = 60
"""Entities of which nothing is asked, and that have most of the rows."""


def year_database(cache: Path) -> tuple[Path, Past]:
    """Return the database, made if it is not there yet, and what is in it of the home.

    A copy is used, so that the one that is kept stays as it is.
    """
    path = cache / "year.db"
    past = made(days=_DAYS)
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.unlink(missing_ok=True)
        asyncio.run(async_make(new))
        fill(new, past, _others)
        new.rename(path)
    copy = path.with_name("year-used.db")
    shutil.copy(path, copy)
    return copy, past


def _others(db: sqlite3.Connection, there: int) -> Iterator[Row]:
    """Yield the rows of other entities, so many that there are ten million."""
    attributes = {"state_class": "measurement", "unit_of_measurement": "W"}
    ids = [entity(db, f"sensor.other_{each}", attributes) for each in range(_OTHERS)]
    missing = _ROWS - there
    start = NOW.timestamp() - _DAYS * 86400
    step = _DAYS * 86400 / missing
    for index in range(missing):
        metadata, shared = ids[index % _OTHERS]
        yield metadata, shared, str(index % 977), start + index * step
