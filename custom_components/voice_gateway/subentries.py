"""Set up and update each agent and AI task of a model server's entry independently."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.dispatcher import async_dispatcher_connect, async_dispatcher_send
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util.signal_type import SignalType

from .const import DOMAIN

type Make = Callable[[HomeAssistant, ConfigEntry[Any], ConfigSubentry], Iterable[Entity]]
"""Returns a platform's entities for an agent or an AI task."""
type SetUp = Callable[
    [HomeAssistant, ConfigEntry[Any], AddConfigEntryEntitiesCallback], Awaitable[None]
]


class SubentryChanges:
    """Detects changes of an entry since the last check."""

    def __init__(self, entry: ConfigEntry[Any]) -> None:
        """Remember the entry's current state."""
        self._look(entry)

    def _look(self, entry: ConfigEntry[Any]) -> None:
        self._itself = (dict(entry.data), dict(entry.options), entry.title)
        # Home Assistant modifies the subentry object, and replaces its data.
        self._uses = {id_: (each.title, each.data) for id_, each in entry.subentries.items()}

    @callback
    def async_tell(self, hass: HomeAssistant, entry: ConfigEntry[Any]) -> bool:
        """Notify the platforms of changed subentries; return True if nothing else changed."""
        itself, uses = self._itself, self._uses
        self._look(entry)
        if self._itself != itself:
            return False
        changed = {
            subentry_id
            for subentry_id in uses.keys() | self._uses.keys()
            if uses.get(subentry_id) != self._uses.get(subentry_id)
        }
        async_dispatcher_send(hass, _uses_changed(entry), changed)
        return True


def setup_of(kind: str, make: Make) -> SetUp:
    """Return the `async_setup_entry` of a platform with entities for each subentry of a kind."""

    async def async_setup_entry(
        hass: HomeAssistant,
        entry: ConfigEntry[Any],
        async_add_entities: AddConfigEntryEntitiesCallback,
    ) -> None:
        async_follow(hass, entry, kind, async_add_entities, make)

    return async_setup_entry


@callback
def async_follow(
    hass: HomeAssistant,
    entry: ConfigEntry[Any],
    kind: str,
    async_add_entities: AddConfigEntryEntitiesCallback,
    make: Make,
) -> None:
    """Add a platform's entities for each subentry of a kind, now and when one is added or changed.

    The entities of unchanged subentries stay.
    """
    there: dict[str, list[Entity]] = {}
    lock = asyncio.Lock()

    def add(subentry: ConfigSubentry) -> None:
        entities = there[subentry.subentry_id] = list(make(hass, entry, subentry))
        async_add_entities(entities, config_subentry_id=subentry.subentry_id)

    async def follow(changed: set[str]) -> None:
        async with lock:
            for subentry_id in changed:
                for entity in there.pop(subentry_id, ()):
                    # A disabled entity was never added.
                    if entity.hass:
                        await entity.async_remove()
                subentry = entry.subentries.get(subentry_id)
                if subentry and subentry.subentry_type == kind:
                    add(subentry)

    entry.async_on_unload(async_dispatcher_connect(hass, _uses_changed(entry), follow))
    for subentry in entry.get_subentries_of_type(kind):
        add(subentry)


def _uses_changed(entry: ConfigEntry[Any]) -> SignalType[set[str]]:
    """Return the signal to an entry's platforms, sent with the ids of the changed subentries."""
    return SignalType(f"{DOMAIN}_uses_changed_{entry.entry_id}")
