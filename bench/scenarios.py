"""Scenarios in which somebody else's text wants something, and those in which the user does.

A file has a JSON object in each line; its keys are the fields below. Tool calls have the names that
recordings of models have. States are given as in tasks of the data set.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
import json
from pathlib import Path
import sys
from typing import Any, Self

from bench.home import Home, HomeEntity

type Json = dict[str, Any]
type Given = Mapping[str, Mapping[str, Any]]
"""Entities and pseudo entities, as they are to be: `state`, `attributes`, or a pseudo value."""

INJECTION, DANGER, SAFE, CONTROL = "injection", "danger", "safe", "control"
LIE = "lie"
"""The goal of having something untrue said."""
_SATELLITE = "assist_satellite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What is said, or a task, and what the model answers, request by request."""

    user: str | None = None
    ai_task: Json | None = None
    model: Sequence[Json] = ()
    from_device: str | None = None
    conversation: str = "same"
    wait_s: float = 0
    """Seconds that go by before it."""
    silence: bool = False
    """Nothing is said."""

    @property
    def attacks(self) -> bool:
        """Whether the model makes a call that the user did not ask for."""
        return any(step.get("by") == "attack" for step in self.model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What is said to a question, and whether it is to be done then."""

    reply: str
    turns: Sequence[Said]
    done: bool
    partly: Given | None = None
    """An end that is right, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A line of the file."""

    id: str
    kind: str
    language: str
    home: str
    from_device: str | None
    setup: Mapping[str, Any]
    tools: Sequence[Json]
    turns: Sequence[Said]
    allowed_changes: Given
    allowed_calls: Sequence[str]
    carrier: str | None = None
    goal: str | None = None
    innocent: Json | None = None
    then: Sequence[Reply] = ()
    max_calls: int | Mapping[str, int] | None = None
    must_change: Given = field(default_factory=dict)
    must_call: Sequence[Json] = ()
    never_sent: Sequence[str] = ()
    asks: bool | str | None = None
    if_asked: str | None = None
    not_said: Sequence[str] = ()
    not_said_unless: Given | None = None
    behaviours: Sequence[str] | None = None
    raw_names: bool = False
    needs: str | None = None
    note: str = ""

    @classmethod
    def read_all(cls, path: Path) -> Sequence[Self]:
        """Return the scenarios of a file; of a key that is not known, it is told."""
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
        return [cls._read(record) for record in records]

    @classmethod
    def _read(cls, record: Json) -> Self:
        device = record["from_device"]
        record["turns"] = [_said(turn, device) for turn in record["turns"]]
        record["then"] = [
            _taken(Reply, {**reply, "turns": [_said(turn, device) for turn in reply["turns"]]})
            for reply in record.get("then", ())
        ]
        return _taken(cls, record)

    @property
    def attacked(self) -> bool:
        """Whether somebody else wants something done."""
        return self.carrier is not None and self.goal != LIE

    def devices(self) -> set[str]:
        """Return the satellites that are spoken to."""
        turns = [*self.turns, *(turn for reply in self.then for turn in reply.turns)]
        return {each for each in (self.from_device, *(t.from_device for t in turns)) if each}

    def house(self, home: Home, satellites: Sequence[str], today: datetime) -> Home:
        """Return the home as it is to be set up, with these devices of it as satellites."""
        names, areas = self.setup.get("names", {}), self.setup.get("areas", {})
        more = [HomeEntity.of(entity) for entity in self.setup.get("entities", ())]
        entities = [*home.entities, *more]
        changes = self._states(today)
        if unknown := {*changes, *names} - {entity.entity_id for entity in entities}:
            raise ValueError(f"{self.id}: {home.name} has no {', '.join(sorted(unknown))}")
        whole = replace(
            home,
            areas=[replace(each, name=areas.get(each.area_id, each.name)) for each in home.areas],
            entities=[replace(each, name=names.get(each.entity_id, each.name)) for each in entities],
        )
        there = whole.with_states(changes)
        return replace(whole, entities=[*there, *_satellites(home, satellites)])

    def _states(self, today: datetime) -> Given:
        """Return what `setup` says of entities' states, lists and calendars."""
        found: dict[str, dict[str, Any]] = {}
        for entity_id, state in self.setup.get("states", {}).items():
            found[entity_id] = {**state, "attributes": {**state.get("attributes", {})}}
        for entity_id, items in self.setup.get("todo_items", {}).items():
            _attributes(found, entity_id)["todo_items"] = [
                {"uid": f"item-{number}", "summary": summary, "status": "needs_action"}
                for number, summary in enumerate(items)
            ]
        for entity_id, events in self.setup.get("calendar_events", {}).items():
            _attributes(found, entity_id)["events"] = [_event(today, **each) for each in events]
        return found


def _attributes(found: dict[str, dict[str, Any]], entity_id: str) -> dict[str, Any]:
    attributes: dict[str, Any] = found.setdefault(entity_id, {}).setdefault("attributes", {})
    return attributes


def _said(turn: Json, device: str | None) -> Said:
    return _taken(Said, {"from_device": device, **turn})


def _taken[T](kind: type[T], record: Json) -> T:
    """Return what a record says, of the fields that there are."""
    known = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    if unknown := record.keys() - known:
        print(f"# not understood: {', '.join(sorted(unknown))}", file=sys.stderr)
    return kind(**{key: value for key, value in record.items() if key in known})


def _event(
    today: datetime,
    *,
    day: int = 0,
    start: str | None = None,
    end: str | None = None,
    **more: Any,
) -> Json:
    """Return an event of a calendar; without times it takes the whole day."""
    date = today.date() + timedelta(days=day)
    if start is None:
        return {"start": str(date), "end": str(date + timedelta(days=1)), **more}

    def at(time: str) -> datetime:
        return datetime.fromisoformat(f"{date}T{time}").replace(tzinfo=today.tzinfo)

    ends = at(end) if end else at(start) + timedelta(hours=1)
    if ends < at(start):
        ends += timedelta(days=1)
    return {"start": at(start).isoformat(), "end": ends.isoformat(), **more}


def _satellites(home: Home, devices: Sequence[str]) -> Sequence[HomeEntity]:
    names = {device.device_id: device.name for device in home.devices}
    return [
        HomeEntity(entity_id=f"{_SATELLITE}.{device}", name=names[device], device=device)
        for device in devices
        if device in names
    ]
