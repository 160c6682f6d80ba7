"""The form for an Ollama server."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigFlowResult
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig, TextSelectorType
import probatio
from yarl import URL

from ..const import CONF_KIND, EntryKind
from ..header_values import is_sendable
from ..models.client import ModelError
from ..models.ollama.server import OllamaServer
from .steps import Steps

DEFAULT_PORT = 11434

_KEY = {
    probatio.Optional(CONF_API_KEY): TextSelector(
        TextSelectorConfig(type=TextSelectorType.PASSWORD)
    )
}
_SERVER = {probatio.Required(CONF_URL): TextSelector(TextSelectorConfig(type=TextSelectorType.URL))}


class OllamaSteps(Steps):
    """The steps that add an Ollama server, or change how it is reached."""

    async def async_step_ollama(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for a server's address, and try it."""
        errors: dict[str, str] = {}
        if user_input is not None:
            data, errors = await self._async_try(user_input.get(CONF_URL, ""), user_input)
            if not errors:
                self._async_abort_entries_match({CONF_URL: data[CONF_URL]})
                return self.async_create_entry(title=_title(data[CONF_URL]), data=data)
        return self._form("ollama", _SERVER | _KEY, user_input, errors)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for another address or key of a server."""
        entry = self._get_reconfigure_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            data, errors = await self._async_try(user_input.get(CONF_URL, ""), user_input)
            if not errors:
                others = (other for other in self._async_current_entries() if other is not entry)
                if any(other.data.get(CONF_URL) == data[CONF_URL] for other in others):
                    return self.async_abort(reason="already_configured")
                title = entry.title
                if title == _title(entry.data[CONF_URL]):
                    title = _title(data[CONF_URL])
                return self.async_update_and_abort(entry, data=data, title=title)
        return self._form("reconfigure", _SERVER | _KEY, user_input or entry.data, errors)

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """Begin to ask for a key: the server refused the one that there is."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a key, and try it."""
        entry = self._get_reauth_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            data, errors = await self._async_try(entry.data[CONF_URL], user_input)
            if not errors:
                return self.async_update_and_abort(entry, data=data)
        return self._form(
            "reauth_confirm", _KEY, user_input, errors, placeholders={"url": entry.data[CONF_URL]}
        )

    async def _async_try(
        self, address: str, user_input: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, str]]:
        """Return an entry's data for an address, or the form's errors."""
        if (url := normalized_url(address)) is None:
            return {}, {CONF_URL: "invalid_url"}
        data: dict[str, Any] = {CONF_KIND: EntryKind.OLLAMA, CONF_URL: url}
        if key := user_input.get(CONF_API_KEY, "").strip():
            data[CONF_API_KEY] = key
        if not is_sendable(key):
            return data, {CONF_API_KEY: "invalid_characters"}
        server = OllamaServer(self.hass, url, key)
        try:
            await server.version()
            # The version is told to anybody; what needs rights is the list of models.
            await server.models()
        except ModelError as err:
            return data, {"base": err.reason}
        return data, {}


def normalized_url(address: str) -> str | None:
    """Return a server's address as scheme, host and port; None where it is no address.

    People give `192.168.1.5`, `nas:11434`, `http://nas:11434/`, or the address of the API.
    """
    address = address.strip()
    try:
        url = URL(address if "://" in address else f"http://{address}")
        if url.scheme not in ("http", "https") or not url.host or " " in url.host:
            return None
        if url.explicit_port is None and "://" not in address:
            url = url.with_port(DEFAULT_PORT)
        path = url.path.removesuffix("/").removesuffix("/api").removesuffix("/v1")
        return str(url.with_path(path).with_query(None).with_fragment(None)).rstrip("/")
    except ValueError:
        return None


def _title(url: str) -> str:
    """Return how the entry is called: the server's host."""
    return f"Ollama ({URL(url).host})"
