"""Base class of the home's entities: one of each class, whichever entry is loaded."""

from collections.abc import Callable

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util.hass_dict import HassKey

from .const import DOMAIN

_ADDERS: HassKey[dict[type[HomeEntity], dict[str, Callable[[], None]]]] = HassKey(
    f"{DOMAIN}_home_entities"
)


class HomeEntity(Entity):
    """An entity of the home; there is one of each subclass."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(self, hass: HomeAssistant) -> None:
        """Take the data of the home."""

    @classmethod
    def offer(
        cls,
        hass: HomeAssistant,
        entry: ConfigEntry,
        async_add_entities: AddConfigEntryEntitiesCallback,
    ) -> None:
        """Add the entity for the first loaded entry, and for the next one when that is unloaded."""
        adders = hass.data.setdefault(_ADDERS, {}).setdefault(cls, {})
        adders[entry.entry_id] = lambda: async_add_entities([cls(hass)])
        if len(adders) == 1:
            adders[entry.entry_id]()

        def unloaded() -> None:
            is_first = next(iter(adders)) == entry.entry_id
            del adders[entry.entry_id]
            if is_first and adders:
                next(iter(adders.values()))()

        entry.async_on_unload(unloaded)
