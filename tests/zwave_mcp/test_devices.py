"""What devices say that the simulated network has not: built with the client library's own models."""

from datetime import UTC, datetime, timedelta
from typing import Any, cast
from unittest.mock import Mock

import pytest
from zwave_js_server.const import CommandClass as CC, NodeStatus
from zwave_js_server.model.node import Node

from custom_components.voice_gateway.names.matching import matcher
from custom_components.voice_gateway.zwave_mcp.actions import DesiredAction, abilities, commands
from custom_components.voice_gateway.zwave_mcp.answers import NoAnswerError
from custom_components.voice_gateway.zwave_mcp.configuration import settings, the_setting
from custom_components.voice_gateway.zwave_mcp.devices import Device
from custom_components.voice_gateway.zwave_mcp.health import ago, connection, problems_of

type State = dict[str, Any]


def value(command_class: int, property_: str | int, held: Any, **more: Any) -> State:
    """Return a value as a Z-Wave JS server sends it; `more` is metadata but for the keys."""
    keys = {
        key: more.pop(key) for key in ("propertyKey", "propertyKeyName", "endpoint") if key in more
    }
    return {
        "commandClass": command_class,
        "commandClassName": CC(command_class).name,
        "property": property_,
        "propertyName": more.pop("propertyName", str(property_)),
        "endpoint": 0,
        "ccVersion": 1,
        "value": held,
        "metadata": {"type": "any", "readable": True, "writeable": True} | more,
    } | keys


def device(*values: State, specific: str = "", **state: Any) -> Device:
    """Return a device with these values, and a node's state otherwise like that."""
    classes = {key: {"key": 1, "label": specific} for key in ("basic", "generic", "specific")}
    data: State = {
        "nodeId": 5,
        "index": 0,
        "status": NodeStatus.ALIVE,
        "ready": True,
        "isControllerNode": False,
        "isListening": True,
        "lastSeen": datetime.now(UTC).isoformat(),
        "deviceClass": classes,
        "values": list(values),
        "endpoints": [],
    }
    # The client is only what commands are sent with.
    return Device(Node(Mock(), cast("Any", data | state)), "Thing", "")


def statistics(**given: Any) -> State:
    counters = ("commandsTX", "commandsRX", "commandsDroppedTX", "commandsDroppedRX")
    return dict.fromkeys((*counters, "timeoutResponse"), 0) | given


DOOR_STATES = {"22": "Window/door is open", "23": "Window/door is closed",
               "5633": "Window/door is open in tilt position"}  # fmt: skip


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([value(CC.SENSOR_BINARY, "Motion", held=True)], "Motion detected"),
        ([value(CC.SENSOR_BINARY, "Door/Window", held=False)], "door closed"),
        ([value(CC.SENSOR_BINARY, "Smoke", held=False)], "no smoke"),
        ([value(CC.LOCK, "locked", held=True)], "lock locked"),
        ([value(CC.DOOR_LOCK, "currentMode", 255)], "lock locked"),
        ([value(CC.METER, "value", 229.94, unit="V", label="Voltage")], "voltage 229.94 V"),
        ([value(CC.METER, "value", 7, unit="m³", label="Gas")], "gas 7 m³"),
        ([value(CC.BATTERY, "isLow", held=True)], "battery warning low"),
        ([value(CC.SWITCH_MULTILEVEL, "currentValue", 99)], "level 100 %"),
        ([value(CC.SENSOR_MULTILEVEL, "Air temperature", 70.25, unit="°F")], "temperature 70.25 °F"),
        ([value(CC.SENSOR_MULTILEVEL, "Power", 1_234_567, unit="W")], "power 1234567 W"),
        ([value(CC.SENSOR_MULTILEVEL, "Power", None, unit="W")], ""),
        (
            [value(CC.NOTIFICATION, "Access Control", 5633, label="Door state", states=DOOR_STATES)],
            "door tilted",
        ),
        (
            [value(CC.NOTIFICATION, "Water Alarm", 2, label="Sensor status",
                   states={"0": "idle", "2": "Water leak detected"})],
            "water water leak detected",
        ),
        (
            [value(CC.NOTIFICATION, "Smoke Alarm", 0, label="Sensor status", states={"0": "idle"})],
            "no smoke",
        ),
        (
            [value(CC.THERMOSTAT_OPERATING_STATE, "state", 1, states={"1": "Heating"})],
            "activity heating",
        ),
    ],
)  # fmt: skip
def test_reading_is_said_in_words(values: list[State], said: str) -> None:
    assert ", ".join(map(str, device(*values).readings)).lower() == said.lower()


