"""Calls that a model writes as text.

Small models often choose the right tool and the right arguments, and then write the call into
their answer instead of making it. Qwen 2.5 Coder does so for every command:

    {"name": "HassTurnOn", "arguments": {"name": "kitchen lights"}}
    ```json
    {"name": "HassTurnOn", "arguments": {"name": "kitchen lights"}}
    ```
    {{"name": "HassTurnOn", "arguments": {"name": "kitchen lights"}}}
    <tool_call>
    {"name": "HassTurnOn", "arguments": {"name": "kitchen lights"}}
    </tool_call>

Such text is a call when it is an object with the name of a tool that was offered and an object of
arguments, and nothing else. All other text stays text.
"""

from collections.abc import AsyncIterable, Callable, Iterator
from dataclasses import dataclass
import json
import re
from typing import Any

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..const import LOGGER
from .client import Deltas

type Delta = conversation.AssistantContentDeltaDict
type Resolve = Callable[[str], str | None]
"""Gives the name of the offered tool that a written name means; None where it means none."""

_STARTS = ("<tool_call>", "```", "{")
_CLOSINGS = ("</tool_call>", "```")
# A complete opening: a tag or a fence, and the brace after it.
_OPENING = re.compile(r"(?:(?:<tool_call>|```(?:json)?)\s*)?(?=\{)")
# The same, cut off before the brace.
_UNFINISHED_OPENING = re.compile(r"(?:<tool_call>|```(?:j|js|jso|json)?)\s*")
# One or two braces, the first key and, where that is the name, its value.
_HEAD = re.compile(r'(?:\{\s*){1,2}"(?P<key>\w+)"\s*:\s*(?:"(?P<name>[^"\\]*)")?')
# What may be the beginning of such a head.
_UNFINISHED_HEAD = re.compile(r'(?:\{\s*){1,2}(?:"\w*(?:"\s*(?::\s*(?:"[^"\\]*)?)?)?)?')
_ARGUMENTS = ("arguments", "parameters")
_KEYS = ("name", *_ARGUMENTS, "type", "id")


