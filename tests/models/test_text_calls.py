"""Calls that models write as text: run and never spoken; all else is spoken, at once."""

from collections.abc import AsyncGenerator, Sequence
import json
from typing import Any

from homeassistant.components import conversation
from homeassistant.helpers import llm
from hypothesis import given, strategies as st
import pytest

from custom_components.voice_gateway.models.client import Completion
from custom_components.voice_gateway.models.text_calls.names import Names
from custom_components.voice_gateway.models.text_calls.stream import TextCalls, rescue_calls

TURN_ON = "intent__HassTurnOn"
TURN_OFF = "intent__HassTurnOff"
TOOLS = (TURN_ON, TURN_OFF, "homeassistant__GetLiveContext", "search", "zwave__list_devices")
LAMP = (TURN_ON, {"name": "Lamp"})

type Call = tuple[str, dict[str, Any]]


def name_of(written: str) -> str | None:
    """Find tools as the tool manager does: prefix and case do not matter."""
    for name in TOOLS:
        if written.casefold() in (name.casefold(), name.partition("__")[2].casefold()):
            return name
    return None


NAMES = Names(name_of, TOOLS)


def found_in(*pieces: str, is_whole: bool = True) -> tuple[str, list[Call]]:
    """Return what of a text that comes in pieces is said, and the calls in it."""
    text = TextCalls(NAMES, Completion(finish_reason="stop" if is_whole else "length"))
    deltas = [delta for piece in pieces for delta in text.feed(piece)]
    deltas += text.end()
    said = "".join(delta.get("content") or "" for delta in deltas)
    calls = [call for delta in deltas for call in delta.get("tool_calls") or ()]
    return said, [(call.tool_name, call.tool_args) for call in calls]


def written(name: str = "HassTurnOn", /, **arguments: Any) -> str:
    """Return a call as most models write it."""
    return json.dumps({"name": name, "arguments": arguments})


