"""A database of Home Assistant's recorder with ten million rows in a year."""

import asyncio
from collections.abc import Sequence
from contextlib import closing
import json
from pathlib import Path
import shutil
import sqlite3
from typing import Final

from bench.past_home import NOW, Past, async_make, fill, made

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
        fill(new, past)
        _crowd(new)
        new.rename(path)
    copy = path.with_name("year-used.db")
    shutil.copy(path, copy)
    return copy, past


def _crowd(path: Path) -> None:
    """Add the rows of other entities, in the order of their times as the recorder would."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA synchronous=OFF")
        (there,) = db.execute("SELECT COUNT(*) FROM states").fetchone()
        missing = _ROWS - there
        shared = json.dumps({"state_class": "measurement", "unit_of_measurement": "W"})
        attributes = db.execute(
            "INSERT INTO state_attributes (shared_attrs) VALUES (?)", (shared,)
        ).lastrowid
        ids = [
            db.execute(
                "INSERT INTO states_meta (entity_id) VALUES (?)", (f"sensor.other_{each}",)
            ).lastrowid
            for each in range(_OTHERS)
        ]
        start = NOW.timestamp() - _DAYS * 86400
        step = _DAYS * 86400 / missing
        db.executemany(
            "INSERT INTO states (metadata_id, attributes_id, state, last_updated_ts, origin_idx)"
            " VALUES (?, ?, ?, ?, 0)",
            (
                (ids[index % _OTHERS], attributes, str(index % 977), start + index * step)
                for index in range(missing)
            ),
        )
