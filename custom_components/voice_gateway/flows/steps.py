"""The common parts of entries' forms."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from homeassistant.config_entries import (
    ConfigEntry,
    ConfigEntryBaseFlow,
    ConfigFlow,
    ConfigFlowResult,
)
import probatio

from .fields import Fields

type FlowStep = Callable[..., Awaitable[ConfigFlowResult]]


def step_of(ask: FlowStep, *about: Any) -> FlowStep:
    """Return the step that asks with a method of its flow; `about` comes before the input."""

    async def step(self: Forms, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        return await ask(self, *about, user_input)

    return step


class FormError(Exception):
    """The input is invalid.

    - `errors` are the keys of the errors' texts, by field; "base" is the whole form.
    - `placeholders` fill in these texts, and the form's.
    """

    def __init__(
        self, errors: Mapping[str, str], placeholders: Mapping[str, str] | None = None
    ) -> None:
        """Take the form's errors and placeholders."""
        super().__init__(", ".join(errors.values()))
        self.errors = dict(errors)
        self.placeholders = placeholders or {}


class Forms(ConfigEntryBaseFlow):
    """Forms that are shown again with their input."""

    async def _ask(
        self,
        step_id: str,
        fields: Fields,
        values: Mapping[str, Any] | None,
        answer: Awaitable[ConfigFlowResult] | None,
        placeholders: Mapping[str, str] | None = None,
    ) -> ConfigFlowResult:
        """Return what its input leads to; without any, or if it is invalid, show a form."""
        wrong = None
        if answer is not None:
            try:
                return await answer
            except FormError as err:
                wrong = err
        return self._form(step_id, fields, values, wrong, placeholders)

    def _form(
        self,
        step_id: str,
        fields: Fields,
        values: Mapping[str, Any] | None = None,
        wrong: FormError | None = None,
        placeholders: Mapping[str, str] | None = None,
    ) -> ConfigFlowResult:
        """Show a form with these values and errors."""
        # Forms for MCP servers have a placeholder for the reason of a failure.
        filled = placeholders or {"reason": "", "stderr": ""}
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(probatio.Schema(fields), values),
            errors=wrong.errors if wrong else {},
            description_placeholders={**filled, **(wrong.placeholders if wrong else {})},
        )


class Steps(Forms, ConfigFlow):
    """Steps that add an entry, or change one."""

    @property
    def _changed(self) -> ConfigEntry[Any] | None:
        """The entry to reconfigure or to reauthenticate; None for a new one."""
        if entry_id := self.context.get("entry_id"):
            return self.hass.config_entries.async_get_known_entry(entry_id)
        return None
