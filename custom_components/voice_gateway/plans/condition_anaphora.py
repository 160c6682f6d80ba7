"""Anaphora from a command to the subject of its condition: "if the door is open, close it"."""

from dataclasses import replace
from typing import Final

from homeassistant.components.climate import DOMAIN as CLIMATE, INTENT_SET_TEMPERATURE
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_translations

from ..nlu.anaphora import Anaphora
from ..nlu.clause import Clause
from ..nlu.home_assistant import IntentMatch, async_recognize, async_recognize_command
from ..nlu.predicates import Predicate
from ..nlu.tokenizer import TokenSequence
from ..nlu.utterance import Utterance

_PLACED: Final = ("name", "area", "floor")
_TEMPERATURE: Final = "component.sensor.entity_component.temperature.name"


async def async_by_condition(
    hass: HomeAssistant,
    said: ConversationInput,
    utterance: Utterance,
    part: Utterance,
    clause: Clause,
) -> Utterance | None:
    """Return a command whose target is the subject of its condition; None if that is ambiguous.

    "It" is the condition's subject. A target temperature without a place applies to the area of
    the condition's subject. The conditions of the utterance are met; `part` is the clause's
    command, parsed as an utterance of its own.
    """
    if Anaphora.of(clause.command).refers_back:
        found = [each for each in utterance.condition_subjects if not each.is_read_only]
        if len(found) != 1:
            return None
        name, domain = found[0].names[0], found[0].domain
        texts = Anaphora.of(clause.command).with_name(name)
        reading = await async_recognize_command(hass, said, texts, name)
        # An entity of another domain may have the same name.
        is_of = reading and domain in reading.slots.get("domain", (domain,))
        return part.as_anaphor(reading, found) if reading and is_of else None
    areas = {each.area for each in utterance.condition_subjects}
    heaters = (each for each in utterance.home.entities if each.domain == CLIMATE and each.area)
    there = [each for each in heaters if areas == {each.area}]
    if len(there) != 1 or (reading := await _async_temperature(hass, said, clause)) is None:
        return None
    slots = {**reading.slots, "name": there[0].names[0]}
    return part.as_anaphor(replace(reading, slots=slots), there)


async def _async_temperature(
    hass: HomeAssistant, said: ConversationInput, clause: Clause
) -> IntentMatch | None:
    """Return the intent match of a command that sets a temperature without naming a place."""
    code, known = clause.command.code, clause.command.patterns
    line = TokenSequence.of(clause.command)
    there = line.covered(known.conditions.get("there", ()))
    said_of_it = line.covered(known.quantities.get("target", ()))
    # "Set" may be part of the quantity's name or the verb, which is kept.
    target = {
        each
        for each in said_of_it
        if not Predicate.of(clause.command.alike(line.tokens[each].text)).is_expressed
    }
    names = await async_get_translations(hass, code, "entity_component", ["sensor"])
    temperature = names.get(_TEMPERATURE, "")
    kept = (each for each in range(len(line.tokens)) if each not in there)
    words = [
        temperature if each in target else line.tokens[each].text
        for each in kept
        if each not in target or each - 1 not in target
    ]
    reading = await async_recognize(hass, replace(said, text=" ".join(words)))
    if reading is None or reading.intent_type != INTENT_SET_TEMPERATURE or reading.unknown:
        return None
    return None if any(reading.slots.get(each) for each in _PLACED) else reading
