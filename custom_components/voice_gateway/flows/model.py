"""The form for a use of a model: the model, its options, and those of the use itself."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from itertools import chain, count
import re
from typing import Any, ClassVar

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntryState,
    ConfigSubentry,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_NAME
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import llm
from homeassistant.helpers.selector import (
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    TextSelector,
)
import probatio

from ..const import DOMAIN, LOGGER
from ..models.client import ModelError
from .fields import Fields, Group, Grouped, flat, nested, sections, select_dropdown

# The pages on which an agent is assigned to an assistant, and on which our servers are added.
_ASSISTANTS = "/config/voice-assistants/assistants"
_INTEGRATION = f"/config/integrations/integration/{DOMAIN}"


class ModelFlow(ConfigSubentryFlow, ABC):
    """Add a use of a model to a provider's entry, or change one.

    One class for each provider defines the choice of models and their options; another one for each
    use, such as an agent, adds its own fields.
    """

    step: ClassVar[str]
    """The provider's step, which shows the form."""
    defaults: ClassVar[Mapping[str, Any]] = {}
    """The values in the form of a new use, if they differ from a field's default."""

    def __init__(self) -> None:
        """Begin with nothing chosen."""
        self._data: dict[str, Any] = {}
        # The entered name, empty for the model's own; and the model that the form showed beside it.
        self._name: str | None = None
        self._shown_model: str | None = None

    # The provider's part.

    @abstractmethod
    async def _async_load(self) -> None:
        """Ask the server for its models; raises ModelError."""

    @abstractmethod
    def _models(self) -> list[SelectOptionDict]:
        """Return the available models; others may be typed."""

    @abstractmethod
    def _suggested_model(self) -> str | None:
        """Return the model that a new form shows."""

    def _calls_tools(self, model: str) -> bool | None:
        """Return True if a model can call tools; None if that is not known."""
        return None

    def _called(self, model: str) -> str:
        """Return a model's name for people."""
        return model

    def _options(self) -> Fields:
        """Return the options of the provider's models."""
        return {}

    async def _async_chosen(self) -> SubentryFlowResult:
        """Continue with the form's values."""
        return self._finish()

    # The use's part.

    def _marks(self, model: Any) -> list[str]:
        """Return the marks of a model's capabilities."""
        return []

    @abstractmethod
    def _fields(self) -> Fields:
        """Return the first fields after the model."""

    @abstractmethod
    def _groups(self) -> Grouped:
        """Return the options, all of which have defaults."""

    def _shown(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the form's values for stored ones: only tools that exist."""
        there = {api.id for api in llm.async_get_apis(self.hass)}
        tools = [id_ for id_ in data.get(CONF_LLM_HASS_API, []) if id_ in there]
        return {**data, CONF_LLM_HASS_API: tools}

    def _kept(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values to store, for those of the form."""
        return values

    def _made(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """Return the data of a new use, and additional placeholders of its last page."""
        return self._data, {}

    def _wrong(self) -> str | None:
        """Return the key of the values' error, if there is one."""
        return None

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for another model or other options."""
        self._data = dict(self._get_reconfigure_subentry().data)
        return await self.async_step_user(user_input)

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask for a model and its options; the provider's step handles the input."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        if user_input is None:
            try:
                await self._async_load()
            except ModelError as err:
                LOGGER.debug("No list of models: %s", err.detail)
                return self.async_abort(reason=err.reason)
            return self._form()
        self._take(user_input)
        if wrong := self._wrong():
            return self._form({"base": wrong})
        if self._is_without_tools():
            return await self.async_step_without_tools()
        return await self._async_chosen()

    def _is_without_tools(self) -> bool:
        """Return True if the model was chosen just now, and can't call the assigned tools."""
        model = self._data[CONF_MODEL]
        is_new = self._changed is None or self._changed.data[CONF_MODEL] != model
        has_tools = bool(self._data.get(CONF_LLM_HASS_API))
        return is_new and has_tools and self._calls_tools(model) is False

    async def async_step_without_tools(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Warn that the model can't call tools itself, and ask whether to use it nevertheless."""
        return self.async_show_menu(
            step_id="without_tools",
            menu_options=["other_model", "this_model"],
            description_placeholders={"model": self._called(self._data[CONF_MODEL])},
        )

    async def async_step_other_model(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the form again."""
        return self._form()

    async def async_step_this_model(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Use the model nevertheless."""
        return await self._async_chosen()

    @callback
    def _form(self, errors: Mapping[str, str] | None = None) -> SubentryFlowResult:
        """Show the form, with the values so far."""
        values = self._data or {CONF_MODEL: self._suggested_model(), **self.defaults}
        self._shown_model = values[CONF_MODEL]
        schema = probatio.Schema(
            {
                probatio.Required(CONF_MODEL): select_dropdown(self._models(), custom_value=True),
                probatio.Optional(CONF_NAME): TextSelector(),
                **self._fields(),
                **sections({Group.MODEL: self._options(), **self._groups()}),
            }
        )
        shown = {**self._shown(values), CONF_NAME: self._shown_name()}
        return self.async_show_form(
            step_id=self.step,
            data_schema=self.add_suggested_values_to_schema(schema, nested(shown)),
            errors=dict(errors or {}),
        )

    def _shown_name(self) -> str | None:
        """Return the form's name: the existing one, or the model's."""
        if self._name is None and self._changed:
            return self._changed.title
        return self._name or (self._free_name(self._shown_model) if self._shown_model else None)

    def _take(self, user_input: Mapping[str, Any]) -> None:
        """Take over a form's values."""
        values = flat(user_input)
        values[CONF_MODEL] = values[CONF_MODEL].strip()
        self._name = values.pop(CONF_NAME, "").strip()
        before = self._shown_model
        if before and before != values[CONF_MODEL]:
            named_after = rf"{re.escape(self._called(before))}( \d+)?"
            if re.fullmatch(named_after, self._name):
                # A default name follows the model.
                self._name = ""
        self._data = self._kept(values)

    def _free_name(self, model: str) -> str:
        """Return a model's name, with a number if another use of this kind has it already."""
        taken = {
            subentry.title
            for entry in self.hass.config_entries.async_entries(DOMAIN)
            for subentry in entry.get_subentries_of_type(self._subentry_type)
            if subentry is not self._changed
        }
        name = self._called(model)
        numbered = (f"{name} {number}" for number in count(2))
        return next(free for free in chain([name], numbered) if free not in taken)

    @property
    def _changed(self) -> ConfigSubentry | None:
        """The use that the form changes; None for a new one."""
        return None if self._is_new else self._get_reconfigure_subentry()

    @property
    def _is_new(self) -> bool:
        return self.source == SOURCE_USER

    @callback
    def _finish(self) -> SubentryFlowResult:
        """Store the form's values."""
        title = self._name or self._free_name(self._data[CONF_MODEL])
        if self._is_new:
            data, said = self._made()
            words = {"name": title, "page": _ASSISTANTS, "integration": _INTEGRATION}
            return self.async_create_entry(
                title=title,
                data=data,
                description=said.get("description"),
                description_placeholders=words | said.get("description_placeholders", {}),
            )
        return self.async_update_and_abort(
            self._get_entry(), self._get_reconfigure_subentry(), title=title, data=self._data
        )


def tools_field(hass: HomeAssistant) -> Fields:
    """Return a field for the APIs whose tools a model may use."""
    apis = [SelectOptionDict(value=api.id, label=api.name) for api in llm.async_get_apis(hass)]
    config = SelectSelectorConfig(options=apis, multiple=True)
    return {probatio.Optional(CONF_LLM_HASS_API): SelectSelector(config)}
