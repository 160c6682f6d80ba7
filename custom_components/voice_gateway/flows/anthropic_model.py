"""The forms for a model of Anthropic's: the model, then the options that it supports."""

from typing import Any, override

from homeassistant.config_entries import SubentryFlowResult
from homeassistant.const import CONF_MODEL
from homeassistant.helpers.selector import SelectOptionDict
import probatio

from ..const import CONF_MAX_TOKENS, CONF_THINK, CONF_WEB_SEARCH, DEFAULTS, LOGGER, MIN_MAX_TOKENS
from ..models.anthropic.server import AnthropicModel, AnthropicServer
from ..models.client import ModelError, Reason
from .fields import Fields, switches, whole
from .model import ModelFlow

# Tokens, if the API does not give the model's limit.
_MAX_TOKENS = 64000
# Voice commands need the fastest model, not the most capable.
_QUICK = "haiku"


class AnthropicModelFlow(ModelFlow):
    """Choose a model of an account, then from the options that it supports.

    No temperature: since its version of October 2026, the API refuses it for every model.
    """

    step = "anthropic"
    async_step_anthropic = ModelFlow.async_step_user

    def __init__(self) -> None:
        """Begin without a request to the API."""
        super().__init__()
        self._known: list[AnthropicModel] = []
        self._chosen: AnthropicModel | None = None

    @property
    def _server(self) -> AnthropicServer:
        server: AnthropicServer = self._get_entry().runtime_data
        return server

    @override
    async def _async_load(self) -> None:
        self._known = await self._server.models()

    @override
    def _models(self) -> list[SelectOptionDict]:
        """Return the models, the newest first, as the API does."""
        return [SelectOptionDict(value=model.id, label=model.name) for model in self._known]

    @override
    def _suggested_model(self) -> str | None:
        ids = [model.id for model in self._known]
        return next((id_ for id_ in ids if _QUICK in id_), ids[0] if ids else None)

    @override
    def _called(self, model: str) -> str:
        if self._chosen and model == self._data.get(CONF_MODEL):
            return self._chosen.name
        return next((each.name for each in self._known if each.id == model), model)

    @override
    async def _async_chosen(self) -> SubentryFlowResult:
        """Get the model's capabilities, and ask for its options."""
        name = self._data[CONF_MODEL]
        self._chosen = next((model for model in self._known if model.id == name), None)
        if self._chosen is None:
            try:
                self._chosen = await self._server.show(name)
            except ModelError as err:
                LOGGER.debug("Nothing known of %s: %s", name, err.detail)
                where = CONF_MODEL if err.reason is Reason.MODEL_NOT_FOUND else "base"
                return self._form({where: err.reason})
        return await self.async_step_model()

    async def async_step_model(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for the model's own options."""
        assert self._chosen
        if user_input is not None:
            self._data |= user_input
            return self._finish()
        shown = self._data if self._is_new else self._get_reconfigure_subentry().data
        return self.async_show_form(
            step_id="model",
            data_schema=self.add_suggested_values_to_schema(
                probatio.Schema(self._of_model(self._chosen)), shown
            ),
            description_placeholders={"model": self._chosen.name},
        )

    def _of_model(self, model: AnthropicModel) -> Fields:
        """Return the options that a model supports."""
        most = model.max_tokens or _MAX_TOKENS
        fields: Fields = {
            probatio.Optional(CONF_MAX_TOKENS, default=min(DEFAULTS[CONF_MAX_TOKENS], most)): whole(
                min(MIN_MAX_TOKENS, most), most
            )
        }
        if model.thinks:
            fields |= switches(CONF_THINK)
        if model.searches_web:
            fields |= switches(CONF_WEB_SEARCH)
        return fields
