"""Undo of a turn: every device gets its previous state, unless it has changed since."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, override

from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent, llm
import probatio

from ..const import DOMAIN
from ..home.exposed import Exposed, Home
from ..notebook.notebook import NOTEBOOK
from ..plans.plan import StateSnapshot
from ..plans.undo import (
    Since,
    async_can_restore,
    async_put_back,
    before,
    entity_id_of,
    is_as,
    sort_out,
    would_open,
)
from ..tools.context_tool import UNDOS, Undos
from .action_history import PUT_BACK, EntityChange, IntentRecord, TurnRecord

_TODO: Final = "todo"
_ITEM_DONE: Final[Mapping[str, str]] = {
    "HassListAddItem": "remove_item",
    "HassListCompleteItem": "update_item",
    "HassListRemoveItem": "add_item",
}
"""The to-do action that undoes a list intent."""
_NEEDS_ACTION: Final = "needs_action"
_STARTED: Final[Mapping[str, str]] = {
    "hours": "start_hours",
    "minutes": "start_minutes",
    "name": "name",
    "seconds": "start_seconds",
}
"""The slots that find a timer, by the slots that started it."""


@dataclass(eq=False, repr=False, kw_only=True)
class Undo(llm.Tool):
    """Undoes an action as far as possible; never called by a model."""

    name = PUT_BACK
    description = "Undo what was done last"
    annotations = llm.ToolAnnotations(destructive=False, idempotent=True, open_world=False)
    integration = DOMAIN
    parameters = probatio.Schema({})

    deed: TurnRecord
    back: Sequence[State]
    """The states to restore."""
    items: Sequence[IntentRecord]
    """The list intents to undo."""
    timers: Sequence[IntentRecord]
    """The started timers to cancel."""
    doors: Sequence[Exposed]
    """The entry points that undoing opens."""
    changed: Sequence[str]
    """The entity ids that have changed since."""
    lost: Sequence[str]
    """The entity ids that can't be restored, are unavailable, or were not restored."""
    has_notes: bool
    """Whether it changed the notebook."""
    others: Undos
    """What undoes the calls of our own tools."""
    has_failed: bool = False
    """Whether an entity was not restored."""

    @property
    def is_any(self) -> bool:
        """Whether there is anything to undo."""
        return bool(self.back or self.items or self.timers or self.has_notes or self.others)

    @property
    def entity_ids(self) -> Sequence[str]:
        """The entity ids of the devices and lists to restore."""
        listed = (each for act in self.items for each in act.targets)
        return [*(state.entity_id for state in self.back), *listed]

    @classmethod
    async def async_of(
        cls, hass: HomeAssistant, proposed: TurnRecord, since: Since, home: Home
    ) -> Self:
        """Return the current steps to undo an action."""
        items = [act for act in proposed.acts if act.intent_type in _ITEM_DONE]
        lists = {each for act in items for each in act.targets}
        changes = [each for key, each in proposed.changes.items() if key not in lists]
        changes = [each for each in changes if not _is_of_others(each.old, proposed.changes)]
        kept = {id(each): await _async_is_kept(hass, each) for each in changes}
        befores = [
            before(hass, each.old, each.new, proposed.context_id)
            for each in changes
            if kept[id(each)]
        ]
        found = sort_out(hass, befores, since)
        now = hass.states.get
        back = [x for x in found.back if not ((state := now(x.entity_id)) and is_as(state, x))]
        lost = [each.new.entity_id for each in changes if not kept[id(each)]]
        ids = {state.entity_id for state in back}
        opening = {
            entity_id
            for each in befores
            if (entity_id := entity_id_of(hass, each.target)) in ids and would_open(hass, each)
        }
        doors = [each for each in home.entities if each.entity_id in opening]
        # A door that is not exposed can't be confirmed.
        unnamed = opening - {each.entity_id for each in doors}
        return cls(
            deed=proposed,
            back=[each for each in back if each.entity_id not in unnamed],
            items=items,
            timers=[act for act in proposed.acts if act.intent_type == intent.INTENT_START_TIMER],
            doors=doors,
            changed=_ids(hass, found.changed),
            lost=[*lost, *_ids(hass, found.silent), *sorted(unnamed)],
            has_notes=hass.data[NOTEBOOK].has_changed_in(proposed.context_id),
            others=undos.get(proposed.context_id, ()) if (undos := hass.data.get(UNDOS)) else (),
        )

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Undo it. Raises the error of the first device that can't be restored."""
        context = llm_context.context or Context()
        self.deed.is_undone = True
        for act in self.items:
            await _async_put_item_back(hass, act, context)
        for act in self.timers:
            await _async_cancel(hass, act, llm_context)
        await hass.data[NOTEBOOK].async_undo(self.deed.context_id)
        for undo in self.others:
            await undo()
        failed = await async_put_back(hass, self.back, context)
        self.has_failed, self.lost = bool(failed), [*self.lost, *failed]
        if failed and len(failed) == len(self.entity_ids):
            raise HomeAssistantError("Nothing brings about the states in which the devices were")
        return llm.ToolResult(data={"success": True})


