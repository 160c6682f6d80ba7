"""Ollama's API, over real HTTP: what is asked, and what becomes of the answers."""

from collections.abc import Mapping
import itertools
import json
from typing import Any

from aiohttp import web
from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from hypothesis import given, strategies as st
import probatio
import pytest

from custom_components.voice_gateway.models.client import Completion, ModelError, Reason
from custom_components.voice_gateway.models.history import HAS_TO_ANSWER
from custom_components.voice_gateway.models.ollama.server import OllamaClient, OllamaServer
from custom_components.voice_gateway.models.text_calls.arguments import to_arguments
from tests.extra_tools import ExtraAPI, ExtraTool
from tests.ollama import MODEL, Answer, PlayedOllama, call, calls, done, line, part, says

type Delta = conversation.AssistantContentDeltaDict

CONTEXT = llm.LLMContext(
    platform="test", context=None, language="en", assistant="conversation", device_id=None
)
HELLO: list[conversation.Content] = [
    conversation.SystemContent("You are a voice assistant."),
    conversation.UserContent("Hi"),
]


def client(server: OllamaServer, **options: Any) -> OllamaClient:
    defaults: dict[str, Any] = {
        "model": MODEL,
        "num_ctx": 4096,
        "keep_alive": 300,
        "think": False,
        "temperature": 0.5,
    }
    return OllamaClient(server=server, **defaults | options)


async def api_instance(hass: HomeAssistant, *tools: llm.Tool) -> llm.APIInstance:
    api = ExtraAPI(hass=hass, id="test", name="Test", tools=list(tools))
    return await api.async_get_api_instance(CONTEXT)


async def answered(
    server: OllamaServer, ollama: PlayedOllama, answer: Answer
) -> tuple[list[Delta], Completion]:
    """Return what a client makes of an answer."""
    ollama.script.clear()
    ollama.answers(answer)
    completion = Completion()
    deltas = [delta async for delta in client(server).stream(HELLO, None, completion)]
    return deltas, completion


def joined(deltas: list[Delta]) -> tuple[str, str, list[tuple[str, Any]]]:
    """Return the text, the thoughts and the calls of a message."""
    return (
        "".join(delta.get("content") or "" for delta in deltas),
        "".join(delta.get("thinking_content") or "" for delta in deltas),
        [
            (made.tool_name, made.tool_args)
            for delta in deltas
            for made in delta.get("tool_calls") or ()
        ],
    )


# Requests


@pytest.mark.requirement("C6")
@pytest.mark.requirement("D6")
async def test_request_has_the_options_and_the_whole_conversation(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    async for _ in client(server, think=True).stream(HELLO, None, Completion()):
        pass
    (request,) = ollama.chats
    assert request["model"] == MODEL
    assert request["messages"] == [
        {"role": "system", "content": "You are a voice assistant."},
        {"role": "user", "content": "Hi"},
    ]
    assert request["stream"] is True
    assert request["think"] is True
    assert request["keep_alive"] == 300
    assert request["options"] == {"num_ctx": 4096, "temperature": 0.5, "num_predict": 1024}
    # A server must say that the context is too small, and not silently forget what it was told.
    assert request["truncate"] is False
    assert request["shift"] is False
    assert "tools" not in request


@pytest.mark.requirement("A4")
@pytest.mark.requirement("C1")
@pytest.mark.requirement("C8")
async def test_tools_are_converted_for_the_request_alone(
    hass: HomeAssistant, server: OllamaServer, ollama: PlayedOllama
) -> None:
    tool = ExtraTool(
        "greet", lambda: None, parameters=probatio.Schema({probatio.Required("name"): str})
    )
    schema = tool.parameters
    tools = await api_instance(hass, tool)
    async for _ in client(server).stream(HELLO, tools, Completion()):
        pass
    assert ollama.chats[0]["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "greet",
                "description": "Does something",
                "parameters": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}},
                    "required": ["name"],
                },
            },
        }
    ]
    assert tools.tools == [tool]
    assert tool.parameters is schema


async def test_tool_that_is_described_otherwise_is_told_so(
    hass: HomeAssistant, server: OllamaServer, ollama: PlayedOllama
) -> None:
    tool = ExtraTool("greet", lambda: None)
    tools, model = await api_instance(hass, tool), client(server)
    for words in ("Does something", "Greets somebody"):
        tool.description = words
        async for _ in model.stream(HELLO, tools, Completion()):
            pass
        assert ollama.chats[-1]["tools"][0]["function"]["description"] == words


@pytest.mark.requirement("C6")
async def test_no_tools_are_left_out_of_the_request(
    hass: HomeAssistant, server: OllamaServer, ollama: PlayedOllama
) -> None:
    async for _ in client(server).stream(HELLO, await api_instance(hass), Completion()):
        pass
    assert "tools" not in ollama.chats[0]


