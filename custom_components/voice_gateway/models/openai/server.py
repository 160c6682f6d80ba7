"""A server that speaks OpenAI's protocol: its kind, its models, and requests."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, override

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.util.json import json_loads_object

from ...const import LOGGER, SERVER_TIMEOUT
from ..api_server import OwnServer
from ..backoff import retry_while_busy
from ..client import ModelError, Reason
from ..errors import RequestRejected
from ..text_calls.collector import objects_in
from .capabilities import OpenAICapabilities, OpenAIModel, first, model_of
from .server_kinds import KINDS, LLAMA_CPP, UNKNOWN, ServerKind, kind_at, kind_of
from .slots import Slots, SlotUser

if TYPE_CHECKING:
    from .api import OpenAIApi, Stream

type Info = dict[str, Any]

# Seconds for a query that only some servers answer.
_CURIOSITY = 3.0
# Seconds until an unanswered query is repeated; doubled each time.
_AGAIN = 60.0
# Errors that do not identify a server: it is busy, or behind a proxy.
_NO_ANSWER = (Reason.UNREACHABLE, Reason.OVERLOADED)
# Types and paths of a model's properties in llama.cpp's `/props`, by our names.
_PROPS: dict[str, tuple[type[int], tuple[str, ...]]] = {
    "slots": (int, ("total_slots",)),
    "context": (int, ("default_generation_settings", "n_ctx")),
    "sees": (bool, ("modalities", "vision")),
    "calls_tools": (bool, ("chat_template_caps", "supports_tools")),
    "has_system": (bool, ("chat_template_caps", "supports_system_role")),
}
# Content types of an answer that is not a stream of events.
_WHOLE = ("application/json", "text/html")


class OpenAIServer(OwnServer[OpenAICapabilities, "OpenAIApi"]):
    """One server; its address ends with `/v1`.

    - A request that it rejects as busy is repeated after the time it names, for seconds only, and
      only before an answer begins.
    - Queries for its kind that it left unanswered are repeated later.
    - It receives no more concurrent requests than it can answer; each user keeps a slot, if it has
      slots.
    """

    package = "openai"

    def __init__(self, hass: HomeAssistant, url: str, api_key: str | None = None) -> None:
        """Take the server's address up to `/v1`, and a key if it requires one."""
        super().__init__(hass, url, api_key)
        self._kind: ServerKind | None = None
        self._slots: Slots | None = None
        self._asks_again: float | None = None
        self._pause = _AGAIN

    async def models(self) -> list[OpenAIModel]:
        """Return the server's models; raises ModelError if no such server answers."""
        infos = await self._infos()
        kind = await self._find_kind(infos)
        if kind.tells and kind.tells[1] == "data":
            # Its own list describes the models in more detail than the common one.
            reply = await self._above(*kind.tells)
            infos = objects_in(reply and reply["data"]) or infos
        return [model for info in infos if (model := model_of(info))]

    async def tried(self) -> str:
        """Return the kind of server; raises ModelError if it refuses the key. May take long."""
        kind = await self.kind(SERVER_TIMEOUT)
        if kind.locked and (above := (await self._api()).above):
            try:
                await self._json(str(above.joinpath(kind.locked.lstrip("/"))), SERVER_TIMEOUT)
            except ModelError as err:
                if err.reason is Reason.UNAUTHORIZED:
                    raise
        return kind.name

    async def kind(self, seconds: float | None = None) -> ServerKind:
        """Return the kind of server, which is queried once, for `seconds` at most."""
        return self._kind or await self._find_kind(await self._infos(), seconds)

    async def show(self, model: str) -> OpenAIModel:
        """Return the server's description of a model; it may exist without being in the list."""
        models = {each.id: each for each in await self.models()}
        shown = models.get(model, OpenAIModel(id=model))
        if await self.kind() is not LLAMA_CPP:
            return shown
        # Only for a loaded model: a router should not load it for this.
        props = await self._above("/props", "total_slots", {"model": model, "autoload": "false"})
        told: dict[str, Any] = {
            name: first(props or {}, [path], kind) for name, (kind, path) in _PROPS.items()
        }
        return replace(shown, **{name: value for name, value in told.items() if value is not None})

    @override
    async def known(self, model: str) -> OpenAICapabilities:
        if self._asks_again is not None and self.hass.loop.time() >= self._asks_again:
            # Forget the capabilities that were learned without an answer.
            self._asks_again = None
            self._known.clear()
            if self._kind is UNKNOWN:
                self._kind = None
        return await super().known(model)

    @override
    async def _learn(self, model: str) -> OpenAICapabilities:
        try:
            shown = await self.show(model)
        except ModelError as err:
            if err.reason in (Reason.UNREACHABLE, Reason.UNAUTHORIZED):
                raise
            LOGGER.debug("Nothing known of %s: %s", model, err.detail)
            return OpenAICapabilities(length=UNKNOWN.length)
        kind = await self.kind()
        known = OpenAICapabilities(
            kind=kind,
            length=kind.length,
            context=shown.context,
            slots=shown.slots,
            sees=shown.sees is not False,
            calls_tools=shown.calls_tools is not False,
            has_system=shown.has_system is not False,
        )
        return self._known.setdefault(model, known)

    def learned(self) -> dict[str, Any]:
        """Return the request fields that the models refused, by the models' names."""
        return {name: sorted(known.left_out) for name, known in self._known.items()}

    async def chat(
        self, body: Mapping[str, Any], who: SlotUser, known: OpenAICapabilities
    ) -> AsyncGenerator[Info]:
        """Send a chat request of a slot user, and yield the chunks of its answer."""
        count = known.slots or known.kind.at_once
        if self._slots is None or self._slots.count != count:
            self._slots = Slots(count)
        async with self._slots.one(who) as slot:
            if known.slots and "id_slot" not in known.left_out:
                body = {**body, "id_slot": slot}
            async with aclosing(retry_while_busy(partial(self._chat, body))) as chunks:
                async for chunk in chunks:
                    yield chunk

    async def _chat(self, body: Mapping[str, Any]) -> AsyncGenerator[Info]:
        model = str(body["model"])
        with self._errors(model, streamed=True):
            api = await self._api()
            async with await api.stream(dict(body)) as stream:
                if whole := await _whole(stream, model):
                    yield whole
                    return
                async for chunk in stream:
                    if isinstance(chunk, dict):
                        yield chunk

    async def _infos(self) -> list[Info]:
        reply = await self._json("/models", SERVER_TIMEOUT)
        infos = reply.get("data") if isinstance(reply, dict) else reply
        if not isinstance(infos, list):
            shown = self.redactor.text(str(reply)[:500])
            raise ModelError(Reason.NOT_THE_SERVER, f"No list of models: {shown}")
        return objects_in(infos)

    async def _find_kind(self, infos: list[Info], seconds: float | None = None) -> ServerKind:
        """Determine the kind of server by address, by the list of models, or by queries."""
        self._kind = self._kind or kind_at(self.url) or kind_of(infos)
        if self._kind is None:
            # Each kind has a path that only it answers; all are queried at once.
            kinds = [(each, each.tells) for each in KINDS if each.tells]
            asked = (self._above(*tells, seconds=seconds) for _, tells in kinds)
            told = zip(kinds, await asyncio.gather(*asked), strict=True)
            self._kind = next((kind for (kind, _), reply in told if reply is not None), UNKNOWN)
        return self._kind

    async def _above(
        self,
        path: str,
        part: str,
        query: Mapping[str, str] | None = None,
        *,
        seconds: float | None = None,
    ) -> Info | None:
        """Return the object at a path above `/v1` if it contains `part`; else None."""
        if (above := (await self._api()).above) is None:
            return None
        url = above.joinpath(path.lstrip("/")).with_query(query)
        try:
            reply = await self._json(str(url), seconds or _CURIOSITY)
        except ModelError as err:
            LOGGER.debug("Nothing told at %s: %s", path, err.detail)
            if err.reason in _NO_ANSWER and self._asks_again is None:
                self._asks_again = self.hass.loop.time() + self._pause
                self._pause *= 2
            return None
        return reply if isinstance(reply, dict) and part in reply else None

    async def _json(self, path: str, seconds: float) -> Any:
        with self._errors():
            api = await self._api()
            async with asyncio.timeout(seconds):
                return await api.ask(path)

    @override
    def _make_api(self, session: aiohttp.ClientSession) -> OpenAIApi:
        from .api import OpenAIApi  # noqa: PLC0415 - see there

        return OpenAIApi(session, self.url, self._api_key)


async def _whole(stream: Stream, model: str) -> Info | None:
    """Return an answer that is not streamed as one chunk; None for a stream of events."""
    kind = stream.response.headers.get("content-type", "")
    if not kind.startswith(_WHOLE):
        return None
    text = (await stream.response.aread()).decode()
    if "html" in kind:
        raise ModelError(Reason.NOT_THE_SERVER, text[:500], model=model)
    reply = json_loads_object(text)
    if error := reply.get("error"):
        raise RequestRejected(stream.response.status_code, error, model=model)
    # An answer without a choice and a message does not follow the protocol.
    choice: Any = reply["choices"]
    return {**reply, "choices": [{**choice[0], "delta": choice[0]["message"]}]}
