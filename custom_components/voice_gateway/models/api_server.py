"""A server that is asked with its provider's package, whichever that is."""

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

    - The package is loaded when the server is first asked, outside of the event loop.
    - A key that no header can hold is not sent: the error of an HTTP client would show it.
    """

    package: ClassVar[str]
    """The name of the provider's package."""

    def __init__(
        self, hass: HomeAssistant, api_key: str | None, secrets: Iterable[str] = ()
    ) -> None:
        """Take a key where the server wants one, and what else nobody may read."""
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
            # Who asked at the same time may have been faster.
            self._made = self._made or made
        return self._made

    def _errors(self, model: str = "", *, streamed: bool = False) -> AbstractContextManager[None]:
        """Turn what the package raises into ModelError; `model` is asked for."""
        return as_model_errors(self.package, self.redactor, model, streamed=streamed)


class OwnServer[Known: LearnedCapabilities, Api](ApiServer[Api]):
    """A server that remembers of its models what they turned out not to take."""

    def __init__(self, hass: HomeAssistant, url: str, api_key: str | None = None) -> None:
        """Take the server's address, and a key where it wants one."""
        super().__init__(hass, api_key, secrets_of_address(url))
        self.url = url
        self._known: dict[str, Known] = {}
        self._asking = asyncio.Lock()

    async def known(self, model: str) -> Known:
        """Return what is remembered of a model; of fifty who ask at once, one asks the server."""
        async with self._asking:
            return self._known.get(model) or await self._learn(model)

    @abstractmethod
    async def _learn(self, model: str) -> Known:
        """Ask the server what it tells of a model."""

    def fails_often(self, model: str) -> bool:
        """Return True if the calls of a model often failed, as far as is remembered."""
        return model in self._known and self._known[model].fails_often
