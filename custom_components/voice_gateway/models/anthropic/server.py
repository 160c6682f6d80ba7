"""An account at Anthropic: which models there are, and asking one.

Source of what is sent and what comes: the `anthropic` package's types, and
https://platform.claude.com/docs/en/api. The package takes seconds to load: it is loaded when an
account is first used, not for who uses Ollama alone.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import aiohttp
from homeassistant.core import HomeAssistant
import httpx2

from ...const import LOGGER, SERVER_TIMEOUT
from ...header_values import is_sendable
from ...logs import guard
from ...redactor import Redactor
from ..backoff import Backoff
from ..client import ModelError, Reason
from ..limits import AT_ONCE
from ..transport import Transport, async_session
from .errors import KEPT, model_error, worth_waiting

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import ModelInfo, RawMessageStreamEvent

# A running request has no time limit of its own but a very long one: who made it ends it.
_LONG = httpx2.Timeout(600.0, connect=SERVER_TIMEOUT)
_MODELS_PER_PAGE = 1000
# Seconds for asking anew what a model can do: a sentence may wait for it.
_SOON = 3.0


@dataclass(frozen=True, slots=True)
class AnthropicModel:
    """A model, and what it can do, as the API tells."""

    id: str
    name: str
    """As people know it."""
    max_tokens: int | None = None
    """Tokens that an answer may have at most."""
    context: int | None = None
    """Tokens of a prompt at most."""
    thinking: frozenset[str] = frozenset()
    """What a request may say of thinking: "adaptive", "enabled", "between_tools", "disabled"."""
    efforts: frozenset[str] = frozenset()
    """How much effort a request may ask for."""
    sees_images: bool = True
    reads_pdfs: bool = True
    searches_web: bool = False
    """Whether Anthropic searches the web for it."""
    follows_schemas: bool = False
    """Whether it can be held to a JSON schema, in its answer and in its calls."""

    @property
    def thinks(self) -> bool:
        """Return True if it can be asked to think before it answers."""
        return bool(self.thinking & {"adaptive", "enabled"})


@dataclass(slots=True)
class AnthropicCapabilities:
    """What a model can do, and what it turned out not to take."""

    model: AnthropicModel
    takes_schemas: bool = True
    """Whether it takes the tools' schemas as they are; else they are said in simpler words."""
    refused_structures: set[str] = field(default_factory=set)
    """The schemas of answers, as JSON, that it cannot be held to."""

    def learn(self, refusal: ModelError, structure: str | None) -> bool:
        """Learn from a refused request; tell whether another one is worth trying.

        `structure` is the schema that the answer was to be held to, if any.
        """
        words = refusal.detail.casefold()
        if refusal.reason is not Reason.SERVER_ERROR or "http 400" not in words:
            return False
        if "output_config" in words:
            if structure is None or structure in self.refused_structures:
                return False
            self.refused_structures.add(structure)
            return True
        if self.takes_schemas and ("schema" in words or "strict" in words):
            self.takes_schemas = False
            return True
        return False


