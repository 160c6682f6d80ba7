"""Pictures of what a person sees, small enough for a README."""

import asyncio
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.async_api import FloatRect, Locator, Page, ViewportSize

_MARGIN = 16
"""Pixels around what is shown, for its shadow."""
_STYLE = "html {{ --mdc-dialog-scrim-color: {} !important }}"
"""Hides what is behind a dialog."""
_LIGHT, _DARK = _STYLE.format("#dfe2e6"), _STYLE.format("#202124")
_PHONE = ViewportSize(width=390, height=844)
_COLOURS = 192
_TIMEOUT = 30
"""Seconds for what is shown to come to rest."""


class Pictures:
    """Takes pictures into a folder."""

    def __init__(self, page: Page, folder: Path, looks: Path | None = None) -> None:
        """Take them of `page`; each one also in the dark, and on a phone, where `looks` is a folder."""
        self._page = page
        self._folder = folder
        self._looks = looks

    async def take(self, name: str, *shown: Locator, height: int | None = None) -> None:
        """Take a picture of what is `shown`, and some room around it.

        `height` is that of the window, in pixels, for what is longer than a window.
        """
        window = self._page.viewport_size
        assert window
        await self._page.set_viewport_size({**window, "height": height or window["height"]})
        # Nothing is lit up because the pointer happens to be there.
        await self._page.mouse.move(0, 0)
        _save_small(await self._at_rest(shown, _LIGHT), self._folder / f"{name}.png")
        if self._looks:
            await self._take_looks(name, shown, height)
        await self._page.set_viewport_size(window)

    async def _take_looks(self, name: str, shown: Sequence[Locator], height: int | None) -> None:
        assert self._looks
        await self._page.emulate_media(color_scheme="dark")
        _save_small(await self._at_rest(shown, _DARK), self._looks / f"{name}-dark.png")
        await self._page.emulate_media(color_scheme="light")
        await self._page.set_viewport_size({**_PHONE, "height": max(height or 0, _PHONE["height"])})
        # Of a phone all is shown: what is cut off is seen as well.
        await self._at_rest(shown, _LIGHT)
        _save_small(await self._shoot(None, _LIGHT), self._looks / f"{name}-phone.png")

    async def _at_rest(self, shown: Sequence[Locator], style: str) -> bytes:
        """Return a picture, taken again where something was still moving."""
        picture, taken = b"", None
        async with asyncio.timeout(_TIMEOUT):
            while taken != (where := _around([await _box(each) for each in shown])):
                picture, taken = await self._shoot(where, style), where
        return picture

    async def _shoot(self, where: FloatRect | None, style: str) -> bytes:
        return await self._page.screenshot(
            clip=where, animations="disabled", caret="hide", style=style
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
