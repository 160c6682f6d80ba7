"""Limits of a message: a model may never stop, and its server is not trusted."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from functools import partial

from ..const import LOGGER
from .client import Delta, Deltas, ModelError, Reason

# Concurrent requests to one server. Ollama itself answers one to four and queues the others; more
# satellites are seldom used at once, and each further request would slow down all of them.
AT_ONCE = 4
# Characters of a message: text, thinking, and arguments. It takes a quarter of the context at most:
# 65,536 tokens, of about four characters, of the 262,144 that a form allows.
MAX_TEXT = 256_000
# Calls of a message. An utterance needs one or two, each with a list of devices; a model with more
# is asked again after these.
MAX_CALLS = 16
# Characters of a tool's name. Providers accept at most 128.
MAX_NAME = 200
# Characters that are processed at once, and seconds after which the event loop gets control.
_PIECE = 512
_SLICE = 0.01
# An endless repetition: a unit of up to `_UNIT` characters, `_TIMES` in a row, and `_LEAST`
# characters in total. A song's refrain comes a few times, a line of dashes has a hundred.
_UNIT = 100
_TIMES = 20
_LEAST = 300


async def bounded(stream: Deltas, *, may_repeat: bool = False) -> Deltas:
    """Pass a message on within the limits.

    - The stream ends after `MAX_CALLS` calls.
    - Text comes in short pieces, and the event loop gets control in between.
    - Text that is too long, or that repeats itself without end, raises ModelError. Requested data
      `may_repeat` itself: a list of zeros is valid.
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
    def __init__(self, *, may_repeat: bool) -> None:
        self.calls = 0
        self._length = 0
        self._may_repeat = may_repeat
        self._ends = dict.fromkeys(("content", "thinking_content"), "")
        self._unread = dict.fromkeys(self._ends, 0)
        """Characters of these ends that were not checked yet."""

    def parts(self, delta: Delta) -> Iterator[Delta]:
        """Yield a delta in pieces; raises ModelError."""
        text, thought = delta.pop("content", None), delta.pop("thinking_content", None)
        calls = delta.pop("tool_calls", None)
        if delta:
            yield delta
        for piece in self._pieces("thinking_content", thought or ""):
            yield {"thinking_content": piece}
        for piece in self._pieces("content", text or ""):
            yield {"content": piece}
        if calls:
            calls = calls[: MAX_CALLS - self.calls]
            self.calls += len(calls)
            for call in calls:
                self._count(str(call.tool_args))
                call.tool_name = call.tool_name[:MAX_NAME]
            yield {"tool_calls": calls}

    def _pieces(self, part: str, text: str) -> Iterator[str]:
        for begin in range(0, len(text), _PIECE):
            piece = text[begin : begin + _PIECE]
            self._count(piece)
            self._ends[part] += piece
            self._unread[part] += len(piece)
            if self._unread[part] >= _UNIT:
                end = self._ends[part] = self._ends[part][-_UNIT * _TIMES :]
                self._unread[part] = 0
                if not self._may_repeat and any(map(partial(_repeats, end), range(1, _UNIT + 1))):
                    raise ModelError(Reason.CUT_SHORT, "The model repeats itself without end")
            yield piece

    def _count(self, text: str) -> None:
        self._length += len(text)
        if self._length > MAX_TEXT:
            raise ModelError(Reason.CUT_SHORT, f"More than {MAX_TEXT} characters")


def _repeats(text: str, unit: int) -> bool:
    """Return True if a text ends with enough repetitions of its last `unit` characters."""
    length = max(_LEAST, unit * _TIMES)
    # Comparing the last two units excludes nearly every text.
    if len(text) < length or text[-unit:] != text[-2 * unit : -unit]:
        return False
    end = text[-length:]
    return end[unit:] == end[:-unit]
