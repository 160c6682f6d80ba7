"""An MCP server over stdio that tells its secrets in every way that an honest one may by mistake.

    API_KEY=… PRIVATE_KEY=… python leaky.py ARGUMENT...

Each way has a mark of its own before what it tells, so that a test sees that it was gone.
"""

import base64
import html
import json
import os
import sys
from typing import Any
from urllib.parse import quote, quote_plus

type Json = dict[str, Any]

KEY = os.environ["API_KEY"]
LINES = os.environ["PRIVATE_KEY"].splitlines()
ARGUMENTS = sys.argv[1:]
HALF = len(KEY) // 2
FORMS = {
    "plain": KEY,
    "json": json.dumps({"key": KEY}),
    "json in json": json.dumps(json.dumps({"key": KEY})),
    "repr": repr([KEY, KEY.encode()]),
    "url": f"https://example.com/?key={quote(KEY, safe='')}",
    "form": quote_plus(KEY),
    "html": f"<p>{html.escape(KEY)}</p>",
    "base64": base64.b64encode(KEY.encode()).decode(),
    "basic": base64.b64encode(f"me:{KEY}".encode()).decode(),
    "basic of two": base64.b64encode(f"us:{KEY}!".encode()).decode(),
    "hex": KEY.encode().hex(),
    "first half": KEY[: HALF + 1],
    "second half": KEY[HALF:],
    "a line of several": LINES[1],
    "a number": os.environ["PIN"],
}


def write(line: str) -> None:
    """Write a line to stdout."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def send(**message: Any) -> None:
    """Send a message."""
    write(json.dumps({"jsonrpc": "2.0"} | message))


def warn(line: str) -> None:
    """Write a line to stderr."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def mishaps() -> None:
    """Write what no protocol asks for: to stderr and to stdout."""
    for form, text in FORMS.items():
        warn(f"stderr {form}: {text}")
    for line in LINES:
        warn(f"stderr lines: {line}")
    for argument in ARGUMENTS:
        warn(f"stderr arguments: {argument}")
    # What is shown of a line ends within the key; what is read at once does, too.
    warn(f"stderr long: {'x' * 370} {KEY} {'y' * 2000} {KEY}")
    write(f"stdout noise: {KEY} {FORMS['base64']}")
    log = {"level": "info", "logger": KEY, "data": {"notification": "gone", KEY: [KEY]}}
    send(method="notifications/message", params=log)


def tools() -> list[Json]:
    """Return the tools there are."""
    schema: Json = {
        "type": "object",
        "properties": {"form": {"type": "string", "description": f"description schema: {KEY}"}},
    }
    names = ("leak", "error", "rejects", "die", "mute", "structured")
    return [
        *({"name": name, "description": f"description {name}: {KEY}", "inputSchema": schema}
          for name in names),
        {"name": "titled", "title": f"title {KEY}", "inputSchema": schema},
        {"name": f"skipped {KEY}", "inputSchema": {"type": KEY}},
    ]  # fmt: skip


def call(name: str, form: str) -> Json:
    """Return what a tool answers."""
    told = f"{name} {form}: {FORMS[form]}"
    match name:
        case "error":
            return {"result": {"isError": True, "content": [{"type": "text", "text": told}]}}
        case "rejects":
            return {"error": {"code": -32000, "message": told, "data": KEY}}
        case "structured":
            return {"result": {"content": [], "structuredContent": {told: [told, {"key": KEY}]}}}
        case "die":
            mishaps()
            sys.exit(3)
        case "mute":
            write(told)
            return {}
        case _:
            return {"result": {"content": [{"type": "text", "text": told}]}}


def answer(method: str, params: Json) -> Json:
    """Return what a request is answered with."""
    match method:
        case "initialize":
            return {
                "result": {
                    "protocolVersion": "2025-11-25",
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": f"leaky {KEY}", "version": f"version {KEY}"},
                    "instructions": f"instructions: {KEY}",
                }
            }
        case "tools/list":
            return {"result": {"tools": tools()}}
        case "tools/call":
            return call(params["name"], (params.get("arguments") or {}).get("form", "plain"))
        case _:
            return {"error": {"code": -32601, "message": f"no method {method}"}}


mishaps()
if "--broken" in ARGUMENTS:
    sys.exit(f"exit: {KEY}")
for line in sys.stdin:
    message = json.loads(line)
    reply = answer(message.get("method"), message.get("params") or {})
    if reply and "id" in message:
        send(id=message["id"], **reply)