async def test_tools_stay_in_sight_when_a_model_has_to_answer(
    hass: HomeAssistant, server: OllamaServer, ollama: PlayedOllama
) -> None:
    """Without them, the server would have to read them again for the next sentence."""
    tools = await api_instance(hass, ExtraTool("step", lambda: None))
    made = llm.ToolInput("step", {}, "1")
    stepped = [
        *HELLO,
        conversation.AssistantContent(agent_id="agent", tool_calls=[made]),
        conversation.ToolResultContent(
            agent_id="agent",
            tool_call_id="1",
            tool_name="step",
            result=llm.ToolResult(data={"result": "ok"}),
        ),
    ]
    model = client(server)
    for offered, structure in ((tools, None), (None, None), (None, {"type": "object"})):
        async for _ in model.stream(stepped, offered, Completion(), structure=structure):
            pass
    async for _ in model.stream(HELLO, None, Completion()):
        pass
    may_call, has_to_answer, has_to_fill, other = ollama.chats
    assert may_call["tools"] == has_to_answer["tools"]
    note = {"role": "user", "content": HAS_TO_ANSWER}
    assert has_to_answer["messages"] == [*may_call["messages"], note]
    assert has_to_fill["messages"] == may_call["messages"]
    assert ["format" in chat for chat in ollama.chats] == [False, False, True, False]
    # An object that is asked for may look like a call, and a server would take it for one.
    assert "tools" not in has_to_fill
    assert "tools" not in other


