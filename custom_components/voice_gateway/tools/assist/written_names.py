r"""Names of devices, areas and floors as models write them: with aliases, or with damaged letters.

Bed Light (Night lamp)                      as the prompt lists it
K\\u00fcche, K&uuml;che, KÃ¼che             encoded once more
K\x00fcche                                  an escape that lost half of it
K�che                                       where no other name fits
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
import html
import re
from typing import Any
import unicodedata
from urllib.parse import unquote

from ...home.exposed import Home

_BETWEEN = re.compile(
    r"""\s*[(),;:/|=&+>→\[\]{}<"“”\n]+\s*|\s+[-–—]+\s+|\s+(?:aka|a\.k\.a|alias|or)\b\.?\s+"""
)
_ESCAPE = re.compile(r"\\+u\{?([0-9a-fA-F]{2,4})\}?|\x00([0-9a-fA-F]{2})")
_BLANK = re.compile(r"\\+[nrt]")
_BYTES = re.compile(r"(?:\\+x[0-9a-fA-F]{2})+")
_LOST = re.compile(r"[\ufffd?\x00]+")
# The encodings in which Windows, consoles and Python misread UTF-8.
_CODECS = ("cp1252", "latin-1", "cp1250", "cp1251", "cp437", "cp850", "mac_roman")
# The maximum number of redundant encodings of a text.
_TIMES = 2
# Replacements of a non-ASCII letter or a space: no letters, or the code of one.
_HOLE = re.compile(r"[^A-Za-z0-9]+")
_DAMAGE = r"(?:[^A-Za-z0-9]{1,6}|(?=[^\d]{0,4}\d)[^A-Za-z0-9\s][\W_0-9A-Fa-fxuUX]{1,15})"
_LONGEST = 200
# Minimum number of ASCII letters in a name with damaged letters.
_LETTERS = 3
_WORD = re.compile(r"[^\W_]+")

type _Known = Callable[[str], Collection[Any]]
"""Returns the matches of a name."""


def names_meant(home: Home, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call's arguments with the exact names, if only one matches."""
    by_slot: dict[str, _Known] = {
        "name": home.called,
        "area": lambda name: _of_name(home.areas.values(), name),
        "floor": lambda name: _of_name(home.floors.values(), name),
    }
    meant = dict(arguments)
    for slot, known in by_slot.items():
        written = arguments.get(slot)
        if isinstance(written, str) and 0 < len(written) <= _LONGEST and not known(written):
            meant[slot] = _meant(written, known, _all_names(home, slot))
    return meant


def _of_name(places: Collection[Any], name: str) -> list[Any]:
    folded = unicodedata.normalize("NFC", name).strip().casefold()
    return [
        each
        for each in places
        if folded in {written.strip().casefold() for written in (each.name, *each.aliases)}
    ]


def _all_names(home: Home, slot: str) -> Iterator[str]:
    if slot == "name":
        yield from (name for each in home.entities for name in each.names)
    else:
        places: Mapping[str, Any] = home.areas if slot == "area" else home.floors
        yield from (name for each in places.values() for name in (each.name, *each.aliases))


def _meant(written: str, known: _Known, names: Iterator[str]) -> str:
    mended = list(dict.fromkeys((written, *_mended(written))))
    for text in mended:
        if known(text):
            return text
        if listed := _listed(text, known):
            return listed
    lost = re.compile(".{1,2}".join(map(re.escape, _LOST.split(written))), re.IGNORECASE)
    spelled = "".join(_WORD.findall(written.casefold()))
    fitting = {
        each
        for name in names
        for each in _ends(name)
        if "".join(_WORD.findall(each.casefold())) == spelled
        or (each == name and (lost.fullmatch(name) or _is_damaged(written, name)))
    }
    return fitting.pop() if len(fitting) == 1 else written


def _is_damaged(written: str, name: str) -> bool:
    """Return True if a text is a name but for replacements of its other letters and spaces."""
    parts = _HOLE.split(name)
    if len("".join(parts)) < _LETTERS:
        return False
    return re.fullmatch(_DAMAGE.join(map(re.escape, parts)), written, re.IGNORECASE) is not None


def _ends(name: str) -> Iterator[str]:
    """Yield a name and its endings: "spot 2" is the end of "Hall Spot2"."""
    yield name
    yield from (name[found.start() :] for found in _WORD.finditer(name, 1))


def _listed(text: str, known: _Known) -> str:
    """Return the first of several names of the same thing, whatever follows it."""
    parts = [each for each in _BETWEEN.split(text.strip()) if each]
    # The beginning of a name may be an argument: "name: Lamp".
    is_label = len(parts) > 1 and not known(parts[0]) and text.lstrip()[len(parts[0]) :][:1] in ":="
    first, *others = parts[is_label:] or [""]
    named = known(first) if others or is_label else ()
    also = [found for each in others if (found := known(each))]
    is_one = named and all(any(each in found for each in named) for found in also)
    return first if is_one else ""


def _mended(text: str) -> Iterator[str]:
    """Yield the possible originals of a text that was encoded once too often, or incompletely."""
    for _ in range(_TIMES):
        for step in (_unescaped, _from_bytes, html.unescape, _unquoted):
            text = step(text)
            yield unicodedata.normalize("NFC", text).strip()
        for codec in _CODECS:
            with suppress(UnicodeError):
                text = text.encode(codec).decode()
                yield text


def _unquoted(text: str) -> str:
    try:
        return unquote(text, errors="strict")
    except UnicodeError:
        return unquote(text, "latin-1")


def _unescaped(text: str) -> str:
    text = _BLANK.sub(" ", text)
    return _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), text)


def _from_bytes(text: str) -> str:
    def decoded(found: re.Match[str]) -> str:
        written = bytes.fromhex(re.sub(r"\\+x", "", found[0]))
        try:
            return written.decode()
        except UnicodeError:
            return written.decode("latin-1")

    return _BYTES.sub(decoded, text)
