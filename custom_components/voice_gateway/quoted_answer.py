"""An answer that tells what was read."""

from dataclasses import dataclass

from homeassistant.components import conversation


@dataclass(frozen=True)
class QuotedAnswer(conversation.AssistantContent):
    """What was answered without a model, of what is so: others may have written some of it."""

    is_description: bool = False
    """Others have written no more of it than what their tools are called."""
