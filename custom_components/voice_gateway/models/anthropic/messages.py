"""A conversation as Anthropic's messages.

Source of the format: `anthropic.types.MessageParam`, and what the API refuses of it:
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
# Stands before a conversation that the assistant has begun: the API wants the user's word first.
_OPENING = "Hello."


@dataclass(slots=True)
class NativeMessage:
    """A message as the model gave it, block by block, in the log as the message's `native`.

    Thinking is signed and search results are encrypted: the model gets them back unchanged, or the
    API refuses the request. Blocks come to it as they are complete.
    """

    model: str
    blocks: list[Block] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Return True if there is anything to keep."""
        return bool(self.blocks)


def sees(model: AnthropicModel, mime_type: str) -> bool:
    """Return True if a model can look at files of a type."""
    match _kind(mime_type):
        case "image":
            return model.sees_images
        case "document":
            return model.reads_pdfs
    return False


def _kind(mime_type: str) -> str | None:
    """Return the kind of block that a file of a type is."""
    if mime_type in _IMAGES:
        return "image"
    return "document" if mime_type == _PDF else None


def to_system(content: Iterable[conversation.Content]) -> str:
    """Return the system prompt."""
    return "\n".join(
        item.content for item in content if isinstance(item, conversation.SystemContent)
    ).strip()


def to_messages(
    content: Iterable[conversation.Content], model: AnthropicModel, files: Mapping[str, str]
) -> list[AnthropicMessage]:
    """Return a conversation as messages, user and assistant in turn, each call with its result.

    `files` are those that are attached, in base64; the model can look at all of them.
    """
    messages: list[AnthropicMessage] = []
    for item in with_all_results(content):
        match item:
            case conversation.UserContent():
                attached = [_file(file, files[str(file.path)]) for file in item.attachments or ()]
                _add(messages, "user", [*attached, *_text(item.content)])
            case conversation.ToolResultContent():
                _add(messages, "user", [_result(item)])
            case conversation.AssistantContent():
                _add(messages, "assistant", _said(item, model.id))
    if messages and messages[0]["role"] == "assistant":
        messages.insert(0, {"role": "user", "content": _text(_OPENING)})
    return messages


def _add(messages: list[AnthropicMessage], role: str, blocks: list[Block]) -> None:
    """Add blocks to the last message, or as one of their own when another one speaks."""
    if not blocks:
        return
    if role == "user" and messages and messages[-1]["role"] == "assistant":
        _end(messages)
    if messages and messages[-1]["role"] == role:
        messages[-1]["content"] += blocks
    else:
        messages.append({"role": role, "content": blocks})


def _end(messages: list[AnthropicMessage]) -> None:
    """Take away thinking that led to nothing: a message may not end with it."""
    blocks = messages[-1]["content"]
    while blocks and blocks[-1]["type"] in _THOUGHT:
        blocks.pop()
    if not blocks:
        messages.pop()


def _text(text: str | None) -> list[Block]:
    """Return a text as a block; none for nothing but space, which the API refuses."""
    return [{"type": "text", "text": text}] if text and text.strip() else []


def _result(item: conversation.ToolResultContent) -> Block:
    block: Block = {
        "type": "tool_result",
        "tool_use_id": safe_name(item.tool_call_id),
        "content": result_text(item.result),
    }
    return block | {"is_error": True} if item.result.error else block


def _said(item: conversation.AssistantContent, model: str) -> list[Block]:
    """Return what was said and called, in the model's own blocks where they are still true.

    They are not where its words were not spoken, or where its text turned out to be a call.
    """
    native = item.native
    blocks = (
        list(native.blocks) if isinstance(native, NativeMessage) and native.model == model else []
    )
    calls = {safe_name(call.id): call for call in item.tool_calls or ()}
    text = _text(item.content)
    made = {block["id"] for block in blocks if block["type"] == "tool_use"}
    if made == calls.keys() and bool(text) == any(block["type"] == "text" for block in blocks):
        return blocks
    return [
        *(block for block in blocks if block["type"] not in ("text", "tool_use")),
        *text,
        *(
            {
                "type": "tool_use",
                "id": call_id,
                "name": safe_name(call.tool_name),
                "input": call.tool_args,
            }
            for call_id, call in calls.items()
        ),
    ]


def _file(file: conversation.Attachment, data: str) -> Block:
    """Return an attached file as a block."""
    mime_type = "image/jpeg" if file.mime_type == "image/jpg" else file.mime_type
    return {
        "type": _kind(file.mime_type),
        "source": {"type": "base64", "media_type": mime_type, "data": data},
    }