def test_same_thing_reported_twice_is_said_once() -> None:
    door = device(
        value(CC.SENSOR_BINARY, "Door/Window", held=True),
        value(CC.NOTIFICATION, "Access Control", 22, label="Door state", states=DOOR_STATES),
    )
    assert list(map(str, door.readings)) == ["door open"]


@pytest.mark.parametrize(
    ("made_of", "kind"),
    [
        ({"values": [value(CC.SWITCH_MULTILEVEL, "currentValue", 0)], "specific": "Fan Switch"}, "fan"),
        ({"values": [value(CC.SWITCH_MULTILEVEL, "currentValue", 0)],
          "specific": "Multiposition Motor"}, "blind"),
        ({"values": [value(CC.SENSOR_BINARY, "Door/Window", held=True)]}, "door sensor"),
        ({"values": [value(CC.METER, "value", 1, unit="kWh")]}, "sensor"),
        ({"values": [], "specific": "Portable Remote"}, "portable remote"),
    ],
)  # fmt: skip
def test_kind_is_told_by_what_a_device_has(made_of: State, kind: str) -> None:
    values = made_of.pop("values")
    assert device(*values, **made_of).kind == kind


def seen(**ago_: float) -> str:
    return (datetime.now(UTC) - timedelta(**ago_)).isoformat()


@pytest.mark.parametrize(
    ("state", "kind", "text"),
    [
        (
            {"status": NodeStatus.DEAD, "lastSeen": seen(hours=3)},
            "dead",
            "dead, last heard 3 hours ago",
        ),
        ({"lastSeen": seen(days=2)}, "silent", "silent, last heard 2 days ago"),
        (
            {"ready": False, "interviewStage": "Failed"},
            "interview",
            "not fully set up, its interview failed",
        ),
        (
            {"statistics": statistics(commandsTX=100, timeoutResponse=8, commandsDroppedTX=4)},
            "signal",
            "bad connection, 12 of 100 commands lost",
        ),
        (
            {"statistics": statistics(rtt=2345.6)},
            "signal",
            "slow connection, 2.3 seconds for an answer",
        ),
        ({"statistics": statistics(rssi=-96)}, "signal", "weak signal, -96 dBm"),
    ],
)
def test_problem_is_found_and_named(state: State, kind: str, text: str) -> None:
    [problem] = problems_of(device(**state))
    assert (problem.kind, problem.text) == (kind, text)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"lastSeen": seen(hours=23)},
        {"statistics": statistics(commandsTX=3, timeoutResponse=3)},
        # 127 is an error code, not a signal.
        {"statistics": statistics(rssi=127, rtt=40)},
    ],
)
def test_what_is_no_problem_is_not_named(state: State) -> None:
    assert problems_of(device(**state)) == []


def test_sleeping_device_may_be_silent_until_it_missed_three_wake_ups() -> None:
    daily = value(CC.WAKE_UP, "wakeUpInterval", 86400)
    sleeping: State = {"isListening": False, "status": NodeStatus.ASLEEP}
    assert problems_of(device(daily, lastSeen=seen(days=2), **sleeping)) == []
    [problem] = problems_of(device(daily, lastSeen=seen(days=4), **sleeping))
    assert problem.kind == "silent"


