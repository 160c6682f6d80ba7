"""What a question may be about, read before the model is asked: calendars and to-do lists.

A small model that is asked "who am I meeting for dinner?" does not look into the calendar by itself.
"""

from collections.abc import Sequence
from typing import Final

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..heard.heard import Heard
from ..heard.line import plain, tokens_of
from ..heard.said import Mood
from ..heard.templates import templates
from ..home.exposed import calendars
from ..languages import language_of
from ..tools.executor import ToolExecutor

_EVENTS: Final = "calendar__get_events"
_ITEMS: Final = "todo__get_items"
_MOST: Final = 2
"""Calendars or lists that are read: of more, the model chooses."""


def to_read(hass: HomeAssistant, tools: ToolExecutor) -> Sequence[llm.ToolInput]:
    """Return the calls that read what a question is likely about; none where it is no question."""
    heard = tools.heard
    if not heard.asks or heard.said.mood is not Mood.QUESTION:
        return ()
    offered = {tool.name for tool in tools.tools}
    lists = [
        each.names[0] for each in heard.mentioned.home.entities if each.domain == Platform.TODO
    ]
    if _ITEMS in offered and _says(heard, "lists"):
        return _each(_ITEMS, lists, "todo_list", status="needs_action")
    if _EVENTS in offered and _is_of_days(heard):
        days = {each.day_offset for clause in heard.said.clauses for each in clause.moments}
        span = "today" if days == {0} else "week"
        names = [each.names[0] for each in calendars(hass, CONVERSATION)]
        return _each(_EVENTS, names, "calendar", range=span)
    return ()


def _each(tool: str, names: Sequence[str], slot: str, **others: str) -> Sequence[llm.ToolInput]:
    if len(names) > _MOST:
        return ()
    return [llm.ToolInput(tool, {slot: name, **others}) for name in names]


def _is_of_days(heard: Heard) -> bool:
    """Tell whether a question is about what somebody has before them, and not about a device."""
    if heard.mentioned.named_in(heard.text) or heard.meant(heard.text).tells:
        return False
    has_moment = any(clause.moments for clause in heard.said.clauses)
    return has_moment or _says(heard, "own") or _says(heard, "timers")


def _says(heard: Heard, form: str) -> bool:
    known = templates(language_of(heard.language).code)
    return known.has(form, [token.text for token in tokens_of(plain(heard.text))])
