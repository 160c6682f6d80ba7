"""Values and forms of calls that models write as text: each arrives as what it is, or is no call."""

from typing import Any

import pytest

from tests.rows import rows

from .test_text_calls import TURN_OFF, TURN_ON, Call, found_in

NO_CALL = "no call"
BROKEN = "a call that cannot be read"
SAME = "as after a tool's name"
DEEP = 18
"""So many lists may be within each other, in a call's arguments."""


def value_in(form: str, value: str) -> Any:
    """Return what a value becomes in a form of a call, letter by letter too."""
    text = form.replace("VALUE", value)
    said, calls = found_in(text)
    assert found_in(*text) == (said, calls)
    if not calls:
        assert said == text
        return NO_CALL
    [(name, arguments)] = calls
    if arguments.get("arguments") == text:
        return BROKEN
    assert (name, said) == (TURN_ON, "")
    return arguments.get("a", "left out")


JSON = '{"name": "HassTurnOn", "arguments": {"a": VALUE}}'
PYTHON = "HassTurnOn(a=VALUE)"
TAGS = "<function=HassTurnOn><parameter=a> VALUE </parameter></function>"

# What is the same wherever it stands.
VALUES: list[tuple[str, Any]] = [
    ("1", 1), ("-2", -2), ("+3", 3), ("2.5", 2.5), (".5", 0.5), ("1.", 1.0), ("1e3", 1000.0), ("-2E-1", -0.2),
    ("123456789012345678", 123456789012345678), ("1234567890123456789", 1.2345678901234568e18),
    ("True", True), ("false", False), ("False", False), ("true", True),
    # Strings in each kind of quotes, with escapes of JSON and of Python.
    ('"Lamp"', "Lamp"), ("'Lamp'", "Lamp"), ("'Joe's'", "Joe's"), ('"it\'s"', "it's"), ("'a'b'", "a'b"),
    ('<|"|>La"mp<|"|>', 'La"mp'), ("<escape>La'mp<escape>", "La'mp"),
    (r'"a\nb"', "a\nb"), ('"a\nb"', "a\nb"), (r'"\u00e9"', "é"), (r'"a\"b"', 'a"b'), (r'"\x41"', "x41"),
    (r"'a\'b\nc\td'", "a'b\nc\td"), (r"'\'\u0041'", "'A"),
    (r'"\ud83d\ude00"', "😀"), (r"'\'\ud83d\ude00'", "'😀"), (r'"a\ud800"', "a�"),
    # A backslash before the end, that is itself escaped.
    (r'"C:\\dir\\"', "C:\\dir\\"), (r"'\\\''", "\\'"),
    # What holds others.
    ("[1, 2,]", [1, 2]), ("[ ]", []), ('(1, "x")', [1, "x"]), ("()", []), ('[1, [2, {"b": 3}]]', [1, [2, {"b": 3}]]),
    ('{"b": 1,}', {"b": 1}), ("{'b': {}}", {"b": {}}), ('{{"b": 1}}', {"b": 1}),
    ("[" * DEEP + "]" * DEEP, eval("[" * DEEP + "]" * DEEP)),
]  # fmt: skip
# What differs: in a tool's JSON, after its name, and in tags, where all else is a text.
DIFFERS: list[tuple[str, Any, Any, Any]] = [
    ("None", None, "left out", None),
    ("null", None, "left out", None),
    ("Living Room", SAME, "Living Room", "Living Room"),
    ("Lamp ", SAME, "Lamp", "Lamp"),
    ("NaN", SAME, "NaN", "NaN"),
    ("1e999", SAME, "1e999", "1e999"),
    ("1-2", SAME, "1-2", "1-2"),
    ("", BROKEN, NO_CALL, ""),
    ("[1 2]", SAME, ["1 2"], "[1 2]"),
    ("[,]", BROKEN, NO_CALL, "[,]"),
    ("{b=Lamp}", SAME, {"b": "Lamp"}, "{b=Lamp}"),
    ("{b: Lamp, c.d-e: 2}", SAME, {"b": "Lamp", "c.d-e": 2}, "{b: Lamp, c.d-e: 2}"),
    ('{"b" 1}', BROKEN, NO_CALL, '{"b" 1}'),
    ('{"": 1}', BROKEN, NO_CALL, '{"": 1}'),
    ("{: 1}", BROKEN, NO_CALL, "{: 1}"),
    ('{"b": 1 "c": 2}', SAME, {"b": 1, "c": 2}, '{"b": 1 "c": 2}'),
    ('{,"b": "x",, "c": "y";}', SAME, {"b": "x", "c": "y"}, '{,"b": "x",, "c": "y";}'),
    (
        '{"b" => "x" /* so */, // and\n"c": 2}',
        SAME,
        {"b": "x", "c": 2},
        '{"b" => "x" /* so */, // and\n"c": 2}',
    ),
    ("{“b”: „x“, 'c': `y`]", SAME, {"b": "x", "c": "y"}, "{“b”: „x“, 'c': `y`]"),
    ('"a" "b"', BROKEN, NO_CALL, '"a" "b"'),
    ("<b>", BROKEN, NO_CALL, "<b>"),
    ("[" * 30 + "]" * 30, BROKEN, NO_CALL, "[" * 30 + "]" * 30),
    ('{"b":' * 30 + "1" + "}" * 30, BROKEN, NO_CALL, '{"b":' * 30 + "1" + "}" * 30),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_value_is_what_it_is_written_as(text: str, value: Any) -> None:
    for form in (JSON, PYTHON, TAGS):
        found = value_in(form, text)
        assert (found, type(found)) == (value, type(value)), form


@pytest.mark.parametrize(("text", "in_json", "loose", "annotated"), DIFFERS)
def test_after_a_tools_name_quotes_may_be_left_out(
    text: str, in_json: Any, loose: Any, annotated: Any
) -> None:
    in_json = loose if in_json is SAME else in_json
    assert [value_in(form, text) for form in (JSON, PYTHON, TAGS)] == [in_json, loose, annotated]


ON_LAMP = (TURN_ON, {"name": "Lamp"})
ON_LAMP_HALL = (TURN_ON, {"name": "Lamp", "area": "Hall"})
MADE = "HassTurnOn(name='Lamp')"
OBJECT = '{"name": "HassTurnOn", "arguments": {"name": "Lamp"}}'

# A text, what of it is said, and the calls in it.
FORMS: list[tuple[str, str, list[Call]]] = [
    # As in a program.
    ('[HassTurnOn(name="Lamp"), HassTurnOff(area="Hall")', "", [ON_LAMP, (TURN_OFF, {"area": "Hall"})]),
    ('HassTurnOn({"name": "Lamp"}, area="Hall")', "", [ON_LAMP_HALL]),
    ('HassTurnOn("Lamp", area="Hall")', "", [(TURN_ON, {"argument": "Lamp", "area": "Hall"})]),
    ('HassTurnOn("a", "b", area="Hall")', "", [(TURN_ON, {"arguments": ["a", "b"], "area": "Hall"})]),
    ("HassTurnOn()", "", [(TURN_ON, {})]),
    ('print(HassTurnOn(name="Lamp"))', "", [ON_LAMP]),
    ('await HassTurnOn(name="Lamp")', "", [ON_LAMP]),
    ('functions.HassTurnOn:0(name="Lamp")', "", [ON_LAMP]),
    ('tools.HassTurnOn(name="Lamp")', "", [ON_LAMP]),
    ('search(name="x")', "", [("search", {"name": "x"})]),
    ("HassTurnOn(lamp)\nIt is on.", "It is on.", [(TURN_ON, {"argument": "lamp"})]),
    ('It is on: HassTurnOn(name="Lamp")', "It is on: ", [ON_LAMP]),
    ('1. HassTurnOn(name="Lamp")', "", [ON_LAMP]),
    # After a label, or as an item of a list.
    *(
        (f"{before}{MADE}", "", [ON_LAMP])
        for before in (
            "Action: ", "**Action:** ", "### Action\n", "Tool call: ", "tool_call: ", "- ", "* ", "> ", "1) ", "Step 1: ",
            "1. Action: ", "Action: `", "Call: ", "Function call:\n",
        )
    ),
    ('Action: HassTurnOn\nAction Input: {"name": "Lamp"}', "", [ON_LAMP]),
    ('Function: `HassTurnOn`\nArguments: {"name": "Lamp"}', "", [ON_LAMP]),
    ('Tool: HassTurnOn\nInput: {"name": "Lamp"}', "", [ON_LAMP]),
    (f"Action:\n```json\n{OBJECT}\n```", "", [ON_LAMP]),
    (f"Sure.\n1. {OBJECT}\n2. HassTurnOff(area='Hall')", "Sure.\n", [ON_LAMP, (TURN_OFF, {"area": "Hall"})]),
    (f"「台所」{MADE}", f"「台所」{MADE}", []),
    # One that was begun and not ended.
    ("HassTurnOn(a=1", "", [(TURN_ON, {"arguments": "HassTurnOn(a=1"})]),
    ("HassTurnOn(x", "", [(TURN_ON, {"arguments": "HassTurnOn(x"})]),
    ('{"tool": "search", "q": 1', "", [("search", {"arguments": '{"tool": "search", "q": 1'})]),
    ('{"name": "HassTurnOn", "arguments": {"a": 1}, "x', "", [("HassTurnOn", {"arguments": '{"name": "HassTurnOn", "arguments": {"a": 1}, "x'})]),
    # One of which only what closes it is left out.
    ('HassTurnOn(name="Lamp"', "", [ON_LAMP]),
    ('HassTurnOn({"a": {"b": 1}', "", [(TURN_ON, {"a": {"b": 1}})]),
    ('HassTurnOn {"a": {"b": 1}', "", [(TURN_ON, {"a": {"b": 1}})]),
    ('{"tool": "search"', "", [("search", {})]),
    (f"<tool_call>{OBJECT[:-1]}</tool_call> Yes.", "Yes.", [ON_LAMP]),
    # A name with its arguments after it.
    ("HassTurnOn with name: Lamp and area: Hall.", "", [ON_LAMP_HALL]),
    ('HassTurnOn with name: "Lamp"; area = Hall', "", [ON_LAMP_HALL]),
    ('HassTurnOn with name "Lamp"', "", [ON_LAMP]),
    ("HassTurnOn with name: Lamp, level: 5", "", [(TURN_ON, {"name": "Lamp", "level": 5})]),
    ('HassTurnOn:\n{"name": "Lamp"}', "", [ON_LAMP]),
    ('HassTurnOn:\nArguments:\n{"name": "Lamp"}', "", [ON_LAMP]),
    ('HassTurnOn\nParameters: {"name": "Lamp"}', "", [ON_LAMP]),
    ("HassTurnOn\nname: Lamp\narea: Hall", "", [ON_LAMP_HALL]),
    # Objects.
    ('{"name": "HassTurnOn"}', "", [(TURN_ON, {})]),
    ('{"tool": "search"}', "", [("search", {})]),
    *(
        (f'{{"name": "HassTurnOn", "arguments": {given}}}', "", [(TURN_ON, arguments)])
        for given, arguments in (
            ('"Lamp"', {"arguments": "Lamp"}), ('"[1]"', {"arguments": [1]}), ('["a"]', {"arguments": ["a"]}),
            ("[]", {}), ('""', {}), ('" "', {}), ("null", {}), ("{}", {}),
        )
    ),
    ('{"id": "1", "type": "function", "thought": "So", "name": "HassTurnOn", "args": {"name": "Lamp"}}', "", [ON_LAMP]),
    (f'{OBJECT[:-1]}, "area": "Hall", "id": 5}}', "", [ON_LAMP_HALL]),
    ('{"tool": "HassTurnOn", "arguments": {"area": "a"}, "area": "b"}', "", [(TURN_ON, {"area": "b"})]),
    ('{"name": "Lamp", "tool": "HassTurnOn"}', "", [ON_LAMP]),
    ('{"search": {"q": "x"}}', "", [("search", {"q": "x"})]),
    ('{"tool_call": {"HassTurnOn": {"name": "Lamp"}}}', "", [ON_LAMP]),
    ('{"thought": "So", "tool_calls": [' + OBJECT + ', {"tool": "search"}]}', "", [ON_LAMP, ("search", {})]),
    (f"[{OBJECT}", "", [ON_LAMP]),
    ('{"name": "HassFoo", "parameters": {"a": 1}}', "", [("HassFoo", {"a": 1})]),
    # Tags.
    ("<tool_call>" * 4 + OBJECT, "", [ON_LAMP]),
    ("<function=HassTurnOn></function>", "", [(TURN_ON, {})]),
    ('<function name="HassTurnOn">{"name": "Lamp"}</function>', "", [ON_LAMP]),
    (
        "<invoke name='HassTurnOn'><parameter name='name'> Lamp </parameter>\n<parameter name=\"area\">Hall</parameter></invoke>",
        "", [ON_LAMP_HALL],
    ),
    ("<tool_call>HassTurnOn</tool_call>", "", [(TURN_ON, {})]),
    (
        "<tool_call>HassTurnOn <arg_key>name</arg_key> <arg_value>Lamp</arg_value>\n<arg_key>area</arg_key><arg_value>Hall</arg_value>",
        "", [ON_LAMP_HALL],
    ),
    ("<tool_call>call:HassTurnOn{name: Lamp}</tool_call>", "", [ON_LAMP]),
    ("<｜tool▁call▁begin｜>function<｜tool▁sep｜>HassTurnOn", "", [(TURN_ON, {})]),
    (f"`{OBJECT}` and so", "and so", [ON_LAMP]),
    (f"```json\n{OBJECT}\n```\n```python\nprint(1)\n```", "```python\nprint(1)\n```", [ON_LAMP]),
    ("<tool_result>x</tool_result>Yes.", "Yes.", []),
    ("Yes. <tool_result>x", "Yes. ", []),
    # Nothing is called, and all but tags is said.
    ("<tool_call>light_on</tool_call>", "light_on", []),
    ("<tool_call>light_on{name: Lamp}</tool_call>", "", [("light_on", {"name": "Lamp"})]),
    ("<tool_call>function</tool_call>", "function", []),
    *(
        (text, text, [])
        for text in (
            '[HassTurnOn(name="Lamp") and more]', "HassFoo()", 'HassFoo("x")', "HassFoo(area=x)", 'HassFoo(area="x", "y")',
            '[HassTurnOn(name="Lamp") & more]', 'Light(area="x")', 'It is on. HassFoo(area="x")',
            "search(x", 'HassFoo("', 'HassFoo(a="x", b=y)', 'HassFoo: {"a": 1}', 'HassFoo {"a": 1}',
            "Action: none", "1. Lamp", "- Lamp: on", "Step 1: look", "Action is needed.", "Tools are there. Tool: hammer", "12:30", "21.5 °C", "> so",
            'HassTurnOn(name="Lamp" area="Hall")', '{"name": "Anna", "age": 3', "Search(x)", "HassTurnOn with nothing",
            'HassTurnOn {"description": "x"}', 'HassTurnOn {"inputSchema": {}}',
            '{"name": "search"}', '{"tool": "HassFoo"}', '{"name": "HassFoo"}', '{"name": "HassFoo", "arguments": "x"}',
            '{"search": "x"}', '{"search": {"q": "x"}, "b": 1}', '{"say": "ok", "calls": []}', '{"action": "turn on", "name": "Lamp"}',
            '{"lamp": 1, "tool_calls": [' + OBJECT + "]}", '{"name": "HassTurnOn", "description": "x"}',
            '{"tool": "HassTurnOn", "properties": {}}', '{"name": "HassFoo", "arguments": {"description": "x"}}',
            '{"name": "x y", "arguments": {}}',
        )
    ),
]  # fmt: skip


@rows(("text", "said", "calls"), FORMS)
def test_form_is_a_call_or_is_said(text: str, said: str, calls: list[Call]) -> None:
    assert found_in(text) == (said, calls)
    assert found_in(*text) == (said, calls)


def test_arguments_longer_than_any_are_not_read() -> None:
    """As a string of JSON: the tool refuses them, and the model reads why."""
    for length, kept in ((1000, {"a": "x" * 1000}), (16_000, None)):
        given = '{\\"a\\": \\"' + "x" * length + '\\"}'
        _, [(_, arguments)] = found_in('{"name": "HassTurnOn", "arguments": "' + given + '"}')
        assert arguments == kept or [*arguments] == ["arguments"]
        assert bool(kept) is (arguments == kept)
