"""What came of a sentence, for people to read."""

from collections.abc import Iterator
from dataclasses import asdict
import json
from textwrap import shorten
from typing import Any

from script.house.turn import Change, Turn

_STEPS = {
    "start": "starting",
    "understand": "understanding",
    "act": "acting",
    "answer": "answering",
}


def as_object(turn: Turn) -> dict[str, Any]:
    """Return the same for programs: `text`, `tool_calls`, `changes`, `answer`, `seconds`."""
    return {
        "text": turn.text,
        "tool_calls": turn.tool_calls,
        "changes": [asdict(change) for change in turn.changes],
        "answer": turn.answer,
        "seconds": {
            **{step: round(seconds, 2) for step, seconds in turn.seconds.items()},
            "total": round(sum(turn.seconds.values()), 2),
        },
    }


def report(turn: Turn) -> str:
    """Return what was called, what changed, what was answered, and how long each step took."""
    return "\n".join(_lines(turn))


def _lines(turn: Turn) -> Iterator[str]:
    for call in turn.tool_calls:
        yield f"  called   {_call(call)}"
        if call.get("failed"):
            yield f"           failed: {_text(call['result'])}"
        elif found := _text(call.get("result")):
            yield f"           {found}"
    for change in turn.changes:
        yield f"  changed  {change.name}: {_change(change)}"
    if not turn.changes:
        yield "  changed  nothing"
    yield f"  {'failed ' if turn.failed else 'answer '}  {turn.answer}"
    spent = ", ".join(
        f"{words} {turn.seconds[step]:.1f} s"
        for step, words in _STEPS.items()
        if step in turn.seconds
    )
    yield f"  took     {sum(turn.seconds.values()):.1f} s: {spent}"


def _call(call: dict[str, Any]) -> str:
    arguments = ", ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}"
        for name, value in call["arguments"].items()
    )
    return f"{call['name']}({arguments})"


def _text(result: Any) -> str:
    """Return what a tool found or refused, in one line; empty for what only was done."""
    match result:
        case None | {"response_type": "action_done"}:
            text = ""
        case {"error": str(text)} | {"result": str(text)} | str(text):
            pass
        case _:
            text = json.dumps(result, ensure_ascii=False)
    return shorten(text, 160, placeholder=" …")


def _change(change: Change) -> str:
    before, after = change.before, change.after
    parts = []
    if before["state"] != after["state"]:
        parts.append(f"{_words(before['state'])} → {_words(after['state'])}")
    for key in (key for key in after if key != "state"):
        new, old = _value(key, after[key]), _value(key, before[key])
        if new and old:
            parts.append(f"{_words(key)} {old} → {new}")
        elif new:
            parts.append(f"{_words(key)} {new}")
    return ", ".join(parts) or "switched"


def _value(key: str, value: Any) -> str:
    """Return an attribute's value with its unit; empty where there is none."""
    match key, value:
        case _, None:
            return ""
        case "brightness", number:
            return f"{number / 2.55:.0f} %"
        case "volume_level", number:
            return f"{number * 100:.0f} %"
        case (("current_position" | "percentage"), number):
            return f"{number} %"
        case (("temperature" | "target_temp_high" | "target_temp_low"), number):
            return f"{number} °C"
        case "color_temp_kelvin", number:
            return f"{number} K"
        case "rgb_color", [red, green, blue]:
            return f"#{red:02x}{green:02x}{blue:02x}"
        case _:
            return _words(str(value))


def _words(name: object) -> str:
    return {
        "rgb_color": "colour",
        "color_temp_kelvin": "white",
        "current_position": "position",
        "percentage": "speed",
        "volume_level": "volume",
    }.get(str(name), str(name).replace("_", " "))
