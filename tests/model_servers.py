"""The stand-ins for model servers of every provider, scripted and read in the same words.

    model_server.answers(model_server.message("One moment. ", call("turn_on", name="Lamp")))

What a provider's server alone can do is scripted with its own module.
"""

from abc import ABC, abstractmethod
import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import itertools
import json
from typing import Any, ClassVar, override

from homeassistant.const import CONF_API_KEY, CONF_URL
import pytest

from custom_components.voice_gateway.const import CONF_KIND, EntryKind
from custom_components.voice_gateway.models.history import HAS_TO_ANSWER

from . import anthropic as claude, ollama, openai
from .anthropic_rules import blocks_of
from .ollama import Fault

type Json = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A call that a model makes."""

    name: str
    arguments: Json


@dataclass(frozen=True)
class Thought:
    """What a model thinks and does not say."""

    text: str


def call(name: str, /, **arguments: Any) -> Call:
    """Return a call."""
    return Call(name, arguments)


type Part = str | Call | Thought | asyncio.Event | Fault
"""Of a message: a piece of its text, a call, a thought; or what happens meanwhile."""


@dataclass(frozen=True)
class Said:
    """A part of the conversation as a request has it."""

    who: str
    """"user", "model", "call" or "result"."""
    text: str = ""
    tool: str = ""
    arguments: Json = field(default_factory=dict)


class ModelServer(ABC):
    """A model server that plays what it is told to, and what came to it."""

    kind: ClassVar[EntryKind]
    model: ClassVar[str]
    garbage: ClassVar[bytes]
    """What no model server sends."""
    server: Any

    @property
    @abstractmethod
    def data(self) -> Json:
        """The data of its entry."""

    @abstractmethod
    def message(self, *parts: Part, ends: str | None = "stop") -> Any:
        """Return a message; it ends as it should, because of its "length", or not at all."""

    @abstractmethod
    def endless(self, piece: str, pause: Callable[[], asyncio.Event]) -> Any:
        """Return a message that says a piece again and again, after each pause."""

    @abstractmethod
    def refusal(self, why: str) -> Any:
        """Return a response that is none: the "context" is exceeded, or the server is "broken"."""

    @abstractmethod
    def conversation(self, request: Json) -> list[Said]:
        """Return what a request has of the conversation, without the system prompt."""

    @abstractmethod
    def tools(self, request: Json) -> dict[str, Json]:
        """Return the schemas of the tools that a request lets the model call, by their names."""

    @abstractmethod
    def structure(self, request: Json) -> Json | None:
        """Return the schema that the answer to a request is held to."""

    @abstractmethod
    def files(self, request: Json) -> list[str]:
        """Return the files that a request shows, in base64."""

    @abstractmethod
    def see(self, *, sees: bool) -> None:
        """Have the server say whether the model sees."""

    # What is the same for all

    @property
    def requests(self) -> list[Json]:
        """The requests for an answer that came."""
        requests: list[Json] = self.server.chats
        return requests

    def answers(self, *answers: Any) -> None:
        """Give the next requests these answers, in this order."""
        self.server.answers(*answers)

    def forget(self) -> None:
        """Forget the answers that nobody asked for."""
        self.server.script.clear()

    def says(self, *pieces: str) -> Any:
        """Return an answer of text that comes in pieces."""
        return self.message(*pieces)

    def calls(self, *made: Call) -> Any:
        """Return an answer that calls tools, all in one message."""
        return self.message(*made)

    def last(self) -> Said:
        """Return what the last request ended with."""
        return self.conversation(self.requests[-1])[-1]

    def results(self, request: Json) -> list[str]:
        """Return the results of tools that a request has."""
        return [said.text for said in self.conversation(request) if said.who == "result"]

    def unpaired(self, request: Json) -> list[str]:
        """Return the names of calls in a request without results, or the other way round."""
        due: list[str] = []
        wrong: list[str] = []
        for said in self.conversation(request):
            match said.who:
                case "call":
                    due.append(said.tool)
                case "result":
                    if not due or due.pop(0) != said.tool:
                        wrong.append(said.tool)
                case _:
                    wrong += due
                    due = []
        return wrong + due


@dataclass
class OllamaModel(ModelServer):
    """A model by Ollama."""

    server: ollama.PlayedOllama
    kind: ClassVar = EntryKind.OLLAMA
    model: ClassVar = ollama.MODEL
    garbage: ClassVar = b"\x00\xff<garbage>\n"

    @property
    @override
    def data(self) -> Json:
        return {CONF_KIND: self.kind, CONF_URL: self.server.url}

    @override
    def message(self, *parts: Part, ends: str | None = "stop") -> Any:
        steps: list[ollama.Step] = []
        for made, group in itertools.groupby(parts, lambda part: isinstance(part, Call)):
            if made:
                calls = [ollama.call(each.name, **each.arguments) for each in group]  # type: ignore[union-attr]
                steps.append(ollama.part(tool_calls=calls))
                continue
            for part in group:
                match part:
                    case str():
                        steps.append(ollama.part(part))
                    case Thought():
                        steps.append(ollama.part(thinking=part.text))
                    case asyncio.Event() | Fault():
                        steps.append(part)
        return [*steps, *([ollama.done(ends)] if ends else [])]

    @override
    def endless(self, piece: str, pause: Callable[[], asyncio.Event]) -> Iterator[ollama.Step]:
        while True:
            yield ollama.part(piece)
            yield pause()

    @override
    def refusal(self, why: str) -> Any:
        match why:
            case "context":
                return ollama.error(400, "the input length exceeds the context length")
            case "broken":
                return ollama.error(500, "out of memory")
        raise NotImplementedError(why)

    @override
    def conversation(self, request: Json) -> list[Said]:
        return [said for message in request["messages"][1:] for said in self._said(message)]

    def _said(self, message: Json) -> Iterator[Said]:
        text = message["content"]
        match message["role"]:
            case "user":
                yield Said("user", text)
            case "tool":
                yield Said("result", text, message["tool_name"])
            case "assistant":
                if text:
                    yield Said("model", text)
                for made in message.get("tool_calls", ()):
                    function = made["function"]
                    yield Said("call", "", function["name"], function["arguments"])

    @override
    def tools(self, request: Json) -> dict[str, Json]:
        if request["messages"][-1]["content"] == HAS_TO_ANSWER:
            return {}
        functions = [tool["function"] for tool in request.get("tools", ())]
        return {function["name"]: function["parameters"] for function in functions}

    @override
    def structure(self, request: Json) -> Json | None:
        return request.get("format")

    @override
    def files(self, request: Json) -> list[str]:
        return [file for message in request["messages"] for file in message.get("images", ())]

    @override
    def see(self, *, sees: bool) -> None:
        self.server.models[self.model] = ["completion", "tools", *(["vision"] if sees else [])]


@dataclass
class AnthropicModel(ModelServer):
    """A model of Anthropic's."""

    server: claude.PlayedAnthropic
    kind: ClassVar = EntryKind.ANTHROPIC
    model: ClassVar = claude.MODEL
    garbage: ClassVar = b"event: content_block_delta\ndata: \xff{garbage\n\n"
    _thoughts: int = 0

    @property
    @override
    def data(self) -> Json:
        return {CONF_KIND: self.kind, CONF_API_KEY: claude.KEY}

    @override
    def message(self, *parts: Part, ends: str | None = "stop") -> Any:
        blocks: list[claude.Part] = []
        for part in parts:
            match part, blocks[-1:]:
                case str(), [claude.Block(start={"type": "text"}) as text]:
                    text.deltas += claude.text(part).deltas
                case str(), _:
                    blocks.append(claude.text(part))
                case ((asyncio.Event() | Fault()), [claude.Block(start={"type": "text"}) as text]):
                    text.deltas.append(part)
                case ((asyncio.Event() | Fault()), _):
                    blocks.append(part)
                case Call(), _:
                    blocks.append(claude.call(part.name, **part.arguments))
                case Thought(), _:
                    self._thoughts += 1
                    blocks.append(claude.thinking(part.text, signature=f"s{self._thoughts}"))
        made = any(isinstance(part, Call) for part in parts)
        reasons = {"stop": "tool_use" if made else "end_turn", "length": "max_tokens"}
        return claude.answer(*blocks, stop=reasons[ends]) if ends else claude.begun(*blocks)

    @override
    def endless(self, piece: str, pause: Callable[[], asyncio.Event]) -> Iterator[claude.Step]:
        # Without the end of its only block.
        yield from claude.begun(claude.text())[:-1]
        delta = {"type": "text_delta", "text": piece}
        while True:
            yield claude.event(type="content_block_delta", index=0, delta=delta)
            yield pause()

    @override
    def refusal(self, why: str) -> Any:
        match why:
            case "context":
                return claude.error(400, "invalid_request_error", "prompt is too long: 9 > 8")
            case "broken":
                return claude.error(500, "api_error", "Internal", x_should_retry="false")
        raise NotImplementedError(why)

    @override
    def conversation(self, request: Json) -> list[Said]:
        names: dict[str, str] = {}
        return [
            said
            for message in request["messages"]
            for block in message["content"]
            for said in self._said(message["role"], block, names)
        ]

    def _said(self, role: str, block: Json, names: dict[str, str]) -> Iterator[Said]:
        match block["type"]:
            case "text":
                yield Said("user" if role == "user" else "model", block["text"])
            case "tool_use":
                names[block["id"]] = block["name"]
                yield Said("call", "", block["name"], block["input"])
            case "tool_result":
                yield Said("result", block["content"], names[block["tool_use_id"]])

    @override
    def tools(self, request: Json) -> dict[str, Json]:
        if request.get("tool_choice") == {"type": "none"}:
            return {}
        return {tool["name"]: tool["input_schema"] for tool in request.get("tools", ())}

    @override
    def structure(self, request: Json) -> Json | None:
        held: Json = request.get("output_config", {}).get("format", {})
        return held.get("schema")

    @override
    def files(self, request: Json) -> list[str]:
        shown = ("image", "document")
        return [
            block["source"]["data"] for _, block in blocks_of(request) if block["type"] in shown
        ]

    @override
    def see(self, *, sees: bool) -> None:
        self.server.models[self.model] = claude.model_info(sees=sees)


