"""A model server or account that is accessed through its provider's package."""

from abc import ABC, abstractmethod
import asyncio
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import ClassVar

import aiohttp
from homeassistant.core import HomeAssistant

from ..addresses import secrets_of_address
from ..header_values import is_sendable
from ..redactor import Redactor
from .client import ModelError, Reason
from .errors import as_model_errors
from .learned import LearnedCapabilities
from .limits import AT_ONCE
from .transport import async_session


class ApiServer[Api](ABC):
    """A server of models, or an account at one. Every method raises ModelError and nothing else.

    - The package is loaded with the first request, outside of the event loop.
    - A key that no header can hold is not sent: the HTTP client's error would expose it.
    """

    package: ClassVar[str]
    """The name of the provider's package."""

    def __init__(
        self, hass: HomeAssistant, api_key: str | None, secrets: Iterable[str] = ()
    ) -> None:
        """Take a key, if the server requires one, and further secrets to redact."""
        self.hass = hass
        self._api_key = (api_key or "").strip()
        self.redactor = Redactor((self._api_key, *secrets))
        self._made: Api | None = None
        self._places = asyncio.Semaphore(AT_ONCE)

    @abstractmethod
    def _make_api(self, session: aiohttp.ClientSession) -> Api:
        """Load the package and return its client."""

    async def _api(self) -> Api:
        if not is_sendable(self._api_key):
            raise ModelError(Reason.UNAUTHORIZED, "The key has letters that no key has")
        if self._made is None:
            session = async_session(self.hass)
            made = await self.hass.async_add_executor_job(self._make_api, session)
            # A concurrent request may have created it meanwhile.
            self._made = self._made or made
        return self._made

    def _errors(self, model: str = "", *, streamed: bool = False) -> AbstractContextManager[None]:
        """Turn the package's errors into ModelError; `model` is the requested one."""
        return as_model_errors(self.package, self.redactor, model, streamed=streamed)


class OwnServer[Known: LearnedCapabilities, Api](ApiServer[Api]):
    """A server that remembers which request fields its models refuse."""

    def __init__(self, hass: HomeAssistant, url: str, api_key: str | None = None) -> None:
        """Take the server's address, and a key if it requires one."""
        super().__init__(hass, api_key, secrets_of_address(url))
        self.url = url
        self._known: dict[str, Known] = {}
        self._asking = asyncio.Lock()

    async def known(self, model: str) -> Known:
        """Return a model's capabilities; concurrent callers share one request to the server."""
        async with self._asking:
            return self._known.get(model) or await self._learn(model)

    @abstractmethod
    async def _learn(self, model: str) -> Known:
        """Query the server for a model's capabilities."""

    def fails_often(self, model: str) -> bool:
        """Return True if a model's recent calls often failed."""
        return model in self._known and self._known[model].fails_often
