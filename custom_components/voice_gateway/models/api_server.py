"""A model server or account, over Home Assistant's own connections.

A server is not trusted: redirects are not followed, content is not decompressed, cookies are not
kept, and the size of an answer is limited. A busy server is asked again, but an answer that has
begun is never repeated.
"""

from abc import ABC, abstractmethod
import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
import random
from typing import Any, ClassVar

import aiohttp
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.aiohttp_client import async_create_clientsession
from homeassistant.helpers.json import json_bytes
from homeassistant.helpers.singleton import singleton
from homeassistant.util.json import json_loads, json_loads_object
from yarl import URL

from ..addresses import secrets_of_address
from ..const import DOMAIN, LOGGER, SERVER_TIMEOUT
from ..header_values import is_sendable
from ..redactor import Redactor
from .client import ModelError, Reason
from .errors import IN_STREAM, BrokenOff, RequestRejected, as_model_errors
from .learned import LearnedCapabilities
from .limits import AT_ONCE

# Bytes of an answer that comes whole, or of a line of a stream. A cloud router lists some hundred
# models, of 3 KB each; all pages of an Anthropic web search have some MB.
_MAX_PART = 4 << 20
# Bytes of a whole chat: a message has 65,536 tokens at most (`limits.py`), of about 250 bytes each,
# and of about 400 in OpenAI's protocol.
MAX_CHAT = 32 << 20
# Seconds to wait for HTTP's own end after the last event.
_LINGER = 0.1
# Maximum seconds to wait over all attempts: a user does not wait longer without an explanation.
_PATIENCE = 15.0
# Seconds before the second attempt if the server names none; doubled for each further one.
_FIRST_WAIT = 0.5
_CLOSED = (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError, ConnectionResetError)


@singleton(f"{DOMAIN}_models")
@callback
def _async_session(hass: HomeAssistant) -> aiohttp.ClientSession:
    """Return the session for all model servers; Home Assistant's own shares its cookies."""
    return async_create_clientsession(hass, auto_cleanup=False, cookie_jar=aiohttp.DummyCookieJar())


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """A server's answer, whose content is read once, whole or in parts."""

    response: aiohttp.ClientResponse

    async def json(self) -> Any:
        """Return the answer's JSON. Raises ValueError."""
        return json_loads(b"".join([piece async for piece in self._pieces(_MAX_PART)]))

    async def beginning(self) -> str:
        """Return a text, or its beginning if it does not end."""
        text = bytearray()
        with suppress(BrokenOff, ValueError):
            async for piece in self._pieces(_MAX_PART):
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
            if len(held) > _MAX_PART:
                raise ValueError(f"More than {_MAX_PART} bytes in a line")
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
                    raise ValueError(f"More than {most} bytes")
                yield piece
        except (aiohttp.ClientError, OSError) as err:
            raise BrokenOff(repr(err)) from err


