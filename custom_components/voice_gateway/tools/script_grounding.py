"""Whether a command wants what a script leads to that it does not name: "switch the alarm off"."""

from collections.abc import Sequence
from typing import Final

from homeassistant.components.alarm_control_panel import DOMAIN as ALARM
from homeassistant.components.automation.const import DATA_COMPONENT as AUTOMATIONS
from homeassistant.core import HomeAssistant

from ..names.inflection import is_alike, is_like_any
from ..names.matching import words
from ..nlu.clause import DialogueAct
from ..nlu.predicates import Predicate
from ..nlu.tokenizer import Text
from .proposed_call import ComparedCall
from .script_effects import raw_config
from .script_openings import opened_by_script

_LONG: Final = 4
"""Letters from which on a word tells something."""
_OPENED: Final = {"alarm_control_panel": {"off"}, "cover": {"open"}, "lock": {"open", "unlocked"}}
"""What is so of what was opened."""
_BOTH: Final = (("on", "off"), ("open", "closed"), ("unlocked", "locked"))
_OPPOSITES: Final = (*_BOTH, *((other, one) for one, other in _BOTH))


def may_run_unnamed(entity_ids: Sequence[str], call: ComparedCall) -> bool:
    """Return True if the user may be asked whether to run some scripts, or the like, that were not named.

    The sentence is a plain command for now, for what they open, or shares a word with what they say of
    themselves. Nothing that others wrote has been read: that may be what wants them run.
    """
    utterance, taint = call.utterance, call.taint
    if (
        utterance.asks
        or utterance.unmet_condition
        or (taint.is_there and not taint.is_only_described)
    ):
        return False
    if any(each.negated or not each.is_immediate for each in utterance.parsed.clauses):
        return False
    return any(
        _opens_it(each.command, entity_id, call.hass)
        or _tells_of_it(each.command, entity_id, call.hass)
        for each in utterance.parsed.clauses
        if each.act is DialogueAct.COMMAND and each.is_plain
        for entity_id in entity_ids
    )


def _opens_it(command: Text, entity_id: str, hass: HomeAssistant) -> bool:
    """Return True if a command is for nothing but to open one of the things that a script opens."""
    predicate = Predicate.of(command)
    left = predicate.access_words
    for each in opened_by_script(hass, entity_id):
        is_alarm, state = each.partition(".")[0] == ALARM, hass.states.get(each)
        own = frozenset(words(state.name) if state else ())
        if is_alarm:
            own |= command.patterns.words_of("access_verbs.alarms")
        is_wanted = predicate.disarms if is_alarm else predicate.opens
        if left and is_wanted and all(is_like_any(word, own) for word in left):
            return True
    return False


def _tells_of_it(command: Text, entity_id: str, hass: HomeAssistant) -> bool:
    """Return True if a command has a telling word of what a script says of itself, and not its opposite."""
    about = _description(hass, entity_id, command.code)
    domains = {each.partition(".")[0] for each in opened_by_script(hass, entity_id)}
    brings = Predicate.of(about).states().union(*(_OPENED[each] for each in domains))
    predicate = Predicate.of(command)
    said = predicate.states()
    if predicate.opens is False or any(
        {one, other} <= said ^ brings and one in said for one, other in _OPPOSITES
    ):
        return False
    empty = command.patterns.vocabulary | command.function_words
    telling = [each for each in command.words if len(each) >= _LONG and each not in empty]
    return any(is_alike(one, other) for one in telling for other in about.words)


def _description(hass: HomeAssistant, entity_id: str, code: str) -> Text:
    """Return what the owner wrote of a script or an automation."""
    domain = entity_id.partition(".")[0]
    config = raw_config(hass, AUTOMATIONS if domain == "automation" else domain, entity_id)
    return Text(str((config or {}).get("description") or ""), code)
