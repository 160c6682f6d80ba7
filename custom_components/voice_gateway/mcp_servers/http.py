"""The SDK's transports to a server at an address, and the HTTP below them.

The SDK's own HTTP keeps no status, and one refused connection ends the whole session and every call
in it. Here each failed request gets its own answer, which contains the failure.

Repetitive notifications are left out of streams of events: each message takes the SDK some tenth of
a millisecond, so a server that reports its progress twenty thousand times keeps Home Assistant busy
for many seconds.
https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
import json
import random
import re
from typing import TYPE_CHECKING, Any, cast, override

import aiohttp
from homeassistant.exceptions import ConfigEntryAuthFailed, HomeAssistantError
from homeassistant.helpers.httpx_client import SERVER_SOFTWARE, USER_AGENT
from homeassistant.util.json import json_loads_object
from homeassistant.util.ssl import SSL_ALPN_HTTP11, SSLCipherList, client_context
import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import MCP_SESSION_ID, streamable_http_client
from mcp.shared.inbound import MCP_METHOD_HEADER

from . import errors
from .errors import (
    McpError,
    McpHttpError,
    McpInterrupted,
    McpMoreRights,
    McpSessionExpired,
    McpUnauthorized,
    McpUnreachable,
)
from .settings import UrlServer

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

_CONNECT_TIMEOUT = 10
_TIMEOUTS = {
    # Each request has its own limit, which comes first.
    "POST": httpx2.Timeout(_CONNECT_TIMEOUT, read=600),
    # A stream of events may be silent for days.
    "GET": httpx2.Timeout(_CONNECT_TIMEOUT, read=None),
    # The SDK's end of a session.
    "DELETE": httpx2.Timeout(2),
}
# Seconds that an idle connection is kept. Servers (uvicorn, Node) drop theirs after 5 seconds; a
# request at that moment then fails, and may have been carried out.
_KEEP_ALIVE = 4
# Of an error page; characters that are shown, bytes that are read.
_SHOWN = 300
_READ = 65536
# The prefix of an operating system's messages: it does not help the reader.
_ERRNO = re.compile(r"^\[Errno -?\d+\] ")
# Maximum bytes of an answer or of an event: a result of 10 MB is cut, and does not end the session.
_MAX_ANSWER = 12 * 1024 * 1024

# Notifications that may be lost, and the end of those that report changes.
TELLING = ("notifications/message", "notifications/progress")
_CHANGED = "/list_changed"
# The maximum number of such notifications in one chunk, of up to 64 kB or some hundred messages.
_PASSED = 10
_DATA = b"data:"
# The code of our own answers: random, so that no server can send it.
_OURS = -random.SystemRandom().randrange(10**6, 10**9)
# No server can have received the whole of a request with one of these failures.
_NOT_SENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.LocalProtocolError,
    httpx2.PoolTimeout,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
)


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
            if is_told := (method := _notification(event)) in TELLING or tells_change(method):
                told += 1
            if is_told and told > _PASSED:
                has_news = has_news or tells_change(method)
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


def tells_change(method: str) -> bool:
    """Return True if a method's notification tells that a list of the server has changed."""
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


def answer_failure(code: int, message: str, data: Any) -> McpError | None:
    """Return the failure in one of our own answers; None for a server's answer."""
    if code != _OURS:
        return None
    kind: type[McpError] = getattr(errors, data.pop("kind"))
    return kind(message, **data)


def http_failure(err: httpx2.HTTPError) -> McpError:
    """Return the failure for an exception of the HTTP library that ended a request."""
    match err:
        case httpx2.HTTPStatusError():
            return _status_failure(err.response, f"HTTP {err.response.status_code}")
        case _ if isinstance(err, _NOT_SENT):
            # Host and port only: the rest of an address may hold secrets.
            place = err.request.url.netloc.decode()
            return McpUnreachable(f"No connection to {place} ({_reason(err)})")
        case httpx2.TimeoutException():
            return McpInterrupted("The server fell silent")
        case _:
            return McpInterrupted(f"The connection broke ({_reason(err)})")


