"""Prepare a conversation for a model: complete, shorten, trim and write it.

Its messages have role and text, the form of Ollama's and OpenAI's protocols.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeGuard

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.json import json_bytes, json_dumps

from ..const import LOGGER
from .client import ModelError, Reason
from .learned import TokenEstimate

type Message = dict[str, Any]
type RequestBody = dict[str, Any]

_OF_TEXT = {"role", "content", "images"}
# Tokens of an image: 256 with Gemma, 576 with Llava, about 1,300 if they grow with its size.
_IMAGE_AT_LEAST = 64
_IMAGE_AT_MOST = 1500
# Characters kept of a result that the model has answered already: its answer remains.
_ANSWERED = 300
_SHORTENED = "… (shortened)"
_INTERRUPTED = llm.ToolResult(data={"error": "The call was interrupted; no result"}, error=True)
_NO_LONGER_SHOWN = "(The file that came with this is no longer shown.)"
# For a model that sees tools but may not call them now, if its server has no option for that.
HAS_TO_ANSWER = "Answer now. Do not call a tool."


@dataclass(frozen=True)
class Note(conversation.UserContent):
    """A message to the model within a turn, in the user's role, which begins no new turn."""


def with_all_results(content: Iterable[conversation.Content]) -> Iterator[conversation.Content]:
    """Yield the conversation with one result per call; calls of an interrupted turn get an error."""
    parts = [*content]
    for index, item in enumerate(parts, 1):
        if not isinstance(item, conversation.ToolResultContent):
            yield item
        if not isinstance(item, conversation.AssistantContent):
            continue
        results: dict[str, conversation.ToolResultContent] = {}
        for result in parts[index:]:
            if not isinstance(result, conversation.ToolResultContent):
                break
            results[result.tool_call_id] = result
        for call in item.tool_calls or ():
            yield results.get(call.id) or conversation.ToolResultContent(
                agent_id=item.agent_id,
                tool_call_id=call.id,
                tool_name=call.tool_name,
                result=_INTERRUPTED,
            )


def with_short_results(content: Sequence[conversation.Content]) -> list[conversation.Content]:
    """Return the conversation with the long results of earlier turns cut to their beginning."""
    parts = list(content)
    for index, item in enumerate(parts[: current_turn(content)]):
        if isinstance(item, conversation.ToolResultContent):
            text = result_text(item.result)
            if len(text) > _ANSWERED + len(_SHORTENED):
                short = llm.ToolResult(data={"result": text[:_ANSWERED] + _SHORTENED})
                parts[index] = replace(item, result=short)
    return parts


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
    render: Callable[[Iterable[conversation.Content]], list[Message]],
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
    kept = fitting(content, room, cost)
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


def fitting(
    content: Sequence[conversation.Content],
    room: int,
    cost: Callable[[conversation.Content], int],
) -> list[conversation.Content]:
    """Return the conversation without what is oldest, until its `cost` fits into `room`.

    Attachments of earlier turns are removed first, then whole turns; the system prompt and the
    current turn always stay.
    """
    parts = list(content)
    for index, item in enumerate(parts[: current_turn(content)]):
        if paths(item) and sum(map(cost, parts)) > room:
            parts[index] = _without_files(item)
    turns = [index for index, item in enumerate(parts) if is_said_by_user(item)]
    costs = [*map(cost, parts)]
    kept: list[int] = []
    for begin in (0, *turns[1:]):
        kept = [
            index
            for index, item in enumerate(parts)
            if index >= begin or isinstance(item, conversation.SystemContent)
        ]
        if sum(costs[index] for index in kept) <= room:
            break
    return [parts[index] for index in kept]


def current_turn(content: Sequence[conversation.Content]) -> int:
    """Return the index at which the current turn begins: the user's last message."""
    return max((index for index, item in enumerate(content) if is_said_by_user(item)), default=0)


def attachments(content: conversation.Content) -> Sequence[conversation.Attachment]:
    """Return a message's attachments."""
    return (isinstance(content, conversation.UserContent) and content.attachments) or ()


def paths(content: conversation.Content) -> list[str]:
    """Return the paths of a message's attachments."""
    return [str(attachment.path) for attachment in attachments(content)]


def is_picture(mime_type: str) -> bool:
    """Return True if a MIME type is a raster image, the only kind that model servers can open."""
    return mime_type.startswith("image/") and mime_type != "image/svg+xml"


def with_seen(
    content: Sequence[conversation.Content], sees: Callable[[str], bool], model: str
) -> list[conversation.Content]:
    """Return the conversation without earlier attachments of types that a model can't process.

    Raises ModelError for such an attachment in the current turn.
    """
    parts = list(content)
    for index, item in enumerate(content):
        for mime_type in (attachment.mime_type for attachment in attachments(item)):
            if not sees(mime_type):
                if index >= current_turn(content):
                    raise ModelError(Reason.ATTACHMENT, model=model, mime_type=mime_type)
                parts[index] = _without_files(item)
    return parts


def _without_files(item: conversation.Content) -> conversation.Content:
    assert isinstance(item, conversation.UserContent)
    words = "\n".join(filter(None, (item.content, _NO_LONGER_SHOWN)))
    return replace(item, content=words, attachments=None)


async def async_read(hass: HomeAssistant, files: Iterable[str]) -> Mapping[str, str]:
    """Return the contents of files in base64, by path. Raises ModelError."""
    wanted = set(files)

    def read() -> dict[str, str]:
        return {file: b64encode(Path(file).read_bytes()).decode() for file in wanted}

    try:
        return await hass.async_add_executor_job(read) if wanted else {}
    except OSError as err:
        name = Path(err.filename or "").name
        raise ModelError(Reason.UNREADABLE, repr(err), file=name) from err


def has_calls(content: Iterable[conversation.Content]) -> bool:
    """Return True if tools were called in a conversation."""
    return any(isinstance(item, conversation.ToolResultContent) for item in content)


def is_said_by_user(item: conversation.Content) -> TypeGuard[conversation.UserContent]:
    """Return True if a part is a message of the user, which begins a turn."""
    return isinstance(item, conversation.UserContent) and not isinstance(item, Note)


def result_text(result: llm.ToolResult) -> str:
    """Return a tool's result as text: text unchanged, errors as `Error: …`, else JSON."""
    data: Any = result.data
    if result.error:
        said = (data.get("error_text") or data.get("error")) if isinstance(data, dict) else None
        return f"Error: {_text(said or data)}"
    match data:
        case {"result": str(text)} if len(data) == 1:
            return text
        case {"result": str(text), **others} if all(isinstance(x, dict) for x in others.values()):
            return "\n".join((text, *(f"{key}: {_text(part)}" for key, part in others.items())))
        case llm.IntentResponseDict():
            return _intent_text(data)
    return _text(data)


def _text(data: Any) -> str:
    """Return text unchanged, and any other value as JSON, or as `str` if JSON can't express it."""
    if isinstance(data, str):
        return data
    try:
        return json_dumps(data)
    except TypeError, ValueError:
        return str(data)


def _intent_text(response: llm.IntentResponseDict) -> str:
    """Return an intent's response without parts that a model does not need: ids, types."""
    speech = response.get("speech", {}).get("plain", {}).get("speech")
    told: dict[str, Any] = {"speech": speech} if speech else {}
    for outcome in ("success", "failed"):
        if targets := response.get("data", {}).get(outcome):
            told[outcome] = [target["name"] for target in targets]
    if slots := response.get("speech_slots"):
        told["details"] = slots
    if not told:
        return "Done"
    return speech if told.keys() == {"speech"} else json_dumps(told)
