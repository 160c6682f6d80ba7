"""A plan: a call or words that are kept for their moment, or what is to be as it was before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
import datetime as dt
from typing import Any, Final, Self

from homeassistant.util.ulid import ulid_now

from ..json_schema import Json
from ..nlu.plan_requests import ReminderForm
from ..nlu.time_resolution import TimeExpression, TimeType
from .schedule import AtTime, OnEvent, Schedule, as_json, of_json
from .stored import check

_WORDS = frozenset(("text", "moment", "condition", "arguments", "attributes", "about", "user_id"))
"""What a stored plan has of a sentence, and of who spoke."""


_STORED_NAMES: Final = {
    "type": "kind",
    "is_unread": "unread",
    "is_shared": "shared",
    "depends_on_answer": "of_answer",
}
"""Fields of a time expression whose names in stored plans differ: plans outlive renames."""


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

    def as_json(self) -> dict[str, Any]:
        """Return it as it is stored."""
        return {
            **as_json(self),
            "conditions": [moment_as_json(each) for each in self.conditions],
            "endings": [moment_as_json(each) for each in self.endings],
        }

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Self:
        """Return a plan as it was stored. Raises KeyError, TypeError or ValueError if it is none."""
        call = data["call"]
        plan = cls(
            id=str(data["id"]),
            spoken=Spoken(**_with_tuples(data["spoken"], "among", "apis")),
            made=_instant(data["made"]),
            when=of_json(data["when"]),
            due=_instant(data["due"]) if data["due"] else None,
            conditions=tuple(map(moment_of_json, data["conditions"])),
            endings=tuple(map(moment_of_json, data["endings"])),
            is_while=bool(data["is_while"]),
            call=PlannedCall(**_with_tuples(call, "targets")) if call else None,
            say=_words_of(data["say"]) if data.get("say") else None,
            restore=tuple(StateSnapshot(**each) for each in data["restore"]),
            about=tuple(data["about"]),
            skipped=tuple(map(_instant, data["skipped"])),
            last=_instant(data["last"]) if data["last"] else None,
            is_guarded=bool(data["is_guarded"]),
            is_running=bool(data["is_running"]),
        )
        check(plan)
        return plan

    def running(self, since: dt.datetime | None = None) -> Self:
        """Return it as it is while it is carried out; `since` when, in UTC, where it rings."""
        say = replace(self.say, since=since) if self.say and self.rings else self.say
        return replace(self, is_running=True, say=say)

    def ended(self) -> Self:
        """Return it as it is when it has been carried out, and is to be once more."""
        return replace(self, is_running=False, say=self.say and replace(self.say, since=None))


def without_words(stored: Any) -> Any:
    """Return a plan as it is stored, but for what was said, and who said it."""
    match stored:
        case dict():
            return {
                key: "" if key in _WORDS and value else without_words(value)
                for key, value in stored.items()
            }
        case list() | tuple():
            return [without_words(each) for each in stored]
    return stored


def moment_as_json(moment: TimeExpression) -> dict[str, Any]:
    """Return a moment as it is stored."""
    return {
        _STORED_NAMES.get(name, name): value
        for name, value in as_json(moment).items()
        if value not in (None, "", [])
    }


def moment_of_json(data: Mapping[str, Any]) -> TimeExpression:
    """Return a moment as it was stored. Raises KeyError, TypeError or ValueError if it is none."""
    names = {stored: name for name, stored in _STORED_NAMES.items()}
    given = {names.get(name, name): value for name, value in _with_tuples(data, "weekdays").items()}
    given["type"] = TimeType(given["type"])
    if "time" in data:
        given["time"] = dt.time.fromisoformat(data["time"])
    return TimeExpression(**given)


def _words_of(data: Mapping[str, Any]) -> PlannedWords:
    """Return words as they were stored. Raises KeyError, TypeError or ValueError if they are none."""
    since = data.get("since")
    return PlannedWords(
        form=ReminderForm(data["form"]),
        text=data["text"],
        left=data.get("left"),
        since=_instant(since) if since else None,
    )


def _instant(text: str) -> dt.datetime:
    """Return a moment as it was stored, in UTC. Raises TypeError or ValueError if it is none."""
    at = dt.datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"No time zone: {text}")
    return at.astimezone(dt.UTC)


def _with_tuples(data: Mapping[str, Any], *names: str) -> dict[str, Any]:
    tuples: dict[str, Sequence[Any]] = {name: tuple(data[name]) for name in names if name in data}
    return {**data, **tuples}
