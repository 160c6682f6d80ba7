"""Tools that add, move and delete an event of a calendar."""

from collections.abc import Iterator, Mapping
import datetime as dt
from functools import partial
from typing import Any, ClassVar, Final, override

from homeassistant.components.calendar import CalendarEntityFeature, CalendarEvent
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..languages import LANGUAGES, joined
from ..languages.dates import Dates, begun
from ..nlu.tokenizer import Text
from ..tools.consent import ConfirmationRequired
from ..tools.context_tool import CallContext, RequestTool, answered, keep_undo
from ..tools.policy.decisions import Ask
from .events import StoredEvent, async_find, called, entity_of, writable

_LASTS: Final = dt.timedelta(hours=1)
_DAY: Final = dt.timedelta(days=1)
_TITLE: Final = {probatio.Required("title"): probatio.All(str, probatio.Length(min=1, max=200))}
_CALENDAR: Final = {probatio.Optional("calendar", description="Only if the user names one"): str}
_WHICH: Final = {probatio.Optional("day", description="Its present date"): str}


class _CalendarTool(RequestTool):
    """Changes an event of a calendar; its time is an argument, and not the time of the call."""

    integration = DOMAIN
    content = ("title",)
    is_for_later = False
    feature: ClassVar[CalendarEntityFeature]

    async def _found(
        self, context: CallContext, arguments: Mapping[str, Any]
    ) -> StoredEvent | llm.ToolResult:
        """Return the only event that is meant, or the answer that there is none, or several."""
        title, hass = _text(context, arguments["title"]), context.hass
        among = writable(hass, context.caller.assistant, self.feature)
        among = called(among, title.alike(arguments.get("calendar", "")))
        found = await async_find(hass, among, title, _date(arguments.get("day", "")))
        match [each.event.summary for each in found]:
            case [_]:
                return found[0]
            case []:
                return await answered(context, "no_such_event", {"title": title}, is_error=True)
            case names:
                return await _which(context, "which_one", names)


class AddEventTool(_CalendarTool):
    """Adds an event to the calendar that is named, or to the only one that can be changed."""

    name = "add_calendar_event"
    title = "Add a calendar event"
    description = "Add an event to a calendar."
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)
    requests = ("actions.enters",)
    feature = CalendarEntityFeature.CREATE_EVENT
    parameters = probatio.Schema(
        {
            **_TITLE,
            probatio.Required("start", description="ISO 8601; a date alone: all day"): str,
            probatio.Optional("end", description="Default: an hour later"): str,
            **_CALENDAR,
        }
    )

    @override
    async def async_call_in_context(
        self, call: llm.ToolInput, context: CallContext
    ) -> llm.ToolResult:
        """Add it, and return its title, time and calendar."""
        arguments, hass = self.parameters(call.tool_args), context.hass
        among = writable(hass, context.caller.assistant, self.feature)
        named = called(among, _text(context, arguments.get("calendar", "")))
        if len(named) != 1:
            names = [each.names[0] for each in named or among]
            return await _which(context, "which_calendar", names)
        if (start := _time(arguments["start"])) is None:
            return await _unclear(context, arguments["start"])
        end, lasts = _time(arguments.get("end", "")), _LASTS if _is_time(start) else _DAY
        if end is None or _is_time(end) is not _is_time(start) or end <= start:
            end = start + lasts
        event = CalendarEvent(start=start, end=end, summary=begun(arguments["title"]))
        stored = StoredEvent(entity_of(hass, named[0]), event)
        before = [each.uid for each in await _alike(hass, stored)]
        await stored.async_add()
        for each in await _alike(hass, stored):
            if each.uid not in before:
                keep_undo(hass, context.caller, StoredEvent(stored.entity, each).async_delete)
        slots = {"title": event.summary, "when": _told(context, stored)}
        return await answered(context, "event_added", {**slots, "calendar": named[0].names[0]})


