"""One call of a tool, from the request to the result in a model's format."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
import json
from typing import Any

from homeassistant.helpers import llm
from mcp import types
from mcp.client.session import ClientSession
from mcp.shared.dispatcher import ProgressFnT
from pydantic import TypeAdapter

from .elicitation import AskUser, ElicitationQuestion
from .errors import McpInvalidAnswer

_RESULT: TypeAdapter[types.CallToolResult | types.InputRequiredResult] = TypeAdapter(
    types.CallToolResult | types.InputRequiredResult
)
# Maximum number of questions in one call, and seconds before a mere retry.
_ROUNDS = 10
_PAUSE = 0.1
# Characters, some 2,000 tokens. A local model reads 100 to 300 tokens a second and has room for
# 4,000 to 8,000: more would displace the question, and take too long.
MAX_CHARACTERS = 8000


type Send = Callable[..., Awaitable[types.CallToolResult | types.InputRequiredResult]]
"""Sends a request over a session, and returns the answer as a tool's result.

Takes the session, a progress callback, and for an answer to the server's questions
`input_responses` and its `request_state`.
"""


def of_tool(name: str, arguments: dict[str, Any]) -> Send:
    """Return the call of a tool by the server's name for it."""

    async def send(
        session: ClientSession, progress: ProgressFnT, **rest: Any
    ) -> types.CallToolResult | types.InputRequiredResult:
        # Not `call_tool`: it compares results with the tool's output schema and raises on a
        # difference, which is the server's business; only the words count.
        params = types.CallToolRequestParams(name=name, arguments=arguments, **rest)
        return await session.send_request(
            types.CallToolRequest(params=params), _RESULT, progress_callback=progress
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

    async def run(self, session: ClientSession) -> types.CallToolResult:
        """Make the call; raises the SDK's errors, and `TimeoutError`."""
        self._ends = asyncio.get_running_loop().time() + self._longest
        try:
            async with asyncio.timeout(self._timeout) as self._limit:
                more: dict[str, Any] = {}
                for _ in range(_ROUNDS + 1):
                    result = await self._send(session, self._progress, **more)
                    if not isinstance(result, types.InputRequiredResult):
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

    async def _answers(self, asked: types.InputRequiredResult) -> types.InputResponses | None:
        if not asked.input_requests:
            await asyncio.sleep(_PAUSE)
            return None
        answers: types.InputResponses = {}
        for key, request in asked.input_requests.items():
            if not isinstance(request, types.ElicitRequest):
                raise McpInvalidAnswer(f"the tool wants {request.method}, which is not offered")
            answers[key] = await self.answer(request.params)
        return answers

    async def answer(self, asked: types.ElicitRequestParams) -> types.ElicitResult:
        """Answer a question of the server with the user's answer."""
        question = None
        if isinstance(asked, types.ElicitRequestFormParams):
            question = ElicitationQuestion.of(asked.message, asked.requested_schema)
        async with self._asking:
            if question is None or self._ask is None:
                return types.ElicitResult(action="decline")
            with self._standing_still():
                content = await self._ask(question)
            if content is None:
                self._ask = None
                return types.ElicitResult(action="decline")
            return types.ElicitResult(action="accept", content=dict(content))

    @contextmanager
    def _standing_still(self) -> Iterator[None]:
        loop, limit = asyncio.get_running_loop(), self._limit
        began, when = loop.time(), (limit and limit.when()) or 0
        if limit:
            limit.reschedule(None)
        try:
            yield
        finally:
            waited = loop.time() - began
            self._ends += waited
            if limit and self._limit is limit and not limit.expired():
                limit.reschedule(when + waited)


def tool_result(result: types.CallToolResult) -> llm.ToolResult:
    """Return a result for a model: `{"result": text}`, `{"error": text}`, or the server's object.

    Texts are joined; other parts are named. An object is kept when the server gave no text, or only
    the same object as text. A result longer than 8,000 characters is cut, and says so.
    """
    text = "\n".join(_words(part) for part in result.content)
    if result.is_error:
        return llm.ToolResult(
            data={"error": _cut(text or "The tool failed and did not say why")}, error=True
        )
    structured = result.structured_content
    if isinstance(structured, dict) and _says_the_same(structured, text):
        as_text = json.dumps(structured, ensure_ascii=False)
        if len(as_text) <= MAX_CHARACTERS:
            return llm.ToolResult(data=structured)
        text = text or as_text
    return llm.ToolResult(data={"result": _cut(text)})


def _says_the_same(structured: dict[str, Any], text: str) -> bool:
    if not text:
        return True
    # Servers that must return an object wrap other values so.
    values = [structured, *([structured["result"]] if list(structured) == ["result"] else [])]
    try:
        return json.loads(text) in values
    except ValueError:
        return text in values


def _words(part: types.ContentBlock) -> str:
    match part:
        case types.TextContent():
            return part.text
        case types.ImageContent():
            return f"[image {part.mime_type}, {_size(part.data)}]"
        case types.AudioContent():
            return f"[audio {part.mime_type}, {_size(part.data)}]"
        case types.ResourceLink():
            return f"[resource {_joined(part.title or part.name, part.uri, part.mime_type)}]"
        case types.EmbeddedResource(resource=types.TextResourceContents(text=text)):
            return text
        case types.EmbeddedResource(resource=types.BlobResourceContents() as resource):
            named = _joined("resource", resource.uri, resource.mime_type)
            return f"[{named}, {_size(resource.blob)}]"
        case _:
            return f"[{part.type}]"


def _joined(*details: str | None) -> str:
    return " ".join(detail for detail in details if detail)


def _size(base64: str) -> str:
    size = len(base64) * 3 // 4 - base64[-2:].count("=")
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size} {unit}"
        size = round(size / 1000)
    return f"{size} GB"


def _cut(text: str) -> str:
    if len(text) <= MAX_CHARACTERS:
        return text
    note = f"\n[Cut: these are the first {MAX_CHARACTERS:,} of {len(text):,} characters]"
    return text[:MAX_CHARACTERS] + note
