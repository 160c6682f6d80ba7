"""Things that are taken back for others: "turn off the lamp, no, the fan"."""

from collections.abc import Iterator, Sequence

from .line import NAME
from .tagged import Tagged

_DOES = ("verbs", "states", "requests", "wishes", "orders")


def corrected(tagged: Tagged, own: Sequence[int]) -> Iterator[tuple[range, range]]:
    """Yield the words for a thing that is taken back, and those by which it is, up to the thing meant.

    `own` are a clause's tokens without those of its moments. "The lamp, no, the one in the hall" takes
    no lamp back: it says which.
    """
    for first, end in tagged.forms("corrects", own):
        if (meant := _meant(tagged, end)) is None or meant not in own or first == own[0]:
            continue
        before = _behind(tagged, first)
        begins = _thing_before(tagged, own, before)
        thing = range(begins, before)
        taken_back = _with_marks(tagged, first, end)
        if _tells_which(tagged, end):
            yield thing if _tells_one(tagged, thing) else range(0), taken_back
        elif any(map(tagged.is_thing, thing)) or _is_where(tagged, thing):
            yield thing, taken_back


def is_correction(tagged: Tagged, first: int, at: int, after: int) -> bool:
    """Tell whether marks or joints, behind the words from `first`, belong to "no, rather the fan".

    "Not the lamp, I meant the fan" denies by its own words.
    """
    return any(
        end > at
        and _meant(tagged, end) is not None
        and not any(map(tagged.denies, range(first, begin)))
        for begin, end in tagged.forms("corrects", range(first + 1, after + 1))
    )


def _meant(tagged: Tagged, end: int) -> int | None:
    """Return where the thing begins that is meant instead, behind the words that correct."""
    if _tells_which(tagged, end):
        return end
    fillers = tagged.known.language.fillers
    meant = end
    while meant < len(tagged) and (
        tagged.is_comma(meant)
        or tagged.form("contrast", meant)
        or tagged.line.tokens[meant].text in fillers
    ):
        meant += 1
    return meant if _begins_thing(tagged, meant) else None


def _tells_which(tagged: Tagged, end: int) -> bool:
    """Tell whether it follows which one is meant, by where it is: "the one in the hall"."""
    while end < len(tagged) and tagged.is_comma(end):
        end += 1
    behind = tagged.form("the_one", end)
    return 0 < behind < len(tagged) and not tagged.line.tokens[behind].is_mark


def _thing_before(tagged: Tagged, own: Sequence[int], before: int) -> int:
    """Return where the thing begins that ends before a token, with its articles."""
    fillers = tagged.known.language.fillers
    begins = before
    while begins > own[0] and begins - 1 in own and not _is_other(tagged, begins - 1):
        begins -= 1
    while (
        begins > own[0]
        and tagged.line.tokens[begins - 1].text in fillers
        and not tagged.form("states", begins - 1)
    ):
        begins -= 1
    return begins


def _tells_one(tagged: Tagged, thing: range) -> bool:
    """Tell whether words are for one of a kind, by its name or by where it is: not "the lamp"."""
    known, fillers = tagged.known.kinds, tagged.known.language.fillers
    said = [tagged.line.tokens[index].text for index in thing]
    if NAME in said or _is_where(tagged, thing):
        return True
    is_kind = [each in known for each in said if each not in fillers]
    return any(is_kind) and not all(is_kind)


def _is_where(tagged: Tagged, thing: range) -> bool:
    """Tell whether words say where what stands before them is: "the lamp in the hall"."""
    return bool(thing) and thing.start > 0 and tagged.is_thing(thing.start - 1)


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
