"""Entities of which a home has one, whichever of the integration's entries is loaded."""

from collections.abc import Callable

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import callback


class SharedEntity:
    """Lets the first entry that is loaded add an entity; when it is unloaded, the next one does."""

    def __init__(self) -> None:
        """Begin without entries."""
        self._adders: dict[str, Callable[[], None]] = {}

    @callback
    def async_offer(self, entry: ConfigEntry, add: Callable[[], None]) -> None:
        """Take an entry that can add the entity, as long as it is loaded."""
        self._adders[entry.entry_id] = add
        if len(self._adders) == 1:
            add()

        @callback
        def unloaded() -> None:
            is_first = next(iter(self._adders)) == entry.entry_id
            del self._adders[entry.entry_id]
            if is_first and self._adders:
                next(iter(self._adders.values()))()

        entry.async_on_unload(unloaded)
