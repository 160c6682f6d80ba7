"""The form for a model of an Ollama server: its options, and its download if it is missing."""

import asyncio
import os
from typing import Any, override

from homeassistant.config_entries import SubentryFlowResult
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import BooleanSelector, SelectOptionDict
import probatio
from yarl import URL

from ..const import (
    CONF_KEEP_ALIVE,
    CONF_NUM_CTX,
    CONF_TEMPERATURE,
    CONF_THINK,
    LOGGER,
    MAX_NUM_CTX,
    MIN_NUM_CTX,
)
from ..models.client import ModelError, Reason
from ..models.ollama.server import OllamaModel, OllamaServer
from ..texts import async_texts
from .fields import Fields, number, optional, whole
from .model import ModelFlow
from .recommended_models import for_memory

# Marks the models that can call tools; the field's description explains it in words.
TOOLS_MARK = "🛠"
_HERE = ("localhost", "127.0.0.1", "::1")
_GIGABYTE = 10**9


class OllamaModelFlow(ModelFlow):
    """Choose a model of an Ollama server; the server downloads a missing one."""

    step = "ollama"
    async_step_ollama = ModelFlow.async_step_user

    def __init__(self) -> None:
        """Begin without a request to the server."""
        super().__init__()
        self._known: list[OllamaModel] = []
        self._downloads: list[SelectOptionDict] = []
        self._pull: asyncio.Task[None] | None = None
        self._pull_error: ModelError | None = None

    @property
    def _server(self) -> OllamaServer:
        server: OllamaServer = self._get_entry().runtime_data
        return server

    @override
    async def _async_load(self) -> None:
        self._known = await async_models(self._server)
        there = {model.name for model in self._known}
        self._downloads = [
            model
            for model in await _async_downloads(self.hass, self._server.url)
            if model["value"] not in there
        ]

    @override
    def _models(self) -> list[SelectOptionDict]:
        """Return the models, those that can call tools first, then the available downloads."""
        there = [
            SelectOptionDict(value=model.name, label=" ".join((*self._marks(model), model.name)))
            for model in self._known
        ]
        return [*there, *self._downloads]

    @override
    def _marks(self, model: OllamaModel) -> list[str]:
        return [TOOLS_MARK] if model.calls_tools else []

    @override
    def _suggested_model(self) -> str | None:
        names = [model.name for model in self._known if model.calls_tools]
        return next(iter([*names, *(model["value"] for model in self._downloads)]), None)

    @override
    def _calls_tools(self, model: str) -> bool | None:
        known = next((each for each in self._known if each.name in _names(model)), None)
        return known.calls_tools if known and known.capabilities else None

    @override
    def _options(self) -> Fields:
        return {
            optional(CONF_NUM_CTX): whole(MIN_NUM_CTX, MAX_NUM_CTX),
            optional(CONF_KEEP_ALIVE): whole(-1, 86400, "s"),
            optional(CONF_THINK): BooleanSelector(),
            optional(CONF_TEMPERATURE): number(0, 2, 0.05),
        }

    @override
    async def _async_chosen(self) -> SubentryFlowResult:
        """Finish, or download the model first."""
        model = self._data[CONF_MODEL]
        if _names(model) & {known.name for known in self._known}:
            return self._finish()
        return await self.async_step_pull()

    async def async_step_pull(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Show the progress of the model's download to the server."""
        model = self._data[CONF_MODEL]
        if self._pull is None:
            self._pull = self.hass.async_create_background_task(
                self._async_pull(model), f"Pull {model}"
            )
        if not self._pull.done():
            return self.async_show_progress(
                step_id="pull",
                progress_action="pull",
                progress_task=self._pull,
                description_placeholders={"model": model},
            )
        next_step = "pull_failed" if self._pull_error else "pull_done"
        self._pull = None
        return self.async_show_progress_done(next_step_id=next_step)

    async def async_step_pull_done(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Finish with the downloaded model."""
        return self._finish()

    async def async_step_pull_failed(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the server's message, then go back to the form."""
        if user_input is not None:
            return self._form()
        assert self._pull_error is not None
        err, self._pull_error = self._pull_error, None
        if err.reason is Reason.MODEL_NOT_FOUND:
            return self._form({CONF_MODEL: "model_not_in_library"})
        return self.async_show_form(
            step_id="pull_failed",
            data_schema=probatio.Schema({}),
            description_placeholders={"model": self._data[CONF_MODEL], "error": err.detail},
        )

    async def _async_pull(self, model: str) -> None:
        """Let the server download a model."""
        try:
            async for share in self._server.pull(model):
                if share is not None:
                    self.async_update_progress(share)
        except ModelError as err:
            LOGGER.debug("Pulling %s failed: %s", model, err.detail)
            self._pull_error = err


async def async_models(server: OllamaServer) -> list[OllamaModel]:
    """Return a server's language models, those that can call tools first; raises ModelError."""
    names = await server.models()
    models = await asyncio.gather(*(_async_show(server, name) for name in names))
    talking = [model for model in models if model.talks]
    return sorted(talking, key=lambda model: (not model.calls_tools, model.name))


def _names(model: str) -> set[str]:
    """Return the names under which a server may list a model."""
    return {model, f"{model}:latest"}


async def _async_show(server: OllamaServer, name: str) -> OllamaModel:
    """Return a model; an unreadable one must not hide the others."""
    try:
        return await server.show(name)
    except ModelError as err:
        LOGGER.debug("Nothing known of %s: %s", name, err.detail)
        return OllamaModel(name)


async def _async_downloads(hass: HomeAssistant, url: str) -> list[SelectOptionDict]:
    """Return the recommended models for the Ollama server at an address, the best one first."""
    texts = await async_texts(hass, "selector", "recommended_model.options")
    return [
        SelectOptionDict(
            value=model.name,
            label=texts["takes"].format(
                name=model.name,
                download=f"{model.download:g}".replace(".", texts["decimal"]),
                memory=model.memory,
            ),
        )
        for model in for_memory(_memory(url))
    ]


def _memory(url: str) -> float | None:
    """Return the memory of a server's computer in gigabytes, if it is this one."""
    if URL(url).host not in _HERE:
        return None
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / _GIGABYTE
    except OSError, ValueError:
        return None