async def rescue_calls(stream: AsyncIterable[Delta], resolve: Resolve) -> Deltas:
    """Turn the calls in a stream's text into tool calls; all else passes as it came.

    Text that could still become a call is held back until it is clear what it is; other text
    passes at once.
    """
    text = TextCalls(resolve)
    async for delta in stream:
        content = delta.pop("content", None) or ""
        if delta:
            yield delta
        for found in text.feed(content):
            yield found
    for found in text.end():
        yield found


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the first `length` characters of a text are: a call, text to say, or neither."""

    length: int
    call: llm.ToolInput | None = None
    said: bool = True


@dataclass(slots=True)
class TextCalls:
    """Finds calls in a text that comes in pieces, split anywhere.

    - Joined, the text that comes out is the text that came in, without the calls.
    - Only a call of an offered tool is taken for a call; an object within another is none.
    - A call that was begun and not ended is neither made nor said.
    - No text makes it raise.
    """

    resolve: Resolve
    _held: str = ""
    _after_call: bool = False
    _passing: _Braces | None = None

    def feed(self, piece: str) -> Iterator[Delta]:
        """Take a piece; yield what is clear now."""
        self._held += piece
        return self._clear(final=False)

    def end(self) -> Iterator[Delta]:
        """Yield what is left when nothing more comes."""
        return self._clear(final=True)

    def _clear(self, *, final: bool) -> Iterator[Delta]:
        while self._held and (reading := self._read(final=final)):
            taken, self._held = self._held[: reading.length], self._held[reading.length :]
            if reading.call:
                LOGGER.debug("The model wrote its call as text: %s", taken)
                self._after_call = True
                yield {"tool_calls": [reading.call]}
            elif reading.said:
                yield {"content": taken}
            else:
                LOGGER.debug("Not said: %s", taken)

    def _read(self, *, final: bool) -> _Reading | None:
        """Tell what the held text begins with; None while that is not clear."""
        if self._after_call:
            return self._read_closing(final=final)
        if self._passing:
            length = self._passing.end_in(self._held)
            if length is not None:
                self._passing = None
            return _Reading(length or len(self._held))
        if before := _before_start(self._held, final=final):
            return _Reading(before)
        if not self._held.startswith(_STARTS):
            return None
        return self._read_object(final=final)

    def _read_closing(self, *, final: bool) -> _Reading | None:
        """Drop the tag or the fence that closes a call, with the space around it."""
        rest = self._held.lstrip()
        space = len(self._held) - len(rest)
        for closing in _CLOSINGS:
            if rest.startswith(closing):
                return _Reading(space + len(closing), said=False)
        if not final and any(closing.startswith(rest) for closing in _CLOSINGS):
            return None
        self._after_call = False
        return _Reading(space, said=False)

    def _read_object(self, *, final: bool) -> _Reading | None:
        """Tell whether the held text begins with a call or with some other object."""
        if (opening := _OPENING.match(self._held)) is None:
            if not final and _UNFINISHED_OPENING.fullmatch(self._held):
                return None
            return _Reading(1)
        written = self._held[opening.end() :]
        if not final and _UNFINISHED_HEAD.fullmatch(written):
            return None
        if not self._begins_call(written):
            self._passing = _Braces()
            return _Reading(opening.end())
        if (length := _Braces().end_in(written)) is None and not final:
            return None
        call = _call(written[:length], self.resolve)
        # What ended and is no call is some other object; what did not end was a call.
        return _Reading(opening.end() + (length or len(written)), call, said=length is not None)

    def _begins_call(self, written: str) -> bool:
        """Tell whether an object begins as a call of an offered tool does."""
        if (head := _HEAD.match(written)) is None or head["key"] not in _KEYS:
            return False
        return head["key"] != "name" or (
            head["name"] is not None and bool(self.resolve(head["name"]))
        )


class _Braces:
    """Counts braces, but those in strings, through a text that comes in pieces."""

    def __init__(self) -> None:
        """Begin before the first brace."""
        self._depth = 0
        self._in_string = False
        self._escaped = False

    def end_in(self, piece: str) -> int | None:
        """Return where in a piece the first brace's counterpart ends; None if not in it."""
        for position, character in enumerate(piece):
            if self._escaped:
                self._escaped = False
            elif self._in_string:
                self._escaped = character == "\\"
                self._in_string = character != '"'
            elif character == '"':
                self._in_string = True
            elif character in "{}":
                self._depth += 1 if character == "{" else -1
                if self._depth == 0:
                    return position + 1
        return None


def _before_start(text: str, *, final: bool) -> int:
    """Return how many characters surely come before anything that could be a call."""
    starts = [position for start in _STARTS if (position := text.find(start)) >= 0]
    if not final:
        starts += [
            len(text) - length
            for start in _STARTS
            for length in range(1, len(start))
            if text.endswith(start[:length])
        ]
    return min(starts, default=len(text))


def _call(written: str, resolve: Resolve) -> llm.ToolInput | None:
    """Return the call that an object is; None where it is none.

    The object may be written with doubled braces, outside or throughout, or lack its last brace.
    """
    doubled = written.replace("{{", "{").replace("}}", "}")
    for text in (written, written[1:-1], doubled, written + "}", written[1:]):
        try:
            value = json.loads(text, strict=False)
        except ValueError:
            continue
        if isinstance(value, dict):
            break
    else:
        return None
    name = resolve(str(value.get("name")))
    arguments: Any = next((value[key] for key in _ARGUMENTS if key in value), {})
    if name is None or not value.keys() <= set(_KEYS) or not isinstance(arguments, dict):
        return None
    return llm.ToolInput(tool_name=name, tool_args=arguments)
