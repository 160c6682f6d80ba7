"""Who or what changed something, in the words of who asks: as much of it as is exposed."""

from collections.abc import Mapping

from homeassistant.components.homeassistant import async_should_expose
from homeassistant.loader import IntegrationNotFound, async_get_integration

from ..home.exposed import one_line
from .causes import ActorKind, Cause
from .handler import HomeView

_PERSON = "person"
_LOGBOOK = "logbook"


class ActorNames:
    """Tells who or what changed something.

    An automation, a script, a person or another device is named only where it is exposed itself;
    of all others their kind is told: "by an automation".
    """

    def __init__(self, view: HomeView) -> None:
        """Take to whom it is told."""
        self._hass = view.hass
        self._texts: Mapping[str, str] = view.phrasing.language.answers.get("doers", {})
        self._assistant = view.assistant
        self._user_id = view.context.user_id

    async def async_told(self, cause: Cause) -> str:
        """Return who or what it was, as it follows what was done; empty where that is not known."""
        told = await self._told(cause)
        behind = await self._told(cause.behind) if cause.behind and told else ""
        return ", ".join(filter(None, (told, behind)))

    async def _told(self, cause: Cause) -> str:
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
        if user_id == self._user_id:
            return self._texts["you"]
        return self._named(ActorKind.PERSON, self._name_of(user_id)) or self._texts["person"]

    def _name_of(self, user_id: str | None) -> str:
        people = self._hass.states.async_all(_PERSON) if user_id else ()
        own = (each.entity_id for each in people if each.attributes.get("user_id") == user_id)
        return self._exposed(next(own, ""))

    def _exposed(self, entity_id: str) -> str:
        """Return the name of an entity that is exposed, else nothing."""
        state = self._hass.states.get(entity_id) if entity_id else None
        if state is None or not async_should_expose(self._hass, self._assistant, entity_id):
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