class MoveEventTool(_CalendarTool):
    """Moves an event; it keeps its day or its time of day, if only the other is given."""

    name = "move_calendar_event"
    title = "Move a calendar event"
    description = "Move an event of a calendar to another time."
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)
    requests = ("actions.moves",)
    feature = CalendarEntityFeature.UPDATE_EVENT
    parameters = probatio.Schema(
        {
            **_TITLE,
            probatio.Required("start", description="New date, time or both, ISO 8601"): str,
            **_WHICH,
            **_CALENDAR,
        }
    )

    @override
    async def async_call_in_context(
        self, call: llm.ToolInput, context: CallContext
    ) -> llm.ToolResult:
        """Move it, and return its old and its new time."""
        arguments = self.parameters(call.tool_args)
        found = await self._found(context, arguments)
        if isinstance(found, llm.ToolResult):
            return found
        old, said = found.event, arguments["start"]
        start, zone = _time(said), found.starts.tzinfo
        if start is None and (time := dt_util.parse_time(said)):
            start = dt.datetime.combine(found.starts.date(), time, zone)
        elif start and not _is_time(start) and not old.all_day:
            start = dt.datetime.combine(start, found.starts.time(), zone)
        if start is None:
            return await _unclear(context, said)
        lasts = _LASTS if old.all_day and _is_time(start) else old.end_datetime_local - found.starts
        moved = CalendarEvent(start=start, end=start + lasts, summary=old.summary)
        await found.async_set(moved.start, moved.end)
        keep_undo(context.hass, context.caller, partial(found.async_set, old.start, old.end))
        new = StoredEvent(found.entity, moved)
        slots = {"title": old.summary, "old": _told(context, found), "new": _told(context, new)}
        return await answered(context, "event_moved", slots)


class DeleteEventTool(_CalendarTool):
    """Deletes an event after a question that names it with its time."""

    name = "delete_calendar_event"
    title = "Delete a calendar event"
    description = "Delete an event of a calendar."
    annotations = llm.ToolAnnotations(destructive=True, open_world=False)
    requests = ("actions.cancels",)
    feature = CalendarEntityFeature.DELETE_EVENT
    parameters = probatio.Schema({**_TITLE, **_WHICH, **_CALENDAR})

    def __init__(self, agreed: StoredEvent | None = None) -> None:
        """Take the event to whose deletion the user has agreed."""
        self._agreed = agreed

    @override
    async def async_call_in_context(
        self, call: llm.ToolInput, context: CallContext
    ) -> llm.ToolResult:
        """Delete the event, or ask for consent. Raises ConfirmationRequired."""
        if self._agreed:
            await self._agreed.async_delete()
            keep_undo(context.hass, context.caller, self._agreed.async_add)
            return await answered(context, "done")
        found = await self._found(context, self.parameters(call.tool_args))
        if isinstance(found, llm.ToolResult):
            return found
        told = f"{found.event.summary} ({_told(context, found)})"
        ask = Ask(does="delete_event", names=[told])
        raise ConfirmationRequired(ask, DeleteEventTool(found), call.tool_args)


def calendar_tools(hass: HomeAssistant, assistant: str) -> Iterator[llm.Tool]:
    """Yield the tools that the calendars exposed to an assistant support."""
    for tool in (AddEventTool, MoveEventTool, DeleteEventTool):
        if writable(hass, assistant, tool.feature):
            yield tool()


def _text(context: CallContext, text: str) -> Text:
    return Text(text, context.caller.language or context.hass.config.language)


def _told(context: CallContext, stored: StoredEvent) -> str:
    """Return the day and the time of an event, in words for the middle of a sentence."""
    dates = Dates(_text(context, "").language.planned or LANGUAGES["en"].planned)
    day = dates.day(stored.starts.date(), dt_util.now().date())
    time = "" if stored.event.all_day else dates.at(stored.starts.time())
    return " ".join(filter(None, (day, time))) or f"{stored.starts:%Y-%m-%d}"


async def _which(context: CallContext, key: str, names: list[str]) -> llm.ToolResult:
    told = joined(context.caller.language, names, how="any")
    return await answered(context, key, {"names": told}, is_error=True)


async def _unclear(context: CallContext, when: str) -> llm.ToolResult:
    return await answered(context, "plan_moment_unclear", {"when": when}, is_error=True)


def _is_time(at: dt.datetime | dt.date) -> bool:
    return isinstance(at, dt.datetime)


def _date(text: str) -> dt.date | None:
    return dt_util.parse_date(text)


def _time(text: str) -> dt.datetime | dt.date | None:
    """Return a time, local if it has no offset, or a date, from ISO 8601; None if it is neither."""
    if len(text) <= len("2026-12-31"):
        return _date(text)
    at = dt_util.parse_datetime(text)
    return at.replace(tzinfo=dt_util.get_default_time_zone()) if at and not at.tzinfo else at


async def _alike(hass: HomeAssistant, stored: StoredEvent) -> list[CalendarEvent]:
    """Return the events of a calendar with the start and the title of another one."""
    found = await stored.entity.async_get_events(hass, stored.starts, stored.starts + _LASTS)
    own = stored.event.summary, stored.event.start
    return [each for each in found if (each.summary, each.start) == own]
