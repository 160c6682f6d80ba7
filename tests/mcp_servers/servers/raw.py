"""An MCP server over stdio in plain Python, for what no SDK would do.

    python raw.py MODE [FILE]

It speaks the protocol line by line (JSON-RPC 2.0, MCP 2025-11-25). MODE says what is wrong with it;
into FILE it writes a line for each start and each call, so that a test can count them.
"""

import json
import os
from pathlib import Path
import signal
import sys
import time

MODE = sys.argv[1]
DIARY = Path(sys.argv[2]) if len(sys.argv) > 2 else None
ANY = {"type": "object", "properties": {}}


def say(*, id=None, **rest):
    print(json.dumps({"jsonrpc": "2.0", **({} if id is None else {"id": id}), **rest}), flush=True)


def note(event):
    if DIARY:
        with DIARY.open("a") as diary:
            diary.write(f"{event}\n")


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def tool(name, schema=ANY, **rest):
    return {"name": name, "description": f"The tool {name}.", "inputSchema": schema, **rest}


def odd_tools():
    yield tool("first")
    yield {"name": "no_schema", "description": "Has none."}
    yield tool("null_schema", None)
    yield tool("text_schema", {"type": "string"})
    yield tool("bad_properties", {"type": "object", "properties": ["a"]})
    yield tool("bad_required", {"type": "object", "properties": {}, "required": "a"})
    yield {"description": "Has no name.", "inputSchema": ANY}
    yield "not even an object"
    yield tool("no_type", {"properties": {"a": {"type": "integer"}}})
    yield tool("odd_extras", title=5, annotations="all", outputSchema={"type": "array"}, icons=1)
    yield tool("last")


def tools():
    match MODE:
        case "odd-tools":
            return list(odd_tools())
        case "many-tools":
            return [tool(f"tool_{number}") for number in range(200)]
        case _:
            return [tool(name) for name in ("ping_me", "process", "hang", "count", "act")]


def page(cursor):
    if MODE != "many-tools":
        return {"tools": tools()}
    start = int(cursor or 0)
    result = {"tools": tools()[start : start + 30]}
    return result | {"nextCursor": str(start + 30)} if start + 30 < 200 else result


def call(name, arguments):
    note(f"call {name}")
    match MODE, name:
        case _, "process":
            return text(str(os.getpid()))
        case _, "hang":
            print("now hanging", file=sys.stderr, flush=True)
            time.sleep(600)
        case "big", _:
            return text("x" * (10 * 1024 * 1024))
        case "closes-stdout", "act":
            os.close(1)
            time.sleep(600)
        case "noise-for-answer", "act":
            print("Segmentation fault, or something", flush=True)
            return None
        case "odd-results", "act":
            return {"content": [{"type": "video", "data": "?"}], "structuredContent": [1, 2]}
        case "odd-results", "count":
            return {}
        case "odd-results", _:
            return {"content": "not a list"}
        case "dies-in-call", "act":
            os.kill(os.getpid(), signal.SIGKILL)
    return text(f"{name} done")


def handle(message):
    method, id, params = message.get("method"), message.get("id"), message.get("params") or {}
    match method:
        case "initialize" if MODE in ("modern", "modern-quiet"):
            say(
                id=id,
                error={
                    "code": -32022,
                    "message": "Unsupported protocol version",
                    "data": {"supported": ["2026-07-28"], "requested": "2025-11-25"},
                },
            )
        case "server/discover":
            say(
                id=id,
                result={
                    "resultType": "complete",
                    "supportedVersions": ["2026-07-28"],
                    "ttlMs": 0,
                    "cacheScope": "public",
                    "capabilities": {"tools": {"listChanged": True}},
                },
            )
        case "subscriptions/listen" if MODE == "modern":
            meta = {"io.modelcontextprotocol/subscriptionId": id}
            say(
                method="notifications/subscriptions/acknowledged",
                params={"_meta": meta, "notifications": {"toolsListChanged": True}},
            )
        case "initialize":
            say(
                id=id,
                result={
                    "protocolVersion": "2025-11-25",
                    "capabilities": {"tools": {"listChanged": True}},
                    "serverInfo": {"name": "raw", "version": "1"},
                    "instructions": "Mind the gap.",
                },
            )
        case "tools/list":
            extra = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
            say(id=id, result=page(params.get("cursor")) | (extra if "modern" in MODE else {}))
        case "tools/call" if params["name"] == "unknown":
            say(id=id, error={"code": -32602, "message": "Unknown tool: unknown"})
        case "tools/call":
            if MODE == "noisy":
                sys.stdout.buffer.write(b'between \xff\xfe bytes\n{"not": "rpc"}\n')
            if (result := call(params["name"], params.get("arguments"))) is not None:
                say(id=id, result=result | ({"resultType": "complete"} if "modern" in MODE else {}))
        case "ping":
            note("ping")
            say(id=id, result={})
        case _ if id is not None and method:
            say(id=id, error={"code": -32601, "message": "Method not found"})


def main():
    note("start")
    match MODE:
        case "exits":
            print("Traceback of something\nKeyError: 'API_KEY'", file=sys.stderr)
            print(f"the key is {os.environ.get('API_KEY')}", file=sys.stderr)
            sys.exit(1)
        case "mute":
            time.sleep(600)
        case "slow-start":
            time.sleep(1)
        case "second-time-lucky" if DIARY and DIARY.read_text().count("start") < 2:
            sys.exit("not yet")
        case "noisy":
            print("Welcome to my server!\n\nListening…", flush=True)
        case "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        case "chatty":
            for number in range(500):
                print(f"line {number} {'x' * 1000}", file=sys.stderr, flush=True)
    for line in sys.stdin:
        handle(json.loads(line))
    if MODE == "stubborn":
        time.sleep(600)


main()
