"""Calls that do the opposite of what a command's words say: "leave the light on"."""

from homeassistant.helpers import intent

from .line import Line, plain, tokens_of, with_numbers
from .templates import templates

_ENDS = {intent.INTENT_TURN_ON: ("on", "off"), intent.INTENT_TURN_OFF: ("off", "on")}


def contradicts(command: str, code: str, intent_type: str) -> bool:
    """Tell whether a command says the state that an intent ends, and not the one that it begins.

    Args:
        command: the words of the command.
        code: the language's code as `languages` has it.
        intent_type: Home Assistant's intent that would be called.
    """
    known = templates(code)
    if intent_type not in _ENDS or not known.shown:
        return False
    line = Line(command, with_numbers(tokens_of(plain(command)), known.numbers))
    begins, ends = (
        any(True for pattern in known.shown[state] for _ in line.find(pattern))
        for state in _ENDS[intent_type]
    )
    return ends and not begins
