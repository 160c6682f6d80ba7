"""A model of Anthropic's, as an agent uses it."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from homeassistant.components import conversation
from homeassistant.helpers import llm
from homeassistant.helpers.json import json_dumps

from ...const import CONF_MAX_TOKENS, CONF_THINK, CONF_WARM_UP, CONF_WEB_SEARCH, DEFAULTS, LOGGER
from ..attachments import async_read, paths, with_seen
from ..backoff import asked_again
from ..client import Completion, Deltas, ModelError
from ..functions import safe_name
from ..limits import bounded
from ..messages import RequestBody
from .messages import AnthropicMessage, Block, sees, to_messages, to_system
from .server import AnthropicCapabilities, AnthropicModel, AnthropicServer
from .stream import AnthropicMessageReader
from .tools import to_tools, web_search

if TYPE_CHECKING:
    from anthropic.types import RawMessageStreamEvent

# Tokens for thinking, beside those for the answer. The API wants 1,024 at least.
_THINKING_TOKENS = 4096
_SEARCHES = 3
# How often a message that the API pauses is gone on with; one pause is ten searches.
_PARTS = 5
_CACHED: Block = {"cache_control": {"type": "ephemeral"}}
# A tool that stands in for an answer's structure, where a model cannot be held to one otherwise.
_ANSWER_TOOL = "structured_answer"


@dataclass(slots=True, kw_only=True, eq=False)
class AnthropicClient:
    """A model of an account with an agent's options.

    What a model cannot do is not asked of it. What is sent is the same from request to request up
    to where the conversation goes on, and so is read from the API's cache: tools, system prompt and
    messages, each up to a breakpoint of its own.

    `max_tokens` are those of an answer without its thinking.
    """

    server: AnthropicServer
    model: str
    max_tokens: int = DEFAULTS[CONF_MAX_TOKENS]
    think: bool = DEFAULTS[CONF_THINK]
    web_search: bool = DEFAULTS[CONF_WEB_SEARCH]
    warm_up: bool = DEFAULTS[CONF_WARM_UP]
    looks_before_it_answers: ClassVar[bool] = True
    fails_often: ClassVar[bool] = False
    _shown: list[Block] = field(default_factory=list, init=False, repr=False)
    """The tools of the last request that had some: the only thing that changes."""

    async def sees(self) -> bool:
        """Return True if it can look at pictures; see ModelClient."""
        return (await self.server.known(self.model)).model.sees_images

    async def weigh(self, content: Sequence[conversation.Content], answers: Sequence[str]) -> None:
        """Tell nothing: the API does not; see ModelClient."""

    async def read(self, prompt: conversation.Content, tools: llm.APIInstance | None) -> None:
        """Learn what the model can do; if wanted, have it read ahead, which costs a quarter more."""
        known = await self.server.known(self.model, anew=True)
        if not self.warm_up:
            return
        body = self._body([prompt], to_tools(tools, known) if tools else [], known)
        body["messages"] = [{"role": "user", "content": "…"}]
        # With neither thinking, a format nor a breakpoint in the messages does it go without answer.
        for name in ("cache_control", "output_config", "thinking"):
            body.pop(name, None)
        if "disabled" in known.model.thinking:
            body["thinking"] = {"type": "disabled"}
        await self.server.warm(body)

    def stream(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        completion: Completion,
        *,
        structure: Mapping[str, Any] | None = None,
    ) -> Deltas:
        """Ask for the next message; see ModelClient."""
        answer = self._answer(content, tools, completion, structure)
        return bounded(answer, may_repeat=structure is not None)

    async def _answer(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        completion: Completion,
        structure: Mapping[str, Any] | None,
    ) -> Deltas:
        yield {"role": "assistant"}
        known = await self.server.known(self.model)
        completion.context = known.model.context
        content = with_seen(content, partial(sees, known.model), known.model.name)
        shown = (path for item in content for path in paths(item))
        messages = to_messages(content, known.model, await async_read(self.server.hass, shown))
        names = {safe_name(tool.name): tool.name for tool in tools.tools} if tools else {}
        held = structure is not None
        reader = AnthropicMessageReader(
            self.model, names, completion, answer_tool=_ANSWER_TOOL if held else None
        )

        async def is_worth_it(err: ModelError) -> bool:
            return known.learn(err, json_dumps(structure) if held else None)

        for _ in range(_PARTS):
            so_far = list(reader.original.blocks)
            asked = [*messages, {"role": "assistant", "content": so_far}] if so_far else messages

            def ask(asked: list[AnthropicMessage] = asked) -> AsyncGenerator[RawMessageStreamEvent]:
                return self.server.message(self._request(content, asked, tools, known, structure))

            async with aclosing(asked_again(ask, is_worth_it)) as events:
                async for event in events:
                    for delta in reader.deltas(event):
                        yield delta
            if not reader.paused:
                break
            LOGGER.debug("%s: going on after a pause", self.model)
        reader.raise_if_refused()

    def _request(
        self,
        content: Sequence[conversation.Content],
        messages: list[AnthropicMessage],
        tools: llm.APIInstance | None,
        known: AnthropicCapabilities,
        structure: Mapping[str, Any] | None,
    ) -> RequestBody:
        """Return a request for the next message."""
        if tools is not None:
            self._shown = to_tools(tools, known)
        body = self._body(content, self._shown, known) | {"messages": messages}
        if tools is None and self._shown:
            # Shown all the same: without them, nothing could be read from the cache.
            body["tool_choice"] = {"type": "none"}
        if structure is not None:
            _hold_to(body, structure, known, calls=tools is not None and bool(self._shown))
        return body

    def _body(
        self,
        content: Sequence[conversation.Content],
        tools: Sequence[Block],
        known: AnthropicCapabilities,
    ) -> RequestBody:
        """Return what is the same for every request: tools, system prompt and options."""
        # The last message is a breakpoint, too: the next round reads it from the cache.
        body: RequestBody = {"model": self.model, "max_tokens": self.max_tokens, **_CACHED}
        blocks = list(tools)
        if self.web_search and known.model.searches_web:
            blocks.append(web_search(self.server.hass, _SEARCHES))
        if blocks:
            body["tools"] = [*blocks[:-1], blocks[-1] | _CACHED]
        if system := to_system(content):
            body["system"] = [{"type": "text", "text": system, **_CACHED}]
        body |= _thinking(known.model, wanted=self.think)
        if body.get("thinking", {}).get("type") in ("adaptive", "enabled"):
            body["max_tokens"] += _THINKING_TOKENS
        if known.model.max_tokens:
            body["max_tokens"] = min(body["max_tokens"], known.model.max_tokens)
        return body


def _thinking(model: AnthropicModel, *, wanted: bool) -> RequestBody:
    """Return how a request says whether the model is to think; the newest do unless told not to."""
    if wanted and "adaptive" in model.thinking:
        return {"thinking": {"type": "adaptive", "display": "summarized"}}
    if wanted and "enabled" in model.thinking:
        return {"thinking": {"type": "enabled", "budget_tokens": _THINKING_TOKENS}}
    for off in ("disabled", "between_tools"):
        if off in model.thinking:
            return {"thinking": {"type": off}}
    if "adaptive" in model.thinking:
        least = {"output_config": {"effort": "low"}} if "low" in model.efforts else {}
        return {"thinking": {"type": "adaptive", "display": "omitted"}} | least
    return {}


def _hold_to(
    body: RequestBody, structure: Mapping[str, Any], known: AnthropicCapabilities, *, calls: bool
) -> None:
    """Hold the answer to a JSON schema; by a tool that has to be called where there is no other way."""
    from anthropic import transform_schema  # noqa: PLC0415 - was loaded with the client

    if known.model.follows_schemas and json_dumps(structure) not in known.refused_structures:
        try:
            held = {"type": "json_schema", "schema": transform_schema(dict(structure))}
            body["output_config"] = {**body.get("output_config", {}), "format": held}
        except ValueError as err:
            LOGGER.debug("The schema cannot be followed strictly: %s", err)
        else:
            return
    answer = {
        "name": _ANSWER_TOOL,
        "description": "Gives the answer to the user.",
        "input_schema": structure,
    }
    body["tools"] = [*body.get("tools", ()), answer]
    body["tool_choice"] = {"type": "any"} if calls else {"type": "tool", "name": _ANSWER_TOOL}
    # Nothing can be forced upon a model that thinks.
    if body.get("thinking", {}).get("type") in ("adaptive", "enabled"):
        body["thinking"] = {"type": "disabled"}
