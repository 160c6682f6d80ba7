"""Starts a Home Assistant: its folder, its process, its first user."""

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
import json
import os
from pathlib import Path
import re
import socket
import sys
import tempfile
from zipfile import ZipFile
from zoneinfo import available_timezones

from script.house.api import Api, listens, sign_in, sign_up
from script.house.failure import HouseError

CHECKOUT = Path(__file__).parents[2]
_PROCESS = Path(__file__).with_name("process.py")
USER = PASSWORD = "demo"
UI_PORT = 8123
"""Home Assistant's own port, for a browser; another one where that is taken."""

START_TIMEOUT = 240
"""Seconds; five to ten on a second start, more while nothing is compiled yet."""
_LOG_LINES = 40
STOP_TIMEOUT = 10

_INTEGRATIONS = "api assist_pipeline config conversation demo onboarding"
_UI_INTEGRATIONS = "frontend history logbook recorder"

# Home Assistant's defaults, which it does not add to what is stored.
_HTTP = {
    "cors_allowed_origins": ["https://cast.home-assistant.io"],
    "login_attempts_threshold": -1,
    "ip_ban_enabled": True,
    "ssl_profile": "intermediate_v6",
    "use_x_frame_options": True,
    "created_at": "2026-11-01T00:00:00+00:00",
    "error": None,
    "error_message": None,
}

_CONFIGURATION = """\
homeassistant:
  name: Demo house
  unit_system: metric
  country: US
  language: {language}
  time_zone: {time_zone}
logger:
  default: warning
  logs:
    custom_components.voice_gateway: {level}
"""


@asynccontextmanager
async def home_assistant(
    *, ui: bool = False, package: Path | None = None, language: str = "en"
) -> AsyncGenerator[Api]:
    """Start a Home Assistant with the demo integration, in a folder that goes with it.

    It has the integration of a release's `package`, or that of the checkout.

    It listens on this machine only, as `USER` with `PASSWORD` may do everything. It ends with the
    block, or with this process. Raises HouseError when it does not start.
    """
    with tempfile.TemporaryDirectory(prefix="voice-gateway-house-") as folder:
        config = Path(folder)
        port = free_port(UI_PORT if ui else 0)
        write_configuration(config, port, ui=ui, package=package, language=language)
        async with started(config, port) as api:
            yield api


@asynccontextmanager
async def started(config: Path, port: int, token: str | None = None) -> AsyncGenerator[Api]:
    """Start the Home Assistant of a folder, which ends in order with the block.

    Without a token, which it gave when it was started before, it is new and gets its first user.
    Raises HouseError when it does not start.
    """
    # By its file: what is imported as `custom_components` is what the folder holds.
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", str(_PROCESS), "--config", str(config), "--skip-pip"),
        stdin=PIPE,
        stdout=DEVNULL,
        stderr=DEVNULL,
        cwd=config,
        env=_environment(),
        # Ctrl-C is for this process, which ends the other one in order.
        start_new_session=True,
    )
    try:
        async with _signed_in(process, f"http://127.0.0.1:{port}", token) as api:
            yield api
    except HouseError as err:
        raise HouseError(f"{err}\nHome Assistant's log:\n{logged(config)}") from err
    finally:
        await _end(process)


def _environment() -> dict[str, str]:
    """Return the environment, with leave to keep bytecode: without it a start takes twice as long."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def write_configuration(
    config: Path,
    port: int,
    *,
    ui: bool,
    level: str = "warning",
    package: Path | None = None,
    language: str = "en",
) -> None:
    """Fill a folder with what Home Assistant needs to know before it starts."""
    names = f"{_INTEGRATIONS} {_UI_INTEGRATIONS}" if ui else _INTEGRATIONS
    text = _CONFIGURATION.format(time_zone=time_zone(), level=level, language=language)
    text += "".join(f"{name}:\n" for name in names.split())
    (config / "configuration.yaml").write_text(text)
    _install(config / "custom_components" / "voice_gateway", package)

    # In YAML, addresses are on trial for five minutes.
    _store(
        config,
        "http",
        3,
        {
            "stable": {"server_host": ["127.0.0.1"], "server_port": port, **_HTTP},
            "pending": None,
            "yaml_migration_done": True,
        },
    )
    # This step would set up integrations that ask the internet.
    _store(config, "onboarding", 4, {"done": ["core_config"]})


def _install(integration: Path, package: Path | None) -> None:
    """Put the integration where HACS does: a release's package unpacked, else the checkout's."""
    integration.parent.mkdir(exist_ok=True)
    integration.unlink(missing_ok=True)
    if package is None:
        integration.symlink_to(CHECKOUT / "custom_components" / "voice_gateway")
        return
    with ZipFile(package) as archive:
        archive.extractall(integration)


def _store(config: Path, key: str, version: int, data: dict[str, object]) -> None:
    storage = config / ".storage"
    storage.mkdir(exist_ok=True)
    content = {"version": version, "minor_version": 1, "key": key, "data": data}
    (storage / key).write_text(json.dumps(content))


def free_port(wanted: int = 0) -> int:
    """Return a port that nothing on this machine listens on; the wanted one if it is free."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            # Connections that were closed a moment ago do not matter to the server either.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            number: int = probe.getsockname()[1]
            return number
    raise HouseError("There is no free port on this machine.")


def time_zone() -> str:
    """Return the name of this machine's time zone, so that the house's clock is the user's."""
    # /usr/share/zoneinfo/Europe/Rome, or on macOS /usr/share/zoneinfo.default/Europe/Rome
    link = re.search(r"/zoneinfo[^/]*/(.+)", os.path.realpath("/etc/localtime"))
    known = available_timezones()
    for name in (os.environ.get("TZ", "").lstrip(":"), link[1] if link else ""):
        if name in known:
            return name
    return "UTC"


@asynccontextmanager
async def _signed_in(process: Process, url: str, token: str | None) -> AsyncGenerator[Api]:
    """Wait until Home Assistant listens; sign up as its first user where there is no token."""
    wait = listens(url, token) if token else sign_up(url, USER, PASSWORD)
    listening = asyncio.create_task(wait)
    ended = asyncio.create_task(process.wait())
    await asyncio.wait(
        {listening, ended}, timeout=START_TIMEOUT, return_when=asyncio.FIRST_COMPLETED
    )
    ended.cancel()
    if not listening.done():
        listening.cancel()
        reason = "ended" if process.returncode is not None else "did not start in time"
        raise HouseError(f"Home Assistant {reason}.")
    async with sign_in(url, listening.result()) as api:
        yield api


def logged(config: Path) -> str:
    """Return what the log, which has warnings and errors only, tells first; ours before all.

    Of a long record the end is told as well: of an exception, that is what went wrong.
    """
    log = config / "home-assistant.log"
    text = log.read_text(errors="replace").strip() if log.is_file() else ""
    records = re.split(r"^(?=\d{4}-\d\d-\d\d )", text, flags=re.MULTILINE)
    ours = next((each for each in records if "ERROR" in each and "voice_gateway" in each), text)
    lines = ours.splitlines()
    if len(lines) > _LOG_LINES:
        half = _LOG_LINES // 2
        lines = [*lines[:half], "…", *lines[-half:]]
    return "\n".join(lines) or "(empty)"


async def _end(process: Process) -> None:
    assert process.stdin
    process.stdin.close()
    try:
        async with asyncio.timeout(STOP_TIMEOUT):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
