"""The questions for consent: to open, to turn on, to run, to remove."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from homeassistant.helpers import intent, llm

from ...const import Danger
from ...home.exposed import Exposed
from ..assist.intents import IntentTool
from .call import ComparedCall
from .decisions import Ask

OPENINGS: Final = {
    "lock": ("unlock", Danger.LOCKS),
    "alarm_control_panel": ("disarm", Danger.ALARMS),
}
RUNS: Final = {
    "automation": "turn_on",
    "button": "press",
    "input_button": "press",
    "scene": "activate",
    "script": "run",
}
_SWITCHES: Final = {intent.INTENT_TURN_ON: "turn_on", intent.INTENT_TURN_OFF: "turn_off"}
_DOES_TO: Final = {
    intent.INTENT_TURN_ON: {
        "button": "press",
        "cover": "open",
        "input_button": "press",
        "lock": "lock",
        "scene": "activate",
        "valve": "open",
    },
    intent.INTENT_TURN_OFF: {"cover": "close", "lock": "unlock", "valve": "close"},
}
"""Verbs for turning on and off, for devices that have others."""
_UNITS: Final = {
    "brightness": " %",
    "color": "",
    "humidity": " %",
    "mode": "",
    "percentage": " %",
    "position": " %",
    "temperature": " ",
    "volume_level": " %",
}
"""The slots with values, and the units after them."""


def asked_before(call: ComparedCall) -> Ask:
    """Return the question before a call on devices: opening is never called turning off."""
    if doors := call.opened_targets:
        return ask_to_open(doors)
    if value := _value(call):
        return replace(ask_for_targets("set", call.targets), more={"value": value})
    return ask_for_targets(_does(call), call.targets)


def _value(call: ComparedCall) -> str:
    """Return the value that a call sets, in words for the user; empty if it sets none."""
    found = {slot: call.arguments[slot] for slot in _UNITS if call.arguments.get(slot) is not None}
    warm = call.hass.config.units.temperature_unit
    return ", ".join(
        f"{value}{_UNITS[slot]}{warm if slot == 'temperature' else ''}"
        for slot, value in found.items()
        if value != ""
    )


def _does(call: ComparedCall) -> str:
    """Return the key of a call's action: turning on, turning off, or another one.

    Turning on a lock locks it. For devices of several domains the word is turning on.
    """
    intent_type = call.intent_type
    does = _SWITCHES.get(intent_type, "change")
    named = _DOES_TO.get(intent_type, {})
    called = {named.get(each.domain, does) for each in call.targets}
    return called.pop() if len(called) == 1 else does


def ask_for_targets(does: str, targets: Sequence[Exposed], item: str = "") -> Ask:
    """Return the question before devices, or an item of a list, are changed."""
    names = list(dict.fromkeys(each.names[0] for each in targets))
    if item:
        return Ask(
            does=does, names=[item], more={"list": names[0] if names else ""}, targets=targets
        )
    return Ask(does=does, names=names, targets=targets)


def ask_to_run(call: ComparedCall, entity_ids: Sequence[str]) -> Ask:
    """Return the question before a call runs scripts, scenes or the like."""
    does = RUNS.get(entity_ids[0].partition(".")[0]) or _does(call)
    names = list(names_of(call, entity_ids))
    title = names[:1] if isinstance(call.tool, llm.ActionTool) else names
    return Ask(does=does, names=title, targets=call.targets)


def opening_danger(door: Exposed) -> Danger:
    """Return the option's name for the danger of opening an entry point."""
    return OPENINGS.get(door.domain, ("open", Danger.DOORS))[1]


def ask_to_open(doors: Sequence[Exposed]) -> Ask:
    """Return the question before an entry point is opened."""
    does, _ = OPENINGS.get(doors[0].domain, ("open", Danger.DOORS))
    return ask_for_targets(does, doors)


def ask_for_tool(call: ComparedCall) -> Ask:
    """Return the question before a third-party tool is called, with its arguments."""
    tool = call.tool
    told = ", ".join(f"{key}: {_plain(value)}" for key, value in call.arguments.items() if value)
    called = tool.title or getattr(tool, "original_name", tool.name)
    return Ask(does="call_with" if told else "call", names=[_plain(called)], more={"values": told})


def _plain(value: object, most: int = 80) -> str:
    """Return a value as one short line."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(value)).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def names_of(call: ComparedCall, entity_ids: Sequence[str]) -> Iterator[str]:
    """Yield the names of the entities that a call would run."""
    known = {each.entity_id: each.names for each in call.targets}
    for entity_id in entity_ids:
        if entity_id in known:
            yield from known[entity_id]
        elif isinstance(call.tool, IntentTool):
            state = call.hass.states.get(entity_id)
            yield state.name if state else entity_id
        else:
            yield call.tool.title or entity_id.partition(".")[2].replace("_", " ")
            # The names in Home Assistant's description of the tool.
            *_, listed = (call.tool.description or "").partition("Aliases: ")
            yield from (each.strip("[]' ") for each in listed.split(",") if listed)
