r"""Convert a model's text to plain text that can be spoken.

Models write Markdown, emoji and JSON, whatever the prompt asks for. Speech has none of it:

    **Kitchen light**: on 👍                 Kitchen light: on
    - `light.kitchen`\n- Lamp                 light.kitchen.\nLamp.
    [the manual](https://example.org)        the manual
    | Room | Lights |\n|---|---|              Room, Lights.
    {"lights": ["Lamp"]}

Ordinary text stays unchanged: 3 * 4 * 5, snake_case, -5 °C, #1, <3, a URL.
"""

import re
from typing import override

from ..client import Delta, Deltas
from .marks import read_mark
from .reader import Braces, Reader, TextFilter, Unfinished

_EMOJI = (
    "\U0001f000-\U0001faff"  # pictographs, flags, skin tones
    "\u2600-\u2775\u2794-\u27bf"  # symbols and dingbats, except numbers
    "\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u231a\u231b\u23e9-\u23f3\u23f8-\u23fa"
    "\ufe0f\u20e3\U000e0020-\U000e007f"  # modifiers that turn a character into an emoji
)
_PLAIN = re.compile(rf"[^\s*_~`\[!<{{\\\u200d{_EMOJI}]+")
_DROPPED = re.compile(rf"[{_EMOJI}]")
_JOINER = "\u200d"  # joins emoji, and letters of some scripts
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\n+")
_LINE = re.compile(r"[^\n]*")
_EMPHASIS = re.compile(r"\*+|_+|~+|`+")
# The beginning of a line: an item, a heading or a quote; a rule; a fence; a row; a number.
_INDENT = r"[^\S\n]*"
_ITEM = re.compile(rf"{_INDENT}([-*+•]|#{{1,6}}|>+)[^\S\n]+")
_RULE = re.compile(rf"{_INDENT}([-*_=])\1{{2,}}{_INDENT}(?:\n|\Z)")
_FENCE = re.compile(rf"{_INDENT}(?:```|~~~+){_INDENT}[^\n`]*(?:\n|\Z)")
_ROW = re.compile(rf"{_INDENT}(\|[^\n]*)")
_NUMBER = re.compile(rf"{_INDENT}\d{{1,3}}[.)] ")
_LINE_BEGUN = re.compile(
    rf"{_INDENT}(?:([-*_=~`#>+•])\1*{_INDENT}|(?:```|~~~+)[^\n`]*|\|[^\n]*|\d{{1,3}}[.)]?)?"
)
_TABLE_RULE = re.compile(r"[|\s:=-]+")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\(((?:[^()\n]|\([^()\n]*\))*)\)")
_LINK_BEGUN = re.compile(
    r"\[[^\[\]\n]{0,200}(?:\](?:\((?:[^()\n]|\([^()\n]*\)){0,500}(?:\([^()\n]*)?)?)?"
)
# An HTML tag; a closing tag of any name, and an opening tag in a program's style.
_TAG = r"</?(?i:(?P<line>br|p|li)|a|b|code|div|em|h[1-6]|hr|i|ol|pre|s|small|span|strong|sub|sup|u|ul)[ /]*"
_ELEMENT = re.compile(rf"{_TAG}>|</[\w:.-]{{1,60}} ?>|<[A-Z]?[a-z]+(?:[A-Z][a-z]+)+>")
_ELEMENT_BEGUN = re.compile(rf"{_TAG}|</[\w:.-]{{0,60}} ?|<[A-Z]?[a-z]*(?:[A-Z][a-z]*)*")
_ADDRESS = re.compile(r"[^\s<>]{0,500}")
_ENDS_SENTENCE = ".!?:;,…。！？：；，、"
# Characters of a word that decide whether it is an address.
_WORD = 100


def speech(stream: Deltas, *, keep_formatting: bool = False) -> Deltas:
    """Convert a stream's text to plain text; only possible marks are held back."""
    return stream if keep_formatting else Speech().of(stream)


