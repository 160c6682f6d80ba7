"""How a tool runs: in time, and what is noted of it."""

import asyncio
from collections.abc import Coroutine
from logging import DEBUG
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationTraceEventType as Trace
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..const import LOGGER, SLOW_TOOL
from ..logs import loggable


async def async_in_time[T](
    hass: HomeAssistant, running: Coroutine[Any, Any, T], name: str, seconds: float
) -> asyncio.Task[T] | None:
    """Return what ran, once it has ended; None where it took longer, and is cancelled."""
    task = hass.async_create_background_task(running, name)
    try:
        # Not asyncio.timeout: a tool that resists its cancellation must not hold up the turn.
        await asyncio.wait({task}, timeout=seconds)
    finally:
        task.cancel()
    return task if task.done() else None


def note_run(
    tool: llm.Tool, call: llm.ToolInput, result: llm.ToolResult, milliseconds: float
) -> None:
    """Note what came of a call, and how long it took: in the trace, and in the log."""
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
