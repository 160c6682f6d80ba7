"""Models of Ollama's library that do well here, with what they take: docs/models.md explains them.

All of them call tools, and none of them has to think first. The download is the size in Ollama's
library, at four bits for each parameter. The memory is that, the context of 8192 tokens (two bytes
for each number of its keys and values), half a gigabyte to work in, and rounded up.
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
# Of the memory of a computer that others use, too.
_FREE = 0.75


def for_memory(gigabytes: float | None) -> Sequence[Recommended]:
    """Return the models, the best that fit into a computer's gigabytes first, else the smallest."""
    if gigabytes is None:
        return RECOMMENDED
    room = gigabytes * _FREE
    fitting = [model for model in reversed(RECOMMENDED) if model.memory <= room]
    return [*fitting, *(model for model in RECOMMENDED if model.memory > room)]
