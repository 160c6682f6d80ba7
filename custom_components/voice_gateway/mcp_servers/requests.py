"""One call of a tool, from the request to the result."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mcp.client.session import ClientSession
from mcp.shared.dispatcher import ProgressFnT
from mcp.types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    InputRequiredResult,
    InputResponses,
)
from pydantic import TypeAdapter

from .elicitation import AskUser, ElicitationQuestion
from .errors import McpInvalidAnswer

_RESULT: TypeAdapter[CallToolResult | InputRequiredResult] = TypeAdapter(
    CallToolResult | InputRequiredResult
)
# Maximum number of questions in one call, and seconds before a mere retry.
_ROUNDS = 10
_PAUSE = 0.1


type Send = Callable[..., Awaitable[CallToolResult | InputRequiredResult]]
"""Sends a request over a session, and returns the answer as a tool's result.

Takes the session, a progress callback, and for an answer to the server's questions
`input_responses` and its `request_state`.
"""


def of_tool(name: str, arguments: dict[str, Any]) -> Send:
    """Return the call of a tool by the server's name for it."""

    async def send(
        session: ClientSession, progress: ProgressFnT, **rest: Any
    ) -> CallToolResult | InputRequiredResult:
        # Not `call_tool`: it compares results with the tool's output schema and raises on a
        # difference, which is the server's business; only the words count.
        params = CallToolRequestParams(name=name, arguments=arguments, **rest)
        return await session.send_request(
            CallToolRequest(params=params), _RESULT, progress_callback=progress
        )

    return send


class ToolCall:
    """A call of a tool.

    - It ends after `timeout` seconds, or that long after the last sign of progress, and after
      `longest` seconds for good.
    - `ask` puts the server's questions, in either generation of the protocol, to the user; without
      it, and if a sentence can't answer a question, it is declined.
    - Questions are asked one by one, and no more after one without an answer.
    - Its time stands still while the user is asked.
    """

    def __init__(self, send: Send, *, timeout: float, longest: float, ask: AskUser | None) -> None:
        """Take the request, its times in seconds, and the function that asks the user."""
        self._send = send
        self._timeout = timeout
        self._longest = longest
        self._ask = ask
        self._asking = asyncio.Lock()
        self._limit: asyncio.Timeout | None = None
        self._ends = 0.0

    async def run(self, session: ClientSession) -> CallToolResult:
        """Make the call; raises the SDK's errors, and `TimeoutError`."""
        self._ends = asyncio.get_running_loop().time() + self._longest
        try:
            async with asyncio.timeout(self._timeout) as self._limit:
                more: dict[str, Any] = {}
                for _ in range(_ROUNDS + 1):
                    result = await self._send(session, self._progress, **more)
                    if not isinstance(result, InputRequiredResult):
                        return result
                    answers = await self._answers(result)
                    more = {"input_responses": answers, "request_state": result.request_state}
        finally:
            self._limit = None
        raise McpInvalidAnswer("the tool asks back again and again")

    async def _progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Give a server that reports progress more time."""
        if self._limit and not self._limit.expired() and self._limit.when() is not None:
            now = asyncio.get_running_loop().time()
            self._limit.reschedule(min(now + self._timeout, self._ends))

    async def _answers(self, asked: InputRequiredResult) -> InputResponses | None:
        if not asked.input_requests:
            await asyncio.sleep(_PAUSE)
            return None
        answers: InputResponses = {}
        for key, request in asked.input_requests.items():
            if not isinstance(request, ElicitRequest):
                raise McpInvalidAnswer(f"the tool wants {request.method}, which is not offered")
            answers[key] = await self.answer(request.params)
        return answers

    async def answer(self, asked: ElicitRequestParams) -> ElicitResult:
        """Answer a question of the server with the user's answer."""
        question = None
        if isinstance(asked, ElicitRequestFormParams):
            question = ElicitationQuestion.of(asked.message, asked.requested_schema)
        async with self._asking:
            if question is None or self._ask is None:
                return ElicitResult(action="decline")
            with self._standing_still():
                content = await self._ask(question)
            if content is None:
                self._ask = None
                return ElicitResult(action="decline")
            return ElicitResult(action="accept", content=dict(content))

    @contextmanager
    def _standing_still(self) -> Iterator[None]:
        if (limit := self._limit) is None:
            yield
            return
        loop = asyncio.get_running_loop()
        began, when = loop.time(), limit.when() or 0
        limit.reschedule(None)
        try:
            yield
        finally:
            waited = loop.time() - began
            self._ends += waited
            if self._limit is limit and not limit.expired():
                limit.reschedule(when + waited)
