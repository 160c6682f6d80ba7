"""What a model of Anthropic's thinks and looks up: never spoken, never lost."""

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant

from custom_components.voice_gateway.models.anthropic.messages import NativeMessage
from tests.anthropic import (
    MODEL,
    PlayedAnthropic,
    answer,
    call,
    citation,
    model_info,
    redacted,
    says,
    search,
    text,
    thinking,
)

from .model import HELLO, Talk, api_instance, ask, client, lights, said

# Thinking


async def test_thinking_goes_back_signed_through_three_rounds_and_is_not_said(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    talk = Talk(hass, client(hass, think=True), await api_instance(hass, lights()))
    rounds = [
        [thinking("The ", "lamp first.", signature="one"), redacted("sealed")],
        [thinking("Now the other.", signature="two"), text("One is on. ")],
        [thinking("", signature="three")],
    ]
    anthropic.answers(
        answer(*rounds[0], call("turn_on", name="Lamp"), stop="tool_use"),
        answer(*rounds[1], call("turn_on", name="Torch"), stop="tool_use"),
        answer(*rounds[2], call("turn_on", name="Spot"), stop="tool_use"),
        says("All are on."),
    )
    await talk.hears("All lights on")
    # The stand-in refuses thinking that is not as it was signed, in its place.
    kinds = [
        [block["type"] for block in message["content"]]
        for message in anthropic.chats[3]["messages"]
        if message["role"] == "assistant"
    ]
    assert kinds == [
        ["thinking", "redacted_thinking", "tool_use"],
        ["thinking", "text", "tool_use"],
        ["thinking", "tool_use"],
    ]
    first = talk.log.content[2]
    assert isinstance(first, conversation.AssistantContent)
    assert first.thinking_content == "The lamp first."
    assert not first.content


async def test_what_was_not_said_is_not_told_to_the_model_as_said(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm.", "signature": "mine"},
        {"type": "text", "text": "The light is on."},
    ]
    anthropic.answers(answer(thinking("Hm.", signature="mine"), text("The light is on.")))
    await ask(client(hass))
    unsaid = conversation.AssistantContent("jarvis", native=NativeMessage(MODEL, blocks))
    await ask(client(hass), [*HELLO, unsaid, conversation.UserContent("Really?")])
    (message,) = anthropic.chats[1]["messages"]
    assert [block["text"] for block in message["content"]] == ["Hi", "Really?"]
    confirmed = conversation.AssistantContent("jarvis", content="Turned on.")
    await ask(client(hass), [*HELLO, unsaid, confirmed, conversation.UserContent("Thanks")])
    assert anthropic.chats[2]["messages"][1]["content"] == [
        blocks[0],
        {"type": "text", "text": "Turned on."},
    ]


async def test_thinking_of_another_model_is_not_shown_to_this_one(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    thought = [{"type": "thinking", "thinking": "Hm.", "signature": "theirs"}]
    theirs = conversation.AssistantContent(
        "jarvis", content="Yes?", native=NativeMessage("claude-opus-5", thought)
    )
    await ask(client(hass), [*HELLO, theirs, conversation.UserContent("Lamp on")])
    assert anthropic.chats[0]["messages"][1]["content"] == [{"type": "text", "text": "Yes?"}]


# Searching the web


async def test_sources_of_a_search_are_neither_said_nor_lost(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    source = citation("Weather", "https://example.org/w", "24 degrees in Rome")
    talk = Talk(hass, client(hass, web_search=True))
    anthropic.answers(
        answer(
            text("I will look."),
            *search("weather Rome", ("Weather", "https://example.org/w")),
            text("It is "),
            text("24 degrees", citations=[source]),
            text(" in Rome."),
        )
    )
    await talk.hears("How warm is it in Rome?")
    spoken = talk.log.content[-1]
    assert isinstance(spoken, conversation.AssistantContent)
    assert spoken.content == "I will look.\n\nIt is 24 degrees in Rome."
    assert not spoken.tool_calls
    await talk.hears("And tomorrow?")
    first, second = anthropic.chats
    assert first["tools"][-1]["type"] == "web_search_20250305"
    kinds = [block["type"] for block in second["messages"][1]["content"]]
    assert kinds == ["text", "server_tool_use", "web_search_tool_result", "text", "text", "text"]
    looked, found, _, cited, _ = second["messages"][1]["content"][1:]
    assert looked["input"] == {"query": "weather Rome"}
    assert found["content"][0]["encrypted_content"] == "secret of https://example.org/w"
    assert cited["citations"] == [source]


async def test_search_is_offered_only_where_the_model_has_it(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    anthropic.models[MODEL] = model_info(searches=False)
    await ask(client(hass, web_search=True))
    assert "tools" not in anthropic.chats[0]


async def test_message_that_the_api_pauses_is_gone_on_with(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    one = search("one", ("One", "https://example.org/1"))
    two = search("two", ("Two", "https://example.org/2"))
    anthropic.answers(
        answer(text("Let me see."), *one, stop="pause_turn", input_tokens=5, output_tokens=2),
        answer(*two, stop="pause_turn", input_tokens=6, output_tokens=3),
        answer(text("Found it."), input_tokens=7, output_tokens=4),
    )
    deltas, completion = await ask(client(hass, web_search=True))
    assert "".join(said(deltas)) == "Let me see.\n\nFound it."
    assert (completion.prompt_tokens, completion.answer_tokens) == (18, 9)
    assert completion.finish_reason == "stop"
    kinds = [
        [block["type"] for block in chat["messages"][-1]["content"]] for chat in anthropic.chats
    ]
    pair = ["server_tool_use", "web_search_tool_result"]
    assert kinds == [["text"], ["text", *pair], ["text", *pair, *pair]]


async def test_message_that_is_paused_for_ever_comes_to_an_end(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    anthropic.answers(*(answer(*search("x"), stop="pause_turn") for _ in range(20)))
    _, completion = await ask(client(hass, web_search=True))
    assert completion.finish_reason == "pause_turn"
    assert len(anthropic.chats) < 20
