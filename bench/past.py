"""Questions about the past of a home: how many are answered right, and what that takes.

A month of a home is in a database of Home Assistant's recorder (`past_home.py`). A hundred questions
in three languages (`past.toml`) are put to our agent; what is right, plain SQL on the same database
says. Without `--model` only what code alone answers counts. Prints

    past/right code=0.950 unit=share n=100
    past/made-up code=0.000 unit=share n=100
    past/requests code=0.050 unit=requests n=100
    past/seconds code=0.040 unit=s n=100
    past/rows code=300.000 unit=rows n=100

where made up is what holds another time, number or answer than what was; `requests` are those to the
model, for each question; `seconds` and `rows` are those of each answer. The questions with odd numbers
were looked at while the rules were made, those with even ones were not: both are printed. With
`--year`, another database with ten million rows in a year is made, and kept, and

    past/year-seconds code=0.200 unit=s n=6

is the longest that an answer takes there.
"""

import argparse
import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
import logging
from pathlib import Path
import re
import shutil
import sqlite3
from statistics import mean, median
import sys
from tempfile import TemporaryDirectory
from time import perf_counter
import tomllib
from typing import Any, Final
from unittest.mock import patch

from homeassistant.core import HomeAssistant

from bench.agents import AGENTS, async_add_agent, async_ask
from bench.clock import clock_at
from bench.house import home_assistant
from bench.past_home import (
    HOME,
    NOW,
    ZONE,
    Past,
    async_furnish,
    async_make,
    async_record,
    fill,
    made,
)
from bench.past_year import QUESTIONS as OF_A_YEAR, year_database
from bench.replay import Replay
from bench.results import line
from bench.server import server
from custom_components.voice_gateway.answers.history import recorder

_QUESTIONS: Final = Path(__file__).with_name("past.toml")
_NAME: Final = "voice_gateway"
_FIRST: Final = "Is it?"
"""Said before anything is measured: the first sentence of a language loads its words."""
_CLOCK: Final = re.compile(r"(\d{1,2}):(\d\d)\s*([AP]M)?|(\d{1,2}) Uhr")
_NUMBER: Final = re.compile(r"-?\d+(?:[.,]\d+)?")
_TIMES: Final = re.compile(r"(\d+)(?: times|-mal| veces)")
_HOURS: Final = re.compile(r"(\d+|one|eine|una) (?:hours?|Stunden?|horas?)\b")
_MINUTES: Final = re.compile(r"(\d+|one|eine|un) (?:minutes?|Minuten?|minutos?)\b")
_ONCE: Final = ("once", "einmal", "una vez")
_NEVER: Final = ("never", "kein Mal", "ninguna vez")
_YES: Final = ("yes", "ja", "sí")
_NO: Final = ("no", "nein")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what is looked up for its answer."""

    number: int
    language: str
    text: str
    key: str
    wanted: str
    hours: Sequence[float]

    @property
    def op(self) -> str:
        """What is looked up."""
        return self.wanted.partition(" ")[0]

    @property
    def state(self) -> str:
        """The state that is looked for."""
        return self.wanted.partition(" ")[2]

    @property
    def is_odd(self) -> bool:
        """Whether it was looked at while the rules were made."""
        return bool(self.number % 2)

    def seconds(self) -> list[float]:
        """Return the moments that it is about, in seconds since 1970."""
        midnight = NOW.replace(hour=0, minute=0)
        return [(midnight + timedelta(hours=each)).timestamp() for each in self.hours]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a question."""

    asked: Asked
    speech: str
    is_answered: bool
    is_right: bool
    requests: int
    seconds: float
    rows: int

    @property
    def is_made_up(self) -> bool:
        """Whether something else was told than what was."""
        return self.is_answered and not self.is_right


def read() -> list[Asked]:
    """Return all questions, numbered from 1 on."""
    tables = tomllib.loads(_QUESTIONS.read_text("utf-8"))
    rows = [(code, *row) for code, listed in tables.items() for row in listed]
    return [
        Asked(number, code, text, key, wanted, hours)
        for number, (code, text, key, wanted, *hours) in enumerate(rows, 1)
    ]


# What was, by plain SQL


