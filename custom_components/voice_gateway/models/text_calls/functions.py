"""Calls written as in a program, or as a name with its arguments after it.

    HassTurnOn(name="Lamp", area='Kitchen')
    print(default_api.HassTurnOn(name="Lamp"))
    [HassTurnOn(name="Lamp"), HassTurnOff(area="Kitchen")]
    HassTurnOn({"name": "Lamp"})
    HassTurnOn{"name": "Lamp"}
    HassTurnOn with name: Lamp, area: Kitchen

They stand where a line or a sentence begins: in the midst of one ("I may not call
HassUnlock(name='Front door')") they are spoken of. A name that is no tool's is called only where
nothing else was said, with arguments in quotes or plain values.
"""

import re
from typing import Any

from homeassistant.helpers import llm

from .names import Names, is_technical
from .reader import NoCall, Reader
from .values import parsed, read_object, read_value, to_literal

_NAME = re.compile(r"[\w.:-]*")
_KEY = re.compile(r"\w*")
_BARE = re.compile(r"[^,()\[\]{}=\n\"]*")
_BLANKS = re.compile(r"[ \t]*")
_LINE = re.compile(r"[^\n]*")
_WRAPPING = ("print(", "await ", "call:")
# key: value, key = value, key "value"
_PAIR = re.compile(
    r"""\s*(?:and\s+)?[-*]?\s*["'`]?(\w+)["'`]?\s*(?:[:=]\s*|(?=["']))"""
    r"""("[^"]*"|'(?:[^']|'(?=\w))*'|\[[^\]]*\]|[^,;"'\[\n]+?)\s*(?:[,;]|\.?\s*$|(?=\sand\s))"""
)


def read_functions(reader: Reader, names: Names, *, known_only: bool) -> list[llm.ToolInput]:
    """Read a call, or a list of calls in brackets. Raises NoCall."""
    if not reader.skip("["):
        return [_read_function(reader, names, known_only)]
    calls: list[llm.ToolInput] = []
    reader.space()
    while (character := reader.peek()).isalpha() or character == "_":
        calls.append(_read_function(reader, names, known_only))
        reader.space()
        reader.skip(",")
        reader.space()
    if not reader.skip("]") and not reader.at_end:
        raise NoCall
    return calls


def _read_function(reader: Reader, names: Names, known_only: bool) -> llm.ToolInput:
    wrapped = next((word for word in _WRAPPING if reader.skip(word)), "")
    written = read_name(reader, names)
    name = names.resolve(written)
    if name is None and (known_only or not is_technical(written)):
        raise NoCall
    if reader.peek() == "(":
        reader.committed = name is not None and is_technical(written)
        arguments = _read_parentheses(reader, strict=name is None)
    elif name is None or not is_technical(written):
        raise NoCall
    else:
        arguments = _read_after_name(reader)
    if wrapped == "print(":
        reader.space()
        reader.skip(")")
    return llm.ToolInput(name or written, arguments)


def read_name(reader: Reader, names: Names) -> str:
    """Read what may be a tool's name. Raises NoCall as soon as it can't be one."""
    word = _NAME.match(reader.text, reader.position)
    if word is None or not names.may_begin(word[0]):
        raise NoCall
    return reader.run(_NAME)


def _read_parentheses(reader: Reader, *, strict: bool) -> dict[str, Any]:
    """Read arguments in parentheses. Raises NoCall; always for none, if `strict`.

    None stands for an argument that is not given, as it does in a program.
    """
    reader.expect("(")
    arguments: dict[str, Any] = {}
    unnamed: list[Any] = []
    reader.space()
    while not reader.skip(")"):
        start = reader.position
        key = reader.run(_KEY)
        reader.space()
        if key and reader.peek() in (":", "="):
            reader.position += 1
            reader.space()
            if (value := _read_argument(reader, strict)) is not None:
                arguments[key] = value
        elif strict:
            raise NoCall
        else:
            reader.position = start
            unnamed.append(_read_argument(reader, strict))
        reader.space()
        if not reader.skip(",") and reader.peek() != ")":
            raise NoCall
        reader.space()
    match unnamed:
        case []:
            if strict and not arguments:
                raise NoCall
            return arguments
        case [dict() as given]:
            return given | arguments
        case _:
            # Which they are, only the tool knows: it refuses them, and the model reads why.
            return {"arguments": unnamed, **arguments}


def _read_argument(reader: Reader, strict: bool) -> Any:
    """Read a value, which may lack its quotes. Raises NoCall."""
    if strict or reader.peek() in ('"', "'", "{", "[", "(", "<"):
        return read_value(reader)
    word = reader.run(_BARE).strip()
    try:
        return to_literal(word)
    except NoCall:
        if not word:
            raise
        return word


def _read_after_name(reader: Reader) -> dict[str, Any]:
    """Read the arguments after a name: an object, or pairs in this line or the next ones."""
    reader.run(_BLANKS)
    if reader.peek() == "{":
        return read_object(reader)
    if reader.skip("with "):
        return _pairs(reader.run(_LINE))
    reader.skip(":")
    reader.run(_BLANKS)
    reader.expect("\n")
    reader.space()
    if reader.peek() == "{":
        return read_object(reader)
    arguments: dict[str, Any] = {}
    while line := reader.run(_LINE):
        arguments |= _pairs(line)
        reader.skip("\n")
    return arguments


def _pairs(line: str) -> dict[str, Any]:
    """Return the arguments that a line consists of. Raises NoCall."""
    arguments: dict[str, Any] = {}
    position = 0
    line = line.rstrip()
    while position < len(line):
        if (pair := _PAIR.match(line, position)) is None:
            raise NoCall
        arguments[pair[1]] = parsed(pair[2], pair[2].strip())
        position = pair.end()
    if not arguments:
        raise NoCall
    return arguments
