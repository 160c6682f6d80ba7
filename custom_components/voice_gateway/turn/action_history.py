"""The recent voice actions of each place, which can be undone or repeated elsewhere."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
import datetime as dt
from typing import Final, Self

from homeassistant.components import conversation
from homeassistant.const import EVENT_STATE_CHANGED
from homeassistant.core import (
    CALLBACK_TYPE,
    Event,
    EventStateChangedData,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.util import dt as dt_util
from homeassistant.util.hass_dict import HassKey
from lru import LRU

from ..home.exposed import Exposed, Home
from ..json_schema import Json
from ..languages import MOST_NAMES
from ..nlu.tokenizer import NOTHING, Text
from ..nlu.utterance import DeviceAction, Utterance
from ..plans.undo import Since
from ..quoted_answer import QuotedAnswer
from ..tools.assist.target import TARGET
from ..tools.journal import CallRecord, Journal
from .chat import Chat, spoken

PUT_BACK: Final = "put_back"
"""The name of the tool that undoes an action."""
_UNDONE_FOR: Final = dt.timedelta(hours=1)
"""How long an action can be undone and reported."""
_SPOKEN_OF_FOR: Final = dt.timedelta(minutes=3)
"""How long "it" refers to the targets of the last action."""
_REPORTS: Final = dt.timedelta(minutes=1)
"""How long a device may take to report its new state."""
_MOST: Final = 8
"""The most actions of a place."""
_PLACES: Final = 32
_CONTEXTS: Final = 256


@dataclass(frozen=True, slots=True)
class EntityChange:
    """The states of an entity before and after an action."""

    old: State
    new: State


@dataclass(frozen=True, slots=True)
class IntentRecord:
    """The effect of one call: an intent with its values, and its targets."""

    intent_type: str
    values: Json
    targets: tuple[str, ...]
    """Entity ids."""

    @classmethod
    def of(cls, entry: CallRecord) -> IntentRecord | None:
        """Return the effect of a call; None if it was no intent, or had no targets."""
        response = entry.response
        if response is None or response.intent is None or not entry.may_have_acted:
            return None
        values = {
            name: slot["value"]
            for name, slot in response.intent.slots.items()
            if name not in TARGET and not name.startswith("preferred_")
        }
        return cls(response.intent.intent_type, values, entry.reached)


@dataclass(slots=True, eq=False)
class TurnRecord:
    """The actions of one turn."""

    text: str
    """The user's sentence."""
    context_id: str
    at: dt.datetime
    entries: Sequence[CallRecord] = ()
    changes: dict[str, EntityChange] = field(default_factory=dict)
    """The state changes, by entity id."""
    is_undone: bool = False

    @property
    def acts(self) -> Sequence[IntentRecord]:
        """The intents that its calls executed."""
        return [act for each in self.entries if (act := IntentRecord.of(each))]

    def devices(self, home: Home) -> Sequence[Exposed]:
        """Return the targets that are exposed."""
        ids = {each for act in self.acts for each in act.targets}
        return [each for each in home.entities if each.entity_id in ids]

    @property
    def is_seen(self) -> bool:
        """Whether the states show its effect: it changed one, or all its calls were for devices."""
        acts = [IntentRecord.of(each) for each in self.entries]
        return bool(self.changes) or all(act and act.targets for act in acts)

    def note(self, old: State, new: State) -> None:
        """Record a state change."""
        change = self.changes.get(new.entity_id)
        self.changes[new.entity_id] = EntityChange(change.old if change else old, new)


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """An answer as it was spoken."""

    text: str
    is_ours: bool
    """Whether it has no third-party text."""
    at: dt.datetime

    @property
    def is_recent(self) -> bool:
        """Whether a follow-up question may refer to it."""
        return _is_within(self.at)


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question which device a command is for, with the candidates and the intent."""

    intent_type: str
    values: Json
    which: Sequence[Exposed]
    command: Text = NOTHING
    """The command, if it is complete: the policy then confirms opening an entry point."""
    at: dt.datetime = field(default_factory=dt_util.utcnow)

    @classmethod
    def of(
        cls, wanted: Sequence[tuple[str, Json]], which: Sequence[Exposed], command: Text = NOTHING
    ) -> Self | None:
        """Return the question for intents with values; None if there are none, or they differ."""
        first = wanted[0]
        is_same = bool(first[0]) and all(each == first for each in wanted)
        return cls(*first, which, command) if is_same else None

    @property
    def is_open(self) -> bool:
        """Whether the current sentence may be the answer."""
        return _is_within(self.at, _SPOKEN_OF_FOR)


@dataclass(slots=True, eq=False)
class HistoryKey:
    """The actions and answers of a satellite; without one, of a conversation."""

    deeds: deque[TurnRecord] = field(default_factory=lambda: deque(maxlen=_MOST))
    said: SpokenAnswer | None = None
    """The last answer."""
    did: SpokenAnswer | None = None
    """The answer of the last turn that acted or undid an action."""
    is_last: bool = False
    """Whether the last action is still the topic."""
    asked: AskedQuestion | None = None
    """The last turn's question which device to act on."""


