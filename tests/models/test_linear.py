"""What reads a model's text takes time that grows with its length alone, whatever is in it."""

from collections.abc import Callable
from time import process_time

import pytest

from custom_components.voice_gateway.models.client import Deltas, ModelError
from custom_components.voice_gateway.models.say import unwrapped
from custom_components.voice_gateway.models.text.speech import speech
from custom_components.voice_gateway.models.text.thinking import ThinkingHabit, thinking_apart
from custom_components.voice_gateway.models.text_calls import rescue_calls
from custom_components.voice_gateway.turn.ears import Ears

TOOLS = ("intent__HassTurnOn", "intent__HassTurnOff", "call_me")
SMALL, LARGE = 1_000, 32_000
"""Characters. Shorter texts take too little time to be measured."""
PIECE = 16
"""Characters that come at once."""
AT_MOST = 6
"""How many times as long a letter of the large text may take; it takes 32 times where each letter is
read with all those before it."""
UNITS = (
    *("_", "`", "*", "[", "<", "=", " ", "\n", "\\", '"', "'a", "a.", "the "),
    *("HassTurnOn", "HassTurnOn(", "call_a", "```json {", "<tool_call>", "</tool_call>"),
    *('{"a":', "[a](", "![a", "|a|b\n", "<think>", "HassTurnOn with a: b, "),
)
type Stream = Callable[[Deltas], Deltas]


def name_of(name: str) -> str | None:
    return next((tool for tool in TOOLS if name in (tool, tool.partition("__")[2])), None)


STREAMS: dict[str, Stream] = {
    "calls": lambda stream: rescue_calls(stream, name_of, TOOLS),
    "speech": speech,
    "thinking": lambda stream: thinking_apart(stream, ThinkingHabit()),
    "said": unwrapped,
    "ears": lambda stream: Ears("en", TOOLS, whole=False).of(stream),
}


async def read(stream: Stream, text: str) -> float:
    """Return the CPU time for a text that comes in pieces."""

    async def pieces() -> Deltas:
        for begin in range(0, len(text), PIECE):
            yield {"content": text[begin : begin + PIECE]}

    started = process_time()
    try:
        async for _ in stream(pieces()):
            pass
    except ModelError:
        # A call without an end is broken off: what was read until then is all that is read.
        pass
    return process_time() - started


@pytest.mark.parametrize("name", STREAMS)
async def test_a_letter_of_a_long_text_takes_no_longer(name: str) -> None:
    slow = {}
    for unit in UNITS:
        small = unit * (SMALL // len(unit))
        large = unit * (LARGE // len(unit))
        expected = await read(STREAMS[name], small) * LARGE / SMALL
        for _ in range(3):
            if (took := await read(STREAMS[name], large)) <= max(expected * AT_MOST, 0.1):
                break
        else:
            slow[unit] = took / expected
    assert not slow
