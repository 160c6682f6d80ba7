"""Plain commands for a house, made of its own names by a few templates of a language."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
import tomllib
from typing import Any

from bench.home import Home, HomeArea, HomeEntity

_TEMPLATES = Path(__file__).with_name("misheard.toml")
_TRANSPORT = [
    f"media_player.MediaPlayerEntityFeature.{name}" for name in ("PAUSE", "PLAY", "VOLUME_SET")
]
_COVER = [f"cover.CoverEntityFeature.{name}" for name in ("OPEN", "CLOSE", "SET_POSITION")]
_VACUUM = [f"vacuum.VacuumEntityFeature.{name}" for name in ("START", "STATE", "RETURN_HOME")]
_MADE: Mapping[str, tuple[Any, Mapping[str, Any]]] = {
    "cover": ("closed", {"device_class": "blind", "supported_features": _COVER}),
    "fan": ("off", {"supported_features": ["fan.FanEntityFeature.SET_SPEED"]}),
    "light": ("off", {"supported_color_modes": ["brightness"], "color_mode": "brightness"}),
    "lock": ("locked", {}),
    "media_player": ("playing", {"device_class": "speaker", "supported_features": _TRANSPORT}),
    "switch": ("off", {"device_class": "outlet"}),
    "vacuum": ("docked", {"supported_features": _VACUUM}),
}
"""How a device is made where a language has a house of its own: its state and attributes."""


@dataclass(frozen=True, slots=True)
class _Deed:
    """How something is before and after a deed."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]


def _turned(before: Any, after: Any) -> _Deed:
    return _Deed({"state": before}, {"state": after})


_OPEN = {"state": "open", "attributes": {"current_cover_position": 100}}
_CLOSED = {"state": "closed", "attributes": {"current_cover_position": 0}}
_OFF = {"state": "off", "attributes": {"brightness": None}}
_BRIGHT = {"state": "on", "attributes": {"brightness": 255}}
_DEEDS: Mapping[tuple[str, str], _Deed] = {
    ("light", "on"): _Deed(_OFF, {"state": "on"}),
    ("light", "off"): _Deed(_BRIGHT, {"state": "off"}),
    ("light", "dim"): _Deed(_BRIGHT, {"state": "on", "brightness": 102}),
    ("switch", "on"): _turned("off", "on"),
    ("switch", "off"): _turned("on", "off"),
    ("fan", "on"): _turned("off", "on"),
    ("fan", "off"): _turned("on", "off"),
    ("cover", "open"): _Deed(_CLOSED, {"state": "open"}),
    ("cover", "close"): _Deed(_OPEN, {"state": "closed"}),
    ("valve", "open"): _turned("closed", "open"),
    ("valve", "close"): _turned("open", "closed"),
    ("lock", "lock"): _turned("unlocked", "locked"),
    ("lock", "unlock"): _turned("locked", "unlocked"),
    ("vacuum", "start"): _turned("docked", "cleaning"),
    ("vacuum", "return"): _turned("cleaning", "returning"),
    ("media_player", "pause"): _turned("playing", "paused"),
    ("media_player", "volume"): _Deed(
        {"state": "playing", "attributes": {"volume_level": 0.7}}, {"volume_level": 0.3}
    ),
}
_DIMMABLE = "dim"


@dataclass(frozen=True, slots=True)
class Command:
    """What is said, and how the house is before and after it."""

    text: str
    setup: Mapping[str, Mapping[str, Any]]
    after: Mapping[str, Mapping[str, Any]]
    """State and attributes of each device that it is about, by entity id."""
    names: Sequence[str]
    """What was spoken of: a device, or an area."""


class Templates:
    """What people say in a language."""

    def __init__(self, language: str) -> None:
        """Take the language's code; raises KeyError for one that has no templates."""
        self._own = tomllib.loads(_TEMPLATES.read_text("utf-8"))[language]
        self.voice: str = self._own["voice"]
        self._said = {
            said.rpartition("|")[2]: said.replace("|", "")
            for devices in self._own.get("home", {}).values()
            for said in devices
        }
        """With its article, where that is known."""

    def home(self) -> Home | None:
        """Return the house that is named in this language, where there is one."""
        if not (rooms := self._own.get("home")):
            return None
        areas = {name: HomeArea(f"area_{number}", name) for number, name in enumerate(rooms)}
        numbers = count()
        entities = [
            HomeEntity(
                f"{domain}.d{next(numbers)}",
                said.rpartition("|")[2],
                areas[room].area_id,
                state=_MADE[domain][0],
                attributes=_MADE[domain][1],
            )
            for room, devices in rooms.items()
            for said, domain in devices.items()
        ]
        return Home("own", list(areas.values()), (), entities)

    def commands(self, home: Home, number: int, begin: int = 0) -> Sequence[Command]:
        """Return so many commands, each device's and area's in turn, always the same ones.

        `begin` tells with which of its templates, so that no house is spoken to as another one is.
        """
        found: dict[str, Command] = {}
        for each in islice(self._all(home, begin), 20 * number):
            found.setdefault(each.text, each)
        return [*islice(found.values(), number)]

    def _all(self, home: Home, begin: int) -> Iterator[Command]:
        """Yield commands without an end, the templates of a deed one after the other."""
        called: dict[str, int] = {}
        for each in home.entities:
            if each.domain in self._own:
                called[each.name] = called.get(each.name, 0) + 1
        # Of two devices of one name nobody can say which is meant.
        single = [each for each in home.entities if called.get(each.name) == 1]
        for turn in count(begin):
            for place, entity in enumerate(single):
                yield from self._of_device(entity, turn + place)
            for place, area in enumerate(home.areas):
                yield from self._of_area(home, area, turn + place)

    def _of_device(self, entity: HomeEntity, turn: int) -> Iterator[Command]:
        for proposed, said in self._own.get(entity.domain, {}).items():
            modes = entity.attributes.get("supported_color_modes", ())
            if proposed == _DIMMABLE and list(modes) in ([], ["onoff"]):
                continue
            text = said[turn % len(said)].format(name=self._said.get(entity.name, entity.name))
            yield _command(text, (entity.name,), proposed, [entity])

    def _of_area(self, home: Home, area: HomeArea, turn: int) -> Iterator[Command]:
        lights = [
            each for each in home.entities if each.domain == "light" and each.area == area.area_id
        ]
        for proposed, said in self._own.get("area", {}).items():
            if lights:
                text = said[turn % len(said)].format(area=area.name)
                yield _command(text, (area.name,), proposed, lights)


def _command(
    text: str, names: Sequence[str], proposed: str, devices: Sequence[HomeEntity]
) -> Command:
    done = _DEEDS[devices[0].domain, proposed]
    setup = {each.entity_id: done.before for each in devices}
    return Command(text, setup, {each.entity_id: done.after for each in devices}, names)
