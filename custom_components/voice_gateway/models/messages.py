"""A conversation as messages of a role and a text, as Ollama's and OpenAI's protocols have them."""

from collections.abc import Callable, Iterable
from typing import Any

from homeassistant.components import conversation

from .attachments import paths

type Message = dict[str, Any]
type RequestBody = dict[str, Any]

_OF_TEXT = {"role", "content", "images"}


def to_messages(
    content: Iterable[conversation.Content],
    write: Callable[[conversation.Content], Iterable[Message]],
    *,
    has_system: bool,
    takes_turns: bool = True,
) -> list[Message]:
    """Return a conversation as messages, with the paths of files as `images`.

    `write` gives nothing for a mere text. Where roles have to take turns, neighbours are one message;
    without a system role, the prompt is the user's.
    """
    messages: list[Message] = []
    for item in content:
        text = getattr(item, "content", "") or ""
        written = list(write(item)) or [{"role": item.role, "content": text}]
        if images := paths(item):
            written[-1]["images"] = images
        for message in written:
            if message["role"] == "system" and not has_system:
                message["role"] = "user"
            before: Message = messages[-1] if messages else {}
            is_text = takes_turns and before.keys() | message.keys() <= _OF_TEXT
            if not (is_text and before.get("role") == message["role"]):
                messages.append(message)
                continue
            before["content"] = "\n\n".join(filter(None, (before["content"], message["content"])))
            if "images" in message:
                before["images"] = [*before.get("images", ()), *message["images"]]
    return messages
