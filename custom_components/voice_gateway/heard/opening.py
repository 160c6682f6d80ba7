"""Words that open what keeps people out, or close it; and what is called so that it lets somebody in."""

from ..languages import LANGUAGES, language_of
from ..names.matching import matcher, words
from .phrases import any_in_order, replying, says


def opens(text: str, language: str) -> bool | None:
    """Tell whether a text says to open what keeps people out; None where it says neither or both."""
    code = language_of(language).code
    does, undoes = (says(text, replying(code, form)) for form in ("opens", "closes"))
    return does if does != undoes else None


def is_way_in(name: str) -> bool:
    """Tell whether a button's name, of whatever language, says that it lets somebody in.

    "Door Buzzer" does; "Close the garage" says that it closes.
    """
    if any(opens(name, code) is False for code in LANGUAGES):
        return False
    forms = ("ways_in", "opens")
    return any(says(name, replying(code, form)) for code in LANGUAGES for form in forms)


def disarms(text: str, code: str) -> bool:
    """Tell whether a text says of an alarm that it is to be off, in whatever words."""
    return opens(text, code) is True or any_in_order(text, replying(code, "turns_off"))


def besides_opening(text: str, code: str) -> frozenset[str]:
    """Return the words of a text that do not say to open, to disarm or nothing: what is to be opened."""
    forms = ("opens", "opens_up", "turns_off", "beside")
    empty = {word for form in forms for phrase in replying(code, form) for word in phrase}
    return frozenset(words(text)) - (empty - alarm_words(code)) - matcher(code).fillers


def alarm_words(code: str) -> frozenset[str]:
    """Return the words of what an alarm of a home is called: "burglar", "alarm"."""
    return frozenset(word for phrase in replying(code, "alarms") for word in phrase)
