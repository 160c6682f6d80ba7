"""The twelve sentences, in the language of the home, and what is right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
import re
import tomllib
from typing import Any, Final, Self

from .home import DEVICES, MadeUpHome, TrialDevice

_FOLDER = Path(__file__).parent / "words"
_ELSE = "en"


@dataclass(frozen=True, slots=True)
class Right:
    """What a sentence comes to, if it is understood; nothing else may change."""

    changes: Mapping[str, TrialDevice] = field(default_factory=dict)
    """The devices that are otherwise afterwards."""
    number: str = ""
    """What the answer has to tell."""

    def is_met(self, home: MadeUpHome, said: str) -> bool:
        """Return True if a home is as it should be, and what was said tells what it should."""
        if home.changed != self.changes:
            return False
        if self.number:
            return re.search(rf"\b{self.number}\b", said) is not None
        return bool(self.changes or said.strip())


def _set(**changes: tuple[str, float | None]) -> Right:
    return Right(
        {
            key: replace(DEVICES[key], state=state, value=value)
            for key, (state, value) in changes.items()
        }
    )


RIGHT: Final[Mapping[str, Right]] = {
    "on": _set(kitchen_light=("on", None)),
    "off": _set(floor_lamp=("off", 80)),
    "dim": _set(floor_lamp=("on", 30)),
    "warm": _set(thermostat=("heat", 22)),
    "area": _set(bedside_lamp=("off", 100), wardrobe_light=("off", 100)),
    "close": _set(blinds=("closed", 0)),
    "part": _set(curtain=("open", 40)),
    "two": _set(kitchen_fan=("off", None), desk_lamp=("on", None)),
    "measured": Right(number="17"),
    "level": Right(number="64"),
    "thanks": Right(),
    "absent": Right(),
}
"""What is right, by the sentences' keys: something is done, told, or left alone."""


@dataclass(frozen=True, slots=True)
class Words:
    """The home and the sentences in a language."""

    areas: Mapping[str, str]
    devices: Mapping[str, str]
    sentences: Mapping[str, str]

    @classmethod
    def of(cls, language: str) -> Self:
        """Read those of a language without its region, else English ones; it reads a file."""
        file = _FOLDER / f"{language}.toml"
        known: Any = tomllib.loads(
            (file if file.exists() else _FOLDER / f"{_ELSE}.toml").read_text("utf-8")
        )
        return cls(**known)

    def home(self) -> MadeUpHome:
        """Return the home before anything is said."""
        return MadeUpHome(self.areas, self.devices)

    def told(self, keys: Sequence[str]) -> str:
        """Return sentences one below the other, as a list."""
        return "\n".join(f"- {self.sentences[key]}" for key in keys)
