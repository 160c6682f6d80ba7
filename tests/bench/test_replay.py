"""The server that says what a model once said."""

from typing import Any

import aiohttp
import pytest

from bench.replay import Replay, serve

from .conftest import call, say

SENTENCE = {"role": "user", "content": "Lamp off"}
SYSTEM = {"role": "system", "content": "You are a voice assistant."}
RESULT = {"role": "tool", "content": "{}"}


def replay() -> Replay:
    replayed = Replay("model", tool_names={"HassTurnOff": "intent__HassTurnOff"})
    replayed.begin("Lamp off", [call("HassTurnOff", name="Lamp"), say("It is off.")])
    return replayed


def ask(replayed: Replay, *messages: dict[str, Any]) -> dict[str, Any]:
    return replayed.answer({"messages": list(messages)})


def test_steps_come_one_per_request_and_the_last_text_again() -> None:
    replayed = replay()

    first = ask(replayed, SYSTEM, SENTENCE)
    others = [ask(replayed, SYSTEM, SENTENCE, RESULT) for _ in range(2)]

    function = {"name": "intent__HassTurnOff", "arguments": {"name": "Lamp"}}
    assert first["tool_calls"] == [{"function": function}]
    assert [other["content"] for other in others] == ["It is off."] * 2


def test_last_call_is_not_made_again() -> None:
    replayed = replay()
    replayed.begin("Lamp off", [call("HassTurnOff", name="Lamp")])

    ask(replayed, SENTENCE)

    assert ask(replayed, SENTENCE) == {"role": "assistant", "content": ""}


def test_steps_go_on_behind_words_of_the_agents_own() -> None:
    replayed = replay()
    note = {"role": "user", "content": "Nothing was done."}

    ask(replayed, SYSTEM, SENTENCE)

    assert ask(replayed, SYSTEM, SENTENCE, RESULT, note)["content"] == "It is off."
    assert replayed.was_asked


def test_what_is_not_the_sentence_gets_nothing_and_costs_no_step() -> None:
    replayed = replay()

    assert ask(replayed, SYSTEM)["content"] == ""
    assert ask(replayed, {"role": "user", "content": "Are you there?"})["content"] == ""
    assert "tool_calls" in ask(replayed, SYSTEM, SENTENCE)


@pytest.mark.usefixtures("socket_enabled")
async def test_server_streams_one_line_that_is_done() -> None:
    async with serve(replay()) as url, aiohttp.ClientSession() as session:
        body = {"model": "model", "messages": [SENTENCE]}
        async with session.post(f"{url}/api/chat", json=body) as response:
            [line] = (await response.text()).splitlines()

    assert '"done": true' in line
    assert "intent__HassTurnOff" in line
