"""What a model thinks, apart from what it says.

A server that knows its model gives thinking in a field of its own. Where it does not, thinking
arrives in the text, in the tags of the model's chat template:

    <think>The user wants …</think>The light is on.      Qwen, DeepSeek, most others
    The user wants …</think>The light is on.             where the template itself writes <think>
    [THINK]The user wants …[/THINK]The light is on.      Mistral
    <|channel|>analysis<|message|>The user wants …<|end|><|start|>assistant<|channel|>final
      <|message|>The light is on.                        gpt-oss
    <|channel>thought The user wants …<channel|>The light is on.       Gemma 4
"""

from contextlib import aclosing
from dataclasses import dataclass
import re

from ..client import Delta, Deltas

_WORDS = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "seed:think")
_OPENINGS = (
    *(f"<{word}>" for word in _WORDS),
    *("[THINK]", "◁think▷", "<|START_THINKING|>", "<|begin_of_thought|>"),
    *("<|channel|>analysis<|message|>", "<|channel>thought", "<unused94>thought"),
)
_CLOSINGS = (
    *(f"</{word}>" for word in _WORDS),
    *("[/THINK]", "◁/think▷", "<|END_THINKING|>", "<|end_of_thought|>"),
    *("<channel|>", "<unused95>"),
)
# These end thinking, too, and also stand where there was none.
_ENDS = (
    "<|start|>assistant<|channel|>final<|message|>",
    "<|channel|>final<|message|>",
    "<|end|>",
)
_MARKS = (*_OPENINGS, *_CLOSINGS, *_ENDS)
_BEGINNINGS = frozenset(mark[:length] for mark in _MARKS for length in range(1, len(mark)))
_LONGEST = max(map(len, _BEGINNINGS))
# Of marks that begin at one place, the longest.
_MARK = re.compile("|".join(map(re.escape, sorted(_MARKS, key=len, reverse=True))))


@dataclass(slots=True)
class ThinkingHabit:
    """Where a model's messages begin: in its thinking, surely or perhaps, or in its answer."""

    opened_by_template: bool = False
    """The template opens the thinking, so that every message begins within."""
    closed_only: bool = False
    """A message closed a thinking that it had not opened: the next ones may do so, too."""


async def thinking_apart(stream: Deltas, habit: ThinkingHabit) -> Deltas:
    """Give a stream's thinking as thinking, in whatever tags its text has it.

    `habit` is what is known of the model, and is learned here: the first message that closes a
    thinking without having opened it is known for what it is too late to unsay its beginning.
    """
    text = _Split(habit)
    async with aclosing(stream):
        async for delta in stream:
            content = delta.pop("content", None)
            if delta:
                yield delta
            if content:
                for part in text.feed(content):
                    yield part
    for part in text.end():
        yield part


class _Split:
    """Splits a text that comes in pieces into thinking and answer."""

    def __init__(self, habit: ThinkingHabit) -> None:
        self._habit = habit
        self._thinks = habit.opened_by_template or habit.closed_only
        self._perhaps = habit.closed_only and not habit.opened_by_template
        self._held = ""
        self._undecided: list[str] = []
        self._at_begin = True

    def feed(self, piece: str) -> list[Delta]:
        """Take a piece; return what is clear now."""
        self._held += piece
        parts: list[Delta] = []
        read = 0
        for found in _MARK.finditer(self._held):
            before, mark = self._held[read : found.start()], found[0]
            read = found.end()
            opens = mark in _OPENINGS
            if mark in _CLOSINGS and not self._thinks and before.strip():
                self._habit.closed_only = True
                self._thinks = True
            parts += self._part(before)
            self._thinks = opens
            self._perhaps = False
            self._at_begin = True
        length = len(self._held) - _begun(self._held[read:])
        ready, self._held = self._held[read:length], self._held[length:]
        return parts + self._part(ready)

    def end(self) -> list[Delta]:
        """Return what is left when nothing more comes."""
        ready, self._held = self._held, ""
        parts = self._part(ready)
        if self._perhaps and (answer := "".join(self._undecided).strip()):
            # It did not think this time: all was the answer.
            parts.append({"content": answer})
        return parts

    def _part(self, text: str) -> list[Delta]:
        if self._thinks:
            if self._perhaps:
                self._undecided.append(text)
            return [{"thinking_content": text}] if text else []
        if self._at_begin:
            text = text.lstrip()
            self._at_begin = not text
        return [{"content": text}] if text else []


def _begun(text: str) -> int:
    """Return the length of a text's end that may become a mark."""
    lengths = range(min(_LONGEST, len(text)), 0, -1)
    return next((length for length in lengths if text[-length:] in _BEGINNINGS), 0)
