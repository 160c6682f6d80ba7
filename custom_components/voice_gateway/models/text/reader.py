"""Reading a text that may not be there to its end yet."""

from collections.abc import Callable
from contextlib import aclosing
import re

from ..client import Deltas


async def filtered(stream: Deltas, feed: Callable[[str], str], end: Callable[[], str]) -> Deltas:
    """Pass what a stream says through `feed`, and say what `end` has left; all else passes as it came."""
    async with aclosing(stream):
        async for delta in stream:
            content = delta.pop("content", None)
            if content and (said := feed(content)):
                yield {"content": said}
            if delta:
                yield delta
    if said := end():
        yield {"content": said}


class NoCall(Exception):
    """What is read is no call, whatever comes after it."""


class Unfinished(Exception):
    """What is read may become a call or a mark; that is clear only with more of the text."""


class Reader:
    """Reads a text from a position on; the families of calls are written with it.

    - Nothing is decided by where the text happens to end: a question that its end leaves open
      raises Unfinished, unless the text is `is_final`. So a text that comes in pieces is read the
      same, however it is split.
    - Once a tool is `called`, what ends amidst its call is a broken one; once that `is_sure`, what
      cannot be read as well.
    - Once `loose`, after an offered tool's name, values may lack their quotes.
    """

    def __init__(self, text: str, position: int = 0, *, final: bool, is_whole: bool = True) -> None:
        """Begin at a position; of a text that was cut off, not even the end is whole."""
        self.text = text
        self.position = position
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


_SPACE = re.compile(r"\s*")


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
