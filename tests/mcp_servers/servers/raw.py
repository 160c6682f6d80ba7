"""An MCP server over stdio in plain Python, for what no SDK would do.

    python raw.py MODE [FILE [TOOLS]]

It speaks the protocol line by line (JSON-RPC 2.0, MCP 2025-11-25). MODE says what is wrong with it;
into FILE it writes a line for each start and each call, so that a test can count them. In the mode
"listed", TOOLS is a JSON file with the definitions of its tools, and whoever calls one hears that they changed;
in the mode "silent" nobody hears it. Where there is a file of this name and ".instructions", it has its instructions.
"""

from collections.abc import Iterator
import json
import os
from pathlib import Path
import signal
import sys
import time
from typing import Any

MODE = sys.argv[1]
DIARY = Path(sys.argv[2]) if len(sys.argv) > 2 else None
LISTED = Path(sys.argv[3]) if len(sys.argv) > 3 else None
ANY = {"type": "object", "properties": {}}


type Json = dict[str, Any]


def say(*, answer_to: int | str | None = None, **rest: Any) -> None:
    """Send a message."""
    head = {} if answer_to is None else {"id": answer_to}
    write(json.dumps({"jsonrpc": "2.0"} | head | rest))


def write(line: str) -> None:
    """Write a line to stdout."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def warn(line: str) -> None:
    """Write a line to stderr."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def note(event: str) -> None:
    """Put an event into the diary."""
    if DIARY:
        with DIARY.open("a") as diary:
            diary.write(f"{event}\n")


def text(words: str) -> Json:
    """Return a result of a text."""
    return {"content": [{"type": "text", "text": words}]}


def tool(name: str, schema: Any = ANY, **rest: Any) -> Json:
    """Return a tool's definition."""
    return {"name": name, "description": f"The tool {name}.", "inputSchema": schema, **rest}


def odd_tools() -> Iterator[Any]:
    """Yield tools, most of which cannot be used."""
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


def tools() -> list[Any]:
    """Return the tools there are."""
    match MODE:
        case "odd-tools":
            return list(odd_tools())
        case "listed" | "silent" if LISTED:
            definitions: list[Json] = json.loads(LISTED.read_text())
            return [tool(each["name"]) | each for each in definitions]
        case "shapes":
            from shapes import SHAPES  # type: ignore[import-not-found]  # beside this file

            return [tool(name, schema) for name, schema in SHAPES.items()]
        case "crowded":
            long = {"type": "object", "properties": {"a": {"description": "x" * 9000}}}
            return [tool("long", long), *(tool(f"tool_{number}") for number in range(5000))]
        case "annotated":
            return [
                tool("look", title="Look around", annotations={"readOnlyHint": True}),
                tool("wipe", annotations={"destructiveHint": True}),
                tool("add", annotations={"destructiveHint": False}),
                tool("plain"),
            ]
        case "many-tools":
            return [tool(f"tool_{number}") for number in range(200)]
        case "modern-quiet" if DIARY and "act" in DIARY.read_text():
            return [tool("count"), tool("act"), tool("encore")]
        case _:
            return [tool(name) for name in ("ping_me", "process", "hang", "count", "act")]


def page(cursor: str | None) -> Json:
    """Return a page of the tools."""
    if MODE != "many-tools":
        return {"tools": tools()}
    start = int(cursor or 0)
    result = {"tools": tools()[start : start + 30]}
    return result | {"nextCursor": str(start + 30)} if start + 30 < 200 else result


ODD_RESULTS: dict[str, Json] = {
    "act": {"content": [{"type": "video", "data": "?"}], "structuredContent": [1, 2]},
    "count": {},
    "ping_me": {"content": 5},
}


FLOODS: dict[str, tuple[int, Json]] = {
    "restless": (500, {"method": "notifications/tools/list_changed"}),
    "chatty": (
        4_000,
        {"method": "notifications/message", "params": {"level": "info", "data": "x"}},
    ),
}


def call(name: str) -> Json | None:
    """Do what a tool does."""
    note(f"call {name}")
    time.sleep(0.6 if (MODE, name) == ("busy", "act") else 0)
    times, news = FLOODS.get(MODE, (0, {}))
    for _ in range(times if name == "act" else 0):
        say(**news)
    match MODE, name:
        case _, "process":
            return text(str(os.getpid()))
        case _, "hang":
            time.sleep(600)
        case "big", _:
            return text("x" * (10 * 1024 * 1024))
        case "odd-results", _:
            return ODD_RESULTS[name]
        case "closes-stdout", "act":
            os.close(1)
            time.sleep(600)
        case "noise-for-answer", "act":
            write("Segmentation fault, or something")
            return None
        case ("fickle" | "fickle-garbled", "act") | ("listed", _):
            say(method="notifications/tools/list_changed")
        case "dies-in-call", "act":
            os.kill(os.getpid(), signal.SIGKILL)
    return text(f"{name} done")


