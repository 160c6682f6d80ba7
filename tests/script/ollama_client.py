"""The embedded model server as a client of Ollama sees it."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
import json
from typing import Any

import aiohttp

from script.ollama.answer import Record
from script.ollama.scripted import Script, ScriptedEngine
from script.ollama.server import serve

STOCK = "qwen2.5-coder:1.5b"
BRACKETS = "qwen2.5-coder-tools:1.5b"
SMALL = "qwen2.5-coder:0.5b"
GEMMA = "gemma3:270m"

LIGHT = {
    "type": "function",
    "function": {
        "name": "HassTurnOn",
        "description": "Turns on <a> device",
        "parameters": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string", "minLength": 1},
                "area": {"anyOf": [{"type": "string", "pattern": "a"}, {"type": "null"}]},
            },
        },
    },
}
LIST = {"type": "function", "function": {"name": "HassTurnOnAll", "parameters": {}}}
USER = {"role": "user", "content": "Turn on the lamp"}
CALL = '{"name": "HassTurnOn", "arguments": {"name": "Lamp {1}"}}'


class Client:
    """Talks to the server under test as any client of Ollama does."""

    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        """Use `session`."""
        self.url = url
        self.session = session
        self.records: list[Record] = []
        """What the server notes of every request that ended, where it is in this process."""

    async def post(self, path: str, body: Any) -> tuple[int, Any]:
        """Return status and JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        async with self.session.post(self.url + path, data=data) as response:
            return response.status, json.loads(await response.text())

    async def get(self, path: str) -> Any:
        """Return JSON."""
        async with self.session.get(self.url + path) as response:
            return await response.json()

    async def lines(self, path: str, **body: Any) -> list[dict[str, Any]]:
        """Return the lines of a stream."""
        async with self.session.post(self.url + path, json=body) as response:
            assert response.content_type == "application/x-ndjson"
            return [json.loads(line) async for line in response.content]

    async def chat(self, *messages: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Return a whole answer."""
        body = {"model": STOCK, "messages": list(messages) or [USER], "stream": False} | more
        status, answer = await self.post("/api/chat", body)
        assert status == 200, answer
        assert isinstance(answer, dict)
        return answer

    async def loaded(self) -> list[str]:
        """Return the names of loaded models."""
        return [model["name"] for model in (await self.get("/api/ps"))["models"]]


@asynccontextmanager
async def scripted(
    *scripts: Script, **options: Any
) -> AsyncGenerator[tuple[Client, ScriptedEngine]]:
    """Serve with an engine that writes `scripts`."""
    engine = ScriptedEngine(*scripts)
    records: list[Record] = []
    async with (
        serve(engine, on_record=records.append, **options) as url,
        aiohttp.ClientSession() as session,
    ):
        client = Client(url, session)
        client.records = records
        yield client, engine


def pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def texts(chunks: Sequence[dict[str, Any]]) -> list[str]:
    return [chunk["message"]["content"] for chunk in chunks]


def calls(chunks: Sequence[dict[str, Any]]) -> list[tuple[str, Any]]:
    found = [call for chunk in chunks for call in chunk["message"].get("tool_calls", ())]
    assert [call["function"]["index"] for call in found] == list(range(len(found)))
    assert all(call["id"].startswith("call_") for call in found)
    return [(call["function"]["name"], call["function"]["arguments"]) for call in found]