def test_connection_says_time_signal_and_way() -> None:
    route = {"protocolDataRate": 3, "repeaters": [], "rssi": -60}
    thing = device(statistics=statistics(rtt=33.4, rssi=-71, lwr=route, commandsTX=50))
    assert connection(thing.node, []) == (
        "answers in 33 ms, signal -71 dBm, direct, 0 of 50 commands lost"
    )


def test_devices_on_the_way_are_named_where_they_may_be() -> None:
    there, hidden = device(nodeId=7), device(nodeId=8)
    route = {"protocolDataRate": 3, "repeaters": [7, 8], "repeaterRSSI": []}
    thing = device(statistics=statistics(lwr=route))
    nodes = {7: there.node, 8: hidden.node}
    cast("Mock", thing.node.client).driver.controller.nodes = nodes
    assert connection(thing.node, [there]) == "through Thing, another device"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "just now"), (59, "just now"), (60, "1 minute ago"), (7200, "2 hours ago"),
     (3 * 86400 + 5, "3 days ago")],
)  # fmt: skip
def test_age_is_said_in_words(seconds: float, words: str) -> None:
    assert ago(seconds) == words


MODES = value(CC.CONFIGURATION, 3, 1, label="Switch mode", states={"0": "Toggle", "1": "Momentary"})
STEPS = value(
    CC.CONFIGURATION, 4, 10, label="Report interval", allowed=[{"value": 0}, {"from": 10, "to": 60, "step": 5}]
)  # fmt: skip
RED = value(CC.CONFIGURATION, 8, 0, label="Red brightness", propertyKey=255, min=0, max=255)
BLUE = value(CC.CONFIGURATION, 8, 0, label="Blue brightness", propertyKey=65280, min=0, max=255)
SET = device(MODES, STEPS, RED, BLUE)


@pytest.mark.parametrize(
    ("parameter", "wanted", "sent"),
    [
        ("switch mode", "toggle", 0),
        ("mode", "1", 1),
        ("3", "Momentary", 1),
        ("interval", "15", 15),
        ("report interval", "0", 0),
        ("blue", "200", 200),
        ("parameter 4", "60", 60),
    ],
)
def test_setting_takes_names_and_numbers(parameter: str, wanted: str, sent: int) -> None:
    assert the_setting(SET, parameter, matcher("en")).change(wanted).to == sent


@pytest.mark.parametrize(
    ("parameter", "wanted", "refusal"),
    [
        ("switch mode", "2", "Switch mode takes 0 Toggle, 1 Momentary, not 2."),
        ("report interval", "12", "Report interval takes 0, 10 to 60 in steps of 5, not 12."),
        ("blue brightness", "256", "Blue brightness takes 0 to 255, not 256."),
        ("8", "1", "Several settings fit 8: Red brightness, Blue brightness. Which one?"),
        ("brightness", "1", "Several settings fit brightness: "),
        ("colour", "1", "Thing has no setting colour. The nearest are: "),
    ],
)
def test_setting_refuses_what_it_does_not_take(parameter: str, wanted: str, refusal: str) -> None:
    with pytest.raises(NoAnswerError) as error:
        the_setting(SET, parameter, matcher("en")).change(wanted)
    assert str(error.value).startswith(refusal)


def test_settings_are_shown_with_their_state() -> None:
    assert str(settings(SET)[0]) == "Switch mode = Momentary (0 Toggle, 1 Momentary)"


def test_old_lock_and_fan_are_controlled_too() -> None:
    lock = device(value(CC.LOCK, "locked", held=False))
    [command] = commands(lock, DesiredAction("lock"))
    assert (command.to, command.done) == (True, "is now locked")
    fan = device(
        value(CC.SWITCH_MULTILEVEL, "currentValue", 0),
        value(CC.SWITCH_MULTILEVEL, "targetValue", 0),
        specific="Fan Switch",
    )
    assert set(abilities(fan)) == {"on", "off", "toggle", "set_level", "dim"}
    [command] = commands(fan, DesiredAction("set_level", level=100))
    assert (command.to, command.done) == (99, "is now at 100 %")
