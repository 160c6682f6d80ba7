"""From a request to the chunks of its answer, as Ollama's `/api/chat` sends them."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
import secrets
from time import perf_counter
from typing import Any, Protocol

from script.ollama import prompt
from script.ollama.engine import Engine, EngineError, Finished
from script.ollama.memory import Loaded
from script.ollama.request import ChatRequest, Message, RequestError
from script.ollama.tool_parser import ToolCall, ToolParser

type Chunk = dict[str, Any]


@dataclass(slots=True)
class Record:
    """What one request was and cost. Durations are in seconds."""

    model: str
    request: Mapping[str, Any]
    at: str = field(default_factory=lambda: timestamp(datetime.now(UTC)))
    started: float = field(default_factory=perf_counter)
    raw: str = ""
    """All text that the model wrote, tool calls and tags included."""
    tool_calls: list[Chunk] = field(default_factory=list)
    prompt_tokens: int = 0
    cached_tokens: int = 0
    prompt_seconds: float = 0.0
    tokens: int = 0
    seconds: float = 0.0
    load_seconds: float = 0.0
    total_seconds: float = 0.0
    reason: str = "error"
    """Ollama's `done_reason`; `cancelled` when the client went away, else `error`."""

    def elapsed(self) -> float:
        """Seconds since the request came."""
        return perf_counter() - self.started


class Shape(Protocol):
    """What chunks look like."""

    def chunk(self, model: str, text: str, calls: Sequence[Chunk] = ()) -> Chunk:
        """Return one chunk of an answer that goes on."""

    def whole(self, chunks: Sequence[Chunk]) -> Chunk:
        """Return all chunks in one, for a client that does not stream."""


class ChatShape:
    """`/api/chat`: a message."""

    def chunk(self, model: str, text: str, calls: Sequence[Chunk] = ()) -> Chunk:
        """Return a piece of text or tool calls."""
        message: Chunk = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = list(calls)
        return {**_head(model), "message": message, "done": False}

    def whole(self, chunks: Sequence[Chunk]) -> Chunk:
        """Join texts and tool calls."""
        text = "".join(chunk["message"]["content"] for chunk in chunks)
        calls = [call for chunk in chunks for call in chunk["message"].get("tool_calls", ())]
        message = {"role": "assistant", "content": text}
        return {**chunks[-1], "message": message | ({"tool_calls": calls} if calls else {})}


class GenerateShape:
    """`/api/generate`: text, and no tools."""

    def chunk(self, model: str, text: str, calls: Sequence[Chunk] = ()) -> Chunk:
        """Return a piece of text."""
        return {**_head(model), "response": text, "done": False}

    def whole(self, chunks: Sequence[Chunk]) -> Chunk:
        """Join the texts."""
        return {**chunks[-1], "response": "".join(chunk["response"] for chunk in chunks)}


async def answer(
    engine: Engine, loaded: Loaded, request: ChatRequest, shape: Shape, record: Record
) -> AsyncGenerator[Chunk]:
    """Let the model answer; the last chunk has the counts. Notes everything in `record`.

    Raises RequestError for a prompt that is too long, EngineError.
    """
    tokens = await _prompt(engine, loaded, request)
    names = [function.get("name", "") for function in request.tools]
    parser = ToolParser(loaded.model.tag, names) if names else None
    generation = engine.generate(
        tokens,
        request.options.sampling,
        _limit(request, loaded.context, len(tokens)),
        request.schema,
    )
    async with aclosing(generation) as pieces:
        async for piece in pieces:
            if isinstance(piece, Finished):
                _note(record, piece)
                yield shape.chunk(request.model, "") | _counts(record)
                return
            record.raw += piece
            record.tokens += 1
            calls, text = parser.add(piece) if parser else ([], piece)
            # As in Ollama a chunk has text or calls, and calls that come with text are lost.
            if text:
                yield shape.chunk(request.model, text)
            elif calls:
                first = len(record.tool_calls)
                shown = [_call(call, first + index) for index, call in enumerate(calls)]
                record.tool_calls += shown
                yield shape.chunk(request.model, "", shown)
    raise EngineError("unexpected end of the model's answer")


def done(shape: Shape, model: str, reason: str) -> Chunk:
    """Return the answer to a request without messages, which loads or unloads."""
    return shape.chunk(model, "") | {"done": True, "done_reason": reason}


def timestamp(moment: datetime) -> str:
    """Write a moment as Ollama does."""
    return moment.isoformat().replace("+00:00", "Z")


async def _prompt(engine: Engine, loaded: Loaded, request: ChatRequest) -> list[int]:
    """Return a prompt that leaves room for at least one token."""
    model, context = loaded.model, loaded.context
    messages = request.messages
    if model.system and messages[0].role != "system":
        messages = (Message("system", model.system), *messages)
    if not request.truncate:
        tokens = await engine.tokenize(prompt.render(model, messages, request.tools))
        if len(tokens) >= context:
            raise RequestError(400, "the input length exceeds the context length")
        return tokens
    tokens = await prompt.fit(model, messages, request.tools, engine.tokenize, context)
    if len(tokens) < context:
        return tokens
    # The last message alone is too long: its beginning goes, the first four tokens stay.
    return tokens[:4] + tokens[len(tokens) - context + 5 :]


def _limit(request: ChatRequest, context: int, prompt_tokens: int) -> int:
    """The greatest number of tokens to write: Ollama stops at ten contexts of babble."""
    wanted = request.options.num_predict
    limit = min(wanted, 10 * context) if wanted > 0 else 10 * context
    return limit if request.shift else min(limit, context - prompt_tokens)


def _head(model: str) -> Chunk:
    return {"model": model, "created_at": timestamp(datetime.now(UTC))}


def _call(call: ToolCall, index: int) -> Chunk:
    function = {"index": index, "name": call.name, "arguments": call.arguments}
    return {"id": f"call_{secrets.token_hex(4)}", "function": function}


def _note(record: Record, finished: Finished) -> None:
    record.reason = finished.reason
    record.prompt_tokens = finished.prompt_tokens
    record.cached_tokens = finished.cached_tokens
    record.prompt_seconds = finished.prompt_seconds
    record.tokens = finished.tokens
    record.seconds = finished.seconds


def _counts(record: Record) -> Chunk:
    return {
        "done": True,
        "done_reason": record.reason,
        "total_duration": _nanoseconds(record.elapsed()),
        "load_duration": _nanoseconds(record.load_seconds),
        "prompt_eval_count": record.prompt_tokens,
        "prompt_eval_duration": _nanoseconds(record.prompt_seconds),
        "eval_count": record.tokens,
        "eval_duration": _nanoseconds(record.seconds),
    }


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1e9)
