"""An Anthropic account: its models, their capabilities, and requests.

Formats: the `anthropic` package's types, and https://platform.claude.com/docs/en/api. The package
takes seconds to load, and is loaded when an account is first used.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, override

import aiohttp
from homeassistant.core import HomeAssistant
import httpx2

from ...const import LOGGER, SERVER_TIMEOUT
from ...logs import guard
from ..api_server import ApiServer
from ..backoff import retry_while_busy
from ..client import ModelError, Reason
from ..errors import RequestRejected
from ..transport import Transport

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import ModelInfo, RawMessageStreamEvent

# A request's own timeout is very long: the caller ends it.
_LONG = httpx2.Timeout(600.0, connect=SERVER_TIMEOUT)
_MODELS_PER_PAGE = 1000
# Seconds for a repeated query of capabilities: an utterance may wait for it.
_SOON = 3.0


@dataclass(frozen=True, slots=True)
class AnthropicModel:
    """A model and its capabilities, as the API reports them."""

    id: str
    name: str
    """The display name."""
    max_tokens: int | None = None
    """Maximum tokens of an answer, as `context` is of a prompt."""
    context: int | None = None
    thinking: frozenset[str] = frozenset()
    """The supported types of thinking: "adaptive", "enabled", "between_tools", "disabled"."""
    efforts: frozenset[str] = frozenset()
    """The supported levels of effort."""
    sees_images: bool = True
    reads_pdfs: bool = True
    searches_web: bool = False
    """Whether Anthropic searches the web for it."""
    follows_schemas: bool = False
    """Whether its answers and calls can be constrained to a JSON schema."""

    @property
    def thinks(self) -> bool:
        """Return True if it supports thinking before it answers."""
        return bool(self.thinking & {"adaptive", "enabled"})


@dataclass(slots=True)
class AnthropicCapabilities:
    """A model's capabilities, and the restrictions that refusals revealed."""

    model: AnthropicModel
    takes_schemas: bool = True
    """Whether it accepts the tools' own schemas; else they are simplified."""
    refused_structures: set[str] = field(default_factory=set)
    """The schemas of answers, as JSON, that it refused."""

    def learn(self, refusal: ModelError, structure: str | None) -> bool:
        """Learn from a refusal under a `structure`; return True if a reduced request may work."""
        is_refused = isinstance(refusal, RequestRejected) and refusal.status == 400
        if not is_refused or refusal.reason is not Reason.SERVER_ERROR:
            return False
        words = refusal.detail.casefold()
        if "output_config" in words:
            is_news = structure is not None and structure not in self.refused_structures
            self.refused_structures |= {structure} if structure else set()
            return is_news
        is_news = self.takes_schemas and ("schema" in words or "strict" in words)
        self.takes_schemas = self.takes_schemas and not is_news
        return is_news


class AnthropicServer(ApiServer["AsyncAnthropic"]):
    """One account.

    - A request that the API rejects as busy is repeated after the time it names, for seconds only,
      and only before an answer begins.
    - An answer is complete, or it raises; its memory is limited by the transport.
    - Data is sent only to the API.
    """

    package = "anthropic"

    def __init__(self, hass: HomeAssistant, api_key: str) -> None:
        """Take the account's key."""
        super().__init__(hass, api_key)
        self._known: dict[str, AnthropicCapabilities] = {}

    async def models(self) -> list[AnthropicModel]:
        """Return the models that the account may use, the newest first."""
        client = await self._api()
        with self._errors():
            page = await client.models.list(limit=_MODELS_PER_PAGE, timeout=SERVER_TIMEOUT)
            return [_model(info) async for info in page]

    async def show(self, model: str, *, timeout: float = SERVER_TIMEOUT) -> AnthropicModel:
        """Return a model's capabilities; aliases that are not in the list are valid, too."""
        client = await self._api()
        with self._errors(model):
            return _model(await client.models.retrieve(model, timeout=timeout))

    async def known(self, model: str, *, anew: bool = False) -> AnthropicCapabilities:
        """Return a model's capabilities, which are queried once, or `anew` to open a connection.

        If the API does not report them, only those that every model has are assumed.
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
        """Request a message; yield its events, with another `message_start` after a failure."""
        answer = retry_while_busy(
            partial(self._message, body), begins=lambda event: event.type != "message_start"
        )
        async with self._places, aclosing(answer) as events:
            async for event in events:
                yield event

    async def _message(self, body: Mapping[str, Any]) -> AsyncGenerator[RawMessageStreamEvent]:
        model = str(body["model"])
        client = await self._api()
        ended = False
        with self._errors(model, streamed=True):
            async with await client.messages.create(**body, stream=True) as stream:
                async for event in stream:
                    ended = event.type == "message_stop"
                    yield event
        if not ended:
            raise ModelError(Reason.CONNECTION_LOST, "No message_stop", model=model)

    async def warm(self, body: Mapping[str, Any]) -> None:
        """Prefill a request up to its cache breakpoints, without an answer."""
        client = await self._api()
        with self._errors(str(body["model"])):
            # https://platform.claude.com/docs/en/build-with-claude/prompt-caching, pre-warming
            await client.messages.create(**{**body, "max_tokens": 0}, stream=False)

    @override
    def _make_api(self, session: aiohttp.ClientSession) -> AsyncAnthropic:
        from anthropic import AsyncAnthropic  # noqa: PLC0415 - see above

        guard("anthropic", "httpx2", "httpcore2")
        return AsyncAnthropic(
            api_key=self._api_key,
            http_client=httpx2.AsyncClient(
                transport=Transport(session), follow_redirects=False, trust_env=False
            ),
            default_headers={"Accept-Encoding": "identity"},
            timeout=_LONG,
            max_retries=0,
        )


def _model(info: ModelInfo) -> AnthropicModel:
    """Return a model's capabilities from the API's description."""
    if (can := info.capabilities) is None:
        return AnthropicModel(info.id, info.display_name, info.max_tokens, info.max_input_tokens)
    types = ("adaptive", "enabled", "between_tools", "disabled")
    efforts = ("low", "medium", "high", "xhigh", "max") if can.effort.supported else ()
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
            name for name in efforts if (level := getattr(can.effort, name)) and level.supported
        ),
        sees_images=can.image_input.supported,
        reads_pdfs=can.pdf_input.supported,
        searches_web=can.server_tools.web_search.supported,
        follows_schemas=can.structured_outputs.supported,
    )
