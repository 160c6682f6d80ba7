"""Things that are taken back for others: "turn off the lamp, no, the fan"."""

from collections.abc import Iterator, Sequence

from .tagged import Tagged

_DOES = ("verbs", "states", "requests", "wishes", "orders")


def corrected(tagged: Tagged, own: Sequence[int]) -> Iterator[tuple[range, range]]:
    """Yield the words for a thing that is taken back, and those by which it is, up to the thing meant.

    `own` are a clause's tokens without those of its moments.
    """
    fillers = tagged.known.language.fillers
    for first, end in tagged.forms("corrects", own):
        before = _behind(tagged, first)
        begins = before
        while begins > own[0] and begins - 1 in own and not _is_other(tagged, begins - 1):
            begins -= 1
        while (
            begins > own[0]
            and tagged.line.tokens[begins - 1].text in fillers
            and not tagged.form("states", begins - 1)
        ):
            begins -= 1
        meant = end
        while meant < len(tagged) and (
            tagged.is_comma(meant)
            or tagged.form("contrast", meant)
            or tagged.line.tokens[meant].text in fillers
        ):
            meant += 1
        is_thing = any(map(tagged.is_thing, range(begins, before)))
        if is_thing and meant in own and _begins_thing(tagged, meant):
            yield range(begins, before), _with_marks(tagged, first, end)


def _behind(tagged: Tagged, index: int) -> int:
    """Return where a thing ends before a token, without what is to become of it: "the lamp off, no"."""
    while index and (tagged.line.tokens[index - 1].is_mark or tagged.form("states", index - 1)):
        index -= 1
    return index


def _with_marks(tagged: Tagged, first: int, end: int) -> range:
    while tagged.line.tokens[first - 1].is_mark:
        first -= 1
    while tagged.is_comma(end):
        end += 1
    return range(first, end)


def _is_other(tagged: Tagged, index: int) -> bool:
    """Tell whether a token belongs to no thing: an article, a verb, a mark."""
    token = tagged.line.tokens[index]
    is_said = token.is_mark or token.text in tagged.known.language.fillers
    return is_said or tagged.is_joint(index) or any(tagged.form(form, index) for form in _DOES)


def _begins_thing(tagged: Tagged, first: int) -> bool:
    """Tell whether words say a thing from a token on, before anything else."""
    for index in range(first, len(tagged)):
        if tagged.is_thing(index):
            return True
        if tagged.is_inside(index) or _is_other(tagged, index):
            return False
    return False