CALL = written(name="Lamp")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(CALL, id="bare"),
        pytest.param(f"```json\n{CALL}\n```", id="fence"),
        pytest.param(f"```\n{CALL}\n```", id="fence-without-language"),
        pytest.param('{{"name": "HassTurnOn", "arguments": {"name": "Lamp"}}}', id="doubled"),
        pytest.param('{{"name": "HassTurnOn", "arguments": {{"name": "Lamp"}}}}', id="doubled-all"),
        pytest.param('{{"name": "HassTurnOn", "arguments": {"name": "Lamp"}}', id="doubled-begin"),
        pytest.param(CALL + "}", id="brace-too-many"),
        pytest.param(CALL[:-1], id="last-brace-missing"),
        pytest.param(f"<tool_call>\n{CALL}\n</tool_call>", id="qwen"),
        pytest.param(f"<tool_call>{CALL}", id="qwen-without-end"),
        pytest.param(f"<|tool_call|>[{CALL}]<|/tool_call|>", id="phi"),
        pytest.param(f"[TOOL_CALLS] [{CALL}]", id="mistral"),
        pytest.param('[TOOL_CALLS]HassTurnOn[ARGS]{"name": "Lamp"}', id="mistral-new"),
        pytest.param(f"[tool_call]{CALL}[/tool_call]", id="brackets"),
        pytest.param('<function=HassTurnOn>{"name": "Lamp"}</function>', id="llama"),
        pytest.param(
            "<tool_call>\n<function=HassTurnOn>\n<parameter=name>\nLamp\n</parameter>\n</function>",
            id="qwen-coder",
        ),
        pytest.param(
            '<invoke name="HassTurnOn"><parameter name="name">Lamp</parameter></invoke>',
            id="invoke",
        ),
        pytest.param(
            "<tool_call>HassTurnOn\n<arg_key>name</arg_key>\n<arg_value>Lamp</arg_value>",
            id="glm",
        ),
        pytest.param(
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>HassTurnOn\n"
            '```json\n{"name": "Lamp"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
            id="deepseek",
        ),
        pytest.param(
            "<｜tool▁call▁begin｜>function<｜tool▁sep｜>HassTurnOn\n{name: Lamp}<｜tool▁call▁end｜>",
            id="deepseek-without-quotes",
        ),
        pytest.param(
            "<|tool_call_begin|>functions.HassTurnOn:0<|tool_call_argument_begin|>"
            '{"name": "Lamp"}<|tool_call_end|>',
            id="kimi",
        ),
        pytest.param(
            "<start_function_call>call:HassTurnOn{name:<escape>Lamp<escape>}<end_function_call>",
            id="function-gemma",
        ),
        pytest.param(
            '<|python_tag|>{"name": "HassTurnOn", "parameters": {"name": "Lamp"}}', id="llama-3"
        ),
        pytest.param('HassTurnOn(name="Lamp")', id="python"),
        pytest.param("HassTurnOn(name='Lamp', area=None)", id="python-none"),
        pytest.param("functions.HassTurnOn(name='Lamp',)", id="namespace"),
        pytest.param("HassTurnOn(name=Lamp)", id="python-without-quotes"),
        pytest.param('HassTurnOn({"name": "Lamp"})', id="python-object"),
        pytest.param('[HassTurnOn(name="Lamp")]', id="python-list"),
        pytest.param('```tool_code\nprint(default_api.HassTurnOn(name="Lamp"))\n```', id="gemma-3"),
        pytest.param('tool_code\nHassTurnOn(name="Lamp")', id="gemma-3-without-fence"),
        pytest.param('HassTurnOn\n{"name": "Lamp"}', id="name-then-object"),
        pytest.param("HassTurnOn\nname: Lamp", id="name-then-lines"),
        pytest.param("HassTurnOn with name: Lamp", id="with"),
        pytest.param('HassTurnOn {"name": "Lamp"}', id="name-and-object"),
        pytest.param('HassTurnOn: {"name": "Lamp"}', id="name-colon-object"),
        pytest.param("HassTurnOn {name: Lamp}", id="object-without-quotes"),
        pytest.param("HassTurnOn {name=Lamp}", id="object-with-equals"),
        pytest.param('HassTurnOn\nArguments: {"name": "Lamp"}', id="name-then-arguments"),
        pytest.param('HassTurnOn\nAction Input: {"name": "Lamp"}', id="react"),
        pytest.param('call:HassTurnOn{"name": "Lamp"}', id="call"),
        pytest.param("call: HassTurnOn{name: Lamp}", id="call-without-quotes"),
        pytest.param("call:intent__HassTurnOn{name:<escape>Lamp<escape>}", id="call-of-gemma"),
        pytest.param(
            '{"type": "function", "function": {"name": "HassTurnOn", "arguments": '
            '"{\\"name\\": \\"Lamp\\"}"}}',
            id="openai",
        ),
        pytest.param('{"tool_calls": [' + CALL + "]}", id="wrapped"),
        pytest.param(
            '{"name": "HassTurnOn", "arguments": "{\\"name\\": \\"Lamp\\"}"}', id="string"
        ),
        pytest.param("{'name': 'HassTurnOn', 'arguments': {'name': 'Lamp',},}", id="python-dict"),
        pytest.param("{name: 'HassTurnOn', arguments: {name: 'Lamp'}}", id="javascript"),
        pytest.param('{"tool": "HassTurnOn", "tool_input": {"name": "Lamp"}}', id="tool"),
        pytest.param('{"action": "HassTurnOn", "action_input": {"name": "Lamp"}}', id="action"),
        pytest.param('{"tool": "HassTurnOn", "name": "Lamp"}', id="flat"),
        pytest.param('{"HassTurnOn": {"name": "Lamp"}}', id="name-as-key"),
        pytest.param('{"name": "hassturnon", "arguments": {"name": "Lamp"}}', id="case"),
        pytest.param(written("intent__HassTurnOn", name="Lamp"), id="prefix"),
    ],
)
def test_a_call_in_any_form_is_made_and_not_spoken(text: str) -> None:
    assert found_in(text) == ("", [LAMP])
    assert found_in(*text) == ("", [LAMP]), "Letter by letter it is the same"


