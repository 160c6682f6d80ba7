"""The question before a call on devices, as its user would put it: to open, to turn on, to change."""

from typing import Final

from homeassistant.helpers import intent

from .access_policy import opened_targets
from .decisions import Ask
from .proposed_call import ComparedCall
from .risk import ask_for_targets, ask_to_open

_DOES: Final = {intent.INTENT_TURN_ON: "turn_on", intent.INTENT_TURN_OFF: "turn_off"}
_DOES_TO: Final = {
    intent.INTENT_TURN_ON: {
        "button": "press",
        "cover": "open",
        "input_button": "press",
        "lock": "lock",
        "scene": "activate",
        "valve": "open",
    },
    intent.INTENT_TURN_OFF: {"cover": "close", "lock": "unlock", "valve": "close"},
}
"""What turning on and off is called, of devices for which it has another name."""


def asked_before(call: ComparedCall) -> Ask:
    """Return the question before a call on devices: what opens is never called turning off."""
    if doors := opened_targets(call):
        return ask_to_open(doors)
    return ask_for_targets(_does(call), call.targets)


def _does(call: ComparedCall) -> str:
    """Return a question's part for a call: to turn on, to turn off, or something else.

    To turn on a lock locks it. Of devices of several domains it is called turning on.
    """
    intent_type = call.intent_type
    does = _DOES.get(intent_type, "change")
    named = _DOES_TO.get(intent_type, {})
    called = {named.get(each.domain, does) for each in call.targets}
    return called.pop() if len(called) == 1 else does
