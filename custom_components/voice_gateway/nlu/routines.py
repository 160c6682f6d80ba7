"""Routines: "when I say movie time, turn off the lights and close the blinds"."""

from dataclasses import dataclass
from typing import Self

from .clause import DialogueAct, ParsedText
from .follow_ups import FollowUpParser, FullSentenceMatcher
from .replies import Reply, classify_reply
from .tokenizer import Text
from .utterance import parse_once

_MOST = 8
"""The most words of a phrase."""


@dataclass(frozen=True, slots=True)
class Routine:
    """A phrase of the user's own, and the sentence that it stands for."""

    phrase: Text
    sentence: Text

    @classmethod
    def parse(cls, text: str, code: str, names: frozenset[str]) -> Self | None:
        """Return the routine in a text of a language, in a home with some names."""
        return cls.of(*parse_once(text, code, names))

    @classmethod
    def of(cls, text: Text, parsed: ParsedText) -> Self | None:
        """Return the routine in a sentence; None if it has none, or its phrase means something else.

        All its clauses are commands, whose first time is that the user says the phrase.
        """
        times = {each.times[:1] for each in parsed.clauses}
        if not all(each.act is DialogueAct.COMMAND for each in parsed.clauses) or len(times) != 1:
            return None
        [first] = times
        phrase = _PhraseMatcher(first[0].condition).phrase if first else None
        if phrase is None:
            return None
        before, _, behind = text.partition(first[0].text)
        if not phrase:
            # "When I say start my day, open the blinds": the phrase has a verb.
            said, _, behind = behind.partition(",")
            phrase = _unquoted(text.alike(said))
        sentence = text.alike(f"{before} {behind}".strip(" ,;:.!"))
        return cls(phrase, sentence) if _is_free(phrase) and sentence.words else None

    def is_said(self, text: Text) -> bool:
        """Return True if a sentence is its phrase, besides polite words."""
        said = FullSentenceMatcher(text).without_polite_end
        return self.phrase.words in (text.words, said.words)


class _PhraseMatcher(FullSentenceMatcher):
    """Finds the phrase in a condition: "I say movie time"."""

    @property
    def phrase(self) -> Text | None:
        found = self._whole(self._known.notebook.get("routine", ()))
        return None if found is None else _unquoted(found)


def _unquoted(phrase: Text) -> Text:
    return phrase.alike(phrase.strip("\"'“”„«» "))


def _is_free(phrase: Text) -> bool:
    """Return True unless a phrase is long, or a reply, or about the last action: "stop"."""
    return (
        0 < len(phrase.words) <= _MOST
        and not phrase.function_words.issuperset(phrase.words)
        and classify_reply(phrase, ()) is Reply.OTHER
        and FollowUpParser(phrase).parse() is None
    )
