"""Ollama's HTTP API.

Spoken directly rather than through the `ollama` package: that keeps of a tool's schema only four
words per property, rejects arguments that a model wrote as a string, and loses the HTTP status of
an error in a stream. Source of the formats: https://docs.ollama.com/api (docs/api.md, api/types.go).
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.util.json import json_loads

from ...const import LOGGER, SERVER_TIMEOUT
from ..client import ModelError, Reason
from .known import Known

# A running request has no time limit of its own: the turn that made it ends it.
_NO_LIMIT = aiohttp.ClientTimeout(total=None, sock_connect=SERVER_TIMEOUT)
_SHORT = aiohttp.ClientTimeout(total=SERVER_TIMEOUT)


@dataclass(frozen=True, slots=True)
class Model:
    """A model on a server, and what it can do: "completion", "tools", "thinking" and the like."""

    name: str
    capabilities: frozenset[str] = frozenset()
    template: str = ""

    @property
    def calls_tools(self) -> bool:
        """Tell whether its template knows tools."""
        return "tools" in self.capabilities

    @property
    def sees(self) -> bool:
        """Tell whether it can look at pictures."""
        return "vision" in self.capabilities


class OllamaServer:
    """One Ollama server. Every method raises ModelError and nothing else."""

    def __init__(self, hass: HomeAssistant, url: str, api_key: str | None = None) -> None:
        """Take the server's address without a path, and a bearer token where it wants one."""
        self.hass = hass
        self.url = url
        self._known: dict[str, Known] = {}
        self._session = async_get_clientsession(hass)
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}

    async def version(self) -> str:
        """Return the server's version; fails where no Ollama server answers."""
        reply = await self._json("GET", "/api/version")
        if not isinstance(version := reply.get("version"), str):
            raise ModelError(Reason.NOT_THE_SERVER, f"No version in {reply}")
        return version

    async def models(self) -> list[str]:
        """Return the names of the models that are there."""
        names: list[str] = []
        for model in list_in(await self._json("GET", "/api/tags"), "models"):
            match model:
                case {"model": str(name)} | {"name": str(name)}:
                    names.append(name)
        return names

    async def show(self, model: str) -> Model:
        """Return what a model can do."""
        reply = await self._json("POST", "/api/show", {"model": model})
        return Model(
            model,
            frozenset(map(str, list_in(reply, "capabilities"))),
            str(reply.get("template") or ""),
        )

    async def known(self, model: str) -> Known:
        """Return what is remembered of a model; the server is asked once what it can do."""
        if known := self._known.get(model):
            return known
        known = Known()
        try:
            shown = await self.show(model)
        except ModelError as err:
            if err.reason is not Reason.SERVER_ERROR:
                raise
            LOGGER.debug("Nothing known of %s: %s", model, err.detail)
        else:
            known.take(shown.capabilities, shown.template)
        return self._known.setdefault(model, known)

    def fails_often(self, model: str) -> bool:
        """Tell whether the calls of a model often failed, as far as is remembered."""
        return model in self._known and self._known[model].fails_often

    async def pull(self, model: str) -> AsyncGenerator[float | None]:
        """Fetch a model to the server; yields the share that has arrived, where it is known."""
        async for line in self._lines("/api/pull", {"model": model}):
            match line:
                case {"total": int(total), "completed": int(completed)} if total > 0:
                    yield min(1.0, completed / total)
                case _:
                    yield None

    def chat(self, body: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Send a chat request and yield the chunks of its answer."""
        return self._lines("/api/chat", {**body, "stream": True})

    async def _json(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Ask for one JSON object."""
        async with self._request(method, path, body, _SHORT) as response:
            try:
                reply = json_loads(await response.read())
            except ValueError as err:
                raise ModelError(Reason.NOT_THE_SERVER, f"No JSON at {path}") from err
        if not isinstance(reply, dict):
            raise ModelError(Reason.NOT_THE_SERVER, f"No JSON object at {path}")
        return reply

    async def _lines(self, path: str, body: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Ask for newline-delimited JSON objects; an object with `error` ends them."""
        model = str(body["model"])
        async with self._request("POST", path, body, _NO_LIMIT) as response:
            rest = b""
            async for chunk in response.content.iter_any():
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    if line.strip():
                        yield _object(line, model)
            if rest.strip():
                yield _object(rest, model)

    @asynccontextmanager
    async def _request(
        self, method: str, path: str, body: Any, timeout: aiohttp.ClientTimeout
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Make a request: the one place where the library's errors become ours."""
        model = str(body["model"]) if body else ""
        began = False
        try:
            async with self._session.request(
                method, self.url + path, json=body, headers=self._headers, timeout=timeout
            ) as response:
                if response.status != 200:
                    raise _status_error(
                        response.status, await response.text("utf-8", "replace"), model
                    )
                began = True
                yield response
        except (aiohttp.ClientError, TimeoutError, OSError) as err:
            lost = began and timeout is _NO_LIMIT
            raise ModelError(
                Reason.CONNECTION_LOST if lost else Reason.UNREACHABLE, repr(err), model=model
            ) from err


def list_in(reply: Mapping[str, Any], name: str) -> list[Any]:
    """Return a list that a reply may hold."""
    return value if isinstance(value := reply.get(name), list) else []


def _object(line: bytes, model: str) -> dict[str, Any]:
    """Return one line's object; raises where it is none, or says that there was an error."""
    try:
        value = json_loads(line)
    except ValueError as err:
        raise ModelError(Reason.CONNECTION_LOST, f"Garbage: {line[:200]!r}", model=model) from err
    if not isinstance(value, dict):
        raise ModelError(Reason.CONNECTION_LOST, f"No object: {line[:200]!r}", model=model)
    if error := value.get("error"):
        raise _status_error(500, str(error), model)
    return value


def _status_error(status: int, text: str, model: str) -> ModelError:
    """Return the error for an HTTP status and the server's words."""
    words = text.casefold()
    match status:
        case 401 | 403:
            reason = Reason.UNAUTHORIZED
        case 400 | 500 if "context" in words and ("length" in words or "size" in words):
            reason = Reason.CONTEXT_EXCEEDED
        case 400 if "does not support tools" in words:
            reason = Reason.NO_TOOLS
        case 400 | 404 | 500 if "model" in words and "not found" in words:
            reason = Reason.MODEL_NOT_FOUND
        case 404 | 405:
            reason = Reason.NOT_THE_SERVER
        case _:
            reason = Reason.SERVER_ERROR
    return ModelError(reason, f"HTTP {status}: {text[:500]}", model=model)
