"""The form for a conversation agent."""

import asyncio
from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntryState,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_PROMPT
from homeassistant.core import callback
from homeassistant.data_entry_flow import section
from homeassistant.helpers import llm
from homeassistant.helpers.selector import (
    BooleanSelector,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TemplateSelector,
)
import probatio

from ..const import (
    CONF_CONFIRM_AT_ONCE,
    CONF_KEEP_ALIVE,
    CONF_KEEP_FORMATTING,
    CONF_MAX_ROUNDS,
    CONF_NUM_CTX,
    CONF_SECOND_OPINION,
    CONF_TEMPERATURE,
    CONF_THINK,
    CONF_TIMEOUT,
    DEFAULT_CONFIRM_AT_ONCE,
    DEFAULT_KEEP_ALIVE,
    DEFAULT_KEEP_FORMATTING,
    DEFAULT_MAX_ROUNDS,
    DEFAULT_NUM_CTX,
    DEFAULT_SECOND_OPINION,
    DEFAULT_TEMPERATURE,
    DEFAULT_THINK,
    DEFAULT_TIMEOUT,
    LOGGER,
    MAX_NUM_CTX,
    MIN_NUM_CTX,
)
from ..models.client import ModelError
from ..models.ollama import Model, OllamaServer
from ..prompt import DEFAULT_INSTRUCTIONS

SECTION_ADVANCED = "advanced"
# Stands before the models that can call tools; the field's description says so in words.
TOOLS_MARK = "🛠"


