"""The forms for model servers: an address, a key, or both, which are tried."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import SOURCE_REAUTH, SOURCE_RECONFIGURE, ConfigFlowResult
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.data_entry_flow import AbortFlow
import probatio
from yarl import URL

from ..addresses import secrets_of_address
from ..const import CONF_KIND, LOGGER, EntryKind
from ..header_values import is_sendable
from ..models.anthropic.server import AnthropicServer
from ..models.client import ModelError, Reason
from ..models.ollama.server import OllamaServer
from ..models.openai.server import OpenAIServer
from ..redactor import Redactor
from .fields import PASSWORD, URL_FIELD, Fields
from .server_urls import ollama_url, openai_urls
from .steps import FormError, Steps, step_of
from .stored_secrets import StoredSecrets

_KEYS_PAGE = "https://platform.claude.com/settings/keys"
_KEY: Fields = {probatio.Optional(CONF_API_KEY): PASSWORD}
_SERVER: Fields = {probatio.Required(CONF_URL): URL_FIELD, **_KEY}
_ACCOUNT: Fields = {probatio.Required(CONF_API_KEY): PASSWORD}
# The keys of errors that differ from the reason's name.
_ERRORS: Mapping[EntryKind, Mapping[Reason, str]] = {
    EntryKind.OLLAMA: {},
    EntryKind.OPENAI: {
        Reason.UNREACHABLE: "openai_unreachable",
        Reason.UNAUTHORIZED: "server_unauthorized",
        Reason.NOT_THE_SERVER: "openai_not_the_server",
        Reason.OVERLOADED: "openai_overloaded",
    },
    EntryKind.ANTHROPIC: {
        Reason.UNREACHABLE: "anthropic_unreachable",
        Reason.UNAUTHORIZED: "anthropic_unauthorized",
        Reason.NO_CREDIT: "anthropic_no_credit",
        Reason.OVERLOADED: "anthropic_overloaded",
    },
}
_OTHER_ERROR = {EntryKind.OPENAI: "server_error", EntryKind.ANTHROPIC: "anthropic_error"}

type _Found = tuple[str, dict[str, Any]]
"""A server that answers: its entry's title and data."""


class ProviderSteps(Steps):
    """The steps that add a model server, change its connection, or ask for another key."""

    async def _async_reach(
        self, step_id: str, kind: EntryKind, user_input: dict[str, Any] | None
    ) -> ConfigFlowResult:
        """Show a form; try its input, at the known address if it has no such field.

        A form for another connection keeps the stored key if that field is empty.
        """
        known = entry.data if (entry := self._changed) else {}
        keeps, answer = self.source == SOURCE_RECONFIGURE, None
        secrets = Redactor(secrets_of_address(known.get(CONF_URL, "")))
        stored = StoredSecrets(known, secrets, CONF_API_KEY)
        if user_input is not None:
            entered = stored.restored(user_input, keeps=keeps)
            answer = self._async_store(kind, {CONF_URL: known.get(CONF_URL), **entered})
        fields = _KEY if self.source == SOURCE_REAUTH else _SERVER
        if kind is EntryKind.ANTHROPIC:
            fields = _KEY if keeps else _ACCOUNT
        shown = stored.shown if user_input is None and keeps else user_input
        words = {"url": known.get(CONF_URL, ""), "keys_page": _KEYS_PAGE}
        return await self._ask(step_id, fields, shown, answer, words)

    async_step_ollama = step_of(_async_reach, "ollama", EntryKind.OLLAMA)
    async_step_ollama_reconfigure = step_of(_async_reach, "reconfigure", EntryKind.OLLAMA)
    async_step_reauth_confirm = step_of(_async_reach, "reauth_confirm", EntryKind.OLLAMA)
    async_step_openai = step_of(_async_reach, "openai", EntryKind.OPENAI)
    async_step_openai_reconfigure = step_of(_async_reach, "openai_reconfigure", EntryKind.OPENAI)
    async_step_openai_reauth = step_of(_async_reach, "openai_reauth", EntryKind.OPENAI)
    async_step_anthropic = step_of(_async_reach, "anthropic", EntryKind.ANTHROPIC)
    async_step_anthropic_reconfigure = step_of(
        _async_reach, "anthropic_reconfigure", EntryKind.ANTHROPIC
    )
    async_step_anthropic_reauth = step_of(_async_reach, "anthropic_reauth", EntryKind.ANTHROPIC)

    async def _async_store(self, kind: EntryKind, entered: Mapping[str, Any]) -> ConfigFlowResult:
        """Add the server that was entered, or change it; raises FormError."""
        try:
            title, data = await self._async_find(kind, entered)
        except ModelError as err:
            LOGGER.debug("Tried in vain: %s", err.detail)
            other = _OTHER_ERROR.get(kind, err.reason)
            raise FormError({"base": _ERRORS[kind].get(err.reason, other)}) from err
        if (entry := self._changed) is None:
            return self.async_create_entry(title=title, data=data)
        host = URL(entry.data.get(CONF_URL, "")).host
        # A name that the user gave stays.
        title = title if entry.title.endswith(f"({host})") else entry.title
        return self.async_update_and_abort(entry, data=data, title=title)

    async def _async_find(self, kind: EntryKind, entered: Mapping[str, Any]) -> _Found:
        """Return the server that was entered; raises FormError and ModelError."""
        address, key = entered[CONF_URL] or "", entered.get(CONF_API_KEY, "").strip()
        match kind:
            case EntryKind.OLLAMA:
                return await self._async_find_ollama(address, key)
            case EntryKind.OPENAI:
                return await self._async_find_openai(address, key)
            case _:
                return await self._async_find_account(key)

    async def _async_find_ollama(self, address: str, key: str) -> _Found:
        if (url := ollama_url(address)) is None:
            raise FormError({CONF_URL: "invalid_url"})
        server = OllamaServer(self.hass, url, _sendable(key))
        await server.version()
        # The version needs no key; the list of models does.
        await server.models()
        return self._found(EntryKind.OLLAMA, "Ollama", url, key)

    async def _async_find_openai(self, address: str, key: str) -> _Found:
        if not (urls := openai_urls(address)):
            raise FormError({CONF_URL: "invalid_url"})
        for url in urls:
            try:
                name = await OpenAIServer(self.hass, url, _sendable(key)).tried()
            except ModelError as err:
                if err.reason is not Reason.NOT_THE_SERVER or url == urls[-1]:
                    raise
                LOGGER.debug("Not at the first address: %s", err.detail)
            else:
                break
        return self._found(EntryKind.OPENAI, name, url, key)

    def _found(self, kind: EntryKind, name: str, url: str, key: str) -> _Found:
        """Return a server, if no other entry is for it."""
        self._async_abort_entries_match({CONF_URL: url})
        data = {CONF_KIND: kind, CONF_URL: url, **({CONF_API_KEY: key} if key else {})}
        return f"{name} ({URL(url).host})", data

    async def _async_find_account(self, key: str) -> _Found:
        data = {CONF_KIND: EntryKind.ANTHROPIC, CONF_API_KEY: key}
        try:
            self._async_abort_entries_match(data)
        except AbortFlow:
            raise FormError({CONF_API_KEY: "key_in_use"}) from None
        await AnthropicServer(self.hass, _sendable(key)).models()
        return "Anthropic", data


def _sendable(key: str) -> str:
    """Return a key; raises FormError if it is invalid in a header."""
    if not is_sendable(key):
        raise FormError({CONF_API_KEY: "invalid_characters"})
    return key
