"""A plan: a deferred call, a reminder, or a revert of earlier changes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
import datetime as dt
from typing import Self

from homeassistant.core import HomeAssistant
from homeassistant.util.ulid import ulid_now

from ..json_schema import Json
from ..nlu.plan_requests import ReminderForm
from ..nlu.time_resolution import TimeExpression
from .schedule import AtTime, OnEvent, Schedule, check_seconds, check_times, ends_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """The utterance that made a plan: its words, user and satellite."""

    text: str
    """The command as spoken, without its time expression."""
    moment: str = ""
    """The time expression as spoken."""
    language: str
    agent_id: str
    user_id: str | None = None
    device_id: str | None = None
    """The satellite's device id."""
    among: tuple[str, ...] = ()
    """Candidates for the event's device that the sentence mentions before: "the door"."""
    apis: tuple[str, ...] = ()
    """The ids of the agent's LLM APIs, whose tools carry out the plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCall:
    """A call, checked and corrected when the plan was made."""

    tool: str
    server: str = ""
    """The tool's MCP server, as its name prefix: other servers may have a tool of this name."""
    intent_type: str = ""
    """The intent that it calls, if any."""
    arguments: Json = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    """Its devices: their ids in the entity registry, else their entity ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedWords:
    """The text of a reminder, timer or alarm, in the user's words."""

    form: ReminderForm
    text: str
    """For a timer or an alarm, its name: "pizza timer"."""
    left: float | None = None
    """The remaining seconds of a paused timer."""
    since: dt.datetime | None = None
    """When a timer or an alarm began to ring, in UTC."""

    def __post_init__(self) -> None:
        """Check the values. Raises ValueError."""
        check_seconds(self.left)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateSnapshot:
    """The state of a device before a temporary change."""

    target: str
    """The device's id in the entity registry, or its entity id."""
    state: str
    attributes: Json
    then: str
    """The state after the change; empty if unknown. Another state means a later change."""
    context: str = ""
    """The id of the change's context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A deferred call, reminder or revert, with its schedule."""

    id: str = field(default_factory=ulid_now)
    spoken: Spoken
    made: dt.datetime
    when: Schedule
    due: dt.datetime | None = None
    """The next time, in UTC; None for a plan that waits for an event, and a paused timer."""
    conditions: tuple[TimeExpression, ...] = ()
    """IF and UNLESS: conditions that must be met when the plan is due."""
    endings: tuple[TimeExpression, ...] = ()
    """FOR and UNTIL: the duration of the call's effect."""
    is_while: bool = False
    """The call's effect lasts as long as the event's condition holds."""
    call: PlannedCall | None = None
    say: PlannedWords | None = None
    """The text of a plan without a call."""
    restore: tuple[StateSnapshot, ...] = ()
    """The states that a revert restores, which has neither a call nor a text."""
    about: tuple[str, ...] = ()
    """The names of its devices when the plan was made."""
    skipped: tuple[dt.datetime, ...] = ()
    """Cancelled occurrences of a recurrence, in UTC."""
    last: dt.datetime | None = None
    """The end of a recurrence, in UTC."""
    is_guarded: bool = False
    """It would open an entry point: it is never carried out late."""
    is_running: bool = False
    """It is being carried out; the outcome is unknown yet."""

    def __post_init__(self) -> None:
        """Check the values of its time expressions. Raises ValueError."""
        check_times((*self.conditions, *self.endings))

    @property
    def is_ending(self) -> bool:
        """Whether it reverts a temporary change."""
        return self.call is None and self.say is None

    @property
    def rings(self) -> bool:
        """Whether it is a timer or an alarm, which repeats its text until it is stopped."""
        return self.say is not None and self.say.form.rings

    @property
    def is_timer(self) -> bool:
        """Whether it is a timer."""
        return self.say is not None and self.say.form is ReminderForm.TIMER

    @property
    def targets(self) -> Sequence[str]:
        """Its devices: their ids in the entity registry, else their entity ids."""
        return self.call.targets if self.call else [each.target for each in self.restore]

    @property
    def goes_on(self) -> bool:
        """Whether it will be carried out again."""
        return self.due is not None or (isinstance(self.when, OnEvent) and self.when.each)

    @property
    def is_once(self) -> bool:
        """Whether it is carried out once, and does not recur."""
        return isinstance(self.when, AtTime) or (
            isinstance(self.when, OnEvent) and not self.when.each
        )

    def end(self, begins: dt.datetime, hass: HomeAssistant) -> AtTime | OnEvent | None:
        """Return the end of the call's effect that begins at an instant; None without an end."""
        if self.is_while and isinstance(self.when, OnEvent):
            return replace(self.when, each=False, held=0, is_over=True)
        return ends_of(self.endings, begins, hass)

    def once(self, at: dt.datetime) -> Self:
        """Return the plan for a single instant, in UTC, instead of its own times."""
        return replace(self, when=AtTime(at=at), due=at, skipped=(), last=None)

    @property
    def lasting(self) -> dt.timedelta:
        """The duration of a timer, without the time for which it was paused."""
        return self.when.at - self.made if isinstance(self.when, AtTime) else dt.timedelta()

    def left(self, now: dt.datetime) -> float:
        """Return the seconds that a timer still runs."""
        if self.say and self.say.left is not None:
            return self.say.left
        return (self.due - now).total_seconds() if self.due else 0

    def running(self, since: dt.datetime | None = None) -> Self:
        """Return the plan marked as running; `since`, in UTC, is when a timer or an alarm rings."""
        say = replace(self.say, since=since) if self.say and self.rings else self.say
        return replace(self, is_running=True, say=say)

    def ended(self) -> Self:
        """Return the plan no longer marked as running, for its next time."""
        return replace(self, is_running=False, say=self.say and replace(self.say, since=None))
