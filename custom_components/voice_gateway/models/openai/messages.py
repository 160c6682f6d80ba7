"""A conversation as messages of OpenAI's protocol.

Source of the format: `openai.types.chat.ChatCompletionMessageParam`.
"""

from collections.abc import Iterable, Mapping, Sequence
import hashlib
import json
from typing import Any

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..attachments import paths
from ..functions import safe_name
from ..history import current_turn, result_text, with_all_results
from ..text_calls import UnknownFields

type OpenAIMessage = dict[str, Any]

# Of a tool's name.
NAME_LENGTH = 64
# Mistral's templates take ids of exactly nine letters and digits; all others take any.
_ID_LENGTH = 9


def to_messages(
    content: Sequence[conversation.Content], *, has_system: bool, thought_in: str = ""
) -> list[OpenAIMessage]:
    """Return a conversation as messages; their `images` are the paths of files.

    Where there is no system role, the first message of the user begins with the prompt. What the
    model thought in this turn is given back in the field `thought_in`, if any.
    """
    now = current_turn(content)
    thinking = {id(item) for item in content[now:]} if thought_in else set()
    messages: list[OpenAIMessage] = []
    for item in with_all_results(content):
        message = _message(item)
        if message["role"] == "system" and not has_system:
            message["role"] = "user"
        if id(item) in thinking and (thought := getattr(item, "thinking_content", None)):
            message[thought_in] = thought
        if messages and message["role"] == messages[-1]["role"] == "user":
            # Templates want the user and the assistant to take turns.
            _join(messages[-1], message)
        else:
            messages.append(message)
    return messages


def _join(before: OpenAIMessage, message: OpenAIMessage) -> None:
    before["content"] = "\n\n".join(filter(None, (before["content"], message["content"])))
    if images := message.get("images"):
        before["images"] = [*before.get("images", ()), *images]


def _message(item: conversation.Content) -> OpenAIMessage:
    match item:
        case conversation.ToolResultContent():
            return {
                "role": "tool",
                "tool_call_id": _call_id(item.tool_call_id),
                "content": result_text(item.result),
            }
        case conversation.AssistantContent(tool_calls=[*calls]) if calls:
            made = [_call(call) for call in calls]
            said = {"role": "assistant", "content": item.content or "", "tool_calls": made}
            return UnknownFields.completed(item, said)
        case _:
            message: OpenAIMessage = {"role": item.role, "content": item.content or ""}
            return {**message, "images": images} if (images := paths(item)) else message


def _call(call: llm.ToolInput) -> OpenAIMessage:
    arguments = json.dumps(call.tool_args, ensure_ascii=False)
    function = {"name": safe_name(call.tool_name, NAME_LENGTH), "arguments": arguments}
    return {"id": _call_id(call.id), "type": "function", "function": function}


def _call_id(call_id: str) -> str:
    return hashlib.sha256(call_id.encode()).hexdigest()[:_ID_LENGTH]


def with_pictures(
    messages: Iterable[OpenAIMessage], files: Mapping[str, str], types: Mapping[str, str]
) -> list[OpenAIMessage]:
    """Return messages with the pictures whose paths they have; both by path: base64, and type."""

    def shown(message: OpenAIMessage) -> OpenAIMessage:
        if not (images := message.get("images")):
            return message
        parts: list[OpenAIMessage] = [{"type": "text", "text": message["content"]}]
        parts += (
            {"type": "image_url", "image_url": {"url": f"data:{types[path]};base64,{files[path]}"}}
            for path in images
        )
        return {"role": message["role"], "content": parts}

    return [shown(message) for message in messages]
