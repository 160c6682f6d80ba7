"""Fuzzy names: misheard names of the home."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
import re
from typing import Final

from ..home.exposed import Home
from ..names.inflection import is_case_of
from ..names.matching import words
from ..names.phonetics import at_least_unlike, sound, unlikeness, without_shared
from .tokenizer import Text

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MOST: Final = 14
"""The most words of a sentence; in a longer one too much sounds like a name."""
_NAMES: Final = 300
"""The most names of a home; among more, too many sound alike, and a search takes half a second."""
_MORE: Final = 2
"""Words by which a misheard part may be longer or shorter than a name."""
_SHARE: Final = 0.4
"""The largest share of different sounds; unrelated names differ in more."""
_SOUNDS: Final = 2.5
"""The most different sounds, however long the name is."""
_SHORTEST: Final = 3
"""The fewest sounds of a misheard part: two letters sound like anything."""
_HOMOPHONE: Final = 0.15
"""The largest distance of homophones: only doubled letters differ."""
_APART: Final = 1.0
"""The lead in sounds that a name needs over the next one."""


@dataclass(frozen=True, slots=True)
class PhoneticCandidate:
    """A possible correction of a misheard sentence."""

    text: str
    name: str
    """The name of the home in it."""
    unlike: float
    """The distance between the name and the misheard words, in sounds."""
    misheard: Sequence[str]
    """The misheard words, which the name does not have."""
    is_form: bool = False
    """They are inflected forms of the name's words, not misheard."""

    @property
    def sounds_the_same(self) -> bool:
        """Whether the name and the words are homophones, or differ only in case endings."""
        return self.unlike <= _HOMOPHONE

    def rivalled_by(self, other: PhoneticCandidate) -> bool:
        """Return True if another name is as likely; a homophone's rivals are homophones."""
        if self.sounds_the_same:
            return other.sounds_the_same
        return other.unlike < self.unlike + _APART


def find_phonetic_candidates(
    text: Text, home: Home, numbers: Mapping[int, str]
) -> Sequence[PhoneticCandidate]:
    """Return a sentence with each name that a part of it sounds like, the likeliest first.

    Numbers are compared as words, which `numbers` has.
    """
    sentence = _Sentence(text, text.language.code, numbers)
    names = [*_names(home)]
    if len(sentence.places) > _MOST or len(names) > _NAMES:
        return ()
    found = [each for name in names for each in sentence.naming(name)]
    return sorted(found, key=lambda each: (each.unlike, -len(each.name)))


class _Sentence:
    """The words of a sentence, to be compared with names."""

    def __init__(self, text: str, code: str, numbers: Mapping[int, str]) -> None:
        """Take the sentence, the code of its language, and the words for numbers."""
        self._text = text
        self._code = code
        self._numbers = numbers
        self._counts = {word for spoken in numbers.values() for word in words(spoken)}
        said = [*_WORD.finditer(text)]
        self._heard = [self._spelled(each[0]) for each in said]
        self.places = [each.span() for each in said]

    def naming(self, name: str) -> Iterator[PhoneticCandidate]:
        """Yield the sentence with a name in the place of each part that sounds like it."""
        own = self._spelled(name)
        for start, end in _places(len(self._heard), len(own)):
            there = [word for each in self._heard[start:end] for word in each]
            misheard, meant = without_shared(there, own)
            is_form = self._are_forms(misheard, meant)
            unlike = 0.0 if is_form else self._unlike(misheard, meant)
            if unlike is None:
                continue
            before, after = (
                self._text[: self.places[start][0]],
                self._text[self.places[end - 1][1] :],
            )
            mended = f"{before}{name}{after}".rstrip(" .!?…")
            if words(mended) != words(self._text):
                yield PhoneticCandidate(mended, name, unlike, misheard, is_form)

    def _are_forms(self, utterance: Sequence[str], meant: Sequence[str]) -> bool:
        """Return True if words differ from those of a name, one by one, only in case endings."""
        return len(utterance) == len(meant) > 0 and all(
            one == other or is_case_of(one, other, self._code)
            for one, other in zip(utterance, meant, strict=True)
        )

    def _unlike(self, utterance: Sequence[str], meant: Sequence[str]) -> float | None:
        """Return the distance between misheard words and a name in sounds; None if it is too large.

        The arguments exclude the shared words: of "porch light" only the porch is compared with the
        kitchen.
        """
        if not (utterance or meant):
            return 0.0
        # A number may be misheard for a word, but hardly for another number.
        if not (self._counts.isdisjoint(utterance) or self._counts.isdisjoint(meant)):
            return None
        one, other = sound(" ".join(utterance), self._code), sound(" ".join(meant), self._code)
        longest = max(len(one), len(other))
        if not (one and other) or abs(len(one) - len(other)) > longest * _SHARE * 2:
            return None
        most = min(longest * _SHARE, _SOUNDS)
        if at_least_unlike(one, other) > most:
            return None
        unlike = unlikeness(one, other, most)
        is_short = min(len(one), len(other)) < _SHORTEST and unlike > _HOMOPHONE
        return None if is_short or unlike > most else unlike

    def _spelled(self, text: str) -> Sequence[str]:
        """Return the words of a text, with numbers as words."""
        spelled = (
            words(self._numbers.get(int(word), word)) if word.isdecimal() else (word,)
            for word in words(text)
        )
        return [word for each in spelled for word in each]


def _names(home: Home) -> Iterator[str]:
    """Yield the names of devices that can be controlled, areas and floors."""
    names: dict[str, None] = {}
    for entity in home.entities:
        if not entity.is_read_only:
            names.update(dict.fromkeys(entity.names))
    for area in home.areas.values():
        names.update(dict.fromkeys((area.name, *area.aliases)))
    for floor in home.floors.values():
        names.update(dict.fromkeys((floor.name, *floor.aliases)))
    yield from names


def _places(count: int, own: int) -> Iterator[tuple[int, int]]:
    """Yield the spans that a name of `own` words may take among `count` words."""
    for start in range(count):
        for length in range(max(1, own - _MORE), own + _MORE + 1):
            if start + length <= count:
                yield start, start + length
