"""A voice satellite: a microphone and a loudspeaker on Assist's websocket.

The way of the audio: https://developers.home-assistant.io/docs/voice/pipelines.
"""

import asyncio
from asyncio.subprocess import PIPE
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import batched, chain, repeat

from script.house.api import Api, Json

RATE = 22050
"""Samples a second of the microphone; 16 bits each, one channel."""
_CHUNK = RATE // 50 * 2
"""Bytes that the microphone gives at a time: those of 20 ms."""
_SILENCE = bytes(_CHUNK)
RUN_TIMEOUT = 60
"""Seconds for a run of the pipeline."""


@dataclass(slots=True)
class Exchange:
    """What came of a sentence: the pipeline's events, each with its time, and the answer's sound."""

    events: list[Json] = field(default_factory=list)
    times: dict[str, float] = field(default_factory=dict)
    """When an event of a type came last, and when there was the `last word` and the `first sound`;
    in seconds of the loop's clock."""
    content_type: str = ""
    sound: bytes = b""
    """As it was fetched."""

    def of_type(self, type_: str) -> list[Json]:
        """Return the data of all events of a type."""
        return [event["data"] for event in self.events if event["type"] == type_]

    def seconds(self) -> dict[str, float]:
        """Return how long each step took, and for how long the speaker waited for an answer."""
        steps = {
            "hear the end": ("last word", "stt-vad-end"),
            "speech to text": ("stt-vad-end", "stt-end"),
            "agent": ("intent-start", "intent-end"),
            "text to speech": ("tts-end", "first sound"),
            "silence in all": ("last word", "first sound"),
        }
        return {name: self.times[end] - self.times[start] for name, (start, end) in steps.items()}


@dataclass(slots=True)
class Satellite:
    """Speaks to a pipeline and listens to its answer, which it plays as soon as there is any."""

    api: Api
    pipeline_id: str
    playing: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the first sound of the answer has come."""

    async def say(self, sentence: bytes) -> Exchange:
        """Say a sentence, given as sound, and listen until the answer has been played."""
        exchange = Exchange()
        self.playing.clear()
        player: asyncio.Task[None] | None = None
        events = self.api.events(
            "assist_pipeline/run",
            start_stage="stt",
            end_stage="tts",
            input={"sample_rate": RATE},
            pipeline=self.pipeline_id,
            timeout=RUN_TIMEOUT,
        )
        # Ends when both have: the pipeline with its run, the loudspeaker with the answer.
        async with asyncio.TaskGroup() as tasks, aclosing(events):
            async for event in events:
                exchange.events.append(event)
                exchange.times[event["type"]] = asyncio.get_running_loop().time()
                match event:
                    case {"type": "run-start", "data": data}:
                        listener: int = data["runner_data"]["stt_binary_handler_id"]
                        microphone = tasks.create_task(
                            self._listen(listener, sentence, exchange.times)
                        )
                        url: str = data["tts_output"]["url"]
                    case {"type": "stt-vad-end"}:
                        microphone.cancel()
                    # Whatever comes first: a long answer starts before it is complete.
                    case {"data": {"tts_start_streaming": True}} | {"type": "tts-end"}:
                        player = player or tasks.create_task(self._play(url, exchange))
                    case {"type": "run-end"}:
                        microphone.cancel()
                        break
        return exchange

    async def _listen(self, listener: int, sentence: bytes, times: dict[str, float]) -> None:
        """Give what the microphone hears, when it hears it: the sentence, and silence after it."""
        loop = asyncio.get_running_loop()
        heard = loop.time()
        chunks = (bytes(chunk) for chunk in batched(sentence, _CHUNK, strict=False))
        for chunk in chain(chunks, [None], repeat(_SILENCE)):
            if chunk is None:
                times["last word"] = loop.time()
                continue
            await self.api.socket.send_bytes(bytes([listener]) + chunk)
            heard += len(chunk) / 2 / RATE
            await asyncio.sleep(heard - loop.time())

    async def _play(self, url: str, exchange: Exchange) -> None:
        async with self.api.session.get(url) as response:
            response.raise_for_status()
            exchange.content_type = response.content_type
            async for piece in response.content.iter_any():
                exchange.times.setdefault("first sound", asyncio.get_running_loop().time())
                exchange.sound += piece
                self.playing.set()


async def decoded(sound: bytes) -> bytes:
    """Return the samples of an audio file, 16 bits each at 16 kHz in one channel."""
    process = await asyncio.create_subprocess_exec(
        *("ffmpeg", "-loglevel", "error", "-i", "pipe:0"),
        *("-f", "s16le", "-ar", "16000", "-ac", "1", "pipe:1"),
        stdin=PIPE,
        stdout=PIPE,
    )
    samples, _ = await process.communicate(sound)
    assert process.returncode == 0
    return samples