# What a server says of its tools when they changed.
FICKLE: dict[str, Json] = {
    "fickle": {"error": {"code": -32603, "message": "Cannot tell just now"}},
    "fickle-garbled": {"result": {"tools": [], "nextCursor": 5}},
}
ODD_EXTRAS: dict[str, Json] = {
    "prompts/list": {
        "prompts": [
            "no object",
            {"title": "Has no name"},
            {"name": "many", "arguments": [{"name": f"a{number}"} for number in range(30)]},
            {"name": "odd", "title": 5, "arguments": ["a", {"name": "b", "required": "yes"}]},
            {"name": "odd", "description": "A second one of this name."},
        ]
    },
    "resources/list": {
        "resources": [
            {"name": "nowhere"},
            {"name": "long", "uri": f"x:{'x' * 600}"},
            *({"name": f"n{number}", "uri": f"x:{number}"} for number in range(300)),
        ]
    },
    "prompts/get": {"messages": ["?", {"role": "robot", "content": [{"type": "text"}, "said"]}]},
    "resources/read": {"contents": [{"text": 5}, {"blob": "AAAA"}, {"uri": 1, "text": "words"}]},
}


def is_gone(name: str) -> bool:
    """Tell whether a tool is no longer among those that there are."""
    return MODE == "silent" and name not in [each["name"] for each in tools()]


def answer(method: str, params: Json, number: Any) -> Json | None:
    """Return the answer to a message, if it gets one."""
    match method:
        case "tools/list" if MODE == "no-tools":
            say(method="notifications/message", params={"level": "info", "data": "I have none"})
            return introduction(method)
        case "tools/list" if MODE in FICKLE and DIARY and "act" in DIARY.read_text():
            return FICKLE[MODE]
        case "tools/list":
            note("list")
            return {"result": page(params.get("cursor")) | LISTING}
        case "tools/call" if MODE == "modern-asking":
            return {"result": {"resultType": "input_required", "requestState": "who?"}}
        case "tools/call" if params["name"] == "unknown" or is_gone(params["name"]):
            return {"error": {"code": -32602, "message": f"Unknown tool: {params['name']}"}}
        case "tools/call":
            if MODE == "noisy":
                sys.stdout.buffer.write(b'between \xff\xfe bytes\n{"not": "rpc"}\n')
            result = call(params["name"])
            return None if result is None else {"result": result | RESULT}
        case "ping":
            note("ping")
            return {"result": {}}
        case "subscriptions/listen" if MODE in ("modern", "modern-deaf"):
            promise_news(number)
            return None
        case _:
            return introduction(method)


def promise_news(number: Any) -> None:
    """Say that news will be told, unless it is deaf."""
    meta = {"io.modelcontextprotocol/subscriptionId": number}
    honoured = {"_meta": meta, "notifications": {"toolsListChanged": True}}
    if MODE == "modern":
        say(method="notifications/subscriptions/acknowledged", params=honoured)


def instructions() -> str:
    """Return what it tells models of itself."""
    said = LISTED and LISTED.with_name(f"{LISTED.name}.instructions")
    return said.read_text() if said and said.exists() else "Mind the gap."


def introduction(method: str) -> Json:
    """Return what the server says of itself, in the protocol's older or newer generation."""
    abilities: Json = {"tools": {"listChanged": True}}
    if MODE.endswith("-extras"):
        abilities |= {"prompts": {}, "resources": {}}
    match method, "modern" in MODE:
        case "initialize", False:
            version = {"protocolVersion": "2025-11-25", "capabilities": abilities}
            name = {"serverInfo": {"name": "raw", "version": "1"}}
            return {"result": version | name | {"instructions": instructions()}}
        case "initialize", _ if MODE == "modern-only":
            return {"error": {"code": -32601, "message": "Method not found"}}
        case "initialize", True:
            versions: Json = {"supported": ["2026-07-28"], "requested": "2025-11-25"}
            return {"error": {"code": -32022, "message": "Unsupported version", "data": versions}}
        case "server/discover", True:
            versions = {"supportedVersions": ["2026-07-28"], "capabilities": abilities}
            return {"result": versions | LISTING}
        case _ if MODE == "odd-extras" and method in ODD_EXTRAS:
            return {"result": ODD_EXTRAS[method]}
        case _:
            return {"error": {"code": -32601, "message": "Method not found"}}


# What the newer generation wants in its results.
RESULT = {"resultType": "complete"} if "modern" in MODE else {}
LISTING = RESULT | ({"ttlMs": 0, "cacheScope": "public"} if RESULT else {})


def misbehave() -> None:
    """Do what a mode does wrong before the first message."""
    match MODE:
        case "exits":
            warn("Traceback of something\nKeyError: 'API_KEY'")
            warn(f"the key is {os.environ.get('API_KEY')}")
            sys.exit(1)
        case "mute":
            sys.stdin.read()
        case "slow-start":
            time.sleep(1)
        case "second-time-lucky" if DIARY and DIARY.read_text().count("start") < 2:
            sys.exit("not yet")
        case "noisy":
            write("Welcome to my server!\n\nListening…")
        case "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        case "chatty":
            for number in range(500):
                warn(f"line {number} {'x' * 1000}")


note("start")
misbehave()
for line in sys.stdin:
    message = json.loads(line)
    if MODE == "mute-extras" and message.get("method") == "prompts/list":
        note("prompts")
        continue
    reply = answer(message.get("method"), message.get("params") or {}, message.get("id"))
    if reply and "id" in message:
        say(answer_to=message["id"], **reply)
if MODE == "stubborn":
    time.sleep(600)
