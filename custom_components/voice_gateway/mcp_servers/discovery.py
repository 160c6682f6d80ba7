"""Where one logs in to a server, and how Home Assistant makes itself known there.

A server that refuses a request says where one logs in (RFC 9728), that place says how (RFC 8414),
and lets Home Assistant make itself known (RFC 7591) where nobody has done so by hand.
https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization

This module needs the SDK, so it is loaded when a server has refused a request.
"""

from http import HTTPStatus
import re
from typing import Any

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
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

from ..logs import logger_of
from .errors import McpInvalidAnswer, McpRejected, McpUnreachable
from .login import BASIC, LoginServer, auth_method, login_data

_LOGGER = logger_of(__name__)

_TIMEOUT = aiohttp.ClientTimeout(total=10)
_GRANTS = ["authorization_code", "refresh_token"]


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
            auth_methods=found.token_endpoint_auth_methods_supported or [BASIC],
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
    method = auth_method(login, without_secret=True)
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
    return login_data(
        login,
        client.client_id,
        client.client_secret or "",
        client.token_endpoint_auth_method or method,
    )
