"""What people call a device, and what they mean."""

from dataclasses import dataclass

import pytest

from custom_components.voice_gateway.names.matching import find, nearest


@dataclass(frozen=True)
class Thing:
    """Something with a name."""

    name: str
    location: str = ""
    hints: str = ""


COFFEE = Thing("Coffee Machine", "Kitchen", "switch plug outlet socket power energy node 2")
LIGHT = Thing("Ceiling Light", "Living Room", "dimmer light lamp level node 3")
BLIND = Thing("Window Blind", "Bedroom", "blind shutter curtain node 4")
LOCK = Thing("Front Door Lock", "Hallway", "lock door battery node 5")
DOOR = Thing("Front Door", "Hallway", "door sensor window contact battery node 6")
THERMOSTAT = Thing("Thermostat", "Bedroom", "thermostat heating temperature sensor node 8")
KITCHEN_LAMP = Thing("Lamp", "Kitchen", "switch plug outlet socket node 16")
OFFICE_LAMP = Thing("Lamp", "Office", "dimmer light lamp level node 17")
LAMP_19 = Thing("Lamp 19", "Garden", "switch node 19")
LAMP_29 = Thing("Lamp 29", "Garden", "switch node 29")
MILL = Thing("Café-Mühle", "Küche", "switch node 30")
HOUSE = [
    COFFEE, LIGHT, BLIND, LOCK, DOOR, THERMOSTAT, KITCHEN_LAMP, OFFICE_LAMP, LAMP_19, LAMP_29, MILL
]  # fmt: skip


@pytest.mark.parametrize(
    ("spoken", "meant"),
    [
        # as it is called, in any writing
        ("Coffee Machine", [COFFEE]),
        ("coffee-machine", [COFFEE]),
        ("COFFEEMACHINE", [COFFEE]),
        ("the coffee machine", [COFFEE]),
        ("cafe muhle", [MILL]),
        # with its room, in any order
        ("kitchen lamp", [KITCHEN_LAMP]),
        ("Lamp (Office)", [OFFICE_LAMP]),
        ("the lamp in the office", [OFFICE_LAMP]),
        ("küche café mühle", [MILL]),
        # a part of it
        ("coffee", [COFFEE]),
        ("blind", [BLIND]),
        ("ceiling", [LIGHT]),
        # the whole name counts more than a part of another's
        ("front door", [DOOR]),
        ("front door lock", [LOCK]),
        ("hallway front door", [DOOR]),
        # what it is, or measures
        ("bedroom blind", [BLIND]),
        ("bedroom curtain", [BLIND]),
        ("bedroom temperature sensor", [THERMOSTAT]),
        ("front door battery", [DOOR]),
        ("front door lock battery", [LOCK]),
        ("living room lamp", [LIGHT]),
        # several that fit equally are never chosen from
        ("lamp", [KITCHEN_LAMP, OFFICE_LAMP]),
        ("bedroom", [BLIND, THERMOSTAT]),
        ("garden lamp", [LAMP_19, LAMP_29]),
        # small mistakes
        ("cofee mashine", [COFFEE]),
        ("thermostats", [THERMOSTAT]),
        ("celing lihgt", [LIGHT]),
        ("widnow blind", [BLIND]),
        ("coffeemashin", [COFFEE]),
        ("front dor", [DOOR]),
        # numbers have no small mistakes
        ("lamp 19", [LAMP_19]),
        ("lamp 39", []),
        # an unknown word is never ignored: this lamp does not exist
        ("bathroom lamp", []),
        ("attic coffee machine", []),
        ("toaster", []),
        ("", []),
        ("the", []),
        ("?!", []),
    ],
)
def test_what_is_said_means_these_things(spoken: str, meant: list[Thing]) -> None:
    assert find(spoken, HOUSE) == meant


def test_mistakes_are_not_mended_when_that_is_not_wanted() -> None:
    assert find("front dor", HOUSE, mistakes=False) == []
    assert find("front door", HOUSE, mistakes=False) == [DOOR]


def test_nearest_names_come_first() -> None:
    assert nearest("cofe", HOUSE)[0] is COFFEE
    assert len(nearest("anything", HOUSE)) == 3
    assert nearest("anything", []) == []
