r"""What a model says, as plain text that can be spoken.

Models write Markdown, emoji and JSON, whatever they are told. What is spoken has none of it:

    **Kitchen light**: on 👍                 Kitchen light: on
    - `light.kitchen`\n- Lamp                 light.kitchen.\nLamp.
    [the manual](https://example.org)        the manual
    | Room | Lights |\n|---|---|              Room, Lights.
    {"lights": ["Lamp"]}

Ordinary text is left as it is: 3 * 4 * 5, snake_case, -5 °C, #1, <3, a URL.
"""

import re

from ..client import Deltas
from .braces import Braces
from .reader import filtered

_EMOJI = (
    "\U0001f000-\U0001faff"  # pictographs, flags, skin tones
    "\u2600-\u2775\u2794-\u27bf"  # symbols and dingbats, but numbers
    "\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u231a\u231b\u23e9-\u23f3\u23f8-\u23fa"
    "\ufe0f\u20e3\U000e0020-\U000e007f"  # what makes an emoji of a character
)
_PLAIN = re.compile(rf"[^\s*_~`\[!<{{\\\u200d{_EMOJI}]+")
_DROPPED = re.compile(rf"[{_EMOJI}]")
_JOINER = "\u200d"  # joins emoji, and letters of some scripts
_BLANKS = re.compile(r"[^\S\n]*")
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\n+")
_RUN = re.compile(r"\*+|_+|~+|`+")
# What a line begins with: a heading, a quote, an item.
_BLOCK = re.compile(r"(?:#{1,6}|>+|[-*+•])[ \t]+")
_BLOCK_BEGUN = re.compile(r"(?:#{1,6}|>+|[-*+•])[ \t]*")
_ITEM = re.compile(r"\d{1,3}[.)] ")
_ITEM_BEGUN = re.compile(r"\d{1,3}[.)]?")
_RULE = re.compile(r"([-*_=])\1{2,}[ \t]*(?:\n|$)")
_RULE_BEGUN = re.compile(r"([-*_=])\1*[ \t]*")
_FENCE = re.compile(r"(?:```|~~~)[^\n`]*(?:\n|$)")
_FENCE_BEGUN = re.compile(r"`{1,2}|~{1,2}|(?:```|~~~)[^\n`]*")
_TABLE_RULE = re.compile(r"[|\s:=-]+")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\(((?:[^()\n]|\([^()\n]*\))*)\)")
_LINK_BEGUN = re.compile(
    r"\[[^\[\]\n]{0,200}(?:\](?:\((?:[^()\n]|\([^()\n]*\)){0,500}(?:\([^()\n]*)?)?)?"
)
_TAG = re.compile(r"<(?:\|[^<>|\n]{1,40}\||/?([a-zA-Z]+\d?|end_of_turn|start_of_turn))[ /]*>")
_TAG_BEGUN = re.compile(r"<(?:\|[^<>|\n]{0,40}\|?|/?([a-zA-Z_]*\d?)[ /]*)")
_TAGS = (
    *("a", "b", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "li"),
    *("ol", "p", "pre", "s", "small", "span", "strong", "sub", "sup", "u", "ul"),
    *("end_of_turn", "start_of_turn", "bos", "eos"),
)
_ADDRESS = re.compile(r"<(https?://[^\s<>]*)>")
_ADDRESS_BEGUN = re.compile(r"<(?:h|ht|htt|https?:?/?|https?://[^\s<>]{0,500})")
_JSON_BEGUN = re.compile(r"[\[{]\s*")
_ENDS_SENTENCE = ".!?:;,…。！？：；，、"
# Letters of a word that tell whether it is an address.
_WORD = 100
# What is held back is read again when it has grown by this part: not at each letter of a long line.
# What is read in all then grows no faster than what comes.
_GROWTH = 1 / 8


def speech(stream: Deltas, *, keep_formatting: bool = False) -> Deltas:
    """Make plain text of what a stream says; all else passes as it came.

    Ordinary words pass at once: only what may be a mark waits for what comes after it.
    """
    text = Speech()
    return stream if keep_formatting else filtered(stream, text.feed, text.end)


