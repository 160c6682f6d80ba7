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

The form of calls differs by server: `text_calls.collector` reads them. `ollama.server` turns the lines
of its protocol into these chunks.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
import re
from typing import Any

from .client import Completion, Delta, ModelError, Reason
from .errors import IN_STREAM, RequestRejected
from .learned import LearnedCapabilities
from .logprobs import TOKENS, likely
from .text_calls.collector import CallCollector, objects_in

# Fields in which servers put thinking.
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
# The turn's finish reasons, by the server's: "stop" for a complete message.
_REASONS = {"tool_calls": "stop", "function_call": "stop", "eos": "stop", "max_tokens": "length"}
_REFUSALS = ("content_filter", "safety", "refusal")
# Finish reasons of a call that the server cannot parse: Gemini's "MALFORMED_FUNCTION_CALL".
_FAULTY = re.compile(r"malformed|unexpected|pars(?:e|ing)|invalid|too_many|error", re.IGNORECASE)


@dataclass(slots=True)
class MessageReader:
    """Reads one message by chunks, and separates text, thinking and calls.

    - Text passes at once; thinking and the arguments of calls are never text.
    - Fields of a message beyond the protocol's are sent back with it.
    """

    calls: CallCollector
    completion: Completion
    model: str
    known: LearnedCapabilities
    _refusal: list[str] = field(default_factory=list)

    def deltas(self, chunk: Mapping[str, Any]) -> Iterator[Delta]:
        """Take a chunk; yield its deltas. Raises ModelError."""
        if chunk.get("object") == "error":
            raise RequestRejected(IN_STREAM, chunk, model=self.model)
        _count(self.completion, chunk)
        for choice in objects_in(chunk.get("choices"))[:1]:
            if isinstance(error := choice.get("error"), dict):
                raise RequestRejected(IN_STREAM, error, model=self.model)
            if delta := _object(choice, "delta"):
                yield from self._add(delta)
            tokens = likely(_object(choice, "logprobs").get("content"))
            self.completion.likely += islice(tokens, TOKENS - len(self.completion.likely))
            if reason := choice.get("finish_reason"):
                self.completion.finish_reason = _REASONS.get(str(reason), str(reason))

    def _add(self, message: Mapping[str, Any]) -> Iterator[Delta]:
        if isinstance(refusal := message.get("refusal"), str):
            self._refusal.append(refusal)
        for name in _THOUGHTS:
            if isinstance(thought := message.get(name), str) and thought:
                self.known.thought_in = name
                yield {"thinking_content": thought}
                break
        content = message.get("content")
        if isinstance(content, str) and content:
            yield {"content": content}
        # Mistral's thinking models send a list of parts.
        for part in objects_in(content):
            if isinstance(text := part.get("text"), str) and text:
                yield {"content": text}
            for thought in objects_in(part.get("thinking")):
                if isinstance(text := thought.get("text"), str) and text:
                    yield {"thinking_content": text}
        self.calls.note_message(message)
        for piece in objects_in(message.get("tool_calls")):
            yield from self.calls.add(piece)
        yield from self.calls.whole(only_given=True)

    def end(self) -> Iterator[Delta]:
        """Yield the deltas that remain at the end of the message. Raises ModelError."""
        reason = self.completion.finish_reason
        if self._refusal or reason in _REFUSALS:
            words = "".join(self._refusal) or str(reason)
            raise ModelError(Reason.REFUSED, words, model=self.model)
        if reason and _FAULTY.search(reason):
            raise RequestRejected(IN_STREAM, f"Failed to generate: {reason}", model=self.model)
        yield from self.calls.end(reason)


def _count(completion: Completion, chunk: Mapping[str, Any]) -> None:
    """Take the totals of a chunk: tokens, and llama.cpp's durations in milliseconds."""
    usage, timings = _object(chunk, "usage"), _object(chunk, "timings")
    told = {**usage, **_object(usage, "prompt_tokens_details"), **timings}
    counts = {name: value for name, value in told.items() if type(value) is int}
    seconds = {name: told[name] / 1000 for name in told if isinstance(told[name], int | float)}
    if "prompt_n" in counts and "cache_n" in counts:
        counts["cached_tokens"] = counts["cache_n"]
        counts["prompt_tokens"] = counts["prompt_n"] + counts["cache_n"]
    written = counts.get("predicted_n") or counts.get("completion_tokens")
    completion.prompt_tokens = counts.get("prompt_tokens", completion.prompt_tokens)
    completion.cached_tokens = counts.get("cached_tokens", completion.cached_tokens)
    completion.answer_tokens = completion.answer_tokens if written is None else written
    completion.prompt_seconds = seconds.get("prompt_ms", completion.prompt_seconds)
    completion.answer_seconds = seconds.get("predicted_ms", completion.answer_seconds)
    completion.load_seconds = seconds.get("load_ms", completion.load_seconds)


def _object(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return found if isinstance(found := value.get(name), dict) else {}
