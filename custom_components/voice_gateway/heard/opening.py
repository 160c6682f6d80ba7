"""Words that open what keeps people out, or close it; and what is called so that it lets somebody in."""

from ..languages import LANGUAGES, language_of
from .phrases import replying, says


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
