"""Mixed dialects: whatever a model writes, no markup is heard, and nothing is raised."""

import random
import re

import pytest

from custom_components.voice_gateway.models.text.thinking import ThinkingFilter, ThinkingHabit
from custom_components.voice_gateway.models.text_calls.stream import TextCalls
from custom_components.voice_gateway.turn.speech import Speech

from ..turn import dialect_forms as forms
from .test_text_calls import NAMES

SEEDS = range(41, 53)
WORDS = (
    "The lamp is on.",
    "It is warm, 21.5 °C.",
    "One moment.",
    "5 < 6 and 3 * 4.",
    "Küche. ",
    "\n",
    " ",
)
GIVEN = (
    '{"name": "Lamp"}',
    '{"name": "Lamp"',
    '{"name": Lamp}',
    '{}{"name": "Lamp"}',
    '"{\\"name\\": 1}"',
)
NAMED = (
    "HassTurnOn",
    "functions.HassTurnOn",
    "intent__HassTurnOn",
    "HassFoo",
    "HassTurnOn<|channel|>final",
)
# What others play whole is mixed here.
FORMS = tuple(
    form.replace(forms.ON, "NAME").replace(forms.GIVEN, "GIVEN") for form in forms.WRITTEN
)
CALLS = (
    *FORMS,
    '{"name": "NAME", "arguments": GIVEN}', "NAME(name='Lamp')", "NAME\nGIVEN", "[TOOL_CALLS]NAME[CALL_ID]a1[ARGS]GIVEN",
    "<function=NAME><parameter=name>Lamp</parameter></function>", "<function=NAME>\n<parameter=area=\n</function>",
    '<｜DSML｜invoke name="NAME"><｜DSML｜parameter name="name">Lamp</｜DSML｜parameter>',
    "<|channel|>commentary to=NAME <|constrain|>json<|message|>GIVEN<|call|>", "assistantcommentary to=functions.NAME json GIVEN",
    "<longcat_tool_call>NAME<longcat_arg_key>name</longcat_arg_key><longcat_arg_value>Lamp</longcat_arg_value>",
    "<｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME\n```json\nGIVEN\n```<｜tool▁call▁end｜>",
    '<minimax:tool_call><invoke name="NAME">GIVEN</invoke></minimax:tool_call>', "<tool_call><tool_name>NAME</tool_name><arguments>GIVEN",
)  # fmt: skip
TAG = re.compile(r"<[^<>]*>|\[[A-Z_/]+\]|&lt;[^&]*&gt;")
MARKS = (
    *sorted({mark for form in forms.SPEECH for mark in TAG.findall(form)}),
    *("&lt;", "✿FUNCTION✿: ", "[unused16]", "[unused17]", "</think\n", "<![CDATA[", "<tool_call>"),
    *("</tool_call>", "<|tool_call|>", "<think>", "</think>", "[THINK]", "[/THINK]", "◁think▷"),
    *("<|channel|>analysis<|message|>", "<|channel|>final<|message|>", "<|start|>assistant"),
    *("<|end|>", "<|return|>", "<|im_end|>", "<|im_start|>user\n", "<|eot_id|>", "</s>", "[INST]"),
    *("[/INST]", "<end_of_turn>", "<turn|>", "<tool_response>{}</tool_response>", "<|python_tag|>"),
    *("<seed:think>", "</seed:think>", "</minimax:tool_call>", "<｜end▁of▁sentence｜>"),
    *("</｜DSML｜function_calls>", "<answer>", "</answer>", "[ARGS]", "</parameter>"),
)
THOUGHT = re.compile(
    r"think|channel|▷|thought|unused|ctrl|inner|analysis|scratch|reason|reflect|hidden|plan|rational|internal",
    re.IGNORECASE,
)
HEARD = re.compile(
    r"<[|｜/]|[|｜]>|</?(?:\w+:)?(?:tool|function|parameter|invoke|think|longcat)|\[/?[A-Z_]{3,}\]"
    r"|to=functions|assistant(?:final|commentary)"
)


