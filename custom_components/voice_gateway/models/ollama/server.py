"""An Ollama server, its models, and the client of one with an agent's options.

Source of the formats: https://docs.ollama.com/api (docs/api.md, api/types.go).
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
import math
import re
from typing import Any, ClassVar, override

from homeassistant.components import conversation
from homeassistant.helpers import llm
from homeassistant.util.json import json_loads_object

from ...const import CONF_KEEP_ALIVE, CONF_NUM_CTX, DEFAULTS, LOGGER
from ...json_schema import Json
from ..api_server import MAX_CHAT, OwnServer, ServerAnswer, SlotUser
from ..client import ModelError, Reason
from ..history import Message, RequestBody
from ..learned import LearnedCapabilities
from ..logprobs import LIKELIEST
from ..self_hosted import ModelRequest, OwnServerClient
from ..text.thinking import ThinkingHabit
from ..text_calls.collector import objects_in

# Tokens that are kept free for the answer; a spoken one has about 50.
_ANSWER_TOKENS = 512
# A template that ends within the model's thinking, followed by ends of conditions only.
_OPENS_THINKING = re.compile(r"<think>\s*(?:\{\{-?\s*end\s*-?\}\}\s*)*$")


@dataclass(frozen=True, slots=True)
class OllamaModel:
    """A model with its capabilities: "completion", "tools", "thinking" and others."""

    name: str
    capabilities: frozenset[str] = frozenset()
    template: str = ""

    @property
    def calls_tools(self) -> bool:
        """Return True if its template supports tools."""
        return "tools" in self.capabilities

    @property
    def sees(self) -> bool:
        """Return True if it accepts images."""
        return "vision" in self.capabilities

    @property
    def talks(self) -> bool:
        """Return True if it generates text: an embedding model does not."""
        return "embedding" not in self.capabilities or "completion" in self.capabilities

    def known(self) -> LearnedCapabilities:
        """Return its capabilities before the first request; old servers report none."""
        opens_thinking = _OPENS_THINKING.search(self.template) is not None
        return LearnedCapabilities(
            calls_tools=self.calls_tools or not self.capabilities,
            sees=self.sees or not self.capabilities,
            has_system=not self.template or "system" in self.template.lower(),
            thinking=ThinkingHabit("thinking" not in self.capabilities and opens_thinking),
        )


class OllamaServer(OwnServer[LearnedCapabilities]):
    """An Ollama server."""

    async def version(self) -> str:
        """Return the server's version; raises ModelError if no Ollama server answers."""
        reply = await self._json("api/version", holds=("version", str))
        return str(reply["version"])

    async def models(self) -> list[str]:
        """Return the names of the installed models."""
        infos = objects_in((await self._json("api/tags")).get("models"))
        names = (info.get("model") or info.get("name") for info in infos)
        return [name for name in names if isinstance(name, str)]

    async def show(self, model: str) -> OllamaModel:
        """Return a model's capabilities."""
        reply = await self._json("api/show", {"model": model}, model=model)
        told = reply.get("capabilities")
        capabilities = frozenset(map(str, told if isinstance(told, list) else ()))
        return OllamaModel(model, capabilities, str(reply.get("template") or ""))

    @override
    async def _learn(self, model: str) -> LearnedCapabilities:
        try:
            shown = await self.show(model)
        except ModelError as err:
            if err.reason is not Reason.SERVER_ERROR:
                raise
            LOGGER.debug("Nothing known of %s: %s", model, err.detail)
            shown = OllamaModel(model)
        return self._known.setdefault(model, shown.known())

    async def pull(self, model: str) -> AsyncGenerator[float | None]:
        """Download a model to the server; yields the finished share from 0 to 1, or None."""
        async with aclosing(self._events("api/pull", {"model": model})) as lines:
            async for line in lines:
                match line:
                    case {"completed": int(done), "total": int(total)} if total > 0:
                        yield min(1.0, done / total)
                    case _:
                        yield None

    @override
    async def chat(
        self, body: Mapping[str, Any], who: SlotUser | None = None
    ) -> AsyncGenerator[dict[str, Any]]:
        async with self._places, aclosing(self._events("api/chat", body)) as lines:
            async for line in lines:
                yield _chunk(line)

    @override
    async def _chunks(self, answer: ServerAnswer) -> AsyncGenerator[dict[str, Any]]:
        # A download reports its progress for hours.
        most = math.inf if answer.response.url.path.endswith("/pull") else MAX_CHAT
        async for line in answer.lines(most):
            try:
                chunk = json_loads_object(line)
            except ValueError as err:
                raise ValueError(f"Garbage: {line[:200]!r}") from err
            yield chunk


