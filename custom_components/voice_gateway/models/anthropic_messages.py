"""A conversation as Anthropic's messages.

Source of the format: `anthropic.types.MessageParam`, and what the API refuses of it:
https://platform.claude.com/docs/en/api/messages.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
import hashlib
from pathlib import Path
import re
from typing import Any

from homeassistant.components import conversation

from .anthropic import Model
from .client import ModelError, Reason
from .history import result_text, with_all_results

type Block = dict[str, Any]
type Message = dict[str, Any]

_FORBIDDEN = re.compile(r"[^a-zA-Z0-9_-]")
_NAME_LENGTH = 128
_DIGEST_LENGTH = 6
_IMAGES = ("image/jpeg", "image/png", "image/gif", "image/webp")
_PDF = "application/pdf"
_THOUGHT = ("thinking", "redacted_thinking")
# Stands before a conversation that the assistant has begun: the API wants the user's word first.
_OPENING = "Hello."


@dataclass(slots=True)
class Original:
    """A message as the model gave it, block by block, in the log as the message's `native`.

    Thinking is signed and search results are encrypted: the model gets them back unchanged, or the
    API refuses the request. Blocks come to it as they are complete.
    """

    model: str
    blocks: list[Block] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Tell whether there is anything to keep."""
        return bool(self.blocks)


def safe_name(name: str) -> str:
    """Return a tool's name, or a call's id, as the API takes it; always the same for the same one."""
    safe = _FORBIDDEN.sub("_", name)[:_NAME_LENGTH]
    if safe == name and safe:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST_LENGTH]
    return f"{safe[: _NAME_LENGTH - _DIGEST_LENGTH - 1]}_{digest}"


def read_files(content: Iterable[conversation.Content]) -> dict[Path, str]:
    """Return the files that a conversation has attached, in base64; to be run in the executor.

    Raises ModelError where one cannot be read.
    """
    files: dict[Path, str] = {}
    for file in _attached(content):
        try:
            files[file.path] = base64.b64encode(file.path.read_bytes()).decode()
        except OSError as err:
            raise ModelError(Reason.ATTACHMENT, repr(err), mime_type=file.mime_type) from err
    return files


def has_files(content: Iterable[conversation.Content]) -> bool:
    """Tell whether anything is attached to a conversation."""
    return any(True for _ in _attached(content))


def _attached(content: Iterable[conversation.Content]) -> Iterator[conversation.Attachment]:
    for item in content:
        if isinstance(item, conversation.UserContent):
            yield from item.attachments or ()


def to_system(content: Iterable[conversation.Content]) -> str:
    """Return the system prompt."""
    return "\n".join(
        item.content for item in content if isinstance(item, conversation.SystemContent)
    ).strip()


def to_messages(
    content: Iterable[conversation.Content], model: Model, files: Mapping[Path, str]
) -> list[Message]:
    """Return a conversation as messages, user and assistant in turn, each call with its result.

    `files` are those that are attached, in base64. Raises ModelError where the model cannot look at
    one of them.
    """
    messages: list[Message] = []
    for item in with_all_results(content):
        match item:
            case conversation.UserContent():
                attached = [_file(file, model, files[file.path]) for file in item.attachments or ()]
                _add(messages, "user", [*attached, *_text(item.content)])
            case conversation.ToolResultContent():
                _add(messages, "user", [_result(item)])
            case conversation.AssistantContent():
                _add(messages, "assistant", _said(item, model.id))
    if messages and messages[0]["role"] == "assistant":
        messages.insert(0, {"role": "user", "content": _text(_OPENING)})
    return messages


def _add(messages: list[Message], role: str, blocks: list[Block]) -> None:
    """Add blocks to the last message, or as one of their own when another one speaks."""
    if not blocks:
        return
    if role == "user" and messages and messages[-1]["role"] == "assistant":
        _end(messages)
    if messages and messages[-1]["role"] == role:
        messages[-1]["content"] += blocks
    else:
        messages.append({"role": role, "content": blocks})


def _end(messages: list[Message]) -> None:
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
    blocks = list(native.blocks) if isinstance(native, Original) and native.model == model else []
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


def _file(file: conversation.Attachment, model: Model, data: str) -> Block:
    """Return an attached file as a block."""
    kind = "image/jpeg" if file.mime_type == "image/jpg" else file.mime_type
    if kind in _IMAGES and model.sees_images:
        block = "image"
    elif kind == _PDF and model.reads_pdfs:
        block = "document"
    else:
        raise ModelError(
            Reason.ATTACHMENT, str(file.path.name), model=model.name, mime_type=file.mime_type
        )
    return {"type": block, "source": {"type": "base64", "media_type": kind, "data": data}}
