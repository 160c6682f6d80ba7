"""The process and its protocol: what is on stdout, how it is started, what a client sees first."""

from collections.abc import Iterator
import json
import os
from pathlib import Path
import re
import socket
import subprocess
import sys
from typing import Any

from anyio.from_thread import start_blocking_portal
from mcp import Client
import pytest

from tests.quick import MEASURED
from tests.zwave_network import ZwaveNetwork

from .session import DEADLINE, SERVER, Said, Session, session, until

pytest_plugins = ("tests.zwave_network.fixture",)

FIRST = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}
NAMES = [
    "list_zwave_devices",
    "list_devices",
    "verify_device",
    "control_zwave_device",
    "control_zwave_lock",
    "get_device_sensor_data",
    "check_zwave_health",
    "ping_device",
    "get_device_details",
    "set_device_config",
]
NOWHERE = "ws://127.0.0.1:1"


def message(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


@pytest.mark.requirement("H1")
@pytest.mark.requirement("H2")
@pytest.mark.requirement("H3")
@pytest.mark.requirement("H4")
def test_every_line_on_stdout_is_json_rpc_at_debug_level_with_errors(
    zwave_network: ZwaveNetwork,
) -> None:
    coffee = {"deviceName": "coffee machine"}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("list_zwave_devices", {}),
        ("list_devices", {"limit": 2}),
        ("verify_device", coffee),
        ("verify_device", {"deviceName": "toaster"}),
        ("control_zwave_device", coffee | {"action": "on"}),
        ("control_zwave_device", {"deviceName": "heater", "action": "on"}),
        ("control_zwave_device", {"deviceName": "garden pump", "action": "on"}),
        ("control_zwave_device", {}),
        ("get_device_sensor_data", {"deviceName": "bedroom"}),
        ("check_zwave_health", {}),
        ("ping_device", coffee),
        ("get_device_details", coffee),
        ("set_device_config", coffee | {"parameter": "1", "value": "2"}),
        ("no_such_tool", {}),
    ]
    process = subprocess.Popen(
        [sys.executable, SERVER, "--url", zwave_network.url, "--locks", "--log-level", "debug"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, **MEASURED},
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    lines = []

    def say(text: str, answered: bool = True) -> None:
        assert process.stdin
        assert process.stdout
        process.stdin.write(text + "\n")
        process.stdin.flush()
        if answered:
            lines.append(process.stdout.readline())

    say(json.dumps(FIRST))
    say('{"jsonrpc": "2.0", "method": "notifications/initialized"}', answered=False)
    say(json.dumps(message(1, "tools/list")))
    for number, (name, arguments) in enumerate(calls, 2):
        say(json.dumps(message(number, "tools/call", name=name, arguments=arguments)))
        if number == 4:
            zwave_network.tell("cut")
    say("this is not JSON", answered=False)
    say(json.dumps(message(98, "no/such/method")))
    say(json.dumps(message(99, "tools/list")))
    rest, diagnostics = process.communicate(timeout=DEADLINE)
    lines += rest.splitlines()

    answers = [json.loads(line) for line in lines]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    by_id = {answer["id"]: answer for answer in answers if "id" in answer}
    assert set(by_id) >= {*range(2 + len(calls)), 98, 99}
    assert "error" in by_id[98]
    assert len(by_id[99]["result"]["tools"]) == len(NAMES)
    assert process.returncode == 0
    assert "DEBUG" in diagnostics
    # The library would write whole states, with what locks are opened with.
    assert "Received message" not in diagnostics
    assert "Traceback" not in diagnostics


@pytest.mark.parametrize(
    ("arguments", "folder"),
    [
        ([str(SERVER / "__main__.py")], Path.cwd()),
        (["-m", SERVER.name], SERVER.parent),
    ],
    ids=["file", "module"],
)
def test_server_starts_by_its_path_and_as_a_module(arguments: list[str], folder: Path) -> None:
    result = subprocess.run(
        [sys.executable, *arguments, "--url", NOWHERE],
        input=json.dumps(FIRST) + "\n", cwd=folder, env={},
        capture_output=True, text=True, timeout=DEADLINE, check=True,
    )  # fmt: skip
    [answer] = [json.loads(line) for line in result.stdout.splitlines()]
    manifest = json.loads((SERVER.parent / "manifest.json").read_text())
    told = answer["result"]["serverInfo"]
    assert (told["name"], told["version"]) == ("zwave", manifest["version"])


def test_server_imports_nothing_of_home_assistant_and_only_what_is_pure_of_the_integration() -> (
    None
):
    code = (
        "import runpy, sys\n"
        f"sys.argv = ['zwave_mcp', '--url', '{NOWHERE}']\n"
        f"runpy.run_path({str(SERVER)!r}, run_name='__main__')\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "print(loaded & {'homeassistant', 'custom_components'}, file=sys.stderr)\n"
        "ours = {name.split('.')[1] for name in sys.modules if name.startswith('voice_gateway.')}\n"
        "print(sorted(ours), file=sys.stderr)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(FIRST) + "\n",
        capture_output=True, text=True, timeout=DEADLINE, check=True,
    )  # fmt: skip
    assert result.stderr.splitlines()[-2:] == [
        "set()",
        "['languages', 'names', 'version', 'zwave_mcp']",
    ]


def test_tools_are_those_that_the_gateway_knows(zwave: Session) -> None:
    tools = {tool.name: tool for tool in zwave.tools()}
    assert list(tools) == NAMES
    arguments = {name: list(tool.input_schema["properties"]) for name, tool in tools.items()}
    assert arguments == {
        "list_zwave_devices": ["filter", "includeInactive"],
        "list_devices": ["limit", "offset"],
        "verify_device": ["deviceName"],
        "control_zwave_device": ["deviceName", "action", "level", "temperature", "mode"],
        "control_zwave_lock": ["deviceName", "action"],
        "get_device_sensor_data": ["deviceName"],
        "check_zwave_health": [],
        "ping_device": ["deviceName"],
        "get_device_details": ["deviceName"],
        "set_device_config": ["deviceName", "parameter", "value"],
    }


def test_annotations_tell_reading_from_writing_from_destroying(zwave: Session) -> None:
    for tool in zwave.tools():
        assert tool.title
        assert tool.annotations
        destroys = tool.name in ("control_zwave_lock", "set_device_config")
        writes = destroys or tool.name == "control_zwave_device"
        assert tool.annotations.read_only_hint is not writes, tool.name
        assert bool(tool.annotations.destructive_hint) is destroys
        assert tool.annotations.open_world_hint is False


def test_tools_are_described_in_few_words(zwave: Session) -> None:
    seen = [
        {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
        for tool in zwave.tools()
        # Off, where nobody has ticked it.
        if tool.name != "control_zwave_lock"
    ]
    # About 600 tokens, of which a small model on slow hardware reads some 100 a second.
    assert len(json.dumps(seen, separators=(",", ":"))) < 2500


@pytest.fixture
def http_server(zwave_network: ZwaveNetwork) -> Iterator[str]:
    """Return the address of a server over HTTP."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, SERVER, "--url", zwave_network.url, "--http", str(port)],
        env={**os.environ, **MEASURED},
        stdout=subprocess.PIPE,
        text=True,
    )

    def listens() -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    try:
        assert until(listens, bool)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        output, _ = process.communicate(timeout=DEADLINE)
    assert output == ""


def test_several_clients_over_http_share_the_connection(http_server: str) -> None:
    with start_blocking_portal() as portal:
        for _ in range(2):
            with portal.wrap_async_context_manager(Client(http_server, mode="legacy")) as client:
                result = portal.call(client.call_tool, "verify_device", {"deviceName": "blind"})
                assert Said.of(result).text.startswith("Yes: Window Blind (Bedroom)")


def test_newest_protocol_is_spoken_too(zwave_network: ZwaveNetwork, tmp_path: Path) -> None:
    with session(zwave_network.url, tmp_path / "stderr", mode="auto") as zwave:
        assert zwave.call("verify_device", deviceName="blind").text.startswith("Yes: Window Blind")


def test_diagnostics_say_what_was_done(zwave: Session) -> None:
    zwave.call("control_zwave_device", deviceName="coffee machine", action="on")
    diagnostics = zwave.stderr.read_text()
    assert re.search(r"Coffee Machine \(Kitchen\): on confirmed in \d+ ms", diagnostics)
