"""What changed an entity, in a sentence."""

from collections.abc import Sequence
from typing import Final

from homeassistant.helpers import entity_registry as er

from ..home.exposed import Exposed
from ..nlu.state_semantics import states_of
from .actors import ActorNames
from .causes import ActorKind
from .change_log import CHANGES, StateChange
from .handler import HomeView, QuestionHandler
from .logged_changes import async_logged
from .phrasing import begun

MEANINGS: Final = ("on", "off", "open", "closed", "locked", "unlocked", "running", "stopped")
"""What somebody may have done, by what is so afterwards: `did_…` of `questions` in `languages/`."""


class ChangeExplainer(QuestionHandler):
    """Tells when entities became as they are, and by whom or by what.

    What happened since Home Assistant started is known here; of what was before, the logbook tells.
    """

    def __init__(self, view: HomeView) -> None:
        """Take the home, the words for it, and who asks."""
        super().__init__(view)
        self._doers = ActorNames(view)

    def states(self, entities: Sequence[Exposed]) -> str:
        """Return how entities are now."""
        return begun(self._phrasing.all_shown(entities))

    async def async_told(self, entities: Sequence[Exposed], meaning: str) -> str:
        """Return how each of some entities came into a state that means this, or what it is in."""
        told = [await self._told(each, meaning) for each in entities]
        return " ".join(dict.fromkeys(told))

    async def async_now(self, entity: Exposed) -> str:
        """Return how an entity came into the state that it is in."""
        state = self._state(entity)
        for meaning in MEANINGS if state else ():
            if state and state.state in states_of(entity.domain, entity.device_class, meaning):
                return await self._told(entity, meaning)
        return self._phrasing.sentences(
            self.states([entity]), self._phrasing.text("causes", "unknown")
        )

    async def _told(self, entity: Exposed, meaning: str) -> str:
        states = states_of(entity.domain, entity.device_class, meaning)
        change = await self._change(entity.entity_id, states)
        if change is None:
            state = self._state(entity)
            is_so = state is not None and state.state in states
            shown = [self.states([entity])] if is_so else []
            return self._phrasing.sentences(*shown, self._phrasing.text("causes", "unknown"))
        doer = await self._doers.async_told(change.cause)
        told = begun(self._phrasing.changed(entity, meaning, (change.state, change.at), doer))
        if doer:
            return self._phrasing.sentences(told)
        key = "itself" if self._is_device(entity, change) else "unknown"
        return self._phrasing.sentences(told, self._phrasing.text("causes", key))

    async def _change(self, entity_id: str, states: frozenset[str]) -> StateChange | None:
        changes = self._hass.data.get(CHANGES)
        known = changes.into(entity_id, states) if changes else None
        return known or await async_logged(self._hass, entity_id, states)

    def _is_device(self, entity: Exposed, change: StateChange) -> bool:
        """Return True if a device has reported a change by itself."""
        entry = er.async_get(self._hass).async_get(entity.entity_id)
        return (
            change.cause.by is ActorKind.ITSELF
            and entry is not None
            and entry.device_id is not None
        )
