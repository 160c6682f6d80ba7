"""Clients that were made known by hand to where one logs in to an MCP server."""

from homeassistant.components.application_credentials import (
    AuthImplementation,
    AuthorizationServer,
    ClientCredential,
)
from homeassistant.core import HomeAssistant


async def async_get_auth_implementation(
    hass: HomeAssistant, auth_domain: str, credential: ClientCredential
) -> AuthImplementation:
    """Return a client; where it logs in is up to the server that it is used for."""
    nowhere = AuthorizationServer(authorize_url="", token_url="")
    return AuthImplementation(hass, auth_domain, credential, nowhere)
