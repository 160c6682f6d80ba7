"""What a command says of the devices of a home: of each, all that the rules ask of it."""

from collections.abc import Collection, Iterable
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, floor_registry as fr

from custom_components.voice_gateway.home.exposed import Exposed, Home
from custom_components.voice_gateway.nlu.entity_linking import EntityLinker
from custom_components.voice_gateway.nlu.tokenizer import Text

from ..tables import table

# Areas with their floors and their devices, some with a device class.
HOUSE = {
    "Kitchen": ("Ground floor", ["light.Counter Light", "light.Kitchen Light", "media_player.Kitchen"]),
    "Living room": (
        "Ground floor",
        [
            *("light.Tall Lamp", "light.Ceiling Light", "media_player.Television"),
            *("media_player.Sonos", "climate.Radiator", "switch.Reading Lamp Plug"),
        ],
    ),
    "Bedroom 1": ("Upstairs", ["light.Bedroom 1 Light", "cover.Bedroom 1 Blind/blind"]),
    "Bedroom 2": ("Upstairs", ["light.Bedroom 2 Light", "fan.Fan", "light.Spotlights"]),
    "Hall": ("Ground floor", ["lock.Front Door", "light.Hall"]),
    "Garage": ("", ["cover.Big Door/garage", "cover.Shutter/shutter", "lock.Side Door"]),
    "Backyard": (
        "",
        ["cover.Yard Gate/gate", "lawn_mower.Mowy", "valve.Sprinkler/water", "vacuum.Robo"],
    ),
}  # fmt: skip
LIGHTS = {
    *("Bedroom 1 Light", "Bedroom 2 Light", "Ceiling Light", "Counter Light", "Hall"),
    *("Kitchen Light", "Spotlights", "Tall Lamp"),
}


def told(listed: str) -> dict[str, Any]:
    """Return what a command says; what is not told here is nothing, or is not looked at."""
    said: dict[str, Any] = {"aims": set(), "all_of": set(), "work": set(), "only": False}
    for part in listed.split("; "):
        keys, _, names = part.partition(": ")
        devices = LIGHTS if names == "all lights" else {*names.split(", ")}
        said |= dict.fromkeys(keys.split(), devices if names else True)
    return said


# In which language, what is said, where the speaker is, and what it says of these devices:
# `means` may be meant, `aims` is certain; `surely` of what keeps people out; `all_of` all were said;
# `choice` is what to ask of, `sort` which lights of the place; `work` whose work it is by its verb;
# `only`: it says nothing besides.
SAID = table(__file__, "SAID")


def house_of(hass: HomeAssistant) -> Home:
    """Return the house."""
    areas: dict[str, ar.AreaEntry] = {}
    floors: dict[str, fr.FloorEntry] = {}
    entities: list[Exposed] = []
    floor_registry = fr.async_get(hass)
    for room, (level, devices) in HOUSE.items():
        floor = floor_registry.async_get_floor_by_name(level) if level else None
        if level and floor is None:
            floor = floor_registry.async_create(level)
        if floor:
            floors[floor.floor_id] = floor
        area = ar.async_get(hass).async_create(room, floor_id=floor.floor_id if floor else None)
        areas[area.id] = area
        for device in devices:
            domain, _, name = device.partition(".")
            name, _, device_class = name.partition("/")
            entity_id = f"{domain}.n{len(entities)}"
            entities.append(Exposed(area.id, domain, (name,), entity_id, device_class or None))
    return Home(tuple(entities), areas, floors)


def _what(said: EntityLinker) -> dict[str, Collection[str] | bool]:
    every = said.home.entities
    doors = [each for each in every if each.domain in ("cover", "lock")]
    lights = [each for each in every if each.domain == "light" and each.area in said.areas]

    def names(found: Iterable[Exposed]) -> set[str]:
        return {each.names[0] for each in found}

    return {
        "means": names(filter(said.may_refer_to, every)),
        "aims": names(said.resolve(every)),
        "all_of": names(filter(said.refers_to_all_with, every)),
        "surely": names(filter(said.surely_refers_to, doors)),
        "choice": names(said.ambiguous_among(every)),
        "sort": names(said.filter_hyponym(lights)),
        "work": names(filter(said.fits_sense, every)) if said.sense_domains else set(),
        "only": said.only_mentions,
    }


async def test_command_says_of_each_device_what_rules_ask_of_it(hass: HomeAssistant) -> None:
    house = house_of(hass)
    area_ids = {area.name: id_ for id_, area in house.areas.items()}
    wrong = []
    for code, text, speaker, wanted in SAID:
        found = _what(EntityLinker(Text(text, code), house, area_ids.get(speaker)))
        wrong += [
            (text, speaker, key, found[key], value)
            for key, value in told(wanted).items()
            if found[key] != value
        ]
    assert not wrong
