"""To-do lists: the items of a named list, and needs and tasks whose list is not named."""

from collections.abc import Mapping, Sequence
from typing import Final

from homeassistant.components.todo import DOMAIN, TodoItemStatus, TodoServices
from homeassistant.const import STATE_UNAVAILABLE

from ..home.exposed import Exposed
from ..names.inflection import is_like_any
from ..nlu.tokenizer import Text
from .handler import HomeAnswer, QuestionHandler, has_all
from .query import Query, QueryType
from .token_consumer import TokenConsumer

_FEW: Final = 5
"""Maximum number of all items that may answer a question for some of them, or for tasks."""
_STEM: Final = 4


class TodoHandler(QuestionHandler):
    """Answers questions about the items of a list: for all of them, or for a part of a short list.

    - An unnamed list is the only list, if there is only one.
    - "Is X on the list" is true if an item contains all words of X.
    - "Do we need coffee", "who do I have to call" refer to all lists. An item on none of them may
      still be needed.
    - Purchases are the items that say so, and those of shopping lists.
    """

    types = (
        *(QueryType.LIST, QueryType.LIST_DONE, QueryType.ON_LIST, QueryType.HOW_MANY),
        *(QueryType.AHEAD, QueryType.SHOWN),
    )

    async def async_answer(self, query: Query) -> HomeAnswer | None:
        """Return the items that the question asks for; None if no list is certain."""
        match query.type:
            case QueryType.HOW_MANY:
                told = await self._how_many(query.words)
            case QueryType.ON_LIST:
                told = await self._whether(query)
            case QueryType.AHEAD | QueryType.SHOWN:
                told = await self._needed(query.words)
            case _:
                told = await self._what(query)
        return HomeAnswer(told) if told else None

    async def _items(self, entity: Exposed, *, is_done: bool = False) -> Sequence[str]:
        """Return the open or the completed items, read like Home Assistant's own tool does."""
        status = TodoItemStatus.COMPLETED if is_done else TodoItemStatus.NEEDS_ACTION
        found = await self._async_read(
            DOMAIN, TodoServices.GET_ITEMS, entity_id=entity.entity_id, status=status
        )
        return [str(item["summary"]) for item in found[entity.entity_id]["items"]]

    async def _what(self, query: Query) -> str | None:
        entity, is_all = self._named(query.words)
        # "Read Bo's note and put it all on the list" is a command.
        is_changed = query.words.says("adds", "puts", "ticks", gapped=True)
        if not entity or (is_changed and not is_all):
            return None
        is_done = query.type is QueryType.LIST_DONE
        items = await self._items(entity, is_done=is_done)
        if not is_all and len(items) > _FEW:
            return None
        return self._phrasing.items(entity.names[0], items, is_done=is_done)

    async def _how_many(self, said: Text) -> str | None:
        if self._is_place(said):
            return None
        said = TokenConsumer(said).without("any_item")
        # "How many tasks are there" may refer to a list named "Tasks".
        entity, is_all = self._named(TokenConsumer(said).without("entries"))
        if not entity:
            entity, is_all = self._named(said)
        return self._phrasing.count(await self._items(entity)) if entity and is_all else None

    async def _whether(self, query: Query) -> str | None:
        """Return whether an item is on a list; its words are within the question's form."""
        entity, is_all = self._named(query.words)
        if not entity or not is_all or self._is_place(query.words):
            return None
        what = self._content_words(TokenConsumer(query.item).without("any_item", "conditions.some"))
        found = [each for each in await self._items(entity) if has_all(each, what)]
        told = self._phrasing.items(entity.names[0], found) if found else ""
        return self._phrasing.yes(bool(found), told)

    async def _needed(self, words: Text) -> str | None:
        """Return the needed items, purchases or tasks, of all lists."""
        said = TokenConsumer(words)
        is_what = said.says("which", "who", "whom", "value")
        if not said.says("needs"):
            return None
        is_of_tasks = said.says("entries")
        is_buying = said.says("buying")
        said.says("shops", "any_item", "some", "speaker")
        topic = said.left
        found: Mapping[Exposed, Sequence[str]] = {
            entity: [each for each in await self._items(entity) if has_all(each, topic)]
            for entity in self._of_domain(DOMAIN)
            if not self._hass.states.is_state(entity.entity_id, STATE_UNAVAILABLE)
        }
        if not topic and is_buying:
            found = {entity: self._to_buy(entity, items) for entity, items in found.items()}
        elif not topic:
            found = {each: items for each, items in found.items() if not self._is_of_shop(each)}
            if not is_of_tasks or any(len(each) > _FEW for each in found.values()):
                return None
        told = ". ".join(
            self._phrasing.items(each.names[0], some) for each, some in found.items() if some
        )
        return told if is_what or not (topic and told) else self._phrasing.yes(True, told)

    def _to_buy(self, entity: Exposed, items: Sequence[str]) -> Sequence[str]:
        if self._is_of_shop(entity):
            return items
        return [each for each in items if self._read(each).says("buying")]

    def _is_of_shop(self, entity: Exposed) -> bool:
        return any(self._read(name).says("of_shop") for name in entity.names)

    def _is_place(self, said: Text) -> bool:
        """Return True if words may refer to a room: a list may have the same name."""
        return not TokenConsumer(said).tokens("forms.lists") and bool(self._things.areas(said))

    def _named(self, said: Text) -> tuple[Exposed | None, bool]:
        """Return the list that some words name, if any, and whether they have no other words."""
        line = TokenConsumer(said)
        lists = self._of_domain(DOMAIN)
        left, spoken = self._content_words(line.without("forms.lists")), self._content_words(said)
        best = self._with_names(lists, lambda word: is_like_any(word, spoken, _STEM))
        if not (best or left) and len(lists) == 1 and line.tokens("forms.lists"):
            return lists[0], True
        if len(best) != 1:
            return None, False
        ((entity, own),) = best.items()
        return entity, all(is_like_any(word, own, _STEM) for word in left)
