"""Follow-ups: whether a sentence undoes, repeats or adjusts the last action.

Like what is said of plans, it is read from data, the table `follow_ups` of each language.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from .full_match import FullSentenceMatcher
from .replies import begins_with_denial
from .tokenizer import NOTHING, Text

_LONGEST: Final = 120
"""Characters: longer ones follow up on nothing, and would be looked at for long."""


class FollowUpAct(StrEnum):
    """What somebody wants of what was done last; the values are the lists' names in `languages/`.

    Where a sentence may be two of them, it is the first.
    """

    UNDO = "undo"
    SAY_AGAIN = "say_again"
    TOLD = "told"
    """What was done."""
    NOTHING = "nothing"
    THANKS = "thanks"
    STOP = "stop"
    OTHERS = "others"
    """The same with all others of the kind that are there."""
    OTHER = "other"
    """The same with the only other one of its kind there."""
    BRIGHTER = "brighter"
    DARKER = "darker"
    WARMER = "warmer"
    COOLER = "cooler"
    LOUDER = "louder"
    QUIETER = "quieter"
    MORE = "more"
    LESS = "less"
    ALSO = "also"
    """The same somewhere else, too."""
    INSTEAD = "instead"
    """The same somewhere else, and not where it was done."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What a sentence wants of what was done last."""

    act: FollowUpAct
    which: Text = NOTHING
    """The words that say with what, or where."""
    is_instead: bool = False
    """What was done is not wanted: "no, the other one"."""


class FollowUpParser(FullSentenceMatcher):
    """A sentence of a language that has words for what was done, else nothing is read in it."""

    def parse(self) -> FollowUp | None:
        """Return what it wants of what was done last; None where not all of it says such."""
        if not self._is_read or len(self._line.source) > _LONGEST:
            return None
        for follow in FollowUpAct:
            which = self._whole(self._known.follow_ups.get(follow, ()))
            if which is not None:
                is_instead = follow is FollowUpAct.INSTEAD or begins_with_denial(self._line.source)
                return FollowUp(follow, self._without_polite(which), is_instead)
        return None

    def _without_polite(self, which: Text) -> Text:
        """Return the words that say which, without polite ones behind them: "the lamp please"."""
        words = FullSentenceMatcher(which)
        return words.without_polite_end or which
