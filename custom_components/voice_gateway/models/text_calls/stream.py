"""Find calls in a streamed text."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
import re
from typing import override

from homeassistant.helpers import llm

from ...const import LOGGER
from ...text_tool_call import UnreadCall, WrittenCall
from ..client import Completion, Delta, Deltas, ModelError, Reason
from ..text.marks import mark_ahead, read_mark, skip_broken_mark
from ..text.reader import Braces, NoCall, Reader, TextFilter
from . import calls as written
from .arguments import BROKEN
from .names import LONGEST_NAME, NameOf, Names
from .objects import read_calls, read_quoted

# Characters that may begin a call anywhere, if the next one fits, and letters at the beginning of a
# word.
_START = re.compile(
    r"[{`◁✿]|\[(?=\s*+(?:[{/\w]|$))|<(?=\s?(?:[|/\w｜‖!*]|$))|(?<![\w.:-])[A-Za-z_]"
    r"|(?:^|(?<=\n))(?:[^\w\s<\[{◁✿]|\d{1,2}(?:[.)]|$))"
)
# Marks of items, headings, prompts and emphasis before a call.
_ITEM = r"[^\w<\[{◁✿`]|[\d_]"
_MARK = re.compile(r"[<\[]")
_WORD = re.compile(r"[\w.:-]*")
# The beginning of a program's line, `result = …`.
_ASSIGNED = re.compile(r"\w+ *(?:=(?!=)|$)")
# Text that may precede a call in its line: punctuation, or sentences. And how far to look back.
_BEGINNING = re.compile(r"(?:.*[.!?:;=…。！？：])?(?:[^\w<\[{]|[\d_])*")
_LOOK_BACK = 80
# Characters of a call: 8,000 tokens, more than a voice agent's context has room for.
_LONGEST = 32_000
# Characters of a thinking's end that are processed before the event loop gets control.
_PART = 1024
# A run of backticks that is too long for a call, which has at most eight fences of three.
_NO_FENCES = "`" * 25
# Text that may stand between calls, and after the last one.
_BETWEEN = r"[\s,;.)}\]\"'*]"


async def rescue_calls(
    stream: Deltas,
    name_of: NameOf,
    offered: Iterable[str],
    completion: Completion | None = None,
) -> Deltas:
    """Turn the calls in a stream's text into tool calls; pass the rest on, without marks.

    `name_of` returns the tool that a written name refers to; `offered` are the tools' names. Text
    that may still become a call is held back. If `completion` reports a truncated message, calls
    are not completed. Of a message without text and calls, those at the end of its thinking count.
    """
    names = Names(name_of, offered)
    thinking: list[str] = []
    made: list[llm.ToolInput] = []
    said = ""
    async with aclosing(TextCalls(names, completion).of(stream)) as deltas:
        async for delta in deltas:
            thinking.append(delta.get("thinking_content") or "")
            made += delta.get("tool_calls") or ()
            said = said or (delta.get("content") or "").strip()
            yield delta
    if not (made or said) and (calls := await last_calls("".join(thinking), names)):
        LOGGER.debug("The model wrote %d calls into its thinking", len(calls))
        yield {"tool_calls": calls}
    if completion and any(isinstance(call, UnreadCall) for call in made):
        # The call's error informs the model of the truncation.
        completion.finish_reason = "stop"


async def quoted_calls(text: str, offered: Sequence[str]) -> list[llm.ToolInput]:
    """Return the calls of offered tools in a text that a server quotes, if it has nothing else."""
    by_name = {name.partition("__")[2]: name for name in offered} | {name: name for name in offered}
    return await last_calls(text, Names(by_name.get, offered))


async def last_calls(thinking: str, names: Names) -> list[llm.ToolInput]:
    """Return the calls of offered tools at the end of a text."""
    text = TextCalls(names)
    calls: list[llm.ToolInput] = []

    def note(deltas: Iterable[Delta]) -> None:
        for found in deltas:
            if "tool_calls" in found:
                calls.extend(found["tool_calls"] or ())
            elif (found.get("content") or "").strip():
                calls.clear()

    try:
        for begin in range(0, len(thinking), _PART):
            note(text.feed(thinking[begin : begin + _PART]))
            await asyncio.sleep(0)
    except ModelError:
        return []
    note(text.end())
    return [
        call for call in calls if names.resolve(call.tool_name) and not isinstance(call, UnreadCall)
    ]


@dataclass
class TextCalls(TextFilter):
    """Finds calls in a streamed text.

    - The output, joined, is the input without the calls, their tags, and the space after them.
    - An object within another is not a call.
    - A malformed call is not spoken; it is an UnreadCall. One without an end raises ModelError.
    - If `completion` reports a truncated message, its last call is an UnreadCall if incomplete.
    - Template marks are not spoken.
    """

    names: Names
    completion: Completion | None = None
    _line: str = ""  # The end of the output: its last line decides whether a call may begin.
    _fresh: bool = True  # There is no output yet, or none since a call.
    _after_call: bool = False
    _gap: bool = False  # A call was removed after the output.
    _passing: Braces | None = None

    @override
    def feed(self, piece: str) -> list[Delta]:
        if len(self._held) > _LONGEST:
            raise ModelError(Reason.CUT_SHORT, "A call of which no end came")
        return super().feed(piece)

    def _say(self, length: int) -> None:
        """Put out `length` characters, after a space if a call was removed between two words."""
        text = self._take(length)
        if self._gap and self._line and not self._line[-1].isspace():
            text = f" {text}"
        self._gap = False
        self._fresh = self._fresh and not any(map(str.isalnum, text))
        self._line = (self._line + text)[-_LOOK_BACK:]
        self._put(text)

    def _call(self, length: int, calls: Iterable[llm.ToolInput]) -> None:
        LOGGER.debug("Not said: %s", self._take(length))
        self._fresh = self._after_call = True
        self._out.append({"tool_calls": [*map(WrittenCall.of, calls)]})

    @override
    def _step(self, reader: Reader) -> None:
        if reader.is_final and self.completion:
            reader.is_whole = self.completion.finish_reason == "stop"
        if self._after_call:
            self._drop_closing(reader)
        elif self._passing:
            self._pass_on(self._passing, reader)
        elif before := self._before_start(final=reader.is_final):
            self._say(before)
        else:
            try:
                if written.skip_result(reader):
                    self._take(reader.position)
                    return
                if calls := self._read_calls(reader):
                    self._call(reader.position, calls)
                    return
            except NoCall:
                if reader.called and (reader.is_sure or reader.at_end):
                    reader.position = 0
                    written.skip_to_closing(reader)
                    given = {BROKEN: self._held[: reader.position]}
                    self._call(reader.position, [UnreadCall(reader.called, given)])
                    return
            self._pass_by(Reader(self._held, is_final=reader.is_final))

    def _pass_on(self, passing: Braces, reader: Reader) -> None:
        """Put out the rest of JSON that is not a call, without marks."""
        if self._held[0] in "<[" and (read_mark(reader) or skip_broken_mark(reader)):
            self._take(reader.position)
            return
        start = _MARK.search(self._held, 1)
        piece = self._held[: start.start()] if start else self._held
        length = passing.end_in(piece)
        if length is not None:
            self._passing = None
        self._say(length or len(piece))

    def _before_start(self, *, final: bool) -> int:
        """Return the number of characters that certainly precede any call."""
        line = "" if self._gap else self._line
        text = line + self._held
        for start in _START.finditer(text, len(line)):
            position = start.start()
            before = text[max(0, position - _LOOK_BACK) : position]
            is_word = text[position].isalpha() or text[position] == "_"
            if is_word and not _BEGINNING.fullmatch(before.rpartition("\n")[2]):
                continue
            if is_word and (word := _WORD.match(text, position)):
                is_whole = final or word.end() < len(text) or len(word[0]) > LONGEST_NAME
                is_begun = self.names.begins_call(word[0]) or _ASSIGNED.match(text, position)
                if is_whole and not is_begun:
                    continue
            return position - len(line)
        return len(self._held)

    def _read_calls(self, reader: Reader) -> list[llm.ToolInput]:
        """Read the calls that the held text begins with. Raises NoCall, Unfinished."""
        self._skip_label(reader)
        fenced = reader.peek() == "`"
        announced = reader.peek() in {*"`<[◁✿"} and written.skip_opening(reader)
        if reader.skip("functools"):
            announced = written.skip_opening(reader) or announced
        known_only = not self._fresh and (fenced or not announced)
        begin, first = reader.position, reader.peek()
        if reader.skip("["):
            reader.space()
            first += reader.peek()
        reader.position = begin
        mark = mark_ahead(reader)
        match first:
            case "{" | "[{":
                reader.loose = announced and not fenced
                return read_calls(reader, self.names)
            case '"' | '["' if announced:
                return read_quoted(reader, self.names)
            case _ if first == "<" or (mark and mark.value):
                read = written.read_tagged
            case _:
                read = partial(written.read_functions, known_only=known_only)
        try:
            return read(reader, self.names)
        except NoCall:
            if reader.is_sure or fenced or not announced:
                raise
        reader.position = begin
        return written.read_named(reader, self.names)

    def _skip_label(self, reader: Reader) -> None:
        """Consume what precedes a call in a list or a report: "1. **Action:** `"."""
        while True:
            reader.run(_ITEM, "{0,40}")
            begin = reader.position
            if mark_ahead(reader) is None:
                reader.skip("[")
            if not self.names.is_label(reader.run(r"\w")):
                reader.run(r"[ \t]")
                if not reader.skip("="):
                    break
        reader.position = begin
        # Within a sentence, a call in backticks is only mentioned.
        if not self._gap and not _BEGINNING.fullmatch(self._line.rpartition("\n")[2]):
            return
        if reader.skip("```"):
            reader.position = begin
        else:
            reader.skip("`")

    def _pass_by(self, reader: Reader) -> None:
        """Put out text that looked like the beginning of a call; only drop its tag."""
        if self._held[0] == "{":
            self._passing = Braces()
        elif self._held.startswith(_NO_FENCES):
            self._say(len(_NO_FENCES) // 2)
        elif read_mark(reader) or skip_broken_mark(reader, in_word=self._line[-1:].isalnum()):
            self._take(reader.position)
        else:
            self._say(1)

    def _drop_closing(self, reader: Reader) -> None:
        """Drop a call's closing marks, with the space around them."""
        reader.run(_BETWEEN)
        while written.skip_closing(reader) or written.skip_result(reader):
            reader.run(_BETWEEN)
        self._after_call = False
        self._gap = True
        self._take(reader.position)
