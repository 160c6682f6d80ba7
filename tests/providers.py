"""Model servers of every provider, as a test can ask the same of each."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass
import json
from typing import Any, ClassVar, override

from homeassistant.config_entries import ConfigSubentryData
from homeassistant.const import CONF_API_KEY, CONF_LLM_HASS_API, CONF_MODEL, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import CONF_KIND, DOMAIN, SUBENTRY_AI_TASK, EntryKind

from . import anthropic as claude, ollama
from .anthropic_rules import blocks_of


class Provider(ABC):
    """A model server that plays what it is told to, and what came to it."""

    kind: ClassVar[EntryKind]
    model: ClassVar[str]
    server: Any

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """Return the data of its entry."""

    @abstractmethod
    def says(self, text: str, stop: str | None = None) -> Any:
        """Return an answer; `stop` is why it ended before its end."""

    @abstractmethod
    def calls(self, name: str, **arguments: Any) -> Any:
        """Return an answer that is a call."""

    @abstractmethod
    def cut(self, text: str) -> Any:
        """Return an answer in which the connection ends."""

    @abstractmethod
    def structure(self, request: dict[str, Any]) -> Any:
        """Return the schema that an answer to a request is held to."""

    @abstractmethod
    def files(self, request: dict[str, Any]) -> list[str]:
        """Return the files that came with a request, in base64."""

    @property
    def requests(self) -> list[dict[str, Any]]:
        """What came to it."""
        requests: list[dict[str, Any]] = self.server.chats
        return requests

    def told(self, request: dict[str, Any]) -> str:
        """Return all that a request says."""
        return json.dumps(request, ensure_ascii=False)


@dataclass
class Ollama(Provider):
    """A model that can call tools and sees, by Ollama."""

    server: ollama.PlayedOllama
    kind: ClassVar = EntryKind.OLLAMA
    model: ClassVar = ollama.MODEL

    @override
    def data(self) -> dict[str, Any]:
        return {CONF_KIND: self.kind, CONF_URL: self.server.url}

    @override
    def says(self, text: str, stop: str | None = None) -> Any:
        return [ollama.part(text[:5]), ollama.part(text[5:]), ollama.done(stop or "stop")]

    @override
    def calls(self, name: str, **arguments: Any) -> Any:
        return ollama.calls(ollama.call(name, **arguments))

    @override
    def cut(self, text: str) -> Any:
        return [ollama.part(text), ollama.Fault.CUT]

    @override
    def structure(self, request: dict[str, Any]) -> Any:
        return request.get("format")

    @override
    def files(self, request: dict[str, Any]) -> list[str]:
        return [image for message in request["messages"] for image in message.get("images", ())]


@dataclass
class Anthropic(Provider):
    """A model of Anthropic's."""

    server: claude.PlayedAnthropic
    kind: ClassVar = EntryKind.ANTHROPIC
    model: ClassVar = claude.MODEL

    @override
    def data(self) -> dict[str, Any]:
        return {CONF_KIND: self.kind, CONF_API_KEY: claude.KEY}

    @override
    def says(self, text: str, stop: str | None = None) -> Any:
        return claude.answer(
            claude.text(text[:5], text[5:]), stop="max_tokens" if stop else "end_turn"
        )

    @override
    def calls(self, name: str, **arguments: Any) -> Any:
        return claude.calls(claude.call(name, **arguments))

    @override
    def cut(self, text: str) -> Any:
        return [*claude.begun(claude.text(text, ollama.Fault.CUT))]

    @override
    def structure(self, request: dict[str, Any]) -> Any:
        return request.get("output_config", {}).get("format", {}).get("schema")

    @override
    def files(self, request: dict[str, Any]) -> list[str]:
        return [
            block["source"]["data"]
            for _, block in blocks_of(request)
            if block["type"] in ("image", "document")
        ]


@pytest.fixture(params=[EntryKind.OLLAMA, EntryKind.ANTHROPIC])
async def provider(
    request: pytest.FixtureRequest, socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Provider]:
    """A provider's server that plays what it is told to."""
    if request.param == EntryKind.OLLAMA:
        async with ollama.played_ollama() as server:
            server.models[ollama.MODEL].append("vision")
            yield Ollama(server)
    else:
        async with claude.played_anthropic() as server:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            yield Anthropic(server)
            assert server.refused == []


async def add_task(
    hass: HomeAssistant, provider: Provider, tools: Iterable[str] = (), **options: Any
) -> MockConfigEntry:
    """Set up a provider with one AI task."""
    for domain in ("homeassistant", "conversation", "llm"):
        assert await async_setup_component(hass, domain, {})
    entry = MockConfigEntry(
        domain=DOMAIN,
        data=provider.data(),
        subentries_data=[
            ConfigSubentryData(
                data={CONF_MODEL: provider.model, CONF_LLM_HASS_API: list(tools), **options},
                subentry_type=SUBENTRY_AI_TASK,
                title="Helper",
                unique_id=None,
            )
        ],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    return entry
