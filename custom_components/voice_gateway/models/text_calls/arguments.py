r"""Parse arguments that a server or a model gives as text, and create calls from them.

{"name": "Lamp"}                         {}{"name": "Lamp"}          a server's placeholder first
"{\\"name\\": \\"Lamp\\"}"                 {"name": \\"Lamp\\"}      encoded twice, or half
{"name": "Lamp"}}</tool_call>            {"name": "Lamp"             too much at its end, or too little
[{"name": "Lamp"}]                       "name": "Lamp"}
name: Lamp                               (name="Lamp")               without braces
{&quot;name&quot;: &quot;Lamp&quot;}     <name>Lamp</name>           as a page has it, or as elements
"""

import html
import re
from typing import Any

from homeassistant.helpers import llm

from ...text_tool_call import UnreadCall
from ..text.marks import PARAMETER, read_mark
from ..text.reader import NoCall, Reader
from .names import bare
from .values import parsed, read_object

# Punctuation of Chinese and Japanese keyboards.
_NARROW = str.maketrans("：，", ":,")
# Arguments in a function's parentheses, and the beginning of a list's line.
_IN_PARENTHESES = re.compile(r"\s*[\w.]*\((.*)\)\s*", re.DOTALL)
_ITEM = re.compile(r"^\s*[-*]\s+", re.MULTILINE)
TO_MARK = r"[^<\[]"
# Labels before arguments.
LABELS = (
    *("Action Input:", "tool_input:", "arguments:", "Arguments:", "parameters:", "Parameters:"),
    *("input:", "Input:"),
)
_KEY = r"[\w.-]"
# Tags that may lack their end, as in `<parameter=area=`.
_DAMAGED = ("<parameter", "</parameter", "</function", "</tool_call")
_VALUE = re.compile(r"""\bvalue\s*=\s*(?:"([^"]*)"|'([^']*)')""")
BROKEN = "arguments"
"""The key for arguments that are not an object: every tool refuses it, and the model reads why."""


def call_of(written: str, given: Any, *, is_whole: bool = True) -> llm.ToolInput:
    """Return a server's call; an UnreadCall if its arguments are malformed."""
    arguments = to_arguments(given, is_whole=is_whole)
    is_read = arguments.keys() != {BROKEN} or not isinstance(arguments[BROKEN], str)
    return (llm.ToolInput if is_read else UnreadCall)(bare(written), arguments)


def to_arguments(value: Any, *, is_whole: bool = True) -> dict[str, Any]:
    """Return a call's arguments, which may be a text; other values than objects as `BROKEN`."""
    if isinstance(value, str):
        value = _read(value, is_whole) if value.strip() else None
    match value:
        case None | []:
            return {}
        case {"arguments": str(inner)} if len(value) == 1:
            return to_arguments(inner, is_whole=is_whole)
        case dict():
            return {key.strip(): part for key, part in value.items()}
        case [dict() as one, *others] if all(each == one for each in others):
            return one
        case _:
            return {BROKEN: value}


def _read(text: str, is_whole: bool) -> Any:
    """Return the object that a text certainly contains, else any other value, else the text."""
    if len(text) > 16_000:
        return text  # A call's have some hundred characters.
    inner = text
    # It may be encoded as a string again.
    for _ in range(3):
        value = parsed(inner, inner, is_whole=is_whole)
        if not isinstance(value, str):
            return value
        inner = value
    plain = html.unescape(inner.replace('\\"', '"').replace("\\u0022", '"')).translate(_NARROW)
    ways = [inner, plain, f"{{{inner}"]
    if is_whole and not any(mark in inner for mark in "{<"):
        within = _IN_PARENTHESES.fullmatch(inner)
        ways.append(f"{{{_ITEM.sub('', within[1] if within else inner)}\n}}")
    found = (_objects(written, is_whole) for written in dict.fromkeys(ways))
    return next((each for each in found if each is not None), text)


def _objects(text: str, is_whole: bool) -> dict[str, Any] | None:
    """Return the last complete object of a text of objects; None if others contradict it."""
    reader = Reader(text, is_whole=is_whole, loose=True)
    found: dict[str, Any] | None = None
    try:
        while True:
            reader.run("[^{<]")
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
    """Return True if `after` contains all of `before`."""
    match before, after:
        case dict(), dict():
            return all(key in after and _grows(part, after[key]) for key, part in before.items())
        case str(), str():
            return after.startswith(before)
    return bool(before == after)


def read_given(reader: Reader) -> dict[str, Any]:
    """Read the object of arguments, after empty ones that stand for it. Raises NoCall."""
    while not (given := read_object(reader)):
        reader.space()
        if reader.peek() != "{":
            break
    return given


def read_elements(reader: Reader) -> dict[str, Any]:
    """Read a sequence of arguments that each have their own marks. Raises NoCall."""
    arguments: dict[str, Any] = {}
    begin = reader.position
    while reader.peek() == "<" and _read_element(reader, arguments):
        reader.space()
        begin = reader.position
    reader.position = begin
    return arguments


def _read_element(reader: Reader, arguments: dict[str, Any]) -> bool:
    """Read an argument, or a closing mark; return False for anything else. Raises NoCall."""
    if (mark := read_mark(reader)) is None:
        return _read_unmarked(reader, arguments)
    is_argument = "arg" in mark.words or not mark.words.isdisjoint(PARAMETER)
    if not is_argument or mark.closes:
        return is_argument
    key = mark.value
    if not key and ("key" in mark.words or mark.words >= {"arg", "begin"}):
        key = to_mark(reader)
        while (closing := read_mark(reader)) and closing.closes:
            reader.space()
    elif not key and mark.words <= PARAMETER:
        raise NoCall
    elif not key:
        return False
    given = _VALUE.search(mark.text)
    text = given[1] or given[2] if given else to_mark(reader)
    arguments[key] = text if 'string="true"' in mark.text else parsed(text, text)
    return True


def _read_unmarked(reader: Reader, arguments: dict[str, Any]) -> bool:
    """Read an argument in a tag of its name, or in one without an end; return False if neither."""
    if is_damaged := bool(reader.skip("<parameter")):
        reader.skip(" name")
        reader.run("[ =\"']")
        key = reader.run(_KEY)
        reader.run("[ \t=:>\"']")
        text = to_mark(reader)
    else:
        reader.expect("<")
        key = reader.run(_KEY)
        if not (key and reader.skip(">")):
            return False
        text = reader.until(f"</{key}>").strip()
    if not key and text:
        raise NoCall
    if text or not is_damaged:
        arguments[key] = parsed(text, text)
    return True


def to_mark(reader: Reader) -> str:
    """Consume and return the text up to the next mark, or to the end."""
    begin = end = reader.position
    while not reader.at_end:
        reader.run(TO_MARK)
        end = reader.position
        if read_mark(reader) or reader.text.startswith(_DAMAGED, end):
            break
        reader.position += not reader.at_end
    reader.position = end
    text = reader.text[begin:end].strip()
    return text.removeprefix("<![CDATA[").removesuffix("]]>")
