"""The form for what uses a model: which one, its options, and what the use itself needs to know."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntry,
    ConfigEntryState,
    ConfigSubentry,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_NAME
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import llm
from homeassistant.helpers.selector import (
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
)
import probatio

from ..const import DOMAIN, LOGGER
from ..models.client import ModelError
from .naming import free_name, is_named_after
from .sections import Fields, Group, Grouped, flat, nested, sections

# The page on which an agent is chosen for an assistant, and ours, on which servers are added.
_ASSISTANTS = "/config/voice-assistants/assistants"
_INTEGRATION = f"/config/integrations/integration/{DOMAIN}"


class Use(ABC):
    """What a use of a model, such as an agent, asks beside the model and its options."""

    defaults: ClassVar[Mapping[str, Any]] = {}
    """What the form of a new one shows, where that is not a field's default."""

    @abstractmethod
    def fields(self, hass: HomeAssistant) -> Fields:
        """Return what is asked first, after the model."""

    def fields_of_new(self, hass: HomeAssistant) -> Fields:
        """Return what is asked of a new one alone, after its name."""
        return {}

    @abstractmethod
    def options(self) -> Grouped:
        """Return the options, which need no change to begin with."""

    @abstractmethod
    def shown(self, hass: HomeAssistant, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that the form shows, for those that are kept."""

    def kept(self, values: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that are kept, for those that the form had, and those kept before."""
        return dict(values)

    def made(
        self, hass: HomeAssistant, entry: ConfigEntry[Any], data: Mapping[str, Any]
    ) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """Return the data of a new one in an entry, and what its last page says beside the usual."""
        return dict(data), {}

    def wrong(
        self, hass: HomeAssistant, values: Mapping[str, Any], subentry: ConfigSubentry | None
    ) -> str | None:
        """Return the key of what is wrong with values, if anything; `subentry` is what they change."""
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
        # The name that was entered, empty where it is to be the model's; and the model that the
        # form showed beside it.
        self._name: str | None = None
        self._shown_model: str | None = None

    @abstractmethod
    async def _async_load(self) -> None:
        """Ask the server for its models; raises ModelError."""

    @abstractmethod
    def _models(self) -> list[SelectOptionDict]:
        """Return the models that can be chosen; others may be typed."""

    @abstractmethod
    def _suggested_model(self) -> str | None:
        """Return the model that a new form shows."""

    def _calls_tools(self, model: str) -> bool | None:
        """Return True if a model can call tools; None where that is not known."""
        return None

    @abstractmethod
    def _called(self, model: str) -> str:
        """Return how people call a model."""

    @abstractmethod
    def _options(self) -> Fields:
        """Return the options that the provider's models have."""

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
        self._take(user_input)
        if wrong := self.use.wrong(self.hass, self._data, self._changed):
            return self._form({"base": wrong})
        if self._is_without_tools():
            return await self.async_step_without_tools()
        return await self._async_chosen()

    def _is_without_tools(self) -> bool:
        """Return True if the model was chosen just now, and can't call the tools that it is given."""
        model = self._data[CONF_MODEL]
        is_new = self._changed is None or self._changed.data[CONF_MODEL] != model
        has_tools = bool(self._data.get(CONF_LLM_HASS_API))
        return is_new and has_tools and self._calls_tools(model) is False

    async def async_step_without_tools(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Say that the model can't call tools itself, and ask whether it is meant nevertheless."""
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
        """Take the model nevertheless."""
        return await self._async_chosen()

    @callback
    def _form(self, errors: Mapping[str, str] | None = None) -> SubentryFlowResult:
        """Show the form, with what is known so far."""
        values = self._data or {CONF_MODEL: self._suggested_model(), **self.use.defaults}
        self._shown_model = values[CONF_MODEL]
        schema = probatio.Schema(
            {
                probatio.Required(CONF_MODEL): SelectSelector(
                    SelectSelectorConfig(
                        options=self._models(), custom_value=True, mode=SelectSelectorMode.DROPDOWN
                    )
                ),
                probatio.Optional(CONF_NAME): TextSelector(),
                **(self.use.fields_of_new(self.hass) if self._is_new else {}),
                **self.use.fields(self.hass),
                **sections({Group.MODEL: self._options()}, self.use.options()),
            }
        )
        shown = {**self.use.shown(self.hass, values), CONF_NAME: self._shown_name()}
        return self.async_show_form(
            step_id=self.step,
            data_schema=self.add_suggested_values_to_schema(schema, nested(shown)),
            errors=dict(errors or {}),
        )

    def _shown_name(self) -> str | None:
        """Return the name that the form shows: the one that there is, or the model's."""
        if self._name is None and self._changed:
            return self._changed.title
        return self._name or (self._free_name(self._shown_model) if self._shown_model else None)

    def _take(self, user_input: Mapping[str, Any]) -> None:
        """Take over a form's values."""
        values = flat(user_input)
        values[CONF_MODEL] = values[CONF_MODEL].strip()
        self._name = name = values.pop(CONF_NAME, "").strip()
        before = self._shown_model
        if before and before != values[CONF_MODEL] and is_named_after(name, self._called(before)):
            # A name that nobody chose follows the model.
            self._name = ""
        self._data = self.use.kept(values, self._data)

    def _free_name(self, model: str) -> str:
        """Return the name of what uses a model, where nobody chooses one."""
        return free_name(self.hass, self._subentry_type, self._called(model), self._changed)

    @property
    def _changed(self) -> ConfigSubentry | None:
        """What the form changes; None for a new one."""
        return None if self._is_new else self._get_reconfigure_subentry()

    @property
    def _is_new(self) -> bool:
        return self.source == SOURCE_USER

    @callback
    def _finish(self) -> SubentryFlowResult:
        """Keep what was said."""
        title = self._name or self._free_name(self._data[CONF_MODEL])
        if self._is_new:
            data, said = self.use.made(self.hass, self._get_entry(), self._data)
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
