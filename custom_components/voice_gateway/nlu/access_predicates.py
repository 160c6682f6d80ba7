"""Access predicates: verbs that open or close an entry point."""

from ..languages import LANGUAGES
from ..names.matching import matcher
from .phrases import contains_any_gapped, contains_phrase, reply_phrases
from .tokenizer import Text


def access_direction(text: Text) -> bool | None:
    """Return True if a text says to open what keeps people out; None where it says neither or both."""
    code = text.language.code
    does, undoes = (
        contains_phrase(text, reply_phrases(code, form)) for form in ("opens", "closes")
    )
    return does if does != undoes else None


def is_access_name(name: str) -> bool:
    """Return True if a button's name, of whatever language, says that it lets somebody in.

    "Door Buzzer" does; "Close the garage" says that it closes.
    """
    if any(access_direction(Text(name, code)) is False for code in LANGUAGES):
        return False
    forms = ("ways_in", "opens")
    return any(
        contains_phrase(name, reply_phrases(code, form)) for code in LANGUAGES for form in forms
    )


def is_disarming(text: Text) -> bool:
    """Return True if a text says of an alarm that it is to be off, in whatever words."""
    return access_direction(text) is True or contains_any_gapped(
        text, reply_phrases(text.code, "turns_off")
    )


def words_beside_access(text: Text) -> frozenset[str]:
    """Return the words of a text that do not say to open, to disarm or nothing: what is to be opened."""
    forms = ("opens", "opens_up", "turns_off", "beside")
    empty = {word for form in forms for phrase in reply_phrases(text.code, form) for word in phrase}
    return (
        frozenset(text.words) - (empty - alarm_words(text.code)) - matcher(text.code).function_words
    )


def alarm_words(code: str) -> frozenset[str]:
    """Return the words of what an alarm of a home is called: "burglar", "alarm"."""
    return frozenset(word for phrase in reply_phrases(code, "alarms") for word in phrase)
