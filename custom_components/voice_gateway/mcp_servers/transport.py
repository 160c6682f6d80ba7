"""Transports to a server at an address: streamable HTTP, or SSE."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
import logging
from typing import TYPE_CHECKING, Any, override

from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from ..logs import guard
from .errors import McpError
from .http import HttpClient, SseHttpClient
from .settings import UrlServer

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

# Bytes of one event: a result of 10 MB is cut, and does not end the session.
_MAX_EVENT = 12 * 1024 * 1024


# Set in the tasks of our own connections, and during other tasks' calls over them.
_IS_OURS: ContextVar[bool] = ContextVar("IS_OURS", default=False)


@contextmanager
def ours() -> Iterator[None]:
    """Mark the SDK's work in this context as that of one of our own connections."""
    token = _IS_OURS.set(True)
    try:
        yield
    finally:
        _IS_OURS.reset(token)


class _NoErrors(logging.Filter):
    """Keeps the SDK from logging errors and tracebacks that we report ourselves.

    They are the ends of streams, and malformed data. Other users of the SDK in this process keep
    their logs.
    """

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        return not (_IS_OURS.get() and (record.exc_info or record.levelno >= logging.ERROR))


guard("mcp", "client", "httpx2", "httpcore2")
for _name in ("mcp.client.sse", "mcp.client.streamable_http", "client"):
    logging.getLogger(_name).addFilter(_NoErrors())


@asynccontextmanager
async def streamable_http(
    server: UrlServer, on_trouble: Callable[[McpError], None], on_news: Callable[[], None]
) -> AsyncGenerator[TransportStreams]:
    """Connect to a server over streamable HTTP.

    Redirects are followed within the address's own scheme, host and port only, so that no
    header leaks: the SDK ensures that.
    """
    async with (
        HttpClient(server, on_trouble, on_news) as client,
        streamable_http_client(
            server.url, http_client=client, max_sse_event_size=_MAX_EVENT
        ) as streams,
    ):
        yield streams


@asynccontextmanager
async def sse(
    server: UrlServer, on_trouble: Callable[[McpError], None], on_news: Callable[[], None]
) -> AsyncGenerator[TransportStreams]:
    """Connect to a server over HTTP with SSE, the protocol's transport until 2024."""

    def client(*_: Any, **__: Any) -> HttpClient:
        return SseHttpClient(server, on_trouble, on_news)

    async with sse_client(server.url, httpx_client_factory=client) as streams:
        yield streams