class AnthropicServer:
    """One account. Every method raises ModelError and nothing else.

    - A request that the API has no time for is repeated, after as long as the API says, as long as
      nothing of an answer has come, and for seconds only: then the user is told.
    - An answer is whole, or it raises; none takes more memory than the transport's limits say.
    - Nothing is sent anywhere but to the API.
    """

    def __init__(self, hass: HomeAssistant, api_key: str) -> None:
        """Take the account's key."""
        self.hass = hass
        self._api_key = api_key.strip()
        self.redactor = Redactor([self._api_key])
        self._made: AsyncAnthropic | None = None
        self._known: dict[str, AnthropicCapabilities] = {}
        self._places = asyncio.Semaphore(AT_ONCE)

    async def models(self) -> list[AnthropicModel]:
        """Return the models that the account may use, the newest first."""
        client = await self._client()
        async with _errors(self.redactor):
            page = await client.models.list(limit=_MODELS_PER_PAGE, timeout=SERVER_TIMEOUT)
            return [_model(info) async for info in page]

    async def show(self, model: str, *, timeout: float = SERVER_TIMEOUT) -> AnthropicModel:
        """Return what a model can do; it may be named by an alias that the list does not hold."""
        client = await self._client()
        async with _errors(self.redactor, model):
            return _model(await client.models.retrieve(model, timeout=timeout))

    async def known(self, model: str, *, anew: bool = False) -> AnthropicCapabilities:
        """Return what is known of a model; the API is asked once what it can do, or `anew`.

        That costs nothing, and leaves a connection that the next request finds open. Where the API
        does not say, nothing is asked of the model that not every one can do.
        """
        known = self._known.get(model)
        if known and not anew:
            return known
        try:
            shown = await self.show(model, timeout=_SOON if known else SERVER_TIMEOUT)
        except ModelError as err:
            if known:
                return known
            if err.reason in (Reason.UNAUTHORIZED, Reason.UNREACHABLE):
                raise
            LOGGER.debug("Nothing known of %s: %s", model, err.detail)
            return AnthropicCapabilities(AnthropicModel(model, model))
        known = self._known.setdefault(model, AnthropicCapabilities(shown))
        known.model = shown
        return known

    async def message(self, body: Mapping[str, Any]) -> AsyncGenerator[RawMessageStreamEvent]:
        """Ask for a message and yield its events, `message_stop` as the last.

        `body` holds the arguments of `messages.create`. Where an attempt failed, the events begin
        again with `message_start`. Where as many are answered as are asked for at once, it waits for
        one of them to end.
        """
        async with self._places, aclosing(self._message(body)) as events:
            async for event in events:
                yield event

    async def _message(self, body: Mapping[str, Any]) -> AsyncGenerator[RawMessageStreamEvent]:
        model = str(body["model"])
        client = await self._client()
        patience = Backoff(worth_waiting)
        async with _errors(self.redactor, model):
            while True:
                began = ended = False
                try:
                    async with await client.messages.create(**body, stream=True) as stream:
                        async for event in stream:
                            began = began or event.type != "message_start"
                            ended = event.type == "message_stop"
                            yield event
                except Exception as err:
                    if began or not await patience.waited(err):
                        raise
                    LOGGER.debug("%s: once more after %s", model, type(err).__name__)
                    continue
                if not ended:
                    raise ModelError(Reason.CONNECTION_LOST, "No message_stop", model=model)
                return

    async def warm(self, body: Mapping[str, Any]) -> None:
        """Have a request's beginning read, up to its cache breakpoints; no answer comes."""
        client = await self._client()
        async with _errors(self.redactor, str(body["model"])):
            # https://platform.claude.com/docs/en/build-with-claude/prompt-caching, pre-warming
            await client.messages.create(**{**body, "max_tokens": 0}, stream=False)

    async def _client(self) -> AsyncAnthropic:
        """Return the package's client, made outside of the event loop, which it would block."""
        if not is_sendable(self._api_key):
            # It cannot be sent, and the package would show it in its log.
            raise ModelError(Reason.UNAUTHORIZED, "The key has letters that no key has")
        if self._made is None:
            make = partial(_make_client, self._api_key, async_session(self.hass))
            self._made = await self.hass.async_add_executor_job(make)
        return self._made


def _make_client(api_key: str, session: aiohttp.ClientSession) -> AsyncAnthropic:
    from anthropic import AsyncAnthropic  # noqa: PLC0415 - see above

    guard("anthropic", "httpx2", "httpcore2")
    return AsyncAnthropic(
        api_key=api_key,
        http_client=httpx2.AsyncClient(
            transport=Transport(session), follow_redirects=False, trust_env=False
        ),
        default_headers={"Accept-Encoding": "identity"},
        timeout=_LONG,
        max_retries=0,
    )


def _model(info: ModelInfo) -> AnthropicModel:
    """Return what the API tells of a model."""
    if (can := info.capabilities) is None:
        return AnthropicModel(info.id, info.display_name, info.max_tokens, info.max_input_tokens)
    types = ("adaptive", "enabled", "between_tools", "disabled")
    efforts = ("low", "medium", "high", "xhigh", "max")
    return AnthropicModel(
        id=info.id,
        name=info.display_name,
        max_tokens=info.max_tokens,
        context=info.max_input_tokens,
        thinking=frozenset(
            name
            for name in types
            if (name == "disabled" or can.thinking.supported)
            and getattr(can.thinking.types, name).supported
        ),
        efforts=frozenset(
            name
            for name in efforts
            if can.effort.supported and (level := getattr(can.effort, name)) and level.supported
        ),
        sees_images=can.image_input.supported,
        reads_pdfs=can.pdf_input.supported,
        searches_web=can.server_tools.web_search.supported,
        follows_schemas=can.structured_outputs.supported,
    )


@asynccontextmanager
async def _errors(redactor: Redactor, model: str = "") -> AsyncIterator[None]:
    """Turn the errors of the package, and of what it is made of, into ours, without secrets."""
    try:
        yield
    except ModelError:
        raise
    except Exception as err:
        if (ours := model_error(err, model)) is None:
            raise
        ours.hide(redactor, KEPT)
        raise ours from err
