"""Reasons for removing something: "delete the note, it isn't needed any more"."""

from typing import Final

from .anaphora import strip_clitics
from .annotations import AnnotatedText
from .phrases import contains_phrase, reply_phrases

_LEADS: Final = 2
"""Words among which the reason begins: an article may stand before it, "they" or "already"."""


def is_removal_reason(annotated: AnnotatedText, own: range) -> bool:
    """Return True if a clause only says that what is to be removed is not needed any more.

    Behind any other command it may take that back: "turn on the fan, it isn't needed any more"; and
    so it does behind a no.
    """
    spans = annotated.spans_among("no_longer", own[:_LEADS])
    if all(end != own.stop for _, end in spans) or any(map(annotated.is_thing, own)):
        return False
    first = next((at + 1 for at in range(own.start - 1, -1, -1) if annotated.is_stop(at)), 0)
    before = annotated.sequence.surface(range(first, own.start))
    code = annotated.patterns.language.code
    removes = contains_phrase(strip_clitics(before), reply_phrases(code, "removes"))
    return removes and not _follows_a_no(annotated, own.start)


def _follows_a_no(annotated: AnnotatedText, first: int) -> bool:
    """Return True if a no is right before a token, but for marks."""
    said = (at + 1 for at in range(first - 1, -1, -1) if not annotated.sequence.tokens[at].is_mark)
    end = next(said, 0)
    return any(
        until == end
        for pattern in annotated.patterns.replies.get("no", ())
        for _, until in annotated.sequence.find(pattern)
    )
