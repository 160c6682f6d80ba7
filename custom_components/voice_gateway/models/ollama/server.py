"""An Ollama server: its models, their capabilities, and requests."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast, override

import aiohttp

from ...const import LOGGER, SERVER_TIMEOUT
from ..api_server import OwnServer
from ..client import ModelError, Reason
from ..learned import LearnedCapabilities

if TYPE_CHECKING:
    from ollama import ProgressResponse

    from .api import OllamaApi


@dataclass(frozen=True, slots=True)
class OllamaModel:
    """A model with its capabilities: "completion", "tools", "thinking" and others."""

    name: str
    capabilities: frozenset[str] = frozenset()
    template: str = ""

    @property
    def calls_tools(self) -> bool:
        """Return True if its template supports tools."""
        return "tools" in self.capabilities

    @property
    def sees(self) -> bool:
        """Return True if it accepts images."""
        return "vision" in self.capabilities

    @property
    def talks(self) -> bool:
        """Return True if it generates text: an embedding model does not."""
        return "embedding" not in self.capabilities or "completion" in self.capabilities


class OllamaServer(OwnServer[LearnedCapabilities, "OllamaApi"]):
    """An Ollama server; its address has no path."""

    package = "ollama"

    async def version(self) -> str:
        """Return the server's version; raises ModelError if no Ollama server answers."""
        reply = await self._json("GET", "/api/version")
        if not isinstance(version := reply.get("version"), str):
            raise ModelError(Reason.NOT_THE_SERVER, f"No version: {self.redactor.all(reply)}")
        return version

    async def models(self) -> list[str]:
        """Return the names of the installed models."""
        names: list[str] = []
        for model in list_in(await self._json("GET", "/api/tags"), "models"):
            match model:
                case {"model": str(name)} | {"name": str(name)}:
                    names.append(name)
        return names

    async def show(self, model: str) -> OllamaModel:
        """Return a model's capabilities."""
        reply = await self._json("POST", "/api/show", {"model": model})
        return OllamaModel(
            model,
            frozenset(map(str, list_in(reply, "capabilities"))),
            str(reply.get("template") or ""),
        )

    @override
    async def _learn(self, model: str) -> LearnedCapabilities:
        known = LearnedCapabilities()
        try:
            shown = await self.show(model)
        except ModelError as err:
            if err.reason is not Reason.SERVER_ERROR:
                raise
            LOGGER.debug("Nothing known of %s: %s", model, err.detail)
        else:
            known.take(shown.capabilities, shown.template)
        return self._known.setdefault(model, known)

    async def pull(self, model: str) -> AsyncGenerator[float | None]:
        """Download a model to the server; yields the finished share from 0 to 1, or None."""
        with self._errors(model, streamed=True):
            api = await self._api()
            # The package's annotation lacks `aclose`.
            progress = cast("AsyncGenerator[ProgressResponse]", await api.pull(model, stream=True))
            async with aclosing(progress) as lines:
                async for line in lines:
                    match line.completed, line.total:
                        case int(done), int(total) if total > 0:
                            yield min(1.0, done / total)
                        case _:
                            yield None

    async def chat(self, body: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Send a chat request when fewer than `AT_ONCE` run; yield the chunks of its answer."""
        async with self._places:
            with self._errors(str(body["model"]), streamed=True):
                api = await self._api()
                async with aclosing(api.chat_as_given(body)) as chunks:
                    async for chunk in chunks:
                        yield chunk

    async def _json(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        with self._errors(str(body["model"]) if body else ""):
            api = await self._api()
            async with asyncio.timeout(SERVER_TIMEOUT):
                return await api.ask(method, path, body)

    @override
    def _make_api(self, session: aiohttp.ClientSession) -> OllamaApi:
        from .api import OllamaApi  # noqa: PLC0415 - see there

        return OllamaApi(session, self.url, self._api_key)


def list_in(reply: Mapping[str, Any], name: str) -> list[Any]:
    """Return a list of a reply; empty if it is missing or malformed."""
    return value if isinstance(value := reply.get(name), list) else []
