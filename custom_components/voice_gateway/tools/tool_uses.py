"""The tools in frequent use: they are in the prompt if tools are many."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, Self

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.dispatcher import async_dispatcher_send
from homeassistant.helpers.singleton import singleton
from homeassistant.helpers.storage import Store
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN, LOGGER, SIGNAL_MCP_TOOLS

_VERSION: Final = 1
_HABIT: Final = 2
"""Minimum number of calls of a tool in frequent use: one is not enough."""
_MANY: Final = 64
"""Calls of one tool at which all counts are halved, so that unused tools drop out."""


_SAVED_AFTER: Final = 60
"""Seconds until counts are written: no call waits for the disk."""


class ToolUses:
    """The numbers of calls of tools, kept over restarts.

    Tools change places only when they were called twice as often as before, so that the prompt
    rarely changes.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Begin without counts."""
        self._hass = hass
        self._store: Store[dict[str, int]] = Store(hass, _VERSION, f"{DOMAIN}.tool_uses")
        self.counts: Counter[str] = Counter()
        """By the tools' names."""

    async def async_load(self) -> Self:
        """Load the counts; an unreadable file counts as empty."""
        try:
            stored = await self._store.async_load() or {}
            self.counts.update({str(name): int(count) for name, count in stored.items()})
        except Exception as err:  # noqa: BLE001 - a corrupt file must not break a sentence
            LOGGER.warning("Which tools are used is counted anew: %s", err)
        return self

    @property
    def habits(self) -> Sequence[str]:
        """The names of the tools in frequent use, the most used first."""
        used = [name for name, count in self.counts.items() if count >= _HABIT]
        return sorted(used, key=lambda name: (-self.counts[name].bit_length(), name))

    @callback
    def async_note(self, name: str) -> None:
        """Count a call; the prompt changes if the order does."""
        before = self.habits
        self.counts[name] += 1
        if self.counts[name] >= _MANY:
            halves = {each: count // 2 for each, count in self.counts.items()}
            self.counts = Counter({each: count for each, count in halves.items() if count})
        self._store.async_delay_save(lambda: dict(self.counts), _SAVED_AFTER)
        if self.habits != before:
            async_dispatcher_send(self._hass, SIGNAL_MCP_TOOLS)

    async def async_forget(self) -> None:
        """Delete the file."""
        self.counts.clear()
        await self._store.async_remove()


_KEY: HassKey[ToolUses] = HassKey(f"{DOMAIN}_tool_uses")


@singleton(_KEY, async_=True)
async def async_tool_uses(hass: HomeAssistant) -> ToolUses:
    """Return the counts of this home."""
    return await ToolUses(hass).async_load()
