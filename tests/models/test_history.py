"""The conversation as a model may see it: one result per call, and results as text."""

from typing import Any

from homeassistant.components.conversation import (
    AssistantContent,
    Content,
    ToolResultContent,
    UserContent,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm
from hypothesis import given, strategies as st
import pytest

from custom_components.voice_gateway.models.history import result_text, with_all_results
from tests.agent import calls_without_their_result


def asked(*ids: str) -> AssistantContent:
    """Return a message with calls of these ids."""
    return AssistantContent(
        "agent", tool_calls=[llm.ToolInput(f"tool_{id_}", {}, id=id_) for id_ in ids]
    )


def result(id_: str) -> ToolResultContent:
    return ToolResultContent("agent", id_, f"tool_{id_}", llm.ToolResult(data={"result": id_}))


def ids(content: list[Content]) -> list[str]:
    """Return the ids of the results, those that stand in with a question mark."""
    return [
        f"{item.tool_call_id}{'?' if item.result.error else ''}"
        for item in content
        if isinstance(item, ToolResultContent)
    ]


@pytest.mark.requirement("D4")
@pytest.mark.requirement("D5")
@pytest.mark.requirement("D8")
@pytest.mark.requirement("F13")
@pytest.mark.parametrize(
    ("content", "results"),
    [
        pytest.param([asked("a"), result("a")], ["a"], id="as it should be"),
        pytest.param([asked("a", "b"), result("b"), result("a")], ["a", "b"], id="order"),
        pytest.param([asked("a", "b"), result("b")], ["a?", "b"], id="one is missing"),
        pytest.param([asked("a", "b"), UserContent("Hello?")], ["a?", "b?"], id="broken off"),
        pytest.param([asked("a")], ["a?"], id="broken off at the end"),
        pytest.param([asked("a"), asked("b"), result("b")], ["a?", "b"], id="next message"),
        pytest.param([result("x"), asked("a"), result("a")], ["a"], id="result of no call"),
        pytest.param([asked("a"), result("a"), result("a")], ["a"], id="twice"),
        pytest.param([AssistantContent("agent", content="Hi")], [], id="no calls"),
    ],
)
def test_every_call_has_its_result_in_the_calls_order(
    content: list[Content], results: list[str]
) -> None:
    before = list(content)
    seen = list(with_all_results(content))
    assert ids(seen) == results
    assert content == before
    rest = [item for item in content if not isinstance(item, ToolResultContent)]
    assert [item for item in seen if not isinstance(item, ToolResultContent)] == rest


ANY_CONTENT = st.lists(
    st.builds(lambda names: asked(*names), st.lists(st.sampled_from("abc"), unique=True))
    | st.builds(result, st.sampled_from("abcx"))
    | st.just(UserContent("Hello"))
)


@given(content=ANY_CONTENT)
def test_whatever_happened_calls_and_results_are_one_to_one(content: list[Content]) -> None:
    assert calls_without_their_result(with_all_results(content)) == []


@pytest.mark.requirement("D9")
def test_interrupted_call_says_so_under_its_name() -> None:
    (_, stand_in) = with_all_results([asked("a")])
    assert isinstance(stand_in, ToolResultContent)
    assert stand_in.tool_name == "tool_a"
    assert result_text(stand_in.result).startswith("Error: ")


@pytest.mark.requirement("D12", "F12")
@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"result": "It is on"}, "It is on"),
        ({"result": 7}, '{"result":7}'),
        ({"temperature": 21.5, "unit": "°C"}, '{"temperature":21.5,"unit":"°C"}'),
        ({}, "{}"),
    ],
)
def test_text_stays_text_and_objects_are_json(data: dict[str, Any], text: str) -> None:
    assert result_text(llm.ToolResult(data=data)) == text


def targets(*names: str) -> list[intent.IntentResponseTarget]:
    kind = intent.IntentResponseTargetType.ENTITY
    return [intent.IntentResponseTarget(name, kind, f"light.{name}") for name in names]


async def test_intent_is_told_without_ids_and_empty_parts(hass: HomeAssistant) -> None:
    response = intent.IntentResponse(language="en")
    assert result_text(llm.ToolResult(data=llm.IntentResponseDict(response))) == "Done"
    response.async_set_results(success_results=targets("Lamp", "Spot"))
    text = result_text(llm.ToolResult(data=llm.IntentResponseDict(response)))
    assert "Lamp" in text
    assert "Spot" in text
    assert "light." not in text
    response.async_set_results(success_results=targets("Lamp"), failed_results=targets("Spot"))
    text = result_text(llm.ToolResult(data=llm.IntentResponseDict(response)))
    assert text == '{"success":["Lamp"],"failed":["Spot"]}'
    spoken = intent.IntentResponse(language="en")
    spoken.async_set_speech("Five minutes are left")
    text = result_text(llm.ToolResult(data=llm.IntentResponseDict(spoken)))
    assert text == "Five minutes are left"
    spoken.async_set_speech_slots({"minutes": 5})
    text = result_text(llm.ToolResult(data=llm.IntentResponseDict(spoken)))
    assert text == '{"speech":"Five minutes are left","details":{"minutes":5}}'
