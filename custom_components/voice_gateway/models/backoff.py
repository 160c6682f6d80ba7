"""Retry requests: wait for a busy server, and never speak an answer twice."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
import random

import aiohttp

from ..const import LOGGER
from .client import ModelError, Reason
from .errors import RequestRejected

# Maximum seconds to wait over all attempts: a user does not wait longer without an explanation.
_PATIENCE = 15.0
# Seconds before the second attempt if the server names none; doubled for each further one.
_FIRST_WAIT = 0.5
_CLOSED = (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError, ConnectionResetError)


async def asked_again[Part](
    ask: Callable[[], AsyncGenerator[Part]],
    is_worth_it: Callable[[ModelError], Awaitable[bool]],
    begins: Callable[[Part], bool] = lambda _: True,
) -> AsyncGenerator[Part]:
    """Yield an answer; repeat the request after an error while `is_worth_it` returns True.

    After a part for which `begins` returns True, errors are raised: a repeated answer would be
    spoken twice.
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
    """Yield an answer; repeat the request while the server is busy, for `_PATIENCE` at most."""
    left, attempts = _PATIENCE, 0

    async def waited(err: ModelError) -> bool:
        """Wait as long as an error asks for; return True if another attempt makes sense."""
        nonlocal left, attempts
        # The server may have closed a kept-alive connection meanwhile.
        was_closed = isinstance(err.__cause__, _CLOSED) and not isinstance(
            err.__cause__, aiohttp.ClientConnectorError
        )
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
