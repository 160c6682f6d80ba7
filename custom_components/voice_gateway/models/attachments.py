"""Attachments of the user's messages, such as a camera's picture."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant

from .client import ModelError, Reason
from .history import current_turn

_NO_LONGER_SHOWN = "(The file that came with this is no longer shown.)"


def paths(content: conversation.Content) -> list[str]:
    """Return the paths of a message's attachments."""
    attached = content.attachments if isinstance(content, conversation.UserContent) else ()
    return [str(attachment.path) for attachment in attached or ()]


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
        attached = item.attachments if isinstance(item, conversation.UserContent) else ()
        for mime_type in (attachment.mime_type for attachment in attached or ()):
            if not sees(mime_type):
                if index >= current_turn(content):
                    raise ModelError(Reason.ATTACHMENT, model=model, mime_type=mime_type)
                parts[index] = _without_files(item)
    return parts


def with_recent(
    content: Sequence[conversation.Content],
    room: int,
    cost: Callable[[conversation.Content], int],
) -> list[conversation.Content]:
    """Return the conversation without the oldest earlier attachments, until it fits into `room`."""
    parts = list(content)
    for index, item in enumerate(parts[: current_turn(parts)]):
        if sum(map(cost, parts)) <= room:
            break
        if paths(item):
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
