"""The calls by which decisions are probed: the obvious ones of a sentence, and their opposites."""

from collections.abc import Sequence

from .cases import Json

ON, OFF = "HassTurnOn", "HassTurnOff"
_PAIRS = (
    (ON, OFF),
    ("HassPauseTimer", "HassUnpauseTimer"),
    ("HassIncreaseTimer", "HassDecreaseTimer"),
    ("HassLawnMowerStartMowing", "HassLawnMowerDock"),
    ("HassListAddItem", "HassListRemoveItem"),
    ("HassMediaNext", "HassMediaPrevious"),
    ("HassMediaPause", "HassMediaUnpause"),
    ("HassMediaPlayerMute", "HassMediaPlayerUnmute"),
    ("HassVacuumStart", "HassVacuumReturnToBase"),
)
_OPPOSITES = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_TARGET = ("name", "area", "floor", "domain", "device_class")
_MOST = 4
"""Calls of a sentence that are probed."""
_LATER = "conversation_command"
"""The slot in which Home Assistant keeps a whole command for later."""
_NOT_CALLED = frozenset(("HassNevermind", "HassRespond"))


def obvious(recognition: Json, aimed_at: Sequence[tuple[str, str]], stray: str) -> Sequence[Json]:
    """Return the calls that a model would obviously make.

    Args:
        recognition: how Home Assistant reads the sentence.
        aimed_at: domain and name of the entities that it means, for sentences that Home Assistant
            reads as nothing or as a question.
        stray: the name of an entity for sentences that mean none: the call has to be refused.
    """
    intent, slots = str(recognition.get("intent", "")), recognition.get("slots", {})
    is_known = bool(intent) and intent not in _NOT_CALLED
    is_command = is_known and recognition["kind"] == "command"
    if is_command and recognition["is_exact"] and _LATER not in slots:
        return [{"name": intent, "arguments": slots}]
    if aimed_at:
        return [
            {"name": ON, "arguments": {"name": name, "domain": [domain]}}
            for domain, name in aimed_at[:2]
        ]
    if is_command and slots:
        return [{"name": intent, "arguments": slots}]
    return [{"name": ON, "arguments": {"name": stray}}] if stray else []


def to_probe(calls: Sequence[Json]) -> Sequence[Json]:
    """Return the calls whose decisions are recorded: the first ones, each followed by its opposite."""
    found: list[Json] = []
    for call in calls[:_MOST]:
        for each in (call, opposite(call)):
            if each and each not in found:
                found.append(each)
    return found


def opposite(call: Json) -> Json | None:
    """Return the call that undoes another one; turning off for calls that set a value."""
    name, arguments = call["name"].rpartition("__")[2], call["arguments"]
    if name in _OPPOSITES:
        return {"name": _OPPOSITES[name], "arguments": arguments}
    target = {key: value for key, value in arguments.items() if key in _TARGET}
    return {"name": OFF, "arguments": target} if "name" in target or "area" in target else None
