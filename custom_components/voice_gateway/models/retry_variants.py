"""Asking otherwise, where a request is refused."""

from collections.abc import Callable
from contextlib import aclosing

from ..const import LOGGER
from .client import Deltas, ModelError, Reason


async def unless_refused(answer: Deltas, reason: Reason, otherwise: Callable[[], Deltas]) -> Deltas:
    """Yield an answer, or another one where it is refused for this reason.

    An answer that began is not begun again: it would be spoken twice.
    """
    began = False
    try:
        async with aclosing(answer) as deltas:
            async for delta in deltas:
                began = True
                yield delta
    except ModelError as err:
        if began or err.reason is not reason:
            raise
        LOGGER.debug("Asking otherwise after a refusal: %s", err.detail)
    else:
        return
    async with aclosing(otherwise()) as deltas:
        async for delta in deltas:
            yield delta
