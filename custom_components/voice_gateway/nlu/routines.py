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
_MARKS = " ,;:.!"


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

        All its clauses are commands, which have in common the time that the user says the phrase.
        """
        clauses = parsed.clauses
        shared = [each for each in clauses[0].times if all(each in one.times for one in clauses)]
        if any(each.act is not DialogueAct.COMMAND for each in clauses):
            return None
        for time in shared:
            if (phrase := _PhraseMatcher(time.condition).phrase) is not None:
                before, _, behind = text.partition(time.text)
                if not phrase:
                    # "When I say start my day, open the blinds": the phrase has a verb.
                    said, _, behind = behind.partition(",")
                    phrase = _unquoted(text.alike(said))
                sentence = text.alike((behind.strip(_MARKS) or before).strip(_MARKS))
                return cls(phrase, sentence) if _is_free(phrase) and sentence.words else None
        return None

    def is_said(self, text: Text) -> bool:
        """Return True if a sentence is its phrase, besides polite words."""
        said, own = (
            {each.words for each in FullSentenceMatcher(one).cores} for one in (text, self.phrase)
        )
        return not said.isdisjoint(own)


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
