"""An Anthropic account: its models, their capabilities, and requests.

Formats: https://platform.claude.com/docs/en/api.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
import os
from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers.json import json_dumps
from yarl import URL

from ...const import LOGGER, SERVER_TIMEOUT
from ..api_server import ApiServer, retry_while_busy
from ..client import ModelError, Reason
from ..errors import RequestRejected

# Events before the first part of an answer.
_BEFORE = ("message_start", "ping")
# Seconds for a repeated query of capabilities: an utterance may wait for it.
_SOON = 3.0

type Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AnthropicModel:
    """A model and its capabilities, as the API reports them."""

    id: str
    name: str
    max_tokens: int | None = None
    """Maximum tokens of an answer, as `context` is of a prompt."""
    context: int | None = None
    thinking: frozenset[str] = frozenset()
    """The supported types of thinking: "adaptive", "enabled", "between_tools", "disabled"."""
    efforts: frozenset[str] = frozenset()
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

    def learn(self, refusal: ModelError, structure: Mapping[str, Any] | None) -> bool:
        """Learn from a refusal under a `structure`; return True if a reduced request may work."""
        is_refused = isinstance(refusal, RequestRejected) and refusal.status == 400
        if not is_refused or refusal.reason is not Reason.SERVER_ERROR:
            return False
        words = refusal.detail.casefold()
        if "output_config" in words:
            known = len(self.refused_structures)
            self.refused_structures |= set() if structure is None else {json_dumps(structure)}
            return len(self.refused_structures) > known
        is_news = self.takes_schemas and ("schema" in words or "strict" in words)
        self.takes_schemas = self.takes_schemas and not is_news
        return is_news


class AnthropicServer(ApiServer[AnthropicCapabilities]):
    """One account.

    - A request that the API rejects as busy is repeated, for seconds, before an answer begins.
    - An answer is complete, or it raises.
    """

    fails_briefly = True

    def __init__(self, hass: HomeAssistant, api_key: str) -> None:
        """Take the account's key."""
        # The variable may hold another address, as in Anthropic's own packages.
        url = os.environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com")
        super().__init__(hass, f"{url}/v1", api_key)

    @override
    def _headers(self) -> dict[str, str]:
        return {**super()._headers(), "anthropic-version": "2023-06-01"}

    async def models(self) -> list[AnthropicModel]:
        """Return the models that the account may use, the newest first."""
        models: list[AnthropicModel] = []
        query = {"limit": "1000"}
        while True:
            address = URL(self.url).joinpath("models").with_query(query)
            page = await self._json(address, holds=("data", list))
            models += map(_model, page["data"])
            if not (page.get("has_more") and page["data"]):
                return models
            query["after_id"] = models[-1].id

    async def show(self, model: str, *, timeout: float = SERVER_TIMEOUT) -> AnthropicModel:
        """Return a model's capabilities; aliases that are not in the list are valid, too."""
        return _model(await self._json(f"models/{model}", model=model, seconds=timeout))

    async def known(self, model: str, *, anew: bool = False) -> AnthropicCapabilities:
        """Return a model's capabilities, which are queried once, or `anew` to open a connection."""
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

    async def message(self, body: Mapping[str, Any]) -> AsyncGenerator[Event]:
        """Request a message; yield its events, with another `message_start` after a failure."""
        ended = False
        answer = retry_while_busy(
            lambda: self._events("messages", body), lambda event: event.get("type") not in _BEFORE
        )
        async with self._places, aclosing(answer) as events:
            async for event in events:
                ended = event.get("type") == "message_stop"
                yield event
        if not ended:
            raise ModelError(Reason.CONNECTION_LOST, "No message_stop", model=str(body["model"]))

    async def warm(self, body: Mapping[str, Any]) -> None:
        """Prefill a request up to its cache breakpoints, without an answer."""
        # https://platform.claude.com/docs/en/build-with-claude/prompt-caching, pre-warming
        await self._json(
            "messages", {**body, "max_tokens": 0}, model=str(body["model"]), seconds=None
        )


def _model(info: Mapping[str, Any]) -> AnthropicModel:
    limits: dict[str, Any] = {
        "id": info["id"],
        "name": info["display_name"],
        "max_tokens": info.get("max_tokens"),
        "context": info.get("max_input_tokens"),
    }
    if not (capabilities := info.get("capabilities")):
        return AnthropicModel(**limits)

    def can(*path: str) -> bool:
        found = capabilities
        for name in (*path, "supported"):
            found = found.get(name) if isinstance(found, dict) else None
        return found is True

    types = ("adaptive", "enabled", "between_tools") if can("thinking") else ()
    return AnthropicModel(
        **limits,
        thinking=frozenset(name for name in (*types, "disabled") if can("thinking", "types", name)),
        efforts=frozenset(
            level for level in capabilities.get("effort") or () if can("effort", level)
        ),
        sees_images=can("image_input"),
        reads_pdfs=can("pdf_input"),
        searches_web=can("server_tools", "web_search"),
        follows_schemas=can("structured_outputs"),
    )
