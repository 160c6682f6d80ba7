"""What is on the home's to-do lists."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from homeassistant.components.todo import DOMAIN, TodoItemStatus, TodoServices
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from ..home.exposed import Exposed, Home
from ..names.inflection import is_like_any
from ..names.matching import words
from ..nlu.phrase_patterns import patterns_of
from ..nlu.tokenizer import Text, TokenSequence
from .phrasing import Phrasing
from .question import HomeQuestion, QuestionType, tokens_in

_FEW: Final = 5
"""Items that are told to who asks for some of them."""
_STEM: Final = 4


class TodoHandler:
    """Answers what is on a list: with all of it, and where it is short also who asks for a part.

    - A list that is not named is none, unless there is only one and none is named.
    - An item is on it where all of its words are in one that is there.
    """

    def __init__(
        self, hass: HomeAssistant, home: Home, phrasing: Phrasing, context: Context
    ) -> None:
        """Take the home, the words for an answer, and on whose behalf lists are read."""
        self._hass = hass
        self._context = context
        self._lists = [each for each in home.entities if each.domain == DOMAIN]
        self._phrasing = phrasing
        self._known = patterns_of(phrasing.language.code)

    async def async_answer(self, question: HomeQuestion) -> str | None:
        """Return what is on the list that is asked for; None where none is, or not surely."""
        match question.form:
            case QuestionType.LIST | QuestionType.LIST_DONE | QuestionType.LIST_LEFT:
                return await self._what(question)
            case QuestionType.HOW_MANY:
                return await self._how_many(question.words)
            case QuestionType.ON_LIST:
                return await self._whether(question)
        return None

    async def async_all(self) -> Mapping[Exposed, Sequence[str]]:
        """Return what is still to do, by the lists that could be read."""
        read = {each: await self._async_items(each) for each in self._lists}
        return {each: items for each, items in read.items() if items is not None}

    async def _what(self, question: HomeQuestion) -> str | None:
        if (named := self._named(question.words)) is None:
            return None
        entity, is_all = named
        is_done = question.form is QuestionType.LIST_DONE
        items = await self._async_items(entity, is_done=is_done)
        if items is None or not (is_all or len(items) <= _FEW):
            return None
        told = self._phrasing.done if is_done else self._phrasing.items
        return told(entity.names[0], items)

    async def _how_many(self, said: Text) -> str | None:
        if self._is_place(said):
            return None
        said = self._without(said, "any_item")
        named = self._named(self._without(said, "entries"))
        if named is None:
            # "How many tasks are there" of a list that is called so.
            named = self._named(said)
        if named is None or not named[1]:
            return None
        items = await self._async_items(named[0])
        return None if items is None else self._phrasing.count(items)

    async def _whether(self, question: HomeQuestion) -> str | None:
        """Return whether something is on a list: the words of the question's form are what."""
        if self._is_place(question.words):
            return None
        if (named := self._named(question.words)) is None or not named[1]:
            return None
        entity, _ = named
        items = await self._async_items(entity)
        if items is None:
            return None
        what = self._tokens(self._without(question.any, "any_item", "some"))
        found = [
            each
            for each in items
            if all(is_like_any(w, frozenset(self._tokens(each))) for w in what)
        ]
        if not found:
            return self._phrasing.yes(False)
        return self._phrasing.yes(True, self._phrasing.items(entity.names[0], found))

    def _is_place(self, said: Text) -> bool:
        """Return True if words may be those of a room: a list may be called as one is."""
        line = TokenSequence.of(said)
        says_list = tokens_in(line, self._known.forms.get("lists", ()))
        return not says_list and bool(self._phrasing.things.areas(said))

    def _without(self, said: Text, *lists: str) -> Text:
        """Return words without the phrases of some lists."""
        line = TokenSequence.of(said)
        tables = (self._known.questions, self._known.conditions)
        patterns = [each for name in lists for table in tables for each in table.get(name, ())]
        gone = tokens_in(line, patterns)
        return line.surface(index for index in range(len(line.tokens)) if index not in gone)

    def _named(self, said: Text) -> tuple[Exposed, bool] | None:
        """Return the list that some words name, and whether they say no more than that."""
        line = TokenSequence.of(said)
        lists = tokens_in(line, self._known.forms.get("lists", ()))
        rest = line.surface(index for index in range(len(line.tokens)) if index not in lists)
        left = frozenset(self._tokens(rest))
        spoken = frozenset(self._tokens(said))
        found = [
            (each, own)
            for each in self._lists
            for name in each.names
            if (own := frozenset(self._tokens(name)))
            and all(_is_said(word, spoken) for word in own)
        ]
        most = max((len(own) for _, own in found), default=0)
        best = {each: own for each, own in found if len(own) == most}
        if not best and lists and not left and len(self._lists) == 1:
            return self._lists[0], True
        if len(best) != 1:
            return None
        ((entity, own),) = best.items()
        return entity, all(_is_said(word, own) for word in left)

    def _tokens(self, text: str) -> Sequence[str]:
        fillers = self._phrasing.language.function_words
        return [word for word in words(text) if word not in fillers]

    async def _async_items(self, entity: Exposed, *, is_done: bool = False) -> Sequence[str] | None:
        """Return what is still to do, or what is done, as Home Assistant's own tool reads it."""
        status = TodoItemStatus.COMPLETED if is_done else TodoItemStatus.NEEDS_ACTION
        data: dict[str, Any] = {"entity_id": entity.entity_id, "status": status}
        try:
            found = await self._hass.services.async_call(
                DOMAIN,
                TodoServices.GET_ITEMS,
                data,
                context=self._context,
                blocking=True,
                return_response=True,
            )
        except HomeAssistantError:
            return None
        read: Any = (found or {}).get(entity.entity_id)
        return [str(item["summary"]) for item in read["items"]] if read else None


def _is_said(word: str, spoken: frozenset[str]) -> bool:
    """Return True if a word of a list's name was said, be it of one or of several: task, tasks."""
    return is_like_any(word, spoken, _STEM)
