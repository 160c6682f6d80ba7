"""What stands around calls, and calls that are written in tags.

    <tool_call>{"name": "HassTurnOn", "arguments": {"name": "Lamp"}}</tool_call>
    [TOOL_CALLS][{"name": "HassTurnOn", "arguments": {"name": "Lamp"}}]
    [TOOL_CALLS]HassTurnOn[ARGS]{"name": "Lamp"}
    <function=HassTurnOn>{"name": "Lamp"}</function>
    <function=HassTurnOn><parameter=name>Lamp</parameter></function>
    <invoke name="HassTurnOn"><parameter name="name">Lamp</parameter></invoke>
    <tool_call>HassTurnOn<arg_key>name</arg_key><arg_value>Lamp</arg_value></tool_call>
    <｜tool▁call▁begin｜>function<｜tool▁sep｜>HassTurnOn {"name": "Lamp"}<｜tool▁call▁end｜>

As Qwen, Mistral, Llama, Qwen 3 Coder, MiniMax, GLM and DeepSeek write them, per their chat templates.
"""

import re
from typing import Any

from homeassistant.helpers import llm

from .names import Names, is_name
from .reader import Literals, NoCall, Reader
from .values import parsed, read_object

_LANGUAGE = re.compile(r"[\w-]*")
_NAME = re.compile(r"[\w.:/-]*")
_NOT_QUOTED = re.compile(r"[^>\n]*")
_WORDS = ("tool_call", "tool_calls", "tool", "tools", "function_call", "function_calls")
_OPENINGS = Literals(
    *(form.format(word) for word in _WORDS for form in ("<{}>", "<|{}|>", "<|{}>")),
    *("<start_function_call>", "<|python_tag|>", "<|tool_call_start|>", "<|tool_call_begin|>"),
    *("<|tool_calls_section_begin|>", "<|tool_call_argument_begin|>", "[ARGS]"),
    *("<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>"),
    *("[TOOL_CALLS]", "[tool_calls]", "[TOOL_CALL]", "[tool_call]"),
)
_CLOSINGS = Literals(
    *(form.format(word) for word in _WORDS for form in ("</{}>", "<|/{}|>", "<{}|>")),
    *("</function>", "</invoke>", "<end_function_call>", "<|call|>", "<|tool_call_end|>"),
    *("<|tool_calls_section_end|>", "<｜tool▁calls▁end｜>", "<｜tool▁call▁end｜>"),
    *("[/TOOL_CALLS]", "[/tool_calls]", "[/TOOL_CALL]", "[/tool_call]"),
)
_RESULTS = {
    f"<{name}>": f"</{name}>"
    for name in ("tool_response", "tool_result", "function_result", "function_response")
}
_RESULT = Literals(*_RESULTS)
# Templates have three tags before a call at most; who writes more of them raves.
_MOST_OPENINGS = 8


def skip_opening(reader: Reader) -> bool:
    """Go past tags and fences that announce calls; tell whether there were any."""
    begin = reader.position
    for _ in range(_MOST_OPENINGS):
        if not (skip_tag(reader) or _skip_fence(reader)):
            break
        reader.space()
    return reader.position > begin


def skip_tag(reader: Reader) -> bool:
    """Go past one tag that announces a call; tell whether it was there."""
    return reader.skip_any(_OPENINGS)


def skip_closing(reader: Reader) -> bool:
    """Go past one tag that closes a call, or the end of a fence; tell whether it was there."""
    if reader.peek() != "`":
        return reader.skip_any(_CLOSINGS)
    begin = reader.position
    if not reader.skip("```"):
        return reader.skip("`")
    if reader.peek().isalnum():
        reader.position = begin  # another fence begins
        return False
    return True


def _skip_fence(reader: Reader) -> bool:
    if not reader.skip("```"):
        return False
    reader.run(_LANGUAGE)
    return True


def skip_result(reader: Reader) -> bool:
    """Go past a tool's result that the model made up, in its tags."""
    start = reader.position
    if not reader.skip_any(_RESULT):
        return False
    try:
        reader.until(_RESULTS[reader.text[start : reader.position]])
    except NoCall:
        reader.position = len(reader.text)
    return True


def read_tagged(reader: Reader, names: Names) -> list[llm.ToolInput]:
    """Read a call whose name is in its tag, but for the tag that closes it. Raises NoCall."""
    if reader.skip("<function="):
        written = reader.run(_NAME)
    elif reader.skip("<invoke name=") or reader.skip("<function name="):
        written = reader.run(_NOT_QUOTED).strip("\"' ")
    else:
        raise NoCall
    reader.skip(">")
    reader.committed = True
    if not is_name(written):
        raise NoCall
    reader.space()
    arguments = read_object(reader) if reader.peek() == "{" else _parameters(reader)
    return [llm.ToolInput(names.resolve(written) or written, arguments)]


def read_named(reader: Reader, names: Names) -> list[llm.ToolInput]:
    """Read a name and its arguments, after a tag that announced a call. Raises NoCall."""
    reader.skip("call:")
    written = reader.run(_NAME)
    reader.space()
    skip_opening(reader)
    if written == "function" and (reader.peek().isalpha() or reader.peek() == "_"):
        written = reader.run(_NAME)
        reader.space()
        skip_opening(reader)
    if not is_name(written):
        raise NoCall
    name = names.resolve(written)
    reader.loose = name is not None
    if reader.peek() == "{":
        return [llm.ToolInput(name or written, read_object(reader))]
    arguments = _pairs(reader)
    if not arguments and name is None:
        raise NoCall
    return [llm.ToolInput(name or written, arguments)]


def _parameters(reader: Reader) -> dict[str, Any]:
    """Read `<parameter=KEY>VALUE</parameter>`, or with `name="KEY"`, as often as it comes."""
    arguments: dict[str, Any] = {}
    while reader.skip("<parameter"):
        key = reader.run(_NOT_QUOTED).strip().removeprefix("name=").strip("=\"' ")
        reader.expect(">")
        arguments[key] = _value(reader.until("</parameter>"))
        reader.space()
    return arguments


def _pairs(reader: Reader) -> dict[str, Any]:
    """Read `<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>`, as often as it comes."""
    arguments: dict[str, Any] = {}
    while reader.skip("<arg_key>"):
        key = reader.until("</arg_key>").strip()
        reader.space()
        reader.expect("<arg_value>")
        arguments[key] = _value(reader.until("</arg_value>"))
        reader.space()
    return arguments


def _value(text: str) -> Any:
    """Return what stands between tags: a value, or the text itself."""
    return parsed(text, text.strip())
