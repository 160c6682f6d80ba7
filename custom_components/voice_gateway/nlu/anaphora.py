"""Anaphora: pronouns and verb endings that refer to an earlier mention or command."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final, Self

from .tokenizer import Text
from .tokens import fold

_MOST: Final = 12
"""The most words of a command with an anaphor that are resolved."""


class Anaphora:
    """The anaphoric expressions of a text, found once per text."""

    def __init__(self, text: Text) -> None:
        """Take an utterance or a part of it."""
        self.text = text
        self._known = text.patterns

    @classmethod
    def of(cls, text: Text) -> Self:
        """Return the anaphora of a text."""
        return text.layer(cls)

    @property
    def refers_back(self) -> bool:
        """Whether the text has an anaphor: a pronoun ("it") or a verb ending."""
        return bool(self._places)

    @cached_property
    def rest(self) -> Text:
        """The text without its anaphors."""
        said = (each for at, each in enumerate(self.text.spoken) if at not in self._places)
        return self.text.alike(" ".join(said))

    @cached_property
    def _places(self) -> frozenset[int]:
        """The indexes of the anaphors in `spoken`.

        A pronoun that may be an article ("die", "la") counts only behind a verb's hyphen:
        "éteins-la". One that may be a possessive has to stand alone: "send her", not "her lamp".
        """
        language, known = self.text.language, self._known
        alone = known.pronouns - language.function_words
        whose = language.forms.get("whose", ())
        follows = language.function_words | language.conjunctions | known.states
        follows |= known.words_of("again") | {""}
        said = [each.casefold() for each in self.text.spoken]
        return frozenset(
            at
            for at, (word, after) in enumerate(pairwise((*said, "")))
            if word in alone
            or known.verb_stem(word)
            or (word in whose and after in follows)
            or (word in known.pronouns and at and f"{said[at - 1]}-{word}" in self._hyphenated)
        )

    @cached_property
    def _hyphenated(self) -> frozenset[str]:
        """Verbs with the pronouns that a hyphen joins to them."""
        parts = self.text.casefold().replace("\u2010", "-").replace("\u2011", "-").split()
        pairs = (pair for part in parts for pair in pairwise(part.strip(",.;:!?").split("-")))
        return frozenset(
            f"{verb}-{word}" for verb, word in pairs if fold(verb) in self._known.verbs
        )

    @property
    def names_another(self) -> bool:
        """Whether the text names an alternative: "apaga la otra", but not "otra vez"."""
        again = {
            each for span in self.text.spans("again") for each in self.text.words[slice(*span)]
        }
        return not (self._known.single_words("alternatives") - again).isdisjoint(self.text.words)

    @property
    def means_all(self) -> bool:
        """Whether the text refers to all that was mentioned: "them", "both"."""
        whole = self._known.single_words("universal_quantifiers") | self._known.words_of("them")
        listed = self.text.language.forms.get("them", ())
        endings = tuple(each[1:] for each in listed if each.startswith("-"))
        return any(word in whole or word.endswith(endings) for word in self.text.words)

    @property
    def repeats_state(self) -> bool:
        """Whether the text only repeats a state: "and off again"."""
        known, said = self._known, {*self.text.words}
        left = said - known.words_of("again") - known.single_words("conjunctions")
        doing = known.verbs | known.states
        empty = self.text.language.function_words
        return len(left) < len(said) and bool(left & doing) and left <= doing | empty

    def with_name(self, name: str, before: Text | None = None) -> Iterator[str]:
        """Yield the command with a device's name in the place of its anaphor.

        Args:
            name: the name of the device.
            before: the preceding command, which may have the verb: "turn on the garden light".
        """
        again = self._known.words_of("again")
        said = [word for word in self.text.spoken if fold(word) not in again]
        earlier = before.spoken if before else ()
        if not said or len(said) + len(earlier) > 2 * _MOST:
            return
        for place, word in enumerate(said):
            if word.casefold() in self._known.pronouns:
                yield _joined(said[:place], [name], said[place + 1 :])
            elif verb := self._known.verb_stem(word.casefold()):
                yield _joined(said[:place], [verb, name], said[place + 1 :])
        yield _joined(said, [name])
        for place in range(len(earlier)):
            yield _joined(earlier[:place], said, earlier[place + 1 :])

    def in_command(self, before: Text) -> Iterator[str]:
        """Yield the preceding command with this text in it: "... off at six, and the fan at ten".

        Only verbs, states and function words of that command are kept.
        """
        said, earlier, known = self.text.spoken, before.spoken, self._known
        if not said or len(earlier) > _MOST:
            return
        doing = known.verbs | known.states | self.text.language.function_words
        stays = [not doing.isdisjoint((fold(word), word.casefold())) for word in earlier]
        for first in range(len(earlier)):
            for end in range(first + 1, len(earlier) + 1):
                if all(stays[:first]) and all(stays[end:]) and not all(stays[first:end]):
                    yield _joined(earlier[:first], said, earlier[end:])


def _joined(*parts: Sequence[str]) -> str:
    return " ".join(word for part in parts for word in part)
