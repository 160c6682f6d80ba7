"""Our own answers in a conversation that are more than the text of a model."""

from dataclasses import dataclass

from homeassistant.components import conversation


@dataclass(frozen=True)
class QuotedAnswer(conversation.AssistantContent):
    """An answer without a model that quotes data, which may contain third-party text."""

    is_description: bool = False
    """Whether tool names are its only third-party text."""


@dataclass(frozen=True)
class ActionReport(conversation.AssistantContent):
    """The report of an action that no call in the conversation shows: a timer that was set."""
