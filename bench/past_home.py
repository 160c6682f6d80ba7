"""A home of which Home Assistant's recorder has kept a month, in a database of its own.

The recorder makes the database; the rows are written into it as the recorder would have written
them, with the statistics that it compiles of them.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import merge
import json
import math
from operator import itemgetter
from pathlib import Path
from random import Random
import sqlite3
from tempfile import TemporaryDirectory
from typing import Any, Final
from zoneinfo import ZoneInfo

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.helpers.recorder import DATA_RECORDER, async_initialize_recorder, get_instance
from homeassistant.setup import async_setup_component

from bench.house import home_assistant

ZONE: Final = ZoneInfo("Europe/Berlin")
NOW: Final = datetime(2026, 11, 20, 20, 30, tzinfo=ZONE)
"""A Friday; within the month before, the clocks were put back."""
DAYS: Final = 31
SHORT_TERM_DAYS: Final = 10
_FIVE: Final = 300.0
_HOUR: Final = 3600.0

type Rows = Sequence[tuple[float, str]]
"""When an entity became what, in seconds since 1970."""
type Row = tuple[int | None, int | None, str, float]
"""Entity, attributes, state, and when."""
type Others = Callable[[sqlite3.Connection, int], Iterable[Row]]
type _Row = tuple[
    float,
    float | None,
    float | None,
    float | None,
    float | None,
    float | None,
    float | None,
]
"""When a period of statistics began, and its values in the order of their columns."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An entity, what it is called in which language, and how its states came about."""

    entity_id: str
    names: Mapping[str, str]
    area: str
    attributes: Mapping[str, Any]
    make: Callable[[Random, float, float], Iterator[tuple[float, str]]]
    is_exposed: bool = True
    is_recorded: bool = True
    unit_class: str | None = None

    @property
    def key(self) -> str:
        """What the questions call it."""
        return self.entity_id.partition(".")[2]

    @property
    def is_counted(self) -> bool:
        """Whether its statistics are a sum."""
        return self.attributes.get("state_class") == "total_increasing"

    @property
    def is_measured(self) -> bool:
        """Whether it has statistics."""
        return "state_class" in self.attributes


AREAS: Final = {
    "hall": {"en": "Hall", "de": "Flur", "es": "Entrada"},
    "garage": {"en": "Garage", "de": "Garage", "es": "Garaje"},
    "bedroom": {"en": "Bedroom", "de": "Schlafzimmer", "es": "Dormitorio"},
    "kitchen": {"en": "Kitchen", "de": "Küche", "es": "Cocina"},
    "guests": {"en": "Guest Room", "de": "Gästezimmer", "es": "Habitación de invitados"},
}


def _often(
    on: str, off: str, gap: tuple[float, float], lasts: tuple[float, float], by: Sequence[str] = ()
) -> Callable[[Random, float, float], Iterator[tuple[float, str]]]:
    """Return what is now and then so; `by`: the states on the way to it, and back."""

    def make(random: Random, start: float, end: float) -> Iterator[tuple[float, str]]:
        at = start
        yield at, off
        while (at := at + random.uniform(*gap)) < end:
            over = at + random.uniform(*lasts)
            if over >= end:
                return
            if by:
                yield at, by[0]
                at += 12.5
            yield at, on
            if by:
                yield over, by[1]
                over += 12.5
            yield over, off
            at = over

    return make


def _daily(
    on: str, off: str, first: float, last: float, spread: float
) -> Callable[[Random, float, float], Iterator[tuple[float, str]]]:
    """Return what is so in some hours of every day, some minutes earlier or later."""

    def make(random: Random, start: float, end: float) -> Iterator[tuple[float, str]]:
        yield start, off
        day = datetime.fromtimestamp(start, ZONE).date()
        while True:
            midnight = datetime(day.year, day.month, day.day, tzinfo=ZONE).timestamp()
            times = [
                midnight + (hour + random.uniform(-spread, spread)) * _HOUR
                for hour in (first, last)
            ]
            for at, state in zip(times, (on, off), strict=True):
                if at >= end:
                    return
                if at > start:
                    yield at, state
            day += timedelta(days=1)

    return make


