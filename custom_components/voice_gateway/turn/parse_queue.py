"""Reading a sentence, in time, and a few at once."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.singleton import singleton

from ..const import DOMAIN
from ..home.exposed import Home
from ..models.client import ModelError, Reason
from ..nlu.tokenizer import Text
from ..nlu.utterance import LONGEST, Utterance
from .streams import in_time

# Sentences that are read at the same time. Each takes some milliseconds of the event loop between two
# waits: of fifty, all would take them one behind the other, before anything else has its turn.
_AT_ONCE = 2
# Seconds to wait for that. Fifty plain commands take less in all: who takes longer is waiting for another
# thread, which reads a language for the first time, and leaves the event loop to others.
_QUEUE = 1.0


async def async_hear(
    hass: HomeAssistant,
    said: conversation.ConversationInput,
    earlier: Sequence[Text],
    home: Home,
    *,
    until: float,
) -> Utterance:
    """Return what was said, as it was heard; where many speak, they are heard a few at a time.

    Args:
        hass: Home Assistant.
        said: the sentence, with its language and where it was spoken.
        earlier: the sentences before it.
        home: what is exposed.
        until: the event loop's time at which it has to be read.

    Raises:
        ModelError: it is too long to be a sentence, or was not read in time.
    """
    if len(said.text) > LONGEST:
        raise ModelError(Reason.CONTEXT_EXCEEDED, f"{len(said.text)} characters")
    async with in_time(until, "The sentence was not read in time"), _place(_places(hass)):
        return await Utterance.async_parse(hass, said, earlier, home)


@asynccontextmanager
async def _place(places: asyncio.Semaphore) -> AsyncGenerator[None]:
    """Take a place where one gets free soon, else do without."""
    # Where a place is free, nobody waits, and nothing has to be timed.
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
