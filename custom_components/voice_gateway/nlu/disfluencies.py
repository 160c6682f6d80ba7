"""Disfluencies: hesitations and repaired times within a sentence.

"In, let's see, twenty minutes" is in twenty minutes, and "at seven, no, at eight" is at eight.
"""

from collections.abc import Sequence
from typing import Final

from .phrase_patterns import PhrasePatterns
from .tokenizer import TokenSequence
from .tokens import PhrasePattern

_PAUSES: Final = frozenset(",–—-…")
_NO_MOMENTS: Final = frozenset(("plain", "kept", "because", "unclear"))
_VALUES: Final = ("({duration}|{time}|{bare}|{number})", "({days}|{weekdays})")
"""Values that may stand alone in a repair: "at seven, no, eight"."""


def remove_disfluencies(line: TokenSequence, known: PhrasePatterns) -> None:
    """Drop hesitations and repaired times from a line."""
    values = [*map(known.pattern, _VALUES)]
    for first, end in _found(line, known, "stumbles"):
        # "In, let's see": the word before needs a value.
        word = line.tokens[first - 1].text if first else ""
        if word in known.time_words and any(line.end_of(each, end) for each in values):
            line.drop(first, end)
    for first, end in _found(line, known, "corrects"):
        for pattern in known.forms.get("makes_it", ()):
            end = line.end_of(pattern, end) or end  # noqa: PLW2901
        if (begins := _taken_back(line, known, first, end, values)) is not None:
            _take_back(line, begins, first, end, values)
        elif span := _number_taken_back(line, known, first, end):
            line.drop(*span)


def _found(line: TokenSequence, known: PhrasePatterns, form: str) -> list[tuple[int, int]]:
    """Return the spans of a form, merged with the pauses around, the last one first."""
    spans = (span for pattern in known.forms.get(form, ()) for span in line.find(pattern))
    own = {index for span in spans for index in range(*span)}
    found: list[tuple[int, int]] = []
    first = 0
    for index in range(len(line.tokens) + 1):
        is_pause = index < len(line.tokens) and line.tokens[index].text in _PAUSES
        if index in own or is_pause:
            continue
        if own.intersection(range(first, index)):
            found.append((first, index))
        first = index + 1
    return found[::-1]


def _taken_back(
    line: TokenSequence,
    known: PhrasePatterns,
    first: int,
    end: int,
    values: Sequence[PhrasePattern],
) -> int | None:
    """Return the begin of the repaired part: in the time before `first`, for the one at `end`."""
    moments = [
        pattern
        for name, patterns in known.time_patterns.items()
        if name not in _NO_MOMENTS
        for pattern in patterns
    ]
    before = [at for pattern in moments for at, after in line.find(pattern) if after == first]
    value = next((each for each in values if line.end_of(each, end)), None)
    if not before or not (value or any(line.end_of(pattern, end) for pattern in moments)):
        return None
    begins = min(before)
    if value:
        # "In ten, no, fifteen minutes"
        return next((at for at in range(begins, first) if line.end_of(value, at)), begins)
    # "Tomorrow at seven, no, at eight"
    word = line.tokens[end].text
    return max((at for at in range(begins, first) if line.tokens[at].text == word), default=begins)


def _take_back(
    line: TokenSequence, begins: int, first: int, end: int, values: Sequence[PhrasePattern]
) -> None:
    """Drop the repaired part, from `begins` on, for the one at `end`.

    Words behind it that are not repeated stay: "twenty minutes from now, no, half an hour".
    """
    ends = max((line.end_of(each, begins) for each in values), default=0)
    after = max((line.end_of(each, end) for each in values), default=0)
    if begins < ends < first and after:
        line.replace(begins, after, [*line.tokens[end:after], *line.tokens[ends:first]])
    else:
        line.drop(begins, end)


def _number_taken_back(
    line: TokenSequence, known: PhrasePatterns, first: int, end: int
) -> tuple[int, int] | None:
    """Return the span of a number that another one repairs: "to twenty, no, make it twenty-one"."""
    said = [each.text for each in line.tokens]
    beside = {"%", "°", *known.language.percent, *known.language.degrees} | _PAUSES
    begins = first - 1
    while begins > 0 and (
        said[begins] in beside or known.contains_form("stumbles", said[begins : begins + 1])
    ):
        begins -= 1
    if begins < 1 or not _is_number(said, begins):
        return None
    if _is_number(said, end):
        return begins, end
    # "To twenty, no, to twenty-one"
    return (begins - 1, end) if _is_number(said, end + 1) else None


def _is_number(said: Sequence[str], at: int) -> bool:
    return at < len(said) and said[at][0].isdecimal()
