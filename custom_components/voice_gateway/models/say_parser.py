"""What is said out of `{"say": "…"}`, letter by letter as a model writes it."""

from contextlib import aclosing
import re

from pydantic_core import from_json

from .client import Deltas

_OPENING = re.compile(r'\s*(?:```\w*\s*)?\{\s*"say"\s*:\s*"')
_OPENING_BEGUN = re.compile(
    r'\s*(?:`{0,2}|```\w*\s*)(?:\{\s*(?:"(?:s(?:a(?:y(?:"\s*(?::\s*)?)?)?)?)?)?)?'
)
# What stands in a string, up to its closing quote, or as far as it has come.
_STRING = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)
_AFTER = re.compile(r'"\s*,(.*)', re.DOTALL)
# A string is read again when it has grown by this part: not at each letter of a long one. What is
# read in all then grows no faster than what is written.
_GROWTH = 1 / 64
# Letters before what is said: no more than the opening of a fence and of an object.
_LONGEST_OPENING = 200
# Not JSON, but written by models that nothing holds to it.
_CONTROL = re.compile(r"[\x00-\x1f]")
_ESCAPE = re.compile(
    r"""\\(?:
        ["\\/bfnrt]
        | u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}
        | u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?\Z
        | (?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})
        | u[0-9a-fA-F]{4}
        | u[0-9a-fA-F]{0,3}\Z
        | (?P<none>)
    )""",
    re.VERBOSE,
)


async def unwrapped(stream: Deltas) -> Deltas:
    """Take what is said out of its object; all else passes as it came."""
    answer = SayParser()
    async with aclosing(stream):
        async for delta in stream:
            content = delta.pop("content", None)
            if delta:
                yield delta
            if content and (text := answer.feed(content)):
                yield {"content": text}
    if text := answer.end():
        yield {"content": text}


class SayParser:
    """Reads `{"say": "…"}` while it is written; a text that is no such object passes as it is."""

    def __init__(self) -> None:
        """Begin an answer."""
        self._says: bool | None = None
        self._text = ""
        """What has been read; of an object, from its string on."""
        self._unread: list[str] = []
        self._length = 0
        """Letters that have come, read or not."""
        self._said = 0
        """Letters that have been said."""

    def feed(self, piece: str) -> str:
        """Take a piece; return what is said, or is none of this, by now."""
        if self._says is False:
            return piece
        self._unread.append(piece)
        self._length += len(piece)
        if self._says and self._length < len(self._text) * (1 + _GROWTH):
            return ""
        self._take()
        if self._says is None:
            if opening := _OPENING.match(self._text):
                self._says = True
                self._text = self._text[opening.end() :]
                self._length = len(self._text)
            elif self._length <= _LONGEST_OPENING and _OPENING_BEGUN.fullmatch(self._text):
                return ""
            else:
                self._says = False
                return self._text
        return self._new()

    def end(self) -> str:
        """Return what is left when nothing more comes: calls may follow what is said."""
        self._take()
        match self._says:
            case None:
                return self._text
            case False:
                return ""
        string = _STRING.match(self._text)
        after = _AFTER.match(self._text, string.end() if string else 0)
        return self._new() + (f"{{{after[1]}" if after else "")

    def _take(self) -> None:
        self._text = "".join((self._text, *self._unread))
        self._unread.clear()

    def _new(self) -> str:
        """Return what the string says that was not said yet."""
        string = _STRING.match(self._text)
        text = _decoded(string[0] if string else "")
        new, self._said = text[self._said :], len(text)
        return new


def _decoded(string: str) -> str:
    """Return what a string of JSON says, as far as it has come: a cut escape waits."""
    try:
        return str(from_json(f'"{string}', allow_partial="trailing-strings"))
    except ValueError:
        string = _CONTROL.sub(lambda letter: f"\\u{ord(letter[0]):04x}", string)
        return str(from_json(f'"{_ESCAPE.sub(_mended, string)}', allow_partial="trailing-strings"))


def _mended(escape: re.Match[str]) -> str:
    """Return an escape as JSON has it: half a character is none, and what is no escape its letter."""
    if escape["half"]:
        return "\N{REPLACEMENT CHARACTER}"
    return "" if escape["none"] is not None else escape[0]
