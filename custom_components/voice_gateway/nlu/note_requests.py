"""Requests to the notebook, parsed with the table `notebook` of each language."""

from enum import StrEnum

from .clause import DialogueAct
from .follow_ups import FullSentenceMatcher
from .tokenizer import Text
from .utterance import parse_once


class NoteRequest(StrEnum):
    """A request to the notebook; the values are the lists' names in `languages/`.

    Of an ambiguous sentence, it is the first.
    """

    REMEMBER = "remember"
    REMEMBER_FACT = "remember_fact"
    """Without a conjunction: a request only if a statement follows, not "remember the milk"."""
    REMEMBER_ANSWER = "remember_answer"
    """Remember the last answer."""
    CORRECT = "correct"
    """Another weekday for the note of the last answer."""
    FORGET_LAST = "forget_last"
    FORGET = "forget"
    FORGET_MAYBE = "forget_maybe"
    """The words may mean something else."""
    NAMING = "naming"
    """Another name for a device: the words are its name, and the new one."""
    ROUTINES = "routines"
    """List the routines."""
    LISTING = "listing"
    ABOUT = "about"
    """Ask for the notes about something."""
    WHEN = "when"
    """A question for a time, that a note may answer."""
    QUESTION = "question"
    """Any other question that a note may answer."""

    @classmethod
    def parse(cls, text: Text) -> tuple[NoteRequest, Text] | None:
        """Return the request and its open words; None if the whole sentence is none."""
        return _NoteParser(text).parse()


class _NoteParser(FullSentenceMatcher):
    """Parses a sentence that may be a request to the notebook."""

    def __init__(self, text: Text) -> None:
        """Take a sentence."""
        super().__init__(text)
        self._beginnings = self._with_joints

    def parse(self) -> tuple[NoteRequest, Text] | None:
        for act in NoteRequest:
            words = self._whole(self._known.notebook.get(act, ()))
            if words is None:
                continue
            if act is NoteRequest.REMEMBER_FACT and not _is_statement(words):
                continue
            return act, FullSentenceMatcher(words).without_polite_end or words
        return None


def _is_statement(text: Text) -> bool:
    has_verb = text.says("notebook.facts")
    return has_verb or parse_once(str(text), text.code, frozenset())[1].act is DialogueAct.STATEMENT