def _measured(
    middle: float, swing: float, noise: float, every: float = _FIVE
) -> Callable[[Random, float, float], Iterator[tuple[float, str]]]:
    """Return what goes up and down with the day, and wanders."""

    def make(random: Random, start: float, end: float) -> Iterator[tuple[float, str]]:
        drift, at, before = 0.0, start, ""
        while at < end:
            drift = 0.995 * drift + random.gauss(0, noise)
            value = middle + swing * math.sin(2 * math.pi * (at / 86400 - 0.3)) + drift
            if (state := f"{value:.1f}") != before:
                yield at, state
            before = state
            at += every + random.uniform(-40, 40)

    return make


def _metered(
    each: float, every: float, new_after: float = 0
) -> Callable[[Random, float, float], Iterator[tuple[float, str]]]:
    """Return what a meter counts; a new one, that begins at zero, comes after so many seconds."""

    def make(random: Random, start: float, end: float) -> Iterator[tuple[float, str]]:
        at, total, is_new = start, 1234.0, not new_after
        while at < end:
            yield at, f"{total:.3f}"
            at += every + random.uniform(-20, 20)
            total += each * random.uniform(0.2, 1.8)
            if not is_new and at > start + new_after:
                is_new, total = True, 0.0

    return make


def _never(_: Random, __: float, ___: float) -> Iterator[tuple[float, str]]:
    yield from ()


def _sensor(device_class: str, unit: str, state_class: str = "measurement") -> dict[str, str]:
    return {
        "device_class": device_class,
        "unit_of_measurement": unit,
        "state_class": state_class,
    }


def _names(en: str, de: str, es: str) -> Mapping[str, str]:
    return {"en": en, "de": de, "es": es}


HOME: Final[Sequence[Kept]] = (
    Kept("binary_sensor.front_door", _names("Front Door", "Haustür", "Puerta principal"), "hall",
         {"device_class": "door"}, _often("on", "off", (2000, 14000), (20, 400))),
    Kept("cover.garage", _names("Garage Door", "Garagentor", "Puerta del garaje"), "garage",
         {"device_class": "garage"}, _often("open", "closed", (9000, 30000), (600, 9000), ("opening", "closing"))),
    Kept("light.bed_light", _names("Bed Light", "Bettlicht", "Luz de la cama"), "bedroom", {},
         _often("on", "off", (8000, 26000), (200, 5000))),
    Kept("light.kitchen_light", _names("Kitchen Light", "Küchenlicht", "Luz de la cocina"), "kitchen", {},
         _often("on", "off", (600, 5000), (100, 2500))),
    Kept("switch.washer", _names("Washer", "Waschmaschine", "Lavadora"), "", {},
         _often("on", "off", (6000, 30000), (3000, 7500))),
    Kept("lock.porch_lock", _names("Porch Lock", "Kellerschloss", "Cerradura del porche"), "", {},
         _often("unlocked", "locked", (9000, 40000), (60, 4000))),
    Kept("media_player.tv", _names("TV", "Fernseher", "Televisor"), "", {},
         _often("playing", "off", (9000, 30000), (1800, 9000))),
    Kept("binary_sensor.hall_motion", _names("Hall Motion", "Flur Bewegung", "Movimiento de la entrada"),
         "hall", {"device_class": "motion"}, _often("on", "off", (300, 4000), (20, 200))),
    Kept("person.tom", _names("Tom", "Tom", "Tom"), "", {}, _daily("not_home", "home", 8.2, 17.4, 0.6)),
    Kept("person.anna", _names("Anna", "Anna", "Anna"), "", {}, _daily("not_home", "home", 7.6, 15.1, 0.6)),
    Kept("sensor.kitchen_t", _names("Kitchen Temperature", "Küche Temperatur", "Temperatura de la cocina"),
         "kitchen", _sensor("temperature", "°C"), _measured(20.5, 1.5, 0.03), unit_class="temperature"),
    Kept("sensor.outdoor_t", _names("Outdoor Temperature", "Außentemperatur", "Temperatura exterior"), "",
         _sensor("temperature", "°C"), _measured(6, 4, 0.08), unit_class="temperature"),
    Kept("sensor.bedroom_h", _names("Bedroom Humidity", "Luftfeuchtigkeit im Schlafzimmer", "Humedad del dormitorio"),
         "bedroom", _sensor("humidity", "%"), _measured(52, 5, 0.1), unit_class="unitless"),
    Kept("sensor.energy", _names("House Energy", "Stromzähler", "Energía de la casa"), "",
         _sensor("energy", "kWh", "total_increasing"), _metered(0.04, _FIVE, 28 * 86400), unit_class="energy"),
    Kept("sensor.water", _names("Water Meter", "Wasserzähler", "Contador de agua"), "",
         _sensor("water", "m³", "total_increasing"), _metered(0.012, 1800), unit_class="volume"),
    Kept("sensor.guest_t", _names("Guest Temperature", "Gästezimmer Temperatur", "Temperatura de invitados"),
         "guests", _sensor("temperature", "°C"), _never, is_recorded=False),
    Kept("binary_sensor.safe_door", _names("Safe Door", "Tresortür", "Puerta de la caja fuerte"), "",
         {"device_class": "door"}, _often("on", "off", (9000, 30000), (60, 600)), is_exposed=False),
)  # fmt: skip


