"""llama.cpp's own server, and what it tells of each request that passes."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
import json
from typing import Any

import aiohttp
from aiohttp import web

from script.openai.process import llama_server

_SLOTS = 2
"""One for each of the agents that are compared."""


class LlamaServer:
    """A running server: an address before it, and what it told of each request."""

    def __init__(self, origin: str, slots: int) -> None:
        """Take the server's own address, and how many slots it has."""
        self.url = ""
        self._slots = slots
        self._origin = origin
        self._records: list[dict[str, Any]] = []

    def records(self) -> Sequence[dict[str, Any]]:
        """Return the notes on all requests that ended, in their order."""
        return list(self._records)

    async def forget(self) -> None:
        """Empty the slots, and with them all that was read."""
        async with aiohttp.ClientSession(self._origin) as session:
            for slot in range(self._slots):
                async with session.post(f"/slots/{slot}?action=erase", json={}) as response:
                    response.raise_for_status()

    async def read(self, prompt: str) -> None:
        """Have something else read, in every slot."""
        async with aiohttp.ClientSession(self._origin) as session:
            for slot in range(self._slots):
                body = {"prompt": prompt, "n_predict": 1, "id_slot": slot}
                async with session.post("/completion", json=body) as response:
                    response.raise_for_status()

    async def pass_on(self, request: web.Request) -> web.StreamResponse:
        """Pass a request on, and its answer back, piece by piece."""
        async with (
            aiohttp.ClientSession(self._origin, auto_decompress=False) as session,
            session.request(
                request.method, request.path_qs, data=await request.read() or None
            ) as answer,
        ):
            response = web.StreamResponse(
                status=answer.status, headers={"Content-Type": answer.headers["Content-Type"]}
            )
            await response.prepare(request)
            async for line in answer.content:
                await response.write(line)
                self._note(line)
        return response

    def _note(self, line: bytes) -> None:
        if b'"timings"' not in line:
            return
        timings = json.loads(line.removeprefix(b"data: "))["timings"]
        read, kept = timings["prompt_n"], timings["cache_n"]
        self._records.append({"prompt_tokens": read + kept, "cached_tokens": kept})


@asynccontextmanager
async def noted_llama(model: str, slots: int = _SLOTS) -> AsyncGenerator[LlamaServer]:
    """Serve a model, `qwen2.5-coder:0.5b` or the like, on a free local port."""
    size = model.partition(":")[2]
    async with llama_server(size, "--slots", str(slots), "--forgetful") as url:
        server = LlamaServer(url.removesuffix("/v1"), slots)
        app = web.Application(client_max_size=64 << 20)
        app.router.add_route("*", "/{path:.*}", server.pass_on)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
            yield server
        finally:
            await runner.cleanup()
