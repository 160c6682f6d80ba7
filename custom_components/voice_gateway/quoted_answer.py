"""An answer that quotes states or texts that were read."""

from dataclasses import dataclass

from homeassistant.components import conversation


@dataclass(frozen=True)
class QuotedAnswer(conversation.AssistantContent):
    """An answer without a model that quotes data, which may contain third-party text."""

    is_description: bool = False
    """Whether tool names are its only third-party text."""
