"""Send the requests of providers' packages over Home Assistant's own connections.

The packages trust their servers: they follow redirects, decompress content, keep cookies, and read
as long as bytes come.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
import math
from typing import override

import aiohttp
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.aiohttp_client import async_create_clientsession
from homeassistant.helpers.singleton import singleton
import httpx2
from yarl import URL

from ..const import DOMAIN, SERVER_TIMEOUT

# Bytes of an answer that comes whole. The longest is that of `show` for a large model, about
# 100 KB: its license, and the names of all tensors.
_MAX_BODY = 2 << 20
# Bytes of a refusal that are read. The server's message is at the beginning.
_MAX_REFUSAL = 64 << 10
# Bytes of a line of a stream: a token, or a whole call with its arguments, some KB.
_MAX_LINE = 1 << 20
# Bytes of all pages of an Anthropic web search, which come in one line, compressed and encrypted.
_MAX_FOUND = 4 << 20
# Bytes of a whole chat: the longest that a form allows is 65,536 tokens, of about 250 bytes each,
# and of about 400 in OpenAI's protocol.
_MAX_CHAT = 32 << 20
# Bytes of a list of models: a cloud router lists some hundred, of 3 KB each.
_MAX_MODELS = 4 << 20
# Bytes of a line and of the whole answer, by the last part of the path. A download reports its
# progress for hours.
_STREAMS = {
    "chat": (_MAX_LINE, _MAX_CHAT),
    "completions": (_MAX_LINE, _MAX_CHAT),
    "messages": (_MAX_FOUND, _MAX_CHAT),
    "models": (_MAX_MODELS, _MAX_MODELS),
    "pull": (_MAX_LINE, math.inf),
}
# The end of a stream of events in OpenAI's protocol, and the number of bytes kept to find it.
_END = b"[DONE]"
_LAST = 16
# Seconds to wait for HTTP's own end after it.
_LINGER = 0.1
# Response headers that httpx would act on. Requests ask for uncompressed content: a few compressed
# bytes can hold gigabytes.
_IGNORED = (b"content-encoding", b"set-cookie")


@singleton(f"{DOMAIN}_models")
@callback
def async_session(hass: HomeAssistant) -> aiohttp.ClientSession:
    """Return the session for all model servers; Home Assistant's own shares its cookies."""
    return async_create_clientsession(hass, auto_cleanup=False, cookie_jar=aiohttp.DummyCookieJar())


class BrokenOff(Exception):
    """The connection ended before the answer was complete."""


class TooLong(ValueError):
    """The answer is longer than an honest server's."""


class Transport(httpx2.AsyncBaseTransport):
    """Sends requests, and limits the size of the answers."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        """Take the session."""
        self._session = session

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            answer = await self._session.request(
                request.method,
                URL(str(request.url), encoded=True),
                headers=request.headers.multi_items(),
                data=request.stream if "Content-Length" in request.headers else None,
                allow_redirects=False,
                auto_decompress=False,
                # Home Assistant's checks the targets of redirects, which are not followed.
                middlewares=(),
                # There is no total limit: the caller ends a request.
                timeout=aiohttp.ClientTimeout(
                    connect=SERVER_TIMEOUT,
                    sock_read=(request.extensions.get("timeout") or {}).get("read"),
                ),
            )
        except aiohttp.ConnectionTimeoutError as err:
            raise httpx2.ConnectTimeout(repr(err)) from err
        except aiohttp.SocketTimeoutError as err:
            raise httpx2.ReadTimeout(repr(err)) from err
        except aiohttp.ClientConnectorError as err:
            raise httpx2.ConnectError(repr(err)) from err
        except (aiohttp.ClientError, OSError) as err:
            raise httpx2.ReadError(repr(err)) from err
        name = request.url.path.rpartition("/")[2]
        return httpx2.Response(
            answer.status,
            headers=[each for each in answer.raw_headers if each[0].lower() not in _IGNORED],
            stream=_Bytes(answer, *_STREAMS.get(name, (_MAX_BODY, _MAX_BODY))),
        )


class _Bytes(httpx2.AsyncByteStream):
    """The bytes of an answer, with an error if it is too long; only the first of a refusal."""

    def __init__(self, answer: aiohttp.ClientResponse, line: float, whole: float) -> None:
        self._answer = answer
        self._last = b""
        self._max_line = line
        self._max_whole = whole

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        line = whole = 0
        is_refusal = self._answer.status != httpx2.codes.OK
        try:
            async for piece in self._answer.content.iter_any():
                if is_refusal and whole + len(piece) > _MAX_REFUSAL:
                    yield piece[: _MAX_REFUSAL - whole]
                    return
                whole += len(piece)
                line += len(piece)
                self._last = (self._last + piece[-_LAST:])[-_LAST:]
                if (end := piece.rfind(b"\n")) >= 0:
                    line = len(piece) - end - 1
                if line > self._max_line or whole > self._max_whole:
                    raise TooLong(
                        f"More than {self._max_line} bytes in a line, or {self._max_whole}"
                    )
                yield piece
        except (aiohttp.ClientError, OSError) as err:
            raise BrokenOff(repr(err)) from err

    @override
    async def aclose(self) -> None:
        if _END in self._last:
            # Readers of events stop here. After HTTP's own end, the connection can be reused.
            with suppress(aiohttp.ClientError, OSError, TimeoutError):
                async with asyncio.timeout(_LINGER):
                    await self._answer.content.read(1)
        self._answer.close()
