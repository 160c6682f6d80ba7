"""A call that a model did not make, but wrote."""

from dataclasses import dataclass

from homeassistant.helpers import llm


@dataclass(slots=True)
class WrittenCall(llm.ToolInput):
    """A call found in a model's text.

    It is run like any other, but held to what the user said: a text is not as sure a sign that
    something is to be done as a call is.
    """

    @classmethod
    def of(cls, call: llm.ToolInput) -> WrittenCall:
        """Return a call as one that was written."""
        if isinstance(call, WrittenCall):
            return call
        return cls(call.tool_name, call.tool_args, call.id)


class UnreadCall(WrittenCall):
    """A call whose arguments nobody can read: never made, the model is told so.

    Its arguments are what was written, as a text.
    """
