"""What the integration costs when Home Assistant starts, beside core's `ollama`, in the same starts.

Both have a server, which plays Ollama, and an agent; Home Assistant is started again and again.

- `setup`: what Home Assistant itself says, under *Settings → System → Repairs → Integration startup
  time*: without imports, and without waiting for others;
- `import`: seconds to import all of an integration that is loaded at its setup, in a Python that has
  loaded what both build on;
- `requests`: requests to the model server from the start until Home Assistant has started.
"""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path
import sys
import tempfile
from typing import Any

from bench.results import medians
from script.house.api import Api
from script.house.assistant import add_entry, add_subentry
from script.house.home_assistant import free_port, started, write_configuration
from tests.ollama import MODEL, PlayedOllama, played_ollama

SIDES = {"core": "ollama", "voice_gateway": "voice_gateway"}
# Loaded before either: Home Assistant, and those of its integrations that `default_config` has.
_BEFORE = (
    "homeassistant.bootstrap homeassistant.components.assist_pipeline "
    "homeassistant.components.conversation homeassistant.components.ai_task "
    "homeassistant.components.application_credentials homeassistant.components.assist_satellite "
    "homeassistant.components.binary_sensor homeassistant.components.calendar "
    "homeassistant.components.diagnostics homeassistant.components.repairs "
    "homeassistant.components.script homeassistant.components.sensor "
    "homeassistant.components.system_health homeassistant.helpers.selector"
)
_PLATFORMS = (
    "config_flow conversation ai_task sensor binary_sensor diagnostics repairs "
    "application_credentials system_health"
)
_IMPORT = """
import importlib, importlib.util, sys, time
package, before, platforms = sys.argv[1], sys.argv[2].split(), sys.argv[3].split()
for name in before:
    importlib.import_module(name)
started = time.perf_counter()
importlib.import_module(package)
for name in platforms:
    if importlib.util.find_spec(f"{package}.{name}"):
        importlib.import_module(f"{package}.{name}")
print(time.perf_counter() - started)
"""


async def setups(starts: int) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return seconds of setup and requests to the server, of each start."""
    async with played_ollama() as core, played_ollama() as ours:
        servers = {"core": core, "voice_gateway": ours}
        with tempfile.TemporaryDirectory(prefix="voice-gateway-start-") as folder:
            config, port = Path(folder), free_port()
            write_configuration(config, port, ui=False)
            async with started(config, port) as api:
                token = api.token
                await _configure(api, servers)
            seconds: dict[str, list[float]] = {side: [] for side in SIDES}
            requests: dict[str, list[float]] = {side: [] for side in SIDES}
            for _ in range(starts):
                before = {side: len(server.requests) for side, server in servers.items()}
                async with started(config, port, token) as api:
                    said = {
                        each["domain"]: each["seconds"]
                        for each in await api.command("integration/setup_info")
                    }
                    for side, domain in SIDES.items():
                        seconds[side].append(said[domain])
                        requests[side].append(len(servers[side].requests) - before[side])
    return seconds, requests


async def _configure(api: Api, servers: dict[str, PlayedOllama]) -> None:
    """Add a server and an agent to each of the two integrations."""
    first: dict[str, tuple[dict[str, Any], ...]] = {
        "core": (),
        "voice_gateway": ({"next_step_id": "ollama"},),
    }
    agents: dict[str, dict[str, Any]] = {
        "core": {"name": "Core", "model": MODEL, "llm_hass_api": ["assist"]},
        "voice_gateway": {"model": MODEL, "llm_hass_api": ["assist"], "advanced": {}},
    }
    for side, domain in SIDES.items():
        entry_id = await add_entry(api, domain, *first[side], {"url": servers[side].url})
        await add_subentry(api, entry_id, agents[side])


async def imports(runs: int) -> dict[str, list[float]]:
    """Return the seconds of importing each, in a new Python every time."""
    packages = {
        "core": "homeassistant.components.ollama",
        "voice_gateway": "custom_components.voice_gateway",
    }
    seconds: dict[str, list[float]] = {side: [] for side in SIDES}
    for _ in range(runs):
        for side, package in packages.items():
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", _IMPORT),
                *(package, _BEFORE, _PLATFORMS),
                stdout=asyncio.subprocess.PIPE,
            )
            output, _ = await process.communicate()
            seconds[side].append(float(output))
    return seconds


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="script/bench start", description=__doc__)
    parser.add_argument("--starts", type=int, default=5, help="how often (default: 5)")
    starts = parser.parse_args(arguments).starts
    seconds, requests = asyncio.run(setups(starts))
    print(medians("start/setup", seconds, "s"))
    print(medians("start/import", asyncio.run(imports(starts)), "s"))
    print(medians("start/requests", requests, "requests", 0))


if __name__ == "__main__":
    main()
