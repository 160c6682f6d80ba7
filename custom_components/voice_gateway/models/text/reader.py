"""Read a text that is still being streamed."""

from abc import ABC, abstractmethod
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
import re

from ..client import Delta, Deltas


@dataclass
class TextFilter(ABC):
    """Reads a message's text in pieces: the same however it is split, in linear time."""

    has_thought: bool = field(default=False, init=False)
    """Whether thinking came in a separate field."""
    _held: str = field(default="", init=False)
    _due: int = field(default=0, init=False)
    """The length of the held text at which it is read again."""
    _out: list[Delta] = field(default_factory=list, init=False)

    async def of(self, stream: Deltas) -> Deltas:
        """Filter a stream of deltas."""
        async with aclosing(stream):
            async for delta in stream:
                content = delta.pop("content", None)
                if delta:
                    self.has_thought = self.has_thought or bool(delta.get("thinking_content"))
                    yield delta
                for part in self.feed(content) if content else ():
                    yield part
        for part in self.end():
            yield part

    def feed(self, piece: str) -> list[Delta]:
        """Take a piece; return the deltas that are decided now."""
        self._held += piece
        return self._clear(final=False) if len(self._held) >= self._due else []

    def end(self) -> list[Delta]:
        """Return the deltas that remain at the end of the text."""
        # The last few characters may not have been read yet: first read them as if more followed.
        return self._clear(final=False) + self._clear(final=True)

    def _clear(self, *, final: bool) -> list[Delta]:
        with suppress(Unfinished):
            while self._held:
                self._step(Reader(self._held, is_final=final))
        # Not at each character of a long call, so that the total cost is linear.
        self._due = len(self._held) * 9 // 8
        out, self._out = self._out, []
        return out

    @abstractmethod
    def _step(self, reader: Reader) -> None:
        """Take the next part of the held text. Raises Unfinished while it is undecided."""

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        return taken

    def _put(self, text: str) -> None:
        if self._out and "content" in self._out[-1]:
            self._out[-1]["content"] = f"{self._out[-1]['content']}{text}"
        elif text:
            self._out.append({"content": text})


class NoCall(Exception):
    """The text is not a call, however it continues."""


class Unfinished(Exception):
    """The text may become a call or a mark; only more of it decides."""


@dataclass(slots=True)
class Reader:
    """Reads a text; the parsers of calls are built on it.

    - The current end of the text decides nothing: a decision that depends on further text raises
      Unfinished, unless the text is `is_final`. So the result does not depend on how it is split.
    - A final text that was truncated is not `is_whole`.
    - Once a tool is `called`, a text that ends within the call is a broken call; once `is_sure`, so
      is a malformed one.
    - Once `loose`, after an offered tool's name, values may lack their quotes.
    """

    text: str
    is_final: bool = True
    is_whole: bool = True
    position: int = 0
    called: str = ""
    is_sure: bool = False
    loose: bool = False

    @property
    def at_end(self) -> bool:
        """Return True at the end of a final text."""
        return self.is_final and self.position >= len(self.text)

    def peek(self) -> str:
        """Return the next character; empty at the end of a final text."""
        if self.position < len(self.text):
            return self.text[self.position]
        if self.is_final:
            return ""
        raise Unfinished

    def skip(self, *literals: str) -> str:
        """Consume and return the first literal that is next; empty if none is."""
        for literal in literals:
            if self.text.startswith(literal, self.position):
                self.position += len(literal)
                return literal
            if not self.is_final and literal.startswith(self.text[self.position :]):
                raise Unfinished
        return ""

    def expect(self, literal: str) -> None:
        """Consume a literal. Raises NoCall if it is not next."""
        if not self.skip(literal):
            raise NoCall

    def run(self, characters: str, times: str = "*") -> str:
        """Consume and return the characters of a class, such as `[a-z]`, that are next."""
        match = re.compile(f"(?:{characters}){times}").match(self.text, self.position)
        end = match.end() if match else self.position
        if end == len(self.text) and not self.is_final:
            raise Unfinished
        found = self.text[self.position : end]
        self.position = end
        return found

    def until(self, literal: str) -> str:
        """Consume the text up to and including a literal; return the text before. Raises NoCall."""
        end = self.text.find(literal, self.position)
        if end < 0:
            if self.is_final:
                self.position = len(self.text)
                raise NoCall
            raise Unfinished
        found = self.text[self.position : end]
        self.position = end + len(literal)
        return found

    def space(self) -> None:
        """Consume white space."""
        self.run(r"\s")


@dataclass(slots=True)
class Braces:
    """Counts braces and brackets outside of strings in a text that comes in pieces."""

    _depth: int = 0
    _in_string: bool = False
    _escaped: bool = False

    def end_in(self, piece: str) -> int | None:
        """Return the offset in a piece after the first brace's counterpart; None if not in it."""
        for position, character in enumerate(piece):
            if self._escaped:
                self._escaped = False
            elif character == "\\":
                self._escaped = True
            elif self._in_string:
                self._in_string = character != '"'
            elif character == '"':
                self._in_string = True
            elif character in "{}[]":
                self._depth += 1 if character in "{[" else -1
                if self._depth == 0:
                    return position + 1
        return None
