"""Questions of what there is, and commands that are joined to them: "what's on today, and lock up"."""

from collections.abc import Iterator
from typing import Final

from .clauses import Stretch
from .mood import beginning
from .said import Mood
from .tagged import Tagged

_ASKS: Final = ("news", "looks_up")
_DOES: Final = ("requests", "wishes", "persons")
"""What could do what is joined to a question: "what is there to close and to lock"."""
_BEGINS: Final = ("verbs", "fronted", "bids")


def orders_beside(
    tagged: Tagged, asked: Stretch, stretch: Stretch, mood: Mood, *, refers_back: bool
) -> bool:
    """Tell whether a clause behind a question by "and" is a command, and asks nothing itself.

    Args:
        tagged: the sentence.
        asked: the question.
        stretch: the clause behind it, and what it is:
        mood: a command, or what may be one, and
        refers_back: whether it speaks of what was named before it.
    """
    if asked.asked or not orders(tagged, stretch, mood):
        return False
    return (
        _asks_for_news(tagged, asked)
        or (refers_back and _asks_which(tagged, asked))
        or (_is_looked_up(tagged, asked) and _orders_surely(tagged, stretch))
    )


def _is_looked_up(tagged: Tagged, asked: Stretch) -> bool:
    """Tell whether a question is an order to look something up: "find out how long beans boil"."""
    start = beginning(tagged, _range(asked))
    return bool(start) and any(tagged.form(form, start[0]) for form in ("looks_up", "bids"))


def _orders_surely(tagged: Tagged, stretch: Stretch) -> bool:
    """Tell whether the first word of a clause orders, and can't go on with what is asked."""
    start = beginning(tagged, _range(stretch))
    return bool(start) and tagged.form("bids_surely", start[0]) > 0


def orders(tagged: Tagged, stretch: Stretch, mood: Mood) -> bool:
    """Tell whether a clause is a command by its first word."""
    start = beginning(tagged, _range(stretch))
    begins = bool(start) and any(tagged.form(form, start[0]) for form in _BEGINS)
    return mood is Mood.COMMAND and begins


def _asks_for_news(tagged: Tagged, asked: Stretch) -> bool:
    """Tell whether a question asks only what there is, of something that can do nothing itself."""
    ends = [end for form in _ASKS for _, end in tagged.forms(form, _range(asked))]
    if not ends:
        return False
    after = range(max(ends), asked.end)
    # Right behind a question's word, a verb is that of its subject: "cuándo abre el museo".
    does = any(True for _ in _verbs(tagged, after[1:]))
    return not does and not any(True for form in _DOES for _ in tagged.forms(form, after))


def _verbs(tagged: Tagged, among: range) -> Iterator[int]:
    """Yield the verbs of commands, but for words that are a preposition there, or a noun.

    "Qué tiempo da para hoy", "what is in my water".
    """
    fillers = tagged.known.language.fillers
    for index, _ in tagged.forms("verbs", among):
        before = tagged.line.tokens[index - 1].text
        is_pronoun = before in tagged.known.language.forms.get("pronouns", ())
        is_noun = before in fillers and not is_pronoun and not tagged.form("subjects", index - 1)
        if not is_noun and tagged.line.tokens[index].text not in fillers:
            yield index


def _asks_which(tagged: Tagged, asked: Stretch) -> bool:
    """Tell whether something is to be looked up by its name: "see which lamps are to be on".

    What is joined to that has no "them", and a command for what is found has.
    """
    own = _range(asked)
    ends = {end for _, end in tagged.forms("looks_up", own)}
    is_which = any(end in ends for _, end in tagged.forms("which", own))
    return is_which and not any(each.opens and each.first in own for each in tagged.pieces)


def _range(stretch: Stretch) -> range:
    return range(stretch.first, stretch.end)
