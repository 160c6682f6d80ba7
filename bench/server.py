"""Who answers the agents: a model that runs, or what one once said."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bench.embedded import embedded
from bench.replay import Replay, serve
from custom_components.voice_gateway.const import EntryKind
from script.openai.process import llama_server


@asynccontextmanager
async def server(
    replay: Replay, model: str | None, url: str | None, kind: str = EntryKind.OLLAMA
) -> AsyncGenerator[str]:
    """Yield the address of a server for a model: one that is given, or one of ours of this kind.

    Without a model, it is that of the replay.
    """
    if not model:
        async with serve(replay) as address:
            yield address
    elif url:
        yield url
    elif kind == EntryKind.OPENAI:
        # A slot for each of those that are compared.
        async with llama_server(model.partition(":")[2], "--slots", "2") as address:
            yield address
    else:
        async with embedded(model) as there:
            yield there.url
