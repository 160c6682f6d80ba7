"""The common parts of entries' forms."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigFlow, ConfigFlowResult
import probatio

from .fields import Fields


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


class Steps(ConfigFlow):
    """Steps with forms that are shown again with their input."""

    @property
    def _changed(self) -> ConfigEntry[Any] | None:
        """The entry to reconfigure or to reauthenticate; None for a new one."""
        if entry_id := self.context.get("entry_id"):
            return self.hass.config_entries.async_get_known_entry(entry_id)
        return None

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
