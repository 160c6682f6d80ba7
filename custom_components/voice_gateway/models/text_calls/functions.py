"""Calls written as in a program, or as a name followed by arguments.

    HassTurnOn(name="Lamp", area='Kitchen')
    print(default_api.HassTurnOn(name="Lamp"))
    [HassTurnOn(name="Lamp"), HassTurnOff(area="Kitchen")]
    HassTurnOn({"name": "Lamp"})
    HassTurnOn{"name": "Lamp"}
    call:HassTurnOn{name: Lamp, domain: [light]}
    HassTurnOn: {"name": "Lamp"}
    HassTurnOn with name: Lamp, area: Kitchen
    HassTurnOn(lamp)

A call stands at the beginning of a line or a sentence: within one, the model writes about it ("I
may not call HassUnlock(name='Front door')"). An unknown name is a call only without any other text,
and with arguments in quotes or plain values. A single argument without a name is valid only without
further text in its line: "HassTurnOn(lamp) does that" is about a tool.
"""

import re
from typing import Any

from homeassistant.helpers import llm

from ..text.reader import NoCall, Reader
from .arguments import LABELS, read_elements, read_given
from .names import Names, is_technical
from .objects import DESCRIPTION, read_list
from .tags import skip_opening
from .values import items_until, read_object, read_value

# A line of punctuation and calls, without any other words.
_NO_WORDS = re.compile(r"(?:\w[\w.:-]*+\([^()]*+\)|\W)*+")
_AND = re.compile(r"\s+and\s+(?=\w+\s*[:=])")


def read_functions(reader: Reader, names: Names, *, known_only: bool) -> list[llm.ToolInput]:
    """Read a call, or a list of calls in brackets. Raises NoCall."""
    return read_list(reader, lambda: [_read_function(reader, names, known_only)])


def _read_function(reader: Reader, names: Names, known_only: bool) -> llm.ToolInput:
    reader.skip("print(", "await ")
    written = reader.run(r"[\w.:-]").rstrip(":")
    name = names.resolve(written)
    looks_technical = is_technical(written)
    if name is None and (known_only or not looks_technical):
        raise NoCall
    reader.loose = name is not None
    reader.run("[`*]", "{0,3}")
    if reader.peek() == "(":
        reader.called = name if name and looks_technical else ""
        arguments = _read_parentheses(reader)
    elif name and reader.peek() == "<":
        if not (arguments := read_elements(reader)):
            raise NoCall
    elif name and looks_technical:
        arguments = _read_after_name(reader)
    else:
        raise NoCall
    return llm.ToolInput(name or written, arguments)


def _read_parentheses(reader: Reader) -> dict[str, Any]:
    """Read arguments; None means an omitted one, and `argument` is the only one without a name."""
    reader.expect("(")
    arguments: dict[str, Any] = {}
    unnamed: list[Any] = []
    for _ in items_until(reader, ")"):
        reader.skip("**")
        start = reader.position
        key = reader.run(r"\w")
        reader.space()
        if key and reader.peek() in (":", "="):
            reader.position += 1
            reader.space()
            if (value := read_value(reader)) is not None:
                arguments[key] = value
        elif not reader.loose:
            raise NoCall
        else:
            reader.position = start
            unnamed.append(read_value(reader))
    match unnamed:
        case [] if arguments or reader.loose:
            return arguments
        case [dict() as given]:
            return given | arguments
        case [str() as only]:
            end = reader.position
            if not _NO_WORDS.fullmatch(reader.run(r"[^\n]")):
                reader.called = ""
                raise NoCall  # a sentence about a tool
            reader.position = end
            return {"argument": only, **arguments}
        case [_, *_]:
            return {"arguments": unnamed, **arguments}
    raise NoCall


def _read_after_name(reader: Reader) -> dict[str, Any]:
    """Read the arguments after a name: an object, or pairs in this line or the next ones."""
    reader.run(r"[ \t]")
    if reader.skip("with ") and reader.peek() != "{":
        return _pairs(reader.run(r"[^\n]"))
    if not reader.skip(":") and reader.peek() != "{":
        reader.expect("\n")
    reader.space()
    if skip_opening(reader) or reader.skip(*LABELS):
        reader.space()
    if reader.peek() == "{":
        arguments = read_given(reader)
        if any(word in arguments for word in DESCRIPTION):
            raise NoCall  # the tool's own schema
        return arguments
    arguments = {}
    while line := reader.run(r"[^\n]"):
        arguments |= _pairs(line)
        reader.skip("\n")
    return arguments


def _pairs(line: str) -> dict[str, Any]:
    """Return the arguments of a line that consists of pairs. Raises NoCall."""
    reader = Reader(f"{{{_AND.sub(', ', line.rstrip().removesuffix('.'))}\n}}", loose=True)
    if not (arguments := read_object(reader)) or not reader.at_end:
        raise NoCall
    return arguments
