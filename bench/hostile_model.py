"""A model's server that does harm: what it does is the name of the model that is asked for.

`serve` runs it, in a process of its own. It speaks Ollama's protocol, prints its address, and ends with its stdin.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
import gzip
from itertools import chain, count, repeat
import json
import sys
from typing import Any

CALL = {"name": "HassTurnOn", "arguments": {"name": "Kitchen Ceiling Light"}}
_MEGABYTE = 1 << 20


def chunk(**message: Any) -> bytes:
    """Return a line of an answer."""
    return json.dumps({"message": {"role": "assistant", "content": "", **message}}).encode() + b"\n"


DONE = b'{"message":{"content":""},"done":true,"done_reason":"stop"}\n'


def said(*pieces: str) -> Iterator[bytes]:
    """Yield what says some pieces."""
    yield from (chunk(content=piece) for piece in pieces)
    yield DONE


def pieces(text: str, length: int = 4) -> Iterator[bytes]:
    """Yield what says a text, in pieces as small as tokens."""
    return said(*(text[at : at + length] for at in range(0, len(text), length)))


def endless(unit: str) -> Iterator[bytes]:
    """Yield what says one thing for ever, each time with another number."""
    return (chunk(content=unit.format(number)) for number in count())


def calls(number: int) -> list[dict[str, Any]]:
    """Return calls, no two of them the same."""
    return [
        {"function": {"name": "HassTurnOn", "arguments": {"name": f"Lamp {each}"}}}
        for each in range(number)
    ]


def named(name: str) -> Iterator[bytes]:
    """Yield a call with a device's name."""
    yield chunk(tool_calls=[{"function": {"name": "HassTurnOn", "arguments": {"name": name}}}])
    yield DONE


@cache
def _bomb(letter: bytes) -> bytes:
    return gzip.compress(letter * (64 * _MEGABYTE))


ANSWERS: dict[str, Callable[[], Iterator[bytes]]] = {
    "plain": lambda: chain([chunk(tool_calls=[{"function": CALL}])], [DONE]),
    # What small models do, and never end.
    "marks": lambda: pieces("_" * 6000, 8),
    "backticks": lambda: pieces("`" * 4000),
    "name-again": lambda: pieces("HassTurnOn" * 400),
    "word-again": lambda: (chunk(content="the ") for _ in count()),
    "thought-again": lambda: (chunk(thinking="Wait. ") for _ in count()),
    "sentence-again": lambda: (chunk(content="I will turn it on now. ") for _ in count()),
    # The same, so that no two are alike.
    "long-name": lambda: said("call_a" + "a1b2c3d4" * 1000),
    "marks-and-numbers": lambda: endless("___{}___"),
    "names-and-numbers": lambda: endless("HassTurnOn{}"),
    "fences-and-numbers": lambda: endless("```json {}\n"),
    "tags-and-numbers": lambda: endless("<tool_call>{}"),
    "brackets-and-numbers": lambda: endless("[[[{}"),
    "dashes-and-numbers": lambda: endless("---{}\n"),
    "thoughts": lambda: (chunk(thinking=f"Now number {number}. ") for number in count()),
    "sentences": lambda: endless("Lamp {} is on. "),
    "a-delta-of-sentences": lambda: said("".join(f"Lamp {n} is on. " for n in range(300_000))),
    "a-delta-of-600-kB": lambda: said("".join(f"Lamp {n} is on. " for n in range(35_000))),
    "many-small-deltas": lambda: (chunk(content=chr(97 + n**3 % 997 % 26)) for n in count()),
    "call-without-end": lambda: chain(
        said('{"name": "HassTurnOn", "arguments": {"name": "'), endless("Lamp {} ")
    ),
    "calls-in-a-message": lambda: iter([chunk(tool_calls=calls(1000)), DONE]),
    "calls-one-by-one": lambda: chain((chunk(tool_calls=[call]) for call in calls(1000)), [DONE]),
    "arguments-as-text": lambda: iter(
        [
            chunk(tool_calls=[{"function": {**CALL, "arguments": '{"a":[' + '"b",' * 50_000}}]),
            DONE,
        ]
    ),
    "long-device-name": lambda: named("Kitchen " * 1250),
    "longest-device-name": lambda: named("".join(f"Kitchen {n} " for n in range(6000))),
    "long-tool-name": lambda: iter(
        [chunk(tool_calls=[{"function": {**CALL, "name": "HassTurnOn" * 50_000}}]), DONE]
    ),
    # What is no answer.
    "line-without-end": lambda: repeat(b"x" * 65536, 60 * 16),
    "empty-lines": lambda: repeat(b"\n" * 65536, 60 * 16),
    "deep": lambda: iter([b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n"]),
}
PAGES: dict[str, Callable[[], tuple[bytes, Iterator[bytes]]]] = {
    "error-page": lambda: (
        b"HTTP/1.1 500 Oh\r\nConnection: close\r\n\r\n",
        repeat(b"x" * 65536, 200 * 16),
    ),
    "error-page-zip": lambda: (
        b"HTTP/1.1 500 Oh\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n",
        iter([_bomb(b"x")]),
    ),
    "zip": lambda: (
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n",
        iter([_bomb(b"\n")]),
    ),
    "redirect": lambda: (
        b"HTTP/1.1 307 Go\r\nConnection: close\r\nLocation: /api/elsewhere\r\n\r\n",
        iter(()),
    ),
}
"""Answers with a head of their own."""


async def _answered(path: str, body: bytes) -> AsyncIterator[bytes]:
    """Yield what comes back."""
    head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
    request = json.loads(body) if body else {}
    model = request.get("model", "")
    match path:
        case "/api/version":
            yield head + b'{"version":"0.12.10"}'
        case "/api/tags":
            yield head + json.dumps({"models": [{"model": each} for each in ANSWERS]}).encode()
        case "/api/show":
            yield head + b'{"capabilities":["completion","tools"],"template":"{{ .Tools }}"}'
        case "/api/chat" if request["options"].get("num_predict") == 1:
            yield head + DONE
        case "/api/chat":
            called = any(each["role"] == "tool" for each in request["messages"])
            answer = said("The light is on.") if called and model == "plain" else None
            if model in PAGES:
                head, answer = PAGES[model]()
            yield head
            for piece in answer or ANSWERS[model]():
                yield piece
        case _:
            yield b"HTTP/1.1 404 Not found\r\nConnection: close\r\n\r\n"


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lengths = [
            int(line.partition(":")[2])
            for line in head.splitlines()
            if line.casefold().startswith("content-length")
        ]
        body = await reader.readexactly(lengths[0] if lengths else 0)
        async for piece in _answered(head.split()[1], body):
            writer.write(piece)
            await writer.drain()
    except ConnectionError, asyncio.IncompleteReadError:
        pass
    finally:
        writer.close()


async def _run() -> None:
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await asyncio.to_thread(sys.stdin.read)


def serve() -> None:
    """Serve until stdin ends."""
    asyncio.run(_run())
