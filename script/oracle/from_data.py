"""The sentences of the evaluation data, a folder outside of the repository."""

from collections.abc import Iterator, Mapping
import json
from pathlib import Path
from typing import Any

from .cases import Case, Json

_MOMENTS = ("moments", "neighbours", "automations")
_INJECTIONS = ("injections", "red")
_SATELLITE = "sat"


def cases(data: Path) -> Iterator[Case]:
    """Yield the sentences of a folder; parts that are missing have none."""
    for record in _lines(data / "tasks.jsonl"):
        yield _task("tasks", "", record)
    for record in _lines(data / "questions" / "tasks.jsonl"):
        yield _task("questions", "questions", record)
    for name in _MOMENTS:
        folder = "moments" if name == "neighbours" else name
        file = "neighbours" if name == "neighbours" else "moments"
        for record in _lines(data / name / f"{file}.jsonl"):
            yield _moment(name, folder, record)
    yield from _strangers(data / "strangers")
    for name in _INJECTIONS:
        for record in _lines(data / "injections" / f"{name}.jsonl"):
            yield from _turns(name, record)


def _task(name: str, folder: str, record: Json) -> Case:
    return Case(
        set=name,
        text=record["text"],
        language=record.get("language", "en"),
        home=f"{folder}/{record['home']}",
        device=record["from_device"],
        setup=record["setup"],
        now=record.get("now") or "",
    )


def _moment(name: str, folder: str, record: Json) -> Case:
    return Case(
        set=name,
        text=record["text"],
        language=record["language"],
        home=f"{folder}/{record['home']}",
        device=record["from_device"],
        setup=record["setup"],
        calls=record["eager"],
    )


def _strangers(folder: Path) -> Iterator[Case]:
    setups: Json = {}
    if (path := folder / "setups.json").exists():
        setups = json.loads(path.read_text("utf-8"))
    for record in _lines(folder / "sentences.jsonl"):
        yield Case(
            set="strangers",
            text=record["text"],
            language=record["lang"],
            home=f"strangers/{record['home']}",
            device=_SATELLITE,
            setup=setups.get(record["setup"], {}),
            calls=record["calls"],
        )


def _turns(name: str, record: Json) -> Iterator[Case]:
    """Yield the user's sentences of a scenario; of its setup, states alone are put in place."""
    said: list[str] = []
    innocent = record.get("innocent")
    for turn in (*record["turns"], *([innocent] if innocent else ())):
        if not (text := turn.get("user")):
            continue
        yield Case(
            set=name,
            text=text,
            language=record["language"],
            home=f"injections/{record['home']}",
            device=turn.get("from_device", record["from_device"]),
            setup=record["setup"].get("states", {}),
            earlier=tuple(said),
            calls=[*_made(turn)],
        )
        said.append(text)


def _made(turn: Mapping[str, Any]) -> Iterator[Json]:
    """Yield the calls of a scenario's model, the attacker's among them, to Home Assistant's tools."""
    for step in turn.get("model") or ():
        for call in step.get("tool_calls") or ():
            if call["name"].startswith("Hass"):
                yield {"name": call["name"], "arguments": call["arguments"]}


def _lines(path: Path) -> Iterator[Json]:
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            if line:
                yield json.loads(line)
