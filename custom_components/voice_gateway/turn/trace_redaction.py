"""Takes what nobody is to read out of Home Assistant's trace of a conversation."""

from typing import Any

# Home Assistant has no other way to the trace of the conversation that is going on.
from homeassistant.components.conversation.trace import _current_trace as current_trace


def hide_in_trace(text: str, instead: str) -> None:
    """Put something else in the place of a text, wherever the current trace has it by now."""
    if (trace := current_trace.get()) is None:
        return
    for event in trace._events:  # noqa: SLF001 - as above
        if event.data is not None:
            _hide(event.data, text, instead)


def _hide(data: Any, text: str, instead: str) -> None:
    match data:
        case dict():
            for key, value in data.items():
                if value == text:
                    data[key] = instead
                else:
                    _hide(value, text, instead)
        case list():
            for value in data:
                _hide(value, text, instead)
