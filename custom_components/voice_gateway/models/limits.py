"""What is taken of a model's message at most, whichever provider serves it.

A model's server is not trusted, and an honest one serves models that never stop: these are the limits
of what comes from there, each with its reason. How many bytes are read for it is up to what reads them
(`transport.py`).
"""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing

from homeassistant.helpers import llm

from ..const import LOGGER
from .client import Delta, Deltas, ModelError, Reason

# Requests to one server at the same time. Ollama itself answers one to four and lets the others wait;
# more satellites than that are seldom spoken to at once, and each one more would make all slower.
AT_ONCE = 4
# Characters of a message: said, thought, and arguments. The longest context that a form allows are
# 65,536 tokens, of some four.
MAX_TEXT = 256_000
# Calls of a message. A sentence means one or two, each with a list of devices; whoever has more to do
# is asked again after these.
MAX_CALLS = 16
# Characters of a tool's name. What is longer is none's: providers take 128 at most.
MAX_NAME = 200
# Characters that are read in one go, and seconds after which the event loop has its turn.
_PIECE = 512
_SLICE = 0.01
# What no answer holds: one and the same thing, of up to so many characters, so often in a row, and so
# many characters of it in all. A song's refrain comes a few times, a line of dashes has a hundred.
_UNIT = 100
_TIMES = 20
_LEAST = 300
# Characters after which that is looked for again.
_STEP = 100


async def bounded(stream: Deltas, *, may_repeat: bool = False) -> Deltas:
    """Pass a message on, as long as it keeps the limits.

    - After the last call that a message may have, it ends.
    - Text comes in short pieces, and the event loop has its turn in between.
    - Where the text is longer than any, or the same for ever, ModelError is raised. Data that somebody
      asked for `may_repeat` itself: a list of zeros is no raving.
    """
    now = asyncio.get_running_loop().time
    message = _Message(may_repeat=may_repeat)
    since = now()
    async with aclosing(stream):
        async for delta in stream:
            for part in message.parts(delta):
                if now() - since > _SLICE:
                    await asyncio.sleep(0)
                    since = now()
                yield part
            if message.calls >= MAX_CALLS:
                LOGGER.debug("Broken off after %d calls", message.calls)
                return


class _Message:
    """One message, counted."""

    def __init__(self, *, may_repeat: bool) -> None:
        self.calls = 0
        self._length = 0
        self._said, self._thought = (None if may_repeat else Repetition() for _ in range(2))

    def parts(self, delta: Delta) -> Iterator[Delta]:
        """Yield a delta in pieces; raises ModelError."""
        text, thought = delta.pop("content", None), delta.pop("thinking_content", None)
        calls = delta.pop("tool_calls", None)
        if delta:
            yield delta
        for piece in self._pieces(thought, self._thought):
            yield {"thinking_content": piece}
        for piece in self._pieces(text, self._said):
            yield {"content": piece}
        if calls:
            calls = calls[: MAX_CALLS - self.calls]
            self.calls += len(calls)
            yield {"tool_calls": [self._call(call) for call in calls]}

    def _pieces(self, text: str | None, repetition: Repetition | None) -> Iterator[str]:
        for begin in range(0, len(text or ""), _PIECE):
            assert text
            piece = text[begin : begin + _PIECE]
            self._count(len(piece))
            if repetition and repetition.goes_on(piece):
                raise ModelError(Reason.CUT_SHORT, "The model repeats itself without end")
            yield piece

    def _call(self, call: llm.ToolInput) -> llm.ToolInput:
        self._count(len(str(call.tool_args)))
        call.tool_name = call.tool_name[:MAX_NAME]
        return call

    def _count(self, length: int) -> None:
        self._length += length
        if self._length > MAX_TEXT:
            raise ModelError(Reason.CUT_SHORT, f"More than {MAX_TEXT} characters")


class Repetition:
    """Notices a text that does nothing any more but repeat a few letters or words."""

    def __init__(self) -> None:
        """Begin a text."""
        self._text: list[str] = []
        self._unread = 0

    def goes_on(self, piece: str) -> bool:
        """Take a piece; tell whether what came last is one thing again and again."""
        self._text.append(piece)
        self._unread += len(piece)
        if self._unread < _STEP:
            return False
        self._unread = 0
        end = "".join(self._text)[-_UNIT * _TIMES :]
        self._text = [end]
        return any(_repeats(end, unit) for unit in range(1, _UNIT + 1))


def _repeats(text: str, unit: int) -> bool:
    """Return True if a text ends with the same so many characters, often enough."""
    length = max(_LEAST, unit * _TIMES)
    # The last two alone tell it of nearly every text.
    if len(text) < length or text[-unit:] != text[-2 * unit : -unit]:
        return False
    end = text[-length:]
    return end[unit:] == end[:-unit]
