"""How a tool call runs: every call of every model."""

import asyncio
from dataclasses import dataclass, field, replace
import json
from typing import override

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..const import LOGGER, SLOW_TOOL, TOOL_TIMEOUT
from ..corrected import corrected_calls
from ..json_schema import Json
from ..mcp_servers.tool import McpTool
from ..written_call import WrittenCall
from .assist.intents import IntentTool
from .assist.repair import WrongTool
from .heard import heard
from .manager import ToolManager
from .policy import acts_alike, is_opposite
from .results import elsewhere, error, failure, for_domain, loggable, unknown_tool, was_refused


@dataclass(kw_only=True)
class ToolExecutor(llm.APIInstance):
    """The one way to a tool.

    - A call ends in a result, whatever the tool does: none raises, none ends the turn.
    - A call ends in time: after `timeout` seconds or its server's own limit, or when the turn ends,
      it is cancelled.
    - The same call in the same turn is made once: repeated, it gets the first one's result,
      unless that was an error.
    """

    manager: ToolManager
    timeout: float = TOOL_TIMEOUT
    acted: bool = field(default=False, init=False)
    """Something was done in this turn, or may have been."""
    only_asked: bool = field(default=False, init=False)
    """The user asked something: a call that was merely written may read, but not act."""
    asked_for: str | None = field(default=None, init=False)
    """The intent that a sentence is, word by word: a call that was merely written may not do the
    opposite."""
    corrected: list[str] = field(default_factory=list, init=False)
    """The tools that were called in this turn with other arguments than the model's."""
    refused: list[str] = field(default_factory=list, init=False)
    """Why calls of this turn were not run, in the words that the model was told."""
    _named: bool = field(default=False, init=False)
    _turn_ends: float | None = field(default=None, init=False)
    _made: dict[str, tuple[llm.ToolInput, asyncio.Future[llm.ToolResult]]] = field(
        default_factory=dict, init=False
    )

    @classmethod
    def of(cls, instance: llm.APIInstance) -> ToolExecutor:
        """Return the executor of the tools of an API that is not ours; ours is one already."""
        if isinstance(instance, cls):
            return instance
        manager = ToolManager()
        manager.add(*instance.tools)
        return cls(
            api=instance.api,
            api_prompt=instance.api_prompt,
            llm_context=instance.llm_context,
            tools=manager.all(),
            custom_serializer=instance.custom_serializer,
            manager=manager,
        )

    def begin_turn(self, ends: float) -> None:
        """Start a turn that ends at a time of the event loop's clock."""
        self._turn_ends = ends
        self._made.clear()
        self.acted = False
        self.only_asked = False
        self.asked_for = None
        self.corrected = []
        self.refused = []
        self._named = False

    def name_of(self, name: str) -> str | None:
        """Return the name of the tool that a model certainly means by a name."""
        tool = self.manager.find(name)
        return tool.name if tool else None

    def name_for(self, intent_type: str) -> str | None:
        """Return the name of the tool that handles an intent of Home Assistant's."""
        for tool in self.tools:
            if isinstance(tool, llm.IntentTool) and tool.intent_type == intent_type:
                return tool.name
        return None

    def one_by_one(self, call: llm.ToolInput) -> list[llm.ToolInput]:
        """Return a call, or those of each device where it names several for a tool that takes one."""
        tool = self.manager.find(call.tool_name)
        each = tool.each(call.tool_args) if isinstance(tool, IntentTool) else [call.tool_args]
        if each == [call.tool_args]:
            return [call]
        return [type(call)(call.tool_name, dict(arguments)) for arguments in each]

    @override
    async def async_call_tool(self, tool_input: llm.ToolInput) -> llm.ToolResult:
        """Run a call and return its result."""
        is_written = isinstance(tool_input, WrittenCall)
        conversation.async_conversation_trace_append(
            conversation.ConversationTraceEventType.TOOL_CALL,
            {
                "tool_name": tool_input.tool_name,
                "tool_args": tool_input.tool_args,
                "written_as_text": is_written,
            },
        )
        if (tool := self.manager.find(tool_input.tool_name)) is None:
            LOGGER.warning("The model called %s, which is no tool", tool_input.tool_name)
            return self._unknown(tool_input.tool_name)
        if is_written and (reason := self._not_meant(tool, tool_input.tool_args)):
            self.refused.append(reason)
            return error(reason)

        signature = _signature(tool_input)
        if signature in self._made:
            LOGGER.debug("%s was called before in this turn", tool.name)
            return await asyncio.shield(self._made[signature][1])
        made: asyncio.Future[llm.ToolResult] = self.api.hass.loop.create_future()
        self._made[signature] = tool_input, made
        result = failure(tool, asyncio.CancelledError())
        try:
            result = await self._timed(tool, tool_input)
        finally:
            made.set_result(result)
            if result.error:
                self._made.pop(signature, None)
        return result

    def _unknown(self, name: str) -> llm.ToolResult:
        """Return the result of a call to a tool that does not exist; the tools are named once."""
        result = unknown_tool(name, () if self._named else self.tools)
        self._named = True
        return result

    def _not_meant(self, tool: llm.Tool, arguments: Json) -> str | None:
        """Return why a call that a model wrote is not what the user said, if it is not."""
        if self.only_asked and not tool.annotations.read_only:
            return "The user asked a question: read the state, and answer"
        if not isinstance(tool, llm.IntentTool):
            return None
        if self.asked_for and is_opposite(tool.intent_type, arguments, self.asked_for):
            return f"The user asked for the opposite: call {self.name_for(self.asked_for)}"
        for call, _ in self._made.values():
            before = self.manager.find(call.tool_name)
            if (
                isinstance(before, llm.IntentTool)
                and acts_alike(call.tool_args, arguments)
                and is_opposite(tool.intent_type, arguments, before.intent_type)
            ):
                return f"You called the opposite before: {before.name}"
        return None

    async def _timed(self, tool: llm.Tool, tool_input: llm.ToolInput) -> llm.ToolResult:
        """Call a tool, and log what came of it and how long it took."""
        loop = self.api.hass.loop
        started = loop.time()
        result = await self._call(tool, tool_input)
        milliseconds = (loop.time() - started) * 1000
        conversation.async_conversation_trace_append(
            conversation.ConversationTraceEventType.AGENT_DETAIL,
            {
                "tool_result": {
                    "tool_name": tool.name,
                    "milliseconds": round(milliseconds),
                    "error": result.error,
                }
            },
        )
        LOGGER.debug(
            "%s(%s) took %.0f ms: %s",
            tool.name,
            loggable(tool_input.tool_args),
            milliseconds,
            loggable(result.data),
        )
        if milliseconds > SLOW_TOOL * 1000:
            LOGGER.warning("Tool %s took %.0f ms", tool.name, milliseconds)
        return result

    async def _call(self, tool: llm.Tool, tool_input: llm.ToolInput) -> llm.ToolResult:
        """Call a tool under its own name; its failures become results."""
        call = replace(tool_input, tool_name=tool.name, tool_args=dict(tool_input.tool_args))
        seconds = self._seconds_left(tool)
        corrected_calls.set(self.corrected)
        task = self.api.hass.async_create_background_task(
            tool.async_call(self.api.hass, call, self.llm_context), f"{tool.name} {call.id}"
        )
        try:
            # Not asyncio.timeout: a tool that resists its cancellation must not hold up the turn.
            await asyncio.wait({task}, timeout=seconds)
        finally:
            task.cancel()
        refused = task.done() and not task.cancelled() and was_refused(task.exception())
        self.acted = self.acted or not (refused or tool.annotations.read_only)
        if not task.done():
            LOGGER.warning("Tool %s was cancelled after %.1f s", tool.name, seconds)
            return error(f"{tool.name} did not answer within {seconds:.0f} seconds")
        try:
            result = task.result()
        except (asyncio.CancelledError, Exception) as err:  # noqa: BLE001 - any failure is a result
            return self._refusal(tool, err) if refused else failure(tool, err)
        return result if isinstance(result, llm.ToolResult) else llm.ToolResult(data=result)

    def _refusal(self, tool: llm.Tool, err: BaseException) -> llm.ToolResult:
        """Return the result of a call that its tool refused, with what could be called instead."""
        failed = failure(tool, err)
        self.refused.append(str(failed.data["error"]))
        match err:
            case WrongTool(domain=domain):
                hint = for_domain(self.api.hass, domain, self.tools, tool, self.llm_context)
            case _ if tool.annotations.read_only:
                sentence = heard(self.llm_context).rpartition("\n")[2]
                hint = elsewhere(tool, self.tools, sentence, self.llm_context.language)
            case _:
                return failed
        return error(f"{failed.data['error']}{hint}")

    def _seconds_left(self, tool: llm.Tool) -> float:
        seconds = (tool.timeout if isinstance(tool, McpTool) else None) or self.timeout
        if self._turn_ends is None:
            return seconds
        return max(0.0, min(seconds, self._turn_ends - self.api.hass.loop.time()))


def _signature(call: llm.ToolInput) -> str:
    return f"{call.tool_name} {json.dumps(call.tool_args, sort_keys=True, default=str)}"
