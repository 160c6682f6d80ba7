"""Questions of what there is, and commands that are joined to them: "what's on today, and lock up"."""

from typing import Final

from .clauses import Stretch
from .mood import beginning
from .said import Mood
from .tagged import Tagged

_ASKS: Final = ("news", "looks_up")
_DOES: Final = ("requests", "wishes", "persons")
"""What could do what is joined to a question: "what is there to close and to lock"."""


def asks_for_news(tagged: Tagged, stretch: Stretch, mood: Mood) -> bool:
    """Tell whether a clause asks only what there is, of something that can do nothing itself."""
    if mood is not Mood.QUESTION or stretch.asked:
        return False
    own = range(stretch.first, stretch.end)
    ends = [end for form in _ASKS for _, end in tagged.forms(form, own)]
    if not ends:
        return False
    after = range(max(ends), stretch.end)
    # Right behind a question's word, a verb is that of its subject: "cuándo abre el museo".
    does = any(True for _ in tagged.forms("verbs", after[1:]))
    return not does and not any(True for form in _DOES for _ in tagged.forms(form, after))


def orders(tagged: Tagged, stretch: Stretch, mood: Mood) -> bool:
    """Tell whether a clause is a command by its first word."""
    start = beginning(tagged, range(stretch.first, stretch.end))
    return mood is Mood.COMMAND and bool(start) and tagged.form("verbs", start[0]) > 0