class Truth:
    """What the database says."""

    def __init__(self, path: Path) -> None:
        """Take the database; nothing is written to it."""
        self._db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def stretches(self, key: str, state: str) -> list[tuple[float, float]]:
        """Return from when to when an entity was in a state."""
        wanted = {"on": ("on", "playing")}.get(state, (state,))
        rows = self._db.execute(
            "SELECT begins, ends FROM (SELECT state, last_updated_ts AS begins,"
            " LEAD(last_updated_ts, 1, ?) OVER (ORDER BY last_updated_ts) AS ends"
            " FROM states JOIN states_meta USING (metadata_id) WHERE states_meta.entity_id = ?"
            " AND last_updated_ts < ?)"
            f" WHERE state IN ({','.join('?' * len(wanted))}) ORDER BY begins",
            (NOW.timestamp(), _entity_id(key), NOW.timestamp(), *wanted),
        )
        return rows.fetchall()

    def values(self, key: str, start: float, end: float) -> list[tuple[float, float]]:
        """Return for how long an entity had which value in a time."""
        rows = self._db.execute(
            "SELECT MIN(ends, :end) - MAX(begins, :start), CAST(state AS REAL) FROM"
            " (SELECT state, last_updated_ts AS begins, LEAD(last_updated_ts, 1, :end)"
            " OVER (ORDER BY last_updated_ts) AS ends"
            " FROM states JOIN states_meta USING (metadata_id) WHERE states_meta.entity_id = :id)"
            " WHERE ends > :start AND begins < :end",
            {"id": _entity_id(key), "start": start, "end": end},
        )
        return rows.fetchall()

    def used(self, key: str, start: float, end: float) -> float:
        """Return what a meter counted in a time, also where a new one began at zero."""
        (used,) = self._db.execute(
            "SELECT SUM(CASE WHEN value >= before THEN value - before ELSE value END) FROM"
            " (SELECT last_updated_ts AS at, CAST(state AS REAL) AS value,"
            " LAG(CAST(state AS REAL)) OVER (ORDER BY last_updated_ts) AS before"
            " FROM states JOIN states_meta USING (metadata_id) WHERE states_meta.entity_id = ?)"
            " WHERE at >= ? AND at < ?",
            (_entity_id(key), start, end),
        ).fetchone()
        return float(used or 0)


def _entity_id(key: str) -> str:
    return next(each.entity_id for each in HOME if each.key == key)


def is_right(asked: Asked, speech: str, truth: Truth) -> bool:
    """Tell whether an answer says what was, and no other time."""
    match asked.op:
        case "none":
            return not _NUMBER.search(speech)
        case "last" | "first":
            return _is_stretch(asked, speech, truth)
        case "count":
            first, end = asked.seconds()
            found = [
                each for each in truth.stretches(asked.key, asked.state) if first < each[0] < end
            ]
            return _count(speech) == len(found)
        case "long":
            first, end = asked.seconds()
            lasts = sum(
                max(0, min(end, over) - max(first, at))
                for at, over in truth.stretches(asked.key, asked.state)
            )
            return abs(_minutes(speech) - lasts / 60) <= 1
        case "was" | "at":
            first, *rest = asked.seconds()
            end = rest[0] if rest else first + 0.001
            was = any(
                at < end and over > first for at, over in truth.stretches(asked.key, asked.state)
            )
            return _yes(speech) is was
        case "more":
            one, other = (asked.seconds()[index : index + 2] for index in (0, 2))
            return _yes(speech) is (truth.used(asked.key, *one) > truth.used(asked.key, *other))
    return _has_number(asked, speech, truth)


def _is_stretch(asked: Asked, speech: str, truth: Truth) -> bool:
    first, end = asked.seconds() or (0.0, NOW.timestamp())
    found = [each for each in truth.stretches(asked.key, asked.state) if first < each[0] < end]
    if not found:
        return not _clocks(speech)
    chosen = found[-1 if asked.op == "last" else 0]
    told = _clocks(speech)
    return _clock(chosen[0]) in told and told <= {_clock(each) for each in chosen}


def _has_number(asked: Asked, speech: str, truth: Truth) -> bool:
    first, *rest = asked.seconds()
    if asked.op == "used":
        wanted = truth.used(asked.key, first, rest[0])
        # A meter's statistics are kept for every five minutes.
        return any(abs(each - wanted) <= 0.06 + 0.02 * wanted for each in _numbers(speech))
    values = truth.values(asked.key, first, rest[0] if rest else first + 1)
    lasts = sum(last for last, _ in values)
    wanted = {
        "number": lambda: values[0][1],
        "low": lambda: min(value for _, value in values),
        "high": lambda: max(value for _, value in values),
        "mean": lambda: sum(last * value for last, value in values) / lasts,
    }[asked.op]()
    return any(abs(each - wanted) <= 0.06 for each in _numbers(speech))


