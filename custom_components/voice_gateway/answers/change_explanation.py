"""What changed an entity, in a sentence."""

from collections.abc import Mapping, Sequence
from typing import Final

from homeassistant.components.homeassistant import async_should_expose
from homeassistant.helpers import entity_registry as er
from homeassistant.loader import IntegrationNotFound, async_get_integration

from ..home.exposed import Exposed, one_line
from ..nlu.state_semantics import states_of
from .causes import ActorKind, Cause
from .change_log import CHANGES, StateChange
from .handler import QuestionHandler
from .logged_changes import async_logged
from .phrasing import begun

MEANINGS: Final = ("on", "off", "open", "closed", "locked", "unlocked", "running", "stopped")
"""What somebody may have done, by what is so afterwards: `did_…` of `questions` in `languages/`."""

_PERSON: Final = "person"
_LOGBOOK: Final = "logbook"


class ChangeExplainer(QuestionHandler):
    """Tells when entities became as they are, and by whom or by what.

    - What happened since Home Assistant started is known here; of what was before, the logbook tells.
    - An automation, a script, a person or another device is named only where it is exposed itself;
      of all others their kind is told: "by an automation".
    """

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
        doer = await self._actor(change.cause)
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

    # Who or what it was

    @property
    def _texts(self) -> Mapping[str, str]:
        return self._phrasing.language.answers.get("doers", {})

    async def _actor(self, cause: Cause) -> str:
        """Return who or what it was, as it follows what was done; empty where that is not known."""
        told = await self._actor_alone(cause)
        behind = await self._actor_alone(cause.behind) if cause.behind and told else ""
        return ", ".join(filter(None, (told, behind)))

    async def _actor_alone(self, cause: Cause) -> str:
        match cause.by:
            case ActorKind.PERSON:
                return await self._person(cause.user_id)
            case ActorKind.VOICE:
                return (
                    self._named(ActorKind.PERSON, self._name_of(cause.user_id))
                    or self._texts["voice"]
                )
            case ActorKind.PLAN | ActorKind.TASK:
                return self._texts[cause.by]
            case ActorKind.AUTOMATION | ActorKind.SCRIPT:
                name = self._exposed(cause.entity_id)
                return self._named(cause.by, name) or self._texts[cause.by]
            case ActorKind.ENTITY:
                return self._named(ActorKind.ENTITY, self._exposed(cause.entity_id))
            case ActorKind.EVENT:
                return await self._integration(cause.event_type)
        return ""

    async def _person(self, user_id: str | None) -> str:
        """Return a user: "you", or by their person's name; a program that is signed in is nobody."""
        user = await self._hass.auth.async_get_user(user_id) if user_id else None
        if user is None or user.system_generated:
            return ""
        if user_id == self._view.context.user_id:
            return self._texts["you"]
        return self._named(ActorKind.PERSON, self._name_of(user_id)) or self._texts["person"]

    def _name_of(self, user_id: str | None) -> str:
        people = self._hass.states.async_all(_PERSON) if user_id else ()
        own = (each.entity_id for each in people if each.attributes.get("user_id") == user_id)
        return self._exposed(next(own, ""))

    def _exposed(self, entity_id: str) -> str:
        """Return the name of an entity that is exposed, else nothing."""
        state = self._hass.states.get(entity_id) if entity_id else None
        if state is None or not async_should_expose(self._hass, self._view.assistant, entity_id):
            return ""
        return one_line(state.name)

    async def _integration(self, event_type: str) -> str:
        """Return the integration whose event it was, as far as its own words for it are known."""
        described = self._hass.data.get(_LOGBOOK)
        if described is None or event_type not in described.external_events:
            return ""
        domain, _ = described.external_events[event_type]
        try:
            integration = await async_get_integration(self._hass, domain)
        except IntegrationNotFound:
            return ""
        return self._named(ActorKind.EVENT, integration.name)

    def _named(self, by: ActorKind, name: str) -> str:
        return self._texts[f"{by}_named"].format(name=name) if name else ""
