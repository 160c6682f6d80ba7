"""What the server says about devices: in true, short words, from memory."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.zwave_network import ZwaveNetwork

from .session import Session, session, until

pytest_plugins = ("tests.zwave_network.fixture",)

DEVICES = 18  # of house.mjs, without the controller
LAMPS = "Lamp (Kitchen), Lamp (Office)"
# What a tool answers, in parts; whether it is an error.
ANSWERS: list[tuple[str, dict[str, Any], list[str], bool]] = [
    ("list_zwave_devices", {},
     ["16 Z-Wave devices:\n", "Hallway: Front Door (door sensor, ", "Window Blind (blind, ",
      "Front Door Lock (lock, ", "\nBathroom: Climate Sensor (sensor, 22.3 °C, 58 %)\n",
      "No room: ", "Motion Sensor (motion sensor, ", "Node 14 (switch, off)",
      "\nNot working: ", "Garden Pump (Garden) is dead", "Leak Sensor (Cellar) is not fully set up"],
     False),
    ("list_zwave_devices", {"includeInactive": True},
     [f"{DEVICES} Z-Wave devices:", "Garden: Garden Pump (switch, dead)"], False),
    ("list_zwave_devices", {"filter": "sauna"},
     [f"No Z-Wave device fits “sauna”; there are {DEVICES} in all."], False),
    ("list_zwave_devices", {"filter": "all"}, ["16 Z-Wave devices:"], False),
    ("list_devices", {}, [f"Z-Wave devices 1 to 10 of {DEVICES}:"], False),
    ("list_devices", {"offset": 50}, [f"There are {DEVICES} Z-Wave devices, none from 51 on."], False),
    ("verify_device", {"deviceName": "coffee pot"},
     ["No Z-Wave device is called coffee pot. The nearest are: Coffee Machine"], True),
    ("verify_device", {"deviceName": "lamp"}, [f"2 Z-Wave devices fit: {LAMPS}."], False),
    ("get_device_sensor_data", {"deviceName": "lamp"},
     [f"Several Z-Wave devices fit lamp: {LAMPS}. Which one?"], True),
    ("get_device_sensor_data", {"deviceName": "the bedroom"},
     ["Thermostat (Bedroom): ", "temperature 19.5 °C", "Window Blind (Bedroom): position "], False),
    ("ping_device", {"deviceName": "coffee machine"},
     ["Coffee Machine (Kitchen) answers, in "], False),
    ("ping_device", {"deviceName": "garden pump"},
     ["Garden Pump (Garden) does not answer, last heard "], True),
    ("ping_device", {"deviceName": "front door"},
     ["Front Door (Hallway) is asleep to save its battery, last heard "], True),
    ("get_device_details", {"deviceName": "thermostat"},
     ["set to a temperature from 5 to 30 °C", "set to a mode (off, heat, cool)"], False),
    ("get_device_details", {"deviceName": "garden pump"}, ["Problems: dead"], False),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "parts", "is_error"), ANSWERS)
def test_answer_says_what_there_is(
    zwave: Session, tool: str, arguments: dict[str, Any], parts: list[str], *, is_error: bool
) -> None:
    said = zwave.call(tool, **arguments)
    assert [part for part in parts if part not in said.text] == []
    assert said.error is is_error


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ("bedroom", {"Thermostat", "Window Blind"}),
        ("lights", {"Ceiling Light", "Lamp"}),
        ("locks", {"Front Door Lock"}),
        ("battery", {"Front Door", "Front Door Lock", "Motion Sensor", "Roof Shutter"}),
        ("temperature", {"Thermostat", "Climate Sensor"}),
        ("dead", {"Garden Pump"}),
    ],
)
def test_list_is_filtered_by_room_kind_and_state(
    zwave: Session, wanted: str, names: set[str]
) -> None:
    text = zwave.call("list_zwave_devices", filter=wanted, includeInactive=True).text
    every = zwave.call("list_devices", limit=100).data["devices"]
    # The longest first, since one name is a part of another.
    shown = set()
    for name in sorted({device["name"] for device in every}, key=len, reverse=True):
        if f"{name} (" in text:
            shown.add(name)
            text = text.replace(f"{name} (", "")
    assert shown == names


def test_pages_hold_every_device_once(zwave: Session) -> None:
    pages = [zwave.call("list_devices", limit=5, offset=offset) for offset in range(0, DEVICES, 5)]
    nodes = [device["node"] for page in pages for device in page.data["devices"]]
    assert sorted(nodes) == list(range(2, 2 + DEVICES))
    assert pages[0].text.startswith(f"Z-Wave devices 1 to 5 of {DEVICES}:")
    assert pages[0].text.endswith("More from offset 5.")
    assert "More" not in pages[-1].text


@pytest.mark.parametrize(
    ("spoken", "found"),
    [
        ("coffee machine", "Coffee Machine (Kitchen), switch"),
        ("cofee mashine", "Coffee Machine (Kitchen), switch"),
        ("lamp in the office", "Lamp (Office), dimmer"),
        ("front door", "Front Door (Hallway), door sensor"),
        ("node 12", "Garage Door (Garage), garage door"),
        ("12", "Garage Door (Garage), garage door"),
        ("motion", "Motion Sensor, motion sensor"),
        ("node 14", "Node 14, switch"),
        ("double plug 2", "Double Plug 2 (Office), switch"),
    ],
)
def test_device_is_verified_by_what_people_call_it(zwave: Session, spoken: str, found: str) -> None:
    said = zwave.call("verify_device", deviceName=spoken)
    assert said.text.startswith(f"Yes: {found}")
    assert not said.error


@pytest.mark.parametrize(
    ("spoken", "readings"),
    [
        ("climate sensor", ["temperature 22.3 °C", "humidity 58 %"]),
        ("coffee machine", ["energy 12.5 kWh", "power 42.5 W"]),
        ("motion sensor", ["no motion", "illuminance 320 lux", "battery 8 %"]),
        ("front door", ["battery 87 %"]),
        ("front door lock", ["battery 64 %"]),
        ("garage door", ["door "]),
        ("awning", ["position "]),
        ("garden pump", ["Garden Pump (Garden), dead: switch off"]),
        ("leak sensor", ["not fully set up: reports nothing"]),
        ("double plug", ["switch 1 ", "switch 2 "]),
    ],
)
def test_every_kind_of_reading_is_said_with_unit_and_age(
    zwave: Session, spoken: str, readings: list[str]
) -> None:
    said = zwave.call("get_device_sensor_data", deviceName=spoken)
    for reading in readings:
        assert reading in said.text
    for datum in said.data["readings"]:
        assert isinstance(datum["age"], int), datum


def test_what_happens_in_the_house_is_known_at_once(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    zwave_network.tell("door", node=6, open=True)
    said = zwave.eventually("door open", "get_device_sensor_data", deviceName="front door")
    assert "door open, just now" in said.text
    assert said.data["readings"][0] == {
        "device": "Front Door", "name": "door", "value": "open", "unit": None, "age": 0
    }  # fmt: skip
    zwave_network.tell("door", node=6, open=False)
    zwave.eventually("door closed", "get_device_sensor_data", deviceName="front door")
    assert "Front Door (door sensor, closed)" in zwave.call("list_zwave_devices").text

    zwave_network.tell("motion", node=7, detected=True)
    zwave.eventually("motion detected", "get_device_sensor_data", deviceName="motion sensor")
    zwave_network.tell("motion", node=7, detected=False)
    zwave.eventually("no motion", "get_device_sensor_data", deviceName="motion sensor")

    zwave_network.tell("sensor", node=8, type=1, value=18.25)
    said = zwave.eventually("18.2", "get_device_sensor_data", deviceName="bedroom temperature")
    assert "temperature 18.2" in said.text
    zwave_network.tell("sensor", node=8, type=1, value=19.5)
    zwave.eventually("19.5", "get_device_sensor_data", deviceName="thermostat")


def test_health_names_each_problem_the_worst_first(zwave: Session) -> None:
    said = zwave.call("check_zwave_health")
    lines = said.text.splitlines()
    assert lines[0] == f"Z-Wave has 3 problems among {DEVICES} devices."
    assert lines[1].startswith("Garden Pump (Garden): dead, last heard ")
    assert lines[2] == "Leak Sensor (Cellar): not fully set up, wake it up to finish."
    assert lines[3] == "Motion Sensor: battery at 8 %."
    assert lines[4].startswith("Controller: ")
    assert [problem["kind"] for problem in said.data["problems"]] == [
        "dead",
        "interview",
        "battery",
    ]


def test_new_battery_is_no_problem_any_more(zwave: Session, zwave_network: ZwaveNetwork) -> None:
    zwave_network.tell("battery", node=7, level=100)
    text = zwave.eventually("2 problems", "check_zwave_health").text
    assert "Motion Sensor: battery" not in text
    zwave_network.tell("battery", node=7, level=8, low=True)
    zwave.eventually("Motion Sensor: battery at 8 %", "check_zwave_health")


def test_details_say_what_a_device_is_and_can(zwave: Session) -> None:
    text = zwave.call("get_device_details", deviceName="coffee machine").text
    lines = text.splitlines()
    assert lines[0] == "Coffee Machine (Kitchen): switch, node 2"
    assert "Firmware: 1.0" in lines
    assert "Security: none" in lines
    assert "Can be: switched on, switched off, toggled" in lines
    assert any(line.startswith("Status: alive, last heard ") for line in lines)
    assert any(line.startswith("Connection: answers in ") for line in lines)
    assert "LED indicator = " in text
    assert "Auto-off time = " in text
    assert "Serial number = 7 (read only)" in text


def test_names_given_elsewhere_hold_and_follow_their_file(
    zwave_network: ZwaveNetwork, tmp_path: Path
) -> None:
    names = tmp_path / "names.json"
    names.write_text(json.dumps({"14": {"name": "Espresso", "location": "Bar"}}))
    with session(zwave_network.url, tmp_path / "stderr", "--names", str(names)) as zwave:
        assert "Bar: Espresso (switch, off)" in zwave.call("list_zwave_devices").text
        names.write_text(json.dumps({"14": {"name": "Grinder"}, "2": {"location": "Cellar"}}))
        text = zwave.call("list_zwave_devices").text
        assert "Grinder (switch, off)" in text
        assert "Cellar: Coffee Machine" in text
        names.write_text("not json")
        assert "Grinder (switch, off)" in zwave.call("list_zwave_devices").text


def test_devices_are_spoken_of_in_the_language_that_the_server_was_given(
    zwave_network: ZwaveNetwork, tmp_path: Path
) -> None:
    names = tmp_path / "names.json"
    names.write_text(json.dumps({"14": {"name": "Lampada", "location": "Ufficio"}}))
    options = ("--names", str(names), "--language", "it-IT")
    with session(zwave_network.url, tmp_path / "stderr", *options) as zwave:
        said = zwave.call("verify_device", deviceName="la lampada dell'ufficio")
        assert said.text.startswith("Yes: Lampada (Ufficio)")
        assert zwave.call("verify_device", deviceName="die Lampada im Ufficio").error
        # And in English, as models write.
        assert not zwave.call("verify_device", deviceName="the coffee machine").error


def test_device_that_was_renamed_is_called_by_its_new_name(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    zwave_network.tell("rename", node=16, name="Spotlight")
    said = until(
        lambda: zwave.call("verify_device", deviceName="spotlight"), lambda said: not said.error
    )
    assert said.text.startswith("Yes: Spotlight (Kitchen)")
    zwave_network.tell("rename", node=16, name="Lamp")
    zwave.eventually("Lamp (Kitchen)", "verify_device", deviceName="lamp")