class HttpClient(httpx2.AsyncClient):
    """The HTTP client of one session.

    - A failed POST is answered, not raised: by a JSON-RPC error with a code of our own. Where no
      answer can come in place of it, `on_trouble` receives the failure.
    - A status that means failure is kept in that answer; a server's own JSON-RPC error is too.
    - `on_trouble` receives each failure of a request that is not awaited.
    - `on_news` is called for changes whose notifications are too many to pass each of them on.
    """

    def __init__(
        self,
        server: UrlServer,
        on_trouble: Callable[[McpError], None],
        on_news: Callable[[], None],
        *,
        answers_in_place: bool,
    ) -> None:
        """Take the server and the callbacks; over SSE, answers come on a stream of their own."""
        super().__init__(
            # As Home Assistant's own: a context that is shared and needs no disk.
            verify=client_context(SSLCipherList.PYTHON_DEFAULT, SSL_ALPN_HTTP11),
            # No compression: a few packed bytes can hold gigabytes.
            headers={USER_AGENT: SERVER_SOFTWARE, **server.headers, "Accept-Encoding": "identity"},
            limits=httpx2.Limits(keepalive_expiry=_KEEP_ALIVE),
        )
        self._token = server.token
        self._on_trouble = on_trouble
        self._on_news = on_news
        self._answers_in_place = answers_in_place

    @override
    async def send(self, request: httpx2.Request, **kwargs: Any) -> httpx2.Response:
        """Send a request; see the class for the handling of failures."""
        is_stream = request.headers.get(MCP_METHOD_HEADER) == "subscriptions/listen"
        if timeouts := _TIMEOUTS.get("GET" if is_stream else request.method):
            request.extensions = {**request.extensions, "timeout": timeouts.as_dict()}
        try:
            await self._authorize(request)
            response = await super().send(request, **kwargs)
            if response.headers.get("content-encoding", "identity") != "identity":
                await response.aclose()
                raise McpInterrupted("The server compresses its answers, which was not asked for")
            if request.method != "POST":
                return calm(response, self._on_news)
            return await self._read(response)
        except httpx2.HTTPError as err:
            if request.method == "GET":
                self._on_trouble(http_failure(err))
                raise
            return self._answer(request, http_failure(err))
        except McpError as err:
            if request.method == "GET":
                raise
            return self._answer(request, err)

    async def _authorize(self, request: httpx2.Request) -> None:
        """Get the token again for each request, so that it is never an expired one."""
        if self._token is None:
            return
        try:
            request.headers["Authorization"] = f"Bearer {await self._token()}"
        except ConfigEntryAuthFailed as err:
            raise McpUnauthorized(str(err)) from err
        except (HomeAssistantError, aiohttp.ClientError, TimeoutError) as err:
            raise McpUnreachable(f"no access token: {err}") from err

    async def _read(self, response: httpx2.Response) -> httpx2.Response:
        """Read an answer to the end unless it is a stream; raise the failure in its status."""
        if response.is_error:
            body = await _beginning(response, _READ)
            failure = _status_failure(response, _words(response, body))
            if self._answers_in_place and _is_rejection(failure, body):
                return httpx2.Response(
                    response.status_code,
                    headers={"content-type": "application/json"},
                    content=body,
                    request=response.request,
                )
            raise failure
        if "text/event-stream" not in response.headers.get("content-type", ""):
            return await _whole(response)
        return calm(response, self._on_news)

    def _answer(self, request: httpx2.Request, failure: McpError) -> httpx2.Response:
        if request.method == "DELETE":
            return httpx2.Response(204, request=request)
        if not self._answers_in_place:
            self._on_trouble(failure)
            return httpx2.Response(202, request=request)
        more = {"status": failure.status, "challenge": failure.challenge}
        data = {"kind": type(failure).__name__, **more}
        error = {"code": _OURS, "message": failure.detail, "data": data}
        answer = {"jsonrpc": "2.0", "id": None, "error": error}
        return httpx2.Response(400, json=answer, request=request)


def _status_failure(response: httpx2.Response, words: str) -> McpError:
    in_session = MCP_SESSION_ID in response.request.headers
    status, challenge = response.status_code, response.headers.get("WWW-Authenticate", "")
    kind: type[McpError] = McpHttpError
    match status:
        case 401:
            kind = McpUnauthorized
        case 403 if "insufficient_scope" in challenge:
            kind = McpMoreRights
        # Servers based on the TypeScript SDK's example say it with 400.
        case 404 | 400 if in_session and (status == 404 or "session" in words.casefold()):
            kind = McpSessionExpired
    return kind(words, status=status, challenge=challenge)


def _is_rejection(failure: McpError, body: bytes) -> bool:
    """Return True if the server's own JSON-RPC error says more than the status does."""
    match _json(body):
        case {"error": {"code": int(), "message": str()}}:
            return isinstance(failure, McpHttpError) and failure.status != 403
    return False


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _words(response: httpx2.Response, body: bytes) -> str:
    """Return an answer's status and, if it gives any, its reason."""
    words = f"HTTP {response.status_code} {response.reason_phrase}".rstrip()
    match _json(body):
        case (
            {"error": {"message": str(reason)}}
            | {"error_description": str(reason)}
            | {"message": str(reason)}
            | {"detail": str(reason)}
            | {"error": str(reason)}
        ):
            pass
        case _:
            reason = "" if body.lstrip()[:1] in b"<{" else body.decode(errors="replace").strip()
    return f"{words}: {reason[:_SHOWN]}" if reason else words


def _reason(err: httpx2.HTTPError) -> str:
    """Return an error's message, without its number."""
    return _ERRNO.sub("", str(err)) or type(err).__name__


async def _whole(response: httpx2.Response) -> httpx2.Response:
    """Return an answer, read completely; raises McpError if it is too long."""
    body = await _beginning(response, _MAX_ANSWER)
    if len(body) > _MAX_ANSWER:
        raise McpInterrupted(f"The answer is longer than {_MAX_ANSWER >> 20} MB")
    whole = httpx2.Response(
        response.status_code, headers=response.headers, content=body, request=response.request
    )
    # The caller follows it, within the server's address.
    whole.next_request = response.next_request
    return whole


async def _beginning(response: httpx2.Response, most: int) -> bytes:
    """Return an answer, reading no further once it has more than so many bytes."""
    body = bytearray()
    async for part in response.aiter_bytes():
        body += part
        if len(body) > most:
            break
    await response.aclose()
    return bytes(body)


@asynccontextmanager
async def streamable_http(
    server: UrlServer, on_trouble: Callable[[McpError], None], on_news: Callable[[], None]
) -> AsyncGenerator[TransportStreams]:
    """Connect over streamable HTTP. The SDK follows redirects within the address's origin only."""
    async with (
        HttpClient(server, on_trouble, on_news, answers_in_place=True) as client,
        streamable_http_client(
            server.url, http_client=client, max_sse_event_size=_MAX_ANSWER
        ) as streams,
    ):
        yield streams


def sse(
    server: UrlServer, on_trouble: Callable[[McpError], None], on_news: Callable[[], None]
) -> AbstractAsyncContextManager[TransportStreams]:
    """Connect to a server over HTTP with SSE, the protocol's transport until 2024."""
    client = partial(HttpClient, server, on_trouble, on_news, answers_in_place=False)
    return sse_client(server.url, httpx_client_factory=lambda *_, **__: client())
