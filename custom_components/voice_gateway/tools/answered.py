"""Devices that the answer before named, and the user now speaks of: "which lights are on?", "turn them off".

The user heard them named, whatever told the model to name them.
"""

from functools import lru_cache

from ..heard.phrases import phrases
from ..heard.referring import says_another, without_endings
from ..heard.said import Clause
from ..home.exposed import Exposed
from ..languages import language_of
from ..names.matching import words
from .deed import Deed, Turn
from .references import commands_for_now, does_as_said, may_be_referred_to
from .topics import says_what


def by_answer(deed: Deed, turn: Turn) -> bool | None:
    """Tell whether a command is for devices that the answer before named; None where it is not.

    True where all of them are meant, as "them" and "both" say, or as it named only one. What was done before
    is followed up by itself.
    """
    heard = turn.heard
    if not heard.answered or heard.done or not may_be_referred_to(deed, turn):
        return None
    named = _named(deed, turn)
    is_told = bool(named) or not _speaks_of_kind(deed, turn)
    if is_told and not named.issuperset(deed.targets):
        return None
    for clause in commands_for_now(deed, turn):
        if _leaves_open_which(clause, deed, turn):
            return bool(named) and (len(named) == 1 or _says_all(clause, turn))
    return None


def _speaks_of_kind(deed: Deed, turn: Turn) -> bool:
    """Tell whether what others wrote had the answer speak of a call's kind, in words that name none."""
    kinds = turn.heard.meant(turn.heard.answered).kinds
    domains = {domain for kind in kinds for domain in kind.domains}
    is_of_kind = domains.issuperset(each.domain for each in deed.targets)
    return is_of_kind and not turn.taint.is_only_described


def _named(deed: Deed, turn: Turn) -> frozenset[Exposed]:
    """Return the devices of a call's kind that the answer before named."""
    heard = turn.heard
    told = heard.meant(heard.answered)
    domains = {each.domain for each in deed.targets}
    named = frozenset(each for each in told.named if each.domain in domains)
    if named or not heard.earlier or told.named:
        return named
    # "Which lights are on?" – "That in the hall, and that in the kitchen."
    asked = {domain for kind in heard.meant(heard.earlier[-1]).kinds for domain in kind.domains}
    there = (each for each in told.home.entities if each.area in told.areas)
    return frozenset(each for each in there if each.domain in domains & asked)


def _leaves_open_which(clause: Clause, deed: Deed, turn: Turn) -> bool:
    """Tell whether a command says what is to be done, and to nothing that it names."""
    code = language_of(turn.heard.language).code
    return (
        not turn.heard.meant(clause.command).tells
        and not says_another(clause.command, code)
        and does_as_said(without_endings(clause.command, code), deed, turn)
        and says_what([clause], deed, turn)
    )


def _says_all(clause: Clause, turn: Turn) -> bool:
    language = language_of(turn.heard.language)
    said, whole = words(clause.command), {word for each in language.all for word in words(each)}
    alone, endings = _them(language.code)
    return any(word in whole | alone or word.endswith(endings) for word in said)


@lru_cache
def _them(code: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words for several that were named, and the endings of verbs that say so."""
    listed = language_of(code).forms.get("them", ())
    endings = tuple(each[1:] for each in listed if each.startswith("-"))
    return frozenset(word for phrase in phrases(code, "them") for word in phrase), endings
