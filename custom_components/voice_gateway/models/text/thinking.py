r"""Separate a model's answer from its thinking and from its template's headers.

A server that supports its model sends thinking in a separate field. Otherwise thinking arrives in
the text, wholly or partly, with the marks of the model's chat template:

    <think>The user wants …</think>The light is on.      Qwen, DeepSeek, most others
    The user wants …</think>The light is on.             if the template itself writes <think>
    <|channel|>analysis<|message|>The user wants …<|end|><|start|>assistant<|channel|>final
      <|message|>The light is on.                        gpt-oss
    analysisThe user wants …assistantfinalThe light is on.             if its marks were removed
    <|channel>thought The user wants …<channel|>The light is on.       Gemma 4
    The light is on.<|im_end|><|im_start|>user Thanks    if the server did not stop the model
    Thought: The user wants …\nFinal Answer: The light is on.             a report of steps

`text_calls` handles marks of calls; a call that a header names is passed on as `<function=X>`.
"""

from dataclasses import dataclass, field
from enum import Enum, auto
import re
from typing import override

from ..client import Delta
from .marks import CALLS, OTHERS, PARAMETER, SPEAKERS, THOUGHT, Mark, mark_ahead, read_mark
from .reader import NoCall, Reader, TextFilter

# Words before an answer, at the beginning of a message.
_ANSWERS = ("AI", "ASSISTANT", "Answer", "Final Answer", "Response")
# Parts of a report, which begins with one of these.
_STEPS = ("Thought:", "Action:", "Observation:")
_CHANNELS = ("analysis", "commentary", "final")
# Where a mark may begin; words may be marks only at the beginning of a line or a message.
_START = re.compile(
    r"[<\[◁✿]|(?:(?<=\s\s)|(?<=[\n.!?…'\"”})\[\]<>])|(?<=[\n.!?:…'\"”})\[\]<>] ))[acftAFmORT]|(?<=\n)[*#]|(?<!\w)t(?=o(?:=|$)|$)|t(?=o=f|o=?$|$)"
)
_START_AMID_WORDS = re.compile(r"[<\[◁✿a]|(?<!\w)[ct](?=o|$)|t(?=o=f|o=?$|$)")
_ESCAPE_BEGUN = re.compile(r"&(?:[lg]t?)?$")
_SENTENCE_OPENINGS = frozenset("*\"'“„«¿¡:")
# Ends of a closing mark whose beginning the server put into the thinking.
_ENDS_OF_CLOSING = tuple(
    closing[at:]
    for closing in ("</think>", "</thinking>", "[/THINK]")
    for at in range(1, len(closing) - 1)
)
# Names that some templates use for the speaker of a call.
_CALLING = frozenset(("tool_call", "tool_calls", "function_call", "function_calls"))


@dataclass(slots=True)
class ThinkingHabit:
    """Whether a model's messages begin in its thinking, certainly or possibly, or in its answer."""

    opened_by_template: bool = False
    """The template opens the thinking, so that every message begins within."""
    closed_only: bool = False
    """A message closed a thinking without opening it: the next ones may do so, too."""


class _State(Enum):
    SAYS = auto()
    THINKS = auto()
    ENDED = auto()
    """The message is over; the same speaker may begin another one."""
    DROPPED = auto()
    """Another speaker's text follows, to the end."""