class Speech:
    """Makes plain text of Markdown that comes in pieces.

    - Ordinary text comes out as it came in, but for space at its two ends.
    - Words are never held back; marks are, until it is clear what they are.
    - No text makes it raise.
    - However the text is split, it takes time that grows with its length alone.
    """

    def __init__(self) -> None:
        """Begin a text."""
        self._marks = {
            **dict.fromkeys("*_~`", self._emphasis),
            **dict.fromkeys("[{", self._bracket),
            "<": self._tag,
            "!": self._exclamation,
            "\\": self._escape,
        }
        self._held = ""
        self._due = 0
        """The length of what is held with which it is read again."""
        self._out = ""
        self._last = ""
        """What was said last."""
        self._before = "\n"
        """What was written last."""
        self._recent = ""
        """The end of what was written: the word that is being written is in it."""
        self._space: list[str] = []
        """Space that is said when something comes after it."""
        self._line_begins = True
        self._item = False
        """Whether the line is an item or a heading: a sentence of its own."""
        self._open: list[str] = []
        """Emphasis that has begun."""
        self._in_code = False
        """Whether between backticks."""
        self._json: Braces | None = None
        self._code: list[str] | None = None
        """What a block of code had so far."""
        self._dropped = False

    def feed(self, piece: str) -> str:
        """Take a piece; return what can be said now."""
        self._held += piece
        return self._clear(final=False) if len(self._held) >= self._due else ""

    def end(self) -> str:
        """Return what is left when nothing more comes."""
        # What was not read again for its last few letters is, as if there were more to come.
        said = self._clear(final=False) + self._clear(final=True)
        self._say_code()
        self._end_line()
        said += self._out
        self._out = ""
        return said

    def _clear(self, *, final: bool) -> str:
        while self._held and self._step(final=final):
            pass
        self._due = len(self._held) + int(len(self._held) * _GROWTH)
        said, self._out = self._out, ""
        return said

    def _step(self, *, final: bool) -> bool:
        """Take the next part of what is held; tell whether it is clear what it is."""
        if self._json:
            end = self._json.end_in(self._held)
            if end is not None:
                self._json = None
            self._take(len(self._held) if end is None else end)
            self._dropped = True
            return True
        if self._code is not None:
            return self._code_line(final=final)
        if self._line_begins:
            return self._begin_line(final=final)
        if lines := _LINES.match(self._held):
            self._end_line()
            self._space.append(self._take(lines.end()))
            return True
        if blanks := _SPACES.match(self._held):
            self._blank(self._take(blanks.end()))
            return True
        character = self._held[0]
        if mark := self._marks.get(character):
            return mark(final)
        if _DROPPED.match(character) or (character == _JOINER and self._dropped):
            self._take(1)
            self._dropped = True
            return True
        plain = _PLAIN.match(self._held)
        self._say(self._take(plain.end() if plain else 1))
        return True

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        if taken:
            self._before = taken[-1]
            self._recent = (self._recent + taken)[-_WORD:]
        return taken

    def _word(self) -> str:
        """Return the word that is being written."""
        *_, word = ("", *self._recent.split())
        return "" if self._recent[-1:].isspace() else word

    def _say(self, text: str) -> None:
        if self._last and not (self._dropped and text[0] in _ENDS_SENTENCE):
            self._out += "".join(self._space)
        self._space.clear()
        self._dropped = False
        self._out += text
        self._last = text[-1]

    def _blank(self, space: str) -> None:
        """Keep space for what comes after it; once, where something between was dropped."""
        if not self._dropped:
            self._space.append(space)
        elif not self._space:
            self._space.append(space[:1])

    def _begin_line(self, *, final: bool) -> bool:
        """Drop what marks a line as a heading, a quote, an item, a rule, a table, or code."""
        blanks = _BLANKS.match(self._held)
        indent = blanks.end() if blanks else 0
        rest = self._held[indent:]
        begun = (_BLOCK_BEGUN, _ITEM_BEGUN, _RULE_BEGUN, _FENCE_BEGUN)
        if not final and (not rest or any(pattern.fullmatch(rest) for pattern in begun)):
            return False
        if rule := _RULE.match(rest):
            self._take(indent + rule.end())
            return True
        if fence := _FENCE.match(rest):
            self._take(indent + fence.end())
            self._code = []
            return True
        if rest.startswith("|"):
            return self._table_row(indent, final=final)
        if block := _BLOCK.match(rest):
            self._item = rest[0] != ">"
            self._take(indent + block.end())
            return True
        self._item = self._item or _ITEM.match(rest) is not None
        if indent:
            self._blank(self._take(indent))
        self._line_begins = False
        return True

    def _end_line(self) -> None:
        """End a sentence that is one by its place only."""
        self._open.clear()
        self._in_code = False
        if self._item and self._last not in _ENDS_SENTENCE and not self._line_begins:
            self._space.clear()
            self._say(".")
        self._item = False
        self._line_begins = True

    def _table_row(self, indent: int, *, final: bool) -> bool:
        """Read a row's cells as a sentence."""
        end = self._held.find("\n")
        if end < 0 and not final:
            return False
        row = self._take(len(self._held) if end < 0 else end)[indent:]
        cells = [cell for part in row.split("|") if (cell := part.strip())]
        if _TABLE_RULE.fullmatch(row) or not cells:
            self._take(1)
            return True
        self._held = ", ".join(cells) + self._held
        self._item = True
        self._line_begins = False
        return True

    def _code_line(self, *, final: bool) -> bool:
        end = self._held.find("\n")
        if end < 0 and not final:
            return False
        line = self._take(len(self._held) if end < 0 else end + 1)
        assert self._code is not None
        if line.strip() in ("```", "~~~"):
            self._say_code()
            self._line_begins = True
        else:
            self._code.append(line)
        return True

    def _say_code(self) -> None:
        """Say what is in a block of code that has ended, if there is one, unless it is JSON."""
        code, self._code = self._code, None
        if (text := "".join(code or ()).strip()) and text[0] not in "{[":
            self._say(text)
            self._space = ["\n"]

    def _emphasis(self, final: bool) -> bool:
        """Drop marks of emphasis; keep what only looks like them."""
        run = _RUN.match(self._held)
        assert run
        length = run.end()
        if length == len(self._held) and not final:
            return False
        marks, before = run[0], self._before
        after = self._held[length : length + 1] or "\n"
        self._take(length)
        if marks[0] == "`":
            self._in_code = not self._in_code
        elif self._in_code or "://" in self._word():
            self._say(marks)
        elif marks in self._open and self._closes(marks, before, after):
            self._open.remove(marks)
        elif self._opens(marks, before, after):
            self._open.append(marks)
        else:
            self._say(marks)
        return True

    @staticmethod
    def _opens(marks: str, before: str, after: str) -> bool:
        if after.isspace() or marks == "~":
            return False
        if marks[0] == "_":
            return not before.isalnum() and (after.isalnum() or after in "*\"'(")
        # Within a word only two are emphasis, as in 你**好**; 3*4 and 2**8 are sums.
        return not before.isalnum() or (len(marks) > 1 and not before.isdigit())

    @staticmethod
    def _closes(marks: str, before: str, after: str) -> bool:
        return not before.isspace() and (marks[0] != "_" or not after.isalnum())

    def _bracket(self, final: bool) -> bool:
        """Leave out JSON, and the address of a link."""
        begun = _JSON_BEGUN.match(self._held)
        assert begun
        after = self._held[begun.end() : begun.end() + 1]
        if not after and not final:
            return False
        if after and after in ("\"'{}" if self._held[0] == "{" else '"{'):
            self._json = Braces()
            return True
        if link := _LINK.match(self._held):
            self._before = "["
            self._held = link[1] + self._held[link.end() :]
            return True
        if self._held[0] == "[" and _LINK_BEGUN.fullmatch(self._held) and not final:
            return False
        self._say(self._take(1))
        return True

    def _exclamation(self, final: bool) -> bool:
        """Drop the mark of an image, which is a link otherwise."""
        image = self._before.isspace() and not self._in_code
        if image and not final and (self._held == "!" or _LINK_BEGUN.fullmatch(self._held[1:])):
            return False
        mark = self._take(1)
        if not image or not _LINK.match(self._held):
            self._say(mark)
        return True

    def _tag(self, final: bool) -> bool:
        """Drop a tag of HTML or of a chat template; keep the address in `<https://…>`."""
        if address := _ADDRESS.match(self._held):
            self._held = address[1] + self._held[address.end() :]
            return True
        if not final and _ADDRESS_BEGUN.fullmatch(self._held):
            return False
        if (tag := _TAG.match(self._held)) and (not tag[1] or tag[1].lower() in _TAGS):
            self._take(tag.end())
            if tag[1] in ("br", "p", "li"):
                self._blank("\n")
            return True
        begun = _TAG_BEGUN.fullmatch(self._held)
        if not final and begun and any(name.startswith((begun[1] or "").lower()) for name in _TAGS):
            return False
        self._say(self._take(1))
        return True

    def _escape(self, final: bool) -> bool:
        """Drop the backslash before a mark, and keep the mark."""
        if len(self._held) == 1 and not final:
            return False
        marked = self._held[1:2] in set("*_`~#[](){}<>!|-+.\\")
        self._take(1)
        self._say(self._take(1) if marked and self._held else "\\")
        return True
