"""The twelve sentences of a trial, in the language of the home, with their expected results."""

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
    """The expected result of a sentence; no other device may change."""

    changes: Mapping[str, TrialDevice] = field(default_factory=dict)
    """The devices that change, by key, with their state afterwards."""
    number: str = ""
    """The number that the answer must contain."""

    def is_met(self, home: MadeUpHome, said: str) -> bool:
        """Return True if the state of a home and the answer are as expected."""
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
"""The expected results, by the sentences' keys: a change, an answer, or no change."""


@dataclass(frozen=True, slots=True)
class Words:
    """The home's names and the sentences in a language, by key."""

    areas: Mapping[str, str]
    devices: Mapping[str, str]
    sentences: Mapping[str, str]

    @classmethod
    def of(cls, language: str) -> Self:
        """Read the words of a language without its region, else the English ones; blocking I/O."""
        file = _FOLDER / f"{language}.toml"
        known: Any = tomllib.loads(
            (file if file.exists() else _FOLDER / f"{_ELSE}.toml").read_text("utf-8")
        )
        return cls(**known)

    def home(self) -> MadeUpHome:
        """Return a home in its initial state."""
        return MadeUpHome(self.areas, self.devices)

    def told(self, keys: Sequence[str]) -> str:
        """Return sentences as a Markdown list."""
        return "\n".join(f"- {self.sentences[key]}" for key in keys)
