"""Ollama's HTTP API.

Spoken directly rather than through the `ollama` package: that keeps of a tool's schema only four
words per property, rejects arguments that a model wrote as a string, and loses the HTTP status of
an error in a stream. Source of the formats: https://docs.ollama.com/api (docs/api.md, api/types.go).
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
import json
from typing import Any

import aiohttp
from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir, llm
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.json import json_bytes
from homeassistant.util.json import json_loads

from ..const import DOMAIN, LOGGER, SERVER_TIMEOUT
from .client import Completion, Deltas, ModelError, Reason
from .history import fitting, result_text, with_all_results, with_short_results
from .known import Known
from .prompted import PromptedTools, unwrapped
from .qwen import to_functions
from .thinking import thinking_apart

# A running request has no time limit of its own: the turn that made it ends it.
_NO_LIMIT = aiohttp.ClientTimeout(total=None, sock_connect=SERVER_TIMEOUT)
_SHORT = aiohttp.ClientTimeout(total=SERVER_TIMEOUT)


# Tokens that are kept free for the answer; what is spoken has about 50.
_ANSWER_TOKENS = 512

type Render = Callable[[Iterable[conversation.Content]], list[dict[str, Any]]]
"""Writes a conversation as messages."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model on a server, and what it can do: "completion", "tools", "thinking" and the like."""

    name: str
    capabilities: frozenset[str] = frozenset()
    template: str = ""

    @property
    def calls_tools(self) -> bool:
        """Tell whether its template knows tools."""
        return "tools" in self.capabilities


