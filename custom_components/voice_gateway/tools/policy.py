"""Whether a call may be made: the one place that decides it, for every call of every caller.

A rule looks at a call and at what was said, and says why the call may not be made. The first that
does so decides. A rule stays only with cases of two homes, and is measured: `script/bench moments
--without RULE`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from homeassistant.helpers import intent, llm

from ..heard.heard import Heard, Kind
from ..heard.said import Clause, Kind as When, Mood
from ..home.exposed import Exposed
from ..json_schema import Json
from ..mcp_servers.tool import McpTool
from .journal import Journal, Outcome
from .manager import ToolManager

_PAIRS = (
    (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF),
    (intent.INTENT_PAUSE_TIMER, intent.INTENT_UNPAUSE_TIMER),
    (intent.INTENT_INCREASE_TIMER, intent.INTENT_DECREASE_TIMER),
    ("HassLawnMowerStartMowing", "HassLawnMowerDock"),
    ("HassListAddItem", "HassListRemoveItem"),
    ("HassMediaNext", "HassMediaPrevious"),
    ("HassMediaPause", "HassMediaUnpause"),
    ("HassMediaPlayerMute", "HassMediaPlayerUnmute"),
    ("HassVacuumStart", "HassVacuumReturnToBase"),
)
_OPPOSITES = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_PERCENT = ("brightness", "position")
_ENDS = {0: intent.INTENT_TURN_OFF, 100: intent.INTENT_TURN_ON}
# What is put on a list may speak of a time; it is put there at once.
_LISTS = frozenset(("shopping_list", "todo"))


class Instead(StrEnum):
    """What the user is told in the model's stead: the key of the sentence."""

    LATER = "not_later"
    CONDITION = "not_on_condition"
    AS_SAID = "left_alone"


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a call may not be made, in words for the model."""

    reason: str
    instead: Instead | None = None
    """What the user is told at once, where there is nothing left for the model to do."""


@dataclass(frozen=True, kw_only=True)
class Deed:
    """A call that is about to be made."""

    tool: llm.Tool
    arguments: Json
    is_written: bool
    """The model wrote it as text."""
    domains: frozenset[str] = frozenset()
    """Of the devices that its tool works with; empty where it works with none."""
    reached: Callable[[], Sequence[Exposed]] = tuple
    """Finds what `targets` are."""

    @cached_property
    def targets(self) -> Sequence[Exposed]:
        """The devices that it would act upon, as far as they are known.

        To find them is half the work of the call: most sentences need no rule that asks for them.
        """
        return self.reached()

    @property
    def acts_on_devices(self) -> bool:
        """Whether it changes something in the home."""
        return bool(self.domains - _LISTS) and not self.tool.annotations.read_only


@dataclass(frozen=True, slots=True)
class Turn:
    """What a call is held to."""

    heard: Heard
    journal: Journal
    manager: ToolManager


type Rule = Callable[[Deed, Turn], Refused | None]


def question(deed: Deed, turn: Turn) -> Refused | None:
    """Where the user asks or tells something, nothing is done."""
    if _only_reads(deed.tool) or not turn.heard.asks:
        return None
    if turn.heard.said.mood is not Mood.STATEMENT:
        return Refused("The user asked a question: read the state, and answer")
    if deed.acts_on_devices:
        return Refused("The user told you something, and asked for nothing: answer in words")
    return None


def unread(deed: Deed, turn: Turn) -> Refused | None:
    """A text acts upon no sentence that was not read in time."""
    if deed.is_written and turn.heard.kind is Kind.UNREAD and not _only_reads(deed.tool):
        return Refused("It is not known what the user asks for: only read, and answer")
    return None


def negated(deed: Deed, turn: Turn) -> Refused | None:
    """What is not to be done is not done."""
    clauses = _clauses(deed, turn.heard)
    # Also a tool of which nobody says whether it acts is not wanted then.
    if not deed.tool.annotations.read_only and clauses and all(each.negated for each in clauses):
        return Refused("The user said not to do this", Instead.AS_SAID)
    return None


def excepted(deed: Deed, turn: Turn) -> Refused | None:
    """What is excepted is left alone."""
    words = " ".join(each.excepted for each in turn.heard.said.clauses if each.excepted)
    if not words or not deed.targets:
        return None
    mentioned = turn.heard.mentioned
    # Of all devices, those that the words are most about: "the bed light" is no other light.
    about = mentioned.spoken_of(words, mentioned.home.entities)
    most = max(about.values())
    spared = [entity for entity in deed.targets if most and about[entity] == most]
    if not spared:
        return None
    names = ", ".join(entity.names[0] for entity in spared)
    return Refused(f"The user excepted {names}: call the tool once for each of the others, by name")


def another_moment(deed: Deed, turn: Turn) -> Refused | None:
    """What is to be done at another moment is not done now."""
    if not deed.acts_on_devices:
        return None
    match put_off(_clauses(deed, turn.heard)):
        case Instead.CONDITION as told:
            return Refused("The user named a condition, which cannot be kept yet", told)
        case Instead.LATER as told:
            return Refused("The user named another moment than now", told)
    return None


def opposite(deed: Deed, turn: Turn) -> Refused | None:
    """The opposite of what Home Assistant reads in the sentence is not done."""
    understood = turn.heard.understood
    if (
        understood
        and isinstance(deed.tool, llm.IntentTool)
        and _is_opposite(deed.tool.intent_type, deed.arguments, understood.intent_type)
    ):
        meant = turn.manager.for_intent(understood.intent_type)
        return Refused(f"The user asked for the opposite: call {meant and meant.name}")
    return None


def undoing(deed: Deed, turn: Turn) -> Refused | None:
    """What was done in a turn is not undone by the next text in it."""
    if not (deed.is_written and isinstance(deed.tool, llm.IntentTool)):
        return None
    for before in turn.journal.entries:
        if (
            isinstance(before.tool, llm.IntentTool)
            and before.outcome not in (Outcome.REFUSED, Outcome.FAILED)
            and _acts_alike(before.arguments, deed.arguments)
            and _is_opposite(deed.tool.intent_type, deed.arguments, before.tool.intent_type)
        ):
            return Refused(f"You called the opposite before: {before.tool.name}")
    return None


RULES: tuple[Rule, ...] = (
    question,
    unread,
    another_moment,
    negated,
    excepted,
    opposite,
    undoing,
)


def refusal(deed: Deed, turn: Turn) -> Refused | None:
    """Return why a call may not be made; None where it may."""
    return next((refused for rule in RULES if (refused := rule(deed, turn))), None)


def put_off(clauses: Sequence[Clause]) -> Instead | None:
    """Return what the user is told of what is not to be done at once; None where it is."""
    kinds = {each.kind for clause in clauses for each in clause.moments}
    if kinds & {When.IF, When.UNLESS}:
        return Instead.CONDITION
    return Instead.LATER if kinds else None


def _only_reads(tool: llm.Tool) -> bool:
    """Tell whether a tool does nothing, as far as anybody says: of many tools nobody says anything."""
    if tool.annotations.read_only or isinstance(tool, llm.IntentTool):
        return tool.annotations.read_only
    if isinstance(tool, McpTool):
        return not {"read_only_hint", "destructive_hint"} & tool.declared.keys()
    return tool.annotations == llm.ToolAnnotations()


def _clauses(deed: Deed, heard: Heard) -> Sequence[Clause]:
    """Return the parts of the sentence that a call may belong to: those that speak of its devices."""
    clauses = heard.said.clauses
    if len(clauses) < 2 or not deed.targets:
        return clauses
    words = [sum(heard.mentioned.spoken_of(each.text, deed.targets).values()) for each in clauses]
    return [each for each, count in zip(clauses, words, strict=True) if count == max(words)]


def _is_opposite(intent_type: str, arguments: Json, asked_for: str) -> bool:
    """Tell whether a call does the opposite of an intent: 0 % is off or closed, 100 % on or open."""
    values = (arguments.get(slot) for slot in _PERCENT)
    ends = (_ENDS[value] for value in values if isinstance(value, int) and value in _ENDS)
    return any(_OPPOSITES.get(each) == asked_for for each in (intent_type, *ends))


def _acts_alike(arguments: Json, others: Json) -> bool:
    """Tell whether two calls act upon the same: all that they say but how much of it."""

    def what(said: Json) -> dict[str, object]:
        return {slot: value for slot, value in said.items() if value and slot not in _PERCENT}

    return what(arguments) == what(others)
