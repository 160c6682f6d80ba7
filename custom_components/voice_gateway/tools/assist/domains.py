"""The domains of the devices that Home Assistant's intents act upon."""

from collections.abc import Collection

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ...home.exposed import Home

# For these domains, the turn-on and turn-off intents call other services than turn_on and turn_off.
_ON_OFF = frozenset(("button", "cover", "input_button", "lock", "valve"))


def handler_of(hass: HomeAssistant, intent_type: str) -> intent.IntentHandler:
    """Return the handler of an intent that exists."""
    return next(each for each in intent.async_get(hass) if each.intent_type == intent_type)


def domains_of(
    hass: HomeAssistant, home: Home, handler: intent.IntentHandler
) -> Collection[str] | None:
    """Return the domains of the devices that an intent acts upon; None if it has none."""
    match handler:
        case intent.DynamicServiceIntentHandler(required_domains=set(domains)) if domains:
            return domains
        case intent.ServiceIntentHandler(service=service):
            return {
                domain
                for domain in home.domains
                if domain in _ON_OFF or hass.services.has_service(domain, service)
            }
        case intent.IntentHandler(platforms=set(domains)) if domains:
            return domains
    return None


def finds_by_domain(hass: HomeAssistant, intent_type: str) -> bool:
    """Return True if an intent looks for its devices only in the domains that its call names."""
    handler = handler_of(hass, intent_type)
    return isinstance(handler, intent.DynamicServiceIntentHandler) and not handler.required_domains


def all_domains(hass: HomeAssistant, home: Home) -> Collection[str]:
    """Return the domains of the devices that any intent acts upon."""
    handlers = intent.async_get(hass)
    return {domain for each in handlers for domain in domains_of(hass, home, each) or ()}
