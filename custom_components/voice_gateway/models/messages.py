"""A conversation as messages with role and text, the form of Ollama's and OpenAI's protocols."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from homeassistant.components import conversation
from homeassistant.helpers.json import json_bytes

from ..const import LOGGER
from .client import ModelError, Reason
from .history import fitting, paths, with_recent
from .learned import TokenEstimate

type Message = dict[str, Any]
type RequestBody = dict[str, Any]

_OF_TEXT = {"role", "content", "images"}
# Tokens of an image: 256 with Gemma, 576 with Llava, about 1,300 if they grow with its size.
_IMAGE_AT_LEAST = 64
_IMAGE_AT_MOST = 1500


def to_messages(
    content: Iterable[conversation.Content],
    write: Callable[[conversation.Content], Iterable[Message]],
    *,
    has_system: bool,
    takes_turns: bool = True,
) -> list[Message]:
    """Return a conversation as messages, with the paths of files as `images`.

    `write` yields nothing for plain text. If roles must alternate, neighbours are merged; without a
    system role, the prompt gets the user's.
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


def as_fits(
    content: Sequence[conversation.Content],
    render: Callable[[Iterable[conversation.Content]], list[dict[str, Any]]],
    context: int,
    *,
    answer: int,
    fixed: int,
    tokens: TokenEstimate,
    model: str,
) -> list[conversation.Content]:
    """Return a conversation without the oldest attachments and turns, to fit into `context` tokens.

    `answer` tokens are kept free; `fixed` bytes are sent in addition. Raises ModelError if nothing
    more can be left out.
    """

    def size(*parts: conversation.Content) -> int:
        return len(json_bytes(render(parts)))

    def cost(part: conversation.Content) -> int:
        return tokens.at_most(size(part)) + _IMAGE_AT_MOST * len(paths(part))

    room = context - answer - tokens.at_most(fixed)
    kept = fitting(with_recent(content, room, cost), room, cost)
    needed = tokens.at_least(fixed + size(*kept))
    needed += _IMAGE_AT_LEAST * sum(len(paths(part)) for part in kept)
    if needed >= context:
        raise ModelError(
            Reason.CONTEXT_EXCEEDED,
            f"The prompt, the tools and this turn take at least {needed} of {context} tokens",
            model=model,
        )
    if len(kept) < len(content):
        LOGGER.debug("Left out the oldest %d of %d", len(content) - len(kept), len(content))
    return kept