@dataclass
class OpenAIModel(ModelServer):
    """A model at a server that speaks OpenAI's protocol."""

    server: openai.PlayedOpenAI
    kind: ClassVar = EntryKind.OPENAI
    model: ClassVar = openai.MODEL
    garbage: ClassVar = b"data: \xff{garbage\n\n"

    @property
    @override
    def data(self) -> Json:
        return {CONF_KIND: self.kind, CONF_URL: self.server.url, CONF_API_KEY: openai.KEY}

    @override
    def message(self, *parts: Part, ends: str | None = "stop") -> Any:
        steps: list[ollama.Step] = [openai.chunk({"role": "assistant", "content": ""})]
        made = 0
        for part in parts:
            match part:
                case str():
                    steps += openai.text(part)
                case Thought():
                    steps += openai.thought(part.text)
                case Call():
                    steps += openai.call(part.name, index=made, **part.arguments)
                    made += 1
                case asyncio.Event() | Fault():
                    steps.append(part)
        reason = "tool_calls" if made and ends == "stop" else ends
        return [*steps, *(openai.end(reason) if reason else [])]

    @override
    def endless(self, piece: str, pause: Callable[[], asyncio.Event]) -> Iterator[ollama.Step]:
        while True:
            yield openai.chunk({"content": piece})
            yield pause()

    @override
    def refusal(self, why: str) -> Any:
        match why:
            case "context":
                words = "request (9 tokens) exceeds the available context size (8 tokens)"
                return openai.error(400, words, type="exceed_context_size_error")
            case "broken":
                return openai.error(500, "Internal", type="server_error")
        raise NotImplementedError(why)

    @override
    def conversation(self, request: Json) -> list[Said]:
        names: dict[str, str] = {}
        return [
            said
            for message in request["messages"]
            if message["role"] != "system"
            for said in self._said(message, names)
        ]

    def _said(self, message: Json, names: dict[str, str]) -> Iterator[Said]:
        text = message["content"]
        if isinstance(text, list):
            text = text[0]["text"]
        match message["role"]:
            case "user":
                yield Said("user", text)
            case "tool":
                yield Said("result", text, names[message["tool_call_id"]])
            case "assistant":
                if text:
                    yield Said("model", text)
                for made in message.get("tool_calls", ()):
                    function = made["function"]
                    names[made["id"]] = function["name"]
                    arguments = json.loads(function["arguments"])
                    yield Said("call", "", function["name"], arguments)

    @override
    def tools(self, request: Json) -> dict[str, Json]:
        if request.get("tool_choice") == "none":
            return {}
        functions = [tool["function"] for tool in request.get("tools", ())]
        return {function["name"]: function["parameters"] for function in functions}

    @override
    def structure(self, request: Json) -> Json | None:
        held: Json = request.get("response_format", {}).get("json_schema", {})
        return held.get("schema")

    @override
    def files(self, request: Json) -> list[str]:
        return [
            part["image_url"]["url"].partition("base64,")[2]
            for message in request["messages"]
            if isinstance(message["content"], list)
            for part in message["content"]
            if part["type"] == "image_url"
        ]

    @override
    def see(self, *, sees: bool) -> None:
        inputs = ["text", *(["image"] if sees else [])]
        self.server.models[self.model]["architecture"] = {"input_modalities": inputs}


@asynccontextmanager
async def serving(kind: EntryKind, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[ModelServer]:
    """Run a provider's stand-in; it may have refused no request as malformed."""
    if kind is EntryKind.OLLAMA:
        async with ollama.played_ollama() as played:
            yield OllamaModel(played)
        return
    if kind is EntryKind.OPENAI:
        async with openai.played_openai() as other:
            yield OpenAIModel(other)
        return
    async with claude.played_anthropic() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield AnthropicModel(server)
    assert server.refused == []
