"""Discovery of a server's login, and registration of Home Assistant as its client.

A server that refuses a request names its authorization server (RFC 9728), whose metadata describe
the login (RFC 8414) and how Home Assistant registers, if the user has not done so by hand: by a
document about it (OAuth Client ID Metadata Document), or dynamically (RFC 7591).
https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization

This module needs the SDK, so it is loaded when a server has refused a request.
"""

import asyncio
from http import HTTPStatus
from ipaddress import ip_address
import socket
from typing import Any

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.util.hass_dict import HassKey
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

from ..const import DOMAIN
from ..logs import logger_of
from .errors import McpInvalidAnswer, McpRejected, McpUnreachable
from .login import BASIC, LoginServer, auth_method, challenge_parameter, login_data

_LOGGER = logger_of(__name__)

# Bytes of a document; actual ones have some hundred.
_LONGEST = 256 * 1024
# No redirects and no compression: a few packed bytes can hold gigabytes.
_AS_IT_IS: dict[str, Any] = {
    "headers": {"Accept": "application/json", "Accept-Encoding": "identity"},
    "timeout": aiohttp.ClientTimeout(total=10),
    "allow_redirects": False,
    "auto_decompress": False,
}
_GRANTS = ["authorization_code", "refresh_token"]
CLIENT_DOCUMENT = "https://voice-gateway.github.io/voice-gateway/client-metadata.json"
"""The URL at which `pages/client-metadata.json` of our repository is published."""
_ABOUT_US: HassKey[OAuthClientInformationFull] = HassKey(f"{DOMAIN}_about_us")


async def async_find_login(hass: HomeAssistant, url: str, challenge: str) -> LoginServer | None:
    """Return the login of a server that refused with a `WWW-Authenticate`; None without one."""
    resource = await _async_resource(hass, url, challenge)
    issuer = str(resource.authorization_servers[0]) if resource else None
    if not await _async_may_lead(URL(url), URL(issuer or url).origin()):
        _LOGGER.warning("%s has people log in at %s, which is not safe", URL(url).host, issuer)
        return None
    for address in login_urls(issuer, url):
        found = await _async_read(hass, address, OAuthMetadata)
        if found is None or (issuer and not issuers_match(str(found.issuer), issuer)):
            _LOGGER.debug("%s does not speak for %s: %s", address, issuer, found)
            continue
        if elsewhere := _elsewhere(found, URL(issuer or url)):
            _LOGGER.warning("The login at %s leads to %s", URL(issuer or url).host, elsewhere)
            continue
        registration = found.registration_endpoint
        return LoginServer(
            issuer=str(found.issuer),
            names_issuer=bool(found.authorization_response_iss_parameter_supported),
            authorize_url=str(found.authorization_endpoint),
            token_url=str(found.token_endpoint),
            registration_url=str(registration) if registration else None,
            # Another Home Assistant, where registration is impossible and unnecessary.
            takes_addresses="home-assistant.io" in str(found.service_documentation),
            takes_documents=found.client_id_metadata_document_supported is True,
            auth_methods=found.token_endpoint_auth_methods_supported or [BASIC],
            resource=str(resource.resource) if resource else resource_url_from_server_url(url),
            scope=get_client_metadata_scopes(
                challenge_parameter(challenge, "scope"), resource, found, _GRANTS
            ),
        )
    return None


async def _async_may_lead(server: URL, login: URL) -> bool:
    """Return False for a login in this network of a server outside, and for an unencrypted one."""
    if login.scheme == "http" or (login != server.origin() and await _async_is_local(login)):
        return await _async_is_local(server) and await _async_is_local(login)
    return True


async def _async_is_local(url: URL) -> bool:
    """Return True if all addresses of a host are in this network, or on this computer."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(str(url.host), url.port, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return not any(ip_address(str(address[4][0]).partition("%")[0]).is_global for address in found)


def _elsewhere(found: OAuthMetadata, issuer: URL) -> str | None:
    """Return the host of an address that is not its issuer's; None if all are."""
    addresses = (found.authorization_endpoint, found.token_endpoint, found.registration_endpoint)
    hosts = (URL(str(address)).origin() for address in addresses if address)
    return next((str(host) for host in hosts if host != issuer.origin()), None)


async def _async_resource(
    hass: HomeAssistant, url: str, challenge: str
) -> ProtectedResourceMetadata | None:
    """Return the metadata of a server's protection; None if there are none about this server."""
    for address in resource_urls(challenge_parameter(challenge, "resource_metadata"), url):
        is_ours = _is_of(address, url)
        found = await _async_read(hass, address, ProtectedResourceMetadata) if is_ours else None
        if found and check_resource_allowed(resource_url_from_server_url(url), str(found.resource)):
            return found
        _LOGGER.debug("%s does not tell about %s: %s", address, url, found)
    return None


def _is_of(address: str, server: str) -> bool:
    try:
        return URL(address).origin() == URL(server).origin()
    except ValueError:
        return False


async def _async_read[Model: BaseModel](
    hass: HomeAssistant, address: str, model: type[Model]
) -> Model | None:
    """Return a document; None if it is missing or unreadable."""
    try:
        async with async_get_clientsession(hass).get(address, **_AS_IT_IS) as response:
            if response.status == HTTPStatus.OK:
                return model.model_validate_json(await _async_body(response))
            _LOGGER.debug("%s: HTTP %d", address, response.status)
    except (aiohttp.ClientError, TimeoutError, ValidationError) as err:
        _LOGGER.debug("%s: %s", address, err)
    return None


async def _async_body(response: aiohttp.ClientResponse) -> bytes:
    """Return a response's body; raises `ClientPayloadError` if it is too long for a document."""
    body = b""
    async for part in response.content.iter_any():
        body += part
        if len(body) > _LONGEST:
            raise aiohttp.ClientPayloadError(f"More than {_LONGEST} bytes")
    return body


async def async_by_document(
    hass: HomeAssistant, login: LoginServer, redirect_uri: str
) -> dict[str, Any] | None:
    """Return an entry's data of a login with our document as the client; None if impossible."""
    if not login.takes_documents:
        return None
    about = hass.data.get(_ABOUT_US)
    if about is None:
        about = await _async_read(hass, CLIENT_DOCUMENT, OAuthClientInformationFull)
        if about is None or about.client_id != CLIENT_DOCUMENT:
            return None
        hass.data[_ABOUT_US] = about
    if redirect_uri not in map(str, about.redirect_uris or ()):
        return None
    return login_data(login, CLIENT_DOCUMENT, method="none")


async def async_register(
    hass: HomeAssistant, login: LoginServer, redirect_uri: str
) -> dict[str, Any]:
    """Register Home Assistant at an authorization server; returns an entry's data of the client.

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
            login.registration_url, json=about, **_AS_IT_IS
        ) as response:
            body = await _async_body(response)
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
