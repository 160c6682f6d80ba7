"""What the steps of entries' forms have in common."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigFlow, ConfigFlowResult
import probatio


class Steps(ConfigFlow):
    """Steps of forms that are shown again with what was entered."""

    def _form(
        self,
        step_id: str,
        fields: dict[Any, Any],
        values: Mapping[str, Any] | None,
        errors: dict[str, str],
        placeholders: dict[str, str] | None = None,
    ) -> ConfigFlowResult:
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(probatio.Schema(fields), values),
            errors=errors,
            description_placeholders=placeholders,
        )
