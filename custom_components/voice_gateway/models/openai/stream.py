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

Servers differ in how a call comes: whole or in pieces, without an index, all with index 0, without an
id, with the name in each piece.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from homeassistant.helpers import llm
from pydantic_core import from_json

from ...const import LOGGER
from ..client import Completion, Delta, ModelError, Reason
from ..limits import MAX_NAME, MAX_TEXT
from ..text_calls import to_arguments

# Why a message ended, as the turn knows it: "stop" where all is there.
_REASONS = {"tool_calls": "stop", "function_call": "stop", "eos": "stop", "max_tokens": "length"}
_REFUSALS = ("content_filter", "safety", "refusal")
_THOUGHTS = ("reasoning_content", "reasoning")
# Characters of arguments that are no longer looked at piece by piece: a call's are some hundred.
_LONG = 16_000
_BROKEN = "arguments"
"""Where `to_arguments` keeps what is no object."""


@dataclass(slots=True)
class _Call:
    """A call, as far as it has come."""

    index: Any
    call_id: str
    name: str = ""
    arguments: str = ""
    given: Mapping[str, Any] | None = None
    """The arguments, where they came as an object."""

    def goes_on(self, index: Any, call_id: str, name: str) -> bool:
        """Return True if a piece belongs to it."""
        if call_id and self.call_id:
            return call_id == self.call_id
        if index is not None and self.index is not None and index != self.index:
            return False
        if not name or not self.name:
            return True
        # Some say the name in each piece; with others it is that of the next call.
        if name != self.name or index is None:
            return False
        return len(self.arguments) > _LONG or self.object is None

    @property
    def object(self) -> Mapping[str, Any] | None:
        """Its arguments, if they are whole."""
        if self.given is not None:
            return self.given
        try:
            value = from_json(self.arguments)
        except ValueError:
            return None
        return value if isinstance(value, dict) else None

    def add(self, call_id: str, name: str, arguments: Any) -> None:
        """Take a piece."""
        self.call_id = self.call_id or call_id
        self.name = self.name or name[: MAX_NAME + 1]
        if isinstance(arguments, str):
            self.arguments += arguments
        elif isinstance(arguments, dict):
            self.given = arguments


@dataclass(slots=True)
class OpenAIMessageReader:
    """Reads one message.

    - Text passes as it comes; thinking and the arguments of calls are never text.
    - A call is there when the next one begins, or the message ends. One that was cut off, or whose
      arguments are broken, is not made.
    """

    names: Mapping[str, str]
    """The tools' own names by those that the model knows."""
    completion: Completion
    model: str
    thought_in: str = ""
    """The field in which thinking came."""
    _calls: list[_Call] = field(default_factory=list)
    _length: int = 0
    """Characters of arguments in all; what is said is counted where it is passed on."""
    _refusal: list[str] = field(default_factory=list)

    def deltas(self, chunk: Mapping[str, Any]) -> Iterator[Delta]:
        """Take a chunk; yield what it adds."""
        _count(self.completion, chunk)
        for choice in _objects(chunk.get("choices"))[:1]:
            delta = choice.get("delta")
            if isinstance(delta, dict):
                yield from self._add(delta)
            if isinstance(told := choice.get("logprobs"), dict):
                self.completion.note_likely(told.get("content"))
            if reason := choice.get("finish_reason"):
                self.completion.finish_reason = _REASONS.get(str(reason), str(reason))

    def end(self) -> Iterator[Delta]:
        """Yield what is left, when nothing more comes; raises ModelError."""
        reason = self.completion.finish_reason
        if self._refusal or reason in _REFUSALS:
            words = "".join(self._refusal) or str(reason)
            raise ModelError(Reason.REFUSED, words, model=self.model)
        yield from self.whole(ended=reason == "stop")

    def whole(self, *, ended: bool = False) -> Iterator[Delta]:
        """Yield the calls that are there, whatever comes; where the message ended, those are all."""
        calls, self._calls = self._calls, []
        for call in calls:
            if made := self._made(call, ended=ended):
                yield {"tool_calls": [made]}
            else:
                # Its other pieces may come among those of the next one.
                self._calls.append(call)

    def _made(self, call: _Call, *, ended: bool) -> llm.ToolInput | None:
        """Return a call; None for one that is not whole, or whose arguments are broken."""
        arguments = call.object
        if arguments is None and ended:
            arguments = to_arguments(call.arguments)
            if arguments.keys() == {_BROKEN} and isinstance(arguments[_BROKEN], str):
                LOGGER.debug("Not called, broken arguments: %d letters", len(call.arguments))
                self.completion.finish_reason = "broken_call"
                return None
        if arguments is None or not call.name:
            return None
        return llm.ToolInput(self.names.get(call.name, call.name), dict(arguments))

    def _add(self, delta: Mapping[str, Any]) -> Iterator[Delta]:
        for name in _THOUGHTS:
            if isinstance(thought := delta.get(name), str) and thought:
                self.thought_in = name
                yield {"thinking_content": thought}
                break
        match delta.get("content"):
            case str() as text if text:
                yield {"content": text}
            case list() as parts:
                yield from _parts(parts)
        if isinstance(refusal := delta.get("refusal"), str):
            self._refusal.append(refusal)
        for piece in _objects(delta.get("tool_calls")):
            yield from self._add_call(piece)

    def _add_call(self, piece: Mapping[str, Any]) -> Iterator[Delta]:
        """Take a piece of a call; yield those before it, which are whole when the next one begins."""
        function = piece.get("function")
        if not isinstance(function, dict):
            return
        index, call_id = piece.get("index"), _text(piece.get("id"))
        name, arguments = _text(function.get("name")), function.get("arguments")
        goes_on = (each for each in reversed(self._calls) if each.goes_on(index, call_id, name))
        if (call := next(goes_on, None)) is None:
            yield from self.whole()
            call = _Call(index, call_id)
            self._calls.append(call)
        self._length += len(str(arguments or ""))
        if self._length > MAX_TEXT:
            raise ModelError(Reason.CUT_SHORT, "A call of which no end came")
        call.add(call_id, name, arguments)


def _parts(parts: list[Any]) -> Iterator[Delta]:
    """Yield what parts of a message add: Mistral's models that think write them."""
    for part in _objects(parts):
        if isinstance(text := part.get("text"), str) and text:
            yield {"content": text}
        for thought in _objects(part.get("thinking")):
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


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
