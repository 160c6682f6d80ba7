"""How long a call may take, and what it answers its server, whatever the server makes of it."""

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast

from homeassistant.core import HomeAssistant
from mcp.client.session import ClientSession
from mcp.types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequiredResult,
    ListRootsRequest,
)
import pytest

from custom_components.voice_gateway.mcp_servers import elicitation
from custom_components.voice_gateway.mcp_servers.elicitation import (
    AskUser,
    ElicitationAnswer,
    ElicitationQuestion,
    OpenCall,
)
from custom_components.voice_gateway.mcp_servers.errors import McpInvalidAnswer
from custom_components.voice_gateway.mcp_servers.requests import ToolCall, of_tool

DONE = CallToolResult(content=[])
SURE = ElicitRequest(
    params=ElicitRequestFormParams(
        message="Sure?", requested_schema={"type": "object", "properties": {}}
    )
)

type Progress = Callable[[float, float | None, str | None], Awaitable[None]]


async def run(
    server: Callable[[Progress], Awaitable[Any]], ask: AskUser | None = None, **times: float
) -> CallToolResult:
    """Make a call at a server that is a function."""

    async def send_request(*_: Any, progress_callback: Progress) -> Any:
        return await server(progress_callback)

    session = cast("ClientSession", SimpleNamespace(send_request=send_request))
    times = {"timeout": 0.05, "longest": 5} | times
    call = ToolCall(of_tool("act", {}), ask=ask, **times)
    return await call.run(session)


async def test_progress_gives_time_but_not_for_ever() -> None:
    told = 0

    async def server(progress: Progress, times: int) -> Any:
        nonlocal told
        for told in range(times):
            await progress(told, None, None)
            await asyncio.sleep(0.02)
        return DONE

    assert await run(lambda progress: server(progress, 10)) is DONE
    with pytest.raises(TimeoutError):
        await run(lambda progress: server(progress, 500), longest=0.1)
    assert told < 50


async def test_whoever_is_asked_has_time_whatever_the_server_reports_meanwhile() -> None:
    """And the call has what was left of its own after it."""
    reports: list[Progress] = []

    async def server(progress: Progress) -> Any:
        reports.append(progress)
        if len(reports) == 1:
            return InputRequiredResult(input_requests={"a": SURE})
        for step in range(4):
            await asyncio.sleep(0.02)
            await progress(step, None, None)
        return DONE

    async def think(question: ElicitationQuestion) -> ElicitationAnswer:
        await reports[0](1, None, None)
        await asyncio.sleep(0.2)
        return question.answered()

    assert await run(server, think, longest=0.15) is DONE


async def test_call_that_wants_what_is_not_offered_is_given_up() -> None:
    async def server(_: Progress) -> Any:
        return InputRequiredResult(input_requests={"a": ListRootsRequest()})

    with pytest.raises(McpInvalidAnswer, match="wants roots/list, which is not offered"):
        await run(server)


QUESTION = ElicitationQuestion(
    message="Sure?", kind=elicitation.ElicitationKind.CONFIRMATION, defaults={}
)


async def test_question_that_nobody_answers_is_declined(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elicitation, "PATIENCE", 0.05)

    async def call(ask: AskUser) -> Any:
        return await ask(QUESTION)

    opened = OpenCall(hass, "act", call)
    assert await opened.async_next() == QUESTION
    assert await opened.async_next() is None
    # Who answers too late is not heard.
    opened.answer({})
    opened.answer({})


async def test_call_that_is_not_waited_for_any_more_is_ended(hass: HomeAssistant) -> None:
    is_over = asyncio.Event()

    async def call(_: AskUser) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            is_over.set()

    waits = asyncio.create_task(OpenCall(hass, "act", call).async_next())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waits.cancel()
    async with asyncio.timeout(5):
        await is_over.wait()


async def test_call_goes_on_with_the_answers_and_what_the_server_wants_to_hear_again() -> None:
    """Questions are asked one by one; after one that is not answered, none is."""
    sent: list[Any] = []
    forms: dict[str, Any] = {
        name: ElicitRequest(
            params=ElicitRequestFormParams(
                message=name, requested_schema={"properties": {name: {"type": "boolean"}}}
            )
        )
        for name in ("forks", "knives", "spoons")
    }
    wanted: list[Any] = [
        InputRequiredResult(input_requests=forms, request_state="first"),
        InputRequiredResult(request_state="second"),
        InputRequiredResult(input_requests={"again": SURE}),
        DONE,
    ]

    async def send_request(request: Any, *_: Any, **__: Any) -> Any:
        sent.append(request.params)
        return wanted.pop(0)

    asked: list[str] = []

    async def ask(question: ElicitationQuestion) -> ElicitationAnswer:
        asked.append(question.message)
        return question.answered(True) if question.message == "forks" else None

    session = cast("ClientSession", SimpleNamespace(send_request=send_request))
    call = ToolCall(of_tool("lay", {"for": 2}), timeout=5, longest=5, ask=ask)
    assert await call.run(session) is DONE
    assert {(params.name, params.arguments["for"]) for params in sent} == {("lay", 2)}
    assert [params.request_state for params in sent] == [None, "first", "second", None]
    assert asked == ["forks", "knives"]
    first, second, third, last = (params.input_responses for params in sent)
    assert first is third is None
    assert [(each.action, each.content) for each in second.values()] == [
        ("accept", {"forks": True}),
        ("decline", None),
        ("decline", None),
    ]
    assert [*second] == ["forks", "knives", "spoons"]
    assert last["again"].action == "decline"
