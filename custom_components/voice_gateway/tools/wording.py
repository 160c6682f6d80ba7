"""The question before a call on devices, as its user would put it: to open, to turn on, to change."""

from typing import Final

from homeassistant.helpers import intent

from .danger import asked_for, asked_for_opening
from .deed import Ask, Deed
from .guarded import opened

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


def asked_before(deed: Deed) -> Ask:
    """Return the question before a call on devices: what opens is never called turning off."""
    if doors := opened(deed):
        return asked_for_opening(doors)
    return asked_for(_does(deed), deed.targets)


def _does(deed: Deed) -> str:
    """Return a question's part for a call: to turn on, to turn off, or something else.

    To turn on a lock locks it. Of devices of several domains it is called turning on.
    """
    intent_type = getattr(deed.tool, "intent_type", "")
    does = _DOES.get(intent_type, "change")
    named = _DOES_TO.get(intent_type, {})
    called = {named.get(each.domain, does) for each in deed.targets}
    return called.pop() if len(called) == 1 else does
