"""Asking once more: how long a busy server is waited for, and what is not said twice."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
import random

import httpx2

from ..const import LOGGER
from .client import ModelError, Reason
from .errors import RequestRejected

# Seconds to wait at most, all attempts together: nobody stands in the kitchen for longer, not
# knowing why.
_PATIENCE = 15.0
# Seconds before the second attempt where the server names none; doubled for each one after it.
_FIRST_WAIT = 0.5


async def asked_again[Part](
    ask: Callable[[], AsyncGenerator[Part]],
    is_worth_it: Callable[[ModelError], Awaitable[bool]],
    begins: Callable[[Part], bool] = lambda _: True,
) -> AsyncGenerator[Part]:
    """Yield an answer, asked for anew after each error as long as that is worth it.

    An answer of which a part `begins` is not begun again: it would be spoken twice.
    """
    began = False
    while True:
        try:
            async with aclosing(ask()) as parts:
                async for part in parts:
                    began = began or begins(part)
                    yield part
        except ModelError as err:
            if began or not await is_worth_it(err):
                raise
            LOGGER.debug("Once more, after: %s", err.detail)
        else:
            return


def retry_while_busy[Part](
    ask: Callable[[], AsyncGenerator[Part]], begins: Callable[[Part], bool] = lambda _: True
) -> AsyncGenerator[Part]:
    """Yield an answer, asked for anew while its server is busy, for seconds at most in all."""
    left, attempts = _PATIENCE, 0

    async def waited(err: ModelError) -> bool:
        """Wait as long as an error asks for; return True if another attempt is worth it."""
        nonlocal left, attempts
        cause = err.__cause__ and err.__cause__.__cause__
        # A connection that was kept open may have been closed meanwhile.
        was_closed = isinstance(cause, httpx2.ReadError | httpx2.RemoteProtocolError)
        if isinstance(err, RequestRejected) and err.may_pass:
            delay = _FIRST_WAIT * float(2**attempts) * random.uniform(0.75, 1)  # noqa: S311
            seconds = err.wait or delay
        elif err.reason is Reason.UNREACHABLE and was_closed and not attempts:
            seconds = 0.0
        else:
            return False
        if seconds > left:
            return False
        left -= seconds
        attempts += 1
        await asyncio.sleep(seconds)
        return True

    return asked_again(ask, waited, begins)
