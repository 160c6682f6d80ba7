"""What is taken of a message at most."""

from collections.abc import AsyncGenerator, Iterable
from typing import Any

from homeassistant.helpers import llm
import pytest

from custom_components.voice_gateway.models.client import ModelError, Reason
from custom_components.voice_gateway.models.limits import MAX_CALLS, MAX_NAME, MAX_TEXT, bounded
from tests.rows import rows

type Delta = dict[str, Any]


async def taken(*deltas: Delta, may_repeat: bool = False) -> list[Any]:
    async def stream() -> AsyncGenerator[Any]:
        for delta in deltas:
            yield delta

    return [delta async for delta in bounded(stream(), may_repeat=may_repeat)]


def said(text: str, length: int) -> Iterable[Delta]:
    return ({"content": text[at : at + length]} for at in range(0, len(text), length))


def numbers(length: int) -> str:
    return "".join(f"{number} " for number in range(length))[:length]


@rows("unit", ["_", "the ", "HassTurnOn", "\n", "I will turn it on now. ", "好"])
async def test_what_only_repeats_itself_is_broken_off(unit: str) -> None:
    for part in ("content", "thinking_content"):
        for length in (3, 4000):
            deltas = ({part: each["content"]} for each in said("Well. " + unit * 4000, length))
            with pytest.raises(ModelError) as err:
                await taken(*deltas)
            assert err.value.reason is Reason.CUT_SHORT


async def test_what_is_thought_and_what_is_said_repeat_themselves_each_for_itself() -> None:
    with pytest.raises(ModelError):
        await taken(*({"thinking_content": f"{at} ", "content": "na "} for at in range(2000)))


@rows(
    "text",
    [
        numbers(9000),
        "-" * 120 + "\n" + "=" * 200,
        "Row, row, row your boat, gently down the stream. " * 12,
        "Na na na nananana, nananana, hey! " * 18,
        "\n".join(f"| Lamp {number} | on |" for number in range(60)),
    ],
)
async def test_an_answer_is_passed_on_as_it_is(text: str) -> None:
    for length in (5, len(text)):
        deltas = await taken({"role": "assistant"}, *said(text, length))
        assert deltas[0] == {"role": "assistant"}
        assert "".join(delta["content"] for delta in deltas[1:]) == text


async def test_data_may_repeat_itself() -> None:
    await taken(*said("0.0, " * 96 * 4, 9), may_repeat=True)


async def test_a_text_has_a_length() -> None:
    with pytest.raises(ModelError):
        await taken(*said(numbers(MAX_TEXT + 1), 1000))
    with pytest.raises(ModelError):
        await taken({"tool_calls": [llm.ToolInput("call", {"a": numbers(MAX_TEXT)})]})


async def test_a_message_has_so_many_calls_and_ends_with_the_last() -> None:
    calls = [llm.ToolInput("n" * 500, {"number": number}) for number in range(100)]
    for deltas in ([{"tool_calls": calls}], [{"tool_calls": [call]} for call in calls]):
        made = [call for delta in await taken(*deltas) for call in delta["tool_calls"]]
        assert [call.tool_args["number"] for call in made] == list(range(MAX_CALLS))
        assert {call.tool_name for call in made} == {"n" * MAX_NAME}
