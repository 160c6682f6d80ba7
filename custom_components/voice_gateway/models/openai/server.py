"""A server that speaks OpenAI's protocol: its kind, its models, and requests."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import asdict, replace
from functools import partial
from typing import Any, override
from weakref import WeakKeyDictionary

from homeassistant.core import HomeAssistant
from yarl import URL

from ...const import LOGGER, SERVER_TIMEOUT
from ..api_server import OwnServer, ServerAnswer, SlotUser, retry_while_busy
from ..client import ModelError, Reason
from ..text_calls.collector import objects_in
from .capabilities import OpenAICapabilities, OpenAIModel, model_of, properties_of
from .server_kinds import KINDS, LLAMA_CPP, UNKNOWN, ServerKind, kind_of

type Info = dict[str, Any]

# Seconds for a query that only some servers answer.
_CURIOSITY = 3.0
# Errors that do not identify a server: it is busy, or behind a proxy.
_NO_ANSWER = (Reason.UNREACHABLE, Reason.OVERLOADED)


class Slots:
    """The slots of a server, numbered from 0.

    - A slot of llama.cpp caches its last prompt: in another one, an agent's instructions, home and
      tools are processed again, which takes seconds.
    - There are never more concurrent requests than slots; others wait, first come, first served.
    - A returning user gets its last slot, unless that is taken: then another one.
    """

    def __init__(self, count: int) -> None:
        """Take the number of slots."""
        self.count = count
        self._places = asyncio.Semaphore(count)
        self._free = set(range(count))
        self._homes: WeakKeyDictionary[SlotUser, int] = WeakKeyDictionary()

    @asynccontextmanager
    async def one(self, who: SlotUser) -> AsyncGenerator[int]:
        """Wait for a slot, and hold it within the context."""
        async with self._places:
            taken = Counter(self._homes.values())
            if who not in self._homes:
                self._homes[who] = min(range(self.count), key=lambda slot: (taken[slot], slot))
            home = self._homes[who]
            slot = min(self._free, key=lambda slot: (slot != home, taken[slot], slot))
            self._free.discard(slot)
            try:
                yield slot
            finally:
                self._free.add(slot)


class OpenAIServer(OwnServer[OpenAICapabilities]):
    """One server; its address ends with `/v1`.

    - A request that it rejects as busy is repeated, for seconds, before an answer begins.
    - Queries for its kind that it left unanswered are repeated later.
    - It receives no more concurrent requests than it can answer; each user keeps a slot, if it has
      slots.
    """

    def __init__(self, hass: HomeAssistant, url: str, api_key: str | None = None) -> None:
        """Take the server's address up to `/v1`, and a key if it requires one."""
        super().__init__(hass, url, api_key)
        self._kind: ServerKind | None = None
        self._slots: Slots | None = None
        self._asks_again: float | None = None
        # Seconds until an unanswered query is repeated; doubled each time.
        self._pause = 60.0
        address = URL(url).with_user(None)
        # The address above `/v1`, where servers describe themselves.
        self._above = address.parent if address.name == "v1" else None

    async def models(self) -> list[OpenAIModel]:
        """Return the server's models; raises ModelError if no such server answers."""
        infos = await self._infos()
        kind = await self.kind(infos=infos)
        if kind.tells and kind.tells[1] == "data":
            # Its own list describes the models in more detail than the common one.
            reply = await self._ask_above(*kind.tells)
            infos = objects_in(reply and reply["data"]) or infos
        return [model for info in infos if (model := model_of(info))]

    async def tried(self) -> str:
        """Return the kind of server; raises ModelError if it refuses the key. May take long."""
        kind = await self.kind(SERVER_TIMEOUT)
        if kind.locked and self._above:
            try:
                await self._json(self._above.joinpath(kind.locked))
            except ModelError as err:
                if err.reason is Reason.UNAUTHORIZED:
                    raise
        return kind.name

    async def kind(
        self, seconds: float | None = None, infos: list[Info] | None = None
    ) -> ServerKind:
        """Return the kind of server, which is queried once, for `seconds` at most.

        Its address, its list of models or queries identify it.
        """
        if self._kind is None:
            listed = await self._infos() if infos is None else infos
            self._kind = kind_of(self.url, listed)
        if self._kind is None:
            # Each kind has a path that only it answers; all are queried at once.
            kinds = [(each, each.tells) for each in KINDS if each.tells]
            asked = (self._ask_above(*tells, seconds=seconds) for _, tells in kinds)
            told = zip(kinds, await asyncio.gather(*asked), strict=True)
            self._kind = next((kind for (kind, _), reply in told if reply is not None), UNKNOWN)
        return self._kind

    async def show(self, model: str) -> OpenAIModel:
        """Return the server's description of a model; it may exist without being in the list."""
        models = {each.id: each for each in await self.models()}
        shown = models.get(model, OpenAIModel(id=model))
        if await self.kind() is not LLAMA_CPP:
            return shown
        # Only for a loaded model: a router should not load it for this.
        query = {"model": model, "autoload": "false"}
        props = await self._ask_above("props", "total_slots", query)
        return replace(shown, **properties_of(props or {}))

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
        told = {name: value for name, value in asdict(shown).items() if value is not None}
        del told["id"]
        known = OpenAICapabilities(kind=kind, length=kind.length, **told)
        return self._known.setdefault(model, known)

    def learned(self) -> dict[str, Any]:
        """Return the request fields that the models refused, by the models' names."""
        return {name: sorted(known.left_out) for name, known in self._known.items()}

    @override
    async def chat(
        self, body: Mapping[str, Any], who: SlotUser | None = None
    ) -> AsyncGenerator[Info]:
        known = self._known.get(body["model"]) or OpenAICapabilities()
        count = known.slots or known.kind.at_once
        if self._slots is None or self._slots.count != count:
            self._slots = Slots(count)
        async with self._slots.one(who or SlotUser()) as slot:
            if known.slots and "id_slot" not in known.left_out:
                body = {**body, "id_slot": slot}
            ask = partial(self._events, "chat/completions", body)
            async with aclosing(retry_while_busy(ask)) as chunks:
                async for chunk in chunks:
                    yield chunk

    @override
    async def _chunks(self, answer: ServerAnswer) -> AsyncGenerator[Info]:
        if "html" in answer.response.content_type:
            raise ModelError(Reason.NOT_THE_SERVER, await answer.beginning())
        if answer.response.content_type == "application/json":
            # It is not streamed.
            reply = await answer.json()
            if not reply.get("error"):
                # An answer without a choice and a message does not follow the protocol.
                choice: Any = reply["choices"]
                reply["choices"] = [{**choice[0], "delta": choice[0]["message"]}]
            yield reply
            return
        async for event in answer.events():
            yield event

    async def _infos(self) -> list[Info]:
        return objects_in((await self._json("models", holds=("data", list)))["data"])

    async def _ask_above(
        self,
        path: str,
        part: str,
        query: Mapping[str, str] | None = None,
        *,
        seconds: float | None = None,
    ) -> Info | None:
        """Return the object at a path above `/v1` if it contains `part`; else None."""
        if self._above is None:
            return None
        url = self._above.joinpath(path).with_query(query)
        try:
            reply = await self._json(url, seconds=seconds or _CURIOSITY)
        except ModelError as err:
            LOGGER.debug("Nothing told at %s: %s", path, err.detail)
            if err.reason in _NO_ANSWER and self._asks_again is None:
                self._asks_again = self.hass.loop.time() + self._pause
                self._pause *= 2
            return None
        return reply if part in reply else None
