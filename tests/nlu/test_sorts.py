"""One sort of a kind: a lamp among the lights, a TV among the players, and what only looks like a kind."""

from collections.abc import Mapping

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
import pytest

from custom_components.voice_gateway.home.exposed import Exposed, Home
from custom_components.voice_gateway.nlu.categories import find_categories
from custom_components.voice_gateway.nlu.entity_linking import EntityLinker
from custom_components.voice_gateway.nlu.tokenizer import Text

type House = Mapping[str, Mapping[str, tuple[str, str | None]]]
"""Devices by their areas: domain and device class by name."""

HOUSE: House = {
    "Cellar": {"Spotlights": ("light", None), "Strip": ("light", None), "Plug 7": ("switch", None)},
    "Attic": {"Attic Light": ("light", None), "Lamp": ("light", None)},
    "Study": {"Lamp": ("light", None), "Old Filament": ("light", None)},
    "Den": {"Big TV": ("media_player", "tv"), "Left Speaker": ("media_player", "speaker")},
    "Yard": {"Scythe": ("lawn_mower", None)},
}


def house_of(hass: HomeAssistant, devices: House) -> Home:
    areas = {each.id: each for each in map(ar.async_get(hass).async_create, devices)}
    entities = [
        Exposed(id_, domain, (name,), f"{domain}.{id_}_{n}", device_class)
        for id_, area in areas.items()
        for n, (name, (domain, device_class)) in enumerate(devices[area.name].items())
    ]
    return Home(tuple(entities), areas, {})


@pytest.mark.parametrize(
    ("text", "speaker", "wanted"),
    [
        # A name that says a kind is a name, where it is, and nowhere else.
        ("set the spotlights in the cellar to 10 percent", None, ["Spotlights in Cellar"]),
        ("turn on the spotlights in the attic", None, []),
        ("set the lamp in the attic to 20%", None, ["Lamp in Attic"]),
        ("set the lamp to 20%", "study", ["Lamp in Study"]),
        ("set the lamp to 20%", "den", []),
        # To switch on is said of anything, and of no switch.
        ("switch on the filament in the study", None, ["Old Filament in Study"]),
        ("switch on the filament in the cellar", None, []),
        ("could you switch on the strip in the cellar", None, ["Strip in Cellar"]),
        ("the switch in the cellar off", None, ["Plug 7 in Cellar"]),
        ("turn on the strip in the attic", None, []),
        # A TV is no speaker.
        ("pause the tv", None, ["Big TV in Den"]),
        ("pause the tv", "den", ["Big TV in Den"]),
        ("pause the player", None, []),
    ],
)
async def test_the_sort_that_was_said(
    hass: HomeAssistant, text: str, speaker: str | None, wanted: list[str]
) -> None:
    home = house_of(hass, HOUSE)
    found = EntityLinker(Text(text, "en"), home, speaker).resolve(home.entities)
    assert [f"{each.names[0]} in {home.areas[each.area].name}" for each in found] == wanted


@pytest.mark.parametrize(
    "others",
    [
        # Nobody says what these are: each may be the TV.
        {"Den": {"Big TV": ("media_player", "tv"), "Frame": ("media_player", None)}},
        # Who says it beside another one may mean that.
        {
            "Den": {"Big TV": ("media_player", "tv")},
            "Bar": {"Old Radio": ("media_player", "speaker")},
        },
    ],
)
async def test_a_rival_of_its_sort_leaves_it_open(hass: HomeAssistant, others: House) -> None:
    home = house_of(hass, others)
    assert EntityLinker(Text("pause the tv", "en"), home, "bar").resolve(home.entities) == [
        each for each in home.entities if each.area == "bar"
    ]


async def test_the_lamp_is_no_other_light(hass: HomeAssistant) -> None:
    home = house_of(hass, HOUSE)
    lights = [each for each in home.entities if each.area == "attic"]
    lamp = [each for each in lights if each.names == ("Lamp",)]
    assert (
        EntityLinker(Text("turn on the lamp in the attic", "en"), home, None).filter_hyponym(lights)
        == lamp
    )
    for every in ("turn on the light in the attic", "turn on all lamps in the attic"):
        assert EntityLinker(Text(every, "en"), home, None).filter_hyponym(lights) == lights


async def test_what_is_mown_tells_the_mower(hass: HomeAssistant) -> None:
    home = house_of(hass, HOUSE)
    said = EntityLinker(Text("start the lawn mower", "en"), home, None)
    assert {"lawn", "mower"} <= said.words_for(said.resolve(home.entities))


def test_a_verb_of_anything_is_no_kind() -> None:
    assert [each.words for each in find_categories(Text("please switch the lamp off", "en"))] == [
        ("lamp",)
    ]
    assert [each.words for each in find_categories(Text("turn on the switch", "en"))] == [
        ("switch",)
    ]
    assert [each.words for each in find_categories(Text("lock it", "en"))] == [("lock",)]


async def test_halfway_is_no_hallway(hass: HomeAssistant) -> None:
    home = house_of(hass, {"Den": {"Den Blinds": ("cover", "blind")}, "Hallway": {}})
    assert EntityLinker(Text("open the den blinds halfway", "en"), home, None).areas == {"den"}


async def test_a_device_class_tells_the_sort_of_what_is_called_by_a_brand(
    hass: HomeAssistant,
) -> None:
    devices: House = {
        "Loft": {"Okami": ("media_player", "tv"), "Cube": ("media_player", "speaker")},
        "Porch": {"Zorb": ("media_player", "speaker")},
    }
    home = house_of(hass, devices)
    for code, text in (("en", "pause the tv"), ("it", "spegni la tv"), ("de", "Pausiere den TV")):
        found = EntityLinker(Text(text, code), home, None).resolve(home.entities)
        assert [each.names[0] for each in found] == ["Okami"], text
    # Nobody knows whether what has no class is one as well.
    devices = {"Attic": {**devices["Loft"], "Box": ("media_player", None)}}
    home = house_of(hass, devices)
    assert not EntityLinker(Text("pause the tv", "en"), home, None).resolve(home.entities)
