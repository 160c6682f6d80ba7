"""What a command means by what its condition was about: "if the door is open, close it"."""

from collections.abc import Iterable
from dataclasses import replace
import re
from typing import Final

from homeassistant.components.climate import INTENT_SET_TEMPERATURE
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_translations

from ..heard.asked import spans
from ..heard.heard import Heard
from ..heard.home_words import ONLY_READ
from ..heard.line import Line
from ..heard.referring import named_again, refers_back, says_what_to_do
from ..heard.said import Clause
from ..heard.sentences import Reading, async_read, async_read_strictly
from ..heard.templates import templates
from ..home.exposed import Exposed
from ..languages import language_of

_PLACED: Final = ("name", "area", "floor")
_TEMPERATURE: Final = "component.sensor.entity_component.temperature.name"


async def async_by_condition(
    hass: HomeAssistant, said: ConversationInput, heard: Heard, part: Heard, clause: Clause
) -> Heard | None:
    """Return a command with the one device that it means by its condition; None where that is unsure.

    "It" is what was looked at. A temperature that is to be set, nobody says where, is that of the
    room whose temperature was looked at.

    Args:
        hass: Home Assistant.
        said: what the sentence was said with.
        heard: the sentence; its conditions are met.
        part: the command as if it had been said by itself.
        clause: the command.
    """
    code = language_of(said.language).code
    if refers_back(clause.command, code):
        if len(found := [each for each in heard.about if each.domain not in ONLY_READ]) != 1:
            return None
        for text in named_again(clause.command, "", found[0].names[0], code):
            reading = await async_read_strictly(hass, replace(said, text=text))
            if reading and not reading.is_question and _is_of(reading, found[0]):
                return part.referring(reading, found)
        return None
    there = [each for each in heard.mentioned.home.entities if _is_there(each, heard)]
    if len(there) != 1 or (reading := await _async_temperature(hass, said, clause)) is None:
        return None
    slots = {**reading.slots, "name": there[0].names[0]}
    return part.referring(replace(reading, slots=slots), there)


def _is_of(reading: Reading, entity: Exposed) -> bool:
    """Tell whether it is read of this device, and of none of another kind that is called the same."""
    is_named = reading.slots.get("name") in entity.names
    return is_named and entity.domain in reading.slots.get("domain", (entity.domain,))


def _is_there(entity: Exposed, heard: Heard) -> bool:
    """Tell whether it heats or cools the one room that the conditions were about."""
    areas = {each.area for each in heard.about}
    return entity.domain == "climate" and bool(entity.area) and areas == {entity.area}


async def _async_temperature(
    hass: HomeAssistant, said: ConversationInput, clause: Clause
) -> Reading | None:
    """Return how a command is read that sets a temperature, and does not say where."""
    code = language_of(said.language).code
    known = templates(code)
    line = Line.of(clause.command)
    there = _tokens(line, known.conditions.get("there", ()))
    said_of_it = _tokens(line, known.quantities.get("target", ()))
    # "Set" is said of what is set, and to set it.
    target = {each for each in said_of_it if not says_what_to_do(line.tokens[each].text, code)}
    names = await async_get_translations(hass, code, "entity_component", ["sensor"])
    temperature = names.get(_TEMPERATURE, "")
    kept = (each for each in range(len(line.tokens)) if each not in there)
    words = [
        temperature if each in target else line.tokens[each].text
        for each in kept
        if each not in target or each - 1 not in target
    ]
    reading = await async_read(hass, replace(said, text=" ".join(words)))
    if reading is None or reading.intent_type != INTENT_SET_TEMPERATURE or reading.unknown:
        return None
    return None if any(reading.slots.get(each) for each in _PLACED) else reading


def _tokens(line: Line, patterns: Iterable[re.Pattern[str]]) -> set[int]:
    found = spans(line, patterns)
    return {token for first, end in found.items() for token in range(first, end)}
