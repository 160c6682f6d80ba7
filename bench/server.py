"""Who answers the agents: a model that runs, or what one once said."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bench.embedded import embedded
from bench.replay import Replay, serve


@asynccontextmanager
async def server(replay: Replay, model: str | None, url: str | None) -> AsyncGenerator[str]:
    """Yield the address of a server for a model: one that is given, or one of ours.

    Without a model, it is that of the replay.
    """
    if not model:
        async with serve(replay) as address:
            yield address
    elif url:
        yield url
    else:
        async with embedded(model) as there:
            yield there.url