def _clock(at: float) -> int:
    local = datetime.fromtimestamp(at, ZONE)
    return local.hour * 60 + local.minute


def _clocks(speech: str) -> set[int]:
    found: set[int] = set()
    for hour, minute, half, full in _CLOCK.findall(speech):
        number = int(hour or full)
        if half:
            number = number % 12 + 12 * (half == "PM")
        found.add(number * 60 + int(minute or 0))
    return found


def _numbers(speech: str) -> list[float]:
    return [float(each.replace(",", ".")) for each in _NUMBER.findall(_CLOCK.sub("", speech))]


def _count(speech: str) -> int | None:
    if found := _TIMES.search(speech):
        return int(found[1])
    if any(each in speech for each in _NEVER):
        return 0
    return 1 if any(each in speech for each in _ONCE) else None


def _minutes(speech: str) -> float:
    total = 0
    for pattern, worth in ((_HOURS, 60), (_MINUTES, 1)):
        if found := pattern.search(speech):
            total += worth * (int(found[1]) if found[1].isdigit() else 1)
    return total


def _yes(speech: str) -> bool | None:
    first = re.split(r"\W", speech.casefold(), maxsplit=1)[0]
    return True if first in _YES else False if first in _NO else None


# Asking


@contextmanager
def counted_rows() -> Iterator[list[int]]:
    """Note how many rows of states each reading returns."""
    rows: list[int] = []

    def counting(function: Any) -> Any:
        def read_(*arguments: Any, **named: Any) -> Any:
            found = function(*arguments, **named)
            rows.append(sum(map(len, found.values())))
            return found

        return read_

    names = ("state_changes_during_period", "get_significant_states")
    patches = [patch.object(recorder, name, counting(getattr(recorder, name))) for name in names]
    for each in patches:
        each.start()
    try:
        yield rows
    finally:
        for each in patches:
            each.stop()


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    logging.disable(logging.NOTSET if arguments.verbose else logging.CRITICAL)
    if arguments.year:
        with clock_at(NOW):
            asyncio.run(_async_year(*year_database(arguments.cache)))
        return 0
    asked = [each for each in read() if arguments.only in (None, each.language)]
    with TemporaryDirectory() as folder, clock_at(NOW):
        database = Path(folder, "past.db")
        outcomes = asyncio.run(_async_run(arguments, asked, database))
    if arguments.answers:
        for each in outcomes:
            if each.asked.is_odd:
                print(f"{each.asked.number} “{each.asked.text}”\n   {each.speech}")
    _report(arguments.model or "code", outcomes, failures=arguments.failures)
    return 0


async def _async_run(
    arguments: argparse.Namespace, asked: Sequence[Asked], database: Path
) -> list[Outcome]:
    past = made()
    await async_make(database)
    fill(database, past)
    replay = Replay(arguments.model or "none")
    outcomes: list[Outcome] = []
    truth = Truth(database)
    async with server(replay, arguments.model, arguments.url) as url:
        for language in dict.fromkeys(each.language for each in asked):
            some = [each for each in asked if each.language == language]
            kept = database.with_name(f"{language}.db")
            shutil.copy(database, kept)
            async with home_with(kept, language, past) as hass:
                agent = await async_add_agent(hass, AGENTS[_NAME], url, replay.model)
                outcomes += [await _async_ask(hass, agent, each, replay, truth) for each in some]
    truth.close()
    return outcomes


class home_with:
    """A Home Assistant with the home in a language, and its recorder on a database."""

    def __init__(self, database: Path, language: str, past: Past) -> None:
        """Take the database, which is written to from then on."""
        self._database, self._language, self._past = database, language, past
        self._folder = TemporaryDirectory()
        self._running: Any = None

    async def __aenter__(self) -> HomeAssistant:
        """Start it."""
        self._running = home_assistant(self._folder.name)
        hass: HomeAssistant = await self._running.__aenter__()
        hass.config.language = self._language
        await hass.config.async_set_time_zone(str(ZONE))
        await async_record(hass, self._database)
        await async_furnish(hass, self._language, self._past)
        return hass

    async def __aexit__(self, *error: object) -> None:
        """Stop it."""
        await self._running.__aexit__(*error)
        self._folder.cleanup()


