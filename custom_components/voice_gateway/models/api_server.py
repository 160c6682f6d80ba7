"""A model server or account."""

from abc import ABC, abstractmethod
import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any, ClassVar

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.util.json import json_loads_object
from yarl import URL

from ..addresses import secrets_of_address
from ..const import SERVER_TIMEOUT
from ..header_values import is_sendable
from ..redactor import Redactor
from .client import ModelError, Reason
from .errors import IN_STREAM, RequestRejected, as_model_errors
from .http import ServerAnswer, answer_of
from .learned import LearnedCapabilities
from .limits import AT_ONCE


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
        """Return the headers that authorize a request."""
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
        """Send a request to a path below the address, or to an URL; raises RequestRejected."""
        if not is_sendable(self._api_key):
            raise ModelError(Reason.UNAUTHORIZED, "The key has letters that no key has")
        url = URL(self.url).with_user(None).joinpath(path) if isinstance(path, str) else path
        async with answer_of(self.hass, url, self._headers(), body) as answer:
            if answer.response.status != 200:
                error: Any = (await answer.beginning()).strip()
                with suppress(ValueError):
                    read = json_loads_object(error)
                    error = read.get("error") or read
                raise self._refused(error, model, answer.response)
            yield answer

    async def _json(
        self,
        path: str | URL,
        body: Mapping[str, Any] | None = None,
        *,
        model: str = "",
        seconds: float | None = SERVER_TIMEOUT,
    ) -> dict[str, Any]:
        """Return the object that answers a request, which holds the list if it is one.

        Without `seconds`, the caller limits its time.
        """
        with as_model_errors(self.redactor, model):
            async with asyncio.timeout(seconds), self._answer(path, body, model) as answer:
                reply = await answer.json()
            if isinstance(reply, list):
                reply = {"data": reply}
            if not isinstance(reply, dict):
                raise ModelError(Reason.NOT_THE_SERVER, f"No object: {reply}")
            return reply

    async def _events(self, path: str, body: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Send a request; yield the events of its answer."""
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
