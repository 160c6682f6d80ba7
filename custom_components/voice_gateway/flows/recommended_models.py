"""Recommended models of Ollama's library, with their sizes; docs/models.md explains the choice.

All of them call tools, and none requires thinking. The download is the size in Ollama's library, at
four bits per parameter. The memory adds the context of 8192 tokens (two bytes for each number of
its keys and values) and half a gigabyte of working memory, rounded up.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recommended:
    """A model that can be downloaded; sizes in gigabytes."""

    name: str
    download: float
    memory: int


# The smallest first.
RECOMMENDED = (
    Recommended("qwen3:1.7b", 1.4, 3),
    Recommended("qwen3:4b-instruct", 2.5, 5),
    Recommended("qwen3:8b", 5.2, 7),
    Recommended("qwen3:14b", 9.3, 12),
    Recommended("qwen3:30b-instruct", 19, 21),
)
# Share of a computer's memory that is assumed to be free.
_FREE = 0.75


def for_memory(gigabytes: float | None) -> Sequence[Recommended]:
    """Return the models: those that fit into a computer's memory, best first, then the others."""
    if gigabytes is None:
        return RECOMMENDED
    room = gigabytes * _FREE
    fitting = [model for model in reversed(RECOMMENDED) if model.memory <= room]
    return [*fitting, *(model for model in RECOMMENDED if model.memory > room)]
