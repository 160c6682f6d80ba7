"""Which devices a part of a sentence means by a word for what was named before it: "it", "the other one"."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
import re

from homeassistant.helpers import intent

from ..heard.contradicting import fits
from ..heard.contrary import is_contrary
from ..heard.done import Done
from ..heard.follow_up import Follow, Following
from ..heard.meant import Meant
from ..heard.moment import read
from ..heard.referring import refers_back, says_another, without_verb
from ..heard.said import Clause, Mood
from ..home.exposed import Exposed
from ..languages import language_of
from .deed import Deed, Turn
from .guarded import opened
from .opposites import opposite_of
from .values import values_of

_TURNS = frozenset((intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF))
_WORD = re.compile(r"[^\W_]+")
_BEFORE = 3
"""Sentences before, in which something may have been named."""
_LONGEST = 120
"""Characters of a sentence in which something is named that the next one speaks of."""


def refers(deed: Deed, turn: Turn) -> bool:
    """Tell whether a command certainly means a call's devices by what was named before it.

    "Dim it to twenty, and switch the other one off." What would let somebody in is to be named.
    """
    if not may_be_referred_to(deed, turn):
        return False
    return any(
        does_as_said(each.command, deed, turn)
        and (_is_there(each, deed, turn) or _stands_for(each, deed, turn))
        for each in commands_for_now(deed, turn)
    )


def goes_on(deed: Deed, turn: Turn) -> bool:
    """Tell whether a part of a sentence wants what was just done for the other one: "the other one too"."""
    if not may_be_referred_to(deed, turn):
        return False
    # What is said first is of what was done last.
    return any(
        _is_the_other(which, deed, turn)
        for first in turn.heard.said.clauses[:1]
        if first.is_plain and first.mood not in (Mood.QUESTION, Mood.STATEMENT)
        for which in _others_in(first, turn)
    )


def may_be_referred_to(deed: Deed, turn: Turn) -> bool:
    """Tell whether a call may be for devices that are not named again: it opens no door, and nobody asked."""
    is_for_now = deed.acts_on_devices and bool(deed.targets) and not opened(deed)
    return is_for_now and not turn.heard.asks


def commands_for_now(deed: Deed, turn: Turn) -> Iterator[Clause]:
    """Yield the parts of a sentence that are commands for now."""
    clauses = (deed.clause,) if deed.clause else turn.heard.said.clauses
    for each in clauses:
        if each.is_plain and each.mood is Mood.COMMAND:
            yield each


def _stands_for(clause: Clause, deed: Deed, turn: Turn) -> bool:
    code = language_of(turn.heard.language).code
    if _meant(clause.command, turn).tells:
        return False
    if says_another(clause.command, code):
        return _other_than(_named_before(clause, turn), turn) == [*deed.targets]
    return refers_back(clause.command, code) and ({*_named_before(clause, turn)} == {*deed.targets})


def _is_there(clause: Clause, deed: Deed, turn: Turn) -> bool:
    """Tell whether a part speaks of a kind of device in the place that was named before it: "there"."""
    said = _meant(clause.command, turn)
    there = {*language_of(said.code).forms.get("theres", ())}
    if said.named or said.areas or there.isdisjoint(_WORD.findall(said.text.casefold())):
        return False
    heard = turn.heard
    before = [each.text for each in takewhile(clause.__ne__, heard.said.clauses)]
    for each in (*reversed(before), *heard.earlier[-1:]):
        if (named := heard.meant(each)).tells:
            match [*named.areas]:
                case [area_id]:
                    place = heard.mentioned.home.areas[area_id].name
                    kinds = " ".join(word for kind in said.kinds for word in kind.words)
                    return _aims(f"{kinds} {place}", turn) == [*deed.targets]
            return False
    return False


def does_as_said(command: str, deed: Deed, turn: Turn) -> bool:
    """Tell whether a command says what a call does, and not the opposite."""
    code, intent_type = language_of(turn.heard.language).code, getattr(deed.tool, "intent_type", "")
    does = fits(command, code, intent_type, deed.domains)
    if does is not None or intent_type not in _TURNS:
        return does is not False
    # "Éteins l'autre" says it by its verb.
    other = opposite_of(intent_type)
    return all(is_contrary(command, code, other, each.domain, each.names) for each in deed.targets)


def _others_in(clause: Clause, turn: Turn) -> Iterator[str]:
    """Yield what a part says of the other one at its begin: "the other one too, and the blinds down"."""
    language = turn.heard.language
    joints = language_of(language).joints
    said = clause.text.replace(",", " , ").split()
    ends = [at for at, word in enumerate(said) if word == "," or word.casefold() in joints]
    parts = [said, *(said[:at] for at in ends)]
    for part in parts:
        wanted = Following(" ".join(part).strip(" ,"), language).follow_up()
        if wanted and wanted.follow is Follow.OTHER and not wanted.is_instead:
            yield wanted.which


def _is_the_other(which: str, deed: Deed, turn: Turn) -> bool:
    """Tell whether a call does to the other one just what was done to the one before."""
    if which:
        said = turn.heard.meant(which)
        is_kind = said.only_tells and not said.named and not said.areas
        if not is_kind or not all(each.domains >= deed.domains for each in said.kinds):
            return False
    intent_type = getattr(deed.tool, "intent_type", "")
    match turn.heard.done:
        case [Done(does, values, [_] as devices)] if does == intent_type:
            given = {slot: deed.arguments.get(slot) for slot in values_of(deed.arguments)}
            is_same = given == {slot: values.get(slot) for slot in values_of(values)}
            return is_same and _other_than(devices, turn) == [*deed.targets]
    return False


def _named_before(clause: Clause, turn: Turn) -> Sequence[Exposed]:
    """Return the devices of which was spoken last before a part of the sentence, if that is certain."""
    heard = turn.heard
    for each in reversed([*takewhile(clause.__ne__, heard.said.clauses)]):
        if _meant(each.text, turn).tells:
            return _aims(each.text, turn)
    if heard.done:
        devices = {each for done in heard.done for each in done.devices}
        return [*devices]
    names = heard.mentioned.home.names
    for sentence in heard.earlier[: -_BEFORE - 1 : -1]:
        if len(sentence) > _LONGEST:
            return ()
        parts = read(sentence, heard.language, names).clauses
        if telling := [each.text for each in parts if _meant(each.text, turn).tells]:
            return _aims(telling[0], turn) if len(telling) == 1 else ()
    return ()


def _aims(text: str, turn: Turn) -> Sequence[Exposed]:
    said = _meant(text, turn)
    return said.aims_at(said.home.entities)


def _meant(text: str, turn: Turn) -> Meant:
    """Return what words mean, of which the first may be a verb that is called as a kind: "switch it off"."""
    return turn.heard.meant(without_verb(text, language_of(turn.heard.language).code))


def _other_than(devices: Sequence[Exposed], turn: Turn) -> list[Exposed]:
    """Return the only other one of a device's kind: in the home, or where the device is."""
    match devices:
        case [one]:
            alike = [
                each
                for each in turn.heard.mentioned.home.entities
                if (each.domain, each.device_class) == (one.domain, one.device_class)
                and each != one
            ]
            there = [each for each in alike if one.area and each.area == one.area]
            found = alike if len(alike) == 1 else there
            return found if len(found) == 1 else []
    return []
