"""To-do lists: the items of a named list, and needs and tasks whose list is not named."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from homeassistant.components.todo import DOMAIN, TodoItemStatus, TodoServices

from ..home.exposed import Exposed
from ..names.inflection import is_like_any
from ..names.matching import words
from ..nlu.tokenizer import Text
from .handler import HomeAnswer, HomeView, QuestionHandler, has_all
from .query import Query, QueryType
from .token_consumer import TokenConsumer

_FEW: Final = 5
"""Items that are told to who asks for some of them, or for what there is to do."""
_STEM: Final = 4


class ListReader(QuestionHandler):
    """Reads the lists that are exposed."""

    def __init__(self, view: HomeView) -> None:
        """Take the home and the words for an answer."""
        super().__init__(view)
        self._lists = [each for each in self._home.entities if each.domain == DOMAIN]

    async def _async_items(self, entity: Exposed, *, is_done: bool = False) -> Sequence[str] | None:
        """Return what is still to do, or what is done, as Home Assistant's own tool reads it."""
        status = TodoItemStatus.COMPLETED if is_done else TodoItemStatus.NEEDS_ACTION
        found = await self._async_read(
            DOMAIN, TodoServices.GET_ITEMS, entity_id=entity.entity_id, status=status
        )
        read: Any = (found or {}).get(entity.entity_id)
        return [str(item["summary"]) for item in read["items"]] if read else None


class TodoHandler(ListReader):
    """Answers what is on a list: with all of it, and where it is short also who asks for a part.

    - A list that is not named is none, unless there is only one and none is named.
    - An item is on it where all of its words are in one that is there.
    """

    async def async_answer(self, query: Query) -> HomeAnswer | None:
        """Return what is on the list that is asked for; None where none is, or not surely."""
        told = await self._async_told(query)
        return HomeAnswer(told) if told else None

    async def _async_told(self, query: Query) -> str | None:
        match query.type:
            case QueryType.LIST | QueryType.LIST_DONE | QueryType.LIST_LEFT:
                return await self._what(query)
            case QueryType.HOW_MANY:
                return await self._how_many(query.words)
            case QueryType.ON_LIST:
                return await self._whether(query)
        return None

    async def _what(self, query: Query) -> str | None:
        if (named := self._named(query.words)) is None:
            return None
        entity, is_all = named
        is_done = query.type is QueryType.LIST_DONE
        items = await self._async_items(entity, is_done=is_done)
        # "Read Bo's note and put it all on the list" wants something else.
        is_changed = query.words.says("adds", "puts", "ticks", gapped=True)
        if items is None or not (is_all or (len(items) <= _FEW and not is_changed)):
            return None
        told = self._phrasing.done if is_done else self._phrasing.items
        return told(entity.names[0], items)

    async def _how_many(self, said: Text) -> str | None:
        if self._is_place(said):
            return None
        said = TokenConsumer(said).without("any_item")
        # "How many tasks are there" of a list that is called so.
        named = self._named(TokenConsumer(said).without("entries")) or self._named(said)
        if named is None or not named[1]:
            return None
        items = await self._async_items(named[0])
        return None if items is None else self._phrasing.count(items)

    async def _whether(self, query: Query) -> str | None:
        """Return whether something is on a list: the words of the question's form are what."""
        named = None if self._is_place(query.words) else self._named(query.words)
        if named is None or not named[1]:
            return None
        if (items := await self._async_items(named[0])) is None:
            return None
        what = self._tokens(TokenConsumer(query.item).without("any_item", "conditions.some"))
        found = [each for each in items if has_all(each, what)]
        told = self._phrasing.items(named[0].names[0], found) if found else ""
        return self._phrasing.yes(bool(found), told)

    def _is_place(self, said: Text) -> bool:
        """Return True if words may be those of a room: a list may be called as one is."""
        return not TokenConsumer(said).tokens("forms.lists") and bool(self._things.areas(said))

    def _named(self, said: Text) -> tuple[Exposed, bool] | None:
        """Return the list that some words name, and whether they say no more than that."""
        line = TokenConsumer(said)
        left, spoken = self._tokens(line.without("forms.lists")), frozenset(self._tokens(said))
        found = [
            (each, own)
            for each in self._lists
            for name in each.names
            if (own := frozenset(self._tokens(name)))
            and all(_is_said(word, spoken) for word in own)
        ]
        most = max((len(own) for _, own in found), default=0)
        best = {each: own for each, own in found if len(own) == most}
        if not (best or left) and len(self._lists) == 1 and line.tokens("forms.lists"):
            return self._lists[0], True
        if len(best) != 1:
            return None
        ((entity, own),) = best.items()
        return entity, all(_is_said(word, own) for word in left)

    def _tokens(self, text: str) -> Sequence[str]:
        return [word for word in words(text) if word not in self._fillers]


class NeedsHandler(ListReader):
    """Answers "do we need coffee", "who do I have to call", "what do I need to buy".

    - What is looked for is found where all of its words are in an item; where it is on no list,
      it is unknown whether it is needed.
    - What is to be bought are the items that say so, and those of lists that are called so.
    """

    async def async_answer(self, query: Query) -> HomeAnswer | None:
        """Return the answer to a question; None where none is certain."""
        said = TokenConsumer(query.words)
        is_what = said.says("which", "who", "whom", "value")
        if not said.says("needs"):
            return None
        is_of_tasks = said.says("entries")
        is_buying = said.says("buying")
        said.says("shops", "any_item", "some", "speaker")
        read = {each: await self._async_items(each) for each in self._lists}
        items = {each: all_ for each, all_ in read.items() if all_ is not None}
        found: Mapping[Exposed, Sequence[str]]
        if said.left:
            found = {
                entity: [each for each in all_ if has_all(each, said.left)]
                for entity, all_ in items.items()
            }
        elif is_buying:
            found = self._to_buy(items)
        else:
            found = {each: all_ for each, all_ in items.items() if not self._is_of_shop(each)}
            if not is_of_tasks or any(len(each) > _FEW for each in found.values()):
                return None
        told = ". ".join(
            self._phrasing.items(each.names[0], some) for each, some in found.items() if some
        )
        if not told:
            return None
        return HomeAnswer(told if is_what or not said.left else self._phrasing.yes(True, told))

    def _to_buy(self, items: Mapping[Exposed, Sequence[str]]) -> Mapping[Exposed, Sequence[str]]:
        return {
            entity: all_
            if self._is_of_shop(entity)
            else [each for each in all_ if self._read(each).says("buying")]
            for entity, all_ in items.items()
        }

    def _is_of_shop(self, entity: Exposed) -> bool:
        return any(self._read(name).says("of_shop") for name in entity.names)


def _is_said(word: str, spoken: frozenset[str]) -> bool:
    """Return True if a word of a list's name was said, be it of one or of several: task, tasks."""
    return is_like_any(word, spoken, _STEM)
