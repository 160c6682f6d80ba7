"""What may not be used is neither told of nor touched, and what keeps people out has a tool of its own."""

from collections.abc import Iterator
import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.zwave_network import ZwaveNetwork

from .session import Said, Session, session

pytest_plugins = ("tests.zwave_network.fixture",)

# Numbers in house.mjs.
COFFEE, BLIND, LOCK, CONTACT, PUMP, GARAGE = 2, 4, 5, 6, 10, 12
USE = ["read", "control"]
MAY: dict[int, dict[str, Any]] = {
    COFFEE: {"may": USE},
    BLIND: {"may": USE, "opens": True, "name": "Yard Gate"},
    LOCK: {"may": ["read"]},
    CONTACT: {"may": ["read"], "name": "Entrance"},
    GARAGE: {"may": [*USE, "open"], "opens": True},
    # Its entities are there, and none of them is exposed.
    PUMP: {"name": "Garden Pump", "location": "Garden"},
}
HIDDEN = ("Pump", "Thermostat", "Lamp", "Ceiling Light", "Double Plug", "Node 14", "Heater")


class Shared(NamedTuple):
    """A server, and the file that tells it what may be used."""

    zwave: Session
    file: Path

    def tell(self, may: Any) -> None:
        """Change what may be used."""
        whole = self.file.with_suffix(".new")
        whole.write_text(may if isinstance(may, str) else json.dumps(may))
        whole.replace(self.file)

    def call(self, tool: str, device: str = "", **arguments: Any) -> Said:
        """Call a tool."""
        return self.zwave.call(tool, **({"deviceName": device} if device else {}), **arguments)


@pytest.fixture(scope="module")
def shared(
    zwave_network: ZwaveNetwork, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shared]:
    """Return a server that may use some devices."""
    folder = tmp_path_factory.mktemp("exposed")
    file = folder / "devices.json"
    options = ("--names", str(file), "--only-exposed", "--locks")
    with session(zwave_network.url, folder / "stderr", *options) as zwave:
        shared = Shared(zwave, file)
        shared.tell(MAY)
        yield shared


def test_nothing_is_told_of_a_device_that_may_not_be_read(shared: Shared) -> None:
    asked: list[tuple[str, dict[str, Any]]] = [
        ("list_zwave_devices", {"includeInactive": True}),
        ("list_zwave_devices", {"filter": "dead", "includeInactive": True}),
        ("list_devices", {"limit": 100}),
        ("check_zwave_health", {}),
        *(
            (tool, {"deviceName": name})
            for tool in ("verify_device", "ping_device")
            for name in HIDDEN
        ),
        *(
            (tool, {"deviceName": name})
            for tool in ("get_device_details", "get_device_sensor_data")
            for name in ("node 10", "8", "bedroom", "coffee machine")
        ),
    ]
    for tool, arguments in asked:
        said = shared.zwave.call(tool, **arguments)
        text = f"{said.text} {said.data}".replace(f"is called {arguments.get('deviceName')}", "")
        assert not any(name in text for name in HIDDEN), (tool, arguments)
    assert shared.call("list_devices").data["total"] == len(MAY) - 1


class Attempt(NamedTuple):
    """A call, and how its refusal begins."""

    tool: str
    device: str
    arguments: dict[str, Any]
    refusal: str


ATTEMPTS = [
    Attempt(*each)
    for each in (
        ("control_zwave_device", "garden pump", {"action": "on"}, "No Z-Wave device is called"),
        ("control_zwave_device", "node 10", {"action": "on"}, "No Z-Wave device is called"),
        ("set_device_config", "garden pump", {"parameter": "1", "value": "1"}, "No Z-Wave device"),
        ("set_device_config", "entrance", {"parameter": "1", "value": "0"},
         "Entrance (Hallway) can only be read"),
        ("set_device_config", "front door lock", {"parameter": "1", "value": "0"},
         "Front Door Lock (Hallway) can only be read"),
        ("control_zwave_lock", "front door lock", {"action": "unlock"},
         "Front Door Lock (Hallway) can only be read"),
        # A motor says nothing of what it moves.
        ("control_zwave_device", "yard gate", {"action": "open"},
         "Yard Gate (Bedroom) keeps people out: control_zwave_lock is for it"),
        ("control_zwave_device", "yard gate", {"action": "set_level", "level": 100},
         "Yard Gate (Bedroom) keeps people out: control_zwave_lock is for it"),
        ("control_zwave_lock", "yard gate", {"action": "open"},
         "Yard Gate (Bedroom) can only be read"),
        ("control_zwave_device", "garage door", {"action": "open"},
         "Garage Door (Garage) keeps people out: control_zwave_lock is for it"),
        ("control_zwave_device", "front door lock", {"action": "unlock"},
         "Front Door Lock (Hallway) keeps people out: control_zwave_lock is for it"),
        ("control_zwave_lock", "coffee machine", {"action": "on"}, "This tool takes lock, unlock"),
        ("control_zwave_lock", "coffee machine", {"action": "open"},
         "Coffee Machine (Kitchen) is a switch: control_zwave_device is for it."),
    )
]  # fmt: skip


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda each: f"{each.tool} {each.device}")
def test_what_may_not_be_done_is_refused_and_not_done(
    shared: Shared, zwave_network: ZwaveNetwork, attempt: Attempt
) -> None:
    nodes = (COFFEE, BLIND, LOCK, CONTACT, PUMP, GARAGE)
    before = [zwave_network.device(node) for node in nodes]
    said = shared.call(attempt.tool, attempt.device, **attempt.arguments)
    assert said.error
    assert said.text.startswith(attempt.refusal)
    assert [zwave_network.device(node) for node in nodes] == before


def test_what_may_be_done_is_done_as_soon_as_it_may_be(
    shared: Shared, zwave_network: ZwaveNetwork
) -> None:
    assert not shared.call("control_zwave_device", "coffee machine", action="off").error
    assert not shared.call("control_zwave_lock", "garage door", action="open").error
    shared.tell({**MAY, LOCK: {"may": ["read", "open"]}})
    assert not shared.call("control_zwave_lock", "front door lock", action="lock").error
    assert zwave_network.device(LOCK)["DoorLock_currentMode"] == 255
    shared.tell(MAY)
    assert shared.call("control_zwave_lock", "front door lock", action="unlock").error
    # Nothing that is not known to be exposed may be used.
    for nothing in ("no JSON", "{}"):
        shared.tell(nothing)
        for tool, device in (("verify_device", "coffee machine"), ("list_zwave_devices", "")):
            said = shared.call(tool, device)
            assert said.text == "There is no Z-Wave device that may be used: none is exposed."
    shared.tell(MAY)


def test_tool_for_locks_is_there_where_it_is_asked_for(
    zwave_network: ZwaveNetwork, tmp_path: Path
) -> None:
    with session(zwave_network.url, tmp_path / "stderr") as zwave:
        assert "control_zwave_lock" not in [tool.name for tool in zwave.tools()]
        said = zwave.call("control_zwave_lock", deviceName="front door lock", action="unlock")
        assert said.error
        assert said.text.startswith("There is no tool control_zwave_lock.")
        said = zwave.call("control_zwave_device", deviceName="front door lock", action="unlock")
        assert "keeps people out" in said.text
