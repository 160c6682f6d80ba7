"""A server's prompts and resources, as tools."""

import sys
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.voice_gateway.mcp_servers import prompts_and_resources
from custom_components.voice_gateway.mcp_servers.session import McpSession
from custom_components.voice_gateway.mcp_servers.settings import (
    CommandServer,
    ToolSelection,
    UrlServer,
)

from .conftest import CONTEXT, Diary, StartSession, connected, raw, until
from .servers import LIBRARY, http_process

LIST = """\
- Emma (book://emma): A novel of 1815.
- cover (picture://cover): Return a picture.
Of these, fill in what stands in braces:
- shelf (shelf://{number}/names): What stands on a shelf."""
# What is called by whom with which arguments, and what the model then reads.
CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("write", {"title": "Ulysses"}, "written"),
    ("prompt_review", {"book": "Emma"}, "Write a kind review of Emma."),
    ("prompt_review", {"book": "Emma", "tone": "cruel"}, "Write a cruel review of Emma."),
    ("prompt_write", {}, "[user]\nWhat do you read?\n[assistant]\nNothing."),
    ("resources_read", {}, LIST),
    ("resources_read", {"resource": "book://emma"}, "Emma Woodhouse, handsome, clever, and rich."),
    ("resources_read", {"resource": "emma"}, "Emma Woodhouse, handsome, clever, and rich."),
    ("resources_read", {"resource": "shelf://4/names"}, "Shelf 4 is empty."),
    ("resources_read", {"resource": "Cover"}, "[resource picture://cover image/png, 12 kB]"),
]


def tick_all(session: McpSession) -> None:
    session.async_choose(
        ToolSelection().having(session.tools, [t.original_name for t in session.tools])
    )


def names(session: McpSession) -> list[str]:
    return [tool.name for tool in session.tools]


async def ask(hass: HomeAssistant, session: McpSession, name: str, said: dict[str, Any]) -> Any:
    tool = session.find_tool(name)
    assert tool
    return await tool.async_call(hass, llm.ToolInput(tool.name, said), CONTEXT)


@pytest.mark.parametrize("transport", ["stdio", "streamable-http"])
async def test_prompts_and_resources_are_read_by_tools(
    hass: HomeAssistant, start_session: StartSession, transport: str
) -> None:
    if transport == "stdio":
        here = CommandServer(command=sys.executable, args=(LIBRARY, transport))
        await _try(hass, start_session(here))
        return
    with http_process(sys.executable, transport, script=LIBRARY) as server:
        await _try(hass, start_session(UrlServer(url=server.url)))


async def _try(hass: HomeAssistant, session: McpSession) -> None:
    await connected(session)
    assert names(session) == ["write", "prompt_review", "prompt_write", "resources_read"]
    _, review, _, reader = session.tools
    assert (review.title, review.description) == (
        "Write a review",
        "Get a prepared text: How to write about a book.",
    )
    assert review.input_schema["required"] == ["book"]
    assert [tool.annotations.read_only for tool in session.tools] == [False, True, True, True]
    # Agents have those that somebody ticked.
    assert [tool.name for tool in session.offered_tools] == ["write"]
    result = await ask(hass, session, "resources_read", {})
    assert result.error
    tick_all(session)
    fingerprint = reader.fingerprint
    for name, said, read in reversed(CALLS):
        result = await ask(hass, session, name, said)
        assert (result.data, result.error) == ({"result": read}, False)
    result = await ask(hass, session, "resources_read", {"resource": "book://nobody"})
    assert result.error
    # The last call changed both, and told so.
    await until(lambda: "prompt_Ulysses" in names(session))
    tick_all(session)
    result = await ask(hass, session, "prompt_Ulysses", {})
    assert result.data == {"result": "Ulysses is great"}
    result = await ask(hass, session, "resources_read", {"resource": "ulysses"})
    assert result.data == {"result": "Ulysses, page 1"}
    # What there is to read may change: the tool that reads it does not.
    assert session.tools[-1].fingerprint == fingerprint


async def test_what_is_odd_in_prompts_and_resources_costs_only_itself(
    hass: HomeAssistant, start_session: StartSession
) -> None:
    session = await connected(start_session(raw("odd-extras")))
    assert names(session)[-2:] == ["prompt_odd", "resources_read"]
    tick_all(session)
    odd = session.tools[-2]
    assert odd.input_schema == {
        "type": "object",
        "properties": {"b": {"type": "string", "description": "b"}},
        "required": [],
    }
    result = await ask(hass, session, "prompt_odd", {"b": "x"})
    assert result.data == {"result": "\nsaid"}
    result = await ask(hass, session, "resources_read", {"resource": "n7"})
    assert result.data == {"result": "[resource, 3 bytes]\nwords"}
    result = await ask(hass, session, "resources_read", {})
    lines = result.data["result"].splitlines()
    assert (len(lines), lines[0], lines[-1]) == (100, "- n0 (x:0)", "- n99 (x:99)")


async def test_server_that_does_not_list_its_prompts_is_asked_once(
    start_session: StartSession, diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompts_and_resources, "_PATIENCE", 0.1)
    session = await connected(start_session(raw("mute-extras", diary)))
    await session.async_refresh()
    assert names(session) == ["ping_me", "process", "hang", "count", "act"]
    assert diary.count("prompts") == 1


async def test_a_prompt_is_no_news_and_ticked_like_a_tool(start_session: StartSession) -> None:
    session = await connected(start_session(raw("odd-extras")))
    prompt = session.tools[-2]
    new = ToolSelection(ticked={}, new_readers=True)
    assert not new.offers(prompt)
    assert prompt not in new.waiting([prompt])
    ticked = ToolSelection().having([prompt], [prompt.original_name])
    assert ticked.offers(prompt)
    changed = ToolSelection(ticked={prompt.original_name: "what it was"})
    assert not changed.offers(prompt)
    assert changed.waiting([prompt]) == [prompt]
