"""The items that are open on a list, as Home Assistant knows them, and what words they have."""

from collections.abc import Sequence
from typing import Final

from homeassistant.components.todo import TodoItemStatus
from homeassistant.components.todo.const import DATA_COMPONENT as LISTS
from homeassistant.core import HomeAssistant

from ..home.exposed import Exposed
from ..names.inflection import begins_alike, is_like_any
from ..names.matching import words

_STEM: Final = 4
"""Letters in which two forms of a word are alike."""


def open_items(hass: HomeAssistant, lists: Sequence[Exposed]) -> Sequence[str]:
    """Return what is open on the only one of some lists; nothing where that is not known.

    Of its entity, where Home Assistant's own tools look for the item, too. What was read in the turn may
    be of another list, a part of it, or old.
    """
    if len(lists) != 1 or (component := hass.data.get(LISTS)) is None:
        return ()
    entity = component.get_entity(lists[0].entity_id)
    items = entity.todo_items if entity else None
    return [
        each.summary
        for each in items or ()
        if each.summary and each.status is not TodoItemStatus.COMPLETED
    ]


def has_word(item: str, word: str) -> bool:
    """Return True if an item has a form of a word."""
    return is_like_any(word, words(item), _STEM)


def may_have_word(item: str, word: str) -> bool:
    """Return True if an item may have a form of a word, or one that is made with it."""
    return any(begins_alike(word, each) or word in each for each in words(item))
