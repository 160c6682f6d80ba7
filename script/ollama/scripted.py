"""An engine without a model, for tests: it writes what it is told to."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
import re
from typing import Any

from script.ollama.engine import Finished, Sampling

type Script = Sequence[str | Exception | asyncio.Event]


class ScriptedEngine:
    """Writes one script per generation, and nothing when there is none left.

    Of a script, text is written piece by piece, an event is waited for, an error is raised. Every
    word of a prompt is a token; tokens that also begin the prompt before count as cached.
    """

    def __init__(self, *scripts: Script) -> None:
        """Write `scripts`, in this order."""
        self.scripts = list(scripts)
        self.running = False
        self.loads: list[tuple[str, int]] = []
        """File name and context length of every load."""
        self.prompts: list[str] = []
        self.samplings: list[Sampling] = []
        self.limits: list[int] = []
        self.schemas: list[Mapping[str, Any] | None] = []
        self.stopped = 0
        """How many generations were given up before their end."""
        self._words: list[str] = []
        self._read: Sequence[int] = ()

    async def load(self, file: Path, context: int) -> None:
        """Note it."""
        self.loads.append((file.name, context))
        self.running = True
        self._read = ()

    async def unload(self) -> None:
        """Forget what was read."""
        self.running = False

    async def tokenize(self, text: str) -> list[int]:
        """Number the words."""
        tokens = []
        for word in re.findall(r"\s*\S+\s*$|\s*\S+", text):
            if word not in self._words:
                self._words.append(word)
            tokens.append(self._words.index(word))
        return tokens

    async def generate(
        self,
        prompt: Sequence[int],
        sampling: Sampling,
        limit: int,
        schema: Mapping[str, Any] | None,
    ) -> AsyncGenerator[str | Finished]:
        """Write the next script."""
        self.prompts.append("".join(self._words[token] for token in prompt))
        self.samplings.append(sampling)
        self.limits.append(limit)
        self.schemas.append(schema)
        pairs = zip(prompt, self._read, strict=False)
        cached = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self._read = prompt
        written = 0
        ended = False
        try:
            for step in self.scripts.pop(0) if self.scripts else ():
                match step:
                    case Exception():
                        ended = True
                        raise step
                    case asyncio.Event():
                        await step.wait()
                    case str() if written < limit:
                        written += 1
                        yield step
            ended = True
            full = written == limit
            yield Finished("length" if full else "stop", len(prompt), cached, 0.25, written, 0.5)
        finally:
            self.stopped += not ended