@dataclass(slots=True)
class Past:
    """What was written into the database."""

    rows: dict[str, Rows] = field(default_factory=dict)
    """By what the questions call the entities."""


def made(home: Iterable[Kept] = HOME, now: datetime = NOW, days: int = DAYS) -> Past:
    """Return a past, the same each time."""
    past = Past()
    end = now.timestamp()
    for each in home:
        random = Random(each.entity_id)
        past.rows[each.key] = sorted(each.make(random, end - days * 86400, end))
    return past


async def async_make(path: Path) -> None:
    """Have the recorder make an empty database."""
    with TemporaryDirectory() as config_dir:
        async with home_assistant(config_dir) as hass:
            await async_record(hass, path)


async def async_record(hass: HomeAssistant, path: Path) -> None:
    """Set up the recorder on a database.

    Raises:
        RuntimeError: it could not be set up.
    """
    excluded = [each.entity_id for each in HOME if not each.is_recorded]
    async_initialize_recorder(hass)
    settings = {
        "db_url": f"sqlite:///{path}",
        "auto_purge": False,
        "commit_interval": 0,
        "exclude": {"entities": excluded},
    }
    if not await async_setup_component(hass, "recorder", {"recorder": settings}):
        raise RuntimeError("the recorder could not be set up")
    await hass.data[DATA_RECORDER].db_connected
    instance = get_instance(hass)
    await instance.async_recorder_ready.wait()
    await instance.async_block_till_done()


def fill(path: Path, past: Past, others: Others | None = None) -> None:
    """Write a past into a database that the recorder has made, its rows in the order of their times.

    Args:
        path: the database.
        past: what was.
        others: returns the rows of others, by the connection and how many rows there are without.
    """
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA journal_mode=OFF")
        db.execute("PRAGMA synchronous=OFF")
        rows: list[Row] = []
        for each in HOME:
            if own := past.rows[each.key]:
                metadata, attributes = entity(db, each.entity_id, each.attributes)
                rows += ((metadata, attributes, state, at) for at, state in own)
                if each.is_measured:
                    _write_statistics(db, each, own)
        rows.sort(key=itemgetter(3))
        db.executemany(
            "INSERT INTO states (metadata_id, attributes_id, state, last_updated_ts, origin_idx)"
            " VALUES (?, ?, ?, ?, 0)",
            merge(rows, others(db, len(rows)) if others else (), key=itemgetter(3)),
        )