def _chunk(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a line of Ollama's protocol as a chunk of OpenAI's, with llama.cpp's timings."""
    choice = {
        "delta": line.get("message"),
        "logprobs": {"content": line.get("logprobs")},
        "finish_reason": (line.get("done_reason") or "stop") if line.get("done") else None,
    }
    counts = ("prompt_tokens", "prompt_eval_count"), ("completion_tokens", "eval_count")
    usage = {name: line.get(theirs) for name, theirs in counts}
    # Its durations are nanoseconds.
    durations = ("prompt", "prompt_eval"), ("predicted", "eval"), ("load", "load")
    nanoseconds = {name: line.get(f"{theirs}_duration") for name, theirs in durations}
    timings = {f"{name}_ms": each / 1e6 for name, each in nanoseconds.items() if type(each) is int}
    return {"choices": [choice], "usage": usage, "timings": timings}


@dataclass(slots=True, kw_only=True, eq=False)
class OllamaClient(OwnServerClient[LearnedCapabilities]):
    """A model of a server with an agent's options; `keep_alive` is in seconds, -1 without end."""

    # Separate messages let the server reuse its cache of those before an utterance.
    takes_turns: ClassVar[bool] = False
    no_words: ClassVar[str] = ""
    server: OllamaServer
    num_ctx: int = DEFAULTS[CONF_NUM_CTX]
    keep_alive: int = DEFAULTS[CONF_KEEP_ALIVE]

    @override
    async def _is_read_ahead(self) -> bool:
        return self.keep_alive != 0

    @override
    def _context(self, known: LearnedCapabilities) -> int:
        return self.num_ctx

    @override
    def _body(self, request: ModelRequest, known: LearnedCapabilities) -> RequestBody:
        extra: RequestBody = {}
        if functions := request.functions():
            extra["tools"] = functions
        if request.weighs:
            extra |= {"logprobs": True, "top_logprobs": LIKELIEST}
        answer = min(_ANSWER_TOKENS, self.num_ctx // 8)
        messages = self._messages(request, known, answer=answer, fixed=extra)
        if request.schema is not None and known.takes_format:
            # It takes no tokens: the model does not see it. A constrained model calls no tools.
            extra["format"] = request.schema
        return {
            "model": self.model,
            "messages": messages,
            "think": self.think,
            "keep_alive": self.keep_alive,
            "options": {
                "num_ctx": self.num_ctx,
                "temperature": self.temperature,
                # Stops a model that does not come to an end.
                "num_predict": self.max_tokens or self.num_ctx // 4,
            },
            # Request an error instead of silently dropping the oldest messages.
            "truncate": False,
            "shift": False,
            **extra,
        }

    @override
    def _call(self, call: llm.ToolInput) -> Json:
        return {"function": {"name": call.tool_name, "arguments": call.tool_args}}

    @override
    def _result_of(self, item: conversation.ToolResultContent) -> Json:
        return {"tool_name": item.tool_name}

    @override
    def _with_files(self, message: Message, files: Mapping[str, tuple[str, str]]) -> Message:
        return {**message, "images": [files[path][0] for path in message["images"]]}
