"""Queue requests to a server with a limited number of slots, and assign the slots.

A slot of llama.cpp caches its last prompt. An agent that always gets the same slot finds its
instructions, home and tools in the cache; in another slot, processing them again takes seconds.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary


class SlotUser:
    """A repeated user of a server: an agent or an AI task entity."""


class Slots:
    """The slots of a server, numbered from 0.

    - There are never more concurrent requests than slots; others wait, first come, first served.
    - A returning user gets its last slot, unless that is taken: then another one.
    """

    def __init__(self, count: int) -> None:
        """Take the number of slots."""
        self.count = count
        self._places = asyncio.Semaphore(count)
        self._free = set(range(count))
        self._homes: WeakKeyDictionary[SlotUser, int] = WeakKeyDictionary()

    @asynccontextmanager
    async def one(self, who: SlotUser) -> AsyncGenerator[int]:
        """Wait for a slot, and hold it within the context."""
        async with self._places:
            slot = self._choose(who)
            self._free.discard(slot)
            try:
                yield slot
            finally:
                self._free.add(slot)

    def _choose(self, who: SlotUser) -> int:
        taken = list(self._homes.values())
        if who not in self._homes:
            self._homes[who] = min(range(self.count), key=lambda slot: (taken.count(slot), slot))
        if (home := self._homes[who]) in self._free:
            return home
        return min(self._free, key=lambda slot: (taken.count(slot), slot))
