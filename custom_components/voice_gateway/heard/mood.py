"""Whether a clause is a command, a question or a report."""

from collections.abc import Sequence

from .said import Mood
from .tagged import Tagged

_MARK = "?"


def mood_of(tagged: Tagged, left: Sequence[int], *, asked: bool, led: bool) -> Mood:
    """Return what a clause is.

    Args:
        tagged: the sentence.
        left: the clause's tokens without its moments.
        asked: it ends with a question mark.
        led: a moment stands before it. Then a verb at the beginning asks nothing: "tomorrow
            shall...", "wenn es dunkel ist, soll...".
    """
    start = beginning(tagged, left)
    if not start:
        return Mood.UNKNOWN
    first = start[0]
    # "Ho spento la luce" is a question only where it is asked.
    reports = tagged.form("reports", first) or tagged.form("unsure", first)
    begun = _by_beginning(tagged, left, first, asked or not (led or reports))
    return begun or _by_words(tagged, left, start, asked)


def _by_beginning(tagged: Tagged, left: Sequence[int], first: int, may_ask: bool) -> Mood | None:
    """Return what a clause is by its first word, if that tells."""
    if tagged.form("asking", first):
        return Mood.QUESTION
    if _has(tagged, "requests", left):
        return Mood.COMMAND
    if tagged.form("questions", first) or (may_ask and tagged.form("inverted", first)):
        return Mood.QUESTION
    if _has(tagged, "wishes", left) or tagged.form("verbs", first):
        return Mood.COMMAND
    return None


def _by_words(tagged: Tagged, left: Sequence[int], start: Sequence[int], asked: bool) -> Mood:
    """Return what a clause is whose first word does not tell."""
    reports = tagged.form("reports", start[0]) or _has(tagged, "be", start[1:])
    if asked:
        return Mood.QUESTION
    if _has(tagged, "unsure", left):
        return Mood.UNKNOWN
    if reports:
        return Mood.STATEMENT
    commands = any(_has(tagged, form, left) for form in ("verbs", "states", "not"))
    return Mood.COMMAND if commands or tagged.form("not_first", start[0]) else Mood.UNKNOWN


def _has(tagged: Tagged, form: str, left: Sequence[int]) -> bool:
    return any(True for _ in tagged.forms(form, left))


def beginning(tagged: Tagged, left: Sequence[int]) -> list[int]:
    """Return a clause's tokens from the first on that is no mark, joint or polite word."""
    end = 0
    for place, index in enumerate(left):
        if index < end:
            continue
        if tagged.form("asking", index):
            return [*left[place:]]
        end = max(tagged.form("polite", index), tagged.form("requests", index))
        if end or tagged.line.tokens[index].is_mark or tagged.is_joint(index):
            continue
        return [*left[place:]]
    return []
