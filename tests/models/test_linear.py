"""What reads a model's text takes time that grows with its length alone, whatever is in it."""

from collections.abc import Callable, Iterator
from time import process_time

from custom_components.voice_gateway.models.client import Deltas, ModelError
from custom_components.voice_gateway.models.prompted_tools import SayParser
from custom_components.voice_gateway.models.text.thinking import ThinkingFilter, ThinkingHabit
from custom_components.voice_gateway.models.text_calls.stream import rescue_calls
from custom_components.voice_gateway.turn.speech import speech
from custom_components.voice_gateway.turn.speech_filter import SpeechFilter
from tests.rows import rows

TOOLS = ("intent__HassTurnOn", "intent__HassTurnOff", "call_me")
SMALL, LARGE, LARGEST = 1_000, 16_000, 64_000
"""Characters. Shorter texts take too little time to be measured; longer ones no message has."""
PIECE = 64
"""Characters that come at once."""
AT_MOST = 4
"""How many times as long a letter of the large text may take; it takes 16 times, or 64, where each
letter is read with all those before it."""
UNMEASURED = 0.1
"""Seconds that a large text may take however short the small one was: less tells nothing."""
UNITS = (
    *("_", "`", "*", "[", "<", "=", " ", "\n", "\\", '"', "'a", "a.", "the "),
    *("HassTurnOn", "HassTurnOn(", "call_a", "```json {", "<tool_call>", "</tool_call>"),
    *('{"a":', "[a](", "![a", "|a|b\n", "<think>", "HassTurnOn with a: b, "),
)
KEPT = (" ", "\n", "_", "`", "the ", "HassTurnOn", '{"a":')
"""Of these, readers keep what they have not understood yet."""
type Stream = Callable[[Deltas], Deltas]


def name_of(name: str) -> str | None:
    return next((tool for tool in TOOLS if name in (tool, tool.partition("__")[2])), None)


STREAMS: dict[str, Stream] = {
    "calls": lambda stream: rescue_calls(stream, name_of, TOOLS),
    "speech": speech,
    "thinking": lambda stream: ThinkingFilter(ThinkingHabit()).of(stream),
    "said": lambda stream: SayParser().of(stream),
    "ears": lambda stream: SpeechFilter("en", TOOLS).of(stream),
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


def of(unit: str, length: int) -> str:
    return unit * (length // len(unit))


def texts() -> Iterator[tuple[str, str, str]]:
    """Yield what a text is made of, and a small and a large one of it."""
    for unit in UNITS:
        yield unit, of(unit, SMALL), of(unit, LARGEST if unit in KEPT else LARGE)
    each = LARGEST // len(UNITS)
    yield (
        "all",
        "".join(of(unit, SMALL) for unit in UNITS),
        "".join(of(unit, each) for unit in UNITS),
    )


@rows("name", STREAMS)
async def test_a_letter_of_a_long_text_takes_no_longer(name: str) -> None:
    slow = {}
    for unit, small, large in texts():
        expected = await read(STREAMS[name], small) * len(large) / len(small)
        for _ in range(3):
            if (took := await read(STREAMS[name], large)) <= max(expected * AT_MOST, UNMEASURED):
                break
        else:
            slow[unit] = took / expected
    assert not slow
