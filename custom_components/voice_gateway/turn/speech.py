r"""Convert a model's text to plain text that can be spoken, sentence by sentence.

Models write Markdown, emoji and JSON, whatever the prompt asks for. Speech has none of it:

    **Kitchen light**: on 👍                 Kitchen light: on
    - `light.kitchen`\n- Lamp                 light.kitchen.\nLamp.
    [the manual](https://example.org)        the manual
    | Room | Lights |\n|---|---|              Room, Lights.
    {"lights": ["Lamp"]}
    \boxed{on}                               on

Ordinary text stays unchanged: 3 * 4 * 5, snake_case, -5 °C, #1, <3, a URL.
"""

from contextlib import aclosing
from dataclasses import dataclass, field
import re
from typing import override

from ..models.client import Delta, Deltas
from ..models.text.marks import read_mark
from ..models.text.reader import Braces, Reader, TextFilter, Unfinished

_EMOJI = (
    "\U0001f000-\U0001faff"  # pictographs, flags, skin tones
    "\u2600-\u2775\u2794-\u27bf"  # symbols and dingbats, except numbers
    "\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u231a\u231b\u23e9-\u23f3\u23f8-\u23fa"
    "\ufe0f\u20e3\U000e0020-\U000e007f"  # modifiers that turn a character into an emoji
)
_JOINER = "\u200d"  # joins emoji, and letters of some scripts
# The end of a sentence or a line; and what may go on after it: a link, a tag, JSON, a table's row.
_END = re.compile(r"\n|[.!?…।؟:;][^\s\w]*[^\S\n]|[。！？][\"'”’»)\]]*")
_OPEN = re.compile(
    r"【[^【】\n]*\Z|\[[^\[\]\n]*(?:\]\((?:[^()\n]|\([^()\n]*\))*(?:\([^()\n]*)?)?\Z|<(?=\s?[/\\]|[|｜‖A-Za-z])[^<>\n]*\Z"
    r"|\\[a-z]+\{(?:[^{}\n]|\{[^{}\n]*\})*(?:\{[^{}\n]*)?\Z"
)
_WHOLE_LINE = re.compile(r"\s*(?:(?:[-*+•]|#{1,6}|>+)[^\S\n]+)*(?:\||```|~~~)[^\n]*\Z")
_BRACKET = re.compile(r"[\[{]\s*\Z")
# Characters after which neither is awaited.
_LONGEST, _LONGEST_OPEN = 300, 700
# The beginning of a line: an item, a heading or a quote; a rule; a fence; a row; a number.
_INDENT = r"[^\S\n]*"
_ITEM = re.compile(rf"{_INDENT}([-*+•]|#{{1,6}}|>+)[^\S\n]+")
_RULE = re.compile(rf"{_INDENT}([-*_=])\1{{2,}}{_INDENT}(?:\n|\Z)")
_FENCE = re.compile(rf"{_INDENT}(?:```|~~~+){_INDENT}[^\n`]*(?:\n|\Z)")
_ROW = re.compile(rf"{_INDENT}(\|[^\n]*)")
_NUMBER = re.compile(rf"{_INDENT}\d{{1,3}}[.)] ")
_TABLE_RULE = re.compile(r"[|\s:=-]+")
# An HTML tag; a closing tag of any name, and an opening tag in a program's style.
_ELEMENT = (
    r"</?(?i:(?P<line>br|p|li)|a|b|code|div|em|h[1-6]|hr|i|ol|pre|s|small|span|strong|sub|sup|u|ul)[ /]*>"
    r"|</[\w:.-]{1,60} ?>|<[A-Z]?[a-z]+(?:[A-Z][a-z]+)+>|<0x[0-9A-F]{2}>|【[^【】\n]*†[^【】\n]*】"
)
_TOKEN = re.compile(
    rf"(?P<lines>\n+)|(?P<blank>[^\S\n]+)|(?P<emphasis>\*+|_+|~+|`+)|(?P<dropped>[{_EMOJI}])"
    r"|(?P<json>\{(?=\s*[\"'{}])|\[(?=\s*[\"{]))|<(?P<address>https?://[^\s<>]{0,500})>"
    r"|\[(?P<link>[^\[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)"
    r"|(?P<image>!)(?=\[[^\[\]\n]*\]\((?:[^()\n]|\([^()\n]*\))*\))"
    r"|\\[a-z]+\{(?P<formula>(?:[^{}\n]|\{[^{}\n]*\})*)\}"
    rf"|(?P<element>{_ELEMENT})|\\(?P<escaped>[*_~`#\[\](){{}}<>!|.+\\-])"
    rf"|(?P<plain>[^\s*_~`\[!<{{\\【{_JOINER}{_EMOJI}]+|.)"
)
_ENDS_SENTENCE = ".!?:;,…。！？：；，、"


def speech(stream: Deltas, *, keep_formatting: bool = False) -> Deltas:
    """Convert a stream's text to plain text, which comes by whole sentences."""
    return stream if keep_formatting else Speech().of(stream)


