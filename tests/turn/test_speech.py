"""What is spoken is plain text: no Markdown, no emoji, no JSON, no thinking; nothing else is lost."""

from collections.abc import AsyncGenerator, Iterable
import unicodedata

from homeassistant.components import conversation
from hypothesis import example, given, strategies as st
import pytest

from custom_components.voice_gateway.models.text.thinking import ThinkingFilter, ThinkingHabit
from custom_components.voice_gateway.turn.speech import Speech, speech
from tests.rows import rows

type Delta = conversation.AssistantContentDeltaDict


def spoken(*pieces: str) -> str:
    """Return what is spoken of a text that comes in pieces."""
    text = Speech()
    return "".join([*(said(text.feed(piece)) for piece in pieces), said(text.end())])


def said(deltas: Iterable[Delta]) -> str:
    return "".join(delta.get("content") or "" for delta in deltas)


def spoken_in_two(text: str) -> set[str]:
    """Return what is spoken of a text wherever it is split."""
    return {spoken(text[:length], text[length:]) for length in range(len(text) + 1)}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("**Kitchen light**: on", "Kitchen light: on"),
        ("It is *very* __warm__, _really_ ***so***.", "It is very warm, really so."),
        ("你**好**吗", "你好吗"),
        ("# Lights\nAll are on.", "Lights.\nAll are on."),
        ("On:\n- **Lamp**\n- TV!\n* Spot: 5", "On:\nLamp.\nTV!\nSpot: 5."),
        ("1. Lamp\n2. TV", "1. Lamp.\n2. TV."),
        ("> It was said.", "It was said."),
        ("> It was\n> said", "It was\nsaid"),
        # Emphasis and code end with their line; in code nothing is emphasis.
        ("It is *on\nand* off", "It is on\nand* off"),
        ("`x\n**y** z", "x\ny z"),
        ("Call `**x**` now", "Call **x** now"),
        ("One\n---\nTwo", "One\nTwo"),
        ("See [the manual](https://example.org/a_(b)) first.", "See the manual first."),
        ("![A lamp](lamp.png) is on", "A lamp is on"),
        ("| Room | Lights |\n|:--|--:|\n| Hall | 2 |\nDone.", "Room, Lights.\nHall, 2.\nDone."),
        ("| Room | Lights |", "Room, Lights."),
        ("```\nlight: on\n```\n- Lamp", "light: on\nLamp."),
        ("```\nlight: on", "light: on"),
        ("Call `light.turn_on` now", "Call light.turn_on now"),
        ("```yaml\nlight: on\n```\nDone.", "light: on\nDone."),
        ('```json\n{"light": "on"}\n```\nDone.', "Done."),
        ('It is {"state": {"a": [1, "}"]}} now', "It is now"),
        ('[{"name": "Lamp"}]', ""),
        ('{"cut": "off', ""),
        ("It is on👍  now.", "It is on now."),
        ("Done 👍! Good ✅.\nBye 👋🏽", "Done! Good.\nBye"),
        ("1️⃣ One 🇩🇪 👨‍👩‍👧 two", "1 One two"),
        ("<b>Hi</b><br>there<|im_end|>", "Hi\nthere"),
        ("It is on.<end_of_turn>", "It is on."),
        (r"\*Not bold\*", "*Not bold*"),
        # An underscore within a word does not end what one before it began.
        ("It is _snake_case_ here", "It is snake_case here"),
        ("Good ~~bad~~ day", "Good bad day"),
        ("See <https://example.org/_a_> now", "See https://example.org/_a_ now"),
    ],
)
def test_formatting_is_not_spoken(written: str, said: str) -> None:
    assert spoken(written) == said
    assert spoken(*written) == said, "Letter by letter it is the same"
    assert spoken_in_two(written) == {said}


ORDINARY = (
    "3 * 4 * 5 = 60, 3*4*5, 2**8",
    "snake_case and light.kitchen_lamp_2",
    "-5 °C outside\n-6 °C tomorrow",
    "#1 in the list",
    ">5 lights, 5 < 6, <3, a<b, x > y",
    "See https://example.org/_a_/b_c?x=1*2*3 now.",
    "Set {1, 2}, {name}, [1] and [x].",
    "About ~5 m/s, 40 %, 21.5 °C & more – or less…",
    "C:\\temp is a folder",
    "Wow! Really?! Yes!",
    "“Quoted” 'text' (in brackets); it's fine.",
    "Die Tür ist zu. À bientôt ! 你好。キッチン",
    "می‌خواهم क्षि",
    "+49 89 1234, 18:30, 1.5, 2/3, ❶",
)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_spoken_as_it_is(text: str) -> None:
    assert spoken(*text) == text
    assert spoken_in_two(text) == {text}


