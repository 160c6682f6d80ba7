"""Whether the conditions of a sentence are so: "if the garage door is open, close it"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from homeassistant.components.sensor import DOMAIN as SENSOR
from homeassistant.const import ATTR_UNIT_OF_MEASUREMENT
from homeassistant.core import HomeAssistant

from ..home.exposed import Exposed, Home
from ..names.matching import words
from .answers import Conditions, Shown, async_conditions
from .said import Clause, Kind, Mood, Said, commands

_READ: Final = frozenset(("event", "image", "input_text", "text", "todo", "weather"))
"""Domains of what is read, whatever its state."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A sentence whose conditions have been looked at."""

    said: Said
    """Without the conditions that are met; those that are not are marked."""
    met: Sequence[str] = ()
    """The words of the conditions that are met."""
    unmet: Shown | None = None
    """What is so in the stead of one that is not met."""
    about: tuple[Exposed, ...] = ()
    """What the conditions of the only command are about, where they are met."""


async def async_decided(
    hass: HomeAssistant, said: Said, home: Home, code: str, speaker_area: str | None
) -> Decided:
    """Return a sentence with what is shown of its conditions, at this moment.

    Args:
        hass: where the states are.
        said: the sentence as it was read.
        home: what is exposed.
        code: the language's code as `languages` has it.
        speaker_area: the id of the area where the speaker is, if that is known.
    """
    if not any(map(_is_conditional, said.clauses)):
        return Decided(said)
    command = commands(said.clauses)
    conditions = await async_conditions(hass, home, code, speaker_area, command)
    said = replace(said, clauses=tuple(_by_states(hass, said.clauses, home)))
    decided = [_decided(clause, conditions) for clause in said.clauses]
    is_met = len(decided) == 1 and not decided[0][0].moments
    moments = said.clauses[0].moments if is_met else ()
    return Decided(
        replace(said, clauses=tuple(clause for clause, _ in decided)),
        met=[
            each.condition
            for before, (after, _) in zip(said.clauses, decided, strict=True)
            for each in before.moments
            if not after.moments
        ],
        unmet=next((shown for _, shown in decided if shown), None),
        about=tuple(dict.fromkeys(each for one in moments for each in conditions.about(one))),
    )


def _by_states(hass: HomeAssistant, clauses: Sequence[Clause], home: Home) -> Iterator[Clause]:
    """Yield the clauses, what a device's own state shows as nothing that has to be read: "the sensor says"."""
    looked: list[str] = []
    for clause in clauses:
        looked += [clause.text] if clause.mood is Mood.QUESTION else []
        asked = " ".join((*looked, *(each.condition for each in clause.moments)))
        reads = any(each.of_answer for each in clause.moments)
        if not (reads and any(map(partial(_shows, hass), _named(asked, home)))):
            yield clause
            continue
        moments = (replace(each, of_answer=False) for each in clause.moments)
        yield replace(clause, moments=tuple(moments))


def _named(text: str, home: Home) -> Iterator[Exposed]:
    """Yield the entities whose whole name is in a text."""
    said = f" {' '.join(words(text))} "
    for each in home.entities:
        if any(f" {' '.join(words(name))} " in said for name in each.names if words(name)):
            yield each


def _shows(hass: HomeAssistant, entity: Exposed) -> bool:
    """Tell whether an entity's state is one of a few, or a number, and no text that is to be read."""
    if entity.domain in _READ:
        return False
    state = hass.states.get(entity.entity_id)
    is_measured = state is None or ATTR_UNIT_OF_MEASUREMENT in state.attributes
    return entity.domain != SENSOR or entity.device_class is not None or is_measured


def _is_conditional(clause: Clause) -> bool:
    """Tell whether a clause is to be done now, if something is so."""
    return bool(clause.moments) and all(
        each.kind in (Kind.IF, Kind.UNLESS) for each in clause.moments
    )


def _decided(clause: Clause, conditions: Conditions) -> tuple[Clause, Shown | None]:
    """Return a clause without its conditions where all are met, and else what is shown of one."""
    if not _is_conditional(clause):
        return clause, None
    shown = [conditions.shown(each) for each in clause.moments]
    met = [
        each.is_so is (moment.kind is Kind.IF) if each else None
        for each, moment in zip(shown, clause.moments, strict=True)
    ]
    if all(met):
        return replace(clause, text=clause.command, moments=()), None
    moments = zip(clause.moments, met, strict=True)
    clause = replace(
        clause,
        moments=tuple(
            replace(each, is_met=is_met, of_answer=each.of_answer and is_met is None)
            for each, is_met in moments
        ),
    )
    return clause, next(
        (each for each, is_met in zip(shown, met, strict=True) if is_met is False), None
    )
