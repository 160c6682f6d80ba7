"""What is said out of `{"say": "…"}`, letter by letter as a model writes it."""

import re
from typing import override

from .client import Delta, Deltas
from .text.reader import Reader, TextFilter, Unfinished
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
    return SayParser().of(stream)


class SayParser(TextFilter):
    """Reads `{"say": "…"}` while it is written; a text that is no such object passes as it is."""

    def __init__(self) -> None:
        """Begin an answer."""
        super().__init__()
        self._says: bool | None = None
        self._after: list[str] = []
        """What came since the string ended."""

    @override
    def end(self) -> list[Delta]:
        out = super().end()
        if after := _AFTER.match("".join(self._after)):
            # Calls may follow what is said.
            self._put(f"{{{after[1]}")
        return out + self._clear(final=True)

    @override
    def _step(self, reader: Reader) -> None:
        text = self._held
        if self._says is None:
            opening = _OPENING.match(text)
            may_open = len(text) <= _LONGEST_OPENING and _OPENING_BEGUN.fullmatch(text)
            if may_open and not (opening or reader.is_final):
                raise Unfinished
            self._says = opening is not None
            self._take(opening.end() if opening else 0)
        elif not self._says:
            self._put(self._take(len(text)))
        elif self._after:
            self._after.append(self._take(len(text)))
        else:
            self._read_string(reader)

    def _read_string(self, reader: Reader) -> None:
        """Say what the string says, as far as it has come: an escape that was cut waits."""
        found, half = _STRING.match(self._held), _HALF.search(self._held)
        assert found
        end = found.end()
        if is_closed := self._held[end : end + 1] == '"':
            self._after.append(self._held[end:])
        elif half:
            end = half.start(1)
        self._put(unescaped(self._take(end)))
        if self._held and not (is_closed or reader.is_final):
            raise Unfinished
        self._take(len(self._held))
