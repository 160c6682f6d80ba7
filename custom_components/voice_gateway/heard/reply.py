"""What is said to a question of ours: yes, no, or a PIN."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import islice

from hassil.parse_expression import parse_sentence
from hassil.sample import sample_expression

from ..languages import LANGUAGES, Phrases, language_of
from ..names.matching import words
from .numbers import number_words
from .referring import without_endings

_IN_A_ROW = 3  # words of which a number is made: "twenty-five" in two, "vingt et un" in three
_MOST = 24
"""Words of an answer to a question."""

type _Known = frozenset[tuple[str, ...]]


class Reply(StrEnum):
    """What a sentence is that follows a question of ours."""

    YES = "yes"
    NO = "no"
    OTHER = "other"


def reply(text: str, language: str, asked: Collection[str]) -> Reply:
    """Return what somebody says to a question.

    A yes is plain: besides it there is nothing but polite words, and words of what was asked. "Yes,
    what time is it" and "yeah no" are none.

    Args:
        text: the sentence.
        language: its language's code.
        asked: the texts that led to the question, and the question: their words may be said again.
    """
    said = words(text)
    if not 0 < len(said) <= _MOST or "?" in text:
        return Reply.OTHER
    known = language_of(language)
    again = {word for each in asked for word in words(each)} | _light(known.code)
    forms = _forms(known.code, asked)
    found = [*_read(said, forms, again)]
    if "" in found and (stems := words(without_endings(text, known.code))) != said:
        # "Quita la alarma." – "Sí, quítala."
        found = [*_read(stems, forms, again)]
    if "" in found:
        return Reply.OTHER
    if "no" in found:
        return Reply.NO
    starts = next((each for each in found if each != "beside"), "")
    return Reply.YES if starts == "yes" else Reply.OTHER


def only_some(
    text: str, language: str, names: Sequence[str], asked: Collection[str]
) -> Sequence[bool]:
    """Return which of several things somebody wants, of all that was asked: "yes, the garage".

    Each is told by a word that no other is called by. Empty where nothing is said so, or all of them.

    Args:
        text: the sentence.
        language: its language's code.
        names: how each thing is called.
        asked: the texts that led to the question, and the question: their words may be said again.
    """
    said = words(text)
    if not 0 < len(said) <= _MOST or "?" in text:
        return ()
    code = language_of(language).code
    again = {word for each in (*names, *asked) for word in words(each)} | _light(code)
    # "Just" is a polite word besides.
    forms = {"only": _phrases(code, "only"), **_forms(code, asked)}
    found = [*_read(said, forms, again)]
    if {"only", "yes"}.isdisjoint(found) or not {"", "no"}.isdisjoint(found):
        return ()
    own = [{*words(each)} - _light(code) for each in names]
    others = [{word for each in own if each is not one for word in each} for one in own]
    wanted = [not (one - other).isdisjoint(said) for one, other in zip(own, others, strict=True)]
    return wanted if any(wanted) and not all(wanted) else ()


def begins_with_no(text: str, language: str | None) -> bool:
    """Tell whether a text begins with a no: with a word of it, or with several."""
    return bool(_at(words(text), 0, _phrases(language_of(language).code, "no")))


def opens(text: str, language: str) -> bool | None:
    """Tell whether a text says to open what keeps people out; None where it says neither or both."""
    code = language_of(language).code
    does, undoes = (_says(text, code, form) for form in ("opens", "closes"))
    return does if does != undoes else None


def is_way_in(name: str) -> bool:
    """Tell whether a button's name, of whatever language, says that it lets somebody in.

    "Door Buzzer" does; "Close the garage" says that it closes.
    """
    if any(opens(name, code) is False for code in LANGUAGES):
        return False
    return any(_says(name, code, form) for code in LANGUAGES for form in ("ways_in", "opens"))


def spoken_digits(text: str, language: str) -> tuple[str, bool]:
    """Return the digits that are said one after the other, as figures or in words; none is empty.

    And whether nothing else is said. This reads words of numbers from a file the first time: not for the event loop.
    """
    said = words(text)
    # Where a word is two numbers', it is the language's.
    numbers = {
        "".join(words(word)): number
        for code in dict.fromkeys(("en", language_of(language).code or "en"))
        for word, number in number_words(code).items()
    }
    zero = _phrases(language_of(language).code, "zero")
    digits, at, is_all = "", 0, bool(said)
    while at < len(said):
        count, value = _number_at(said, at, numbers)
        if digits and (said[at],) in zero and _number_at(said, at + 1, numbers)[1]:
            # "One four oh seven"; before them, and alone, it is no number.
            value = "0"
        digits += value
        is_all &= bool(value)
        at += count
    return digits, is_all


def _number_at(said: Sequence[str], at: int, numbers: Mapping[str, int]) -> tuple[int, str]:
    """Return how many words a number has that begins at a word, and its digits."""
    if at >= len(said):
        return 1, ""
    if said[at].isdecimal():
        return 1, "".join(str(int(each)) for each in said[at])
    for count in range(min(_IN_A_ROW, len(said) - at), 0, -1):
        joined = "".join(said[at : at + count])
        if joined in numbers:
            return count, str(numbers[joined])
    return 1, ""


def _read(
    said: Sequence[str], forms: Mapping[str, _Known], again: Collection[str]
) -> Sequence[str]:
    """Return what the parts of an answer are, the longest phrase first; empty is anything else."""
    parts: list[str] = []
    at = 0
    while at < len(said):
        count, form = max(
            ((len(each), form) for form, known in forms.items() for each in _at(said, at, known)),
            key=lambda found: found[0],
            default=(1, "again" if said[at] in again else ""),
        )
        parts.append(form)
        at += count
    return parts


def _forms(code: str, asked: Collection[str]) -> Mapping[str, _Known]:
    """Return the phrases of an answer by what they are; "again" is what was asked, in other words."""
    forms = {form: _phrases(code, form) for form in ("no", "yes", "beside")}
    if any(opens(each, code) for each in asked):
        # "Shall I unlock the door?" – "Yes, open it."
        forms["again"] = _phrases(code, "opens")
    elif any(_says(each, code, "removes") for each in asked):
        # "Empty the trash" – "Yes, delete it."
        forms["again"] = _phrases(code, "removes")
    return forms


def _says(text: str, code: str, form: str) -> bool:
    """Tell whether a phrase of a form is anywhere in a text."""
    said = words(text)
    return any(_at(said, at, _phrases(code, form)) for at in range(len(said)))


def _at(said: Sequence[str], at: int, known: _Known) -> Sequence[tuple[str, ...]]:
    longest = max(map(len, known), default=0)
    rest = tuple(islice(said, at, at + longest))
    return [rest[:count] for count in range(1, len(rest) + 1) if rest[:count] in known]


@lru_cache
def _light(code: str) -> frozenset[str]:
    """Return the words that may stand for what was asked: articles, pronouns, "all of it"."""
    known = language_of(code)
    pronouns = (each for each in known.forms.get("pronouns", ()) if not each.startswith("-"))
    return frozenset(
        word for each in (*known.fillers, *known.all, *pronouns) for word in words(each)
    )


@lru_cache
def _phrases(code: str, form: str) -> _Known:
    """Return the phrases of a form, word by word."""
    known = language_of(code)
    table: Phrases = {**known.replies, **known.guards}
    return frozenset(
        words(text)
        for template in table.get(form, ())
        for text in sample_expression(parse_sentence(template).expression, {}, {}, code)
    )