@dataclass
class Speech(TextFilter):
    """Converts Markdown in pieces to plain text.

    - Ordinary text is passed on unchanged, except for space at both ends.
    - A sentence is passed on at its end, or after `_LONGEST` characters.
    - No text makes it raise.
    """

    _last: str = ""  # the end of the output
    _before: str = "\n"  # the last character of the input
    _space: list[str] = field(default_factory=list)  # is put out when text follows
    _line_begins: bool = True
    _item: bool = False  # The line is an item or a heading: a sentence of its own.
    _emphasis: list[str] = field(default_factory=list)  # has begun
    _in_code: bool = False  # between backticks
    _in_address: bool = False
    _json: Braces | None = None
    _code: list[str] | None = None  # the lines of an open code block
    _dropped: bool = False

    @override
    async def of(self, stream: Deltas) -> Deltas:
        """Filter a stream; what was written before it fails is spoken, too."""
        async with aclosing(super().of(stream)) as parts:
            try:
                async for part in parts:
                    yield part
            except Exception:
                for part in self.end():
                    yield part
                raise

    @override
    def end(self) -> list[Delta]:
        said = super().end()
        self._say_code()
        self._end_line()
        return said + self._clear(final=True)

    @override
    def _step(self, reader: Reader) -> None:
        text = self._take(self._end(final=reader.is_final))
        if self._code is not None:
            self._read_code(text)
            return
        if self._line_begins:
            text = self._begin_line(text)
        while text:
            text = self._read_token(text)

    def _end(self, *, final: bool) -> int:
        """Return the end of the held sentence, or of its line. Raises Unfinished."""
        text, length = self._held, len(self._held)
        ends = [found.end() for found in _END.finditer(text, 0, _LONGEST_OPEN)]
        if length > _LONGEST:
            ends.append(text.rfind(" ") + 1 or length)
        for end in ends:
            if self._code is not None and text[end - 1] != "\n":
                continue
            if self._line_begins and _WHOLE_LINE.match(text, 0, end):
                continue
            is_json = _BRACKET.search(text, 0, end) and text[end:].lstrip()[:1] in {*"\"'{}", ""}
            if not (is_json or _OPEN.search(text, 0, end)):
                return end
        if final or length > _LONGEST_OPEN:
            return text.find("\n") + 1 or length
        raise Unfinished

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

    def _begin_line(self, line: str) -> str:
        """Drop the marks of a heading, a quote, an item, a rule, a table, or code."""
        while True:
            if row := _ROW.match(line):
                cells = [cell for part in row[1].split("|") if (cell := part.strip())]
                is_rule = _TABLE_RULE.fullmatch(row[1]) or not cells
                self._item = not is_rule
                line = line[row.end() :].removeprefix("\n" if is_rule else "")
                self._line_begins = bool(is_rule)
                return line if is_rule else ", ".join(cells) + line
            if rule := _RULE.match(line):
                return line[rule.end() :]
            if fence := _FENCE.match(line):
                self._code = []
                return line[fence.end() :]
            if not (item := _ITEM.match(line)):
                break
            self._item = item[1][0] != ">"
            line = line[item.end() :]
        self._item = self._item or _NUMBER.match(line) is not None
        self._line_begins = not line
        return line

    def _end_line(self) -> None:
        """End a sentence without punctuation, such as an item or a heading."""
        self._emphasis.clear()
        self._in_code = False
        if self._item and self._last not in _ENDS_SENTENCE and not self._line_begins:
            self._space.clear()
            self._say(".")
        self._item = False
        self._line_begins = True

    def _read_code(self, line: str) -> None:
        assert self._code is not None
        if line.strip() in ("```", "~~~"):
            self._say_code()
            self._line_begins = True
        else:
            self._code.append(line)

    def _say_code(self) -> None:
        """Put out the content of a finished code block, unless it is JSON."""
        code, self._code = self._code, None
        if (text := "".join(code or ()).strip()) and text[0] not in "{[":
            self._say(text)
            self._space = ["\n"]

    def _read_token(self, text: str) -> str:
        """Read what a text begins with, and return the rest."""
        if self._json:
            if (end := self._json.end_in(text)) is not None:
                self._json = None
            self._dropped = True
            return "" if end is None else text[end:]
        if text[0] in "<[" and read_mark(reader := Reader(text)):
            return text[reader.position :]
        found = _TOKEN.match(text)
        assert found
        token, rest, before = found[0], text[found.end() :], self._before
        self._before = token[-1]
        kind = found.lastgroup
        begins_address = kind in ("plain", "address") and "://" in token
        self._in_address = begins_address or (self._in_address and not token.isspace())
        match kind:
            case "json":
                self._json = Braces()
                return text
            case "link" | "formula":
                self._before = "["
                return found[kind] + rest
            case "lines":
                self._end_line()
                self._space.append(token)
                return self._begin_line(rest)
            case "emphasis":
                self._read_emphasis(token, before, rest[:1] or "\n")
            case "image" if before.isspace() and not self._in_code:
                pass
            case _:
                self._read_plain(found)
        return rest

    def _read_plain(self, found: re.Match[str]) -> None:
        """Read a text, space, an escaped mark, an address, an emoji, or a tag."""
        match found.lastgroup:
            case "blank":
                self._blank(found[0])
            case "address" | "escaped" as name:
                self._say(found[name])
            case "element" if found["line"]:
                self._blank("\n")
            case "element":
                pass
            case "dropped":
                self._dropped = True
            case _ if not (self._dropped and found[0] == _JOINER):
                self._say(found[0])

    def _read_emphasis(self, marks: str, before: str, after: str) -> None:
        """Drop marks of emphasis; keep the same characters in other uses."""
        if marks[0] == "`":
            self._in_code = not self._in_code
        elif self._in_code or self._in_address:
            self._say(marks)
        elif (
            marks in self._emphasis
            and not before.isspace()
            and (marks[0] != "_" or not after.isalnum())
        ):
            self._emphasis.remove(marks)
        elif _opens(marks, before, after):
            self._emphasis.append(marks)
        else:
            self._say(marks)


def _opens(marks: str, before: str, after: str) -> bool:
    if after.isspace() or marks == "~":
        return False
    if marks[0] == "_":
        return not before.isalnum() and (after.isalnum() or after in "*\"'(")
    # Within a word only double marks are emphasis, as in 你**好**; 3*4 and 2**8 are arithmetic.
    return not before.isalnum() or (len(marks) > 1 and not before.isdigit())
