"""The form for an account at Anthropic."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigFlow, ConfigFlowResult
from homeassistant.const import CONF_API_KEY
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig, TextSelectorType
import probatio

from ..const import CONF_KIND, LOGGER, EntryKind
from ..header_values import is_sendable
from ..models.anthropic.server import AnthropicServer
from ..models.client import ModelError, Reason

_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_API_KEY): TextSelector(
            TextSelectorConfig(type=TextSelectorType.PASSWORD)
        )
    }
)
_ERRORS = {
    Reason.UNREACHABLE: "anthropic_unreachable",
    Reason.UNAUTHORIZED: "anthropic_unauthorized",
    Reason.NO_CREDIT: "anthropic_no_credit",
    Reason.OVERLOADED: "anthropic_overloaded",
}
_OTHER_ERROR = "anthropic_error"
_KEYS_PAGE = "https://platform.claude.com/settings/keys"


class AnthropicSteps(ConfigFlow):
    """The steps that add an account at Anthropic, or give it another API key."""

    async def async_step_anthropic(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for an API key, and try it."""
        errors: dict[str, str] = {}
        if user_input is not None:
            data, errors = await self._async_try_key(user_input)
            if not errors:
                return self.async_create_entry(title="Anthropic", data=data)
        return self._key_form("anthropic", errors)

    async def async_step_anthropic_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for another API key."""
        return await self._async_replace_key(
            "anthropic_reconfigure", self._get_reconfigure_entry(), user_input
        )

    async def async_step_anthropic_reauth(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for an API key that is valid: the API refused the one that there is."""
        return await self._async_replace_key(
            "anthropic_reauth", self._get_reauth_entry(), user_input
        )

    async def _async_replace_key(
        self, step_id: str, entry: ConfigEntry[Any], user_input: dict[str, Any] | None
    ) -> ConfigFlowResult:
        errors: dict[str, str] = {}
        if user_input is not None:
            data, errors = await self._async_try_key(user_input, entry)
            if not errors:
                return self.async_update_and_abort(entry, data=data)
        return self._key_form(step_id, errors)

    async def _async_try_key(
        self, user_input: Mapping[str, Any], entry: ConfigEntry[Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, str]]:
        """Return an entry's data for an API key, or the form's errors."""
        key = user_input[CONF_API_KEY].strip()
        data = {CONF_KIND: EntryKind.ANTHROPIC, CONF_API_KEY: key}
        for other in self._async_current_entries(include_ignore=False):
            if other is not entry and data.items() <= other.data.items():
                return data, {CONF_API_KEY: "key_in_use"}
        if not is_sendable(key):
            return data, {CONF_API_KEY: "invalid_characters"}
        try:
            await AnthropicServer(self.hass, key).models()
        except ModelError as err:
            LOGGER.debug("The key was tried in vain: %s", err.detail)
            return data, {"base": _ERRORS.get(err.reason, _OTHER_ERROR)}
        return data, {}

    def _key_form(self, step_id: str, errors: dict[str, str]) -> ConfigFlowResult:
        return self.async_show_form(
            step_id=step_id,
            data_schema=_SCHEMA,
            errors=errors,
            description_placeholders={"keys_page": _KEYS_PAGE},
        )
