"""Calls written as a name and its arguments: in a template's marks, in tags, or as in a program.

    [TOOL_CALLS]HassTurnOn[CALL_ID]a1[ARGS]{"name": "Lamp"}
    <function=HassTurnOn><parameter=name>Lamp</parameter></function>
    <tool_call>HassTurnOn<arg_key>name</arg_key><arg_value>Lamp</arg_value></tool_call>
    <tool_call><name>HassTurnOn</name><arguments><name>Lamp</name></arguments></tool_call>
    <｜tool▁call▁begin｜>function<｜tool▁sep｜>HassTurnOn {"name": "Lamp"}<｜tool▁call▁end｜>
    HassTurnOn(name="Lamp", area='Kitchen')
    HassTurnOn: {"name": "Lamp"}
    HassTurnOn with name: Lamp, area: Kitchen
    HassTurnOn(lamp)
    HassTurnOn name=Lamp

Missing tags are tolerated: a value ends at the next mark. The marks are defined in `marks`;
`tests/turn/dialect_forms.py` has all forms.

A call without marks stands at the beginning of a line or a sentence: within one, the model writes
about it ("I may not call HassUnlock(name='Front door')"). An unknown name is a call only without
any other text, and with arguments in quotes or plain values. A single argument without a name is
valid only without further text in its line: "HassTurnOn(lamp) does that" is about a tool.
"""

from collections.abc import Callable, Set as AbstractSet
import re
from typing import Any

from homeassistant.helpers import llm

from ..text.marks import CALLS, RESULTS, TOOLS, Mark, is_technical, mark_ahead, read_mark
from ..text.reader import NoCall, Reader
from .arguments import BROKEN, LABELS, TO_MARK, read_elements, read_given, to_arguments, to_mark
from .names import Names, is_name
from .objects import ARGUMENTS, DESCRIPTION, read_list
from .values import items_until, parsed, read_object, read_string, read_value

