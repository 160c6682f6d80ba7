"""Devices do what is wanted, or the answer says why not: checked in the device, not in the driver."""

from collections.abc import Iterator
import time
from typing import Any, NamedTuple

import pytest

from tests.zwave_network import ZwaveNetwork

from .session import Said, Session, until

pytest_plugins = ("tests.zwave_network.fixture",)

# Numbers in house.mjs.
COFFEE, LIGHT, BLIND, LOCK, CONTACT, THERMOSTAT = 2, 3, 4, 5, 6, 8
PUMP, HEATER, GARAGE, AWNING, KITCHEN_LAMP, OFFICE_LAMP = 10, 11, 12, 13, 16, 17
FEW_SECONDS = 6.0


LOCKS = ("front door lock", "garage door", "garage")


def control(zwave: Session, device: str, action: str, **arguments: Any) -> Said:
    opens = device in LOCKS or action in ("lock", "unlock")
    tool = "control_zwave_lock" if opens else "control_zwave_device"
    return zwave.call(tool, deviceName=device, action=action, **arguments)


class Deed(NamedTuple):
    """What is wanted, what is answered, and what the device then holds."""

    device: str
    action: str
    answer: str
    node: int
    held: str
    value: Any
    arguments: dict[str, Any] = {}  # noqa: RUF012


SWITCHED, LEVEL = "BinarySwitch_currentValue", "MultilevelSwitch_currentValue"
DEEDS = [
    Deed("coffee machine", "on", "Coffee Machine (Kitchen) is now on.",
         COFFEE, SWITCHED, True),
    Deed("coffee machine", "off", "Coffee Machine (Kitchen) is now off.",
         COFFEE, SWITCHED, False),
    # one that reports no success by itself
    Deed("kitchen lamp", "on", "Lamp (Kitchen) is now on.",
         KITCHEN_LAMP, SWITCHED, True),
    Deed("kitchen lamp", "off", "Lamp (Kitchen) is now off.",
         KITCHEN_LAMP, SWITCHED, False),
    Deed("ceiling light", "dim", "Ceiling Light (Living Room) is now at 50 %.",
         LIGHT, LEVEL, 50, {"level": 50}),
    Deed("ceiling light", "on", "Ceiling Light (Living Room) is now at 20 %.",
         LIGHT, LEVEL, 20, {"level": 20}),
    Deed("ceiling light", "set_level", "Ceiling Light (Living Room) is now at 100 %.",
         LIGHT, LEVEL, 99, {"level": 100}),
    Deed("ceiling light", "off", "Ceiling Light (Living Room) is now off.",
         LIGHT, LEVEL, 0),
    Deed("office lamp", "set_level", "Lamp (Office) is now at 40 %.",
         OFFICE_LAMP, LEVEL, 40, {"level": "40 %"}),
    Deed("office lamp", "turn_off", "Lamp (Office) is now off.",
         OFFICE_LAMP, LEVEL, 0),
    Deed("front door lock", "lock", "Front Door Lock (Hallway) is now locked.",
         LOCK, "DoorLock_currentMode", 255),
    Deed("front door lock", "unlock", "Front Door Lock (Hallway) is now unlocked.",
         LOCK, "DoorLock_currentMode", 0),
    Deed("garage door", "open", "Garage Door (Garage) is now open.",
         GARAGE, "BarrierOperator_state", 255),
    Deed("garage", "close", "Garage Door (Garage) is now closed.",
         GARAGE, "BarrierOperator_state", 0),
    Deed("thermostat", "set_mode", "Thermostat (Bedroom) is now in cool mode.",
         THERMOSTAT, "ThermostatMode_mode", 2, {"mode": "cool"}),
    Deed("thermostat", "set_temperature", "Thermostat (Bedroom) is set to 24 °C for cooling.",
         THERMOSTAT, "ThermostatSetpoint_setpoint_2", 24, {"temperature": 24}),
    Deed("thermostat", "set_mode", "Thermostat (Bedroom) is now in heat mode.",
         THERMOSTAT, "ThermostatMode_mode", 1, {"mode": "Heat"}),
    Deed("thermostat", "set_temperature", "Thermostat (Bedroom) is set to 21.5 °C for heating.",
         THERMOSTAT, "ThermostatSetpoint_setpoint_1", 21.5, {"temperature": "21.5 °C"}),
    Deed("thermostat", "set_mode", "Thermostat (Bedroom) is now in off mode.",
         THERMOSTAT, "ThermostatMode_mode", 0, {"mode": "off"}),
    Deed("thermostat", "set_temperature", "Thermostat (Bedroom) is set to 19 °C for heating, but its mode is off.",
         THERMOSTAT, "ThermostatSetpoint_setpoint_1", 19, {"temperature": 19}),
    Deed("thermostat", "set_fan", "Thermostat (Bedroom) has its fan set to circulation.",
         THERMOSTAT, "ThermostatFanMode_mode", 6, {"mode": "circulation"}),
]  # fmt: skip


