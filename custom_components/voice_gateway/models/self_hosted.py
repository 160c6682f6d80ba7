"""Base of the clients for self-hosted servers, whose models may lack native tool calls."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from homeassistant.components import conversation
from homeassistant.helpers import llm
from homeassistant.helpers.json import json_bytes

from ..const import CONF_TEMPERATURE, CONF_THINK, DEFAULTS, LOGGER
from ..json_schema import Json
from ..logs import Loggable
from . import history
from .api_server import OwnServer, SlotUser, asked_again
from .client import Completion, Deltas, ModelError, Reason
from .functions import safe_name, to_functions
from .history import Message, RequestBody
from .learned import LearnedCapabilities
from .limits import bounded
from .logprobs import TOKENS, weights_of
from .message_reader import MessageReader
from .prompted_tools import PromptedTools, SayParser
from .text.thinking import ThinkingFilter
from .text_calls.collector import CallCollector, UnknownFields
from .text_calls.stream import quoted_calls

# Maximum tokens of an answer that is not used: no server accepts 0.
NOTHING = 1


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request to a model, with `tools` in the protocol's format or `prompted` in the prompt.

    The output is constrained to a JSON `schema`. `weighs` requests token probabilities. `quoted`
    are the calls that the server quoted in its first answer: it could not parse them.
    """

    content: Sequence[conversation.Content]
    tools: llm.APIInstance | None = None
    may_call: bool = False
    prompted: PromptedTools | None = None
    schema: Mapping[str, Any] | None = None
    weighs: bool = False
    quoted: list[llm.ToolInput] | None = None

    def functions(self) -> list[Json]:
        """Return the tools that are sent in the protocol's format."""
        return to_functions(self.tools.tools, self.tools.custom_serializer) if self.tools else []


