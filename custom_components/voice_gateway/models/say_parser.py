"""What is said out of `{"say": "…"}`, letter by letter as a model writes it."""

import re

from .client import Deltas
from .text.reader import filtered
from .text_calls.values import unescaped

_OPENING = re.compile(r'\s*(?:```\w*\s*)?\{\s*"say"\s*:\s*"')
_OPENING_BEGUN = re.compile(
    r'\s*(?:`{0,2}|```\w*\s*)(?:\{\s*(?:"(?:s(?:a(?:y(?:"\s*(?::\s*)?)?)?)?)?)?)?'
)
# Letters before what is said: no more than the opening of a fence and of an object.
_LONGEST_OPENING = 200
# A string's content; and what an escape of a character begins with that may not be whole.
_STRING = re.compile(r'(?:[^"\\]|\\.)*', re.DOTALL)
_HALF = re.compile(
    r"(?<!\\)(?:\\\\)*(\\u(?:[0-9a-fA-F]{0,3}|[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?))$"
)
_AFTER = re.compile(r'"\s*,(.*)', re.DOTALL)


def unwrapped(stream: Deltas) -> Deltas:
    """Take what is said out of its object; all else passes as it came."""
    answer = SayParser()
    return filtered(stream, answer.feed, answer.end)


class SayParser:
    """Reads `{"say": "…"}` while it is written; a text that is no such object passes as it is."""

    def __init__(self) -> None:
        """Begin an answer."""
        self._says: bool | None = None
        self._held = ""
        """What was not read yet; of an object, in its string."""
        self._after: list[str] = []
        """What came since the string ended."""

    def feed(self, piece: str) -> str:
        """Take a piece; return what is said, or is none of this, by now."""
        if self._after:
            self._after.append(piece)
            return ""
        text, self._held = self._held + piece, ""
        if self._says is None:
            opening = _OPENING.match(text)
            is_short = len(text) <= _LONGEST_OPENING
            if not opening and is_short and _OPENING_BEGUN.fullmatch(text):
                self._held = text
                return ""
            self._says = opening is not None
            text = text[opening.end() :] if opening else text
        return self._read(text) if self._says else text

    def _read(self, text: str) -> str:
        """Return what the string says, as far as it has come: an escape that was cut waits."""
        found = _STRING.match(text)
        assert found
        end = found.end()
        if text[end : end + 1] == '"':
            self._after.append(text[end:])
        else:
            half = _HALF.search(text)
            end = half.start(1) if half else end
            self._held = text[end:]
        return unescaped(text[:end])

    def end(self) -> str:
        """Return what is left when nothing more comes: calls may follow what is said."""
        if not self._says:
            return self._held
        after = _AFTER.match("".join(self._after))
        return f"{{{after[1]}" if after else ""
