"""How long a server that is busy is waited for."""

import asyncio
from collections.abc import Callable
import random

# Seconds to wait at most, all attempts together: nobody stands in the kitchen for longer, not
# knowing why.
_PATIENCE = 15.0
# Seconds before the second attempt where the server names none; doubled for each one after it.
_FIRST_WAIT = 0.5


def backoff(attempt: int) -> float:
    """Return the seconds to wait after an attempt, counted from 0, where nobody says how long."""
    return _FIRST_WAIT * float(2**attempt) * random.uniform(0.75, 1)  # noqa: S311


class Backoff:
    """How long a server is waited for, over all attempts of one request."""

    def __init__(self, seconds_after: Callable[[Exception, int], float | None]) -> None:
        """Begin with all of it.

        `seconds_after` tells how long to wait after an error of an attempt, counted from 0; None
        where waiting does not help.
        """
        self._seconds_after = seconds_after
        self._left = _PATIENCE
        self._attempts = 0

    async def waited(self, err: Exception) -> bool:
        """Wait as long as an error asks for; tell whether another attempt is worth it."""
        seconds = self._seconds_after(err, self._attempts)
        if seconds is None or seconds > self._left:
            return False
        self._left -= seconds
        self._attempts += 1
        await asyncio.sleep(seconds)
        return True
