"""Questions about a camera's picture, for which the model receives one."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
import mimetypes
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from homeassistant.components import conversation
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from ..const import LOGGER
from ..home.exposed import Exposed
from ..models.client import ModelClient
from ..models.history import is_picture
from ..nlu.clause import DialogueAct
from ..nlu.tokenizer import Text
from ..nlu.utterance import Utterance
from .chat import Chat

_SIZE: Final = (1280, 960)
"""Pixels of the scaled picture: models scale larger ones down themselves."""
_MOST: Final = 3_500_000
"""Bytes; in base64 less than the 5 MB that Anthropic takes (Messages API, Vision)."""
_SECONDS: Final = 10
_NAMED: Final = 3
"""The relevance of a sentence with one word of a camera's name."""
_TOLD: Final = (
    "The picture is what the camera {name} sees now. Say what is in it that answers this."
)


@dataclass(frozen=True)
class CameraLookup:
    """Shows the model the current picture of a camera, if the question needs one.

    - Only exposed cameras are used, and only those of the place in the question.
    - There is one picture, which is deleted when the turn ends.
    - If no picture is possible, the answer says so; unless a server's tools may help.
    """

    chat: Chat
    heard: Utterance
    model: ModelClient
    apis: Collection[str]
    """The ids of the agent's APIs."""

    @cached_property
    def _cameras(self) -> Sequence[Exposed]:
        entities = self.heard.home.entities
        return [each for each in entities if each.domain == Platform.CAMERA]

    @asynccontextmanager
    async def shown(self, until: float) -> AsyncGenerator[bool]:
        """Yield whether to ask the model; meanwhile it sees the picture, if there is one.

        `until`: the deadline for taking it, by the event loop's clock. Raises ModelError.
        """
        if not (llm.LLM_API_ASSIST in self.apis and self._is_asked):
            yield True
            return
        if (why := await self._why_not()) is not None:
            if not (others_may := len(self.apis) > 1):
                await self.chat.say_text(why)
            yield others_may
            return
        match self._meant():
            case [camera]:
                async with self._picture_of(camera, until) as is_there:
                    yield is_there
            case several:
                if not await self.chat.ask_which(several, self.heard.home):
                    await self.chat.say_text("no_camera_there")
                yield False

    async def _why_not(self) -> str | None:
        """Return the key of the reason why no picture is possible; None if one is."""
        if not self._cameras:
            return "no_camera"
        if not await self.model.sees():
            return "model_is_blind"
        return None if self._meant() else "no_camera_there"

    @property
    def _is_asked(self) -> bool:
        """Whether it is a question about a picture, or the answer to which camera to use."""
        utterance = self.heard
        if utterance.asks and utterance.parsed.act is DialogueAct.QUESTION:
            return self._wants_look(utterance.text)
        if not (self._cameras and utterance.context.earlier):
            return False
        said = utterance.link(utterance.text)
        is_which = bool(said.named) and said.named <= {*self._cameras} and said.only_mentions
        return is_which and self._wants_look(utterance.context.before)

    def _wants_look(self, text: Text) -> bool:
        """Return True if a question needs a picture.

        No camera shows the world's events: a general question needs a camera's place or name.
        """
        return (
            self._says("looks", text)
            or (bool(self._cameras) and self._says("cameras", text))
            or (self._says("looks_there", text) and any(self._about(text).values()))
        )

    def _about(self, text: Text) -> Mapping[Exposed, int]:
        """Return the relevance of a sentence to each camera."""
        said = self.heard.link(text)
        return {each: said.relevance(each) for each in self._cameras}

    def _says(self, form: str, text: Text) -> bool:
        return text.patterns.contains_form(form, [token.text for token in text.tokens])

    def _meant(self) -> Sequence[Exposed]:
        """Return the cameras that the question refers to: by name, area, or the user's area."""
        text = self.heard.text
        if not self._wants_look(text):
            text = text.alike("\n".join((*self.heard.context.earlier[-1:], text)))
        areas = self.heard.link(text).areas
        about = self._about(text)
        most = max(about.values(), default=0)
        called = [each for each in self._cameras if about[each] == most]
        there = [
            each
            for each in called
            if not areas or not each.area or each.area in areas or most >= _NAMED
        ]
        here = [each for each in there if each.area and each.area == self.heard.area_id]
        return here if len(there) > 1 and len(here) == 1 else there

    @asynccontextmanager
    async def _picture_of(self, camera: Exposed, until: float) -> AsyncGenerator[bool]:
        file: Path | None = None
        name = camera.names[0]
        try:
            async with asyncio.timeout_at(until):
                file, mime_type = await _async_take(self.chat.hass, camera.entity_id)
        except (HomeAssistantError, TimeoutError, OSError, ValueError) as err:
            LOGGER.warning("%s gave no picture: %s", camera.entity_id, err)
            await self.chat.say_text("camera_failed", {"name": name})
            yield False
            return
        source = f"media-source://camera/{camera.entity_id}"
        attachment = conversation.Attachment(source, mime_type, file)
        try:
            with self.chat.showing(attachment, _TOLD.format(name=name)):
                yield True
        finally:
            await self.chat.hass.async_add_executor_job(_remove, file)


async def _async_take(hass: HomeAssistant, entity_id: str) -> tuple[Path, str]:
    """Take a picture; return its file and its MIME type.

    Raises HomeAssistantError, OSError; ValueError if models do not take its format.
    """
    # Its requirements are installed only if there is a camera.
    from homeassistant.components.camera import Image, async_get_image  # noqa: PLC0415
    from homeassistant.components.camera.img_util import scale_jpeg_camera_image  # noqa: PLC0415

    image = await async_get_image(hass, entity_id, _SECONDS)
    if not is_picture(image.content_type):
        raise ValueError(f"{image.content_type} is no picture")

    def save() -> Path:
        content = image.content
        if image.content_type == "image/jpeg":
            content = scale_jpeg_camera_image(Image(image.content_type, content), *_SIZE)
        if len(content) > _MOST:
            raise ValueError(f"{len(content)} bytes are too many")
        suffix = mimetypes.guess_extension(image.content_type)
        with NamedTemporaryFile("wb", suffix=suffix, delete=False) as file:
            file.write(content)
        return Path(file.name)

    saving = hass.async_add_executor_job(save)
    try:
        return await asyncio.shield(saving), image.content_type
    except asyncio.CancelledError:
        # The file is still being written, and no longer needed.
        saving.add_done_callback(_remove_saved)
        raise


def _remove_saved(saving: asyncio.Future[Path]) -> None:
    if not saving.cancelled() and saving.exception() is None:
        asyncio.get_running_loop().run_in_executor(None, _remove, saving.result())


def _remove(file: Path) -> None:
    file.unlink(missing_ok=True)
