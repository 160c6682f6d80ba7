"""Calls that are made with other arguments than the model's."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from homeassistant.components import conversation

# Where the calls of the turn that is going on are noted, by their tools' names.
corrected_calls: ContextVar[list[str] | None] = ContextVar("corrected_calls", default=None)


def note_correction(tool: str, arguments: Mapping[str, Any], **more: str) -> None:
    """Note the arguments that a tool is called with instead of those that the model gave."""
    conversation.async_conversation_trace_append(
        conversation.ConversationTraceEventType.TOOL_CALL,
        {"tool_name": tool, "corrected": dict(arguments), **more},
    )
    if (calls := corrected_calls.get()) is not None:
        calls.append(tool)
