"""What is not for the ears of who listens, in whatever pieces it comes."""

from contextlib import suppress

from homeassistant.helpers import llm

from custom_components.voice_gateway.models.client import Deltas, ModelError, Reason
from custom_components.voice_gateway.turn.speech_filter import SpeechFilter
from tests.rows import rows

TOOLS = ("intent__HassTurnOn", "homeassistant__GetLiveContext", "todo__get_items", "weather")


async def utterance(text: str, length: int, *, language: str = "en") -> str:
    ears = SpeechFilter(language, TOOLS)

    async def pieces() -> Deltas:
        for begin in range(0, len(text), length):
            yield {"content": text[begin : begin + length]}

    said = "".join([delta["content"] async for delta in ears.of(pieces()) if delta["content"]])
    assert ears.dropped is (said != text)
    return said.strip()


@rows("length", [1, 3, 1000])
@rows(
    ("language", "text", "expected"),
    [
        ("en", "The user wants the light on. It is on.", "It is on."),
        ("en", "It is on. The user asked for that.", "It is on."),
        ("en", "Based on the function's result, it is on. Bye.", "Bye."),
        ("en", "The call failed because the user did not name it. Sorry.", "Sorry."),
        ("en", "I can't, as the user did not say which. Sorry.", "Sorry."),
        ("de", "Das geht nicht, weil der Benutzer keine nennt. Schade.", "Schade."),
        ("fr", "Raté, parce que l'utilisateur n'a rien dit. Pardon.", "Pardon."),
        ("es", "No puedo, porque el usuario no dijo cuál. Perdón.", "Perdón."),
        ("it", "Non posso, perché l'utente non dice quale. Scusa.", "Scusa."),
        ("nl", "Dat lukt niet, omdat de gebruiker niets zegt. Sorry.", "Sorry."),
        ("pl", "Nie mogę, ponieważ użytkownik nie mówi. Przykro mi.", "Przykro mi."),
        ("en", "I called intent__HassTurnOn. All good.", "All good."),
        ("en", "You can use todo_get_items. All good.", "All good."),
        ("en", "HassLightSet does it. All good.", "All good."),
        # One that there is not.
        ("en", "I called zwave__set_lamp. All good.", "All good."),
        ("en", "You can use todo_get_items(x). All good.", "All good."),
        ("en", "GetLiveContext says so. All good.", "All good."),
        ("en", "It is [current-date-time]. All good.", "All good."),
        ("en", "It is <time>, and {{ state }}. All good.", "All good."),
        ("en", "The {name} is on. All good.", "All good."),
        ("en", "[laughs] What a day.", "What a day."),
        ("de", "Der Benutzer möchte Licht.\nEs ist an.", "Es ist an."),
        ("fr", "L’utilisateur veut de la lumière. C'est fait.", "C'est fait."),
        ("de", "The user wants light. Es ist an.", "Es ist an."),
    ],
)
async def test_it_is_left_out_by_the_sentence(
    length: int, language: str, text: str, expected: str
) -> None:
    assert await utterance(text, length, language=language) == expected


@rows("length", [1, 3, 1000])
@rows(
    "text",
    [
        "The user's manual is on the table. The user manual, too.",
        "a < b and c > d. 3<4. [1] {x: 1}",
        "Hassan is here. Haste makes waste. I am at home.",
        "The weather is snake_case, e.g. a_b.",
        "Le vent d'est souffle à 1.5 m/s.\n\nEt voilà",
        "The user",
        "[",
    ],
)
async def test_all_else_is_heard_as_it_is(length: int, text: str) -> None:
    assert await utterance(text, length) == text.strip()


async def test_who_asks_for_the_tools_hears_their_names() -> None:
    text = "There are todo_get_items, intent__HassTurnOn and HassLightSet. I am [name]. The end."
    ears = SpeechFilter("en", None)

    async def message() -> Deltas:
        yield {"content": text}

    said = "".join([delta["content"] or "" async for delta in ears.of(message())])
    assert said == "There are todo_get_items, intent__HassTurnOn and HassLightSet. The end."


