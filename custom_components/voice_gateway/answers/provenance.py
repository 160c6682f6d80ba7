"""Causes of states and changes: "why is the light on", "who opened the garage"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from homeassistant.components.homeassistant import async_should_expose
from homeassistant.helpers import entity_registry as er
from homeassistant.loader import IntegrationNotFound, async_get_integration

from ..home.exposed import Exposed, deciding_entities, one_line
from ..home.state_semantics import has_state_meanings, states_of
from ..languages.dates import begun
from ..nlu.conditions import StateQuery
from ..nlu.tokenizer import Text
from .change_log import CHANGES, ActorKind, Cause
from .handler import QuestionHandler, only
from .logged_changes import async_logged
from .token_consumer import TokenConsumer

_MOST: Final = 4
"""Maximum number of entities in an explanation."""
_MEANINGS: Final = ("on", "off", "open", "closed", "locked", "unlocked", "running", "stopped")
"""Actions in a question, by the resulting state: `did_…` of `questions` in `languages/`."""
_LOGBOOK: Final = "logbook"


class CauseHandler(QuestionHandler):
    """Answers when and why an entity came into its state.

    - All words of the question must be understood, as in every other question.
    - If the entity is not in the state, the answer is its current state; for a past event, its last
      occurrence.
    - The change log has the changes since Home Assistant started, the logbook those before.
    - An automation, a script, a person or another device is named only if it is exposed itself;
      others by their kind: "by an automation". An unknown cause is reported as unknown.
    """

    async def async_cause(self, text: Text) -> str | None:
        """Return the answer to a question for a cause; None if it is another one, or uncertain."""
        said = TokenConsumer(text)
        around = said.tokens("around") | said.marks
        for name, read in (("why", self._why), ("who_did", self._done), ("what_did", self._what)):
            for asking, _ in said.matches(name):
                rest = TokenConsumer(said.part(said.whole - around - asking))
                if answer := only([await self._explain(*each) for each in read(rest)]):
                    return answer
        return None

    def _why(self, said: TokenConsumer) -> Iterator[tuple[StateQuery, bool]]:
        """Yield the interpretations of the words after "why": a state, else an action.

        Each comes with True if it is about a past event, so that the current state may differ.
        """
        rest = said.without("why_past")
        found = [
            (each, bool(said.tokens("why_past")) or each.is_event)
            for each in self._conditions.parse_queries(rest, may_happen=True)
            if each.limit is None and self._entities(each)
        ]
        yield from found or self._done(TokenConsumer(rest))

    def _what(self, said: TokenConsumer) -> Iterator[tuple[StateQuery, bool]]:
        """Yield the interpretations of a question that begins with an action."""
        if any(0 in doing for each in _MEANINGS for doing, _ in said.matches(f"did_{each}")):
            yield from self._done(said)

    def _done(self, said: TokenConsumer) -> Iterator[tuple[StateQuery, bool]]:
        """Yield the interpretations as an action."""
        beside = said.tokens("why_past", "conditions.is")
        for meaning in _MEANINGS:
            for doing, _ in said.matches(f"did_{meaning}"):
                subject = said.part(said.whole - doing - beside)
                yield StateQuery(meaning, subject=subject), True

    async def _explain(self, asked: StateQuery, is_past: bool) -> str | None:
        entities = self._entities(asked)
        if not 0 < len(entities) <= _MOST or asked.is_denied or asked.count in ("none", "everyone"):
            return None
        so = [each for each in entities if self._conditions.state_of(asked, each).is_so]
        if not (so or is_past):
            return begun(self._phrasing.all_shown(entities))
        told = [await self._change(each, asked.meaning) for each in so or entities]
        return " ".join(dict.fromkeys(told))

    def _entities(self, asked: StateQuery) -> Sequence[Exposed]:
        """Return the entity that the question refers to, else all of that name."""
        asked = replace(asked, count="")
        found = self._conditions.link_subject(asked)
        if not found and asked.subject:
            fits = self._conditions.fits(asked)
            found = self._things.link(asked.subject, fits, several=True)
            of_kind = self._of_kind(asked.subject, fits)
            found = found or (of_kind if len(of_kind) == 1 else ())
        return deciding_entities(tuple(each for each in found if has_state_meanings(each.domain)))

    # Causes

    async def async_now(self, entity: Exposed) -> str:
        """Return how an entity came into its current state."""
        state = self._state(entity)
        for meaning in _MEANINGS if state else ():
            if state and state.state in states_of(entity.domain, entity.device_class, meaning):
                return await self._change(entity, meaning)
        return self._without_cause(self._phrasing.all_shown([entity]))

    async def _change(self, entity: Exposed, meaning: str) -> str:
        """Return how an entity came into a state with this meaning, else its current state."""
        states = states_of(entity.domain, entity.device_class, meaning)
        changes = self._hass.data.get(CHANGES)
        change = changes.into(entity.entity_id, states) if changes else None
        change = change or await async_logged(self._hass, entity.entity_id, states)
        if change is None:
            state = self._state(entity)
            is_so = state is not None and state.state in states
            return self._without_cause(self._phrasing.all_shown([entity]) if is_so else "")
        actor = await self._actor(change.cause)
        if actor and change.cause.behind and (behind := await self._actor(change.cause.behind)):
            actor = f"{actor}, {behind}"
        told = self._phrasing.changed(entity, meaning, change.state, change.at, actor)
        if actor:
            return f"{begun(told)}."
        entry = er.async_get(self._hass).async_get(entity.entity_id)
        is_device = entry is not None and entry.device_id is not None
        is_own = is_device and change.cause.by is ActorKind.ITSELF
        return self._without_cause(told, "itself" if is_own else "unknown")

    def _without_cause(self, told: str, key: str = "unknown") -> str:
        """Return a statement about a state, and that its cause is unknown."""
        texts = (begun(told), self._phrasing.text("causes", key))
        return " ".join(f"{each}." for each in texts if each)

    async def _actor(self, cause: Cause) -> str:
        """Return the actor as a phrase after the action; empty if unknown."""
        name, kind = "", cause.by
        match kind:
            case ActorKind.PERSON:
                user = await self._hass.auth.async_get_user(cause.user_id or "")
                if user is None or user.system_generated:
                    return ""  # A signed-in program is not a person.
                if cause.user_id == self._view.context.user_id:
                    return self._phrasing.text("doers", "you")
                name = self._person(cause.user_id)
            case ActorKind.VOICE if name := self._person(cause.user_id):
                kind = ActorKind.PERSON
            case ActorKind.AUTOMATION | ActorKind.SCRIPT | ActorKind.ENTITY:
                name = self._exposed(cause.entity_id)
            case ActorKind.EVENT:
                name = await self._integration(cause.event_type)
        if name:
            return self._phrasing.text("doers", f"{kind}_named", name=name)
        return self._phrasing.language.answers["doers"].get(kind, "")

    def _person(self, user_id: str | None) -> str:
        """Return the name of a user's person entity, if it is exposed."""
        people = self._hass.states.async_all("person") if user_id else ()
        own = (each.entity_id for each in people if each.attributes.get("user_id") == user_id)
        return self._exposed(next(own, ""))

    def _exposed(self, entity_id: str) -> str:
        """Return the name of an entity if it is exposed, else an empty text."""
        state = self._hass.states.get(entity_id) if entity_id else None
        if state is None or not async_should_expose(self._hass, self._view.assistant, entity_id):
            return ""
        return one_line(state.name)

    async def _integration(self, event_type: str) -> str:
        """Return the integration that fired an event, if its own description is known."""
        described = self._hass.data.get(_LOGBOOK)
        if described is None or event_type not in described.external_events:
            return ""
        domain, _ = described.external_events[event_type]
        try:
            return (await async_get_integration(self._hass, domain)).name
        except IntegrationNotFound:
            return ""
