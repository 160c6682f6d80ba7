"""Who may use the tools of MCP servers."""

from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import Unauthorized, UnknownUser


async def async_is_admin(hass: HomeAssistant, context: Context | None) -> bool:
    """Return True if an administrator wants something, or no user at all: an automation.

    Raises `Unauthorized` for a user who may not control everything: a server has no entities by
    which Home Assistant could decide, and may do anything.
    """
    if context is None or context.user_id is None:
        return True
    if (user := await hass.auth.async_get_user(context.user_id)) is None:
        raise UnknownUser(context=context)
    if not user.permissions.access_all_entities(POLICY_CONTROL):
        raise Unauthorized(context=context, permission=POLICY_CONTROL)
    return user.is_admin