def entity(
    db: sqlite3.Connection, entity_id: str, attributes: Mapping[str, Any]
) -> tuple[int | None, int | None]:
    """Write an entity, and return the ids of it and of its attributes."""
    metadata = db.execute("INSERT INTO states_meta (entity_id) VALUES (?)", (entity_id,))
    shared = db.execute(
        "INSERT INTO state_attributes (shared_attrs) VALUES (?)", (json.dumps({**attributes}),)
    )
    return metadata.lastrowid, shared.lastrowid


def _write_statistics(db: sqlite3.Connection, kept: Kept, rows: Rows) -> None:
    unit = kept.attributes["unit_of_measurement"]
    metadata = db.execute(
        "INSERT INTO statistics_meta (statistic_id, source, unit_of_measurement, unit_class,"
        " has_mean, has_sum, mean_type) VALUES (?, 'recorder', ?, ?, ?, ?, ?)",
        (kept.entity_id, unit, kept.unit_class, not kept.is_counted, kept.is_counted,
         int(not kept.is_counted)),
    ).lastrowid  # fmt: skip
    compiled = _counted if kept.is_counted else _averaged
    last = rows[-1][0]
    for table, period, first in (
        ("statistics", _HOUR, rows[0][0]),
        ("statistics_short_term", _FIVE, last - SHORT_TERM_DAYS * 86400),
    ):
        db.executemany(
            f"INSERT INTO {table} (metadata_id, created_ts, start_ts, mean, mean_weight, min, max, state, sum)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (metadata, start + period, start, *of)
                for start, *of in compiled(rows, period)
                if start >= first
            ),
        )


def _periods(rows: Rows, period: float) -> Iterator[tuple[float, list[tuple[float, float]]]]:
    """Yield each whole period with the values in it, from that on which it begins with."""
    start = math.ceil(rows[0][0] / period) * period
    values = [(at, float(state)) for at, state in rows]
    index, before = 0, values[0][1]
    while start + period <= values[-1][0]:
        while index < len(values) and values[index][0] <= start:
            before = values[index][1]
            index += 1
        inside = [(start, before)]
        while index < len(values) and values[index][0] < start + period:
            inside.append(values[index])
            before = values[index][1]
            index += 1
        yield start, inside
        start += period


def _averaged(rows: Rows, period: float) -> Iterator[_Row]:
    for start, inside in _periods(rows, period):
        ends = [at for at, _ in inside[1:]] + [start + period]
        total = sum(value * (end - at) for (at, value), end in zip(inside, ends, strict=True))
        values = [value for _, value in inside]
        yield start, total / period, None, min(values), max(values), None, None


def _counted(rows: Rows, period: float) -> Iterator[_Row]:
    sums: dict[float, float] = {}
    total, before = 0.0, float(rows[0][1])
    for at, state in rows:
        value = float(state)
        total += value - before if value >= before else value
        sums[at], before = total, value
    values = dict(rows)
    times = sorted(values)
    for start, _ in _periods(rows, period):
        last = times[bisect_left(times, start + period) - 1]
        yield start, None, None, None, None, float(values[last]), sums[last]


async def async_furnish(hass: HomeAssistant, language: str, past: Past) -> None:
    """Put the home's areas and entities as they are now into Home Assistant."""
    areas = {
        key: ar.async_get(hass).async_get_or_create(names[language]).id
        for key, names in AREAS.items()
    }
    registry = er.async_get(hass)
    for each in HOME:
        entry = registry.async_get_or_create(
            each.entity_id.partition(".")[0],
            "bench_past",
            each.entity_id,
            suggested_object_id=each.key,
            original_name=each.names[language],
            original_device_class=each.attributes.get("device_class"),
        )
        registry.async_update_entity(entry.entity_id, area_id=areas.get(each.area))
        async_expose_entity(hass, "conversation", each.entity_id, each.is_exposed)
        rows = past.rows[each.key]
        state = rows[-1][1] if rows else "19.0"
        named = {**each.attributes, "friendly_name": each.names[language]}
        hass.states.async_set(each.entity_id, state, named)
    await hass.async_block_till_done()
