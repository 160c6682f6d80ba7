r"""The chunks of a streamed answer as deltas.

An answer comes like this (https://platform.openai.com/docs/api-reference/chat-streaming), with
`data: ` before each chunk:

    {"choices": [{"delta": {"role": "assistant", "content": ""}}]}
    {"choices": [{"delta": {"reasoning_content": "The user …"}}]}         or `reasoning`
    {"choices": [{"delta": {"content": "One moment."}}]}
    {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "Turn", "arguments": ""}}]}}]}
    {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": "{\"na"}}]}}]}
    {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}
    {"choices": [], "usage": {"prompt_tokens": 158, …}, "timings": {"cache_n": 120, …}}
    [DONE]

How calls come differs by the server: `text_calls.collector` reads them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
import re
from typing import Any, override

from ..client import Completion, Delta, ModelError, Reason
from ..errors import IN_STREAM, RequestRejected
from ..self_hosted import MessageReader
from ..text_calls.collector import objects_in
from .capabilities import OpenAICapabilities

# Why a message ended, as the turn knows it: "stop" where all is there.
_REASONS = {"tool_calls": "stop", "function_call": "stop", "eos": "stop", "max_tokens": "length"}
_REFUSALS = ("content_filter", "safety", "refusal")
_THOUGHTS = ("reasoning_content", "reasoning")
# How it ends where its server cannot read what was called: Gemini's "MALFORMED_FUNCTION_CALL".
_FAULTY = re.compile(r"malformed|unexpected|pars(?:e|ing)|invalid|too_many|error", re.IGNORECASE)


@dataclass(slots=True)
class OpenAIMessageReader(MessageReader[OpenAICapabilities]):
    """Reads one message.

    - Text passes as it comes; thinking and the arguments of calls are never text.
    - What came with a message beside the protocol's fields goes back with it.
    """

    _refusal: list[str] = field(default_factory=list)

    @override
    def deltas(self, chunk: Mapping[str, Any]) -> Iterator[Delta]:
        """Take a chunk; yield what it adds."""
        if chunk.get("object") == "error":
            raise RequestRejected(IN_STREAM, chunk, model=self.model)
        _count(self.completion, chunk)
        for choice in objects_in(chunk.get("choices"))[:1]:
            if isinstance(error := choice.get("error"), dict):
                raise RequestRejected(IN_STREAM, error, model=self.model)
            delta = choice.get("delta")
            if isinstance(delta, dict):
                yield from self._add(delta)
            if isinstance(told := choice.get("logprobs"), dict):
                self.completion.note_likely(told.get("content"))
            if reason := choice.get("finish_reason"):
                self.completion.finish_reason = _REASONS.get(str(reason), str(reason))

    @override
    def end(self) -> Iterator[Delta]:
        reason = self.completion.finish_reason
        if self._refusal or reason in _REFUSALS:
            words = "".join(self._refusal) or str(reason)
            raise ModelError(Reason.REFUSED, words, model=self.model)
        if reason and _FAULTY.search(reason):
            raise RequestRejected(IN_STREAM, f"Failed to generate: {reason}", model=self.model)
        yield from self.calls.end(reason)

    def _add(self, delta: Mapping[str, Any]) -> Iterator[Delta]:
        for name in _THOUGHTS:
            if isinstance(thought := delta.get(name), str) and thought:
                self.known.thought_in = name
                yield {"thinking_content": thought}
                break
        match delta.get("content"):
            case str() as text if text:
                yield {"content": text}
            case list() as parts:
                yield from _parts(parts)
        if isinstance(refusal := delta.get("refusal"), str):
            self._refusal.append(refusal)
        self.calls.note_message(delta)
        for piece in objects_in(delta.get("tool_calls")):
            yield from self.calls.add(piece)


def _parts(parts: list[Any]) -> Iterator[Delta]:
    """Yield what parts of a message add: Mistral's models that think write them."""
    for part in objects_in(parts):
        if isinstance(text := part.get("text"), str) and text:
            yield {"content": text}
        for thought in objects_in(part.get("thinking")):
            if isinstance(text := thought.get("text"), str) and text:
                yield {"thinking_content": text}


def _count(completion: Completion, chunk: Mapping[str, Any]) -> None:
    """Take over what a chunk says of the whole: tokens, and milliseconds where it is llama.cpp's."""
    if isinstance(usage := chunk.get("usage"), dict):
        completion.prompt_tokens = _number(usage, "prompt_tokens")
        completion.answer_tokens = _number(usage, "completion_tokens")
        details = usage.get("prompt_tokens_details")
        if isinstance(details, dict):
            completion.cached_tokens = _number(details, "cached_tokens")
    if isinstance(timings := chunk.get("timings"), dict):
        read, kept = _number(timings, "prompt_n"), _number(timings, "cache_n")
        if read is not None and kept is not None:
            completion.prompt_tokens, completion.cached_tokens = read + kept, kept
        completion.answer_tokens = _number(timings, "predicted_n") or completion.answer_tokens
        completion.prompt_seconds = _seconds(timings, "prompt_ms")
        completion.answer_seconds = _seconds(timings, "predicted_ms")


def _number(counts: Mapping[str, Any], name: str) -> int | None:
    return value if type(value := counts.get(name)) is int else None


def _seconds(counts: Mapping[str, Any], name: str) -> float | None:
    value = counts.get(name)
    return value / 1000 if isinstance(value, int | float) else None
