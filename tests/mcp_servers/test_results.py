"""A server's result as a model reads it."""

import base64
from typing import Any

from mcp.types import CallToolResult
import pytest

from custom_components.voice_gateway.mcp_servers.requests import MAX_CHARACTERS, tool_result


def result(*content: dict[str, Any], **rest: Any) -> Any:
    """Return what becomes of a server's result."""
    return tool_result(CallToolResult.model_validate({"content": list(content), **rest}))


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


DATA = base64.b64encode(bytes(12_345)).decode()


@pytest.mark.requirement("F10")
def test_texts_are_joined() -> None:
    assert result(text("one"), text("two")).data == {"result": "one\ntwo"}


@pytest.mark.requirement("F11")
@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"type": "image", "mimeType": "image/png", "data": DATA}, "[image image/png, 12 kB]"),
        ({"type": "audio", "mimeType": "audio/wav", "data": "AAA="}, "[audio audio/wav, 2 bytes]"),
        (
            {"type": "resource_link", "uri": "file:///a.txt", "name": "notes"},
            "[resource notes file:///a.txt]",
        ),
        (
            {"type": "resource_link", "uri": "file:///a.txt", "name": "a", "title": "Notes of May"},
            "[resource Notes of May file:///a.txt]",
        ),
        (
            {"type": "resource", "resource": {"uri": "file:///a.txt", "text": "the notes"}},
            "the notes",
        ),
        (
            {
                "type": "resource",
                "resource": {"uri": "file:///a", "blob": DATA * 200, "mimeType": "application/pdf"},
            },
            "[resource file:///a application/pdf, 2 MB]",
        ),
    ],
)
def test_what_is_no_text_is_named(part: dict[str, Any], words: str) -> None:
    assert result(text("Here:"), part).data == {"result": f"Here:\n{words}"}


@pytest.mark.parametrize(
    "content",
    [[], [text('{"degrees": 21, "sky": "clear"}')]],
    ids=["no text", "the same as text"],
)
def test_object_comes_as_it_is_once(content: list[dict[str, Any]]) -> None:
    weather = {"sky": "clear", "degrees": 21}
    assert result(*content, structuredContent=weather).data == weather


def test_wrapped_value_keeps_its_type() -> None:
    assert result(text("5"), structuredContent={"result": 5}).data == {"result": 5}
    assert result(text("five"), structuredContent={"result": "five"}).data == {"result": "five"}


def test_text_that_says_something_else_than_the_object_is_what_a_model_reads() -> None:
    weather = {"sky": "clear", "degrees": 21}
    assert result(text("Fine and mild."), structuredContent=weather).data == {
        "result": "Fine and mild."
    }


@pytest.mark.requirement("F7")
def test_error_is_passed_on_word_for_word() -> None:
    failed = result(text("No such device: lamp"), isError=True)
    assert failed.error
    assert failed.data == {"error": "No such device: lamp"}


def test_error_without_words_says_so() -> None:
    assert result(isError=True).data == {"error": "The tool failed and did not say why"}


def test_success_without_content_is_an_empty_text() -> None:
    empty = result()
    assert not empty.error
    assert empty.data == {"result": ""}


def test_long_text_is_cut_and_its_length_told() -> None:
    words = result(text("x" * 10_000)).data["result"]
    assert words.startswith("x" * MAX_CHARACTERS)
    assert words.endswith("\n[Cut: these are the first 8,000 of 10,000 characters]")
    assert len(words) < MAX_CHARACTERS + 100


def test_long_error_is_cut_too() -> None:
    assert "[Cut:" in result(text("x" * 10_000), isError=True).data["error"]


def test_big_object_becomes_a_cut_text() -> None:
    data = result(structuredContent={"items": ["x" * 100] * 200}).data
    assert list(data) == ["result"]
    assert data["result"].startswith('{"items": ["xxx')
    assert "[Cut: these are the first 8,000 of" in data["result"]
