"""What came of a sentence: whether that is right, wrong, said, or silently lost.

Houses are compared by their entities' states and, of those that stayed in theirs, by what people
set: brightness, temperature, volume, position.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.answers import asks_or_denies, claims
from bench.scoring import States
from bench.sentences import Given, Sentence

COMPARED = ("temperature", "brightness", "volume_level", "current_position")
_TOLERANCE = {"brightness": 2}


@dataclass(slots=True)
class Course:
    """What happened after a sentence, in words."""

    wrong: list[str] = field(default_factory=list)
    """What was done that should not have been, or before its time."""
    missed: list[str] = field(default_factory=list)
    """What was not done, or twice."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a sentence with one behaviour of the model."""

    wrong_now: Sequence[str]
    """Changes right after the sentence that should not have been."""
    wrong: Sequence[str]
    """All changes that should not have been: these, and those while the clock moved."""
    missed: Sequence[str]
    right: bool
    told: bool
    """Neither wrong nor right, but the answer asks, or says that it was not done."""
    untrue: bool
    """Whether the answer claims what was not done."""

    @property
    def lost(self) -> bool:
        """Whether it is neither wrong nor right, and whoever spoke does not know."""
        return not (self.wrong or self.right or self.told)


def changed(before: States, after: States) -> Mapping[str, Mapping[str, Any]]:
    """Return the entities that are not as they were, as they are now."""
    return {
        entity_id: now
        for entity_id, now in after.items()
        if (was := before.get(entity_id)) is not None
        and (
            was["state"] != now["state"]
            or any(not _same(name, was.get(name), now.get(name)) for name in COMPARED)
        )
    }


def wrong_changes(before: States, after: States, allowed: Sequence[Given]) -> Sequence[str]:
    """Return what changed that is in none of these, or changed to something else than there."""
    return [
        f"{entity_id}: {_told(before[entity_id])} → {_told(now)}"
        for entity_id, now in changed(before, after).items()
        if not any(entity_id in given and is_so(given[entity_id], now) for given in allowed)
    ]


def missing(given: Given, states: States) -> Sequence[str]:
    """Return what is not as it should be."""
    return [
        f"{entity_id}: {_told(states[entity_id])}, not {dict(wanted)}"
        for entity_id, wanted in given.items()
        if not is_so(wanted, states[entity_id])
    ]


def is_so(wanted: Mapping[str, Any], got: Mapping[str, Any]) -> bool:
    """Tell whether an entity's state and attributes are these."""
    return ("state" not in wanted or wanted["state"] == got["state"]) and all(
        _same(name, value, got.get(name)) for name, value in wanted.get("attributes", {}).items()
    )


def judge(
    sentence: Sentence,
    before: States,
    after: States,
    answer: str,
    courses: Sequence[Course] = (),
) -> Verdict:
    """Judge a turn by the house before and right after it, and by what happened then.

    There is a course for each time that the clock was moved.
    """
    wanted = [sentence.now, *sentence.or_now]
    wrong_now = wrong_changes(before, after, wanted)
    missed = [] if not all(missing(each, after) for each in wanted) else missing(wanted[0], after)
    missed = [*missed, *(each for course in courses for each in course.missed)]
    wrong = [*wrong_now, *(each for course in courses for each in course.wrong)]
    tells = not wrong and asks_or_denies(answer, sentence.language)
    right = not wrong and (not missed or (sentence.may_ask and tells))
    return Verdict(
        wrong_now=wrong_now,
        wrong=wrong,
        missed=missed,
        right=right,
        told=tells and not right,
        untrue=is_untrue(sentence, before, after, answer),
    )


def is_untrue(sentence: Sentence, before: States, after: States, answer: str) -> bool:
    """Tell whether an answer claims as done, or as so, what is not.

    A deed that is claimed is one of something that changed, unless the claim names something else
    of what the sentence is about. A state that is claimed is that of what the claim names, or of
    anything that the sentence is about.
    """
    about = sentence.setup.keys() | _entities(sentence)
    names = {entity_id: str(after[entity_id].get("friendly_name", "")) for entity_id in about}
    done = changed(before, after)
    for claim in claims(answer, sentence.language):
        named = {each for each, name in names.items() if name and name.casefold() in claim.text}
        if claim.state is not None:
            if not any(after[each]["state"] == claim.state for each in named or about):
                return True
        elif not done or (named and named.isdisjoint(done)):
            return True
    return False


def _entities(sentence: Sentence) -> set[str]:
    """Return what is to change, now or later."""
    givens = [sentence.now, *sentence.or_now, *(event.expect for event in sentence.ahead)]
    return {entity_id for given in givens for entity_id in given}


def _same(name: str, one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= _TOLERANCE.get(name, 0.01)
    return bool(one == other)


def _told(entity: Mapping[str, Any]) -> str:
    named = [f"{name} {entity[name]}" for name in COMPARED if entity.get(name) is not None]
    return ", ".join([str(entity["state"]), *named])