@pytest.mark.parametrize(
    "text",
    [
        f"{CALL}\n{written('HassTurnOff', area='Hall')}",
        f"[{CALL}, {written('HassTurnOff', area='Hall')}]",
        f"```json\n{CALL}\n```\n```json\n{written('HassTurnOff', area='Hall')}\n```",
        f"<tool_call>{CALL}</tool_call><tool_call>{written('HassTurnOff', area='Hall')}",
        'HassTurnOn(name="Lamp")\nHassTurnOff(area="Hall")',
        '[HassTurnOn(name="Lamp"), HassTurnOff(area="Hall")]',
        "HassTurnOn with name: Lamp\nHassTurnOff with area: Hall",
        '[TOOL_CALLS]HassTurnOn[ARGS]{"name":"Lamp"}[TOOL_CALLS]HassTurnOff[ARGS]{"area":"Hall"}',
    ],
)
def test_several_calls_in_a_row_are_made_in_their_order(text: str) -> None:
    calls = [LAMP, (TURN_OFF, {"area": "Hall"})]
    assert found_in(text) == ("", calls)
    assert found_in(*text) == ("", calls)


def test_values_of_all_kinds_arrive_as_what_they_are() -> None:
    text = """HassTurnOn(a=1, b=-2.5, c=True, d=[1, 'x'], e={"f": false}, g=("h",), i='Joe's')"""
    said, [(name, arguments)] = found_in(text)
    assert found_in(*text) == (said, [(name, arguments)])
    assert arguments == {
        "a": 1,
        "b": -2.5,
        "c": True,
        "d": [1, "x"],
        "e": {"f": False},
        "g": ["h"],
        "i": "Joe's",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"I'll do that.\n{CALL}\nAnything else?", "I'll do that.\nAnything else?"),
        (f"Sure: {CALL} Done.", "Sure: Done."),
        (f"One{CALL}two", "One two"),
        (f"Sure!\n```json\n{CALL}\n```", "Sure!\n"),
        (f"{CALL}<tool_response>{{}}</tool_response>It is on.", "It is on."),
        ("<tool_call>I can't do that.</tool_call>", "I can't do that."),
        # A result that the model makes up, and does not end.
        ('It is on.\n<tool_response>{"a": 1}', "It is on.\n"),
    ],
)
def test_text_around_a_call_is_spoken_without_its_marks(text: str, said: str) -> None:
    assert found_in(text)[0] == said
    assert found_in(*text)[0] == said


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Anna", "age": 3}',
        '{"name": "Anna Smith", "arguments": {"a": 1}}',
        '{"name": "search", "color": "red"}',
        '{"lights": [{"name": "HassTurnOn", "arguments": {"name": "Lamp"}}]}',
        '```json\n{"lights": ["Lamp"]}\n```',
        "```python\nprint('hello')\n```",
        '{"name": "HassTurnOn", "description": "Turns on", "parameters": {"type": "object"}}',
        '{"name": "HassTurnOn", "parameters": {"type": "object", "properties": {}}}',
        'I may not call HassTurnOn(name="Lamp") for you.',
        'I may not call `HassTurnOn(name="Lamp")` for you.',
        'I may not call → HassTurnOn(name="Lamp") for you.',
        'I may not use the tool HassTurnOn(name="Lamp") for you.',
        "HassTurnOn will be used to turn on the kitchen light.",
        "HassTurnOn with the kitchen light and the lamp.",
        "I used HassTurnOn.",
        "HassTurnOn(the lamp) turns it on.",
        "HassTurnOff(name) is what I would use.",
        "HassTurnOn(lamp), I would say.",
        "HassTurnOn(lamp) – that would do.",
        "HassTurnOn(lamp), HassTurnOff(fan) would do.",
        "HassTurnOn: turns on or opens a device.",
        "HassTurnOn:\n- name: the device",
        "HassTurnOn: {name, area}",
        'HassTurnOn {"type": "object", "properties": {"name": {"type": "string"}}}',
        "call: the function turns it on.",
        "The answer is call:HassTurnOn{name: Lamp}",
        "call: me {name: Anna}",
        "Search (the web) finds: nothing.",
        "Light(s) on: 3. Time: 12:30",
        "The set {1, 2} and [1] and 5 < 6 and `x`.",
        "search with name: Lamp",
        'Search: {"name": "Lamp"}',
        'search {"name": "Lamp"}',
        '{"input": 5',
        "{}",
        '{"tool_calls": ["HassTurnOn"]}',
        '{"tool_calls": [{}]}',
        '{"calls": ' * 5 + CALL + "}" * 5,
        "HassTurnOn with .",
        "HassTurnOn name: Lamp",
        '{"name"="HassTurnOn", "arguments"={"name"="Lamp"}}',
    ],
)
def test_what_is_no_call_is_spoken_as_it_is(text: str) -> None:
    assert found_in(text) == (text, [])
    assert found_in(*text) == (text, [])


