"""Requests to model servers over Home Assistant's own connections.

A server is not trusted: redirects are not followed, content is not decompressed, cookies are not
kept, and the size of an answer is limited.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import aiohttp
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.aiohttp_client import async_create_clientsession
from homeassistant.helpers.json import json_bytes
from homeassistant.helpers.singleton import singleton
from homeassistant.util.json import json_loads
from yarl import URL

from ..const import DOMAIN, SERVER_TIMEOUT

# Bytes of an answer that comes whole. A cloud router lists some hundred models, of 3 KB each.
_MAX_BODY = 4 << 20
# Bytes of a line of a stream: a token or a whole call has some KB, all pages of an Anthropic web
# search some MB.
_MAX_LINE = 4 << 20
# Bytes of a whole chat: the longest that a form allows is 65,536 tokens, of about 250 bytes each,
# and of about 400 in OpenAI's protocol.
MAX_CHAT = 32 << 20
# Seconds to wait for HTTP's own end after the last event.
_LINGER = 0.1


@singleton(f"{DOMAIN}_models")
@callback
def _async_session(hass: HomeAssistant) -> aiohttp.ClientSession:
    """Return the session for all model servers; Home Assistant's own shares its cookies."""
    return async_create_clientsession(hass, auto_cleanup=False, cookie_jar=aiohttp.DummyCookieJar())


class BrokenOff(Exception):
    """The connection ended before the answer was complete."""


class TooLong(ValueError):
    """The answer is longer than an honest server's."""


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """A server's answer, whose content is read once, whole or in parts."""

    response: aiohttp.ClientResponse

    async def json(self) -> Any:
        """Return the answer's JSON. Raises ValueError."""
        return json_loads(b"".join([piece async for piece in self._pieces(_MAX_BODY)]))

    async def beginning(self) -> str:
        """Return a text, or its beginning if it does not end."""
        text = bytearray()
        with suppress(BrokenOff, TooLong):
            async for piece in self._pieces(_MAX_BODY):
                text += piece
        return text.decode(errors="replace")

    async def lines(self, most: float) -> AsyncGenerator[bytes]:
        """Yield the lines that are not empty, up to `most` bytes; only a line feed ends a line."""
        held = bytearray()
        async for piece in self._pieces(most):
            held += piece
            if b"\n" in piece:
                *lines, held = held.split(b"\n")
                for line in filter(bytes.strip, map(bytes, lines)):
                    yield line
            if len(held) > _MAX_LINE:
                raise TooLong(f"More than {_MAX_LINE} bytes in a line")
        if held.strip():
            yield bytes(held)

    async def events(self) -> AsyncGenerator[dict[str, Any]]:
        """Yield the objects in a stream of events, up to OpenAI's `[DONE]`."""
        async for line in self.lines(MAX_CHAT):
            name, _, data = line.partition(b":")
            if name != b"data":
                continue
            if data.strip() == b"[DONE]":
                # After HTTP's own end, the connection can be reused.
                with suppress(aiohttp.ClientError, OSError):
                    async with asyncio.timeout(_LINGER):
                        await self.response.content.read(1)
                return
            if isinstance(event := json_loads(data), dict):
                yield event

    async def _pieces(self, most: float) -> AsyncGenerator[bytes]:
        size = 0
        try:
            async for piece in self.response.content.iter_any():
                size += len(piece)
                if size > most:
                    raise TooLong(f"More than {most} bytes")
                yield piece
        except (aiohttp.ClientError, OSError) as err:
            raise BrokenOff(repr(err)) from err


@asynccontextmanager
async def answer_of(
    hass: HomeAssistant, url: URL, headers: Mapping[str, str], body: Mapping[str, Any] | None
) -> AsyncGenerator[ServerAnswer]:
    """Send a request, to read unless it has a body, and close its answer in the end."""
    response = await _async_session(hass).request(
        "GET" if body is None else "POST",
        url,
        headers={"Accept-Encoding": "identity", "Content-Type": "application/json", **headers},
        data=None if body is None else json_bytes(body),
        allow_redirects=False,
        auto_decompress=False,
        # Home Assistant's checks the targets of redirects, which are not followed.
        middlewares=(),
        # There is no total limit: the caller ends a request.
        timeout=aiohttp.ClientTimeout(connect=SERVER_TIMEOUT),
    )
    try:
        yield ServerAnswer(response)
    finally:
        response.close()
