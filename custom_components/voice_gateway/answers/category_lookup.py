"""What is meant by the word for its kind alone, or by that and its place: "the heating in the hall"."""

from collections.abc import Sequence

from ..home.exposed import Exposed
from ..nlu.categories import find_categories
from ..nlu.subject_linking import EntityFilter, SubjectLinker
from ..nlu.tokenizer import Text


def only_of_kind(subject: Text, things: SubjectLinker, fits: EntityFilter) -> Sequence[Exposed]:
    """Return the only entity of a kind that fits, where it was said to be; else none."""
    match find_categories(subject):
        case [kind]:
            others = (
                {*kind.modifiers, *subject.words} - {*kind.words} - subject.language.function_words
            )
            areas = things.areas(" ".join(sorted(others)))
            found = [
                each
                for each in filter(fits, things.home.entities)
                if each.domain in kind.domains and (not others or each.area in areas)
            ]
            return found if len(found) == 1 else ()
    return ()