def message(choose: random.Random) -> str:
    """Return what a model may write: words, calls and marks, some of them cut off."""
    parts = []
    for _ in range(choose.randint(1, 7)):
        part = choose.choice(choose.choices((WORDS, CALLS, MARKS), (3, 2, 4))[0])
        named = choose.choice(NAMED[:4] if part in FORMS else NAMED)
        part = part.replace("NAME", named).replace("GIVEN", choose.choice(GIVEN))
        parts.append(f"{part}\n" if part[-1:].isalpha() and part.startswith("<") else part)
    if choose.random() < 0.3:
        # The server stops in the midst of it.
        parts[-1] = parts[-1][: choose.randint(1, len(parts[-1]))]
    return "".join(parts)


def heard(pieces: list[str]) -> tuple[str, list[tuple[str, str]]]:
    """Return what of a message is heard, and what is called."""
    split, calls, speech = ThinkingFilter(ThinkingHabit()), TextCalls(NAMES), Speech()
    said: list[str] = []
    made: list[tuple[str, str]] = []
    parts = [part for piece in pieces for part in split.feed(piece)] + split.end()
    deltas = [each for part in parts for each in calls.feed(part.get("content") or "")]
    for delta in (*deltas, *calls.end()):
        said += [each["content"] or "" for each in speech.feed(delta.get("content") or "")]
        made += [(call.tool_name, str(call.tool_args)) for call in delta.get("tool_calls") or ()]
    return "".join((*said, *(each["content"] or "" for each in speech.end()))), made


@pytest.mark.parametrize(
    ("seed", "messages"),
    [(SEEDS[0], 500), *(pytest.param(seed, 5000, marks=pytest.mark.soak) for seed in SEEDS)],
)
def test_no_markup_of_mixed_dialects_is_heard_in_whatever_pieces_they_come(
    seed: int, messages: int
) -> None:
    choose = random.Random(seed)
    wrong = []
    for _ in range(messages):
        text = message(choose)
        whole = heard([text])
        if HEARD.search(whole[0]):
            wrong.append((text, whole[0]))
        size = choose.randint(1, 9)
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        # What closes a thinking that nothing opened unsays as much as was not said yet.
        if not THOUGHT.search(text):
            assert heard(pieces) == heard([*text]) == whole, text
    assert not wrong, f"{len(wrong)}: {wrong[:10]}"


@pytest.mark.parametrize(
    ("text", "said", "called"),
    [
        ("It is on. <longcat", "It is on.", []),
        ("It is on.</co: 0", "It is on.", []),
        ("It is on. <tools.HassFoo na", "It is on.", []),
        ("It is on.<<｜DSML｜invoke", "It is on.<", []),
        ("It is on. <tool_name: HassFoo\nWell.", "It is on. tool_name: HassFoo\nWell.", []),
        ('Yes.```to=functions.HassFoo<|message|>{"a": 1}', "Yes.", ["HassFoo"]),
        ('call:HassFoo{name:<|"|>Be', "", ["HassFoo"]),
        ('It is on. call:HassTurnOn{name:<|"|>Be', "It is on.", ["intent__HassTurnOn"]),
        ('<|tool_call>call:HassFoo{name:<|"|>Be', "", ["HassFoo"]),
        (
            "analysisHm.assistantcommentary to=HassFoo json{}commentary to=HassFoo json{}",
            "",
            ["HassFoo", "HassFoo"],
        ),
        ("<tool_call>HassFoo{}</tool_call\nIt is warm. >", "It is warm. >", ["HassFoo"]),
        ("Fine.<|im_end|>&", "Fine.", []),
        # Comparisons, arrows and placeholders stay.
        ("5 < 6, a<b, x <- y, <3 and <name>", "5 < 6, a<b, x <- y, <3 and <name>", []),
        ("a<b", "a<b", []),
        ("It is<![CDATA[warm.", "It iswarm.", []),
    ],
)
def test_marks_and_headers_that_lack_their_end_are_not_heard(
    text: str, said: str, called: list[str]
) -> None:
    for pieces in ([text], [*text]):
        words, calls = heard(pieces)
        assert (words, [name for name, _ in calls]) == (said, called)
