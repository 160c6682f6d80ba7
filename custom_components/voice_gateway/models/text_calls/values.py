"""Values as models write them: JSON, Python's literals, and mixtures.

Single and other quotes, trailing commas, doubled braces, keys without quotes, True and None,
strings in Gemma's quotes (`<escape>`, `<|"|>`) and with line breaks are accepted. If the reader is
`loose`, so are strings without quotes, "=" for a colon, comments, missing or surplus commas, and
the wrong bracket at the end.
"""

from collections.abc import Callable, Iterator
import math
import re
from typing import Any

from ..text.marks import mark_ahead
from ..text.reader import NoCall, Reader

type Watch = Callable[[str, dict[str, Any]], None]
"""Called with each key of an object, and the values before it; may raise NoCall."""

_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_INTEGER = re.compile(r"[-+]?\d{1,18}")
_FLOAT = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# The closing quotes of strings, by the opening ones.
_QUOTES = {
    **{quote: quote for quote in ('"""', '"', "'", '<|"|>', "<escape>", '\\"', "&quot;", "`")},
    "“": "”",
    "„": "“",
    "«": "»",
}
_QUOTED = frozenset("\"'<\\&`“„«")
# Python's prefixes of a string.
_PREFIXED = tuple(f"{prefix}{quote}" for prefix in "ubr" for quote in "\"'")
# Last characters of a complete value.
_COMPLETE = "\"'}])>”“»`;"
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def read_value(reader: Reader, depth: int = 0) -> Any:
    """Read one value. Raises NoCall."""
    if depth > 20:
        raise NoCall
    match reader.peek():
        case "{":
            return read_object(reader, depth=depth)
        case "[" | "(" as opening:
            reader.skip(opening)
            closing = "]" if opening == "[" else ")"
            return [read_value(reader, depth + 1) for _ in items_until(reader, closing)]
        case quote if quote in _QUOTED or reader.skip(*_PREFIXED):
            reader.position -= quote not in _QUOTED
            return read_string(reader)
    word = reader.run(r'[^,()\[\]{}=\n"]' if reader.loose else r"[-+.\w]").strip()
    if word in _WORDS:
        return _WORDS[word]
    if _INTEGER.fullmatch(word):
        return int(word)
    if _FLOAT.fullmatch(word) and math.isfinite(number := float(word)):
        return number
    if not (reader.loose and word):
        raise NoCall
    return word


def read_object(reader: Reader, watch: Watch | None = None, *, depth: int = 0) -> dict[str, Any]:
    """Read an object in one or more braces; a single one may close it. Raises NoCall."""
    braces = 0
    while reader.skip("{"):
        braces += 1
        reader.space()
    if not braces:
        raise NoCall
    values: dict[str, Any] = {}
    for _ in items_until(reader, "}"):
        key = read_string(reader) if reader.peek() in _QUOTED else reader.run(r"[-.\w]")
        if not key:
            raise NoCall
        if watch:
            watch(key, values)
        reader.space()
        if not (reader.loose and (reader.skip("=>", "->", ":=", "=") or reader.peek() in _QUOTED)):
            reader.expect(":")
        reader.space()
        values[key] = read_value(reader, depth + 1)
    for _ in range(1, braces):
        reader.skip("}")
    return values


def items_until(reader: Reader, closing: str) -> Iterator[None]:
    """Yield at each item up to the closing bracket, which a whole text may lack. Raises NoCall."""
    while True:
        _skip_space(reader)
        is_lenient = reader.loose and closing == "}"
        while is_lenient and reader.skip(","):
            _skip_space(reader)
        if reader.skip(closing):
            return
        yield
        end = reader.position
        if _lacks_end(reader, closing):
            return
        if reader.skip(",") or reader.peek() == closing or (is_lenient and reader.skip(";")):
            continue
        # The comma may be missing between two items that are clearly separate.
        is_apart = reader.peek() in _QUOTED or "\n" in reader.text[end : reader.position]
        if not (is_lenient and is_apart):
            raise NoCall


def _skip_space(reader: Reader) -> None:
    """Consume space, and comments between arguments."""
    reader.space()
    while reader.loose:
        if reader.skip("/*"):
            reader.until("*/")
        elif reader.skip("//", "#"):
            reader.run(r"[^\n]")
        else:
            return
        reader.space()


def _lacks_end(reader: Reader, closing: str) -> bool:
    """Consume space; return True if a complete value is a call's last, or wrongly closed."""
    end = reader.position
    is_complete = reader.text[end - 1] in _COMPLETE
    _skip_space(reader)
    if not (is_complete and reader.is_whole) or reader.at_end:
        return is_complete and reader.is_whole
    if reader.loose and (other := reader.peek()) and other in "]})" and other != closing:
        reader.run(r"[\s\]})]")
        return True
    if mark_ahead(reader) is None:
        return False
    # The enclosing value may lack its end, too.
    reader.position = end
    return True


def read_string(reader: Reader) -> str:
    """Read a string in quotes. Raises NoCall."""
    if (opening := reader.skip(*_QUOTES)) == "":
        raise NoCall
    quote = _QUOTES[opening]
    start = reader.position
    while True:
        reader.until(quote)
        end = reader.position - len(quote)
        raw = reader.text[start:end]
        # Within single quotes, a quote before a letter is an apostrophe: 'Trader Joe's'.
        is_apostrophe = quote == "'" and reader.peek().isalnum()
        if not (is_apostrophe or (len(raw) - len(raw.rstrip("\\"))) % 2):
            return unescaped(raw)


def parsed(text: str, otherwise: Any, *, is_whole: bool = False) -> Any:
    """Return a text's value, or `otherwise`; a text that `is_whole` may lack closing brackets."""
    reader = Reader(text.strip(), is_whole=is_whole)
    try:
        value = read_value(reader)
    except NoCall:
        return otherwise
    return value if reader.at_end else otherwise


def unescaped(raw: str) -> str:
    """Return a string's text. Halves of a character beyond 16 bits are joined or replaced."""

    def character(escape: re.Match[str]) -> str:
        return chr(int(escape[1], 16)) if escape[1] else _ESCAPED.get(escape[2], escape[2])

    text = _ESCAPE.sub(character, raw)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
