"""How a command is read where words of it are misheard, or stand in no sentence that is known.

Home Assistant's own agent reads English so where it answers alone: by the names of the home, wherever
they stand, and however they sound (`gazetteer-matcher`). It understands several commands at once. It
knows nothing of when, whether and except what: it is given what is left without these.
"""

from collections.abc import Collection, Sequence
from typing import Any

from gazetteer_matcher import FrameCandidate
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar

from ..home.exposed import Home
from ..names.matching import matcher
from .home_assistant import IntentMatch, default_agent

# What is read without the home's sentences belongs to no conversation.
_NO_CONVERSATION = ""


async def async_recognize_fuzzy(
    hass: HomeAssistant, text: str, language: str, home: Home, area_id: str | None
) -> Sequence[IntentMatch]:
    """Return what a command says to do, one thing after the other; nothing where it is not certain."""
    agent = default_agent(hass)
    gazetteer = agent._gazetteer if agent else None  # noqa: SLF001 - see docs/contributing.md
    if gazetteer is None or not gazetteer.supports(language):
        return ()
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    fillers = matcher(language).function_words
    _, read = await gazetteer.async_interpret(text, _NO_CONVERSATION, area)
    if not read.accepted or read.ambiguous:
        return ()
    words = [token.text for token in read.tokens]
    if not all(_is_explained(each, words, fillers) for each in read.frames):
        return ()
    readings = [_reading(frame, home) for frame in read.frames]
    return [each for each in readings if each] if all(readings) else ()


def _is_explained(frame: FrameCandidate, words: Sequence[str], fillers: Collection[str]) -> bool:
    """Return True if each word has its part in what is to be done: "upstairs" is passed over, as "the" is."""
    left = (words[index].casefold() for index in frame.unexplained_tokens)
    return bool(frame.slots) and not frame.violations and all(word in fillers for word in left)


def _reading(frame: FrameCandidate, home: Home) -> IntentMatch | None:
    """Return a frame with names in the place of ids; None where it is about something not exposed."""
    slots: dict[str, Any] = dict(frame.slots)
    entities = {each.entity_id: each.names[0] for each in home.entities}
    names = {
        "name": entities,
        "area": {area.id: area.name for area in home.areas.values()},
        "floor": {floor.floor_id: floor.name for floor in home.floors.values()},
    }
    for slot in names.keys() & slots:
        if not (name := names[slot].get(str(slots[slot]))):
            return None
        slots[slot] = name
    for slot in ("domain", "device_class"):
        if isinstance(slots.get(slot), str):
            slots[slot] = [slots[slot]]
    return IntentMatch(
        frame.intent, slots, frame.response_key, is_exact=False, begins_unknown=False
    )
