"""Text to speech with eSpeak NG: `python -m tests.voice.engines.espeak`.

As Piper does, it speaks the sentences of an answer while the rest of it is still being written.
"""

import asyncio
from asyncio.subprocess import PIPE
import io
import re
import wave

from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.event import Event
from wyoming.info import Attribution, Describe, Info, TtsProgram, TtsVoice
from wyoming.server import AsyncEventHandler
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeStopped,
)

from tests.voice.engines import ENGLISH
from tests.voice.engines.server import serve

_ESPEAK = Attribution("eSpeak NG", "https://github.com/espeak-ng/espeak-ng")
_INFO = Info(
    tts=[
        TtsProgram(
            name="eSpeak",
            attribution=_ESPEAK,
            installed=True,
            description=None,
            version=None,
            voices=[
                TtsVoice(
                    name="en-us",
                    attribution=_ESPEAK,
                    installed=True,
                    description=None,
                    version=None,
                    languages=ENGLISH,
                )
            ],
            supports_synthesize_streaming=True,
        )
    ]
)
_SENTENCE = re.compile(r".+?[.!?](?=\s)", re.DOTALL)
_RATE = 22050
"""Samples a second of eSpeak's voices; 16 bits each, one channel."""


async def spoken(text: str) -> bytes:
    """Return the samples of a text that is spoken, 16 bits each at 22,050 Hz in one channel."""
    process = await asyncio.create_subprocess_exec(
        *("espeak-ng", "-v", "en-us", "-s", "140", "--stdin", "--stdout"), stdin=PIPE, stdout=PIPE
    )
    sound, _ = await process.communicate(text.encode())
    with wave.open(io.BytesIO(sound)) as file:
        assert (file.getframerate(), file.getsampwidth(), file.getnchannels()) == (_RATE, 2, 1)
        samples: bytes = file.readframes(file.getnframes())
        return samples


class Espeak(AsyncEventHandler):
    """Speaks a text that comes as a whole, or each sentence of one that comes in pieces."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection."""
        super().__init__(reader, writer)
        self._in_pieces = False
        self._unspoken = ""

    async def handle_event(self, event: Event) -> bool:
        """Go on listening, always."""
        if Describe.is_type(event.type):
            await self.write_event(_INFO.event())
        elif SynthesizeStart.is_type(event.type):
            self._in_pieces = True
        elif SynthesizeChunk.is_type(event.type):
            self._unspoken += SynthesizeChunk.from_event(event).text
            while sentence := _SENTENCE.match(self._unspoken):
                self._unspoken = self._unspoken[sentence.end() :]
                await self._speak(sentence[0])
        elif SynthesizeStop.is_type(event.type):
            if self._unspoken.strip():
                await self._speak(self._unspoken)
            self._in_pieces, self._unspoken = False, ""
            await self.write_event(SynthesizeStopped().event())
        # After the pieces comes the whole, for engines that do not speak pieces.
        elif Synthesize.is_type(event.type) and not self._in_pieces:
            await self._speak(Synthesize.from_event(event).text)
        return True

    async def _speak(self, text: str) -> None:
        sound = await spoken(text)
        await self.write_event(AudioStart(_RATE, 2, 1).event())
        await self.write_event(AudioChunk(_RATE, 2, 1, sound).event())
        await self.write_event(AudioStop().event())


if __name__ == "__main__":
    asyncio.run(serve(Espeak))
