"""A plan: a call or words that are kept for their moment, or what is to be as it was before."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
import datetime as dt
from typing import Self

from homeassistant.util.ulid import ulid_now

from ..json_schema import Json
from ..nlu.plan_requests import ReminderForm
from ..nlu.time_resolution import TimeExpression
from .schedule import AtTime, OnEvent, Schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Who planned something, with what words, and where."""

    text: str
    """What is to be done, in the words of the sentence, without when."""
    moment: str = ""
    """When, in the words of the sentence."""
    language: str
    agent_id: str
    user_id: str | None = None
    device_id: str | None = None
    """Of the satellite that was spoken to."""
    among: tuple[str, ...] = ()
    """The devices of which one shows the event, where the sentence spoke of them before: "the door"."""
    apis: tuple[str, ...] = ()
    """The ids of Home Assistant's LLM APIs that the agent had: their tools carry it out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCall:
    """A call that was checked and corrected when it was planned."""

    tool: str
    server: str = ""
    """The MCP server whose tool it is, as it stands before names: another's namesake is not meant."""
    intent_type: str = ""
    """The intent that it calls, where it calls one."""
    arguments: Json = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    """Its devices: their ids in the entity registry, or entity ids of those that are not in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedWords:
    """What is said when the moment comes, in the user's words."""

    form: ReminderForm
    text: str
    """Of a timer or an alarm what it is called: "pizza timer"."""
    left: float | None = None
    """For how many seconds a timer that was paused is still to run."""
    since: dt.datetime | None = None
    """Since when a timer or an alarm rings, in UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateSnapshot:
    """How a device was before something was done to it for a while."""

    target: str
    """Its id in the entity registry, or its entity id."""
    state: str
    attributes: Json
    then: str
    """The state into which it was put; empty where nobody knows. In another one, it was changed since."""
    context: str = ""
    """The id of the context in which it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be done, and when."""

    id: str = field(default_factory=ulid_now)
    spoken: Spoken
    made: dt.datetime
    when: Schedule
    due: dt.datetime | None = None
    """The next time, in UTC; None for what waits for an event."""
    conditions: tuple[TimeExpression, ...] = ()
    """IF and UNLESS: what has to be so when the moment comes."""
    endings: tuple[TimeExpression, ...] = ()
    """FOR and UNTIL: how long what is done then lasts."""
    is_while: bool = False
    """It lasts as long as its event is so."""
    call: PlannedCall | None = None
    say: PlannedWords | None = None
    """What is to be said, where no call is planned."""
    restore: tuple[StateSnapshot, ...] = ()
    """What is to be as it was before, where neither is planned."""
    about: tuple[str, ...] = ()
    """The names of its devices when it was planned."""
    skipped: tuple[dt.datetime, ...] = ()
    """Times of what is done again and again at which it is not, in UTC."""
    last: dt.datetime | None = None
    """After this time it is not done again."""
    is_guarded: bool = False
    """It would let somebody in: it is never late."""
    is_running: bool = False
    """It has begun, and nobody knows yet what came of it."""

    @property
    def is_ending(self) -> bool:
        """Whether it ends what was to be for a while."""
        return self.call is None and self.say is None

    @property
    def rings(self) -> bool:
        """Whether it is a timer or an alarm: it is said again and again, until somebody stops it."""
        return self.say is not None and self.say.form.rings

    @property
    def is_timer(self) -> bool:
        """Whether it is a timer."""
        return self.say is not None and self.say.form is ReminderForm.TIMER

    @property
    def targets(self) -> Sequence[str]:
        """Its devices: their ids in the entity registry, or entity ids of those that are not in it."""
        return self.call.targets if self.call else [each.target for each in self.restore]

    @property
    def goes_on(self) -> bool:
        """Whether it is to be carried out once more."""
        return self.due is not None or (isinstance(self.when, OnEvent) and self.when.each)

    @property
    def is_once(self) -> bool:
        """Whether it is over when it is done."""
        return isinstance(self.when, AtTime) or (
            isinstance(self.when, OnEvent) and not self.when.each
        )

    def running(self, since: dt.datetime | None = None) -> Self:
        """Return it as it is while it is carried out; `since` when, in UTC, where it rings."""
        say = replace(self.say, since=since) if self.say and self.rings else self.say
        return replace(self, is_running=True, say=say)

    def ended(self) -> Self:
        """Return it as it is when it has been carried out, and is to be once more."""
        return replace(self, is_running=False, say=self.say and replace(self.say, since=None))
