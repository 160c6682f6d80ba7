"""What is meant by the word for its kind alone, or by that and its place: "the heating in the hall"."""

from collections.abc import Sequence

from ..heard.kinds import kinds
from ..heard.things import Fits, Things
from ..home.exposed import Exposed
from ..languages import Language
from ..names.matching import words


def only_of_kind(subject: str, language: Language, things: Things, fits: Fits) -> Sequence[Exposed]:
    """Return the only entity of a kind that fits, where it was said to be; else none."""
    match kinds(subject, language.code):
        case [kind]:
            others = {*kind.tells, *words(subject)} - {*kind.words} - language.fillers
            areas = things.areas(" ".join(sorted(others)))
            found = [
                each
                for each in filter(fits, things.home.entities)
                if each.domain in kind.domains and (not others or each.area in areas)
            ]
            return found if len(found) == 1 else ()
    return ()
