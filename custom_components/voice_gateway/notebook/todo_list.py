"""The to-do list of the notes."""

from typing import override

from homeassistant.components.todo import (
    TodoItem,
    TodoItemStatus,
    TodoListEntity,
    TodoListEntityFeature,
)
from homeassistant.const import EntityCategory
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError

from ..home_entity import HomeEntity
from ..speaker import speaker_of
from ..texts import translated
from .notebook import LONGEST, NOTEBOOK, NotebookEntry


class NotebookList(HomeEntity, TodoListEntity):
    """Lists the notes of all people; completing or deleting an item forgets it.

    What an automation or an agent writes into it is third-party text.
    """

    _attr_unique_id = "notebook"
    _attr_translation_key = "notebook"
    # Diagnostic entities are not exposed to assistants by default: an agent has a tool of its own.
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _attr_supported_features = (
        TodoListEntityFeature.CREATE_TODO_ITEM
        | TodoListEntityFeature.DELETE_TODO_ITEM
        | TodoListEntityFeature.UPDATE_TODO_ITEM
    )

    def __init__(self, hass: HomeAssistant) -> None:
        """Take the home's notebook."""
        self._notebook = hass.data[NOTEBOOK]

    @property
    @override
    def todo_items(self) -> list[TodoItem]:
        """The notes, the newest first."""
        names = {
            state.attributes.get("id"): state.name for state in self.hass.states.async_all("person")
        }
        return [
            TodoItem(
                uid=each.id,
                summary=each.text,
                status=TodoItemStatus.NEEDS_ACTION,
                description=names.get(each.owner),
            )
            for each in self._notebook.all
        ]

    @override
    async def async_added_to_hass(self) -> None:
        """Listen for changes of the notes."""
        await super().async_added_to_hass()
        self.async_on_remove(self._notebook.async_listen(self.async_write_ha_state))

    @override
    async def async_create_todo_item(self, item: TodoItem) -> None:
        """Add a note of the user."""
        context = self._said_in
        owner = speaker_of(self.hass, context.user_id)
        await self._notebook.async_change(context.id, add=[self._entry(item, owner)])

    @override
    async def async_update_todo_item(self, item: TodoItem) -> None:
        """Change a note, or forget it if its item is completed."""
        old = [each for each in self._notebook.all if each.id == item.uid]
        is_kept = item.status != TodoItemStatus.COMPLETED
        new = [self._entry(item, each.owner) for each in old] if is_kept else []
        await self._notebook.async_change(self._said_in.id, add=new, remove=old)

    @override
    async def async_delete_todo_items(self, uids: list[str]) -> None:
        """Forget notes."""
        old = [each for each in self._notebook.all if each.id in uids]
        await self._notebook.async_change(self._said_in.id, remove=old)

    @property
    def _said_in(self) -> Context:
        """The context of the action."""
        return self._context or Context()

    def _entry(self, item: TodoItem, owner: str | None) -> NotebookEntry:
        """Return the note in an item."""
        text = (item.summary or "").strip()
        if not 0 < len(text) <= LONGEST:
            raise translated(ServiceValidationError, "note_too_long", most=str(LONGEST))
        context = self._said_in
        return NotebookEntry(
            text=text,
            language=self.hass.config.language,
            owner=owner,
            is_foreign=context.user_id is None or context.parent_id is not None,
        )
