"""Words for what is wanted of an entity, and whether a change is that.

Each is one of `off`, `brighter`, `any`…; some have a value behind a colon: `bri:50`, `chg:brightness`.
Units and tolerances are those of the test sets: brightness 0 to 100, temperature in degrees.
"""

from collections.abc import Callable, Mapping
from typing import Any

type State = Mapping[str, Any]
"""An entity's state and attributes."""
type Check = Callable[[str, State, State], bool]
"""Takes a word's value, and an entity as it was and as it is."""

_NOT_ON = ("off", "unavailable", "unknown")
_HUES: Mapping[str, float] = {
    "red": 0,
    "orange": 30,
    "yellow": 60,
    "green": 120,
    "turquoise": 174,
    "cyan": 180,
    "blue": 240,
    "violet": 280,
    "purple": 280,
    "pink": 340,
}
_HUE_TOLERANCE = 45
_PALE = 25
"""The saturation, in percent, up to which a color is white."""


def holds(what: str, was: State, now: State) -> bool:
    """Return True if an entity is as a word wants it, after something was done to it.

    Raises KeyError for an unknown word.
    """
    word, _, value = what.partition(":")
    return _CHECKS[word](value, was, now)


def _is(*states: str) -> Check:
    """Return a check of the state."""
    return lambda _, was, now: now["state"] in states


def _more(attribute: str) -> Check:
    """Return a check of an attribute that is to grow."""
    return lambda _, was, now: (now.get(attribute) or 0) > (was.get(attribute) or 0)


def _less(attribute: str) -> Check:
    """Return a check of an attribute that is to shrink; what is off is not slower or dimmer."""
    return lambda _, was, now: (
        now["state"] != "off"
        and now.get(attribute) is not None
        and now[attribute] < (was.get(attribute) or 0)
    )


def _level(attribute: str, unit: float, tolerance: float) -> Check:
    """Return a check of an attribute that is to be so many units."""
    return lambda value, was, now: (
        now.get(attribute) is not None and abs(now[attribute] - float(value) * unit) <= tolerance
    )


def _is_lit_to(value: str, was: State, now: State) -> bool:
    """Return True if a light has a brightness: one that is off has 0, one that cannot be dimmed 100."""
    if now.get("brightness") is None:
        return (value, now["state"]) in (("0", "off"), ("100", "on"))
    return _level("brightness", 2.55, 4)(value, was, now)


def _is_brighter(value: str, was: State, now: State) -> bool:
    return (was["state"], now["state"]) == ("off", "on") or _more("brightness")(value, was, now)


def _is_unmuted(_: str, was: State, now: State) -> bool:
    return was.get("is_volume_muted") is not False and now.get("is_volume_muted") is False


def _has_color(name: str, was: State, now: State) -> bool:
    if name == "white" and was.get("color_temp_kelvin") != now.get("color_temp_kelvin"):
        return True
    if now.get("hs_color") is None or was.get("hs_color") == now["hs_color"]:
        return False
    hue, saturation = now["hs_color"]
    if name == "white":
        return bool(saturation <= _PALE)
    away = abs(hue - _HUES.get(name, hue)) % 360
    return bool(min(away, 360 - away) <= _HUE_TOLERANCE)


def _plays(words: str, was: State, now: State) -> bool:
    """Return True if the title of what is played has half of these words."""
    title = now.get("media_content_id")
    if not title or title == was.get("media_content_id"):
        return False
    wanted = [each for each in words.split(",") if each]
    return 2 * sum(each in title.casefold() for each in wanted) >= len(wanted)


def _has_item(text: str, was: State, now: State) -> bool:
    added = {*now.get("items", ())} - {*was.get("items", ())}
    return any(text.casefold() in each.casefold() for each in added)


_CHECKS: Mapping[str, Check] = {
    "any": lambda *_: True,
    "on": lambda _, was, now: now["state"] not in _NOT_ON,
    "off": _is("off"),
    "open": _is("open", "opening"),
    "closed": _is("closed"),
    "locked": _is("locked"),
    "unlocked": _is("unlocked"),
    "playing": _is("playing"),
    "notplaying": lambda _, was, now: was["state"] == "playing" != now["state"],
    "cleaning": _is("cleaning"),
    "returning": _is("returning"),
    "mowing": _is("mowing"),
    "docked": _is("docked"),
    "brighter": _is_brighter,
    "dimmer": _less("brightness"),
    "bri": _is_lit_to,
    "color": _has_color,
    "louder": lambda *each: _is_unmuted(*each) or _more("volume_level")(*each),
    "quieter": _less("volume_level"),
    "vol": _level("volume_level", 0.01, 0.011),
    "muted": lambda _, was, now: now.get("is_volume_muted") is True or now.get("volume_level") == 0,
    "unmuted": _is_unmuted,
    "warmer": _more("temperature"),
    "cooler": _less("temperature"),
    "temp": _level("temperature", 1, 0.3),
    "pos": _level("current_position", 1, 1),
    "next": _more("media_track"),
    "prev": _less("media_track"),
    "faster": _more("percentage"),
    "slower": _less("percentage"),
    "item": _has_item,
    "played": _plays,
    "chg": lambda name, was, now: was.get(name) != now.get(name),
}
