"""Logging in to a server with OAuth, as the protocol has it.

A server that refuses a request says where one logs in (RFC 9728), that place says how (RFC 8414),
and lets Home Assistant make itself known (RFC 7591) where nobody has done so by hand.
https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
import logging
import re
from typing import Any, Literal, Self, override

import aiohttp
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_ACCESS_TOKEN
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.config_entry_oauth2_flow import (
    LocalOAuth2ImplementationWithPkce,
    OAuth2Session,
)
from mcp.client.auth.utils import (
    build_oauth_authorization_server_metadata_discovery_urls as login_urls,
    build_protected_resource_metadata_discovery_urls as resource_urls,
    get_client_metadata_scopes,
    issuers_match,
)
from mcp.shared.auth import (
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    ProtectedResourceMetadata,
)
from mcp.shared.auth_utils import check_resource_allowed, resource_url_from_server_url
from pydantic import AnyUrl, BaseModel, ValidationError
from yarl import URL

from ..const import CONF_LOGIN, DOMAIN
from .errors import McpInvalidAnswer, McpRejected, McpUnreachable

_LOGGER = logging.getLogger(__name__)

type AuthMethod = Literal["none", "client_secret_post", "client_secret_basic"]
# What a server that does not say means (RFC 8414, section 2).
_BASIC: Literal["client_secret_basic"] = "client_secret_basic"
_TIMEOUT = aiohttp.ClientTimeout(total=10)
_GRANTS = ["authorization_code", "refresh_token"]
# Seconds until a token is renewed that came without an expiry; one that can't be renewed is used
# until it is refused.
_RENEWED = 3600
_UNTIL_REFUSED = 10 * 365 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginServer:
    """Where one logs in to a server."""

    authorize_url: str
    token_url: str
    # Where clients make themselves known; None where somebody has to do it by hand.
    registration_url: str | None
    # Whether a client may just be called by its address, as Home Assistant has it (IndieAuth).
    takes_addresses: bool
    # How clients may prove to be who they are, in the server's words (RFC 7591, section 2).
    auth_methods: Sequence[str]
    # What the login is for (RFC 8707), and which rights are wanted.
    resource: str
    scope: str | None


async def async_find_login(hass: HomeAssistant, url: str, challenge: str) -> LoginServer | None:
    """Return where one logs in to the server at `url`; None where it offers no such thing.

    `challenge` is the `WWW-Authenticate` header of its refusal.
    """
    resource = await _async_resource(hass, url, challenge)
    issuer = str(resource.authorization_servers[0]) if resource else None
    for address in login_urls(issuer, url):
        found = await _async_read(hass, address, OAuthMetadata)
        if found is None:
            continue
        if issuer and not issuers_match(str(found.issuer), issuer):
            _LOGGER.debug("%s speaks for %s instead of %s", address, found.issuer, issuer)
            continue
        registration = found.registration_endpoint
        return LoginServer(
            authorize_url=str(found.authorization_endpoint),
            token_url=str(found.token_endpoint),
            registration_url=str(registration) if registration else None,
            takes_addresses=_is_home_assistant(found),
            auth_methods=found.token_endpoint_auth_methods_supported or [_BASIC],
            resource=str(resource.resource) if resource else resource_url_from_server_url(url),
            scope=get_client_metadata_scopes(
                _parameter(challenge, "scope"), resource, found, _GRANTS
            ),
        )
    return None


def _is_home_assistant(server: OAuthMetadata) -> bool:
    """Tell whether it is another Home Assistant, where nobody can register and nobody need to."""
    return "home-assistant.io" in str(server.service_documentation)


async def _async_resource(
    hass: HomeAssistant, url: str, challenge: str
) -> ProtectedResourceMetadata | None:
    """Return what a server says of its protection; None where it says nothing that is about it."""
    for address in resource_urls(_parameter(challenge, "resource_metadata"), url):
        found = await _async_read(hass, address, ProtectedResourceMetadata)
        if found is None:
            continue
        if check_resource_allowed(resource_url_from_server_url(url), str(found.resource)):
            return found
        _LOGGER.debug("%s is about %s instead of %s", address, found.resource, url)
    return None


def _parameter(challenge: str, name: str) -> str | None:
    """Return a parameter of a challenge (RFC 9110, section 11.2)."""
    found = re.search(rf'\b{name}=(?:"([^"]+)"|([^\s,]+))', challenge)
    return found and (found[1] or found[2])


async def _async_read[Model: BaseModel](
    hass: HomeAssistant, address: str, model: type[Model]
) -> Model | None:
    """Return a document; None where there is none that can be read."""
    try:
        async with async_get_clientsession(hass).get(
            address, headers={"Accept": "application/json"}, timeout=_TIMEOUT
        ) as response:
            if response.status == HTTPStatus.OK:
                return model.model_validate_json(await response.read())
            _LOGGER.debug("%s: HTTP %d", address, response.status)
    except (aiohttp.ClientError, TimeoutError, ValidationError) as err:
        _LOGGER.debug("%s: %s", address, err)
    return None


async def async_register(
    hass: HomeAssistant, login: LoginServer, redirect_uri: str
) -> dict[str, Any]:
    """Make Home Assistant known to where one logs in; returns what is kept of it in an entry.

    Raises `McpRejected` with its words when it refuses, and `McpUnreachable`, `McpInvalidAnswer`.
    """
    assert login.registration_url
    method = _auth_method(login, without_secret=True)
    about = OAuthClientMetadata(
        client_name="Home Assistant",
        redirect_uris=[AnyUrl(redirect_uri)],
        grant_types=[*_GRANTS],
        token_endpoint_auth_method=method,
        application_type="web" if redirect_uri.startswith("https:") else "native",
        scope=login.scope,
    ).model_dump(mode="json", exclude_none=True)
    try:
        async with async_get_clientsession(hass).post(
            login.registration_url, json=about, timeout=_TIMEOUT
        ) as response:
            body = await response.read()
    except (aiohttp.ClientError, TimeoutError) as err:
        raise McpUnreachable(f"no connection to {URL(login.registration_url).host}") from err
    if not response.ok:
        words = body[:300].decode(errors="replace")
        raise McpRejected(f"HTTP {response.status}: {words}", code=response.status)
    try:
        client = OAuthClientInformationFull.model_validate_json(body)
    except ValidationError as err:
        raise McpInvalidAnswer("the registration's answer can't be read") from err
    return _login_data(
        login,
        client.client_id,
        client.client_secret or "",
        client.token_endpoint_auth_method or method,
    )


def login_with(login: LoginServer, client_id: str, client_secret: str = "") -> dict[str, Any]:
    """Return what is kept in an entry of a login by a client that needs no registration."""
    method = _auth_method(login, without_secret=not client_secret)
    return _login_data(login, client_id, client_secret, method)


def _auth_method(login: LoginServer, *, without_secret: bool) -> AuthMethod:
    """Return the simplest way that a server lets a client prove to be who it is."""
    if without_secret and "none" in login.auth_methods:
        return "none"
    return "client_secret_post" if "client_secret_post" in login.auth_methods else _BASIC


def _login_data(
    login: LoginServer, client_id: str, client_secret: str, auth_method: str
) -> dict[str, Any]:
    return {
        "authorize_url": login.authorize_url,
        "token_url": login.token_url,
        "resource": login.resource,
        "scope": login.scope,
        "client_id": client_id,
        "client_secret": "" if auth_method == "none" else client_secret,
        "auth_method": auth_method,
    }


class Login(LocalOAuth2ImplementationWithPkce):
    """Logs in to one server, in Home Assistant's way."""

    def __init__(self, hass: HomeAssistant, data: Mapping[str, Any], domain: str = DOMAIN) -> None:
        """Take what was kept of a login; `domain` is the application credential's."""
        super().__init__(
            hass,
            domain,
            data["client_id"],
            data["authorize_url"],
            data["token_url"],
            data["client_secret"],
        )
        self.data = dict(data)
        if data["auth_method"] == _BASIC:
            self.token_auth_method = _BASIC

    @property
    @override
    def extra_authorize_data(self) -> dict[str, Any]:
        """Return what is asked for."""
        extra = super().extra_authorize_data | {"resource": self.data["resource"]}
        return extra | ({"scope": scope} if (scope := self.data["scope"]) else {})

    @override
    async def _token_request(self, data: dict[str, Any]) -> dict[str, Any]:
        token: dict[str, Any] = await super()._token_request(
            data | {"resource": self.data["resource"]}
        )
        # Home Assistant insists on an expiry; servers may leave it out (RFC 6749, section 5.1).
        renewable = "refresh_token" in token or "refresh_token" in data
        return {"expires_in": _RENEWED if renewable else _UNTIL_REFUSED} | token

    @override
    async def _async_refresh_token(self, token: dict[str, Any]) -> dict[str, Any]:
        if "refresh_token" not in token:
            raise ConfigEntryAuthFailed("the login has expired")
        return await super()._async_refresh_token(token)


@dataclass(frozen=True, slots=True)
class AccessToken:
    """Returns an entry's access token, renewed where it has expired; the same for the same login."""

    login: Mapping[str, Any]
    _session: OAuth2Session = field(compare=False)

    @classmethod
    def of(cls, hass: HomeAssistant, entry: ConfigEntry[Any]) -> Self:
        """Return what gives the token of an entry that was logged in."""
        login = entry.data[CONF_LOGIN]
        return cls(login, OAuth2Session(hass, entry, Login(hass, login)))

    async def __call__(self) -> str:
        """Return the token; raises what Home Assistant raises when it can't be renewed."""
        await self._session.async_ensure_token_valid()
        return str(self._session.token[CONF_ACCESS_TOKEN])