@pytest.mark.parametrize(
    ("pieces", "spoken_of_each"),
    [
        (["It is **on**", ". ", "Now *so*", "!\n"], ["", "It is on.", "", " Now so!"]),
        (["ライトを", "つけました。", "は"], ["", "ライトをつけました。", ""]),
        (["| Room | Lights |\n", "| Hall. | 2"], ["Room, Lights.", ""]),
        (["```yaml\n", "light. on\n", "```\n", "Done. "], ["", "", "light. on", "\nDone."]),
        (["See [Dr. ", "No](http://a.b) on. ", "So"], ["", "See Dr. No on.", ""]),
        (["a < b. ", "and <b>c</b>. ", "d"], ["a < b.", " and c.", ""]),
        (["1. Lamp ", "is on\n", "2. TV "], ["1.", " Lamp is on.", "\n2."]),
        (['{"a": 1. 5} ', "b: ", "c"], ["", "b:", ""]),
        (["It is {\n", '"a": 1}\n', "on. "], ["", "It is", " \non."]),
        (["---\n", "x\n\n", "y"], ["", "x", ""]),
        (["# Head\n", "> x\n"], ["Head.", "\nx"]),
        (["word " * 59, "word " * 9], ["", " ".join(["word"] * 68)]),
    ],
)
def test_sentence_is_spoken_at_its_end(pieces: list[str], spoken_of_each: list[str]) -> None:
    filtered = Speech()
    assert [said(filtered.feed(piece)) for piece in pieces] == spoken_of_each


async def _stream(deltas: Iterable[Delta]) -> AsyncGenerator[Delta]:
    for delta in deltas:
        yield delta.copy()


async def test_formatting_is_kept_where_it_is_wanted() -> None:
    deltas: list[Delta] = [{"role": "assistant"}, {"content": "**On** 👍"}]
    assert [delta async for delta in speech(_stream(deltas), keep_formatting=True)] == deltas
    assert [delta async for delta in speech(_stream(deltas))] == [
        {"role": "assistant"},
        {"content": "On"},
    ]


async def apart(habit: ThinkingHabit, *pieces: str) -> tuple[str, str]:
    """Return what of a text that comes in pieces is thought, and what is said."""
    thought = said = ""
    stream = _stream({"content": piece} for piece in pieces)
    async for delta in ThinkingFilter(habit).of(stream):
        thought += delta.get("thinking_content") or ""
        said += delta.get("content") or ""
    return thought, said


@rows(
    ("written", "thought", "said"),
    [
        ("<think>Hm.</think>\n\nOn.", "Hm.", "On."),
        ("<think>\n\n</think>\n\nOn.", "\n\n", "On."),
        ("<thinking>Hm.</thinking>On.", "Hm.", "On."),
        ("[THINK]Hm.[/THINK]On.", "Hm.", "On."),
        ("◁think▷Hm.◁/think▷On.", "Hm.", "On."),
        ("<think>Hm, I never end", "Hm, I never end", ""),
        ("On. <think>Hm.</think> Off.", "Hm.", "On. Off."),
        (
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>On.",
            "Hm.",
            "On.",
        ),
        ("<|channel>thought\nHm.<channel|>On.", "\nHm.", "On."),
        ("I think 5 < 6 [TH] </thin", "", "I think 5 < 6 [TH] </thin"),
    ],
)
async def test_thinking_is_taken_out_of_the_text(written: str, thought: str, said: str) -> None:
    assert await apart(ThinkingHabit(), *written) == (thought, said)
    for length in range(len(written) + 1):
        pieces = written[:length], written[length:]
        assert await apart(ThinkingHabit(), *pieces) == (thought, said)


async def test_thinking_that_only_ends_is_known_at_once_in_one_piece_and_then_always() -> None:
    habit = ThinkingHabit()
    assert await apart(habit, "Hm.</think>On.") == ("Hm.", "On.")
    assert await apart(habit, *"The user wants it off.</think>Off.") == (
        "The user wants it off.",
        "Off.",
    )


async def test_a_model_that_once_only_ended_its_thinking_may_also_just_answer() -> None:
    habit = ThinkingHabit(closed_only=True)
    assert (await apart(habit, "It is ", "on."))[1] == "It is on."


async def test_thinking_that_the_template_opens_is_never_said() -> None:
    habit = ThinkingHabit(opened_by_template=True)
    assert await apart(habit, *"Hm.</think>On.") == ("Hm.", "On.")
    assert await apart(habit, "Hm, I never end") == ("Hm, I never end", "")
    habit.closed_only = True
    assert await apart(habit, "Hm, I never end") == ("Hm, I never end", "")


FRAGMENTS = st.sampled_from(
    [
        *("**", "*", "_", "__", "`", "```", "\n", " ", "- ", "# ", "> ", "|", "[", "](", ")", "!"),
        *("{", "}", '"', "<b>", "</", "<|", "|>", "<", "\\", "👍", "‍", "️", "word", "Kitchen", "5"),
        *("http://", "1. ", "---", "~~", ".", "é", "{}", '{"a":1}'),
    ]
)


@example("</**|word> ")
@example("<a |x>")
@given(st.one_of(st.lists(FRAGMENTS, max_size=15).map("".join), st.text(max_size=40)))
def test_no_text_makes_it_raise_and_no_letter_is_added_or_reordered(text: str) -> None:
    said = spoken(text)
    letters = iter(text)
    # A table's cells and an item's end get marks of their own.
    words = [letter for letter in said if letter.isalnum()]
    assert all(letter in letters for letter in words)
    assert sorted(filter(str.isalnum, spoken(*text))) == sorted(words)


@given(
    st.text(st.characters(categories=("L", "Nd", "Zs"), include_characters=".,;:?'()%&/°€")).map(
        lambda text: unicodedata.normalize("NFC", text)
    )
)
def test_text_without_marks_is_never_changed(text: str) -> None:
    assert spoken(*text).rstrip(".") == text.strip().rstrip(".")