def test_only_the_first_word_of_a_sentence_is_awaited() -> None:
    pieces = ["The", " kit", "chen", " is", " warm", ". ", "It", "'s", " in", " the", " pan", "."]
    text = TextCalls(NAMES)
    said = ["".join(delta.get("content") or "" for delta in text.feed(piece)) for piece in pieces]
    assert said == ["", "The kit", "chen", " is", " warm", ". ", "", "It's", *pieces[8:]]


@pytest.mark.requirement("B8")
@pytest.mark.parametrize(
    ("text", "call"),
    [
        (
            '{"name": "TurnOnLights", "arguments": {"area": "x"}}',
            ("TurnOnLights", {"area": "x"}),
        ),
        ('HassFoo(area="x")', ("HassFoo", {"area": "x"})),
        ('lamp_on(name="Lamp")', ("lamp_on", {"name": "Lamp"})),
        ('<function=light_on>{"area": "x"}</function>', ("light_on", {"area": "x"})),
        ('<tool_call>light_on{"area": "x"}</tool_call>', ("light_on", {"area": "x"})),
        (
            "<tool_call>light_on<arg_key>area</arg_key><arg_value>x</arg_value></tool_call>",
            ("light_on", {"area": "x"}),
        ),
    ],
)
def test_a_call_of_no_tool_is_made_under_its_name_so_that_the_model_learns(
    text: str, call: Call
) -> None:
    assert found_in(text) == ("", [call])
    assert found_in(*text) == ("", [call])


@pytest.mark.parametrize("length", range(24, len(CALL)))
def test_a_call_that_is_cut_off_is_not_spoken_and_is_the_models_error(length: int) -> None:
    """Where the message ended by itself, only what closes the call may be left out."""
    broken = [("HassTurnOn", {"arguments": CALL[:length]})]
    assert found_in(CALL[:length], is_whole=False) == ("", broken)
    is_complete = length >= len(CALL) - 2
    assert found_in(CALL[:length]) == ("", [LAMP] if is_complete else broken)


def test_a_list_may_lack_its_quotes() -> None:
    calls = [(TURN_ON, {"domain": ["light", "media_player"], "area": "Living Room"})]
    assert found_in("HassTurnOn(domain=[light, media_player], area=Living Room)") == ("", calls)


def test_positional_arguments_reach_the_tool() -> None:
    for text in ('HassTurnOn("Lamp")', "HassTurnOn(Lamp).", "Sure. HassTurnOn(Lamp)\nIs that all?"):
        assert found_in(text)[1] == [(TURN_ON, {"argument": "Lamp"})]
        assert found_in(*text)[1] == [(TURN_ON, {"argument": "Lamp"})]
    several = [(TURN_ON, {"arguments": ["Lamp", "Hall"]})]
    assert found_in('HassTurnOn("Lamp", "Hall")') == ("", several)
    both = [(TURN_ON, {"argument": "Lamp"}), (TURN_OFF, {"argument": "Fan"})]
    assert found_in("HassTurnOn(Lamp), HassTurnOff(Fan)") == ("", both)