async def _async_ask(
    hass: HomeAssistant, agent: str, asked: Asked, replay: Replay, truth: Truth
) -> Outcome:
    replay.begin(asked.text, ())
    with counted_rows() as rows:
        began = perf_counter()
        turn = await async_ask(hass, agent, asked.text, None, language=asked.language)
        seconds = perf_counter() - began
    requests = _requests(turn.notes)
    is_answered = not replay.was_asked
    right = is_right(asked, turn.speech, truth) if is_answered else asked.op == "none"
    return Outcome(asked, turn.speech, is_answered, right, requests, seconds, sum(rows))


def _requests(notes: Sequence[Mapping[str, Any]]) -> int:
    """Return how often the model was asked in a turn."""
    reports = (report for note in notes for report in note.get("turn", {}).values())
    return sum(report.get("rounds") or 0 for report in reports)


def _report(side: str, outcomes: Sequence[Outcome], *, failures: bool) -> None:
    if failures:
        for each in outcomes:
            # Of the other half only what was made up is shown: that may not stay.
            if each.is_made_up or (each.asked.is_odd and not each.is_right):
                told = each.speech if each.is_answered else "(the model)"
                print(f"{each.asked.number} “{each.asked.text}”\n   {told}")
    count = len(outcomes)
    halves = {
        "odd": [each for each in outcomes if each.asked.is_odd],
        "even": [each for each in outcomes if not each.asked.is_odd],
        **{
            code: [each for each in outcomes if each.asked.language == code]
            for code in dict.fromkeys(each.asked.language for each in outcomes)
        },
    }
    for name, some in halves.items():
        if some:
            print(
                line(
                    f"past/right/{name}",
                    {side: mean(each.is_right for each in some)},
                    "share",
                    len(some),
                )
            )
    shares = {
        "right": mean(each.is_right for each in outcomes),
        "made-up": mean(each.is_made_up for each in outcomes),
    }
    for name, share in shares.items():
        print(line(f"past/{name}", {side: share}, "share", count))
    print(
        line("past/requests", {side: mean(each.requests for each in outcomes)}, "requests", count)
    )
    print(f"#   most {max(each.requests for each in outcomes)}")
    print(line("past/seconds", {side: median(each.seconds for each in outcomes)}, "s", count))
    longest = max(outcomes, key=lambda each: each.seconds)
    print(f"#   longest {longest.seconds:.3f} s: {longest.asked.text}")
    print(line("past/rows", {side: median(each.rows for each in outcomes)}, "rows", count))
    print(f"#   most {max(each.rows for each in outcomes)}")


async def _async_year(database: Path, past: Past) -> None:
    async with home_with(database, "en", past) as hass:
        replay = Replay("none")
        async with server(replay, None, None) as url:
            agent = await async_add_agent(hass, AGENTS[_NAME], url, replay.model)
            seconds = []
            await async_ask(hass, agent, _FIRST, None, language="en")
            for text in OF_A_YEAR:
                replay.begin(text, ())
                with counted_rows() as rows:
                    began = perf_counter()
                    turn = await async_ask(hass, agent, text, None, language="en")
                    seconds.append(perf_counter() - began)
                told = "(the model)" if replay.was_asked else turn.speech
                print(f"#   {seconds[-1]:.3f} s, {sum(rows)} rows: {text} {told}")
    print(line("past/year-seconds", {"code": max(seconds)}, "s", len(seconds)))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="script/bench past",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--model", metavar="NAME", help="is asked what code does not answer")
    parser.add_argument("--url", help="the Ollama server of --model (default: the embedded one)")
    parser.add_argument("--only", choices=("en", "de", "es"), help="only one language")
    parser.add_argument("--year", action="store_true", help="a year of ten million rows")
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        default=Path.home() / ".cache" / "voice_gateway" / "past",
        help="where the database of --year is kept (default: %(default)s)",
    )
    parser.add_argument(
        "--failures", action="store_true", help="show the odd half's failures, and all made up"
    )
    parser.add_argument("--answers", action="store_true", help="show the odd half's answers")
    parser.add_argument("--verbose", action="store_true", help="with Home Assistant's log")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
