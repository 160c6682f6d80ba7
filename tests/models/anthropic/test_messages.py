"""Conversations as Anthropic's messages: whatever happened, the API takes them."""

from itertools import count
from typing import Any

from homeassistant.components import conversation
from homeassistant.helpers import llm
from hypothesis import given, strategies as st
import pytest

from custom_components.voice_gateway.models.anthropic.messages import (
    NativeMessage,
    to_messages,
    to_system,
)
from custom_components.voice_gateway.models.anthropic.server import AnthropicModel
from custom_components.voice_gateway.models.functions import safe_name
from custom_components.voice_gateway.text_tool_call import WrittenCall
from tests.anthropic import MODEL, model_info
from tests.anthropic_rules import wrongs

HAIKU = AnthropicModel(MODEL, "Claude")
AGENT = "conversation.jarvis"


def body(*content: conversation.Content) -> dict[str, Any]:
    messages = to_messages(content, HAIKU, {})
    return {"model": MODEL, "max_tokens": 1, "stream": True, "messages": messages}


def user(text: str) -> conversation.UserContent:
    return conversation.UserContent(text)


def assistant(
    text: str | None = None, *calls: llm.ToolInput, native: Any = None
) -> conversation.AssistantContent:
    return conversation.AssistantContent(AGENT, text, tool_calls=list(calls) or None, native=native)


def result(
    call: llm.ToolInput, data: Any = None, *, error: bool = False
) -> conversation.ToolResultContent:
    data = {"result": "Done"} if data is None else data
    return conversation.ToolResultContent(
        AGENT, call.id, call.tool_name, llm.ToolResult(data, error=error)
    )


@pytest.mark.requirement("D8")
@pytest.mark.requirement("D9")
def test_calls_and_results_are_one_to_one_in_the_calls_order() -> None:
    one, two, three = (llm.ToolInput(f"tool_{n}", {"n": n}) for n in range(3))
    messages = body(
        user("Do it"),
        assistant("Well.", one, two, three),
        result(two, {"error": "No such lamp"}, error=True),
        result(one),
        user("And?"),
    )["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    text, *calls = messages[1]["content"]
    assert text == {"type": "text", "text": "Well."}
    assert [(call["name"], call["input"]) for call in calls] == [
        ("tool_0", {"n": 0}),
        ("tool_1", {"n": 1}),
        ("tool_2", {"n": 2}),
    ]
    first, second, third, sentence = messages[2]["content"]
    assert first == {"type": "tool_result", "tool_use_id": one.id, "content": "Done"}
    assert (second["content"], second["is_error"]) == ("Error: No such lamp", True)
    assert third["is_error"]
    assert sentence["text"] == "And?"


def test_place_and_sentence_are_one_message() -> None:
    messages = body(user("[Kitchen]"), user("Lamp on"))["messages"]
    assert messages == [
        {
            "role": "user",
            "content": [{"type": "text", "text": "[Kitchen]"}, {"type": "text", "text": "Lamp on"}],
        }
    ]


def test_conversation_that_the_assistant_began() -> None:
    messages = body(assistant("The washing is done."), user("Thanks"))["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]


def test_call_that_was_written_is_shown_as_a_call_and_not_as_text() -> None:
    call = WrittenCall("turn_on", {"name": "Lamp"})
    native = NativeMessage(MODEL, [{"type": "text", "text": '{"name": "turn_on", …}'}])
    messages = body(user("Lamp on"), assistant(None, call, native=native), result(call))
    assert messages["messages"][1]["content"] == [
        {"type": "tool_use", "id": call.id, "name": "turn_on", "input": {"name": "Lamp"}}
    ]


def test_native_content_of_another_integration_is_let_alone() -> None:
    messages = body(user("Hi"), assistant("Hello", native=object()), user("Bye"))["messages"]
    assert messages[1]["content"] == [{"type": "text", "text": "Hello"}]


def test_system_prompt_is_apart() -> None:
    content: list[conversation.Content] = [
        conversation.SystemContent("You are kind."),
        user("Hi"),
    ]
    assert to_system(content) == "You are kind."
    assert len(to_messages(content, HAIKU, {})) == 1


NAMES = st.text(max_size=200)


@given(NAMES, NAMES)
def test_names_are_safe_and_as_different_as_they_were(one: str, two: str) -> None:
    assert 0 < len(safe_name(one)) <= 128
    assert safe_name(safe_name(one)) == safe_name(one)
    assert (safe_name(one) == safe_name(two)) == (one == two)


_NUMBERS = count()
TEXT = st.sampled_from(["", " ", "\n", "Lamp on", "[Kitchen]", "**Yes**"])
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
SEALED = {"type": "redacted_thinking", "data": "x"}


@st.composite
def messages_of_the_model(draw: st.DrawFn) -> conversation.AssistantContent:
    """Return a message as it may stand in a log, whole or not, said or not."""
    ids = draw(st.lists(st.uuids().map(str) | st.text(min_size=1, max_size=9), max_size=3))
    calls = [llm.ToolInput(draw(NAMES), {}, f"{call_id}.{next(_NUMBERS)}") for call_id in set(ids)]
    text = draw(TEXT)
    blocks: list[dict[str, Any]] = draw(st.lists(st.sampled_from([THOUGHT, SEALED]), max_size=2))
    if draw(st.booleans()) and text.strip():
        blocks = [*blocks, {"type": "text", "text": text}]
    if draw(st.booleans()):
        blocks = [
            *blocks,
            *(
                {
                    "type": "tool_use",
                    "id": safe_name(call.id),
                    "name": safe_name(call.tool_name),
                    "input": {},
                }
                for call in calls
            ),
        ]
    model = draw(st.sampled_from([MODEL, "another"]))
    said = draw(st.sampled_from([text, "", None]))
    native = NativeMessage(model, blocks) if draw(st.booleans()) else None
    return assistant(said, *calls, native=native)


@given(st.data())
def test_every_log_makes_a_request_that_the_api_takes(data: st.DataObject) -> None:
    content: list[conversation.Content] = []
    for part in data.draw(st.lists(st.one_of(TEXT, messages_of_the_model()), max_size=6)):
        if isinstance(part, str):
            content.append(user(part))
            continue
        content.append(part)
        # Some results are missing, as after a turn that was interrupted.
        answered = (
            data.draw(st.lists(st.sampled_from(part.tool_calls), unique_by=id))
            if (part.tool_calls)
            else []
        )
        content += [result(call, error=data.draw(st.booleans())) for call in answered]
    content.append(user("And now?"))
    assert wrongs(body(*content), model_info()) == []
