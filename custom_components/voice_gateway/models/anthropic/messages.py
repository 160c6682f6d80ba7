"""A conversation as Anthropic's messages.

Source of the format: `anthropic.types.MessageParam`, and the API's restrictions:
https://platform.claude.com/docs/en/api/messages.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from homeassistant.components import conversation

from ..functions import safe_name
from ..history import result_text, with_all_results
from .server import AnthropicModel

type Block = dict[str, Any]
type AnthropicMessage = dict[str, Any]

_IMAGES = ("image/jpeg", "image/jpg", "image/png", "image/gif", "image/webp")
_PDF = "application/pdf"
_THOUGHT = ("thinking", "redacted_thinking")
# Precedes a conversation that the assistant began: the API requires the user's message first.
_OPENING = "Hello."


@dataclass(slots=True)
class NativeMessage:
    """A message's `native` in the log: its blocks, which the API refuses if they were changed."""

    model: str
    blocks: list[Block] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Return True if there are any blocks."""
        return bool(self.blocks)


def sees(model: AnthropicModel, mime_type: str) -> bool:
    """Return True if a model accepts files of a MIME type."""
    return model.sees_images if mime_type in _IMAGES else mime_type == _PDF and model.reads_pdfs


def to_system(content: Iterable[conversation.Content]) -> str:
    """Return the system prompt."""
    return "\n".join(
        item.content for item in content if isinstance(item, conversation.SystemContent)
    ).strip()


def to_messages(
    content: Iterable[conversation.Content], model: AnthropicModel, files: Mapping[str, str]
) -> list[AnthropicMessage]:
    """Return a conversation as alternating messages; `files` maps paths to data in base64."""
    messages: list[AnthropicMessage] = []
    for item in with_all_results(content):
        match item:
            case conversation.UserContent():
                attached = [_file(file, files[str(file.path)]) for file in item.attachments or ()]
                _add(messages, "user", [*attached, *_text(item.content)])
            case conversation.ToolResultContent():
                result: Block = {
                    "type": "tool_result",
                    "tool_use_id": safe_name(item.tool_call_id),
                    "content": result_text(item.result),
                }
                error = {"is_error": True} if item.result.error else {}
                _add(messages, "user", [result | error])
            case conversation.AssistantContent():
                _add(messages, "assistant", _said(item, model.id))
    if messages and messages[0]["role"] == "assistant":
        messages.insert(0, {"role": "user", "content": _text(_OPENING)})
    return messages


def _add(messages: list[AnthropicMessage], role: str, blocks: list[Block]) -> None:
    """Add blocks to the last message, or as a new message if the role changes."""
    if not blocks:
        return
    if role == "user" and messages and messages[-1]["role"] == "assistant":
        # The API refuses a message that ends with thinking.
        before = messages[-1]["content"]
        while before and before[-1]["type"] in _THOUGHT:
            before.pop()
        if not before:
            messages.pop()
    if messages and messages[-1]["role"] == role:
        messages[-1]["content"] += blocks
    else:
        messages.append({"role": role, "content": blocks})


def _text(text: str | None) -> list[Block]:
    """Return a text as a block; none for white space only, which the API refuses."""
    return [{"type": "text", "text": text}] if text and text.strip() else []


def _said(item: conversation.AssistantContent, model: str) -> list[Block]:
    """Return text and calls, as the model's original blocks if these are all."""
    native = item.native
    is_ours = isinstance(native, NativeMessage) and native.model == model
    blocks: list[Block] = list(native.blocks) if is_ours else []
    calls = {safe_name(call.id): call for call in item.tool_calls or ()}
    text = _text(item.content)
    made = {block["id"] for block in blocks if block["type"] == "tool_use"}
    if made == calls.keys() and bool(text) == any(block["type"] == "text" for block in blocks):
        return blocks
    uses = [
        {"type": "tool_use", "id": key, "name": safe_name(call.tool_name), "input": call.tool_args}
        for key, call in calls.items()
    ]
    return [*(block for block in blocks if block["type"] not in ("text", "tool_use")), *text, *uses]


def _file(file: conversation.Attachment, data: str) -> Block:
    mime_type = "image/jpeg" if file.mime_type == "image/jpg" else file.mime_type
    source = {"type": "base64", "media_type": mime_type, "data": data}
    return {"type": "document" if mime_type == _PDF else "image", "source": source}
