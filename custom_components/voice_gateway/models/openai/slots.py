"""Whose turn it is at a server that answers so many at once, and in which of its slots.

A slot of llama.cpp's keeps what it read last. An agent that always gets its own finds its
instructions, home and tools read; one that gets another's has them read anew, for seconds.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary


class SlotUser:
    """Somebody who asks a server again and again: an agent, or what does AI tasks."""


class Slots:
    """The slots of a server, numbered from 0.

    - No more requests are made at once than there are slots; the others wait, first come, first served.
    - Whoever asks again gets the slot of the last time, unless it is taken: then another one.
    """

    def __init__(self, count: int) -> None:
        """Take how many there are."""
        self.count = count
        self._places = asyncio.Semaphore(count)
        self._free = set(range(count))
        self._homes: WeakKeyDictionary[SlotUser, int] = WeakKeyDictionary()

    @asynccontextmanager
    async def one(self, who: SlotUser) -> AsyncGenerator[int]:
        """Wait for a slot, and keep it meanwhile."""
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
