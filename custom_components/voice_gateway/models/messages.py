"""A conversation as messages of a role and a text, as Ollama's and OpenAI's protocols have them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from homeassistant.components import conversation

from .attachments import paths

type Message = dict[str, Any]
type RequestBody = dict[str, Any]
type WriteMessages = Callable[[conversation.Content], Iterable[Message]]
"""Writes a part of a conversation as messages; nothing, where it is written as a text."""

_OF_TEXT = {"role", "content", "images"}


def to_messages(
    content: Iterable[conversation.Content],
    write: WriteMessages,
    *,
    has_system: bool,
    takes_turns: bool = True,
) -> list[Message]:
    """Return a conversation, every call in it with its result, as messages.

    Their `images` are the paths of files. Where the user and the assistant have to take turns,
    neighbours of one role are one message; where there is no system role, its words are the user's.
    """
    messages: list[Message] = []
    for item in content:
        for message in _written(item, write):
            if message["role"] == "system" and not has_system:
                message["role"] = "user"
            before: Message = messages[-1] if messages else {}
            is_text = takes_turns and before.keys() | message.keys() <= _OF_TEXT
            if is_text and before.get("role") == message["role"]:
                _join(before, message)
            else:
                messages.append(message)
    return messages


def _written(item: conversation.Content, write: WriteMessages) -> Iterator[Message]:
    messages = list(write(item)) or [
        {"role": item.role, "content": getattr(item, "content", "") or ""}
    ]
    if images := paths(item):
        messages[-1]["images"] = images
    yield from messages


def _join(before: Message, message: Message) -> None:
    before["content"] = "\n\n".join(filter(None, (before["content"], message["content"])))
    if images := message.get("images"):
        before["images"] = [*before.get("images", ()), *images]