class Speech(TextFilter):
    """Converts Markdown in pieces to plain text.

    - Ordinary text is passed on unchanged, except for space at both ends.
    - Words are never held back; marks are, until it is clear what they are.
    - No text makes it raise.
    """

    def __init__(self) -> None:
        """Start a text."""
        super().__init__()
        self._marks = {
            **dict.fromkeys("*_~`", self._emphasis),
            **dict.fromkeys("[{", self._bracket),
            "<": self._tag,
            "!": self._exclamation,
            "\\": self._escape,
        }
        self._last = ""  # the end of the output
        self._before = "\n"  # the last character of the input
        self._recent = ""  # the end of the input, with its last word
        self._space: list[str] = []  # is put out when text follows
        self._line_begins = True
        self._item = False  # The line is an item or a heading: a sentence of its own.
        self._open: list[str] = []  # emphasis that has begun
        self._in_code = False  # between backticks
        self._json: Braces | None = None
        self._code: list[str] | None = None  # the lines of an open code block
        self._dropped = False

    @override
    def end(self) -> list[Delta]:
        said = super().end()
        self._say_code()
        self._end_line()
        return said + self._clear(final=True)

    @override
    def _step(self, reader: Reader) -> None:
        if self._json:
            end = self._json.end_in(self._held)
            if end is not None:
                self._json = None
            self._drop(len(self._held) if end is None else end)
        elif self._code is not None:
            self._read_code(reader)
        elif self._line_begins:
            self._begin_line(reader)
        elif lines := _LINES.match(self._held):
            self._end_line()
            self._space.append(self._take(lines.end()))
        elif blanks := _SPACES.match(self._held):
            self._blank(self._take(blanks.end()))
        elif mark := self._marks.get(character := self._held[0]):
            mark(reader)
        elif _DROPPED.match(character) or (character == _JOINER and self._dropped):
            self._drop(1)
        else:
            plain = _PLAIN.match(self._held)
            self._say(self._take(plain.end() if plain else 1))

    def _drop(self, length: int) -> None:
        self._take(length)
        self._dropped = True

    @override
    def _take(self, length: int) -> str:
        if taken := super()._take(length):
            self._before = taken[-1]
            self._recent = (self._recent + taken)[-_WORD:]
        return taken

    def _say(self, text: str) -> None:
        if self._last and not (self._dropped and text[0] in _ENDS_SENTENCE):
            self._put("".join(self._space))
        self._space.clear()
        self._dropped = False
        self._put(text)
        self._last = text[-1]

    def _blank(self, space: str) -> None:
        """Hold space until text follows; once, if something between was dropped."""
        if not self._dropped:
            self._space.append(space)
        elif not self._space:
            self._space.append(space[:1])

    def _begin_line(self, reader: Reader) -> None:
        """Drop the marks of a heading, a quote, an item, a rule, a table, or code."""
        if not reader.is_final and _LINE_BEGUN.fullmatch(self._held):
            raise Unfinished
        if row := _ROW.match(self._held):
            self._take(row.end())
            self._read_row(row[1])
        elif rule := _RULE.match(self._held):
            self._take(rule.end())
        elif fence := _FENCE.match(self._held):
            self._take(fence.end())
            self._code = []
        elif item := _ITEM.match(self._held):
            self._item = item[1][0] != ">"
            self._take(item.end())
        else:
            self._item = self._item or _NUMBER.match(self._held) is not None
            if indent := _SPACES.match(self._held):
                self._blank(self._take(indent.end()))
            self._line_begins = False

    def _end_line(self) -> None:
        """End a sentence without punctuation, such as an item or a heading."""
        self._open.clear()
        self._in_code = False
        if self._item and self._last not in _ENDS_SENTENCE and not self._line_begins:
            self._space.clear()
            self._say(".")
        self._item = False
        self._line_begins = True

    def _read_row(self, row: str) -> None:
        """Read a row's cells as a sentence."""
        cells = [cell for part in row.split("|") if (cell := part.strip())]
        if _TABLE_RULE.fullmatch(row) or not cells:
            self._take(1)
            return
        self._held = ", ".join(cells) + self._held
        self._item = True
        self._line_begins = False

    def _read_code(self, reader: Reader) -> None:
        line = reader.run(_LINE)
        reader.skip("\n")
        taken = self._take(reader.position)
        assert self._code is not None
        if line.strip() in ("```", "~~~"):
            self._say_code()
            self._line_begins = True
        else:
            self._code.append(taken)

    def _say_code(self) -> None:
        """Put out the content of a finished code block, unless it is JSON."""
        code, self._code = self._code, None
        if (text := "".join(code or ()).strip()) and text[0] not in "{[":
            self._say(text)
            self._space = ["\n"]

    def _emphasis(self, reader: Reader) -> None:
        """Drop marks of emphasis; keep the same characters in other uses."""
        marks, before = reader.run(_EMPHASIS), self._before
        after = reader.peek() or "\n"
        self._take(len(marks))
        if marks[0] == "`":
            self._in_code = not self._in_code
        elif self._in_code or "://" in re.split(r"\s", self._recent)[-1]:
            self._say(marks)
        elif (
            marks in self._open
            and not before.isspace()
            and (marks[0] != "_" or not after.isalnum())
        ):
            self._open.remove(marks)
        elif _opens(marks, before, after):
            self._open.append(marks)
        else:
            self._say(marks)

    def _bracket(self, reader: Reader) -> None:
        """Drop JSON, and the address of a link."""
        opening = reader.skip("{", "[")
        reader.space()
        after = reader.peek()
        if after and after in ("\"'{}" if opening == "{" else '"{'):
            self._json = Braces()
        elif link := _LINK.match(self._held):
            self._before = "["
            self._held = link[1] + self._held[link.end() :]
        elif _LINK_BEGUN.fullmatch(self._held) and not reader.is_final:
            raise Unfinished
        else:
            self._say(self._take(1))

    def _exclamation(self, reader: Reader) -> None:
        """Drop the mark of an image, which is a link otherwise."""
        is_image = self._before.isspace() and not self._in_code
        rest = self._held[1:]
        if is_image and not reader.is_final and (not rest or _LINK_BEGUN.fullmatch(rest)):
            raise Unfinished
        mark = self._take(1)
        if not is_image or not _LINK.match(self._held):
            self._say(mark)

    def _tag(self, reader: Reader) -> None:
        """Drop a tag of HTML or of a chat template; keep the address in `<https://…>`."""
        if read_mark(reader):
            self._take(reader.position)
            return
        reader.skip("<")
        if scheme := reader.skip("https://", "http://"):
            address = scheme + reader.run(_ADDRESS)
            if reader.skip(">"):
                self._held = address + self._held[reader.position :]
                return
        if element := _ELEMENT.match(self._held):
            self._take(element.end())
            if element["line"]:
                self._blank("\n")
        elif _ELEMENT_BEGUN.fullmatch(self._held) and not reader.is_final:
            raise Unfinished
        else:
            self._say(self._take(1))

    def _escape(self, reader: Reader) -> None:
        """Drop the backslash before a mark, and keep the mark."""
        reader.position += 1
        is_of_mark = reader.peek() in {*"*_`~#[](){}<>!|-+.\\"}
        self._take(1)
        self._say(self._take(1) if is_of_mark else "\\")


def _opens(marks: str, before: str, after: str) -> bool:
    if after.isspace() or marks == "~":
        return False
    if marks[0] == "_":
        return not before.isalnum() and (after.isalnum() or after in "*\"'(")
    # Within a word only double marks are emphasis, as in 你**好**; 3*4 and 2**8 are arithmetic.
    return not before.isalnum() or (len(marks) > 1 and not before.isdigit())
