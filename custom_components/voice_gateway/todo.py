"""The to-do lists of all plans, and of the notes.

The list of plans also shows those that wait for an event, which have no time and can't appear in
a calendar. Completing or deleting an item cancels its plan.
"""

from typing import override

from homeassistant.components.todo import (
    TodoItem,
    TodoItemStatus,
    TodoListEntity,
    TodoListEntityFeature,
)
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .models.provider import ProviderConfigEntry
from .notebook.todo_list import NotebookList
from .plans.descriptions import PlanPhrasing
from .plans.entity import PlansEntity
from .plans.plan import Plan
from .texts import translated

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: ProviderConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the lists, if no other entry has."""
    PlansList.offer(hass, entry, async_add_entities)
    NotebookList.offer(hass, entry, async_add_entities)


class PlansList(PlansEntity, TodoListEntity):
    """Lists the plans."""

    # Diagnostic entities are not exposed to assistants by default: items can't be added.
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _attr_supported_features = (
        TodoListEntityFeature.DELETE_TODO_ITEM | TodoListEntityFeature.UPDATE_TODO_ITEM
    )

    @property
    @override
    def todo_items(self) -> list[TodoItem]:
        """The plans, the earliest first."""
        return [self._item(plan) for plan in self._plans.all]

    @override
    async def async_delete_todo_items(self, uids: list[str]) -> None:
        """Cancel plans."""
        await self._plans.async_remove(uids)

    @override
    async def async_update_todo_item(self, item: TodoItem) -> None:
        """Cancel a plan whose item is completed; refuse other changes."""
        if item.uid is None or item.status != TodoItemStatus.COMPLETED:
            raise translated(ServiceValidationError, "plan_not_changed")
        await self._plans.async_remove([item.uid])

    def _item(self, plan: Plan) -> TodoItem:
        phrasing = PlanPhrasing(self.hass.config.language, dt_util.now())
        return TodoItem(
            uid=plan.id,
            summary=self._title(plan),
            status=TodoItemStatus.NEEDS_ACTION,
            due=dt_util.as_local(plan.due) if plan.due else None,
            description=phrasing.when(plan.when, plan.spoken.moment),
        )
