"""Where the files of models are. `fetch.py` has the store that gets them from the network."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from script.ollama.models import Weights


@dataclass(frozen=True, slots=True)
class Progress:
    """How far fetching a file has come, in bytes."""

    status: str
    completed: int
    total: int


class FetchError(Exception):
    """A file could not be fetched; the text says why."""


class Store(Protocol):
    """What the server needs of a place for models."""

    def path(self, weights: Weights) -> Path | None:
        """Return the file; None while it is not there."""

    def fetch(self, weights: Weights) -> AsyncGenerator[Progress]:
        """Get the file and say how far it is. Raises FetchError."""


class AllThere:
    """A store for an engine that reads no file: every model is there."""

    def path(self, weights: Weights) -> Path | None:
        """Return a path that does not exist."""
        return Path(weights.file)

    async def fetch(self, weights: Weights) -> AsyncGenerator[Progress]:
        """Be done at once."""
        yield Progress("done", weights.size, weights.size)