@dataclass(slots=True, eq=False)
class RecordingContext:
    """A turn that may act."""

    place: HistoryKey
    proposed: TurnRecord
    is_aside: bool = False
    """Whether it has no topic: thanks, and the like."""

    async def async_ask_which(
        self, chat: Chat, home: Home, asked: AskedQuestion, *, most: int = MOST_NAMES
    ) -> bool:
        """Ask which device to act on; return False for too many, or indistinguishable ones."""
        if not await chat.ask_which(asked.which, home, most=most):
            return False
        self.place.asked = asked
        return True


class ActionHistory:
    """Keeps the recent voice actions of each place until a restart.

    - The changes of a turn are found by its context, including indirect and late ones.
    - Undoing an action is not an action; repeating it elsewhere instead is one.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Start empty."""
        self._hass = hass
        self._places: LRU[tuple[str, str | None], HistoryKey] = LRU(_PLACES)
        self._watched: dict[str, TurnRecord] = {}
        """By context id."""
        self._awaited: dict[str, TurnRecord] = {}
        """By the ids of the entities that have not reported their new state yet."""
        self._running: list[TurnRecord] = []
        self._contexts: LRU[str, HistoryKey] = LRU(_CONTEXTS)
        """The places of recent actions and undos, by context id."""
        self._stop: CALLBACK_TYPE | None = None

    def known(self, place: HistoryKey) -> Sequence[TurnRecord]:
        """Return the actions of a place that can be undone, the newest first."""
        return [
            proposed
            for proposed in reversed(place.deeds)
            if not proposed.is_undone and _is_within(proposed.at)
        ]

    def last(self, place: HistoryKey) -> TurnRecord | None:
        """Return the action that "it" refers to; None if the topic has changed since."""
        proposed = place.deeds[-1] if place.deeds and place.is_last else None
        is_meant = proposed and not proposed.is_undone and _is_within(proposed.at, _SPOKEN_OF_FOR)
        return proposed if is_meant else None

    def before(self, utterance: Utterance, place: HistoryKey) -> Utterance:
        """Return the utterance with the effects of the action that "it" refers to."""
        proposed, home = self.last(place), utterance.home
        done = []
        for act in proposed.acts if proposed else ():
            devices = tuple(each for each in home.entities if each.entity_id in act.targets)
            if not devices or len(devices) != len(act.targets):
                return utterance
            done.append(DeviceAction(act.intent_type, act.values, devices))
        return replace(utterance, context=replace(utterance.context, actions=tuple(done)))

    def since(self, place: HistoryKey, proposed: TurnRecord) -> Since:
        """Return the filter for changes since an action, except those by later turns in the place."""
        ours = {each for each, where in self._contexts.items() if where is place}
        return Since(proposed.at, ours, {*self._contexts.keys()} - ours)

    def begin(
        self, said: conversation.ConversationInput, log: conversation.ChatLog
    ) -> RecordingContext:
        """Return a new record for the current turn, in its place."""
        proposed = TurnRecord(said.text, said.context.id, dt_util.utcnow())
        return RecordingContext(self._place(said, log.conversation_id), proposed)

    @contextmanager
    def noting(self, doing: RecordingContext, chat: Chat, journal: Journal) -> Iterator[None]:
        """Record the effects and the answer of a turn, including one that fails."""
        self._running.append(doing.proposed)
        self._watch()
        try:
            yield
        finally:
            self._running.remove(doing.proposed)
            self._keep(doing, journal, _told(chat))
            self._watch()

    def _place(self, said: conversation.ConversationInput, conversation_id: str) -> HistoryKey:
        """Return the history of the user at their satellite, or in their conversation."""
        key = (said.device_id or conversation_id, said.context.user_id)
        return self._places.setdefault(key, HistoryKey())

    def _keep(self, doing: RecordingContext, journal: Journal, told: SpokenAnswer | None) -> None:
        """Keep the record of a turn, if it acted."""
        place, proposed = doing.place, doing.proposed
        acted = [each for each in journal.entries if each.may_have_acted]
        proposed.entries = [each for each in acted if each.tool.name != PUT_BACK]
        has_undone = len(proposed.entries) < len(acted)
        is_deed = bool(proposed.entries) or (bool(proposed.changes) and not has_undone)
        place.is_last = is_deed or (place.is_last and doing.is_aside)
        if told and not doing.is_aside:
            place.said = told
        if not (is_deed or has_undone):
            return
        place.did = told
        self._contexts[proposed.context_id] = place
        if is_deed:
            place.deeds.append(proposed)
            reached = {each for act in proposed.acts for each in act.targets}
            self._awaited.update(dict.fromkeys(reached - proposed.changes.keys(), proposed))

    def _watch(self) -> None:
        """Subscribe to the changes by running turns and by recorded ones."""
        places = self._places.values()
        known = [
            proposed for place in places for proposed in place.deeds if _is_within(proposed.at)
        ]
        self._watched = {proposed.context_id: proposed for proposed in (*known, *self._running)}
        self._awaited = {
            each: proposed
            for each, proposed in self._awaited.items()
            if _is_within(proposed.at, _REPORTS)
        }
        if self._watched and self._stop is None:
            self._stop = self._hass.bus.async_listen(
                EVENT_STATE_CHANGED, self._note, event_filter=self._is_watched
            )
        elif self._stop and not self._watched:
            self._stop()
            self._stop = None

    @callback
    def _is_watched(self, change: EventStateChangedData) -> bool:
        new = change["new_state"]
        if new is None or change["old_state"] is None:
            return False
        return new.context.id in self._watched or new.entity_id in self._awaited

    @callback
    def _note(self, event: Event[EventStateChangedData]) -> None:
        old, new = event.data["old_state"], event.data["new_state"]
        assert old
        assert new
        if proposed := self._watched.get(new.context.id):
            self._awaited.pop(new.entity_id, None)
            proposed.note(old, new)
            return
        proposed = self._awaited.pop(new.entity_id)
        is_somebodys = new.context.user_id or new.context.parent_id
        if _is_within(proposed.at, _REPORTS) and not is_somebodys:
            proposed.note(old, new)


DEEDS: HassKey[ActionHistory] = HassKey("voice_gateway_deeds")


def deeds_of(hass: HomeAssistant) -> ActionHistory:
    """Return the action history of a Home Assistant instance."""
    if (known := hass.data.get(DEEDS)) is None:
        known = hass.data[DEEDS] = ActionHistory(hass)
    return known


def _told(chat: Chat) -> SpokenAnswer | None:
    """Return the answer of a turn."""
    if not (text := spoken(chat.turn)):
        return None
    return SpokenAnswer(
        text, not any(isinstance(each, QuotedAnswer) for each in chat.turn), dt_util.utcnow()
    )


def _is_within(at: dt.datetime, most: dt.timedelta = _UNDONE_FOR) -> bool:
    return dt_util.utcnow() - at <= most
