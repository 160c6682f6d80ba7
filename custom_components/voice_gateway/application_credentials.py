"""OAuth clients that the user registered by hand with an MCP server's authorization server."""

from homeassistant.components.application_credentials import (
    AuthImplementation,
    AuthorizationServer,
    ClientCredential,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers.config_entry_oauth2_flow import AUTH_CALLBACK_PATH, MY_AUTH_CALLBACK_PATH
from homeassistant.helpers.network import NoURLAvailableError, get_url


async def async_get_auth_implementation(
    hass: HomeAssistant, auth_domain: str, credential: ClientCredential
) -> AuthImplementation:
    """Return a client without endpoints: the MCP server it is used for determines them."""
    nowhere = AuthorizationServer(authorize_url="", token_url="")
    return AuthImplementation(hass, auth_domain, credential, nowhere)


async def async_get_description_placeholders(hass: HomeAssistant) -> dict[str, str]:
    """Return the redirect URI that follows a login."""
    if "my" in hass.config.components:
        return {"redirect_uri": MY_AUTH_CALLBACK_PATH}
    try:
        return {"redirect_uri": f"{get_url(hass)}{AUTH_CALLBACK_PATH}"}
    except NoURLAvailableError:
        return {"redirect_uri": AUTH_CALLBACK_PATH}
