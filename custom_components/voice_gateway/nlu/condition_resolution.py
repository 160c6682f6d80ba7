"""Condition resolution: whether the conditions of an utterance hold now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from homeassistant.components.sensor import DOMAIN as SENSOR
from homeassistant.const import ATTR_UNIT_OF_MEASUREMENT
from homeassistant.core import HomeAssistant

from ..home.exposed import Exposed, Home
from ..names.matching import words
from .clause import Clause, DialogueAct, ParsedText, TimeType, join_commands
from .state_evaluation import ConditionEvaluator, Evidence, async_condition_evaluator
from .tokenizer import Text

_READ: Final = frozenset(("event", "image", "input_text", "text", "todo", "weather"))
"""Domains of what is read, whatever its state."""


@dataclass(frozen=True, slots=True)
class ResolvedConditions:
    """A sentence whose conditions have been looked at."""

    said: ParsedText
    """Without the conditions that are met; those that are not are marked."""
    met: Sequence[Text] = ()
    """The words of the conditions that are met."""
    unmet: Evidence | None = None
    """What is so in the stead of one that is not met."""
    about: tuple[Exposed, ...] = ()
    """What the conditions of the only command are about, where they are met."""


async def async_resolve_conditions(
    hass: HomeAssistant, said: ParsedText, home: Home, code: str, speaker_area: str | None
) -> ResolvedConditions:
    """Return a sentence with what is shown of its conditions, at this moment.

    Args:
        hass: where the states are.
        said: the sentence as it was read.
        home: what is exposed.
        code: the language's code as `languages` has it.
        speaker_area: the id of the area where the speaker is, if that is known.
    """
    if not any(map(_is_conditional, said.clauses)):
        return ResolvedConditions(said)
    command = join_commands(said.clauses)
    conditions = await async_condition_evaluator(hass, home, code, speaker_area, command)
    said = replace(said, clauses=tuple(_by_states(hass, said.clauses, home)))
    decided = [_decided(clause, conditions) for clause in said.clauses]
    is_met = len(decided) == 1 and not decided[0][0].times
    moments = said.clauses[0].times if is_met else ()
    return ResolvedConditions(
        replace(said, clauses=tuple(clause for clause, _ in decided)),
        met=[
            each.condition
            for before, (after, _) in zip(said.clauses, decided, strict=True)
            for each in before.times
            if not after.times
        ],
        unmet=next((shown for _, shown in decided if shown), None),
        about=tuple(
            dict.fromkeys(each for one in moments for each in conditions.find_subjects(one))
        ),
    )


def _by_states(hass: HomeAssistant, clauses: Sequence[Clause], home: Home) -> Iterator[Clause]:
    """Yield the clauses, what a device's own state shows as nothing that has to be read: "the sensor says"."""
    looked: list[str] = []
    for clause in clauses:
        looked += [clause.text] if clause.act is DialogueAct.QUESTION else []
        asked = " ".join((*looked, *(each.condition for each in clause.times)))
        reads = any(each.depends_on_answer for each in clause.times)
        if not (reads and any(map(partial(_shows, hass), _named(asked, home)))):
            yield clause
            continue
        moments = (replace(each, depends_on_answer=False) for each in clause.times)
        yield replace(clause, times=tuple(moments))


def _named(text: str, home: Home) -> Iterator[Exposed]:
    """Yield the entities whose whole name is in a text."""
    said = f" {' '.join(words(text))} "
    for each in home.entities:
        if any(f" {' '.join(words(name))} " in said for name in each.names if words(name)):
            yield each


def _shows(hass: HomeAssistant, entity: Exposed) -> bool:
    """Return True if an entity's state is one of a few, or a number, and no text that is to be read."""
    if entity.domain in _READ:
        return False
    state = hass.states.get(entity.entity_id)
    is_measured = state is None or ATTR_UNIT_OF_MEASUREMENT in state.attributes
    return entity.domain != SENSOR or entity.device_class is not None or is_measured


def _is_conditional(clause: Clause) -> bool:
    """Return True if a clause is to be done now, if something is so."""
    return bool(clause.times) and all(
        each.type in (TimeType.IF, TimeType.UNLESS) for each in clause.times
    )


def _decided(clause: Clause, conditions: ConditionEvaluator) -> tuple[Clause, Evidence | None]:
    """Return a clause without its conditions where all are met, and else what is shown of one."""
    if not _is_conditional(clause):
        return clause, None
    shown = [conditions.evaluate(each) for each in clause.times]
    met = [
        each.is_so is (moment.type is TimeType.IF) if each else None
        for each, moment in zip(shown, clause.times, strict=True)
    ]
    if all(met):
        return replace(clause, text=clause.command, times=()), None
    moments = zip(clause.times, met, strict=True)
    clause = replace(
        clause,
        times=tuple(
            replace(
                each, is_met=is_met, depends_on_answer=each.depends_on_answer and is_met is None
            )
            for each, is_met in moments
        ),
    )
    return clause, next(
        (each for each, is_met in zip(shown, met, strict=True) if is_met is False), None
    )
