"""Runs the scenarios that the protocol's versions require: python -m script.mcp_client NODE SUITE [VERSION…].

NODE is Node.js, SUITE the folder of the suite's package. With `--scenario NAME`, only that one.
Exits with 1 where a required scenario failed that `expected.yml` does not name, or one passed that it does.
"""

import argparse
import asyncio
import json
import logging
from pathlib import Path
import shlex
import sys
import tempfile

from script.mcp_client.household import Household, household

_VERSIONS = ("2025-11-25", "2026-07-28")
_HERE = Path(__file__).parent


async def main() -> int:
    """Run the suite, version by version."""
    parser = argparse.ArgumentParser()
    parser.add_argument("node")
    parser.add_argument("suite", type=Path)
    parser.add_argument("versions", nargs="*", default=_VERSIONS)
    parser.add_argument("--scenario")
    said = parser.parse_args()
    logging.basicConfig(level=logging.DEBUG if said.scenario else logging.CRITICAL)
    worst = 0
    async with household() as home:
        with tempfile.TemporaryDirectory() as folder:
            socket = str(Path(folder) / "home")
            server = await asyncio.start_unix_server(_serving(home), socket)
            client = shlex.join((sys.executable, str(_HERE / "client.py"), socket))
            for version in said.versions:
                print(f"== {version}", flush=True)
                which = (
                    ("--scenario", said.scenario, "--spec-version", version, "--verbose")
                    if said.scenario
                    else ("--requirements", version)
                )
                run = await asyncio.create_subprocess_exec(
                    *(said.node, str(said.suite / "dist" / "index.js"), "client"),
                    *("--command", client, *which),
                    *("--expected-failures", str(_HERE / f"expected-{version}.yml")),
                    *("--output-dir", folder),
                    # It starts all at once, and one household does them one after the other.
                    *("--timeout", "240000"),
                )
                worst = max(worst, await run.wait())
            server.close()
    return worst


def _serving(home: Household):  # type: ignore[no-untyped-def]
    """Return what plays the scenarios that clients bring, one after the other."""
    turn = asyncio.Lock()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        job = json.loads(await reader.readline())
        async with turn:
            try:
                await home.play(job["url"], job["scenario"], job["context"])
                said = "done"
            except Exception as err:
                logging.getLogger(__name__).debug("%s", job["scenario"], exc_info=True)
                said = f"{type(err).__name__}: {err}".replace("\n", " ")
        writer.write(said.encode() + b"\n")
        writer.close()

    return serve


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
