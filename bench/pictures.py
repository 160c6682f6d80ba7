"""Pictures that an AI task is sent along with."""

from collections.abc import Mapping, Sequence
from pathlib import Path
import struct
from typing import Any
import zlib

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component


async def async_pictures(
    hass: HomeAssistant, attachments: Sequence[Mapping[str, Any]]
) -> Sequence[Mapping[str, str]]:
    """Return what is sent along, all as pictures: nothing else is seen by Ollama's models."""
    folder = Path(hass.config.media_dirs["local"])
    if not await async_setup_component(hass, "media_source", {}):
        raise RuntimeError("media_source could not be set up")
    sent = []
    for number, attachment in enumerate(attachments):
        picture = _png(str(attachment.get("text", "")))
        name = f"{number}.png"

        def write(name: str = name, picture: bytes = picture) -> None:
            folder.mkdir(exist_ok=True)
            Path(folder, name).write_bytes(picture)

        await hass.async_add_executor_job(write)
        where = f"media-source://media_source/local/{name}"
        sent.append({"media_content_id": where, "media_content_type": "image/png"})
    return sent


def _png(text: str) -> bytes:
    """Return a picture of one point that says a text of itself (PNG, iTXt)."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    said = b"Description\0\0\0\0\0" + text.encode()
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            chunk(b"IHDR", header),
            chunk(b"iTXt", said),
            chunk(b"IDAT", zlib.compress(b"\0\0")),
            chunk(b"IEND", b""),
        )
    )
