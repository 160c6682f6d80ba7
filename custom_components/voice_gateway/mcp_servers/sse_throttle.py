"""Streams of events over HTTP, without repetitive notifications.

Each message takes the SDK some tenth of a millisecond, so a server that reports its progress twenty
thousand times keeps Home Assistant busy for many seconds.
https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
"""

from collections.abc import AsyncIterator, Callable
from typing import cast, override

from homeassistant.util.json import json_loads_object
import httpx2

TELLING = ("notifications/message", "notifications/progress")
"""Notifications that may be lost."""
_CHANGED = "/list_changed"
# The maximum number of such notifications in one chunk, of up to 64 kB or some hundred messages.
_PASSED = 10
_DATA = b"data:"


class ThrottledStream(httpx2.AsyncByteStream):
    """A stream of events, without some of the notifications in large chunks.

    - Answers and questions are passed on byte by byte.
    - Of thousands of logs and reports of progress some are left out.
    - If dropped notifications report changes, `on_news` is called once for them.
    - Nothing is buffered: incomplete events are passed on.
    """

    def __init__(self, stream: httpx2.AsyncByteStream, on_news: Callable[[], None]) -> None:
        """Take the stream, and the callback for changes."""
        self._stream = stream
        self._on_news = on_news

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield self._calmed(part)

    @override
    async def aclose(self) -> None:
        await self._stream.aclose()

    def _calmed(self, part: bytes) -> bytes:
        end = b"\r\n\r\n" if b"\r\n\r\n" in part else b"\n\n"
        # The first event may have begun before, and the last may go on.
        first, *whole = part.split(end)
        if len(whole) <= _PASSED:
            return part
        kept, told, has_news = [first], 0, False
        for event in whole[:-1]:
            if is_told := (method := _notification(event)) in TELLING or _changes(method):
                told += 1
            if is_told and told > _PASSED:
                has_news = has_news or _changes(method)
            else:
                kept.append(event)
        if has_news:
            self._on_news()
        return end.join((*kept, whole[-1]))


def calm(response: httpx2.Response, on_news: Callable[[], None]) -> httpx2.Response:
    """Return a response whose stream of events, if it has one, is throttled."""
    if "text/event-stream" in response.headers.get("content-type", ""):
        response.stream = ThrottledStream(cast("httpx2.AsyncByteStream", response.stream), on_news)
    return response


def _changes(method: str) -> bool:
    return method.startswith("notifications/") and method.endswith(_CHANGED)


def _notification(event: bytes) -> str:
    """Return the method of an event's notification; empty for another message."""
    match [line for line in event.splitlines() if line.startswith(_DATA)]:
        case [line] if b'"method"' in line:
            try:
                message = json_loads_object(line.removeprefix(_DATA))
            except ValueError:
                return ""
            return "" if "id" in message else str(message.get("method"))
        case _:
            return ""