@dataclass(slots=True, kw_only=True, eq=False)
class OwnServerClient[Known: LearnedCapabilities](ABC):
    """A model of a self-hosted server with an agent's options: most of a ModelClient.

    - A request field that the server refused once is not sent again.
    - A model that called tools and must answer now still gets them: otherwise the server would have
      to process them again for the next utterance.
    """

    server: OwnServer[Known]
    model: str
    think: bool = DEFAULTS[CONF_THINK]
    temperature: float = DEFAULTS[CONF_TEMPERATURE]
    max_tokens: int | None = None
    """Maximum tokens of an answer without its thinking; None means as many as fit."""
    # With tools and a structure in one prompt, in three wordings, qwen2.5-coder:1.5b made up the
    # values in 12 tasks of 12; with one after the other, it called the right tool in 4 of 4.
    looks_before_it_answers: ClassVar[bool] = False
    no_words: ClassVar[str] = "…"
    """The user's message when a prompt is prefilled: some servers refuse an empty one."""
    takes_turns: ClassVar[bool] = True
    """Whether a conversation is adapted to templates: alternating roles, and no system role if that
    is unsupported. Ollama does so itself, except for a model with tools in its prompt."""
    seat: SlotUser = field(default_factory=SlotUser, repr=False)
    _shown: llm.APIInstance | None = field(default=None, init=False, repr=False)
    """The tools of the last request."""

    @property
    def fails_often(self) -> bool:
        """Whether its calls often fail, if its prompt describes the tools."""
        return self.server.fails_often(self.model)

    async def sees(self) -> bool:
        """Return True if it accepts images; see ModelClient."""
        return (await self.server.known(self.model)).sees

    async def stream(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        completion: Completion,
        *,
        structure: Mapping[str, Any] | None = None,
    ) -> Deltas:
        """Request the next message; see ModelClient."""
        known = await self.server.known(self.model)
        yield {"role": "assistant"}
        completion.context = self._context(known)
        may_call = tools is not None
        shown = tools or (self._shown if history.has_calls(content) and not structure else None)
        self._shown = shown
        if shown and not may_call:
            content = [*content, history.Note(content=history.HAS_TO_ANSWER)]

        def request() -> ModelRequest:
            if known.calls_tools or not (shown or history.has_calls(content)):
                schema = None if shown and shown.tools else structure
                return ModelRequest(content, shown, may_call=may_call, schema=schema)
            known.note_results(content)
            prompted = PromptedTools(shown, structure, may_call=may_call)
            return ModelRequest(content, prompted=prompted, schema=prompted.schema)

        answer = self._ask(request, completion, known, tools.tools if tools else ())
        answer = bounded(answer, may_repeat=structure is not None)
        answer = ThinkingFilter(known.thinking).of(answer)
        async with aclosing(answer if structure else SayParser().of(answer)) as deltas:
            async for delta in deltas:
                yield delta

    async def weigh(
        self, content: Sequence[conversation.Content], answers: Sequence[str]
    ) -> Mapping[str, float] | None:
        """Return the probability of each answer; see ModelClient."""
        known = await self.server.known(self.model)
        if not known.tells_weights or known.thinking.opened_by_template:
            return None
        brief = replace(self, max_tokens=TOKENS, think=False, temperature=0.0)
        completion, request = Completion(), ModelRequest(content, weighs=True)
        asked = bounded(brief._ask(lambda: request, completion, known))  # noqa: SLF001
        try:
            has_said = any([delta.get("content") async for delta in asked])
        except ModelError as err:
            # Some servers refuse it, with any text. Other errors recur in a plain request.
            if err.reason is Reason.SERVER_ERROR:
                return None
            raise
        known.tells_weights = bool(completion.likely) or not has_said
        return weights_of(completion.likely, answers)

    async def read(self, prompt: conversation.Content, tools: llm.APIInstance | None) -> None:
        """Prefill prompt and tools, with an empty message after them; see ModelClient."""
        if not await self._is_read_ahead():
            return
        beginning = [prompt, conversation.UserContent(content=self.no_words)]
        async for _ in replace(self, max_tokens=NOTHING).stream(beginning, tools, Completion()):
            pass

    @abstractmethod
    async def _is_read_ahead(self) -> bool:
        """Return True if prefilling a prompt is enabled, or free."""

    def _ask(
        self,
        make: Callable[[], ModelRequest],
        completion: Completion,
        known: Known,
        offered: Sequence[llm.Tool] = (),
    ) -> Deltas:
        """Send a request; before any speech or call, repeat it if another one may succeed.

        A repeated request omits what the server refused. If the server could not parse the output,
        it is asked once more, or the calls that it quotes are made.
        """
        request = make()
        body = self._body(request, known)

        async def is_worth_it(err: ModelError) -> bool:
            nonlocal request, body
            if err.reason is Reason.NO_TOOLS and known.calls_tools:
                known.calls_tools = False
                request = make()
                body = self._body(request, known)
                return True
            if known.learn(err, body, request.schema):
                before, body = body, self._body(request, known)
                # A new estimate of the context alone does not make a new request.
                is_longer = err.reason is Reason.CONTEXT_EXCEEDED and body.keys() == before.keys()
                return body["messages"] != before["messages"] if is_longer else body != before
            if not err.of_generation or request.quoted is not None:
                return False
            quoted = await quoted_calls(err.written, [tool.name for tool in offered])
            request = replace(request, quoted=quoted)
            return True

        return asked_again(
            lambda: self._chat(body, request, completion, known),
            is_worth_it,
            lambda delta: bool((delta.get("content") or "").strip() or delta.get("tool_calls")),
        )

    @abstractmethod
    def _body(self, request: ModelRequest, known: Known) -> RequestBody:
        """Return a request with as much of the conversation as fits into the context."""

    @abstractmethod
    def _context(self, known: Known) -> int | None:
        """Return the maximum tokens of prompt and answer together; None if unknown."""

    def _write(self, item: conversation.Content, thought_in: str) -> Iterable[Message]:
        """Yield messages with thinking in a field, if it is named; nothing for plain text."""
        match item:
            case conversation.ToolResultContent():
                named = self._result_of(item)
                yield {"role": "tool", **named, "content": history.result_text(item.result)}
            case conversation.AssistantContent():
                message: Message = {"role": "assistant", "content": item.content or ""}
                if item.tool_calls:
                    message["tool_calls"] = [*map(self._call, item.tool_calls)]
                    message = UnknownFields.completed(item, message)
                if thought_in and item.thinking_content:
                    message[thought_in] = item.thinking_content
                yield message

    @abstractmethod
    def _call(self, call: llm.ToolInput) -> Json:
        """Return a call as a part of a message."""

    @abstractmethod
    def _result_of(self, item: conversation.ToolResultContent) -> Json:
        """Return the field that names the call of a result."""

    @abstractmethod
    def _with_files(self, message: Message, files: Mapping[str, tuple[str, str]]) -> Message:
        """Return a message with attachments; `files` maps paths to base64 data and MIME type."""

    def _messages(
        self, request: ModelRequest, known: Known, *, answer: int, fixed: Any
    ) -> list[Message]:
        """Return messages that leave room for `answer` tokens and `fixed`. Raises ModelError."""
        content = history.with_seen(
            history.with_short_results(list(history.with_all_results(request.content))),
            lambda mime_type: known.sees and history.is_picture(mime_type),
            self.model,
        )
        turn = {id(item) for item in content[history.current_turn(content) :]}
        takes_turns = self.takes_turns or request.prompted is not None

        def write(item: conversation.Content) -> Iterable[Message]:
            if request.prompted:
                return request.prompted.written(item)
            return self._write(item, known.thought_in if id(item) in turn else "")

        def render(parts: Iterable[conversation.Content]) -> list[Message]:
            has_system = known.has_system or not takes_turns
            return history.to_messages(parts, write, has_system=has_system, takes_turns=takes_turns)

        if context := self._context(known):
            size, tokens = len(json_bytes(fixed)), known.tokens
            content = history.as_fits(
                content, render, context, answer=answer, fixed=size, tokens=tokens, model=self.model
            )
        return render(content)

    async def _chat(
        self, body: RequestBody, request: ModelRequest, completion: Completion, known: Known
    ) -> Deltas:
        """Send a request, whose `images` are paths, and stream its answer."""
        if request.quoted:
            completion.finish_reason = "stop"
            yield {"tool_calls": request.quoted}
            return
        shown = request.tools.tools if request.tools else ()
        names = {safe_name(tool.name): tool.name for tool in shown}
        reader = MessageReader(CallCollector(names), completion, self.model, known)
        has_images = any("images" in message for message in body["messages"])
        sent = await self._with_pictures(body, request.content) if has_images else body
        try:
            async with aclosing(self.server.chat(sent, self.seat)) as chunks:
                async for chunk in chunks:
                    LOGGER.debug("%s: %s", self.model, Loggable(chunk))
                    for delta in reader.deltas(chunk):
                        yield delta
        except ModelError:
            for delta in reader.calls.whole():
                yield delta
            raise
        if not has_images:
            size = sum(len(json_bytes(body.get(part))) for part in ("messages", "tools"))
            known.tokens.learn(size, completion.prompt_tokens)
        for delta in reader.end():
            yield delta

    async def _with_pictures(
        self, body: RequestBody, content: Iterable[conversation.Content]
    ) -> RequestBody:
        """Return a request with the data of its images instead of their paths."""
        attached = (file for item in content for file in history.attachments(item))
        types = {str(file.path): file.mime_type for file in attached}
        shown = {path for message in body["messages"] for path in message.get("images", ())}
        read = await history.async_read(self.server.hass, shown)
        files = {path: (data, types[path]) for path, data in read.items()}
        messages = [
            self._with_files(message, files) if "images" in message else message
            for message in body["messages"]
        ]
        return {**body, "messages": messages}
