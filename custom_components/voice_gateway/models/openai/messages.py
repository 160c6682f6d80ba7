"""A conversation as messages of OpenAI's protocol.

Source of the format: `openai.types.chat.ChatCompletionMessageParam`.
"""

from collections.abc import Iterator, Mapping
import hashlib
import json

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..functions import safe_name
from ..history import result_text
from ..messages import Message
from ..text_calls import UnknownFields

# Of a tool's name.
NAME_LENGTH = 64
# Mistral's templates take ids of exactly nine letters and digits; all others take any.
_ID_LENGTH = 9


def write_message(item: conversation.Content, thought_in: str) -> Iterator[Message]:
    """Write a result, calls, and what the model thought, in a field that may be given back to it."""
    match item:
        case conversation.ToolResultContent():
            call_id = _call_id(item.tool_call_id)
            text = result_text(item.result)
            yield {"role": "tool", "tool_call_id": call_id, "content": text}
        case conversation.AssistantContent():
            message: Message = {"role": "assistant", "content": item.content or ""}
            if item.tool_calls:
                message["tool_calls"] = [_call(call) for call in item.tool_calls]
                message = UnknownFields.completed(item, message)
            if thought_in and item.thinking_content:
                message[thought_in] = item.thinking_content
            yield message


def _call(call: llm.ToolInput) -> Message:
    arguments = json.dumps(call.tool_args, ensure_ascii=False)
    function = {"name": safe_name(call.tool_name, NAME_LENGTH), "arguments": arguments}
    return {"id": _call_id(call.id), "type": "function", "function": function}


def _call_id(call_id: str) -> str:
    return hashlib.sha256(call_id.encode()).hexdigest()[:_ID_LENGTH]


def with_pictures(message: Message, files: Mapping[str, tuple[str, str]]) -> Message:
    """Return a message with the pictures whose paths it has, by path: base64, and type."""
    parts: list[Message] = [{"type": "text", "text": message["content"]}]
    for path in message["images"]:
        data, mime_type = files[path]
        url = f"data:{mime_type};base64,{data}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return {"role": message["role"], "content": parts}
