r"""Arguments that a server or a model gives as a text, and calls made of them.

{"name": "Lamp"}                         {}{"name": "Lamp"}          a server's placeholder first
"{\\"name\\": \\"Lamp\\"}"                 {"name": \\"Lamp\\"}      encoded twice, or half
{"name": "Lamp"}}</tool_call>            {"name": "Lamp"             too much at its end, or too little
[{"name": "Lamp"}]                       "name": "Lamp"}
"""

import re
from typing import Any

from homeassistant.helpers import llm

from ...text_tool_call import UnreadCall
from ..text.reader import NoCall, Reader
from .names import bare
from .tags import read_elements
from .values import parsed, read_object

# Characters of arguments: a call's are some hundred.
_LONGEST = 16_000
# How often a text may be the text of a text.
_DEEPEST = 3
# What stands around the object that arguments are.
_AROUND = re.compile(r"[^{<]*")
BROKEN = "arguments"
"""Where arguments are kept that are no object: no tool takes it, and the model reads why."""


def call_of(written: str, given: Any, *, is_whole: bool = True) -> llm.ToolInput:
    """Return the call that a server gives; of arguments that cannot be read, an UnreadCall.

    What was cut off is not completed: its arguments are there to their end, or are not read.
    """
    arguments = to_arguments(given, is_whole=is_whole)
    if isinstance(arguments.get(BROKEN), str) and len(arguments) == 1:
        return UnreadCall(bare(written), arguments)
    return llm.ToolInput(bare(written), arguments)


def to_arguments(value: Any, *, is_whole: bool = True) -> dict[str, Any]:
    """Return a call's arguments, which some give as a text, some twice so.

    What is no object is kept under a name that no tool takes. Left out, it would make of "turn
    off X" a "turn off".
    """
    if isinstance(value, str):
        value = _read(value, is_whole) if value.strip() else None
    match value:
        case None:
            return {}
        case dict():
            return value
        case [dict() as only]:
            return only
        case _:
            return {BROKEN: value}


def _read(text: str, is_whole: bool) -> Any:
    """Return what a text is: the object that it certainly has, else any other value, else itself."""
    if len(text) > _LONGEST:
        return text
    inner: Any = text
    for _ in range(_DEEPEST):
        value = parsed(inner, inner, is_whole=is_whole)
        if not isinstance(value, str) or value == inner:
            break
        inner = value
    if not isinstance(value, str):
        return value
    for written in dict.fromkeys((inner, inner.replace('\\"', '"'), f"{{{inner}")):
        if (found := _objects(written, is_whole)) is not None:
            return found
    return text


def _objects(text: str, is_whole: bool) -> dict[str, Any] | None:
    """Return the last whole object of a text that is nothing else; None where others contradict it."""
    reader = Reader(text, final=True, is_whole=is_whole)
    reader.loose = True
    found: dict[str, Any] | None = None
    try:
        while True:
            reader.run(_AROUND)
            if reader.at_end:
                return found
            value = read_object(reader) if reader.peek() == "{" else read_elements(reader)
            if found and value and not _grows(found, value):
                return None
            found = value or found or ({} if "{" in text else None)
            if reader.peek() == "<":
                reader.position += 1
    except NoCall:
        return None


def _grows(before: Any, after: Any) -> bool:
    """Return True if a value is all that another one was, and maybe more."""
    match before, after:
        case dict(), dict():
            return all(key in after and _grows(part, after[key]) for key, part in before.items())
        case str(), str():
            return after.startswith(before)
        case _:
            return bool(before == after)
