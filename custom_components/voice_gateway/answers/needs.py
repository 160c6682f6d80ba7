"""What somebody needs or has to do, as it stands on to-do lists that nobody names."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ..home.exposed import Exposed
from ..names.inflection import is_like_any
from ..names.matching import words
from ..nlu.phrase_patterns import patterns_of
from ..nlu.tokenizer import Text
from .phrasing import Phrasing
from .todo import TodoHandler
from .token_consumer import TokenConsumer

_FEW: Final = 5
"""Items that are told to who asks what there is to do."""


class NeedsHandler:
    """Answers "do we need coffee", "who do I have to call", "what do I need to buy".

    - What is looked for is found where all of its words are in an item; where it is on no list,
      nobody knows whether it is needed.
    - What is to be bought are the items that say so, and those of lists that are called so.
    """

    def __init__(self, lists: TodoHandler, phrasing: Phrasing) -> None:
        """Take the lists that are exposed, and the words for an answer."""
        self._lists = lists
        self._phrasing = phrasing
        self._known = patterns_of(phrasing.language.code)

    async def async_answer(self, text: Text) -> str | None:
        """Return the answer to a question without the words of its span; None where none is certain."""
        said = TokenConsumer(text, self._known)
        is_what = said.says("which", "who", "whom", "value")
        if not said.says("needs"):
            return None
        is_of_tasks = said.says("entries")
        is_buying = said.says("buying")
        said.says("shops", "any_item", "some", "speaker")
        items = await self._lists.async_all()
        if said.left:
            found = _with(items, said.left)
        elif is_buying:
            found = self._to_buy(items)
        elif is_of_tasks:
            found = {each: all_ for each, all_ in items.items() if not self._is_of_shop(each)}
            if any(len(each) > _FEW for each in found.values()):
                return None
        else:
            return None
        told = [self._phrasing.items(each.names[0], some) for each, some in found.items() if some]
        if not told:
            return None
        found_text = ". ".join(told)
        return found_text if is_what or not said.left else self._phrasing.yes(True, found_text)

    def _to_buy(self, items: Mapping[Exposed, Sequence[str]]) -> Mapping[Exposed, Sequence[str]]:
        return {
            entity: all_
            if self._is_of_shop(entity)
            else [
                each
                for each in all_
                if TokenConsumer(Text(each, self._known.language.code), self._known).says("buying")
            ]
            for entity, all_ in items.items()
        }

    def _is_of_shop(self, entity: Exposed) -> bool:
        return any(
            TokenConsumer(Text(name, self._known.language.code), self._known).says("of_shop")
            for name in entity.names
        )


def _with(
    items: Mapping[Exposed, Sequence[str]], topic: Iterable[str]
) -> Mapping[Exposed, Sequence[str]]:
    """Return the items that have all of some words."""
    wanted = [*topic]
    return {
        entity: [
            each for each in all_ if all(is_like_any(w, frozenset(words(each))) for w in wanted)
        ]
        for entity, all_ in items.items()
    }
