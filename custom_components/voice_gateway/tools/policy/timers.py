"""Timers, after third-party text was read: their duration must be the user's."""

from collections.abc import Mapping
from typing import Any, Final

from ...nlu.clause import Clause, DialogueAct
from ...nlu.requests import SEARCH
from ...nlu.time_expressions import time_parser
from ...nlu.tokenizer import Text, TokenSequence
from .call import ComparedCall
from .risk import contains_name

_SECONDS: Final = {"hours": 3600, "minutes": 60, "seconds": 1}
_COMPOUND: Final = 5
"""Letters of a word for a timer in a compound: "Eiertimer"."""


def starts_timer(call: ComparedCall) -> bool:
    """Return True if the user's words start a timer, and contain its name, if it has one.

    Its duration is theirs: "six minute timer", "ten minutes for the rice". Without a duration, the
    model may have had to find it: "a timer for as long as the rice takes". In a language without
    lists, the numbers must be theirs.
    """
    utterance = call.utterance
    said = {name: each for name, each in call.arguments.items() if each not in (None, "", 0)}
    name = str(said.pop("name", ""))
    if utterance.asks or not said or not said.keys() <= _SECONDS.keys() or _is_another(call):
        return False
    if name and not contains_name(utterance.text, name, whole=True):
        return False
    if not utterance.text.language.knows_verbs:
        return {*map(float, said.values())} <= utterance.text.numbers
    wanting = [each for each in call.clauses if _wants(each, call)]
    lengths = {_length(each.text) for each in wanting} - {None}
    if lengths:
        return _seconds(said) in lengths
    return any(each.act is DialogueAct.COMMAND for each in wanting)


def _is_another(call: ComparedCall) -> bool:
    """Return True if Home Assistant reads another intent, such as cancelling one."""
    understood = call.utterance.exact_command
    if understood is None or understood.intent_type == "HassStartTimer":
        return False
    # "Lance un minuteur" is read as media to play, which needs the verb "play".
    is_music = understood.intent_type == SEARCH
    return not is_music or call.utterance.text.begins("plays")


def _wants(clause: Clause, call: ComparedCall) -> bool:
    """Return True if a clause requests a timer: by its noun, or by a verb with a duration."""
    utterance = call.utterance
    if (
        clause.act not in (DialogueAct.COMMAND, DialogueAct.UNKNOWN)
        or clause.negated
        or clause.has_recipient
    ):
        return False
    known = clause.text.patterns.words_of("timer")
    ends = tuple(word for word in known if len(word) >= _COMPOUND)
    if any(word in known or word.endswith(ends) for word in clause.text.words):
        return True
    is_begun = clause.act is DialogueAct.COMMAND and clause.text.begins("timing")
    return is_begun and not utterance.link(clause.text).has_mention


def _length(text: Text) -> float | None:
    """Return the duration in a text, in seconds."""
    line = TokenSequence.of(text, text.patterns.numbers)
    return time_parser(text.code).seconds(line.normalized(0, len(line.tokens)))


def _seconds(said: Mapping[str, Any]) -> float | None:
    """Return the duration of a call's timer in seconds; None if it has no numbers."""
    try:
        return sum(float(each) * _SECONDS[name] for name, each in said.items())
    except TypeError, ValueError:
        return None
