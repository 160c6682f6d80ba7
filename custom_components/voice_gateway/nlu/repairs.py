"""Repairs: "turn off the lamp, no, the fan"."""

from collections.abc import Iterator, Sequence

from .annotations import AnnotatedText
from .tokens import NAME

_DOES = ("verbs", "states", "requests", "wishes", "orders")


def find_repairs(annotated: AnnotatedText, own: Sequence[int]) -> Iterator[tuple[range, range]]:
    """Yield the tokens of a repaired mention, and those of the repair up to the new mention.

    `own` are a clause's tokens without its times. "The lamp, no, the one in the hall" repairs
    nothing: it restricts the mention.
    """
    for first, end in annotated.spans_among("corrects", own):
        if _meant(annotated, end) is None or first == own[0]:
            continue
        before = _behind(annotated, first)
        begins = _thing_before(annotated, own, before)
        thing = range(begins, before)
        taken_back = _with_marks(annotated, first, end)
        if _tells_which(annotated, end):
            yield thing if _tells_one(annotated, thing) else range(0), taken_back
        elif annotated.names_thing(thing):
            yield thing, taken_back


def is_repair(annotated: AnnotatedText, first: int, at: int, after: int) -> bool:
    """Return True if marks or conjunctions behind `first` belong to a repair: "no, rather the fan".

    "Not the lamp, I meant the fan" is a negation of its own.
    """
    return any(
        end > at
        and _meant(annotated, end) is not None
        and not any(map(annotated.denies, range(first, begin)))
        for begin, end in annotated.spans_among("corrects", range(first + 1, after + 1))
    )


def _meant(annotated: AnnotatedText, end: int) -> int | None:
    """Return where the new mention begins, behind the words of a repair."""
    if _tells_which(annotated, end):
        return end
    tokens, fillers = annotated.sequence.tokens, annotated.patterns.language.function_words
    left = (at for at in range(end, len(tokens)) if tokens[at].text not in fillers)
    meant = next(left, len(tokens))
    for index in range(meant, len(tokens)):
        if annotated.is_thing(index):
            return meant
        if _is_other(annotated, index):
            break
    return None


def _tells_which(annotated: AnnotatedText, end: int) -> bool:
    """Return True if a restriction follows: "the one in the hall"."""
    while end < len(annotated) and annotated.is_comma(end):
        end += 1
    behind = annotated.span_end("the_one", end)
    return 0 < behind < len(annotated) and not annotated.sequence.tokens[behind].is_mark


def _thing_before(annotated: AnnotatedText, own: Sequence[int], before: int) -> int:
    """Return where the mention begins that ends before a token, with its articles."""
    fillers = annotated.patterns.language.function_words
    begins = before
    while begins > own[0] and not _is_other(annotated, begins - 1):
        begins -= 1
    while (
        begins > own[0]
        and annotated.sequence.tokens[begins - 1].text in fillers
        and not annotated.span_end("states", begins - 1)
    ):
        begins -= 1
    return begins


def _tells_one(annotated: AnnotatedText, thing: range) -> bool:
    """Return True if a mention is specific, by name or place: not "the lamp"."""
    known, fillers = annotated.patterns.category_words, annotated.patterns.language.function_words
    said = [annotated.sequence.tokens[index].text for index in thing]
    if NAME in said or _is_where(annotated, thing):
        return True
    is_kind = [each in known for each in said if each not in fillers]
    return any(is_kind) and not all(is_kind)


def _is_where(annotated: AnnotatedText, thing: range) -> bool:
    """Return True if words are the place of the mention before them: "the lamp in the hall"."""
    return bool(thing) and thing.start > 0 and annotated.is_thing(thing.start - 1)


def _behind(annotated: AnnotatedText, index: int) -> int:
    """Return where a mention ends before a token, without its desired state: "the lamp off, no"."""
    while index and (
        annotated.sequence.tokens[index - 1].is_mark or annotated.span_end("states", index - 1)
    ):
        index -= 1
    return index


def _with_marks(annotated: AnnotatedText, first: int, end: int) -> range:
    while annotated.sequence.tokens[first - 1].is_mark:
        first -= 1
    while annotated.is_comma(end):
        end += 1
    return range(first, end)


def _is_other(annotated: AnnotatedText, index: int) -> bool:
    """Return True if a token belongs to no mention: an article, a verb, a mark."""
    token = annotated.sequence.tokens[index]
    is_said = token.is_mark or token.text in annotated.patterns.language.function_words
    return is_said or annotated.begins(index, *_DOES)
