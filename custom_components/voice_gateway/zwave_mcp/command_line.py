"""The command line: the network, the transport for clients, and the log level."""

import argparse
import asyncio
import logging
import os
from pathlib import Path
import sys
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from .server import Setup, zwave_server

DEFAULT_URL = "ws://127.0.0.1:3000"
LEVELS = ("debug", "info", "warning", "error")


def main() -> None:
    """Serve until the client hangs up or the process is interrupted."""
    options = _options()
    # Only the protocol uses stdout.
    logging.basicConfig(
        stream=sys.stderr,
        level=options.log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    # At debug level the library logs whole networks, door codes included.
    logging.getLogger("zwave_js_server").setLevel(max(logging.INFO, logging.root.level))
    server = zwave_server(
        Setup(
            url=options.url,
            names=options.names,
            language=options.language,
            only_exposed=options.only_exposed,
            locks=options.locks,
        )
    )
    try:
        asyncio.run(_over_http(server, *options.http) if options.http else _over_stdio(server))
    except KeyboardInterrupt:
        sys.exit(130)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="zwave_mcp", description="An MCP server for Z-Wave.")
    parser.add_argument(
        "--url",
        default=os.environ.get("ZWAVE_JS_URL", DEFAULT_URL),
        help=f"the Z-Wave JS server's websocket; else $ZWAVE_JS_URL, else {DEFAULT_URL}",
    )
    parser.add_argument(
        "--names",
        type=Path,
        metavar="FILE",
        help='JSON with names: {"5": {"name": "Front Door", "location": "Hallway"}}',
    )
    parser.add_argument(
        "--only-exposed",
        action="store_true",
        help='only devices of that file that say so: {"5": {"may": ["read", "control", "open"]}}',
    )
    parser.add_argument(
        "--locks",
        action="store_true",
        help="with the tool that locks and unlocks, and opens and closes garage doors",
    )
    parser.add_argument(
        "--language",
        default="en",
        metavar="CODE",
        help="the language in which devices are spoken of: de, fr, …; else en",
    )
    parser.add_argument(
        "--http",
        type=_address,
        metavar="[HOST:]PORT",
        help="serve streamable HTTP at /mcp instead of stdio; the host is 127.0.0.1 if not given",
    )
    parser.add_argument("--log-level", choices=LEVELS, default="warning", help="to stderr")
    return parser.parse_args()


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return host.strip("[]") or "127.0.0.1", int(port)


async def _over_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


async def _over_http(server: Server[Any], host: str, port: int) -> None:
    import uvicorn  # noqa: PLC0415

    app = server.streamable_http_app(host=host)
    # Without its own configuration, which would log to stdout.
    await uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_config=None)).serve()
