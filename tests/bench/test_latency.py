"""The latency bench, with a server whose model is a script."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
import json
from pathlib import Path
import re
import sys
from typing import Any

import pytest

from bench import latency
from script.ollama.answer import Record
from script.ollama.engine import Finished, Sampling
from script.ollama.scripted import ScriptedEngine
from script.ollama.server import serve


class ObedientEngine(ScriptedEngine):
    """Turns on and off what the last sentence names, then says that it is done."""

    async def generate(
        self,
        prompt: Sequence[int],
        sampling: Sampling,
        limit: int,
        schema: Mapping[str, Any] | None,
    ) -> AsyncGenerator[str | Finished]:
        """Write a call or a word."""
        text = "".join(self._words[token] for token in prompt)
        last = text.rsplit("<|im_start|>", 2)[-2]
        said = "Done."
        if command := re.search(r"Turn (on|off) the ([\w ]+)", last):
            tool = f"intent__HassTurn{command[1].capitalize()}"
            call = {"name": tool, "arguments": {"name": command[2]}}
            said = f"[tool_call]\n{json.dumps(call)}\n[/tool_call]"
        self.scripts = [[said]]
        async for piece in super().generate(prompt, sampling, limit, schema):
            yield piece


class NotedServer:
    """What the bench knows of a server."""

    def __init__(self, url: str, noted: list[Record]) -> None:
        """Take its address and its notes."""
        self.url = url
        self._noted = noted

    def records(self) -> Sequence[dict[str, Any]]:
        """Return the notes."""
        return [asdict(record) for record in self._noted]


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch, socket_enabled: None) -> None:
    """Speak quickly, to the scripted model."""

    @asynccontextmanager
    async def embedded(model: str) -> AsyncGenerator[NotedServer]:
        noted: list[Record] = []
        async with serve(ObedientEngine(), on_record=noted.append, context=8192) as url:
            yield NotedServer(url, noted)

    monkeypatch.setattr(latency, "embedded", embedded)
    monkeypatch.setattr(latency, "SPEAKING", 0.01)
    monkeypatch.setattr(latency, "IDLE", 0.05)


async def test_every_case_is_measured_for_both_agents(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house = str(data / "homes" / "small.yaml")
    monkeypatch.setattr(sys, "argv", ["latency", "--house", house, "--runs", "1"])

    await latency.main()

    shown = capsys.readouterr().out
    for case in ("first", "evicted", "warm", "confirmed", "second-room"):
        assert re.search(
            rf"^latency/{case} core=\S+ voice_gateway=\S+ unit=s ratio=", shown, re.MULTILINE
        )
    read = re.search(r"^read/warm core=(\d+) ", shown, re.MULTILINE)
    cold = re.search(r"^read/evicted core=(\d+) ", shown, re.MULTILINE)
    assert read is not None
    assert cold is not None
    assert int(read[1]) < int(cold[1]) / 5


async def test_house_that_nobody_gives_has_rooms_for_every_case(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("VOICE_GATEWAY_EVAL", raising=False)
    monkeypatch.setattr(sys, "argv", ["latency", "--case", "second-room"])

    await latency.main()

    shown = capsys.readouterr().out
    assert re.search(r"^latency/second-room core=\S+ .* n=7$", shown, re.MULTILINE)