class AgentFlow(ConfigSubentryFlow):
    """Add a conversation agent, or change one."""

    def __init__(self) -> None:
        """Begin with nothing chosen."""
        self._data: dict[str, Any] = {}
        self._models: list[Model] = []
        self._pull: asyncio.Task[None] | None = None
        self._pull_error: ModelError | None = None

    @property
    def _server(self) -> OllamaServer:
        server: OllamaServer = self._get_entry().runtime_data
        return server

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask for a new agent's model and options."""
        return await self._async_step_agent("user", user_input)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for other options of an agent."""
        if not self._data:
            self._data = dict(self._get_reconfigure_subentry().data)
        return await self._async_step_agent("reconfigure", user_input)

    async def _async_step_agent(
        self, step_id: str, user_input: dict[str, Any] | None
    ) -> SubentryFlowResult:
        """Show the form; fetch the model where it is not there."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        if not self._models:
            try:
                self._models = await _async_models(self._server)
            except ModelError as err:
                LOGGER.debug("No list of models: %s", err.detail)
                return self.async_abort(reason=err.reason)
        if user_input is None:
            return self._form(step_id)
        self._data = _flat(user_input)
        names = {model.name for model in self._models}
        if self._data[CONF_MODEL] not in names and f"{self._data[CONF_MODEL]}:latest" not in names:
            return await self.async_step_pull()
        return self._finish()

    async def async_step_pull(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Show how much of the model has arrived at the server."""
        if self._pull is None:
            self._pull = self.hass.async_create_background_task(
                self._async_pull(self._data[CONF_MODEL]), f"Pull {self._data[CONF_MODEL]}"
            )
        if not self._pull.done():
            return self.async_show_progress(
                step_id="pull",
                progress_action="pull",
                progress_task=self._pull,
                description_placeholders={"model": self._data[CONF_MODEL]},
            )
        next_step = "pull_failed" if self._pull_error else "pull_done"
        self._pull = None
        return self.async_show_progress_done(next_step_id=next_step)

    async def async_step_pull_done(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Finish with the model that is there now."""
        return self._finish()

    async def async_step_pull_failed(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Go back to the form, with the server's words."""
        if user_input is not None:
            step_id = "user" if self.source == SOURCE_USER else "reconfigure"
            return self._form(step_id)
        assert self._pull_error is not None
        placeholders = {"model": self._data[CONF_MODEL], "error": self._pull_error.detail}
        self._pull_error = None
        return self.async_show_form(
            step_id="pull_failed",
            data_schema=probatio.Schema({}),
            description_placeholders=placeholders,
        )

    async def _async_pull(self, model: str) -> None:
        """Let the server fetch a model."""
        try:
            async for share in self._server.pull(model):
                if share is not None:
                    self.async_update_progress(share)
        except ModelError as err:
            LOGGER.debug("Pulling %s failed: %s", model, err.detail)
            self._pull_error = err

    @callback
    def _finish(self) -> SubentryFlowResult:
        if self.source == SOURCE_USER:
            return self.async_create_entry(title=self._data[CONF_MODEL], data=self._data)
        return self.async_update_and_abort(
            self._get_entry(), self._get_reconfigure_subentry(), data=self._data
        )

    @callback
    def _form(self, step_id: str) -> SubentryFlowResult:
        values = self._data or {
            CONF_MODEL: next((m.name for m in self._models if m.calls_tools), None),
            CONF_LLM_HASS_API: [llm.LLM_API_ASSIST],
        }
        apis = [
            SelectOptionDict(value=api.id, label=api.name) for api in llm.async_get_apis(self.hass)
        ]
        known = {api["value"] for api in apis}
        nested = {
            **values,
            CONF_PROMPT: values.get(CONF_PROMPT) or DEFAULT_INSTRUCTIONS,
            CONF_LLM_HASS_API: [id_ for id_ in values.get(CONF_LLM_HASS_API, []) if id_ in known],
            SECTION_ADVANCED: values,
        }
        schema = _schema(self._models, apis)
        return self.async_show_form(
            step_id=step_id, data_schema=self.add_suggested_values_to_schema(schema, nested)
        )


async def _async_models(server: OllamaServer) -> list[Model]:
    """Return the server's models, those that can call tools first."""
    names = await server.models()
    models = await asyncio.gather(*(_async_show(server, name) for name in names))
    return sorted(models, key=lambda model: (not model.calls_tools, model.name))


async def _async_show(server: OllamaServer, name: str) -> Model:
    """Return a model; one that cannot be read must not hide the others."""
    try:
        return await server.show(name)
    except ModelError as err:
        LOGGER.debug("Nothing known of %s: %s", name, err.detail)
        return Model(name)


def _flat(user_input: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form's values as an agent's options: without sections, without default texts."""
    data = {**user_input, **user_input.get(SECTION_ADVANCED, {})}
    data.pop(SECTION_ADVANCED, None)
    data[CONF_MODEL] = data[CONF_MODEL].strip()
    for whole in (CONF_NUM_CTX, CONF_KEEP_ALIVE, CONF_MAX_ROUNDS, CONF_TIMEOUT):
        if whole in data:
            data[whole] = int(data[whole])
    if data.get(CONF_PROMPT, "").strip() in ("", DEFAULT_INSTRUCTIONS.strip()):
        # Who did not change the instructions gets those of the next release.
        data.pop(CONF_PROMPT, None)
    return data


def _schema(models: list[Model], apis: list[SelectOptionDict]) -> probatio.Schema:
    """Return the form of an agent."""
    options = [
        SelectOptionDict(
            value=model.name,
            label=f"{TOOLS_MARK} {model.name}" if model.calls_tools else model.name,
        )
        for model in models
    ]
    return probatio.Schema(
        {
            probatio.Required(CONF_MODEL): SelectSelector(
                SelectSelectorConfig(
                    options=options, custom_value=True, mode=SelectSelectorMode.DROPDOWN
                )
            ),
            probatio.Optional(CONF_PROMPT): TemplateSelector(),
            probatio.Optional(CONF_LLM_HASS_API): SelectSelector(
                SelectSelectorConfig(options=apis, multiple=True)
            ),
            probatio.Required(SECTION_ADVANCED): section(
                probatio.Schema(
                    {
                        probatio.Optional(CONF_NUM_CTX, default=DEFAULT_NUM_CTX): _number(
                            MIN_NUM_CTX, MAX_NUM_CTX, 1
                        ),
                        probatio.Optional(CONF_KEEP_ALIVE, default=DEFAULT_KEEP_ALIVE): _number(
                            -1, 86400, 1, "s"
                        ),
                        probatio.Optional(CONF_THINK, default=DEFAULT_THINK): BooleanSelector(),
                        probatio.Optional(CONF_TEMPERATURE, default=DEFAULT_TEMPERATURE): _number(
                            0, 2, 0.05
                        ),
                        probatio.Optional(CONF_MAX_ROUNDS, default=DEFAULT_MAX_ROUNDS): _number(
                            1, 20, 1
                        ),
                        probatio.Optional(CONF_TIMEOUT, default=DEFAULT_TIMEOUT): _number(
                            5, 600, 1, "s"
                        ),
                        probatio.Optional(
                            CONF_CONFIRM_AT_ONCE, default=DEFAULT_CONFIRM_AT_ONCE
                        ): BooleanSelector(),
                        probatio.Optional(
                            CONF_SECOND_OPINION, default=DEFAULT_SECOND_OPINION
                        ): BooleanSelector(),
                        probatio.Optional(
                            CONF_KEEP_FORMATTING, default=DEFAULT_KEEP_FORMATTING
                        ): BooleanSelector(),
                    }
                ),
                {"collapsed": True},
            ),
        }
    )


def _number(low: float, high: float, step: float, unit: str | None = None) -> NumberSelector:
    config = NumberSelectorConfig(min=low, max=high, step=step, mode=NumberSelectorMode.BOX)
    if unit:
        config["unit_of_measurement"] = unit
    return NumberSelector(config)