SENTENCES = (
    "The kitchen light is on.",
    "I have turned on 3 lights: Lamp (hall), TV & spots - at 21.5 °C!",
    "Das Licht in der Küche ist an; soll ich's ausschalten?",
    "A luz da cozinha está ligada.",
    "La lumière est allumée. Autre chose ?",
    "キッチンの照明をつけました。",
    "厨房的灯已经打开了。",
    "Světlo v kuchyni svítí.\nA co dál?",
)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_speech_flows_on_at_once_in_any_language(sentence: str) -> None:
    """Cut at words, as models write: at most the first word of a sentence is held back."""
    text = TextCalls(NAMES)
    said = ""
    words = sentence.replace(" ", "\0 ").split("\0")
    for number, word in enumerate(words):
        said += "".join(delta.get("content") or "" for delta in text.feed(word))
        held = "".join(words[: number + 1]).removeprefix(said)
        assert not held.rstrip().count(" "), held
    assert said + "".join(delta.get("content") or "" for delta in text.end()) == sentence


def deltas_of(
    *deltas: conversation.AssistantContentDeltaDict,
) -> AsyncGenerator[conversation.AssistantContentDeltaDict]:
    async def stream() -> AsyncGenerator[conversation.AssistantContentDeltaDict]:
        for delta in deltas:
            yield delta.copy()

    return stream()


async def rescued(
    *deltas: conversation.AssistantContentDeltaDict,
) -> Sequence[Call]:
    return [
        (call.tool_name, call.tool_args)
        async for delta in rescue_calls(deltas_of(*deltas), name_of, TOOLS)
        for call in delta.get("tool_calls") or ()
    ]


async def test_a_call_that_ends_the_thinking_of_a_silent_message_is_made() -> None:
    thinking = f"The user wants the lamp on.\n<tool_call>\n{CALL}\n</tool_call>\n"
    assert await rescued(
        {"role": "assistant"},
        {"thinking_content": thinking[:20]},
        {"thinking_content": thinking[20:]},
    ) == [LAMP]


async def test_a_call_that_is_only_considered_is_not_made() -> None:
    thinking = f"I could call {CALL}. But nobody asked for it."
    assert await rescued({"thinking_content": thinking}) == []
    assert await rescued({"thinking_content": CALL}, {"content": "It is on already."}) == []
    assert await rescued({"thinking_content": written("HassFoo", area="x")}) == []
    made = llm.ToolInput("search", {})
    assert await rescued({"thinking_content": CALL}, {"tool_calls": [made]}) == [("search", {})]
    # It is longer than any that is meant.
    assert await rescued({"thinking_content": written(name="x" * 40_000)}) == []


FRAGMENTS = st.sampled_from(
    [
        *(CALL, '{"name"', ": ", '"HassTurnOn"', '"arguments"', "{", "}", "{{", "}}", "[", "]"),
        *("<tool_call>", "</tool_call>", "```", "json", "\n", " ", "`", "HassTurnOn", "(", ")"),
        *('name="Lamp"', "with ", "name: x", ",", "and ", ".", "The light", "Hass", "search"),
        *("function", "<function=HassTurnOn>", "<parameter=name>", "</parameter>", "</function>"),
        *("call:", "tool_code", "print(", "'", '"', "\\", "null", "1", "-", "<tool_response>"),
        *("</tool_response>", "[TOOL_CALLS]", "[ARGS]", 'HassFoo(a="1")', "é", "|", "<|", "|>"),
        *("<escape>", "😀", "\\ud800"),
    ]
)
TEXTS = st.one_of(st.lists(FRAGMENTS, max_size=12).map("".join), st.text(max_size=30))


@given(TEXTS, st.lists(st.integers(1, 9), min_size=1, max_size=20))
def test_any_text_is_read_the_same_however_it_is_split(text: str, sizes: list[int]) -> None:
    pieces: list[str] = []
    rest = text
    while rest:
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(rest[:size])
        rest = rest[size:]
    said, calls = found_in(*pieces)
    assert (said, calls) == found_in(text)
    assert all(json.dumps(arguments) for _, arguments in calls)
    letters = iter(text)
    assert all(letter in letters for letter in said if not letter.isspace()), "Nothing is added"


@given(st.text(st.characters(exclude_characters="{[<`", categories=("L", "N", "P", "Z"))))
def test_no_speech_is_lost(text: str) -> None:
    said, calls = found_in(text)
    if not calls:
        assert said == text