async def test_sentence_is_heard_when_it_ends() -> None:
    ears = SpeechFilter("en", TOOLS)

    async def pieces() -> Deltas:
        for piece in ("The ", "kitchen ", "is ", "warm. ", "I called ", "todo__get_items.", " Bye"):
            yield {"content": piece}

    said = [delta["content"] or "" async for delta in ears.of(pieces())]
    assert said == ["The kitchen is warm.", " Bye"]


async def test_what_was_begun_is_heard_before_a_call_and_a_failure() -> None:
    ears = SpeechFilter("en", TOOLS)
    call = llm.ToolInput("weather", {})

    async def pieces() -> Deltas:
        yield {"content": "Wait"}
        yield {"tool_calls": [call]}
        yield {"content": "It is"}
        raise ModelError(Reason.UNREACHABLE, "Lost")

    said: list[object] = []
    with suppress(ModelError):
        async for delta in ears.of(pieces()):
            # What comes before the failure counts.
            said.append(delta)  # noqa: PERF401
    assert said == [{"content": "Wait"}, {"tool_calls": [call]}, {"content": "It is"}]


@rows("length", [1, 3, 1000])
@rows("begun", ["", "It is on. "])
async def test_model_that_recites_its_instructions_is_broken_off(length: int, begun: str) -> None:
    ears = SpeechFilter("de", TOOLS)
    text = f"{begun}To control the home, call a tool. \n\n# Tools\n\nYou may call one or more functions"
    taken = 0

    async def pieces() -> Deltas:
        nonlocal taken
        for taken in range(0, len(text), length):
            yield {"content": text[taken : taken + length]}

    assert "".join([each["content"] or "" async for each in ears.of(pieces())]) == begun.strip()
    assert ears.recites
    assert taken < len(begun) + len("To control the home, ") + length


PROMPT = """\
Thou art the butler of this old house, and speakest as butlers do. Be brief.
Your answers are never longer than one sentence.

Where nothing can be done, answer like this:
That is sadly not possible in this house, my lord.

Say "The lamp is now on in the hall, my lord." once. It is {{ now().hour }} o'clock in the old house.\
"""


@rows("length", [1, 3, 1000])
@rows(
    "recited",
    [
        "Thou art the butler of this old house, and speakest as",
        "Your answers are never longer than one sentence. Where nothing",
        '{"type": "function", "function": {"name": "weather", "description": "Tells it"}}',
        '{\n  "type" : "function"\n}',
        "# Tools\n\nYou may call one or more functions to assist with the user query.",
        "You are provided with function signatures within <tools></tools> XML tags:",
    ],
)
async def test_model_that_recites_a_users_instructions_or_its_tools_is_broken_off(
    length: int, recited: str
) -> None:
    ears = SpeechFilter("en", TOOLS, told=PROMPT)

    async def pieces() -> Deltas:
        text = f"It is on. {recited} And on."
        for begin in range(0, len(text), length):
            yield {"content": text[begin : begin + length]}

    assert (
        "".join([each["content"] or "" async for each in ears.of(pieces())]).strip() == "It is on."
    )
    assert ears.recites


@rows("length", [1, 3, 1000])
@rows(
    "said",
    [
        "That is sadly not possible in this house, my lord.",
        "The lamp is now on in the hall, my lord.",
        "Be brief. Your answers are never long.",
        "You may call one of them. You have access to the garage.",
        '{"type": 3} is JSON.',
    ],
)
async def test_examples_of_instructions_may_be_answered(length: int, said: str) -> None:
    ears = SpeechFilter("en", TOOLS, told=PROMPT)

    async def pieces() -> Deltas:
        for begin in range(0, len(said), length):
            yield {"content": said[begin : begin + length]}

    assert "".join([each["content"] or "" async for each in ears.of(pieces())]) == said
    assert not ears.dropped


async def test_endless_sentence_is_heard_in_parts() -> None:
    ears = SpeechFilter("en", TOOLS)
    said = ""

    async def pieces() -> Deltas:
        for taken in range(2000):
            assert 3 * taken - len(said) < 1000
            yield {"content": "la "}

    async for delta in ears.of(pieces()):
        said += delta["content"] or ""
    assert said.strip() == ("la " * 2000).strip()
