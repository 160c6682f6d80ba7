"""What a house of the data set is, as its file describes it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from homeassistant.util.yaml import load_yaml_dict


@dataclass(frozen=True, slots=True)
class HomeEntity:
    """An entity: `state` and `attributes` are as in the file, enums by their names."""

    entity_id: str
    name: str
    area: str | None = None
    device: str | None = None
    state: Any = None
    attributes: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, entity: Mapping[str, Any]) -> Self:
        """Return the entity that a file of the data set describes."""
        return cls(
            entity_id=entity["id"],
            name=entity["name"],
            area=entity.get("area"),
            device=entity.get("device"),
            state=entity.get("state"),
            attributes=entity.get("attributes") or {},
        )

    @property
    def domain(self) -> str:
        """The part of the id before the dot."""
        return self.entity_id.partition(".")[0]


@dataclass(frozen=True, slots=True)
class HomeArea:
    """An area; `floor` is a floor's name."""

    area_id: str
    name: str
    floor: str | None = None


@dataclass(frozen=True, slots=True)
class HomeDevice:
    """A device, with the id that tasks know it by."""

    device_id: str
    name: str
    area: str | None = None


@dataclass(frozen=True, slots=True)
class Home:
    """A house: areas, devices and entities in the file's order."""

    name: str
    areas: Sequence[HomeArea]
    devices: Sequence[HomeDevice]
    entities: Sequence[HomeEntity]
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Further names of entities, by their ids."""
    area_aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Further names of areas, by the file's ids."""

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the house that a file of the data set describes.

        Raises ValueError where two devices or entities have one id: only one would be in the house.
        """
        content = load_yaml_dict(path)
        for part in ("devices", "entities"):
            counted = Counter(each["id"] for each in content[part])
            if twice := [each for each, count in counted.items() if count > 1]:
                raise ValueError(f"{path.stem} has more than one {', '.join(twice)}")
        return cls(
            name=path.stem,
            areas=[HomeArea(a["id"], a["name"], a.get("floor")) for a in content["areas"]],
            devices=[HomeDevice(d["id"], d["name"], d.get("area")) for d in content["devices"]],
            entities=[HomeEntity.of(entity) for entity in content["entities"]],
            aliases=content.get("aliases") or {},
            area_aliases=content.get("area_aliases") or {},
        )

    def with_states(self, setup: Mapping[str, Mapping[str, Any]]) -> Sequence[HomeEntity]:
        """Return the entities as a task wants them: other states, other values of attributes.

        Raises ValueError for an entity that the house does not have.
        """
        if unknown := setup.keys() - {entity.entity_id for entity in self.entities}:
            raise ValueError(f"{self.name} has no {', '.join(sorted(unknown))}")
        return [_changed(entity, setup.get(entity.entity_id, {})) for entity in self.entities]


def _changed(entity: HomeEntity, change: Mapping[str, Any]) -> HomeEntity:
    return replace(
        entity,
        state=change.get("state", entity.state),
        attributes={**entity.attributes, **change.get("attributes", {})},
    )
