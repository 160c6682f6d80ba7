"""What the server needs of a language model. `llama.py` is the real one; tests plug in a script."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol


class EngineError(Exception):
    """The engine could not do what was asked; the text is for the client."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How tokens are chosen, with Ollama's names and defaults (its `api/types.go`)."""

    temperature: float = 0.8
    top_k: int = 40
    top_p: float = 0.9
    min_p: float = 0.0
    typical_p: float = 1.0
    repeat_last_n: int = 64
    repeat_penalty: float = 1.1
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    seed: int = -1
    stop: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """The last thing a generation yields: why it ended and what it cost."""

    reason: Literal["stop", "length"]
    prompt_tokens: int
    """All tokens of the prompt, those taken from the cache included."""
    cached_tokens: int
    prompt_seconds: float
    tokens: int
    seconds: float


class Engine(Protocol):
    """One model at a time, one generation at a time; the server keeps to both."""

    @property
    def running(self) -> bool:
        """Whether a model is loaded and can answer; a crash ends that."""

    async def load(self, file: Path, context: int) -> None:
        """Load a GGUF file with room for `context` tokens. Raises EngineError."""

    async def unload(self) -> None:
        """Give the model's memory back."""

    async def tokenize(self, text: str) -> list[int]:
        """Tokens of a rendered prompt; `<|im_start|>` and its like are one each."""

    def generate(
        self,
        prompt: Sequence[int],
        sampling: Sampling,
        limit: int,
        schema: Mapping[str, Any] | None,
    ) -> AsyncGenerator[str | Finished]:
        """Yield pieces of text, then Finished. Raises EngineError.

        `limit` is the greatest number of tokens to write; with a `schema` (JSON schema) all
        text conforms to it. A prefix that was read before is not read again. Where the context
        is full, the oldest half is forgotten. Closing the generator stops the model.
        """
