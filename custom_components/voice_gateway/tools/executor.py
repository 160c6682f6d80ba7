"""How a tool call runs: every call of every model."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
import json
from typing import Any, override

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationTraceEventType as Trace
from homeassistant.helpers import llm

from ..arguments import correct_for
from ..const import LOGGER, SLOW_TOOL, TOOL_TIMEOUT
from ..heard.heard import Heard
from ..home.exposed import Home
from ..mcp_servers.tool import McpTool
from ..written_call import WrittenCall
from .assist.intents import IntentTool
from .assist.reach import reached
from .assist.refusals import Refusal, WrongTool
from .heard_tool import HeardTool
from .journal import Entry, Journal
from .manager import ToolManager
from .policy import Deed, Turn, refusal
from .results import (
    elsewhere,
    error,
    failure,
    for_domain,
    is_in_doubt,
    loggable,
    unanswered,
    unknown_tool,
    was_refused,
)


@dataclass(kw_only=True)
class ToolExecutor(llm.APIInstance):
    """The one way to a tool, for one turn.

    - A call ends in a result, whatever the tool does: none raises, none ends the turn.
    - A call ends in time: after `timeout` seconds or its server's own limit, or when the turn ends,
      it is cancelled.
    - No call is made, as the model made it or corrected, that the policy refuses.
    - The same call in the same turn is made once: repeated, it gets the first one's result,
      unless that was an error. What may have been done is not done again.
    """

    manager: ToolManager
    heard: Heard
    """What was said; where nobody spoke, nothing."""
    ends: float | None = None
    """When the turn ends, by the event loop's clock."""
    journal: Journal = field(default_factory=Journal)
    timeout: float = TOOL_TIMEOUT
    _turn: Turn = field(init=False)
    _made: dict[str, asyncio.Future[llm.ToolResult]] = field(default_factory=dict, init=False)
    _named: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        """Hold the turn's calls to what was said."""
        self._turn = Turn(self.heard, self.journal, self.manager)

    @classmethod
    def of(cls, instance: llm.APIInstance, ends: float) -> ToolExecutor:
        """Return the executor of an AI task, which ends at a time of the event loop's clock.

        The tools may be those of an API that is not ours.
        """
        if isinstance(instance, cls):
            return replace(instance, journal=Journal(), ends=ends)
        manager = ToolManager()
        manager.add(*instance.tools)
        hass, context = instance.api.hass, instance.llm_context
        return cls(
            api=instance.api,
            api_prompt=instance.api_prompt,
            llm_context=context,
            tools=manager.all(),
            custom_serializer=instance.custom_serializer,
            manager=manager,
            heard=Heard.nothing(hass, context.language, Home.seen_by(hass, context.assistant)),
            ends=ends,
        )

    def for_turn(self, heard: Heard, journal: Journal, ends: float) -> ToolExecutor:
        """Return an executor of the same tools for a turn, without anything of another turn."""
        return replace(self, heard=heard, journal=journal, ends=ends)

    def name_of(self, name: str) -> str | None:
        """Return the name of the tool that a model certainly means by a name."""
        tool = self.manager.find(name)
        return tool.name if tool else None

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
        conversation.async_conversation_trace_append(
            Trace.TOOL_CALL,
            {
                "tool_name": tool_input.tool_name,
                "tool_args": tool_input.tool_args,
                "written_as_text": isinstance(tool_input, WrittenCall),
            },
        )
        if (tool := self.manager.find(tool_input.tool_name)) is None:
            LOGGER.warning("The model called %s, which is no tool", tool_input.tool_name)
            self.journal.miss()
            return self._unknown(tool_input.tool_name)
        arguments, changes = correct_for(tool, tool_input.tool_args, self.custom_serializer)
        call = replace(tool_input, tool_name=tool.name, tool_args=arguments)
        if (made := self._made.get(signature := _signature(call))) is not None:
            LOGGER.debug("%s was called before in this turn", tool.name)
            return await asyncio.shield(made)
        made = self._made[signature] = self.api.hass.loop.create_future()
        result = failure(tool, asyncio.CancelledError())
        try:
            result = await self._held_to_policy(tool, call, changes)
        finally:
            made.set_result(result)
            if result.error and not self.journal.is_to_be_kept(call.id):
                self._made.pop(signature, None)
        return result

    def _unknown(self, name: str) -> llm.ToolResult:
        """Return the result of a call to a tool that does not exist; the tools are named once."""
        result = unknown_tool(name, () if self._named else self.tools)
        self._named = True
        return result

    async def _held_to_policy(
        self, tool: llm.Tool, call: llm.ToolInput, changes: Sequence[str]
    ) -> llm.ToolResult:
        """Make a call that may be made, and note what comes of it.

        `changes` tell how its arguments differ from the model's.
        """
        entry = self.journal.begin(tool, call)
        if changes:
            LOGGER.debug("%s: arguments corrected: %s", tool.name, ", ".join(changes))
            _note_correction(entry, call.tool_args)
        if reason := self._refusal(tool, call, call.tool_args, entry):
            return error(reason)
        try:
            result = await self._timed(tool, call, entry)
        except asyncio.CancelledError:
            entry.doubt()
            raise
        entry.end(result)
        return result

    async def _timed(self, tool: llm.Tool, call: llm.ToolInput, entry: Entry) -> llm.ToolResult:
        """Call a tool, and log what came of it and how long it took."""
        loop = self.api.hass.loop
        started = loop.time()
        result = await self._in_time(tool, call, entry)
        milliseconds = (loop.time() - started) * 1000
        conversation.async_conversation_trace_append(
            Trace.AGENT_DETAIL,
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
            loggable(call.tool_args),
            milliseconds,
            loggable(result.data),
        )
        if milliseconds > SLOW_TOOL * 1000:
            LOGGER.warning("Tool %s took %.0f ms", tool.name, milliseconds)
        return result

    async def _in_time(self, tool: llm.Tool, call: llm.ToolInput, entry: Entry) -> llm.ToolResult:
        """Call a tool; what it raises, and its silence, become results."""
        seconds = self._seconds_left(tool)
        task = self.api.hass.async_create_background_task(
            self._call(tool, call, entry), f"{tool.name} {call.id}"
        )
        try:
            # Not asyncio.timeout: a tool that resists its cancellation must not hold up the turn.
            await asyncio.wait({task}, timeout=seconds)
        finally:
            task.cancel()
        if not task.done():
            LOGGER.warning("Tool %s was cancelled after %.1f s", tool.name, seconds)
            entry.doubt()
            return unanswered(tool, f"within {seconds:.0f} seconds")
        try:
            return task.result()
        except (asyncio.CancelledError, Exception) as err:  # noqa: BLE001 - any failure is a result
            if was_refused(err):
                return self._told(tool, err, entry)
            if is_in_doubt(err):
                entry.doubt()
            return failure(tool, err)

    async def _call(self, tool: llm.Tool, call: llm.ToolInput, entry: Entry) -> llm.ToolResult:
        """Call a tool; one of ours is told what was said, and may correct the call."""
        if not isinstance(tool, HeardTool):
            result = await tool.async_call(self.api.hass, call, self.llm_context)
            return result if isinstance(result, llm.ToolResult) else llm.ToolResult(data=result)

        def allow(meant: llm.IntentTool, arguments: Mapping[str, Any]) -> None:
            """Hold a corrected call to the policy, as the model's was before. Raises Refusal."""
            if reason := self._refusal(meant, call, arguments, entry):
                raise Refusal(reason)
            # What is only added was not wrong: the domain of a device that was named.
            if not call.tool_args.items() <= arguments.items():
                _note_correction(entry, arguments, intent_type=meant.intent_type)

        return await tool.async_call_heard(self.api.hass, call, self.llm_context, self.heard, allow)

    def _refusal(
        self, tool: llm.Tool, call: llm.ToolInput, arguments: Mapping[str, Any], entry: Entry
    ) -> str:
        """Return why a call may not be made with these arguments, and note it; nothing if it may."""
        hass, home = self.api.hass, self.heard.mentioned.home
        domains = (isinstance(tool, IntentTool) and tool.domains(hass, home)) or ()
        assistant = self.llm_context.assistant or ""
        deed = Deed(
            tool=tool,
            arguments=dict(arguments),
            is_written=isinstance(call, WrittenCall),
            domains=frozenset(domains),
            targets=reached(hass, home, domains, arguments, assistant) if domains else (),
        )
        if (refused := refusal(deed, self._turn)) is None:
            return ""
        about = [target.names[0] for target in deed.targets]
        entry.forbid(refused.reason, refused.instead or "", about)
        return refused.reason

    def _told(self, tool: llm.Tool, err: BaseException, entry: Entry) -> llm.ToolResult:
        """Return the result of a call that its tool refused, with what could be called instead."""
        failed = failure(tool, err)
        reason = str(failed.data["error"])
        entry.refuse(reason)
        match err:
            case WrongTool(domain=domain):
                hint = for_domain(self.api.hass, self.heard, domain, self.tools, tool)
            case _ if tool.annotations.read_only:
                hint = elsewhere(tool, self.tools, self.heard)
            case _:
                return failed
        return error(f"{reason}{hint}")

    def _seconds_left(self, tool: llm.Tool) -> float:
        seconds = (tool.timeout if isinstance(tool, McpTool) else None) or self.timeout
        if self.ends is None:
            return seconds
        return max(0.0, min(seconds, self.ends - self.api.hass.loop.time()))


def _signature(call: llm.ToolInput) -> str:
    return f"{call.tool_name} {json.dumps(call.tool_args, sort_keys=True, default=str)}"


def _note_correction(entry: Entry, arguments: Mapping[str, Any], **more: str) -> None:
    """Note the arguments that a tool is called with instead of the model's."""
    entry.is_corrected = True
    conversation.async_conversation_trace_append(
        Trace.TOOL_CALL, {"tool_name": entry.tool.name, "corrected": dict(arguments), **more}
    )