@pytest.mark.parametrize(
    "proposed", DEEDS, ids=lambda proposed: f"{proposed.device} {proposed.action}"
)
def test_device_does_it_and_the_answer_says_so(
    zwave: Session, zwave_network: ZwaveNetwork, proposed: Deed
) -> None:
    said = control(zwave, proposed.device, proposed.action, **proposed.arguments)
    assert said.text == proposed.answer
    assert not said.error
    assert zwave_network.device(proposed.node)[proposed.held] == proposed.value
    assert said.data["node"] == proposed.node
    assert said.data["outcome"] == "confirmed"


def test_dimmer_that_is_switched_on_goes_to_its_last_level(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    control(zwave, "office lamp", "off")
    assert control(zwave, "office lamp", "on").text == "Lamp (Office) is now on."
    # 255 is what tells a dimmer to go to its last level; the mock keeps it as it is.
    assert zwave_network.device(OFFICE_LAMP)["MultilevelSwitch_currentValue"] == 255


@pytest.mark.parametrize(
    ("device", "node", "held"),
    [
        ("coffee machine", COFFEE, "BinarySwitch_currentValue"),
        ("ceiling light", LIGHT, "MultilevelSwitch_currentValue"),
    ],
)
def test_toggle_turns_what_is_there(
    zwave: Session, zwave_network: ZwaveNetwork, device: str, node: int, held: str
) -> None:
    control(zwave, device, "off")
    assert control(zwave, device, "toggle").text.endswith(" is now on.")
    assert zwave_network.device(node)[held]
    assert control(zwave, device, "toggle").text.endswith(" is now off.")
    assert not zwave_network.device(node)[held]


def test_toggle_follows_what_somebody_did_at_the_switch(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    control(zwave, "coffee machine", "off")
    zwave_network.tell("switch", node=COFFEE, on=True)
    zwave.eventually("switch on", "get_device_sensor_data", deviceName="coffee machine")
    assert control(zwave, "coffee machine", "toggle").text == "Coffee Machine (Kitchen) is now off."


def test_motor_is_said_to_move_until_it_is_there(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    said = control(zwave, "blind", "set_level", level=40)
    assert said.text == "Window Blind (Bedroom) is moving to 40 % open."
    assert said.data["outcome"] == "under way"
    position = until(
        lambda: zwave_network.device(BLIND).get("MultilevelSwitch_currentValue"),
        lambda held: held == 40,
    )
    assert position == 40
    zwave.eventually("40 % open", "get_device_sensor_data", deviceName="window blind")
    assert control(zwave, "blind", "open").text == "Window Blind (Bedroom) is opening."
    assert control(zwave, "blind", "stop").text == "Window Blind (Bedroom) has stopped."
    assert 40 <= zwave_network.device(BLIND)["MultilevelSwitch_currentValue"] < 99
    assert control(zwave, "blind", "close").text == "Window Blind (Bedroom) is closing."


def test_window_covering_opens_and_closes(zwave: Session, zwave_network: ZwaveNetwork) -> None:
    def position() -> Any:
        return zwave_network.device(AWNING).get("WindowCovering_currentValue_13")

    assert not control(zwave, "awning", "open").error
    assert until(position, lambda held: held == 99) == 99
    assert not control(zwave, "awning", "close").error
    assert until(position, lambda held: held == 0) == 0


def test_plug_with_two_outlets_is_switched_whole_or_by_number(zwave: Session) -> None:
    assert control(zwave, "double plug", "on").text == "Double Plug (Office) is now on."
    assert control(zwave, "double plug 2", "off").text == "Double Plug 2 (Office) is now off."
    text = zwave.eventually("switch 2 off", "get_device_sensor_data", deviceName="double plug").text
    assert "switch 1 on" in text
    assert control(zwave, "double plug", "off").text == "Double Plug (Office) is now off."


def test_to_lock_the_front_door_means_its_lock(zwave: Session, zwave_network: ZwaveNetwork) -> None:
    assert control(zwave, "front door", "lock").text == "Front Door Lock (Hallway) is now locked."
    assert zwave_network.device(LOCK)["DoorLock_currentMode"] == 255
    control(zwave, "front door", "unlock")


def test_room_means_what_in_it_can_do_it(zwave: Session, zwave_network: ZwaveNetwork) -> None:
    said = control(zwave, "bedroom", "set_temperature", temperature=20)
    assert said.text.startswith("Thermostat (Bedroom) is set to 20 °C")
    assert zwave_network.device(THERMOSTAT)["ThermostatSetpoint_setpoint_1"] == 20


@pytest.mark.parametrize(
    ("device", "action", "arguments", "refusal"),
    [
        ("coffee machine", "dim", {"level": 40},
         "Coffee Machine (Kitchen) is a switch: it cannot be dimmed. It can be switched on, "),
        ("front door", "on", {},
         "Front Door (Hallway) is a door sensor: it can be read, not controlled."),
        ("front door", "open", {},
         "Front Door (Hallway) is a door sensor: it can be read, not controlled."),
        ("window blind", "lock", {},
         "Window Blind (Bedroom) is a blind: control_zwave_device is for it."),
        ("coffee machine", "fly", {},
         "Coffee Machine (Kitchen) is a switch: it cannot do “fly”. It can be switched on, "),
        ("ceiling light", "dim", {}, "Which level? It takes a level from 0 to 100."),
        ("thermostat", "set_temperature", {}, "Which temperature? It takes one from 5 to 30 °C."),
        ("thermostat", "set_temperature", {"temperature": 50},
         "Thermostat (Bedroom) takes a temperature from 5 to 30 °C, not 50."),
        ("thermostat", "set_mode", {"mode": "party"},
         "Which mode? Thermostat (Bedroom) takes off, heat, cool."),
        ("thermostat", "set_mode", {}, "Which mode? Thermostat (Bedroom) takes off, heat, cool."),
        ("lamp", "on", {},
         "Several Z-Wave devices fit lamp: Lamp (Kitchen), Lamp (Office). Which one?"),
        ("attic lamp", "on", {}, "No Z-Wave device is called attic lamp. The nearest are: "),
        ("heater", "on", {}, "Heater (Cellar) did not do it: it refused the command."),
        ("roof shutter", "open", {},
         "Roof Shutter (Attic) is asleep to save its battery. It hears nothing now."),
        ("leak sensor", "on", {}, "Leak Sensor (Cellar) is a notification sensor: "),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_what_can(
    zwave: Session, device: str, action: str, arguments: dict[str, Any], refusal: str
) -> None:
    said = control(zwave, device, action, **arguments)
    assert said.error
    assert said.text.startswith(refusal)


def test_lamp_is_not_switched_when_two_have_the_name(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    def lamps() -> tuple[Any, Any]:
        kitchen, office = zwave_network.device(KITCHEN_LAMP), zwave_network.device(OFFICE_LAMP)
        return kitchen.get(SWITCHED), office.get(LEVEL)

    before = lamps()
    assert control(zwave, "lamp", "toggle").error
    assert lamps() == before


def test_call_without_its_arguments_names_them(zwave: Session) -> None:
    said = zwave.call("control_zwave_device", device_name="coffee machine")
    assert said.error
    assert said.text == (
        "deviceName is missing; action is missing; device_name is not an argument. "
        "Arguments: deviceName (needed), action (needed), level, temperature, mode."
    )


def test_refusing_device_has_not_changed(zwave: Session, zwave_network: ZwaveNetwork) -> None:
    assert control(zwave, "heater", "on").error
    assert "BinarySwitch_currentValue" not in zwave_network.device(HEATER)
    assert "switch off" in zwave.call("get_device_sensor_data", deviceName="heater").text


def test_device_that_accepts_again_is_believed_again(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    zwave_network.tell("refuse", node=COFFEE)
    said = control(zwave, "coffee machine", "on")
    assert said.text == "Coffee Machine (Kitchen) did not do it: it refused the command."
    zwave_network.tell("refuse", node=COFFEE, refuse=False)
    assert control(zwave, "coffee machine", "on").text == "Coffee Machine (Kitchen) is now on."


def test_dead_device_is_said_to_be_dead_within_seconds(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    started = time.monotonic()
    said = control(zwave, "garden pump", "on")
    assert said.error
    assert said.text == "Garden Pump (Garden) did not react: it is dead. Check its power."
    assert time.monotonic() - started < FEW_SECONDS
    assert "BinarySwitch_currentValue" not in zwave_network.device(PUMP)


@pytest.fixture
def _kitchen_lamp_lives_again(zwave: Session, zwave_network: ZwaveNetwork) -> Iterator[None]:
    yield
    zwave_network.tell("dead", node=KITCHEN_LAMP, dead=False)
    zwave_network.tell("mute", node=KITCHEN_LAMP, mute=False)
    zwave.eventually("Lamp (Kitchen), switch, o", "verify_device", deviceName="kitchen lamp")


@pytest.mark.usefixtures("_kitchen_lamp_lives_again")
def test_device_that_dies_unnoticed_is_noticed_and_returns(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    zwave_network.tell("dead", node=KITCHEN_LAMP, noticed=False)
    started = time.monotonic()
    said = control(zwave, "kitchen lamp", "on")
    assert said.error
    assert said.text == "Lamp (Kitchen) did not react: it does not answer."
    assert time.monotonic() - started < FEW_SECONDS
    assert "dead" in zwave.eventually("dead", "verify_device", deviceName="kitchen lamp").text
    # Its power is back, which the driver has not noticed: a command finds out.
    zwave_network.tell("dead", node=KITCHEN_LAMP, dead=False, noticed=False)
    assert control(zwave, "kitchen lamp", "on").text == "Lamp (Kitchen) is now on."
    assert zwave_network.device(KITCHEN_LAMP)["BinarySwitch_currentValue"] is True


@pytest.mark.usefixtures("_kitchen_lamp_lives_again")
def test_device_that_hears_and_says_nothing_is_not_reported_as_done(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    control(zwave, "kitchen lamp", "off")
    zwave_network.tell("mute", node=KITCHEN_LAMP)
    said = control(zwave, "kitchen lamp", "on")
    assert said.error
    assert said.text == (
        "Lamp (Kitchen) may or may not have done it: it took the command and then fell silent."
    )
    assert zwave_network.device(KITCHEN_LAMP)["BinarySwitch_currentValue"] is False


def test_setting_is_changed_by_name_and_number_and_read_back(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    for parameter, value in (("LED indicator", "0"), ("led", "1"), ("1", "0")):
        said = zwave.call(
            "set_device_config", deviceName="coffee machine", parameter=parameter, value=value
        )
        assert said.text == f"Coffee Machine (Kitchen) has LED indicator set to {value}."
        assert zwave_network.device(COFFEE)["Configuration_value_1"] == int(value)
    details = zwave.call("get_device_details", deviceName="coffee machine").text
    assert "LED indicator = 0 (0 to 1)" in details


def test_setting_of_a_sleeping_device_waits_for_it_to_wake_up(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    said = zwave.call(
        "set_device_config", deviceName="front door", parameter="LED indicator", value="0"
    )
    assert said.text == "Front Door (Hallway) is asleep. It gets the setting when it wakes up."
    assert "Configuration_value_1" not in zwave_network.device(CONTACT)
    zwave_network.tell("wake", node=CONTACT)
    held = until(
        lambda: zwave_network.device(CONTACT).get("Configuration_value_1"), lambda held: held == 0
    )
    assert held == 0
    # It goes back to sleep once the driver has nothing more to say: others count on that.
    asleep = zwave.eventually("Status: asleep", "get_device_details", deviceName="front door")
    assert "Status: asleep" in asleep.text


@pytest.mark.parametrize(
    ("device", "parameter", "value", "refusal"),
    [
        ("coffee machine", "auto off", "9999", "Auto-off time takes 0 to 3600, not 9999."),
        ("coffee machine", "auto off", "soon", "Auto-off time takes 0 to 3600, not soon."),
        ("coffee machine", "serial number", "9", "Serial number can be read, not changed."),
        ("coffee machine", "strength", "9", "Coffee Machine (Kitchen) has no setting strength."),
        ("coffee machine", "99", "9", "Coffee Machine (Kitchen) has no setting 99."),
        ("ceiling light", "1", "1", "Ceiling Light (Living Room) has no settings."),
    ],
)
def test_setting_that_cannot_be_is_refused_before_it_is_sent(
    zwave: Session, device: str, parameter: str, value: str, refusal: str
) -> None:
    said = zwave.call("set_device_config", deviceName=device, parameter=parameter, value=value)
    assert said.error
    assert said.text.startswith(refusal)
