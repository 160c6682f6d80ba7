"""What the steps of entries' forms have in common."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigFlow, ConfigFlowResult
import probatio

from .fields import Fields


class FormError(Exception):
    """What was entered can't be used.

    - `errors` are the keys of the errors' texts, by field; "base" is the whole form.
    - `placeholders` fill in these texts, and the form's.
    """

    def __init__(
        self, errors: Mapping[str, str], placeholders: Mapping[str, str] | None = None
    ) -> None:
        """Take what the form shows."""
        super().__init__(", ".join(errors.values()))
        self.errors = dict(errors)
        self.placeholders = placeholders or {}


class Steps(ConfigFlow):
    """Steps of forms that are shown again with what was entered."""

    @property
    def _changed(self) -> ConfigEntry[Any] | None:
        """The entry that is reconfigured, or lacks a key; None where one is added."""
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
        """Show a form with these values, and what is wrong with them."""
        # Forms for MCP servers leave room for why one failed.
        filled = placeholders or {"reason": "", "stderr": ""}
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(probatio.Schema(fields), values),
            errors=wrong.errors if wrong else {},
            description_placeholders={**filled, **(wrong.placeholders if wrong else {})},
        )
