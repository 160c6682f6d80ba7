"""Aliases of Home Assistant's tools that models use.

A model knows Home Assistant's services, and intents that are no tools, and calls them: HassUnlock,
HassOpenCover, HassMediaPlay, HassAddToShoppingList, light.turn_on. Home Assistant's handlers say
which intent calls such a service. A name matches a tool by its words, in any order: it must contain
those of the service (or of the intent), and no others but those of its devices.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
import re

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er, intent

from ...home.exposed import Home
from .domains import domains_of, handler_of

# The services of these intents, which depend on the device: `OnOffIntentHandler`,
# `SetPositionIntentHandler` and `StopMovingIntentHandler` of components/intent.
_TURNS: Mapping[str, str] = {
    intent.INTENT_TURN_ON: "turn_on",
    intent.INTENT_TURN_OFF: "turn_off",
}
_SERVICES: Mapping[tuple[str, str], str] = {
    (intent.INTENT_TURN_ON, "button"): "press",
    (intent.INTENT_TURN_ON, "cover"): "open_cover",
    (intent.INTENT_TURN_ON, "input_button"): "press",
    (intent.INTENT_TURN_ON, "lock"): "lock",
    (intent.INTENT_TURN_ON, "valve"): "open_valve",
    (intent.INTENT_TURN_OFF, "cover"): "close_cover",
    (intent.INTENT_TURN_OFF, "lock"): "unlock",
    (intent.INTENT_TURN_OFF, "valve"): "close_valve",
    (intent.INTENT_SET_POSITION, "cover"): "set_cover_position",
    (intent.INTENT_SET_POSITION, "valve"): "set_valve_position",
    (intent.INTENT_STOP_MOVING, "cover"): "stop_cover",
    (intent.INTENT_STOP_MOVING, "valve"): "stop_valve",
}
# Other words for a device in a service's name: only doors are locked.
_ALSO: Mapping[str, Collection[str]] = {"lock": ("door",)}
_LISTS = "todo"
_SHOPPING = "shopping_list"
# HassLock, hass_lock; lock.unlock, as services are named.
_NAME = re.compile(r"hass[._]?(?=\w)|(?=[a-z_]+\.[a-z_]+$)", re.IGNORECASE)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True, slots=True)
class OtherName:
    """The words of a tool's alias, and the arguments that it implies."""

    needed: frozenset[str]
    allowed: frozenset[str]
    alone: bool = False
    """One of the words is enough: "unlock"."""
    domain: str = ""
    """The domain of the only devices that the alias allows."""
    arguments: tuple[tuple[str, str], ...] = ()
    """The arguments that the alias implies."""

    def is_meant(self, words: frozenset[str]) -> bool:
        """Return True if these words match the alias."""
        return self.needed <= words <= self.allowed and (self.alone or len(words) > 1)


def words_of(name: str) -> frozenset[str]:
    """Return the words of a possible alias; none if it can't be one."""
    begin = _NAME.match(name)
    rest = name[begin.end() :] if begin else ""
    return frozenset(word.casefold() for word in _WORD.findall(rest))


def other_names(hass: HomeAssistant, home: Home, intent_type: str) -> tuple[OtherName, ...]:
    """Return the aliases of an intent's tool in a home."""
    own = words_of(intent_type)
    handler = handler_of(hass, intent_type)
    domains = domains_of(hass, home, handler) or ()
    if _LISTS in domains:
        return tuple(_of_lists(hass, home, own))
    return tuple(each for domain in domains for each in _of_devices(handler, own, domain))


def _of_devices(
    handler: intent.IntentHandler, own: frozenset[str], domain: str
) -> Iterator[OtherName]:
    """Yield the aliases from an intent, or its service, with or without words for its devices."""
    nouns = frozenset((*domain.split("_"), *_ALSO.get(domain, ())))
    service = _SERVICES.get((handler.intent_type, domain)) or _service(handler)
    for name in filter(None, {own, frozenset(filter(None, service.split("_")))}):
        yield OtherName(
            needed=name - nouns or name,
            allowed=name | nouns,
            alone=handler.intent_type in _TURNS,
            domain=domain,
        )


def _service(handler: intent.IntentHandler) -> str:
    """Return the service that an intent calls for any device."""
    if service := _TURNS.get(handler.intent_type):
        return service
    match handler:
        case intent.ServiceIntentHandler(service=service) if service not in _TURNS.values():
            return service
    return ""


def _of_lists(hass: HomeAssistant, home: Home, own: frozenset[str]) -> Iterator[OtherName]:
    """Yield aliases of a tool that adds to lists, with those for the shopping list."""
    verb = own - {"list", "item"}
    allowed = own | {"to", "from", "on", "todo"}
    yield OtherName(needed=verb | {"list"}, allowed=allowed)
    match _shopping_lists(hass, home):
        case [only]:
            yield OtherName(
                needed=verb | {"list", "shopping"},
                allowed=allowed | {"shopping"},
                arguments=(("name", only),),
            )


def _shopping_lists(hass: HomeAssistant, home: Home) -> list[str]:
    """Return the names of the shopping lists: Home Assistant's own, or those with such a name."""
    registry = er.async_get(hass)
    called = home.called("shopping list")
    return [
        each.names[0]
        for each in home.entities
        if each.domain == _LISTS
        and (
            each in called
            or ((entry := registry.async_get(each.entity_id)) and entry.platform == _SHOPPING)
        )
    ]
