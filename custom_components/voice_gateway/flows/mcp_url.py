"""The form for an MCP server at an address."""

from collections.abc import Mapping
import logging
from typing import Any, override

from homeassistant.components import http
from homeassistant.config_entries import (
    SOURCE_REAUTH,
    SOURCE_RECONFIGURE,
    ConfigEntryState,
    ConfigFlowResult,
)
from homeassistant.const import CONF_ACCESS_TOKEN, CONF_HEADERS, CONF_TOKEN, CONF_URL
from homeassistant.helpers.config_entry_oauth2_flow import (
    AbstractOAuth2FlowHandler,
    LocalOAuth2Implementation,
    async_get_implementations,
    async_get_redirect_uri,
)
from homeassistant.helpers.selector import SelectOptionDict
import probatio
from yarl import URL

from .. import untrusted_text
from ..const import CONF_KIND, CONF_LOGIN, DOMAIN, LOGGER, EntryKind
from ..header_values import are_sendable, is_sendable
from ..mcp_servers.entry import McpConfigEntry, server_of
from ..mcp_servers.errors import McpError, McpUnauthorized
from ..mcp_servers.login import Login, LoginServer, login_data, with_rights
from ..mcp_servers.secrets import redactor_of
from .fields import PASSWORD, URL_FIELD, Fields, select_list
from .mcp_tools import McpSteps, from_rows, named_values, to_rows
from .server_urls import web_url
from .steps import FormError, step_of
from .stored_secrets import StoredSecrets

CONF_IMPLEMENTATION = "implementation"
NEW_CREDENTIALS = "new"
_KEYS: Fields = {
    probatio.Optional(CONF_ACCESS_TOKEN): PASSWORD,
    probatio.Optional(CONF_HEADERS): named_values("mcp_headers"),
}
URL_FIELDS: Fields = {probatio.Required(CONF_URL): URL_FIELD, **_KEYS}
_FORMS: dict[str, Fields] = {
    "mcp_url": URL_FIELDS,
    "mcp_url_reconfigure": URL_FIELDS,
    "mcp_url_reauth": _KEYS,
    "mcp_login_reauth": {},
}