class OllamaServer:
    """One Ollama server. Every method raises ModelError and nothing else."""

    def __init__(self, hass: HomeAssistant, url: str, api_key: str | None = None) -> None:
        """Take the server's address without a path, and a bearer token where it wants one."""
        self.hass = hass
        self.url = url
        self._known: dict[str, Known] = {}
        self._session = async_get_clientsession(hass)
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}

    async def version(self) -> str:
        """Return the server's version; fails where no Ollama server answers."""
        reply = await self._json("GET", "/api/version")
        if not isinstance(version := reply.get("version"), str):
            raise ModelError(Reason.NOT_THE_SERVER, f"No version in {reply}")
        return version

    async def models(self) -> list[str]:
        """Return the names of the models that are there."""
        names: list[str] = []
        for model in _list(await self._json("GET", "/api/tags"), "models"):
            match model:
                case {"model": str(name)} | {"name": str(name)}:
                    names.append(name)
        return names

    async def show(self, model: str) -> Model:
        """Return what a model can do."""
        reply = await self._json("POST", "/api/show", {"model": model})
        return Model(
            model,
            frozenset(map(str, _list(reply, "capabilities"))),
            str(reply.get("template") or ""),
        )

    async def known(self, model: str) -> Known:
        """Return what is remembered of a model; the server is asked once what it can do."""
        if known := self._known.get(model):
            return known
        known = Known()
        try:
            shown = await self.show(model)
        except ModelError as err:
            if err.reason is not Reason.SERVER_ERROR:
                raise
            LOGGER.debug("Nothing known of %s: %s", model, err.detail)
        else:
            known.take(shown.capabilities, shown.template)
        return self._known.setdefault(model, known)

    async def pull(self, model: str) -> AsyncGenerator[float | None]:
        """Fetch a model to the server; yields the share that has arrived, where it is known."""
        async for line in self._lines("/api/pull", {"model": model}):
            match line:
                case {"total": int(total), "completed": int(completed)} if total > 0:
                    yield min(1.0, completed / total)
                case _:
                    yield None

    def chat(self, body: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Send a chat request and yield the chunks of its answer."""
        return self._lines("/api/chat", {**body, "stream": True})

    async def _json(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Ask for one JSON object."""
        async with self._request(method, path, body, _SHORT) as response:
            try:
                reply = json_loads(await response.read())
            except ValueError as err:
                raise ModelError(Reason.NOT_THE_SERVER, f"No JSON at {path}") from err
        if not isinstance(reply, dict):
            raise ModelError(Reason.NOT_THE_SERVER, f"No JSON object at {path}")
        return reply

    async def _lines(self, path: str, body: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Ask for newline-delimited JSON objects; an object with `error` ends them."""
        model = str(body["model"])
        async with self._request("POST", path, body, _NO_LIMIT) as response:
            rest = b""
            async for chunk in response.content.iter_any():
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    if line.strip():
                        yield _object(line, model)
            if rest.strip():
                yield _object(rest, model)

    @asynccontextmanager
    async def _request(
        self, method: str, path: str, body: Any, timeout: aiohttp.ClientTimeout
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Make a request: the one place where the library's errors become ours."""
        model = str(body["model"]) if body else ""
        began = False
        try:
            async with self._session.request(
                method, self.url + path, json=body, headers=self._headers, timeout=timeout
            ) as response:
                if response.status != 200:
                    raise _status_error(
                        response.status, await response.text("utf-8", "replace"), model
                    )
                began = True
                yield response
        except (aiohttp.ClientError, TimeoutError, OSError) as err:
            lost = began and timeout is _NO_LIMIT
            raise ModelError(
                Reason.CONNECTION_LOST if lost else Reason.UNREACHABLE, repr(err), model=model
            ) from err


def _list(reply: Mapping[str, Any], name: str) -> list[Any]:
    """Return a list that a reply may hold."""
    return value if isinstance(value := reply.get(name), list) else []


def _object(line: bytes, model: str) -> dict[str, Any]:
    """Return one line's object; raises where it is none, or says that there was an error."""
    try:
        value = json_loads(line)
    except ValueError as err:
        raise ModelError(Reason.CONNECTION_LOST, f"Garbage: {line[:200]!r}", model=model) from err
    if not isinstance(value, dict):
        raise ModelError(Reason.CONNECTION_LOST, f"No object: {line[:200]!r}", model=model)
    if error := value.get("error"):
        raise _status_error(500, str(error), model)
    return value


def _status_error(status: int, text: str, model: str) -> ModelError:
    """Return the error for an HTTP status and the server's words."""
    words = text.casefold()
    match status:
        case 401 | 403:
            reason = Reason.UNAUTHORIZED
        case 400 | 500 if "context" in words and ("length" in words or "size" in words):
            reason = Reason.CONTEXT_EXCEEDED
        case 400 if "does not support tools" in words:
            reason = Reason.NO_TOOLS
        case 400 | 404 | 500 if "model" in words and "not found" in words:
            reason = Reason.MODEL_NOT_FOUND
        case 404 | 405:
            reason = Reason.NOT_THE_SERVER
        case _:
            reason = Reason.SERVER_ERROR
    return ModelError(reason, f"HTTP {status}: {text[:500]}", model=model)


@dataclass(frozen=True, slots=True, kw_only=True)
class OllamaClient:
    """A model of a server with an agent's options.

    `num_ctx` is in tokens; `keep_alive` in seconds, -1 for ever.
    """

    server: OllamaServer
    model: str
    num_ctx: int
    keep_alive: int
    think: bool
    temperature: float

    async def stream(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        completion: Completion,
    ) -> Deltas:
        """Ask for the next message; see ModelClient."""
        known = await self.server.known(self.model)
        yield {"role": "assistant"}
        answer = self._answer(content, tools, completion, known)
        async with aclosing(thinking_apart(answer, known.thinking)) as deltas:
            async for delta in deltas:
                yield delta

    async def _answer(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        completion: Completion,
        known: Known,
    ) -> Deltas:
        """Ask in the way that the model knows: with tools, or with tools in its prompt."""
        if known.calls_tools or not (tools or _has_calls(content)):
            try:
                body = self._with_tools(content, tools, known)
                async with aclosing(self._chat(body, completion, known)) as deltas:
                    async for delta in deltas:
                        yield delta
            except ModelError as err:
                if err.reason is not Reason.NO_TOOLS:
                    raise
                LOGGER.debug("%s: %s", self.model, err.detail)
                known.calls_tools = False
            else:
                return
        async with aclosing(self._ask_prompted(content, tools, completion, known)) as deltas:
            async for delta in deltas:
                yield delta

    async def _ask_prompted(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        completion: Completion,
        known: Known,
    ) -> Deltas:
        """Ask a model that has no tools; with a schema, if its server takes one."""
        self._note_results(content, known)
        prompted = PromptedTools(tools)
        began = False
        if known.takes_format:
            body = self._with_prompted(content, prompted, known, {"format": prompted.schema})
            try:
                async with aclosing(unwrapped(self._chat(body, completion, known))) as deltas:
                    async for delta in deltas:
                        began = True
                        yield delta
            except ModelError as err:
                if began or err.reason is not Reason.SERVER_ERROR:
                    raise
                LOGGER.debug("%s without a schema from now on: %s", self.model, err.detail)
                known.takes_format = False
            else:
                return
        body = self._with_prompted(content, prompted, known, {})
        async with aclosing(unwrapped(self._chat(body, completion, known))) as deltas:
            async for delta in deltas:
                yield delta

    def _with_tools(
        self, content: Sequence[conversation.Content], tools: llm.APIInstance | None, known: Known
    ) -> dict[str, Any]:
        """Return a request with tools in Ollama's own way."""
        extra: dict[str, Any] = {}
        if tools and tools.tools:
            extra["tools"] = to_functions(tools.tools, tools.custom_serializer)
        return self._body(content, to_messages, known, extra)

    def _with_prompted(
        self,
        content: Sequence[conversation.Content],
        prompted: PromptedTools,
        known: Known,
        extra: dict[str, Any],
    ) -> dict[str, Any]:
        """Return a request with tools in the prompt. A schema takes no tokens."""

        def messages(part: Iterable[conversation.Content]) -> list[dict[str, Any]]:
            return prompted.messages(part, has_system=known.has_system)

        return self._body(content, messages, known, {}) | extra

    def _body(
        self,
        content: Sequence[conversation.Content],
        render: Render,
        known: Known,
        extra: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Return a request with as much of the conversation as the context has room for.

        Raises ModelError where the system prompt, the tools and this turn alone do not fit.
        """

        def size(*parts: conversation.Content) -> int:
            return len(json_bytes(render(parts)))

        fixed = len(json_bytes(extra))
        answer = min(_ANSWER_TOKENS, self.num_ctx // 8)
        room = self.num_ctx - answer - known.tokens.at_most(fixed)
        complete = with_short_results(list(with_all_results(content)))
        kept = fitting(complete, room, lambda part: known.tokens.at_most(size(part)))
        if (needed := known.tokens.at_least(fixed + size(*kept))) >= self.num_ctx:
            raise ModelError(
                Reason.CONTEXT_EXCEEDED,
                f"The prompt, {len(extra.get('tools', ()))} tools and this turn take at least"
                f" {needed} of {self.num_ctx} tokens",
                model=self.model,
            )
        if len(kept) < len(complete):
            LOGGER.debug("Left out the oldest %d of %d", len(complete) - len(kept), len(complete))
        return {
            "model": self.model,
            "messages": render(kept),
            "think": self.think,
            "keep_alive": self.keep_alive,
            "options": {"num_ctx": self.num_ctx, "temperature": self.temperature},
            # Ask for an error where the server would silently forget the oldest messages.
            "truncate": False,
            "shift": False,
            **extra,
        }

    async def _chat(self, body: Mapping[str, Any], completion: Completion, known: Known) -> Deltas:
        """Send a request, and stream its answer."""
        async with aclosing(self.server.chat(body)) as chunks:
            async for chunk in chunks:
                LOGGER.debug("%s: %s", self.model, chunk)
                if delta := to_delta(chunk.get("message")):
                    yield delta
                if chunk.get("done"):
                    _fill(completion, chunk)
        size = sum(len(json_bytes(body.get(part))) for part in ("messages", "tools"))
        known.tokens.learn(size, completion.prompt_tokens)

    def _note_results(self, content: Sequence[conversation.Content], known: Known) -> None:
        """Note how the last calls went, and tell the user of a model whose calls often fail."""
        results: list[conversation.ToolResultContent] = []
        for part in reversed(content):
            if not isinstance(part, conversation.ToolResultContent):
                break
            results.append(part)
        if not results:
            return
        known.note_calls(succeeded=not any(part.result.error for part in results))
        issue_id = f"model_fails_often_{self.model}"
        if not known.fails_often:
            ir.async_delete_issue(self.server.hass, DOMAIN, issue_id)
            return
        ir.async_create_issue(
            self.server.hass,
            DOMAIN,
            issue_id,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key="model_fails_often",
            translation_placeholders={"model": self.model},
        )


def _has_calls(content: Iterable[conversation.Content]) -> bool:
    return any(isinstance(part, conversation.ToolResultContent) for part in content)


def to_messages(content: Iterable[conversation.Content]) -> list[dict[str, Any]]:
    """Return the conversation as Ollama's messages."""
    return [_message(item) for item in with_all_results(content)]


def _message(content: conversation.Content) -> dict[str, Any]:
    match content:
        case conversation.ToolResultContent():
            return {
                "role": "tool",
                "tool_name": content.tool_name,
                "content": result_text(content.result),
            }
        case conversation.AssistantContent(tool_calls=[*calls]) if calls:
            return {
                "role": "assistant",
                "content": content.content or "",
                "tool_calls": [
                    {"function": {"name": call.tool_name, "arguments": call.tool_args}}
                    for call in calls
                ],
            }
        case _:
            return {"role": content.role, "content": content.content or ""}


def to_delta(message: Any) -> conversation.AssistantContentDeltaDict:
    """Return what a chunk's message adds; empty where it adds nothing."""
    delta: conversation.AssistantContentDeltaDict = {}
    if not isinstance(message, dict):
        return delta
    if isinstance(text := message.get("content"), str) and text:
        delta["content"] = text
    if isinstance(thinking := message.get("thinking"), str) and thinking:
        delta["thinking_content"] = thinking
    # Ollama numbers its calls anew in each message; ToolInput's own ids stay unique.
    if calls := [
        llm.ToolInput(str(function.get("name")), to_arguments(function.get("arguments")))
        for call in _list(message, "tool_calls")
        if isinstance(call, dict) and isinstance(function := call.get("function"), dict)
    ]:
        delta["tool_calls"] = calls
    return delta


def to_arguments(arguments: Any) -> dict[str, Any]:
    """Return a call's arguments, which some models write as a string of JSON.

    What is no object is kept under a name that no tool takes: the tool refuses it, and the model
    reads why. Left out, it would make of "turn off X" a "turn off".
    """
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except ValueError:
            LOGGER.debug("Arguments that are no JSON: %s", arguments)
    if arguments is None:
        return {}
    return arguments if isinstance(arguments, dict) else {"arguments": arguments}


def _fill(completion: Completion, chunk: Mapping[str, Any]) -> None:
    """Take over what the last chunk says of the whole; Ollama counts nanoseconds."""

    def number(name: str) -> int | None:
        return value if isinstance(value := chunk.get(name), int) else None

    def seconds(name: str) -> float | None:
        return None if (nanoseconds := number(name)) is None else nanoseconds / 1e9

    completion.finish_reason = str(chunk.get("done_reason") or "stop")
    completion.prompt_tokens = number("prompt_eval_count")
    completion.answer_tokens = number("eval_count")
    completion.prompt_seconds = seconds("prompt_eval_duration")
    completion.answer_seconds = seconds("eval_duration")
    completion.load_seconds = seconds("load_duration")
