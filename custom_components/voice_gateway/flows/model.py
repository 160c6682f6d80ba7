"""The form for what uses a model: which one, its options, and what the use itself needs to know."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntryState,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL
from homeassistant.core import HomeAssistant, callback
from homeassistant.data_entry_flow import section
from homeassistant.helpers import llm
from homeassistant.helpers.selector import (
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)
import probatio

from ..const import LOGGER
from ..models.client import ModelError

SECTION_ADVANCED = "advanced"

type Fields = dict[Any, Any]
"""Fields of a form: a key that says whether it is needed, and its selector."""


class Use(ABC):
    """What a use of a model, such as an agent, asks beside the model and its options."""

    defaults: ClassVar[Mapping[str, Any]] = {}
    """What the form of a new one shows, where that is not a field's default."""

    @abstractmethod
    def fields(self, hass: HomeAssistant) -> Fields:
        """Return what is asked first, after the model."""

    @abstractmethod
    def advanced(self) -> Fields:
        """Return what is asked among the advanced options."""

    @abstractmethod
    def shown(self, hass: HomeAssistant, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that the form shows, for those that are kept."""

    def kept(self, values: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that are kept, for those that the form had, and those kept before."""
        return dict(values)

    def wrong(self, values: Mapping[str, Any]) -> str | None:
        """Return the key of what is wrong with values, if anything."""
        return None


class ModelFlow(ConfigSubentryFlow, ABC):
    """Add a use of a model to a provider's entry, or change one.

    A class for each provider says how its models are chosen and which options they have; `use` says
    what it is for.
    """

    use: ClassVar[Use]
    step: ClassVar[str]
    """The provider's step, which shows the form."""

    def __init__(self) -> None:
        """Begin with nothing chosen."""
        self._data: dict[str, Any] = {}

    @abstractmethod
    async def _async_load(self) -> None:
        """Ask the server for its models; raises ModelError."""

    @abstractmethod
    def _models(self) -> list[SelectOptionDict]:
        """Return the models that can be chosen; others may be typed."""

    @abstractmethod
    def _suggested_model(self) -> str | None:
        """Return the model that a new form shows."""

    @abstractmethod
    def _advanced(self) -> Fields:
        """Return the advanced options that the provider's models have."""

    @abstractmethod
    async def _async_chosen(self) -> SubentryFlowResult:
        """Go on with what the form said."""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask for a model and its options."""
        return await self._async_ask(user_input)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for another model or other options."""
        if not self._data:
            self._data = dict(self._get_reconfigure_subentry().data)
        return await self._async_ask(user_input)

    async def _async_ask(self, user_input: dict[str, Any] | None) -> SubentryFlowResult:
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        if user_input is None:
            try:
                await self._async_load()
            except ModelError as err:
                LOGGER.debug("No list of models: %s", err.detail)
                return self.async_abort(reason=err.reason)
            return self._form()
        self._data = self._flat(user_input)
        if wrong := self.use.wrong(self._data):
            return self._form({"base": wrong})
        return await self._async_chosen()

    @callback
    def _form(self, errors: Mapping[str, str] | None = None) -> SubentryFlowResult:
        """Show the form, with what is known so far."""
        values = self._data or {CONF_MODEL: self._suggested_model(), **self.use.defaults}
        schema = probatio.Schema(
            {
                probatio.Required(CONF_MODEL): SelectSelector(
                    SelectSelectorConfig(
                        options=self._models(), custom_value=True, mode=SelectSelectorMode.DROPDOWN
                    )
                ),
                **self.use.fields(self.hass),
                probatio.Required(SECTION_ADVANCED): section(
                    probatio.Schema({**self._advanced(), **self.use.advanced()}),
                    {"collapsed": True},
                ),
            }
        )
        shown = self.use.shown(self.hass, values)
        nested = {**shown, SECTION_ADVANCED: shown}
        return self.async_show_form(
            step_id=self.step,
            data_schema=self.add_suggested_values_to_schema(schema, nested),
            errors=dict(errors or {}),
        )

    def _flat(self, user_input: Mapping[str, Any]) -> dict[str, Any]:
        """Return a form's values without its section."""
        values = {**user_input, **user_input[SECTION_ADVANCED]}
        del values[SECTION_ADVANCED]
        values[CONF_MODEL] = values[CONF_MODEL].strip()
        return self.use.kept(values, self._data)

    @property
    def _is_new(self) -> bool:
        return self.source == SOURCE_USER

    @callback
    def _finish(self, title: str) -> SubentryFlowResult:
        """Keep what was said; a new one is called `title`."""
        if self._is_new:
            return self.async_create_entry(title=title, data=self._data)
        return self.async_update_and_abort(
            self._get_entry(), self._get_reconfigure_subentry(), data=self._data
        )


def tools_field(hass: HomeAssistant) -> SelectSelector:
    """Return a field for the APIs whose tools a model may use."""
    apis = [SelectOptionDict(value=api.id, label=api.name) for api in llm.async_get_apis(hass)]
    return SelectSelector(SelectSelectorConfig(options=apis, multiple=True))


def tools_there(hass: HomeAssistant, data: Mapping[str, Any]) -> list[str]:
    """Return the APIs that were chosen, as far as they are there."""
    there = {api.id for api in llm.async_get_apis(hass)}
    return [id_ for id_ in data.get(CONF_LLM_HASS_API, []) if id_ in there]


def number(low: float, high: float, step: float) -> NumberSelector:
    """Return a field for a number."""
    return NumberSelector(
        NumberSelectorConfig(min=low, max=high, step=step, mode=NumberSelectorMode.BOX)
    )


def whole(low: int, high: int, unit: str | None = None) -> Callable[[Any], int]:
    """Return a field for a whole number."""
    config = NumberSelectorConfig(min=low, max=high, step=1, mode=NumberSelectorMode.BOX)
    if unit:
        config["unit_of_measurement"] = unit
    field: Callable[[Any], int] = probatio.All(NumberSelector(config), probatio.Coerce(int))
    return field