@dataclass
class ThinkingFilter(TextFilter):
    """Turns marked thinking in a text into thinking deltas, and removes template marks."""

    habit: ThinkingHabit
    _escape: str = ""  # the beginning of an HTML entity for a bracket
    _undecided: list[str] = field(default_factory=list)
    _at_begin: bool = True
    _recent: str = "\n"  # the last two characters before the held text
    _has_begun: bool = False  # anything but space
    _amid_words: bool = False  # Channels are named by words alone.
    _reports: bool = False  # The message is a report of steps.
    _last: str = ""  # the end of the output

    def __post_init__(self) -> None:
        """Begin as the model's messages do."""
        opens, closes = self.habit.opened_by_template, self.habit.closed_only
        self._state = _State.THINKS if opens or closes else _State.SAYS
        self._perhaps = closes and not opens

    @override
    def feed(self, piece: str) -> list[Delta]:
        piece = self._escape + piece
        escape = _ESCAPE_BEGUN.search(piece)
        self._escape = escape[0] if escape else ""
        piece = piece.removesuffix(self._escape)
        return super().feed(piece.replace("&lt;", "<").replace("&gt;", ">"))

    @override
    def end(self) -> list[Delta]:
        parts = self._clear(final=False)
        # A truncated "&gt;" ends a truncated mark.
        self._held += "" if self._held or len(self._escape) > 1 else self._escape
        parts += super().end()
        if self._perhaps and (answer := "".join(self._undecided).strip()):
            # This message has no thinking: all of it is the answer.
            parts.append({"content": answer})
        return parts

    @override
    def _step(self, reader: Reader) -> None:
        if self._state is _State.DROPPED:
            self._held = ""
            return
        if self.has_thought and not self._has_begun and reader.skip(*_ENDS_OF_CLOSING):
            self._answer()
            self._take(reader.position)
            return
        pattern = _START_AMID_WORDS if self._amid_words else _START
        before = len(self._recent)
        start = pattern.search(self._recent + self._held, before)
        end = start.start() - before if start else len(self._held)
        if end == 0:
            try:
                self._read(reader)
            except NoCall:
                end = 1
            else:
                self._take(reader.position)
                return
        self._part(self._take(end))

    @override
    def _take(self, length: int) -> str:
        taken = super()._take(length)
        self._recent = (self._recent + taken)[-2:]
        return taken

    def _part(self, text: str) -> None:
        """Put out a text that is not a mark."""
        if self._state is _State.ENDED:
            return
        if self._at_begin and self._state is _State.SAYS:
            text = text.lstrip()
            self._at_begin = not text
            if text and self._last and not self._last.isspace():
                text = f" {text}"
            # The server may have put the beginning of the sentence into the thinking.
            goes_on = text[:1].islower() or text.startswith((*".,;:!?)",))
            if goes_on and self.has_thought and not self._has_begun:
                self._think()
        self._has_begun = self._has_begun or bool(text.strip())
        if self._state is not _State.THINKS:
            self._last = text[-1:] or self._last
            self._put(text)
        elif text:
            if self._perhaps:
                self._undecided.append(text)
            self._out.append({"thinking_content": text})

    def _think(self, *, surely: bool = False) -> None:
        """Start the thinking, certainly or possibly."""
        if surely and self._perhaps and (said := "".join(self._undecided).strip()):
            # The message opens its thinking itself: the text before was the answer.
            self._put(said)
        self._state, self._perhaps = _State.THINKS, not surely
        self._undecided.clear()

    def _answer(self) -> None:
        self._state, self._perhaps, self._at_begin = _State.SAYS, False, True

    def _read(self, reader: Reader) -> None:
        """Consume a mark, and change the state. Raises NoCall, Unfinished."""
        reader.run("[*# ]")
        if reader.peek().isalpha():
            self._read_words(reader)
            return
        if (mark := read_mark(reader)) is None:
            raise NoCall
        if mark.is_thought or ("channel" in mark.words and mark.closes):
            if not mark.closes:
                reader.skip("thought\n")
            self._open_or_close(is_open=not mark.closes)
        elif mark.words & (CALLS | PARAMETER):
            self._part(mark.text)
            if mark.text == "<|call|>" and self._has_begun:
                self._state = _State.ENDED
        elif "channel" in mark.words:
            reader.run(r"[ \t]")
            self._read_header(reader, reader.skip(*_CHANNELS) or reader.run(r"\w"))
        elif mark.is_of_speaker:
            self._read_speaker(reader, mark)
        elif mark.ends_message and self._has_begun:
            self._state = _State.ENDED

    def _open_or_close(self, *, is_open: bool) -> None:
        if self._state is _State.ENDED:
            return
        if is_open:
            self._think(surely=True)
            return
        if self._state is _State.SAYS and self._has_begun:
            # The text so far was thinking; the part that is not streamed yet becomes thinking.
            self.habit.closed_only = True
            self._last = ""
            said = (part.get("content") or part.get("thinking_content") for part in self._out)
            self._out = [{"thinking_content": text} for text in said]
        self._answer()

    def _read_speaker(self, reader: Reader, mark: Mark) -> None:
        """Determine the next speaker, from the mark or from the word after it."""
        named = mark.words & (OTHERS | SPEAKERS)
        if not named:
            reader.run(r"[ \t]")
            speaker = reader.skip(*SPEAKERS) or reader.run(r"\w").casefold()
            named = frozenset({speaker} - {""})
        if mark.closes and named & SPEAKERS:
            self._state = _State.ENDED if self._has_begun else self._state
        elif named & THOUGHT:
            self._think(surely=True)
        elif named & _CALLING:
            self._answer()
            self._part("<tool_call>")
        elif named and not named & SPEAKERS:
            if not mark.closes:
                self._state = _State.DROPPED
        elif reader.skip(" to="):
            self._read_header(reader, names=True)
        elif channel := reader.skip(*_CHANNELS):
            self._read_header(reader, channel)
        elif self._state is _State.ENDED:
            self._answer()

    def _read_header(self, reader: Reader, channel: str = "", *, names: bool = False) -> None:
        """Read the rest of a header: the channel, the function, the type of content."""
        function = ""
        while True:
            reader.run(r"[ \t]")
            if names or reader.skip("to="):
                reader.skip('"', "'")
                function, names = f"<function={reader.run(r'[\w.:-]')}>", False
                reader.skip('"', "'")
            elif mark := mark_ahead(reader):
                if mark.words.isdisjoint({"channel", "constrain", "message"}):
                    break
                reader.skip(mark.text)
                names = "message" in mark.words and bool(reader.skip("to="))
                if "message" in mark.words and not names:
                    break
                if "constrain" in mark.words:
                    reader.run(r"[ \t]")
                    reader.run(r"\w")
            elif not reader.skip("json", "code", *_CHANNELS):
                break
        if function:
            self._answer()
            self._part(function)
        else:
            self._begin_channel(channel)

    def _begin_channel(self, channel: str) -> None:
        if channel.casefold() in THOUGHT:
            self._think(surely=True)
        else:
            self._answer()

    def _read_words(self, reader: Reader) -> None:
        """Read a header whose marks were removed."""
        begins = not self._has_begun
        speaker = reader.skip("assistant", "Assistant", "model", *_ANSWERS)
        channel = reader.skip(*_CHANNELS)
        named = (" to=functions.", " to=") if speaker or channel else ()
        if reader.skip("to=functions.", "to=functions", *named):
            self._read_header(reader, names=True)
        elif channel and (speaker or (begins and _begins_message(reader))):
            reader.skip(":")
            self._amid_words = True
            self._begin_channel(channel)
        elif speaker and (begins or self._reports) and reader.skip(":**", ":", "\n"):
            self._answer()
        elif (begins or self._reports) and (step := reader.skip(*_STEPS)):
            self._begin_step(step)
        elif channel == "analysis" and begins and reader.peek().isspace():
            self._amid_words = True
            self._think()
            self._undecided.append(channel)
        else:
            raise NoCall

    def _begin_step(self, step: str) -> None:
        self._reports = True
        if step == "Thought:":
            self._think()
        elif step == "Action:":
            self._answer()
            self._part(step)
        else:
            self._state = _State.DROPPED  # a result that the model made up


def _begins_message(reader: Reader) -> bool:
    """Return True if the next text begins a message, and does not continue a sentence."""
    if mark := mark_ahead(reader):
        return "message" in mark.words
    return reader.peek().isupper() or reader.peek() in _SENTENCE_OPENINGS