class ApiServer[Known]:
    """A server of models, or an account at one. Every method raises ModelError and nothing else.

    - Data is sent only to the server's address, with no key but the server's.
    - A key that no header can hold is not sent: the HTTP client's error would expose it.
    """

    fails_briefly: ClassVar[bool] = False
    """Whether a request that failed within the server may succeed a second later."""

    def __init__(self, hass: HomeAssistant, url: str, api_key: str | None = None) -> None:
        """Take the server's address, optionally with a user, and a key if it requires one."""
        self.hass = hass
        self.url = url
        self._api_key = (api_key or "").strip()
        self.redactor = Redactor((self._api_key, *secrets_of_address(url)))
        self._places = asyncio.Semaphore(AT_ONCE)
        self._known: dict[str, Known] = {}
        self._asking = asyncio.Lock()

    def _headers(self) -> dict[str, str]:
        address = URL(self.url)
        if self._api_key:
            return {"Authorization": f"Bearer {self._api_key}"}
        if address.user:
            user = aiohttp.encode_basic_auth(address.user, address.password or "")
            return {"Authorization": user}
        return {}

    @asynccontextmanager
    async def _answer(
        self, path: str | URL, body: Mapping[str, Any] | None, model: str = ""
    ) -> AsyncGenerator[ServerAnswer]:
        """Send a request to a path below the address, or to an URL; without a body, it reads.

        Raises RequestRejected.
        """
        if not is_sendable(self._api_key):
            raise ModelError(Reason.UNAUTHORIZED, "The key has letters that no key has")
        url = URL(self.url).with_user(None).joinpath(path) if isinstance(path, str) else path
        headers = {"Accept-Encoding": "identity", "Content-Type": "application/json"}
        response = await _async_session(self.hass).request(
            "GET" if body is None else "POST",
            url,
            headers=headers | self._headers(),
            data=None if body is None else json_bytes(body),
            allow_redirects=False,
            auto_decompress=False,
            # Home Assistant's checks the targets of redirects, which are not followed.
            middlewares=(),
            # There is no total limit: the caller ends a request.
            timeout=aiohttp.ClientTimeout(connect=SERVER_TIMEOUT),
        )
        try:
            answer = ServerAnswer(response)
            if response.status != 200:
                error: Any = (await answer.beginning()).strip()
                with suppress(ValueError):
                    read = json_loads_object(error)
                    error = read.get("error") or read
                raise self._refused(error, model, response)
            yield answer
        finally:
            response.close()

    async def _json(
        self,
        path: str | URL,
        body: Mapping[str, Any] | None = None,
        *,
        model: str = "",
        seconds: float | None = SERVER_TIMEOUT,
        holds: tuple[str, type] | None = None,
    ) -> dict[str, Any]:
        """Return the object that answers a request, with a value of a type, if it `holds` one.

        A list is its `data`. Without `seconds`, the caller limits its time.
        """
        with as_model_errors(self.redactor, model):
            async with asyncio.timeout(seconds), self._answer(path, body, model) as answer:
                reply = await answer.json()
            if isinstance(reply, list):
                reply = {"data": reply}
            name, kind = holds or ("", object)
            if not (isinstance(reply, dict) and isinstance(reply.get(name), kind)):
                raise ModelError(Reason.NOT_THE_SERVER, f"No object with {name}: {reply}")
            return reply

    async def _events(self, path: str, body: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        model = str(body["model"])
        with as_model_errors(self.redactor, model, streamed=True):
            async with (
                self._answer(path, {**body, "stream": True}, model) as answer,
                aclosing(self._chunks(answer)) as chunks,
            ):
                async for chunk in chunks:
                    for key, error in chunk.items():
                        # Some servers put the error into the key: "error parsing tool call".
                        if key.startswith("error") and error:
                            words = error if key == "error" else f"{key}: {error}"
                            raise self._refused(words, model)
                    yield chunk

    def _chunks(self, answer: ServerAnswer) -> AsyncGenerator[dict[str, Any]]:
        """Yield the objects of a streamed answer."""
        return answer.events()

    def _refused(
        self, error: Any, model: str, answer: aiohttp.ClientResponse | None = None
    ) -> RequestRejected:
        """Return the error of an answer, or of an event in a stream, which may have a status."""
        details = error if isinstance(error, dict) else {}
        code, headers = details.get("code"), answer.headers if answer else {}
        status = code if type(code) is int and 400 <= code < 600 else IN_STREAM
        status = answer.status if answer else status
        page = answer is not None and "html" in answer.content_type
        refused = RequestRejected(status, error, model=model, page=page)
        is_of_server = status >= 500 or details.get("type") == "api_error"
        refused.may_pass |= self.fails_briefly and is_of_server
        with suppress(KeyError, ValueError):
            refused.wait = max(0.0, float(headers["Retry-After"]))
        if (told := headers.get("x-should-retry")) is not None:
            refused.may_pass = told == "true"
        return refused


class SlotUser:
    """A repeated user of a server: an agent or an AI task entity."""


class OwnServer[Known: LearnedCapabilities](ApiServer[Known], ABC):
    """A server that remembers which request fields its models refuse."""

    async def known(self, model: str) -> Known:
        """Return a model's capabilities; concurrent callers share one request to the server."""
        async with self._asking:
            return self._known.get(model) or await self._learn(model)

    @abstractmethod
    async def _learn(self, model: str) -> Known:
        """Query the server for a model's capabilities."""

    @abstractmethod
    def chat(
        self, body: Mapping[str, Any], who: SlotUser | None = None
    ) -> AsyncGenerator[dict[str, Any]]:
        """Send a chat request when there is a place, and yield the chunks of its answer."""

    def fails_often(self, model: str) -> bool:
        """Return True if a model's recent calls often failed."""
        return model in self._known and self._known[model].fails_often


async def asked_again[Part](
    ask: Callable[[], AsyncGenerator[Part]],
    is_worth_it: Callable[[ModelError], Awaitable[bool]],
    begins: Callable[[Part], bool] = lambda _: True,
) -> AsyncGenerator[Part]:
    """Yield an answer; repeat the request after an error while `is_worth_it` returns True.

    After a part for which `begins` returns True, errors are raised: a repeated answer would be
    spoken twice.
    """
    began = False
    while True:
        try:
            async with aclosing(ask()) as parts:
                async for part in parts:
                    began = began or begins(part)
                    yield part
        except ModelError as err:
            if began or not await is_worth_it(err):
                raise
            LOGGER.debug("Once more, after: %s", err.detail)
        else:
            return


def retry_while_busy[Part](
    ask: Callable[[], AsyncGenerator[Part]], begins: Callable[[Part], bool] = lambda _: True
) -> AsyncGenerator[Part]:
    """Yield an answer; repeat the request while the server is busy, for `_PATIENCE` at most."""
    left, attempts = _PATIENCE, 0

    async def waited(err: ModelError) -> bool:
        """Wait as long as an error asks for; return True if another attempt makes sense."""
        nonlocal left, attempts
        # The server may have closed a kept-alive connection meanwhile.
        was_closed = isinstance(err.__cause__, _CLOSED) and not isinstance(
            err.__cause__, aiohttp.ClientConnectorError
        )
        if isinstance(err, RequestRejected) and err.may_pass:
            delay = _FIRST_WAIT * float(2**attempts) * random.uniform(0.75, 1)  # noqa: S311
            seconds = err.wait or delay
        elif err.reason is Reason.UNREACHABLE and was_closed and not attempts:
            seconds = 0.0
        else:
            return False
        if seconds > left:
            return False
        left -= seconds
        attempts += 1
        await asyncio.sleep(seconds)
        return True

    return asked_again(ask, waited, begins)
