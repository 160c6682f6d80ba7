"""Which model is in memory, for how long, and whose turn it is to use it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from script.ollama.engine import Engine
from script.ollama.models import Model
from script.ollama.request import FOREVER, RequestError
from script.ollama.store import Store

DEFAULT_KEEP_ALIVE = 300.0


@dataclass(slots=True)
class Loaded:
    """A model in memory."""

    model: Model
    context: int
    """Tokens it has room for."""
    expires: datetime | None = None
    """When it is unloaded; None while it is used, and when it stays."""


class Memory:
    """At most one model, used by one request at a time; the others wait for their turn.

    Another model, or another context length, takes the place of the one before. Names that share
    their weights share the loaded model, and with it what it has read. A model is unloaded when
    it was not used for its keep-alive, or when its engine stopped.
    """

    def __init__(self, engine: Engine, store: Store) -> None:
        """Load models of `store` into `engine`."""
        self.loaded: Loaded | None = None
        self._engine = engine
        self._store = store
        self._turn = asyncio.Lock()
        self._timer: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def use(
        self, model: Model, context: int, keep_alive: float | None
    ) -> AsyncGenerator[Loaded]:
        """Have the model in memory, alone, and keep it for `keep_alive` seconds afterwards.

        Raises RequestError where the file is gone, EngineError where it cannot be loaded.
        """
        async with self._turn:
            self._stop_timer()
            try:
                yield await self._load(model, min(context, model.context))
            finally:
                await self._keep(DEFAULT_KEEP_ALIVE if keep_alive is None else keep_alive)

    async def unload(self) -> None:
        """Unload as soon as nobody uses the model."""
        async with self._turn:
            self._stop_timer()
            await self._unload()

    async def close(self) -> None:
        """Unload at once, whoever uses the model."""
        self._stop_timer()
        await self._unload()

    async def _load(self, model: Model, context: int) -> Loaded:
        now = self.loaded
        same = now and (now.model.weights, now.context) == (model.weights, context)
        if now and same and self._engine.running:
            now.model = model
            now.expires = None
            return now
        path = self._store.path(model.weights)
        if path is None:
            raise RequestError(404, f"model '{model.name}' not found")
        self.loaded = None
        await self._engine.load(path, context)
        self.loaded = Loaded(model, context)
        return self.loaded

    async def _unload(self) -> None:
        self.loaded = None
        await self._engine.unload()

    async def _keep(self, seconds: float) -> None:
        if not self.loaded:
            return
        if seconds == 0:
            await self._unload()
        elif seconds < FOREVER:
            self.loaded.expires = datetime.now(UTC) + timedelta(seconds=seconds)
            self._timer = asyncio.create_task(self._unload_after(seconds))

    async def _unload_after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        # A request that takes its turn first cancels this.
        async with self._turn:
            self._timer = None
            await self._unload()

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
