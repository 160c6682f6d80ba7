"""Pictures of what a person sees, small enough for a README."""

import asyncio
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.async_api import FloatRect, Locator, Page

_MARGIN = 16
"""Pixels around what is shown, for its shadow."""
_STYLE = "html { --mdc-dialog-scrim-color: #dfe2e6 !important }"
"""Hides what is behind a dialog."""
_COLOURS = 192
_TIMEOUT = 30
"""Seconds for what is shown to come to rest."""


class Pictures:
    """Takes pictures into a folder."""

    def __init__(self, page: Page, folder: Path) -> None:
        """Take them of `page`."""
        self._page = page
        self._folder = folder

    async def take(self, name: str, *shown: Locator, height: int | None = None) -> None:
        """Take a picture of what is `shown`, and some room around it.

        `height` is that of the window, in pixels, for what is longer than a window.
        """
        window = self._page.viewport_size
        assert window
        await self._page.set_viewport_size({**window, "height": height or window["height"]})
        # Nothing is lit up because the pointer happens to be there.
        await self._page.mouse.move(0, 0)
        picture, taken = b"", None
        # Again, where something was still moving: the picture shows where it ends.
        async with asyncio.timeout(_TIMEOUT):
            while taken != (where := _around([await _box(each) for each in shown])):
                picture, taken = await self._shoot(where), where
        await self._page.set_viewport_size(window)
        _save_small(picture, self._folder / f"{name}.png")

    async def _shoot(self, where: FloatRect) -> bytes:
        return await self._page.screenshot(
            clip=where, animations="disabled", caret="hide", style=_STYLE
        )


async def _box(shown: Locator) -> FloatRect:
    box = await shown.bounding_box()
    assert box
    return box


def _around(boxes: Sequence[FloatRect]) -> FloatRect:
    """Return what holds all boxes and a margin."""
    left = min(box["x"] for box in boxes) - _MARGIN
    top = min(box["y"] for box in boxes) - _MARGIN
    right = max(box["x"] + box["width"] for box in boxes) + _MARGIN
    bottom = max(box["y"] + box["height"] for box in boxes) + _MARGIN
    return {"x": left, "y": top, "width": right - left, "height": bottom - top}


def _save_small(picture: bytes, file: Path) -> None:
    """Save a picture with a palette: a third of the size, and the eye sees no difference."""
    with Image.open(BytesIO(picture)) as image:
        palette = image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
        palette.save(file, optimize=True)
