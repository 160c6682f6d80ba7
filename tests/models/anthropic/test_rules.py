"""The stand-in for Anthropic's API refuses what the API refuses: else its tests would show nothing."""

from copy import deepcopy
from typing import Any

import pytest

from tests.anthropic import MODEL, model_info
from tests.anthropic_rules import wrongs

CALL = {"type": "tool_use", "id": "toolu_1", "name": "turn_on", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "Done"}
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
HELLO = {"type": "text", "text": "Hello"}
SCHEMA = {"type": "object", "properties": {"level": {"type": "integer"}}}
MARK = {"type": "ephemeral"}

GOOD: dict[str, Any] = {
    "model": MODEL,
    "max_tokens": 1000,
    "stream": True,
    "system": [{"type": "text", "text": "You are kind.", "cache_control": MARK}],
    "messages": [
        {"role": "user", "content": [HELLO]},
        {"role": "assistant", "content": [THOUGHT, CALL]},
        {"role": "user", "content": [RESULT, HELLO]},
    ],
    "tools": [{"name": "turn_on", "description": "Turns on", "input_schema": SCHEMA}],
    "thinking": {"type": "adaptive", "display": "summarized"},
}


def said(*contents: list[dict[str, Any]]) -> dict[str, Any]:
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": part} for n, part in enumerate(contents)]
    return {"messages": messages}


def tool(**changes: Any) -> dict[str, Any]:
    return {"tools": [GOOD["tools"][0] | changes]}


def test_what_is_right_is_taken() -> None:
    assert wrongs(GOOD, model_info()) == []


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"temperature": 0.5}, id="unknown option"),
        pytest.param({"max_tokens": "1000"}, id="wrong type"),
        pytest.param({"system": [{"text": "You are kind."}]}, id="missing key"),
        pytest.param(said([{**HELLO, "mood": "kind"}]), id="unknown key, deep down"),
        pytest.param(said([{**THOUGHT, "signature": 1}]), id="wrong type, deep down"),
        pytest.param({"thinking": {"type": "enabled"}}, id="missing key of one choice"),
        pytest.param(
            {"thinking": {"type": "enabled", "budget_tokens": 100}}, id="thinking not offered"
        ),
        pytest.param({"tool_choice": {"type": "any"}}, id="thinking and a forced tool"),
        pytest.param(said(), id="no message"),
        pytest.param(said([]), id="empty message"),
        pytest.param(said([{"type": "text", "text": " \n"}]), id="blank text"),
        pytest.param(
            said([HELLO], [HELLO, THOUGHT], [HELLO]), id="message that ends with a thought"
        ),
        pytest.param({"messages": [{"role": "assistant", "content": "Hi"}]}, id="assistant first"),
        pytest.param(said([HELLO], [CALL], [HELLO]), id="call without result"),
        pytest.param(said([HELLO], [CALL]), id="call without result at the end"),
        pytest.param(said([HELLO], [CALL], [HELLO, RESULT]), id="result after text"),
        pytest.param(said([RESULT]), id="result of no call"),
        pytest.param(said([HELLO], [CALL, CALL], [RESULT, RESULT]), id="two calls of one id"),
        pytest.param(tool(name="turn.on"), id="name of a tool"),
        pytest.param({"tools": GOOD["tools"] * 2}, id="two tools of one name"),
        pytest.param(tool(input_schema=SCHEMA | {"anyOf": []}), id="choice at a schema's top"),
        pytest.param({"tools": [GOOD["tools"][0] | {"cache_control": MARK}] * 4}, id="breakpoints"),
    ],
)
def test_what_is_wrong_is_refused(change: dict[str, Any]) -> None:
    assert wrongs(deepcopy(GOOD) | change, model_info()) != []


def test_what_a_model_does_not_take_is_refused() -> None:
    old = model_info(thinking=("enabled", "disabled"), schemas=False)
    assert wrongs(GOOD, old) != []
    assert wrongs({**GOOD, "thinking": {"type": "disabled"}}, old) == []
    form = {"format": {"type": "json_schema", "schema": SCHEMA}}
    held = {**GOOD, "thinking": {"type": "disabled"}, "output_config": form}
    assert wrongs(held, model_info()) == []
    assert wrongs(held, old) != []
