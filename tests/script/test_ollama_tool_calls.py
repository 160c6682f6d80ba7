"""Which tool calls the embedded model server finds: those that Ollama finds, and no others."""

from typing import Any

import pytest

from tests.script.ollama_client import (
    BRACKETS,
    CALL,
    LIGHT,
    LIST,
    STOCK,
    USER,
    calls,
    pieces,
    scripted,
    texts,
)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
async def test_a_call_is_found_however_the_text_is_split(size: int) -> None:
    text = f"<tool_call>\n{CALL}\n</tool_call>"
    async with scripted(pieces(text, size)) as (client, _):
        chunks = await client.lines("/api/chat", model=STOCK, messages=[USER], tools=[LIGHT, LIST])
    assert calls(chunks) == [("HassTurnOn", {"name": "Lamp {1}"})]
    assert "".join(texts(chunks)) == ""
    assert chunks[-1]["done_reason"] == "stop"


@pytest.mark.parametrize("size", [1, 4])
async def test_text_before_a_call_is_text_and_several_calls_are_numbered(size: int) -> None:
    text = f"Sure < 3.\n<tool_call>\n{CALL}\n</tool_call>\n<tool_call>\n{CALL}\n</tool_call> Done."
    async with scripted(pieces(text, size)) as (client, _):
        chunks = await client.lines("/api/chat", model=STOCK, messages=[USER], tools=[LIGHT])
    assert calls(chunks) == [("HassTurnOn", {"name": "Lamp {1}"})] * 2
    # From the first tag on Ollama takes nothing for text.
    assert "".join(texts(chunks)) == "Sure < 3.\n"


async def test_a_template_with_brackets_finds_its_own_tag_only() -> None:
    brackets = f"[tool_call]\n{CALL}\n[/tool_call]"
    async with scripted([brackets], [brackets]) as (client, engine):
        found = await client.chat(model=BRACKETS, tools=[LIGHT])
        kept = await client.chat(model=STOCK, tools=[LIGHT])
    assert calls([found]) == [("HassTurnOn", {"name": "Lamp {1}"})]
    assert kept["message"] == {"role": "assistant", "content": brackets}
    assert "within [tool_call][/tool_call] with" in engine.prompts[0]
    assert "within <tool_call></tool_call> with" in engine.prompts[1]


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"```json\n{CALL}\n```",
        f"{{{CALL}}}",
        f"<tools>\n{CALL}\n</tools>",
        f"<tool_cal{CALL}",
    ],
)
@pytest.mark.parametrize("size", [1, 1000])
async def test_what_only_looks_like_a_call_stays_text(text: str, size: int) -> None:
    async with scripted(pieces(text, size)) as (client, _):
        chunks = await client.lines("/api/chat", model=STOCK, messages=[USER], tools=[LIGHT])
    assert "".join(texts(chunks)) == text
    assert calls(chunks) == []


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ('{"name": "HassTurnOn", "arguments": {}}', [("HassTurnOn", {})]),
        ('{"name": "HassTurnOn", "parameters": {"a": 1}}', [("HassTurnOn", {"a": 1})]),
        ('{"name": "HassTurnOn", "arguments": "{\\"a\\": 1}"}', [("HassTurnOn", {"a": 1})]),
        ('{"HassTurnOn": {"a": "}"}}', [("HassTurnOn", {"a": "}"})]),
        ('{"tool": [{"name": "HassTurnOn", "arguments": {"a": 2}}]}', [("HassTurnOn", {"a": 2})]),
        ('HassTurnOn {"a": 3}', [("HassTurnOn", {"a": 3})]),
        ('{"name": "HassTurnOnAll", "arguments": {}}', [("HassTurnOnAll", {})]),
        ('{x} {"name": "HassTurnOn", "arguments": {"a": 4}}', [("HassTurnOn", {"a": 4})]),
        ('{"a": 5} HassTurnOnAll', [("HassTurnOnAll", {"a": 5})]),
        ('{"name": "HassTurnOn"}', []),
        ('{"name": "Stranger", "arguments": {}}', []),
        ('{"name": "HassTurnOn", "arguments": {"a": ', []),
    ],
)
@pytest.mark.parametrize("size", [1, 1000])
async def test_calls_are_read_as_ollama_reads_them(
    written: str, found: list[tuple[str, Any]], size: int
) -> None:
    text = f"<tool_call>\n{written}\n</tool_call>"
    async with scripted(pieces(text, size)) as (client, _):
        chunks = await client.lines("/api/chat", model=STOCK, messages=[USER], tools=[LIGHT, LIST])
    assert calls(chunks) == found
    assert "".join(texts(chunks)) == ""


async def test_without_tools_a_call_is_text() -> None:
    text = f"<tool_call>\n{CALL}\n</tool_call>"
    async with scripted([text]) as (client, _):
        answer = await client.chat()
    assert answer["message"]["content"] == text
