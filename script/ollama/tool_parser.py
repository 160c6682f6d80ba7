"""Tool calls in what a model writes, found as Ollama finds them.

Follows `tools/tools.go` of Ollama: only after the template's own tag, by the tool's name and the
first complete JSON object. What a model writes without the tag stays text: the server must not
make a model look better than a user's Ollama does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
import json
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of an offered tool."""

    name: str
    arguments: dict[str, Any]


class ToolParser:
    """Splits a stream of text into text and tool calls.

    Text before the tag passes at once, except an end that may become the tag. From the tag on
    nothing is text any more, as in Ollama: what is not a call is lost.
    """

    def __init__(self, tag: str, names: Sequence[str]) -> None:
        """Look for calls of the tools `names` after `tag`."""
        self._tag = tag
        self._names = names
        self._buffer = ""
        self._tag_seen = False

    def add(self, text: str) -> tuple[list[ToolCall], str]:
        """Take the next piece; return the calls and the text that are complete with it."""
        self._buffer += text
        before = ""
        if not self._tag_seen:
            at = self._buffer.find(self._tag)
            self._tag_seen = at >= 0
            if not self._tag_seen:
                at = len(self._buffer) - _overlap(self._buffer, self._tag)
            before, self._buffer = self._buffer[:at], self._buffer[at:]
        return (list(self._calls()) if self._tag_seen else []), before

    def _calls(self) -> Iterator[ToolCall]:
        while (name := self._first_name()) is not None:
            arguments, end = _first_arguments(self._buffer, name)
            if arguments is None:
                return
            self._buffer = self._buffer[max(end, self._buffer.find(name) + len(name)) :]
            yield ToolCall(name, arguments)

    def _first_name(self) -> str | None:
        """Return the tool named first; None while the end may become a longer name."""
        if any(_overlap(self._buffer, name) for name in self._names):
            return None
        found = [(self._buffer.find(name), -len(name), name) for name in self._names]
        return min((hit for hit in found if hit[0] >= 0), default=(0, 0, None))[2]


def _overlap(text: str, word: str) -> int:
    """Length of the longest end of `text` that begins `word` without being all of it."""
    return next((n for n in range(len(word) - 1, 0, -1) if text.endswith(word[:n])), 0)


def _first_arguments(text: str, name: str) -> tuple[dict[str, Any] | None, int]:
    """Return the arguments in the first complete JSON object and the index of its last brace."""
    for start, end in _objects(text):
        try:
            found = json.loads(text[start : end + 1])
        except ValueError:
            continue
        known, arguments = _arguments_in(found, name)
        return (arguments if known else found), end
    return None, 0


def _objects(text: str) -> Iterator[tuple[int, int]]:
    """Indices of the first and last brace of each outermost pair, braces in strings left out."""
    depth = start = 0
    in_string = escaped = False
    for index, char in enumerate(text):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == '"':
            in_string = not in_string
        elif in_string:
            continue
        elif char == "{":
            start = index if depth == 0 else start
            depth += 1
        elif char == "}" and depth:
            depth -= 1
            if depth == 0:
                yield start, index


def _arguments_in(found: dict[str, Any], name: str) -> tuple[bool, dict[str, Any] | None]:
    """Whether the object, or one inside it, is a call, and its arguments where it has some."""
    if "name" in found:
        options = (_as_object(found.get(key)) for key in ("arguments", "parameters"))
        return True, next((option for option in options if option is not None), None)
    if (arguments := _as_object(found.get(name))) is not None:
        return True, arguments
    for value in found.values():
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, dict) and (inner := _arguments_in(child, name))[0]:
                return inner
    return False, None


def _as_object(value: Any) -> dict[str, Any] | None:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return None
    return value if isinstance(value, dict) else None
