"""Tool calls that a model wrote as text."""

from dataclasses import dataclass

from homeassistant.helpers import llm


@dataclass(slots=True)
class WrittenCall(llm.ToolInput):
    """A call found in a model's text.

    It is executed like any other call, but checked more strictly against the utterance: a text is
    weaker evidence of an intended action than a tool call.
    """

    @classmethod
    def of(cls, call: llm.ToolInput) -> WrittenCall:
        """Return a call as a written call."""
        if isinstance(call, WrittenCall):
            return call
        return cls(call.tool_name, call.tool_args, call.id)


class UnreadCall(WrittenCall):
    """A call with malformed arguments: it is never executed, and the model receives an error.

    Its arguments hold the raw text.
    """
