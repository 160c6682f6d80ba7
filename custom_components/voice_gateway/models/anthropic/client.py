"""The client of an Anthropic model with an agent's options."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

from homeassistant.components import conversation
from homeassistant.helpers import llm
from homeassistant.helpers.json import json_dumps

from ...const import CONF_MAX_TOKENS, CONF_THINK, CONF_WARM_UP, CONF_WEB_SEARCH, DEFAULTS, LOGGER
from ...json_schema import each_schema
from ..api_server import asked_again
from ..client import Completion, Deltas, ModelError
from ..functions import safe_name
from ..history import RequestBody, async_read, paths, with_seen
from ..limits import bounded
from . import messages as native
from .messages import Block, NativeMessage
from .server import AnthropicCapabilities, AnthropicModel, AnthropicServer, Event
from .stream import AnthropicMessageReader

# Tokens for thinking, in addition to those of the answer. The API requires at least 1,024.
_THINKING_TOKENS = 4096
# Maximum requests for one message that the API pauses; it pauses after ten searches.
_PARTS = 5
_CACHED: Block = {"cache_control": {"type": "ephemeral"}}
# A tool that enforces an answer's structure, if the model supports no other way.
_ANSWER_TOOL = "structured_answer"


@dataclass(slots=True, kw_only=True, eq=False)
class AnthropicClient:
    """A model of an account with an agent's options, of which requests omit unsupported ones.

    Requests are identical up to the new part of the conversation, so that the API reads them from
    its cache: tools, system prompt and messages, each up to its own breakpoint.
    """

    server: AnthropicServer
    model: str
    max_tokens: int = DEFAULTS[CONF_MAX_TOKENS]
    """Maximum tokens of an answer without its thinking."""
    think: bool = DEFAULTS[CONF_THINK]
    web_search: bool = DEFAULTS[CONF_WEB_SEARCH]
    warm_up: bool = DEFAULTS[CONF_WARM_UP]
    looks_before_it_answers: ClassVar[bool] = True
    fails_often: ClassVar[bool] = False
    _shown: list[Block] = field(default_factory=list, init=False, repr=False)
    """The tools of the last request with tools; no other field changes."""

    async def sees(self) -> bool:
        """Return True if it accepts images; see ModelClient."""
        return (await self.server.known(self.model)).model.sees_images

    async def weigh(self, content: Sequence[conversation.Content], answers: Sequence[str]) -> None:
        """Return None: the API reports no probabilities; see ModelClient."""

    async def read(self, prompt: conversation.Content, tools: llm.APIInstance | None) -> None:
        """Query the model's capabilities; prefill if enabled, which costs a quarter more."""
        known = await self.server.known(self.model, anew=True)
        if not self.warm_up:
            return
        body = self._body([prompt], native.to_tools(tools, known) if tools else [], known)
        body["messages"] = [{"role": "user", "content": "…"}]
        # The API accepts a request without an answer only without these fields.
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
        """Request the next message; see ModelClient."""
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
        content = with_seen(content, partial(native.sees, known.model), known.model.name)
        shown = (path for item in content for path in paths(item))
        messages = native.to_messages(
            content, known.model, await async_read(self.server.hass, shown)
        )
        names = {safe_name(tool.name): tool.name for tool in tools.tools} if tools else {}
        held = structure is not None
        original = NativeMessage(self.model)
        reader = AnthropicMessageReader(original, names, completion, _ANSWER_TOOL if held else None)

        async def is_worth_it(err: ModelError) -> bool:
            return known.learn(err, structure)

        def ask() -> AsyncGenerator[Event]:
            self._shown = self._shown if tools is None else native.to_tools(tools, known)
            body = self._body(content, self._shown, known) | {"messages": messages}
            if original.blocks:
                body["messages"] = [*messages, {"role": "assistant", "content": original.blocks}]
            if tools is None and self._shown:
                # The tools are still sent: without them, the API could not use its cache.
                body["tool_choice"] = {"type": "none"}
            if structure is not None:
                _hold_to(body, structure, known, calls=tools is not None and bool(self._shown))
            return self.server.message(body)

        for _ in range(_PARTS):
            async with aclosing(asked_again(ask, is_worth_it)) as events:
                async for event in events:
                    for delta in reader.deltas(event):
                        yield delta
            if not reader.paused:
                break
            LOGGER.debug("%s: going on after a pause", self.model)
        reader.raise_if_refused()

    def _body(
        self,
        content: Sequence[conversation.Content],
        tools: Sequence[Block],
        known: AnthropicCapabilities,
    ) -> RequestBody:
        """Return the constant part of a request: tools, system prompt and options."""
        # The last message is a breakpoint, too: the next request reads it from the cache.
        body: RequestBody = {"model": self.model, "max_tokens": self.max_tokens, **_CACHED}
        blocks = list(tools)
        if self.web_search and known.model.searches_web:
            blocks.append(native.web_search(self.server.hass))
        if blocks:
            body["tools"] = [*blocks[:-1], blocks[-1] | _CACHED]
        if system := native.to_system(content):
            body["system"] = [{"type": "text", "text": system, **_CACHED}]
        body |= _thinking(known.model, wanted=self.think)
        if body.get("thinking", {}).get("type") in ("adaptive", "enabled"):
            body["max_tokens"] += _THINKING_TOKENS
        if known.model.max_tokens:
            body["max_tokens"] = min(body["max_tokens"], known.model.max_tokens)
        return body


def _thinking(model: AnthropicModel, *, wanted: bool) -> RequestBody:
    """Return the fields that turn thinking on or off; the newest models think by default."""
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
    """Constrain the answer to a JSON schema; by a forced tool call if there is no other way."""
    if known.model.follows_schemas and json_dumps(structure) not in known.refused_structures:
        try:
            held = {"type": "json_schema", "schema": each_schema(dict(structure), native.followed)}
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
    # The API refuses forced tool calls while the model thinks.
    if body.get("thinking", {}).get("type") in ("adaptive", "enabled"):
        body["thinking"] = {"type": "disabled"}
