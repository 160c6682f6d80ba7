"""Reading a text that may not be there to its end yet."""

from abc import ABC, abstractmethod
from contextlib import aclosing, suppress
import re

from ..client import Delta, Deltas

# What is held back is read again when it has grown by this part: not at each letter of a long call.
# What is read in all then grows no faster than what comes.
_GROWTH = 1 / 8
_SPACE = re.compile(r"\s*")


class TextFilter(ABC):
    """Reads a message's text in pieces: the same however it is split, in linear time."""

    def __init__(self) -> None:
        """Begin a message."""
        self.has_thought = False
        """Whether thinking came in a field of its own."""
        self._held = ""
        self._due = 0
        """The length of what is held with which it is read again."""
        self._out: list[Delta] = []

    async def of(self, stream: Deltas) -> Deltas:
        """Read a stream."""
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
        """Take a piece; return what is clear now."""
        self._held += piece
        return self._clear(final=False) if len(self._held) >= self._due else []

    def end(self) -> list[Delta]:
        """Return what is left when nothing more comes."""
        # What was not read again for its last few letters is, as if there were more to come.
        return self._clear(final=False) + self._clear(final=True)

    def _clear(self, *, final: bool) -> list[Delta]:
        with suppress(Unfinished):
            while self._held:
                self._step(Reader(self._held, final=final))
        self._due = len(self._held) + int(len(self._held) * _GROWTH)
        out, self._out = self._out, []
        return out

    @abstractmethod
    def _step(self, reader: Reader) -> None:
        """Take the next part of what is held. Raises Unfinished while it is not clear what it is."""

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        return taken

    def _put(self, text: str) -> None:
        """Let a text come out."""
        if self._out and "content" in self._out[-1]:
            self._out[-1]["content"] = f"{self._out[-1]['content']}{text}"
        elif text:
            self._out.append({"content": text})


class NoCall(Exception):
    """What is read is no call, whatever comes after it."""


class Unfinished(Exception):
    """What is read may become a call or a mark; that is clear only with more of the text."""


class Reader:
    """Reads a text; the families of calls are written with it.

    - Nothing is decided by where the text happens to end: a question that its end leaves open
      raises Unfinished, unless the text is `is_final`. So a text that comes in pieces is read the
      same, however it is split.
    - Once a tool is `called`, what ends amidst its call is a broken one; once that `is_sure`, what
      cannot be read as well.
    - Once `loose`, after an offered tool's name, values may lack their quotes.
    """

    def __init__(self, text: str, *, final: bool, is_whole: bool = True) -> None:
        """Begin a text; of one that was cut off, not even the end is whole."""
        self.text = text
        self.position = 0
        self.called = ""
        self.is_sure = False
        self.loose = False
        self.is_final = final
        self.is_whole = is_whole

    @property
    def at_end(self) -> bool:
        """Return True if nothing is left of a final text."""
        return self.is_final and self.position >= len(self.text)

    def peek(self) -> str:
        """Return the next character; none at the end of a final text."""
        if self.position < len(self.text):
            return self.text[self.position]
        if self.is_final:
            return ""
        raise Unfinished

    def skip(self, *literals: str) -> str:
        """Go past the first of some literals that is next, and return it."""
        for literal in literals:
            if self.text.startswith(literal, self.position):
                self.position += len(literal)
                return literal
            if not self.is_final and literal.startswith(self.text[self.position :]):
                raise Unfinished
        return ""

    def expect(self, literal: str) -> None:
        """Go past a literal that has to be next. Raises NoCall."""
        if not self.skip(literal):
            raise NoCall

    def run(self, pattern: re.Pattern[str]) -> str:
        """Go past what a pattern of one repeated class of characters matches, and return it."""
        match = pattern.match(self.text, self.position)
        end = match.end() if match else self.position
        if end == len(self.text) and not self.is_final:
            raise Unfinished
        found = self.text[self.position : end]
        self.position = end
        return found

    def until(self, literal: str) -> str:
        """Go past the next place of a literal, and return what is before it. Raises NoCall."""
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
        """Go past spaces and line ends."""
        self.run(_SPACE)


class Braces:
    """Counts braces and brackets, but those in strings, through a text that comes in pieces."""

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