_NAME = r"[\w.:/-]"
_ATTRIBUTE = re.compile(r"""\s+(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_WITHIN_MARK = re.compile(r"""\b(?:arguments|parameters|args)\s*=\s*(?:'({.*})'|"({.*})")""")
_SEPARATORS = r"[\s,:]"
# Labels before a name in a line of its own.
_LABELS = ("name:", "Name:", "tool:", "Tool:", "function:", "Function:", "action:", "Action:")
# A line of punctuation and calls, without any other words.
_NO_WORDS = re.compile(r"(?:\w[\w.:-]*+\([^()]*+\)|\W)*+")
# What may stand between two pairs, instead of a comma.
_AND = re.compile(r"\s+and\s+(?=\w+\s*[:=])|(?<=[\w\"'])\s+(?=\w+\s*=)")


def skip_opening(reader: Reader) -> bool:
    """Consume marks and fences that announce calls, and ids; return True if there were any."""
    begin = reader.position
    # Templates have three, and more than eight are degenerate output.
    for _ in range(8):
        if reader.skip("```"):
            reader.run(r"[\w-]")
        elif not _take(reader, _announces):
            break
        reader.space()
    return reader.position > begin


def _announces(mark: Mark) -> bool:
    """Return True if a mark announces a call or a part of it, except results and arguments."""
    is_part = not mark.words.isdisjoint((*RESULTS, "arg"))
    return not (mark.value or mark.closes or is_part) and not mark.words.isdisjoint(CALLS)


def _take(reader: Reader, is_meant: Callable[[Mark], bool]) -> bool:
    """Consume the next mark if it fits, and the id after a mark of ids; return True if so."""
    mark = mark_ahead(reader)
    if mark is None or not is_meant(mark):
        return False
    reader.skip(mark.text)
    if "id" in mark.words:
        reader.run(r"[\w-]")
    return True


def skip_closing(reader: Reader) -> bool:
    """Consume a mark that announces no other call, or the end of a fence; return True if so."""
    if reader.peek() != "`":
        others = CALLS | RESULTS
        return _take(
            reader, lambda mark: mark.closes or "id" in mark.words or mark.words.isdisjoint(others)
        )
    begin = reader.position
    if reader.skip("```") and reader.peek().isalnum():
        reader.position = begin  # another fence begins
        return False
    return reader.position > begin or bool(reader.skip("`"))


def skip_result(reader: Reader) -> bool:
    """Consume a call's id, or a tool's result that the model made up, with their marks."""
    is_result = _take(
        reader, lambda mark: bool(not mark.closes and mark.words & RESULTS and mark.words & TOOLS)
    )
    if is_result:
        skip_to_closing(reader, RESULTS)
    return is_result or _take(reader, lambda mark: {"call", "id"} <= mark.words)


def skip_to_closing(reader: Reader, words: AbstractSet[str] = CALLS) -> None:
    """Consume the text up to the closing mark of a call or of `words`, or to the end."""
    while not reader.at_end:
        reader.run(TO_MARK)
        if (mark := read_mark(reader)) is None:
            reader.position += not reader.at_end
        elif mark.closes and mark.words & words:
            return


def read_tagged(reader: Reader, names: Names) -> list[llm.ToolInput]:
    """Read a call whose mark holds its name, without the closing mark. Raises NoCall."""
    begin = reader.position
    written = reader.run(_NAME) if reader.skip("<") else ""
    name = names.resolve(written) if is_technical(written) else None
    if name and reader.skip(">"):
        call = _with_arguments(reader, written, names)
        reader.skip(f"</{written}>")
        return [call]
    if name:
        inside = reader.until(">").removesuffix("/")
        if _ATTRIBUTE.sub("", inside).strip():
            raise NoCall
        given = {found[1]: found[2] or found[3] for found in _ATTRIBUTE.finditer(inside)}
        return [llm.ToolInput(name, given)]
    reader.position = begin
    mark = mark_ahead(reader)
    if mark and mark.value and mark.words & CALLS and not mark.closes:
        reader.skip(mark.text)
        within = _WITHIN_MARK.search(mark.text)
        if within and isinstance(arguments := parsed(within[1] or within[2], None), dict):
            return [llm.ToolInput(names.resolve(mark.value) or mark.value, arguments)]
        return [_with_arguments(reader, mark.value, names)]
    reader.expect("<function=")
    written = reader.run(_NAME)
    reader.skip(">")
    return [_with_arguments(reader, written, names)]


def read_named(reader: Reader, names: Names) -> list[llm.ToolInput]:
    """Read a name and its arguments, after a mark that announced a call. Raises NoCall."""
    reader.run(_SEPARATORS)
    reader.skip("call:", *_LABELS)
    reader.space()
    is_element = bool(reader.skip("<name>"))
    written = reader.run(_NAME).rstrip(":")
    if is_element:
        reader.skip("</name>")
    reader.run(_SEPARATORS)
    mark, begin = mark_ahead(reader), reader.position
    if mark and mark.closes:
        reader.skip(mark.text)
        reader.space()
        following = mark_ahead(reader)
        if following and not following.closes and following.words & ARGUMENTS:
            # The name is a separate element, and the arguments are the next one.
            return [_with_arguments(reader, written, names)]
        if "name" not in mark.words:
            reader.position = begin
    elif mark and mark.words & {"sep", "name"} and not names.resolve(written):
        # It was a type, or an id.
        reader.skip(mark.text)
        reader.space()
        if reader.peek() == "<":
            return read_tagged(reader, names)
        written = reader.run(_NAME) or written
    is_certain = is_element or (is_technical(written) and reader.peek() in {*"{`"})
    return [_with_arguments(reader, written, names, is_certain=is_certain)]


def _with_arguments(
    reader: Reader, written: str, names: Names, *, is_certain: bool = True
) -> llm.ToolInput:
    """Read a call's arguments, which an unknown tool may lack if it `is_certain`. Raises NoCall."""
    if not is_name(written):
        raise NoCall
    name = names.resolve(written)
    if is_certain or name:
        reader.called = name or written
        reader.is_sure = True
    reader.loose = name is not None or is_technical(written)
    reader.space()
    if skip_opening(reader) or reader.skip(*LABELS):
        reader.space()
    if reader.peek() == "{":
        arguments = read_given(reader)
    elif reader.peek() == '"':
        arguments = parsed(read_string(reader), None)
        if not isinstance(arguments, dict):
            raise NoCall
    else:
        arguments = read_elements(reader)
        is_certain = is_certain or name is not None
        if not arguments and not (is_certain and (reader.at_end or mark_ahead(reader))):
            if name is None:
                raise NoCall
            # Any other text, to the next mark, is read like a server's arguments.
            arguments = to_arguments(to_mark(reader), is_whole=reader.is_whole)
            if BROKEN in arguments:
                raise NoCall
    reader.is_sure = False
    return llm.ToolInput(name or written, arguments)


def read_functions(reader: Reader, names: Names, *, known_only: bool) -> list[llm.ToolInput]:
    """Read a call, or a list of calls in brackets. Raises NoCall."""
    return read_list(reader, lambda: [_read_function(reader, names, known_only)])


def _read_function(reader: Reader, names: Names, known_only: bool) -> llm.ToolInput:
    reader.skip("print(", "await ")
    has_header = reader.text.endswith("call:", 0, reader.position)  # Gemma's
    written = reader.run(r"[\w.:-]").rstrip(":")
    name = names.resolve(written)
    looks_technical = is_technical(written)
    if has_header and looks_technical and reader.peek() == "{":
        return _with_arguments(reader, written, names)
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
    if reader.peek().isalpha():
        begin = reader.position
        reader.run(r"[\w ]")
        reader.expect("=")
        reader.position = begin
        pairs = _pairs(reader.run(r"[^\n]"))
        reader.space()
        if not reader.at_end:
            raise NoCall  # a text about an assignment
        return pairs
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
