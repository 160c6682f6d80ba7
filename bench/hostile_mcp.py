"""An MCP server that does harm: over stdio, or over HTTP where its mode begins with "http".

`serve` runs it, in a process of its own whose first argument is the mode. It speaks the protocol in plain Python, as no SDK would let it. Over HTTP it prints its address, and
ends with its stdin.
"""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
import json
import sys
from threading import Thread
from typing import Any

type Json = dict[str, Any]

_SELF = {"$ref": "#"}
_EMPTY: Json = {"type": "object", "properties": {}}
_MEGABYTE = 1 << 20
SCHEMAS: dict[str, Json] = {
    "schema-any-of": {"type": "object", "properties": {"filter": {"anyOf": [_SELF] * 12}}},
    "schema-all-of": {"type": "object", "properties": {"filter": _SELF}, "allOf": [_SELF] * 7},
    "schema-properties": {"type": "object", "properties": {f"p{n}": _SELF for n in range(10)}},
    "schema-of-200-kB": {
        "type": "object",
        "properties": {f"p{n}": {"type": "string", "description": "x" * 80} for n in range(2000)},
    },
}
FLOODS: dict[str, Callable[[], Iterator[str]]] = {
    "tools-changed-flood": lambda: repeat(_news("tools/list_changed"), 2000),
    "log-flood": lambda: repeat(_news("message", level="info", data="x"), 100_000),
    "progress-flood": lambda: repeat(_news("progress", progressToken=1, progress=1), 100_000),
    "noise-flood": lambda: repeat("x" * 100, 100_000),
    "stdout-without-lines": lambda: iter(["x" * (100 * _MEGABYTE)]),
}
RESULTS = {"result-of-11-MB": 11, "result-of-60-MB": 60, "http-result-of-11-MB": 11}
MODES = (
    *(*SCHEMAS, *FLOODS, *RESULTS),
    *("many-tools", "http-body-of-200-MB", "http-zip", "stderr-flood"),
    *(f"http-{flood}" for flood in ("tools-changed-flood", "log-flood", "progress-flood")),
)


def _news(method: str, **params: Any) -> str:
    return json.dumps(
        {"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params},
    )


def _tools(mode: str) -> list[Json]:
    number = 20_000 if mode == "many-tools" else 1
    schema = SCHEMAS.get(mode, _EMPTY)
    return [
        {"name": f"tool_{n}", "description": "Measures the garden.", "inputSchema": schema}
        for n in range(number)
    ]


def _result(mode: str, message: Json) -> Json | None:
    """Return what answers a message; None where nothing does."""
    match message["method"]:
        case "initialize":
            return {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": "hostile", "version": "1"},
            }
        case "tools/list":
            return {"tools": _tools(mode)}
        case "tools/call":
            text = "lamp " * (RESULTS.get(mode, 0) * _MEGABYTE // 5)
            return {"content": [{"type": "text", "text": text}]}
        case "ping":
            return {}
    return None


def _answer(mode: str, message: Json) -> Json | None:
    if "id" not in message:
        return None
    head = {"jsonrpc": "2.0", "id": message["id"]}
    if (result := _result(mode, message)) is None:
        return head | {"error": {"code": -32601, "message": "Unknown"}}
    return head | {"result": result}


def _over_stdio(mode: str) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if answer := _answer(mode, message):
            print(json.dumps(answer), flush=True)
        if message["method"] == "tools/call":
            for each in FLOODS.get(mode, lambda: iter(()))():
                print(each)
            sys.stdout.flush()
            if mode == "stderr-flood":
                for _ in range(100):
                    print("x" * _MEGABYTE, file=sys.stderr)


def _over_http(mode: str) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            message = json.loads(self.rfile.read(length))
            answer = _answer(mode, message)
            self.send_response(200 if answer else 202)
            calls = message["method"] == "tools/call"
            flood = FLOODS.get(mode.removeprefix("http-")) if calls else None
            self.send_header("Content-Type", "text/event-stream" if flood else "application/json")
            if calls and mode == "http-zip":
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            if calls and mode == "http-body-of-200-MB":
                for _ in range(200):
                    self.wfile.write(b" " * _MEGABYTE)
            for each in flood() if flood else ():
                self.wfile.write(f"data: {each}\n\n".encode())
            if answer:
                words = json.dumps(answer)
                self.wfile.write(f"data: {words}\n\n".encode() if flood else words.encode())

        def log_message(self, *_: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}/mcp", flush=True)
    sys.stdin.read()


def serve() -> None:
    """Serve until stdin ends."""
    (_over_http if sys.argv[1].startswith("http") else _over_stdio)(sys.argv[1])
