"""Invocation of a tool: time limits, events and logs."""

import asyncio
from collections.abc import Coroutine, Sequence
from logging import DEBUG
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationTraceEventType as Trace
from homeassistant.const import ATTR_DEVICE_ID, ATTR_ENTITY_ID
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import llm

from ..const import EVENT_ACTED, EVENT_PLAN, LOGGER, SLOW_TOOL
from ..home.exposed import Exposed
from ..logs import loggable
from ..mcp_servers.tool import McpTool


async def async_in_time[T](
    hass: HomeAssistant, running: Coroutine[Any, Any, T], name: str, seconds: float
) -> asyncio.Task[T] | None:
    """Return the finished task; None if it took longer, and is cancelled."""
    task = hass.async_create_background_task(running, name)
    # An exception that no one awaits any more is not an error.
    task.add_done_callback(lambda task: task.cancelled() or task.exception())
    try:
        # Not asyncio.timeout: a tool that resists its cancellation must not hold up the turn.
        await asyncio.wait({task}, timeout=seconds)
    finally:
        task.cancel()
    return task if task.done() else None


@callback
def async_announce(
    hass: HomeAssistant, tool: llm.Tool, said: llm.LLMContext, targets: Sequence[Exposed]
) -> None:
    """Fire the event of a call that may act, in the context of all its changes.

    Consumers that follow contexts, as the logbook does, find the origin of a change by it. A plan
    has fired its event in this context before.
    """
    context = said.context
    if context is None or tool.annotations.read_only:
        return
    if context.origin_event and context.origin_event.event_type == EVENT_PLAN:
        return
    data = {
        "agent_id": said.agent_id,
        ATTR_DEVICE_ID: said.device_id,
        "tool": tool.name,
        ATTR_ENTITY_ID: [each.entity_id for each in targets],
    }
    hass.bus.async_fire(EVENT_ACTED, data, context=context)


def seconds_left(hass: HomeAssistant, tool: llm.Tool, timeout: float, ends: float | None) -> float:
    """Return the time limit of a call: its server's own or ours, and not beyond `ends`."""
    seconds = (tool.timeout if isinstance(tool, McpTool) else None) or timeout
    return seconds if ends is None else max(0.0, min(seconds, ends - hass.loop.time()))


def note_run(
    tool: llm.Tool, call: llm.ToolInput, result: llm.ToolResult, milliseconds: float
) -> None:
    """Record a call's result and duration: in the trace, and in the log."""
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
    if LOGGER.isEnabledFor(DEBUG):
        arguments = loggable(call.tool_args)
        told = loggable(result.data)
        LOGGER.debug("%s(%s) took %.0f ms: %s", tool.name, arguments, milliseconds, told)
    if milliseconds > SLOW_TOOL * 1000:
        LOGGER.warning("Tool %s took %.0f ms", tool.name, milliseconds)
