"""A server that speaks Ollama's chat API and says what a model once said."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
from typing import Any, Protocol

from aiohttp import web

type Json = dict[str, Any]

DONE = "Done."
"""What a model says after its calls that is played."""
_DONE: Json = {
    "done": True,
    "done_reason": "stop",
    "total_duration": 1,
    "load_duration": 1,
    "prompt_eval_count": 1,
    "prompt_eval_duration": 1,
    "eval_count": 1,
    "eval_duration": 1,
}


def steps(text: str, calls: Sequence[Mapping[str, Any]] = ()) -> Sequence[Json]:
    """Return the messages of a model that makes calls, if any, and then says something."""
    said: Json = {"content": text, "tool_calls": []}
    return [{"content": "", "tool_calls": [*calls]}, said] if calls else [said]


@dataclass(slots=True)
class Replay:
    """What is to be answered now, and what was asked.

    One step answers one request of the turn that `sentence` began. Asked more often, the last
    step's text is said again, also behind words of the agent's own. A request that is not about the
    sentence (a warm-up, a question of the agent's own) is answered with nothing, and costs no step.
    """

    model: str
    sentence: str = ""
    steps: Sequence[Json] = ()
    tool_names: Mapping[str, str] = field(default_factory=dict)
    """Today's names of tools, by those of the time of the recording."""
    requests: list[Json] = field(default_factory=list)
    """The chat requests of this turn."""
    used: int = 0
    capabilities: Sequence[str] = ("completion", "tools")
    """What the model can do, as its server says."""

    def begin(self, sentence: str, steps: Sequence[Json]) -> None:
        """Forget the turn before."""
        self.sentence, self.steps = sentence, steps
        self.requests, self.used = [], 0

    @property
    def was_asked(self) -> bool:
        """Whether this turn asked the model, with a note after the sentence or without."""
        return any(self._is_the_turn(request["messages"]) for request in self.requests)

    def answer(self, request: Json) -> Json:
        """Return the message that answers a chat request."""
        self.requests.append(request)
        if not self.steps or not self._is_the_turn(request["messages"]):
            return {"role": "assistant", "content": ""}
        step = self.steps[min(self.used, len(self.steps) - 1)]
        again = self.used >= len(self.steps)
        self.used += 1
        message: Json = {"role": "assistant", "content": step["content"] or ""}
        if step["tool_calls"] and not again:
            message["tool_calls"] = [self._call(call) for call in step["tool_calls"]]
        return message

    def _is_the_turn(self, messages: Sequence[Json]) -> bool:
        return any(
            message["role"] == "user" and message["content"] == self.sentence
            for message in messages
        )

    def _call(self, call: Json) -> Json:
        name = call["name"]
        function = {"name": self.tool_names.get(name, name), "arguments": call["arguments"]}
        return {"function": function}


class Answering(Protocol):
    """Who is served: a model by its name, which answers requests."""

    model: str
    capabilities: Sequence[str]

    def answer(self, request: Json) -> Json:
        """Return the message that answers a chat request."""


@asynccontextmanager
async def serve(replay: Answering) -> AsyncGenerator[str]:
    """Serve a replay on a free local port; yield the address."""

    async def chat(http: web.Request) -> web.StreamResponse:
        request = await http.json()
        chunk = {
            "model": request["model"],
            "created_at": "2026-11-01T00:00:00Z",
            "message": replay.answer(request),
            **_DONE,
        }
        if not request.get("stream", True):
            return web.json_response(chunk)
        line = json.dumps(chunk).encode() + b"\n"
        return web.Response(body=line, content_type="application/x-ndjson")

    async def show(_: web.Request) -> web.Response:
        return web.json_response(
            {
                "capabilities": [*replay.capabilities],
                "details": {"family": "replay"},
                "model_info": {},
                "template": "{{ .Tools }}",
            }
        )

    async def tags(_: web.Request) -> web.Response:
        return web.json_response({"models": [{"name": replay.model, "model": replay.model}]})

    async def version(_: web.Request) -> web.Response:
        return web.json_response({"version": "0.12.10"})

    app = web.Application(client_max_size=64 << 20)
    app.add_routes(
        [
            web.post("/api/chat", chat),
            web.post("/api/show", show),
            web.get("/api/tags", tags),
            web.get("/api/ps", tags),
            web.get("/api/version", version),
        ]
    )
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
