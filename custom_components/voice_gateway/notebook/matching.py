"""Which notes a text is about, judged by their content words."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from ..names.inflection import is_alike, is_case_of
from ..names.matching import words
from ..nlu.routines import Routine
from ..nlu.tokenizer import Text, TokenSequence
from .notebook import MOST, NotebookEntry

_FILLERS: Final = "notebook.fillers"
_ROUTINE: Final = "notebook.routine"
_SHORT: Final = 3
"""The fewest letters of a word with another ending: "bin", "bins"."""
_FACTS: Final = 3
_CHARACTERS: Final = 400
"""The most notes, and characters of them, for a model."""


@lru_cache(1024)
def content_words(text: Text) -> tuple[str, ...]:
    """Return the words of a text besides function words and words of questions."""
    left = text.without(_FILLERS)
    return tuple(dict.fromkeys(word for word in left if word not in text.function_words))


def about(entries: Iterable[NotebookEntry], text: Text) -> Sequence[NotebookEntry]:
    """Return the notes that have all content words of a text; inflected only if none has them so."""
    wanted = content_words(text)
    if not wanted:
        return ()
    notes = [(each, content_words(each.content)) for each in entries]
    exact = [each for each, known in notes if {*wanted} <= {*known}]
    return exact or [
        each
        for each, known in notes
        if all(any(_is_form(word, other, text.code) for other in known) for word in wanted)
    ]


def answering(
    entries: Iterable[NotebookEntry], text: Text, *, wants_time: bool
) -> Sequence[NotebookEntry]:
    """Return the notes that answer a question: they have more content words than it has.

    `wants_time`: a note without a time is no answer.
    """
    asked = len(content_words(text))
    return [
        each
        for each in about(entries, text)
        if len(content_words(each.content)) > asked and (not wants_time or _has_time(each.content))
    ]


@lru_cache(2 * MOST)
def routine_of(entry: NotebookEntry, names: frozenset[str]) -> Routine | None:
    """Return the routine in a note, by the names of the home; possible third-party text has none."""
    if entry.is_foreign or not _names_phrase(entry):
        return None
    return Routine.parse(entry.text, entry.language, names)


@lru_cache(2 * MOST)
def _names_phrase(entry: NotebookEntry) -> bool:
    """Return True if a note has "I say …": few have, and only these are parsed."""
    text = entry.content
    is_likely = not text.patterns.words_of(_ROUTINE).isdisjoint(words(entry.text))
    return is_likely and text.says(_ROUTINE)


def routine_said(
    entries: Iterable[NotebookEntry], text: Text, names: frozenset[str]
) -> Routine | None:
    """Return the routine whose phrase a sentence is; None for other sentences."""
    own = (routine_of(each, names) for each in entries if each.language == text.code)
    return next((each for each in own if each and each.is_said(text)), None)


def with_weekday(note: Text, day: Text) -> str | None:
    """Return a note with another weekday; None unless `day` is one, and the note has one."""
    found = _weekdays(note)
    if len(found) != 1 or _weekdays(day) != [(0, len(day))]:
        return None
    [(start, end)] = found
    return f"{note[:start]}{day}{note[end:]}"


def _weekdays(text: Text) -> Sequence[tuple[int, int]]:
    """Return where the names of weekdays begin and end in a text."""
    pattern = text.patterns.pattern("{weekdays}")
    line = TokenSequence.of(text, text.patterns.numbers)
    origin = text.tokens[0].start if text.tokens else 0
    return [
        (token.start - origin, token.end - origin)
        for at, token in enumerate(line.tokens)
        if line.end_of(pattern, at) == at + 1
    ]


def facts_for(
    entries: Iterable[NotebookEntry], text: Text, *, asks: bool
) -> Sequence[NotebookEntry]:
    """Return the few notes that a model may need for a sentence; `asks`: it is no command."""
    wanted = content_words(text)
    found: list[tuple[int, NotebookEntry]] = []
    for each in entries:
        known = content_words(each.content)
        shared = sum(any(_is_form(word, other, text.code) for other in known) for word in wanted)
        if shared > (0 if asks else 1):
            found.append((shared, each))
    best = [each for _, each in sorted(found, key=lambda one: -one[0])[:_FACTS]]
    return [
        each
        for at, each in enumerate(best)
        if sum(len(one.text) for one in best[: at + 1]) <= _CHARACTERS
    ]


def _is_form(word: str, other: str, code: str) -> bool:
    """Return True if two words are forms of one, as far as letters show that."""
    short, long = sorted((word, other), key=len)
    is_longer = (
        len(short) >= _SHORT
        and long.startswith(short)
        and len(long) - len(short) <= 1 + (len(short) > _SHORT)
    )
    return is_longer or is_alike(word, other) or is_case_of(word, other, code)


def _has_time(text: Text) -> bool:
    """Return True if a text has a time expression, or the name of a month."""
    patterns = text.patterns
    line = TokenSequence.of(text, patterns.numbers)
    has_month = any(token.text in patterns.values.get("months", {}) for token in line.tokens)
    return has_month or any(True for _ in line.find_all(patterns.time_index))
