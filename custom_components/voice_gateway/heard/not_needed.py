"""Why something is to be removed: "delete the note, it isn't needed any more"."""

from typing import Final

from .phrases import replying, says
from .referring import without_endings
from .tagged import Tagged

_LEADS: Final = 2
"""Words among which the reason begins: an article may stand before it, "they" or "already"."""


def not_needed(tagged: Tagged, own: range) -> bool:
    """Tell whether a clause only says that what is to be removed is not needed any more.

    Behind any other command it may take that back: "turn on the fan, it isn't needed any more"; and
    so it does behind a no.
    """
    spans = tagged.forms("no_longer", own[:_LEADS])
    if all(end != own.stop for _, end in spans) or any(map(tagged.is_thing, own)):
        return False
    first = next((at + 1 for at in range(own.start - 1, -1, -1) if tagged.is_stop(at)), 0)
    before = tagged.line.spoken(range(first, own.start))
    code = tagged.known.language.code
    removes = says(without_endings(before, code), replying(code, "removes"))
    return removes and not _follows_a_no(tagged, own.start)


def _follows_a_no(tagged: Tagged, first: int) -> bool:
    """Tell whether a no is right before a token, but for marks."""
    said = (at + 1 for at in range(first - 1, -1, -1) if not tagged.line.tokens[at].is_mark)
    end = next(said, 0)
    return any(
        until == end
        for pattern in tagged.known.replies.get("no", ())
        for _, until in tagged.line.find(pattern)
    )
