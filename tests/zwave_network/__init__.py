"""A Z-Wave network without hardware: zwave-js's own driver and server, with simulated devices.

`house.mjs` says which devices there are, `world.mjs` what can happen to them. Needs Node.js 20 or
newer; its packages are installed beside it at the first start.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
import fcntl
import json
from pathlib import Path
import shutil
import subprocess
from threading import Timer
from typing import Any
from urllib.request import Request, urlopen

FOLDER = Path(__file__).parent
OLDEST_NODE = 20
START_TIMEOUT = 240  # seconds; 19 nodes take 6, 100 nodes 11, ten times that on a very busy machine
COMMAND_TIMEOUT = 30


class ZwaveNetworkError(Exception):
    """The network could not be started, with the reason in words."""


@dataclass(frozen=True, slots=True)
class ZwaveNetwork:
    """A running network.

    `url` is the websocket of its Z-Wave JS server; it stays the same when that is stopped and
    started again. `control` is the address that commands are posted to.
    """

    url: str
    control: str

    def tell(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Let something happen; returns when it has.

        Commands are those of `world.mjs` (with `node`, the device's number) and of the server:
        `cut` ends all websocket connections, `stop` and `start` the server.
        """
        request = Request(f"{self.control}/{command}", data=json.dumps(arguments).encode())
        with urlopen(request, timeout=COMMAND_TIMEOUT) as response:
            answer: dict[str, Any] = json.load(response)
        return answer

    def device(self, node: int) -> dict[str, Any]:
        """Return what the device itself holds, whatever the driver believes."""
        return self.tell("state", node=node)


def missing() -> str | None:
    """Return why no network can be started here, or None when one can."""
    needs = "the simulated Z-Wave network needs Node.js 20 or newer with npm"
    if absent := [program for program in ("node", "npm") if not shutil.which(program)]:
        return f"{needs}: there is no {' and no '.join(absent)}"
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout.strip().lstrip("v").split(".")[0]) < OLDEST_NODE:
        return f"{needs}: node is {version.stdout.strip()}"
    return None


@contextmanager
def zwave_network(*arguments: str) -> Iterator[ZwaveNetwork]:
    """Start a network, on free ports unless `arguments` (of `network.mjs`) say otherwise.

    It is ready when this returns: every device interviewed, asleep or dead as it should be. It
    ends with the block, or with this process.

    Raises:
        ZwaveNetworkError: Node.js is missing, its packages could not be installed, or the network
            did not start.
    """
    if reason := missing():
        raise ZwaveNetworkError(reason)
    _install()
    process = subprocess.Popen(
        ["node", "network.mjs", "--port", "0", "--until-stdin-ends", *arguments],
        cwd=FOLDER,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    too_late = Timer(START_TIMEOUT, process.kill)
    too_late.start()
    try:
        line = process.stdout.readline()
        too_late.cancel()
        if not line:
            raise ZwaveNetworkError(f"the network ended at its start (exit {process.wait()})")
        started = json.loads(line)
        yield ZwaveNetwork(started["url"], started["control"])
    finally:
        too_late.cancel()
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def _install() -> None:
    """Install the locked packages, unless they are there; one process at a time."""
    lock = FOLDER / "package-lock.json"
    installed = FOLDER / "node_modules" / ".installed"
    with lock.open() as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        if installed.exists() and installed.read_text() == lock.read_text():
            return
        # No package needs to run a script of its own: there is no serial port to open.
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        result = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
        if result.returncode:
            raise ZwaveNetworkError(
                "the simulated Z-Wave network's packages could not be installed; is npm's registry "
                f"reached? npm ci said:\n{result.stderr.strip()}"
            )
        installed.write_text(lock.read_text())
