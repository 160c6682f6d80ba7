"""Reading a text that may not be there to its end yet."""

import re


class NoCall(Exception):
    """What is read is no call, whatever comes after it."""


class Unfinished(Exception):
    """What is read may become a call; that is clear only with more of the text."""


class Literals:
    """Some literals that are looked for at once."""

    def __init__(self, *literals: str) -> None:
        """Take the literals."""
        self.begun = frozenset(word[:end] for word in literals for end in range(len(word)))
        self.longest = max(map(len, literals))
        self.pattern = re.compile("|".join(map(re.escape, literals)))


class Reader:
    """Reads a text from a position on; the families of calls are written with it.

    - Nothing is decided by where the text happens to end: a question that its end leaves open
      raises Unfinished, unless the text is `final`. So a text that comes in pieces is read the
      same, however it is split.
    - Once `committed`, the text is meant as a call, well-formed or not.
    - Once `loose`, after an offered tool's name, values may lack their quotes.
    """

    def __init__(self, text: str, position: int = 0, *, final: bool) -> None:
        """Begin at a position."""
        self.text = text
        self.position = position
        self.committed = False
        self.loose = False
        self._final = final

    @property
    def at_end(self) -> bool:
        """Return True if nothing is left of a final text."""
        return self._final and self.position >= len(self.text)

    def peek(self) -> str:
        """Return the next character; none at the end of a final text."""
        if self.position < len(self.text):
            return self.text[self.position]
        if self._final:
            return ""
        raise Unfinished

    def skip(self, literal: str) -> bool:
        """Go past a literal, if it is next."""
        if self.text.startswith(literal, self.position):
            self.position += len(literal)
            return True
        if not self._final and literal.startswith(self.text[self.position :]):
            raise Unfinished
        return False

    def skip_any(self, literals: Literals) -> bool:
        """Go past one of some literals, if it is next; none of them may begin another."""
        if match := literals.pattern.match(self.text, self.position):
            self.position = match.end()
            return True
        if self._final or len(self.text) - self.position >= literals.longest:
            return False
        if self.text[self.position :] in literals.begun:
            raise Unfinished
        return False

    def expect(self, literal: str) -> None:
        """Go past a literal that has to be next. Raises NoCall."""
        if not self.skip(literal):
            raise NoCall

    def run(self, pattern: re.Pattern[str]) -> str:
        """Go past what a pattern of one repeated class of characters matches, and return it."""
        match = pattern.match(self.text, self.position)
        end = match.end() if match else self.position
        if end == len(self.text) and not self._final:
            raise Unfinished
        found = self.text[self.position : end]
        self.position = end
        return found

    def until(self, literal: str) -> str:
        """Go past the next place of a literal, and return what is before it. Raises NoCall."""
        end = self.text.find(literal, self.position)
        if end < 0:
            if self._final:
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
