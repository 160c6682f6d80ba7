"""The homes in which sentences are read."""

from collections.abc import Mapping
from pathlib import Path
import tomllib
from typing import Any

from bench.generated import generated
from bench.home import Home, HomeArea, HomeDevice, HomeEntity

SATELLITE = "satellite"
"""The device that is spoken to in the oracle's own homes; it is in the living room."""
_OWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_PLACED = ("area", "state", "like", "items")


def home_of(name: str, data: Path | None) -> Home:
    """Return a home by its name.

    Args:
        name: "own:LANGUAGE" for the oracle's home under the names of a language, "generated:SIZE"
            for one of the benches, else "FOLDER/NAME" for a file of the evaluation data.
        data: the folder of the evaluation data.

    Raises FileNotFoundError if no file describes it.
    """
    kind, _, rest = name.partition(":")
    if kind == "own":
        return own_home(rest)
    if kind == "generated":
        return generated(int(rest))
    folder, _, file = name.rpartition("/")
    for path in (f"{folder}/homes/{file}.yaml", f"homes/{file}.yaml"):
        if data and (data / path).exists():
            return Home.read(data / path)
    raise FileNotFoundError(f"There is no home {name} in {data}")


def own_home(names: str) -> Home:
    """Return the oracle's home under the names of a language, or of Home Assistant's demo."""
    called: Mapping[str, str] = _OWN["names"][names]
    areas = [
        HomeArea(area, called[area], called[floor] if floor else None)
        for area, floor in _OWN["areas"].items()
    ]
    satellite = HomeDevice(SATELLITE, "Satellite", "living_room")
    entities = [_entity(each, called[each], about) for each, about in _OWN["entities"].items()]
    return Home(f"own:{names}", areas, [satellite], entities)


def names_of(names: str) -> frozenset[str]:
    """Return the names of the oracle's home in a language."""
    return frozenset(_OWN["names"][names].values())


def _entity(entity_id: str, name: str, about: Mapping[str, Any]) -> HomeEntity:
    own = {key: value for key, value in about.items() if key not in _PLACED}
    attributes = {**_OWN["like"].get(about.get("like", ""), {}), **own}
    if "items" in about:
        attributes["todo_items"] = [
            {"summary": item, "uid": f"{number}", "status": "needs_action"}
            for number, item in enumerate(about["items"])
        ]
    return HomeEntity(
        entity_id, name, about.get("area"), state=about.get("state"), attributes=attributes
    )
