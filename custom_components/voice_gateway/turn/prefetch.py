"""Prefetching of the data for a question: calendars, to-do lists, devices.

A small model that is asked "who am I meeting for dinner?" does not read the calendar by itself, and
finds the right state more reliably among few.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from ..answers.compiler import past_query
from ..answers.token_consumer import TokenConsumer
from ..home.exposed import calendars
from ..models.history import Note
from ..names.matching import words
from ..nlu.clause import DialogueAct
from ..nlu.entity_linking import EntityLinker
from ..nlu.utterance import Utterance
from ..tools.executor import ToolExecutor
from .instructions import ANSWER_IF_TOLD

_EVENTS: Final = "calendar__get_events"
_ITEMS: Final = "todo__get_items"
_STATES: Final = "homeassistant__GetLiveContext"
_MOST: Final = 2
"""The most calendars or lists to read: among more, the model chooses."""
_DEVICES: Final = 3
_IN_AREA: Final = 12
"""The most devices of an area to read."""


@dataclass(frozen=True, slots=True)
class Prefetch:
    """The calls that read the data for a question."""

    calls: Sequence[llm.ToolInput] = ()
    is_all: bool = True
    """Whether the model can need no other data; about a device, it may."""

    @property
    def hint(self) -> Sequence[Note]:
        """The note for a model that may have all the data it needs."""
        return (Note(content=ANSWER_IF_TOLD),) if self.calls else ()


def to_read(hass: HomeAssistant, tools: ToolExecutor) -> Prefetch:
    """Return the calls that read the likely data for a question; none for other sentences."""
    utterance = tools.utterance
    if not utterance.asks or utterance.parsed.act is not DialogueAct.QUESTION:
        return Prefetch()
    offered = {tool.name for tool in tools.tools}
    meant = utterance.link(utterance.text)
    is_of_home = bool(meant.mentioned) or meant.has_mention
    if calls := _of_days_or_lists(hass, utterance, offered, is_of_home=is_of_home):
        return Prefetch(calls)
    # The current state may not answer a question about the past.
    if _STATES not in offered or past_query(utterance.text, dt_util.now()) is not None:
        return Prefetch()
    return Prefetch(
        [llm.ToolInput(_STATES, {**each}) for each in _places(utterance, meant)],
        is_all=False,
    )


def _of_days_or_lists(
    hass: HomeAssistant, utterance: Utterance, offered: Collection[str], *, is_of_home: bool
) -> Sequence[llm.ToolInput]:
    lists = [each.names[0] for each in utterance.home.entities if each.domain == Platform.TODO]
    if _ITEMS in offered and _says(utterance, "lists"):
        return _each(_ITEMS, lists, "todo_list", status="needs_action")
    if _EVENTS in offered and not is_of_home and _is_of_days(utterance):
        days = {each.day_offset for clause in utterance.parsed.clauses for each in clause.times}
        span = "today" if days == {0} else "week"
        names = [each.names[0] for each in calendars(hass, CONVERSATION)]
        return _each(_EVENTS, names, "calendar", range=span)
    return ()


def _places(utterance: Utterance, meant: EntityLinker) -> Sequence[Mapping[str, str]]:
    """Return the arguments that select the devices of a question: by name, else by area."""
    # A mention of a room does not name the speaker of the same name.
    named = [
        each
        for each in sorted(meant.mentioned)
        if not any(meant.place_words.issuperset(words(name)) for name in each.names)
    ]
    # "How warm is it in the kitchen" has a word of all the kitchen's devices.
    named = [each for each in named if utterance.dialogue.says_name_of(each)] or named
    if 0 < len(named) <= _DEVICES:
        return [{"name": name} for name in dict.fromkeys(each.names[0] for each in named)]
    home, areas = utterance.home, meant.areas
    if len(areas) == 1 and 0 < sum(each.area in areas for each in home.entities) <= _IN_AREA:
        return [{"area": home.areas[each].name} for each in areas]
    return ()


def _each(tool: str, names: Sequence[str], slot: str, **others: str) -> Sequence[llm.ToolInput]:
    if len(names) > _MOST:
        return ()
    return [llm.ToolInput(tool, {slot: name, **others}) for name in names]


def _is_of_days(utterance: Utterance) -> bool:
    """Return True if a question without a device is about the user's schedule."""
    has_moment = any(clause.times for clause in utterance.parsed.clauses)
    return has_moment or _says(utterance, "own", "timers")


def _says(utterance: Utterance, *forms: str) -> bool:
    return bool(TokenConsumer(utterance.text).tokens(*(f"forms.{each}" for each in forms)))
