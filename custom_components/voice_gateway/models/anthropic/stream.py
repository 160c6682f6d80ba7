"""The events of Anthropic's messages as deltas.

A message comes like this (https://platform.claude.com/docs/en/build-with-claude/streaming):

    message_start                            the prompt's tokens
    content_block_start     thinking
    content_block_delta     thinking_delta …, signature_delta
    content_block_stop
    content_block_start     text
    content_block_delta     text_delta …     and citations_delta, of search results
    content_block_stop
    content_block_start     tool_use         with the tool's name
    content_block_delta     input_json_delta …
    content_block_stop
    message_delta           the stop reason, and the answer's tokens
    message_stop
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...const import LOGGER
from ...logs import Loggable
from ..client import Completion, Delta, ModelError, Reason
from ..limits import MAX_TEXT
from ..text_calls.arguments import call_of, to_arguments
from .messages import Block, NativeMessage
from .server import Event

# The turn's finish reasons, by stop reason: "stop" for a complete message.
_REASONS = {"end_turn": "stop", "tool_use": "stop", "stop_sequence": "stop", "max_tokens": "length"}
_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


@dataclass(slots=True)
class AnthropicMessageReader:
    """Reads a message, which comes in several parts if the API pauses it.

    - Text passes at once; thinking, searches, sources and call arguments are never text.
    - A call is yielded when its arguments are complete; with malformed ones, as an UnreadCall.
    - `original` gets every complete block, in the form that the API requires back.
    """

    original: NativeMessage
    names: Mapping[str, str]
    """The tools' own names by the sent ones."""
    completion: Completion
    answer_tool: str | None
    """The tool whose call is the answer."""
    paused: bool = False
    """Whether the API waits for a request to continue."""
    _block: Block = field(default_factory=dict)
    _json: list[str] = field(default_factory=list)
    _length: int = 0
    """Characters of all arguments; `limits.bounded` counts the text."""
    _usage: dict[str, int] = field(default_factory=dict)
    _stop_reason: str | None = None
    _stop_details: str = ""
    _spoke: bool = False
    _apart: bool = False
    """Whether another kind of block followed the text."""

    def deltas(self, event: Event) -> Iterator[Delta]:
        """Take an event; yield its deltas."""
        match event:
            case {"type": "message_start", "message": {"usage": dict(usage)}}:
                self._usage = {}
                self._count(usage)
            case {"type": "content_block_start", "content_block": {"type": str(kind)} as block}:
                self._block, self._json = _without_nulls(block), []
                self._apart = self._apart or kind != "text"
                if kind in ("text", "thinking"):
                    yield from self._add(kind, str(self._block.setdefault(kind, "")))
            case {"type": "content_block_delta", "delta": dict(delta)} if self._block:
                yield from self._go_on(delta)
            case {"type": "content_block_stop"} if self._block:
                yield from self._end()
            case {"type": "message_delta", "delta": dict(delta)}:
                self._stop_reason = delta.get("stop_reason")
                if details := delta.get("stop_details"):
                    self._stop_details = f"{details.get('category')}: {details.get('explanation')}"
                self._count(event.get("usage") or {})
            case {"type": "message_stop"}:
                self._finish()

    def raise_if_refused(self) -> None:
        """Raise ModelError if the model refused, or the context is full."""
        model = self.original.model
        match self._stop_reason:
            case "refusal":
                raise ModelError(Reason.REFUSED, self._stop_details, model=model)
            case "model_context_window_exceeded":
                raise ModelError(Reason.CONTEXT_EXCEEDED, "The context is full", model=model)

    def _go_on(self, delta: Mapping[str, Any]) -> Iterator[Delta]:
        block = self._block
        match delta:
            case {"type": "text_delta", "text": str(text)}:
                block["text"] = block.get("text", "") + text
                yield from self._add("text", text)
            case {"type": "citations_delta", "citation": dict(citation)}:
                cited = _without_nulls(citation)
                block["citations"] = [*(block.get("citations") or ()), cited]
            case {"type": "thinking_delta", "thinking": str(text)}:
                block["thinking"] = block.get("thinking", "") + text
                yield from self._add("thinking", text)
            case {"type": "signature_delta", "signature": str(signature)}:
                block["signature"] = signature
            case {"type": "input_json_delta", "partial_json": str(piece)}:
                self._json.append(piece)
                self._length += len(piece)
                if self._length > MAX_TEXT:
                    raise ModelError(Reason.CUT_SHORT, "A call of which no end came")
                if self._is_answer(block):
                    yield from self._add("text", piece)

    def _add(self, kind: str, text: str) -> Iterator[Delta]:
        if not text:
            return
        if kind == "thinking":
            yield {"thinking_content": text}
            return
        if self._spoke and self._apart:
            text = f"\n\n{text}"
        self._spoke, self._apart = True, False
        yield {"content": text}

    def _end(self) -> Iterator[Delta]:
        block, self._block = self._block, {}
        LOGGER.debug("%s: %s", self.original.model, Loggable(block))
        arguments = "".join(self._json)
        match block:
            case {"type": "text", "text": str(text)} if not text.strip():
                return
            case _ if self._is_answer(block):
                block = {"type": "text", "text": arguments}
            case {"type": "tool_use" | "server_tool_use"} if arguments.strip():
                block["input"] = to_arguments(arguments)
        self.original.blocks.append(block)
        if len(self.original.blocks) == 1:
            yield {"native": self.original}
        if block["type"] == "tool_use":
            made = call_of(self.names.get(block["name"], block["name"]), dict(block["input"]))
            made.id = block["id"]
            yield {"tool_calls": [made]}

    def _is_answer(self, block: Block) -> bool:
        return block["type"] == "tool_use" and str(block["name"]) == self.answer_tool

    def _count(self, usage: Mapping[str, Any]) -> None:
        """Update the counts, each of which covers the whole part so far."""
        self._usage |= {name: count for name, count in usage.items() if type(count) is int}

    def _finish(self) -> None:
        completion, usage = self.completion, Counter(self._usage)
        read = sum(usage[name] for name in _INPUT)
        completion.prompt_tokens = (completion.prompt_tokens or 0) + read
        cached = usage["cache_read_input_tokens"]
        completion.cached_tokens = (completion.cached_tokens or 0) + cached
        completion.answer_tokens = (completion.answer_tokens or 0) + usage["output_tokens"]
        self.paused = self._stop_reason == "pause_turn"
        completion.finish_reason = _REASONS.get(str(self._stop_reason), self._stop_reason)


def _without_nulls(block: Mapping[str, Any]) -> Block:
    return {name: value for name, value in block.items() if value is not None}