async def test_key_is_sent_and_never_logged(
    hass: HomeAssistant, ollama: PlayedOllama, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    ollama.key = "s3cret"
    server = OllamaServer(hass, ollama.url, "s3cret")
    assert await server.models() == [MODEL]
    with pytest.raises(ModelError) as refused:
        await OllamaServer(hass, ollama.url, "wr0ng").models()
    assert refused.value.reason is Reason.UNAUTHORIZED
    assert "s3cret" not in caplog.text + repr(refused.value)
    assert "wr0ng" not in caplog.text + repr(refused.value)


@pytest.mark.requirement("D4")
@pytest.mark.requirement("D12")
async def test_calls_and_results_become_messages_in_their_order(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    lamp, door = (
        llm.ToolInput("turn_on", {"name": "Lamp"}),
        llm.ToolInput("lock", {"name": "Door"}),
    )
    content = [
        *HELLO,
        conversation.AssistantContent(
            "agent", content="One moment.", thinking_content="Hm.", tool_calls=[lamp, door]
        ),
        *(
            conversation.ToolResultContent("agent", made.id, made.tool_name, result)
            for made, result in (
                (lamp, llm.ToolResult(data={"result": "It is on"})),
                (door, llm.ToolResult(data={"locked": True, "at": 7})),
            )
        ),
        conversation.AssistantContent("agent", content="Done."),
    ]
    async for _ in client(server).stream(content, None, Completion()):
        pass
    assert ollama.chats[0]["messages"][2:] == [
        {
            "role": "assistant",
            "content": "One moment.",
            "tool_calls": [
                {"function": {"name": "turn_on", "arguments": {"name": "Lamp"}}},
                {"function": {"name": "lock", "arguments": {"name": "Door"}}},
            ],
        },
        {"role": "tool", "tool_name": "turn_on", "content": "It is on"},
        {"role": "tool", "tool_name": "lock", "content": '{"locked":true,"at":7}'},
        {"role": "assistant", "content": "Done."},
    ]


async def test_a_model_with_tools_has_its_system_prompt_whatever_its_template_shows(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    """Ollama renders some models in code: their template is not what it reads."""
    template = {"template": "{{ .Prompt }}", "capabilities": ["completion", "tools"]}
    ollama.whole["/api/show"] = web.json_response(template)
    await answered(server, ollama, says("Hi."))
    assert [message["role"] for message in ollama.chats[0]["messages"]] == ["system", "user"]


async def test_what_is_read_beforehand_ends_with_no_words_of_a_user(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    await client(server).read(HELLO[0], None)
    (request,) = ollama.reads
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert request["messages"][-1]["content"] == ""


# Answers


@pytest.mark.requirement("J1")
@pytest.mark.requirement("J4")
@pytest.mark.requirement("J8")
async def test_text_comes_in_order_without_empty_chunks(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    deltas, _ = await answered(
        server, ollama, [part(), part("It "), part(), b"\n", part("is"), part(" on."), done()]
    )
    assert deltas == [
        {"role": "assistant"},
        {"content": "It "},
        {"content": "is"},
        {"content": " on."},
    ]


async def test_thoughts_are_kept_apart_from_the_answer(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    deltas, _ = await answered(
        server, ollama, [part(thinking="Which "), part(thinking="lamp?"), *says("This one.")]
    )
    assert joined(deltas) == ("This one.", "Which lamp?", [])


@pytest.mark.requirement("D1")
@pytest.mark.requirement("D2")
@pytest.mark.requirement("J5")
async def test_calls_of_several_chunks_are_kept_and_have_unique_ids(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    numbered = [
        {"id": "call_0", "function": {"index": 0, "name": "turn_on", "arguments": {"name": name}}}
        for name in ("Lamp", "Lamp", "Fan")
    ]
    answer = [part(tool_calls=numbered[:2]), part("And "), part(tool_calls=numbered[2:]), done()]
    first, _ = await answered(server, ollama, answer)
    second, _ = await answered(server, ollama, answer)
    assert joined(first)[2] == [("turn_on", {"name": name}) for name in ("Lamp", "Lamp", "Fan")]
    ids = [
        made.id
        for delta in itertools.chain(first, second)
        for made in delta.get("tool_calls") or ()
    ]
    assert len(set(ids)) == 6


@pytest.mark.requirement("D3")
@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ({"name": "Lamp"}, {"name": "Lamp"}),
        ('{"name": "Lamp", "level": 3}', {"name": "Lamp", "level": 3}),
        ("", {}),
        (None, {}),
        ({}, {}),
        # Nothing that a tool would take for "everything".
        ("the lamp", {"arguments": "the lamp"}),
        ('["Lamp"]', {"arguments": ["Lamp"]}),
        ("null", {}),
        (7, {"arguments": 7}),
    ],
)
def test_arguments_are_parsed_where_a_model_wrote_a_string(
    written: Any, arguments: Mapping[str, Any]
) -> None:
    assert to_arguments(written) == arguments


@pytest.mark.requirement("J6")
@pytest.mark.requirement("J7")
async def test_end_tells_reason_counts_and_seconds(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    counts = {
        "prompt_eval_count": 600,
        "eval_count": 12,
        "load_duration": 1_500_000_000,
        "prompt_eval_duration": 4_000_000_000,
        "eval_duration": 250_000_000,
    }
    _, completion = await answered(server, ollama, [part("Yes."), done("length", **counts)])
    assert completion == Completion(
        finish_reason="length",
        prompt_tokens=600,
        context=4096,
        answer_tokens=12,
        prompt_seconds=4.0,
        answer_seconds=0.25,
        load_seconds=1.5,
    )
    # A prompt that was read before has no counts (and a server of before 0.1.34 no reason).
    _, completion = await answered(server, ollama, [line(done=True, message={"content": "Yes."})])
    assert completion == Completion("stop", context=4096)
    _, completion = await answered(server, ollama, [part("Yes.")])
    assert completion == Completion(None, context=4096)


@pytest.mark.requirement("J2")
@given(data=st.data())
async def test_bytes_may_be_split_anywhere(
    server: OllamaServer, ollama: PlayedOllama, data: st.DataObject
) -> None:
    """Also in the middle of a letter, and with line ends of all kinds."""
    end = data.draw(st.sampled_from([b"\n", b"\r\n", b"\n\n", b" \n"]))
    lines = [
        part("Grüße, "),
        part(thinking="…"),
        part(tool_calls=[call("turn_on", name="Küche 💡"), call("turn_off")]),
        part("žluťoučký 🐎"),
        done(),
    ]
    # As Go writes it: not escaped.
    wire = end.join(json.dumps(json.loads(each), ensure_ascii=False).encode() for each in lines)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(wire) - 1), max_size=20)))
    pieces = [wire[start:stop] for start, stop in itertools.pairwise([0, *cuts, len(wire)])]
    deltas, completion = await answered(server, ollama, pieces)
    assert joined(deltas) == (
        "Grüße, žluťoučký 🐎",
        "…",
        [("turn_on", {"name": "Küche 💡"}), ("turn_off", {})],
    )
    assert completion.finish_reason == "stop"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "text", "stop"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                ["message", "content", "tool_calls", "function", "name", "arguments", "done"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)
CHUNKS = st.fixed_dictionaries(
    {},
    optional={
        "message": JSON
        | st.fixed_dictionaries(
            {},
            optional={
                "content": JSON,
                "thinking": JSON,
                "tool_calls": JSON | st.lists(st.fixed_dictionaries({"function": JSON})),
            },
        ),
        "done": JSON,
        "done_reason": JSON,
        "error": JSON,
        "eval_count": JSON,
        "eval_duration": JSON,
    },
)


@pytest.mark.requirement("J10")
@given(chunks=st.lists(CHUNKS, min_size=1, max_size=8))
async def test_whatever_json_comes_is_an_answer_or_our_error(
    server: OllamaServer, ollama: PlayedOllama, chunks: list[dict[str, Any]]
) -> None:
    try:
        deltas, _ = await answered(server, ollama, [line(**chunk) for chunk in chunks])
    except ModelError:
        return
    for delta in deltas:
        assert isinstance(delta.get("content", ""), str)
        assert isinstance(delta.get("thinking_content", ""), str)
        assert all(isinstance(made.tool_args, dict) for made in delta.get("tool_calls") or ())


@pytest.mark.requirement("C11")
async def test_calls_reach_the_tool_as_the_model_made_them(
    hass: HomeAssistant, server: OllamaServer, ollama: PlayedOllama
) -> None:
    deep = {"name": "Lamp", "levels": [1, 2.5, None], "more": {"a": [{"b": "ü"}]}}
    empty = {"level": 0, "mute": False, "note": "", "list": [], "object": {}, "none": None}
    deltas, _ = await answered(server, ollama, calls(call("set", **deep), call("set", **empty)))
    assert joined(deltas)[2] == [("set", deep), ("set", empty)]
