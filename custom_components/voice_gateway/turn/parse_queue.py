"""Parsing of utterances with a time limit, a few at once."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
import unicodedata

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.singleton import singleton

from ..const import DOMAIN
from ..home.exposed import Home
from ..models.client import ModelError, Reason
from ..nlu.tokenizer import Text
from ..nlu.utterance import Utterance
from .streams import in_time

# Utterances that are parsed at once. Each takes some milliseconds of the event loop between two
# waits: fifty at once would block everything else until all are parsed.
_AT_ONCE = 2
# Seconds to wait for a place. Fifty plain commands take less in all: one that takes longer waits
# for a thread that loads a language for the first time, and does not block the event loop.
_QUEUE = 1.0
_DECOMPOSED = 3
"""The most letters of a sign in a script of today: Korean syllables."""


async def async_hear(
    hass: HomeAssistant,
    said: conversation.ConversationInput,
    earlier: Sequence[Text],
    home: Home,
    *,
    until: float,
) -> Utterance:
    """Return the parsed utterance; of many at once, a few are parsed at a time.

    Args:
        hass: Home Assistant.
        said: the sentence, with its language and place.
        earlier: the previous sentences.
        home: the exposed entities.
        until: the deadline by the event loop's clock.

    Raises:
        ModelError: the text is too long for a sentence, or was not parsed in time.
    """
    # Some signs decompose into many letters: "\ufdfa" has 18.
    letters = len(unicodedata.normalize("NFKD", said.text[: Utterance.LONGEST + 1]))
    if len(said.text) > Utterance.LONGEST or letters > _DECOMPOSED * Utterance.LONGEST:
        raise ModelError(Reason.CONTEXT_EXCEEDED, f"{len(said.text)} characters")
    async with in_time(until, "The sentence was not read in time"), _place(_places(hass)):
        return await Utterance.async_parse(hass, said, earlier, home)


@asynccontextmanager
async def _place(places: asyncio.Semaphore) -> AsyncGenerator[None]:
    """Take a place if one becomes free soon; else go on without."""
    # A free place needs neither a wait nor a timer.
    has_place = not places.locked() and await places.acquire()
    if not has_place:
        with suppress(TimeoutError):
            async with asyncio.timeout(_QUEUE):
                has_place = await places.acquire()
    try:
        yield
    finally:
        if has_place:
            places.release()


@singleton(f"{DOMAIN}_hearing")
@callback
def _places(_: HomeAssistant) -> asyncio.Semaphore:
    return asyncio.Semaphore(_AT_ONCE)
