"""A clock that goes on as it does, and is moved: the wall's, Home Assistant's and the event loop's.

They are one, so that whatever waits for a moment is called when the clock gets there, by the event
loop itself: a timer, a time of day, a timeout.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
import math

from freezegun import api, freeze_time
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component import patch_time  # type: ignore[import-untyped]

# As Home Assistant's own tests do: modules that load what they name only when it is asked for stay
# as they are.
api._get_module_attributes = patch_time.ha_get_module_attributes
api._get_module_attributes_hash = patch_time.ha_get_module_attributes_hash


class Clock:
    """What time it is."""

    def __init__(self, factory: api.TickingDateTimeFactory) -> None:
        """Take what gives the time to everybody."""
        self._factory = factory

    def now(self) -> datetime:
        """Return the time, in UTC."""
        return self._factory().replace(tzinfo=UTC)

    def set(self, moment: datetime) -> None:
        """Let it be another time, earlier or later. Nobody is given the time in between."""
        self._factory.move_to(moment.astimezone(UTC).replace(tzinfo=None))

    async def async_move(self, hass: HomeAssistant, moment: datetime) -> None:
        """Let the time go by until a moment, with all that is due until then done in its time."""
        while (left := (moment - self.now()).total_seconds()) > 0:
            self.set(self.now() + timedelta(seconds=max(0, min(left, _next(hass)))))
            # What is due is called by the loop's next rounds, and may itself start more.
            for _ in range(3):
                await asyncio.sleep(0)
            await hass.async_block_till_done()


def _next(hass: HomeAssistant) -> float:
    """Return the seconds until the event loop has something to do."""
    handles: list[asyncio.TimerHandle] = hass.loop._scheduled  # type: ignore[attr-defined]
    due = (handle.when() for handle in handles if not handle.cancelled())
    return min(due, default=math.inf) - hass.loop.time()


@contextmanager
def clock_at(moment: datetime) -> Iterator[Clock]:
    """Let it be another time, and go on from there."""
    with freeze_time(moment, tick=True) as factory:
        assert isinstance(factory, api.TickingDateTimeFactory)
        yield Clock(factory)
