"""The connection to Z-Wave JS: it comes back by itself, and while it is away the answer says so."""

from collections.abc import Callable, Iterator
from pathlib import Path
import socket
import time

from aiohttp import ClientConnectionResetError
import pytest

from custom_components.voice_gateway.zwave_mcp import network
from custom_components.voice_gateway.zwave_mcp.answers import NoAnswerError
from custom_components.voice_gateway.zwave_mcp.network import Network, NotConfirmedError
from tests.zwave_network import ZwaveNetwork, missing, zwave_network as started_network
from tests.zwave_network.websocket import websocket

from .session import DEADLINE, Said, Session, session, until

pytest_plugins = ("tests.zwave_network.fixture",)

KITCHEN_LAMP = 16
PATIENCE = 5.0  # seconds that a question waits for a connection being made
MANY = 100


@pytest.fixture
def server_stopped(zwave: Session, zwave_network: ZwaveNetwork) -> Iterator[Callable[[], None]]:
    """Stop Z-Wave JS' server; return what starts it again."""
    zwave_network.tell("stop")
    running = False

    def start() -> None:
        nonlocal running
        zwave_network.tell("start")
        running = True

    yield start
    if not running:
        start()
    zwave.eventually("Z-Wave devices", "list_zwave_devices")


def test_connection_that_is_cut_is_back_for_the_next_question(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    zwave_network.tell("cut")
    assert zwave.call("list_zwave_devices").text.startswith("16 Z-Wave devices:")
    assert not zwave.call("control_zwave_device", deviceName="coffee machine", action="on").error


def test_ages_are_known_again_after_the_connection_was_cut(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    # Nobody confirms what these are told, so Z-Wave JS has no time for their targets.
    zwave.call("control_zwave_lock", deviceName="garage door", action="open")
    zwave.call("control_zwave_device", deviceName="double plug 2", action="toggle")
    zwave_network.tell("cut")
    for name in ("garage door", "double plug", "climate sensor"):
        said = zwave.call("get_device_sensor_data", deviceName=name)
        assert all(isinstance(reading["age"], int) for reading in said.data["readings"]), said


def test_what_happened_while_the_connection_was_away_is_known(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    zwave_network.tell("stop")
    zwave_network.tell("door", node=6, open=True)
    zwave_network.tell("start")
    zwave.eventually("door open", "get_device_sensor_data", deviceName="front door")
    zwave_network.tell("door", node=6, open=False)
    zwave.eventually("door closed", "get_device_sensor_data", deviceName="front door")


def test_without_a_server_every_tool_says_so_at_once(
    zwave: Session, zwave_network: ZwaveNetwork, server_stopped: Callable[[], None]
) -> None:
    arguments = {"deviceName": "coffee machine", "action": "on", "parameter": "1", "value": "1"}
    for tool in zwave.tools():
        needed = {name: arguments[name] for name in tool.input_schema.get("required", ())}
        started = time.monotonic()
        said = zwave.call(tool.name, **needed)
        assert said.error
        assert said.text == (
            f"Z-Wave is not available: no Z-Wave JS server answers at {zwave_network.url}."
        ), tool.name
        assert time.monotonic() - started < PATIENCE


def test_server_that_is_started_again_is_used_for_the_next_question(
    zwave: Session, server_stopped: Callable[[], None]
) -> None:
    assert zwave.call("list_zwave_devices").error
    server_stopped()
    assert zwave.call("list_zwave_devices").text.startswith("16 Z-Wave devices:")
    assert not zwave.call("control_zwave_device", deviceName="coffee machine", action="off").error


def test_command_whose_connection_is_cut_is_neither_done_nor_not(
    zwave: Session, zwave_network: ZwaveNetwork
) -> None:
    zwave_network.tell("mute", node=KITCHEN_LAMP)
    arguments = {"deviceName": "kitchen lamp", "action": "toggle"}
    try:
        before = zwave_network.device(KITCHEN_LAMP)["frames"]
        call = zwave.portal.start_task_soon(
            zwave.client.call_tool, "control_zwave_device", arguments
        )
        until(lambda: zwave_network.device(KITCHEN_LAMP)["frames"], lambda frames: frames > before)
        zwave_network.tell("cut")
        said = Said.of(call.result(DEADLINE))
    finally:
        zwave_network.tell("mute", node=KITCHEN_LAMP, mute=False)
    assert said.error
    assert said.text == (
        "Lamp (Kitchen) may or may not have done it: the connection to Z-Wave JS was lost."
    )


async def test_command_that_finds_its_connection_just_closed_is_neither_done_nor_not() -> None:
    """The client library does not know yet, and the connection can't be written to any more."""

    async def written() -> None:
        raise ClientConnectionResetError("Cannot write to closing transport")

    with pytest.raises(NotConfirmedError, match=r"^the connection to Z-Wave JS was lost$"):
        await Network("ws://127.0.0.1:1").ask(written(), within=1)


# The client library leaves its websocket to the session.
@pytest.mark.parametrize("expected_lingering_timers", [True])
async def test_server_of_another_schema_is_named_with_what_to_do() -> None:
    version = {"type": "version", "driverVersion": "15.0.0", "serverVersion": "3.10.2",
               "homeId": 1, "minSchemaVersion": 0, "maxSchemaVersion": 50}  # fmt: skip
    async with websocket(lambda socket: socket.send_json(version)) as url, Network(url) as zwave:
        with pytest.raises(NoAnswerError) as raised:
            await zwave.driver()
    assert str(raised.value) == (
        "Z-Wave is not available: Z-Wave JS server 3.10.2 speaks API schema 50, schema 51 is needed; "
        "update Z-Wave JS."
    )


async def test_server_that_accepts_and_is_silent_is_not_waited_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert network.CONNECT_TIMEOUT == PATIENCE
    monkeypatch.setattr(network, "CONNECT_TIMEOUT", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        async with Network(f"ws://127.0.0.1:{silent.getsockname()[1]}") as zwave:
            with pytest.raises(NoAnswerError, match=r"^Z-Wave is not available: "):
                await zwave.driver()


@pytest.mark.soak
def test_hundred_nodes_are_listed_in_no_time(tmp_path: Path) -> None:
    if reason := missing():
        pytest.skip(reason)
    with (
        started_network("--nodes", str(MANY)) as many,
        session(many.url, tmp_path / "stderr") as zwave,
    ):
        times = []
        for _ in range(5):
            started = time.monotonic()
            said = zwave.call("list_zwave_devices", includeInactive=True)
            times.append(time.monotonic() - started)
        found = zwave.call("verify_device", deviceName="lamp 77")
        health = zwave.call("check_zwave_health")
    names = [part for line in said.text.splitlines() for part in line.split(" (")]
    assert said.text.startswith(f"{MANY - 1} Z-Wave devices:")
    assert len(names) - len(said.text.splitlines()) == MANY - 1
    # The quickest, because the machine may have other things to do.
    assert min(times) < 0.1
    assert found.text.startswith("Yes: Lamp 77 (")
    assert f"among {MANY - 1} devices" in health.text
