"""The target of a call of Home Assistant's tools."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...arguments import readings

TARGET = ("name", "area", "floor", "domain", "device_class")
# An item for a list may name a time; it is added at once.
LISTS = frozenset(("shopping_list", "todo"))


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a call, as Home Assistant's intents take it; empty if there is none."""

    name: str = ""
    area: str = ""
    floor: str = ""
    domains: tuple[str, ...] = ()
    device_classes: tuple[str, ...] = ()

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Target:
        """Parse a call's arguments, in which lists may be text, and blanks mean nothing."""
        return cls(
            name=_text(arguments.get("name")),
            area=_text(arguments.get("area")),
            floor=_text(arguments.get("floor")),
            domains=_texts(arguments.get("domain")),
            device_classes=_texts(arguments.get("device_class")),
        )

    def in_place_of(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return a call's arguments with this target."""
        target = {
            "name": self.name,
            "area": self.area,
            "floor": self.floor,
            "domain": list(self.domains),
            "device_class": list(self.device_classes),
        }
        rest = {key: value for key, value in arguments.items() if key not in TARGET}
        return {key: value for key, value in target.items() if value} | rest


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    match value:
        case str():
            listed = next(readings(value), None)
            return _texts(listed if isinstance(listed, list) else [value])
        case list():
            return tuple(each.strip() for each in value if isinstance(each, str) and each.strip())
        case _:
            return ()
