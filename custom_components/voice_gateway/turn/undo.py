"""Undoes what a turn did: every device is as it was, if nobody has changed it since."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, override

from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent, llm
import probatio

from ..const import DOMAIN
from ..home.exposed import Exposed, Home
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
from .action_history import PUT_BACK, EntityChange, IntentRecord, TurnRecord

_TODO: Final = "todo"
_ITEM_DONE: Final[Mapping[str, str]] = {
    "HassListAddItem": "remove_item",
    "HassListCompleteItem": "update_item",
    "HassListRemoveItem": "add_item",
}
"""What undoes an intent of lists."""
_NEEDS_ACTION: Final = "needs_action"
_STARTED: Final[Mapping[str, str]] = {
    "hours": "start_hours",
    "minutes": "start_minutes",
    "name": "name",
    "seconds": "start_seconds",
}
"""By what a timer is found, by what it was started with."""


@dataclass(frozen=True, slots=True)
class UndoOutcome:
    """What is to be done so that a deed is undone, and what is left of it."""

    back: Sequence[State]
    """The states into which devices are put back."""
    items: Sequence[IntentRecord]
    """What was done to lists, that is undone."""
    timers: Sequence[IntentRecord]
    """The timers that were started, and are cancelled."""
    doors: Sequence[Exposed]
    """What keeps people out, and is opened by it."""
    changed: Sequence[str]
    """The entity ids of what somebody has changed since."""
    lost: Sequence[str]
    """Those of what nobody can put back, or does not answer."""

    @property
    def is_any(self) -> bool:
        """Whether anything is to be done."""
        return bool(self.back or self.items or self.timers)

    @property
    def entity_ids(self) -> Sequence[str]:
        """The entity ids of what is undone."""
        listed = (each for act in self.items for each in act.targets)
        return [*(state.entity_id for state in self.back), *listed]

    @classmethod
    async def async_of(
        cls, hass: HomeAssistant, proposed: TurnRecord, since: Since, home: Home
    ) -> UndoOutcome:
        """Return how a deed is undone now."""
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
        back = [each for each in found.back if not _is_back(hass, each)]
        lost = [each.new.entity_id for each in changes if not kept[id(each)]]
        ids = {state.entity_id for state in back}
        opening = {
            entity_id
            for each in befores
            if (entity_id := entity_id_of(hass, each.target)) in ids and would_open(hass, each)
        }
        doors = [each for each in home.entities if each.entity_id in opening]
        # Nobody can be asked of a door that is not exposed.
        unnamed = opening - {each.entity_id for each in doors}
        return cls(
            back=[each for each in back if each.entity_id not in unnamed],
            items=items,
            timers=[act for act in proposed.acts if act.intent_type == intent.INTENT_START_TIMER],
            doors=doors,
            changed=_ids(hass, found.changed),
            lost=[*lost, *_ids(hass, found.silent), *sorted(unnamed)],
        )


class Undo(llm.Tool):
    """Undoes a deed; it is called by no model."""

    name = PUT_BACK
    description = "Undo what was done last"
    annotations = llm.ToolAnnotations(destructive=False, idempotent=True, open_world=False)
    integration = DOMAIN
    parameters = probatio.Schema({})

    def __init__(self, proposed: TurnRecord, undoing: UndoOutcome) -> None:
        """Take the deed, and how it is undone."""
        self._deed = proposed
        self._undoing = undoing
        self.lost: Sequence[str] = ()
        """The entity ids of what could not be put back after all."""

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Undo it. Raises what the first device raises that can't be put back."""
        context = llm_context.context or Context()
        self._deed.is_undone = True
        for act in self._undoing.items:
            await _async_put_item_back(hass, act, context)
        for act in self._undoing.timers:
            await _async_cancel(hass, act, llm_context)
        self.lost = await async_put_back(hass, self._undoing.back, context)
        if self.lost and len(self.lost) == len(self._undoing.entity_ids):
            raise HomeAssistantError("Nothing brings about the states in which the devices were")
        return llm.ToolResult(data={"success": True})


async def _async_is_kept(hass: HomeAssistant, change: EntityChange) -> bool:
    """Return True if what has changed of a device can be put back: not what it plays."""
    if not await async_can_restore(hass, change.old.domain):
        return False
    # While it was on its way, its state tells; of what is the same, nothing would be put back.
    return change.old.state != change.new.state or not is_as(change.new, change.old)


def _is_of_others(state: State, changes: Mapping[str, EntityChange]) -> bool:
    """Return True if a group has changed only as its members have, which are put back one by one."""
    members = state.attributes.get(ATTR_ENTITY_ID)
    return isinstance(members, list | tuple) and not changes.keys().isdisjoint(members)


def _is_back(hass: HomeAssistant, state: State) -> bool:
    now = hass.states.get(state.entity_id)
    return now is not None and is_as(now, state)


def _ids(hass: HomeAssistant, befores: Sequence[StateSnapshot]) -> list[str]:
    return [found for each in befores if (found := entity_id_of(hass, each.target))]


async def _async_put_item_back(hass: HomeAssistant, act: IntentRecord, context: Context) -> None:
    """Undo what was done to an item of lists: what was added last goes first."""
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
    """Cancel the timer that was started where somebody speaks. Raises IntentError where it is over."""
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
    """Return by what a list knows the newest of its items that is called so."""
    data = {ATTR_ENTITY_ID: entity_id, "status": [_NEEDS_ACTION, "completed"]}
    found: Any = await hass.services.async_call(
        _TODO, "get_items", data, True, context, return_response=True
    )
    listed = found.get(entity_id, {}).get("items", ())
    alike = [each for each in listed if str(each["summary"]).casefold() == item.casefold()]
    return str(alike[-1].get("uid") or alike[-1]["summary"]) if alike else item