async def _async_is_kept(hass: HomeAssistant, change: EntityChange) -> bool:
    """Return True if a change can be undone: not that of the played media."""
    if not await async_can_restore(hass, change.old.domain):
        return False
    # For a moving device the state decides; without a difference there is nothing to restore.
    return change.old.state != change.new.state or not is_as(change.new, change.old)


def _is_of_others(state: State, changes: Mapping[str, EntityChange]) -> bool:
    """Return True if a group changed only with its members, which are restored one by one."""
    members = state.attributes.get(ATTR_ENTITY_ID)
    return isinstance(members, list | tuple) and not changes.keys().isdisjoint(members)


def _ids(hass: HomeAssistant, befores: Sequence[StateSnapshot]) -> list[str]:
    return [found for each in befores if (found := entity_id_of(hass, each.target))]


async def _async_put_item_back(hass: HomeAssistant, act: IntentRecord, context: Context) -> None:
    """Undo a change to items of lists, the last one first."""
    item = str(act.values.get("item", "")).strip()
    service = _ITEM_DONE[act.intent_type]
    for entity_id in act.targets:
        data: dict[str, Any] = {ATTR_ENTITY_ID: entity_id}
        if service == "add_item":
            data["item"] = item[:1].upper() + item[1:]
        else:
            data["item"] = await _async_found(hass, entity_id, item, context)
        if service == "update_item":
            data["status"] = _NEEDS_ACTION
        await hass.services.async_call(_TODO, service, data, True, context)


async def _async_cancel(
    hass: HomeAssistant, act: IntentRecord, llm_context: llm.LLMContext
) -> None:
    """Cancel the timer started on this device. Raises IntentError if it has ended."""
    slots = {_STARTED[name]: value for name, value in act.values.items() if name in _STARTED}
    await intent.async_handle(
        hass,
        llm_context.platform,
        intent.INTENT_CANCEL_TIMER,
        {name: {"value": value} for name, value in slots.items()},
        context=llm_context.context,
        language=llm_context.language,
        assistant=llm_context.assistant,
        device_id=llm_context.device_id,
    )


async def _async_found(hass: HomeAssistant, entity_id: str, item: str, context: Context) -> str:
    """Return the list's id of the newest item with a name."""
    data = {ATTR_ENTITY_ID: entity_id, "status": [_NEEDS_ACTION, "completed"]}
    found: Any = await hass.services.async_call(
        _TODO, "get_items", data, True, context, return_response=True
    )
    listed = found.get(entity_id, {}).get("items", ())
    alike = [each for each in listed if str(each["summary"]).casefold() == item.casefold()]
    return str(alike[-1].get("uid") or alike[-1]["summary"]) if alike else item