class McpUrlSteps(McpSteps, AbstractOAuth2FlowHandler):
    """The steps that add an MCP server by its address, or change its connection.

    Entered keys are tried; without any, the user logs in if the server wants that.
    """

    DOMAIN = DOMAIN

    def __init__(self) -> None:
        """Begin with nothing entered."""
        super().__init__()
        # The data to try, and the form in which they were entered, with its values.
        self._wanted: dict[str, Any] = {}
        self._form_step = "mcp_url"
        self._entered: Mapping[str, Any] = {}
        self._login: LoginServer

    @property
    @override
    def logger(self) -> logging.Logger:
        """Return our logger."""
        return LOGGER

    async def _async_step_form(
        self, step_id: str, user_input: dict[str, Any] | None
    ) -> ConfigFlowResult:
        """Show a form; try its input, with known values for fields that it does not have."""
        self._form_step, self._entered = step_id, user_input or {}
        known: Mapping[str, Any] = entry.data if (entry := self._changed) else {}
        if known:
            rows = {**known, CONF_HEADERS: to_rows(known[CONF_HEADERS])}
            stored = StoredSecrets(rows, redactor_of(server_of(known)), CONF_ACCESS_TOKEN)
            if user_input is None:
                self._entered = stored.shown
            else:
                keeps = self.source == SOURCE_RECONFIGURE
                user_input = stored.restored(user_input, keeps=keeps)
        if user_input is None:
            return self._url_form()
        try:
            self._wanted = self._read(user_input, known)
        except FormError as err:
            return self._url_form(err)
        return await self._async_connect()

    async_step_mcp_url = step_of(_async_step_form, "mcp_url")
    async_step_mcp_url_reconfigure = step_of(_async_step_form, "mcp_url_reconfigure")
    async_step_mcp_login_reauth = step_of(_async_step_form, "mcp_login_reauth")

    async def async_step_mcp_url_reauth(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for other keys, or for another login, and try them."""
        is_login = CONF_LOGIN in self._get_reauth_entry().data
        step_id = "mcp_login_reauth" if is_login else "mcp_url_reauth"
        return await self._async_step_form(step_id, user_input)

    def _read(self, user_input: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        """Return an entry's data; raises FormError."""
        if (url := web_url(user_input.get(CONF_URL, known.get(CONF_URL, "")))) is None:
            raise FormError({CONF_URL: "mcp_invalid_url"})
        data = {CONF_KIND: EntryKind.MCP_URL, CONF_URL: str(url)}
        self._async_abort_entries_match(data)
        headers = known.get(CONF_HEADERS, {})
        if CONF_HEADERS in _FORMS[self._form_step]:
            headers = from_rows(user_input.get(CONF_HEADERS, []))
        wrong = {} if are_sendable(headers) else {CONF_HEADERS: "invalid_characters"}
        token = user_input.get(CONF_ACCESS_TOKEN, "").strip()
        if token:
            data[CONF_ACCESS_TOKEN] = token
        if not is_sendable(token):
            wrong[CONF_ACCESS_TOKEN] = "invalid_characters"
        if wrong:
            raise FormError(wrong)
        return {**data, CONF_HEADERS: headers}

    async def _async_connect(self) -> ConfigFlowResult:
        """Try the server; let the user log in if the server requires it."""
        data = self._wanted
        # The token of a login works like an entered one.
        token = data.get(CONF_TOKEN, {}).get(CONF_ACCESS_TOKEN)
        server = server_of({**data, CONF_ACCESS_TOKEN: token} if token else data)
        try:
            await self._async_introduce(str(URL(data[CONF_URL]).host), data, server)
        except FormError as err:
            refused = err.__cause__
            if isinstance(refused, McpUnauthorized) and (
                login := await self._async_find_login(refused)
            ):
                return await self._async_log_in(login)
            return self._url_form(err)
        return await self._async_introduced()

    async def _async_find_login(self, err: McpUnauthorized) -> LoginServer | None:
        """Return the authorization server for the tried server; None if a login is useless."""
        before = self._wanted.get(CONF_LOGIN)
        # A stored token that is refused may be replaced by a login.
        has_token = bool(self._wanted.get(CONF_TOKEN) or self._entered.get(CONF_ACCESS_TOKEN))
        if before is None and (
            has_token or "authorization" in map(str.casefold, self._wanted[CONF_HEADERS])
        ):
            return None
        # The SDK, which it needs, has just been loaded to ask the server.
        from ..mcp_servers.discovery import async_find_login  # noqa: PLC0415

        login = await async_find_login(self.hass, self._wanted[CONF_URL], err.challenge)
        if login and before and login.issuer == before["issuer"]:
            # The login is valid, and the server still refuses it.
            return None
        return login

    async def _async_log_in(self, login: LoginServer) -> ConfigFlowResult:
        """Begin a login: with a client that is registered now, or with a known one."""
        if self.source == SOURCE_REAUTH:
            login = _with_rights(login, self._get_reauth_entry())
        self._login = login
        if login.takes_addresses:
            address = f"{URL(async_get_redirect_uri(self.hass)).origin()}/"
            self.flow_impl = Login(self.hass, login_data(login, address))
            return await self.async_step_auth()
        if data := await self._async_made_known(login):
            self.flow_impl = Login(self.hass, data)
            return await self.async_step_auth()
        return await self.async_step_mcp_credentials()

    async def _async_made_known(self, login: LoginServer) -> dict[str, Any] | None:
        """Register Home Assistant at the authorization server; None if that is impossible."""
        from ..mcp_servers.discovery import async_by_document, async_register  # noqa: PLC0415 - see above

        back = async_get_redirect_uri(self.hass)
        if data := await async_by_document(self.hass, login, back):
            return data
        if not login.registration_url:
            return None
        try:
            return await async_register(self.hass, login, back)
        except McpError as err:
            LOGGER.debug("Not registered: %s", err)
            return None

    async def async_step_mcp_credentials(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which of the application credentials are for this server."""
        clients = {
            name: client
            for name, client in (await async_get_implementations(self.hass, DOMAIN)).items()
            if isinstance(client, LocalOAuth2Implementation)
        }
        if user_input is not None:
            client = clients.get(user_input[CONF_IMPLEMENTATION])
            if client is None:
                return self.async_abort(reason="missing_credentials")
            data = login_data(self._login, client.client_id, client.client_secret)
            self.flow_impl = Login(self.hass, data, client.domain)
            return await self.async_step_auth()
        if not clients:
            # Home Assistant's frontend asks for them then.
            return self.async_abort(reason="missing_credentials")
        options = [
            SelectOptionDict(value=name, label=client.name) for name, client in clients.items()
        ]
        options.append(SelectOptionDict(value=NEW_CREDENTIALS, label=NEW_CREDENTIALS))
        selector = select_list(options, translation_key="mcp_credentials")
        return self._form(
            "mcp_credentials",
            {probatio.Required(CONF_IMPLEMENTATION): selector},
            placeholders={"host": str(URL(self._login.authorize_url).host)},
        )

    @override
    async def async_step_auth(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Let the user log in, and accept a code only from the issuer."""
        assert isinstance(self.flow_impl, Login)
        if user_input is not None:
            self._redactor.add([self.flow_impl.client_secret, user_input.get("code", "")])
            request = http.current_request.get()
            if request is not None and not self.flow_impl.is_from_issuer(request.query):
                user_input = {"error": f"iss: {untrusted_text.name(request.query.get('iss', '-'))}"}
        return await super().async_step_auth(user_input)

    @override
    async def async_oauth_create_entry(self, data: dict[str, Any]) -> ConfigFlowResult:
        """Try the server with the new login."""
        assert isinstance(self.flow_impl, Login)
        self._wanted.pop(CONF_ACCESS_TOKEN, None)
        self._wanted |= data | {CONF_LOGIN: self.flow_impl.data}
        return await self._async_connect()

    def _url_form(self, wrong: FormError | None = None) -> ConfigFlowResult:
        return self._form(self._form_step, _FORMS[self._form_step], self._entered, wrong)


def _with_rights(login: LoginServer, entry: McpConfigEntry) -> LoginServer:
    """Return a login with the rights that were requested before, or were lacking."""
    if CONF_LOGIN not in entry.data:
        return login
    challenge = entry.runtime_data.challenge if entry.state is ConfigEntryState.LOADED else ""
    return with_rights(login, entry.data[CONF_LOGIN], challenge)
