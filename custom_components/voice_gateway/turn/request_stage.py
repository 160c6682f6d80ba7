"""Requests for tools of our own, without the model: announcements, messages, events of calendars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
import datetime as dt
from typing import Any

from homeassistant.components.calendar import CalendarEntityFeature
from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from ..calendars.events import StoredEvent, async_find, async_named, called, writable
from ..calendars.tools import AddEventTool, DeleteEventTool, MoveEventTool
from ..const import DOMAIN
from ..json_schema import Json
from ..models.client import ModelError, Reason
from ..names.matching import words_apart
from ..nlu.follow_ups import FollowUpParser
from ..nlu.tokenizer import Text
from ..nlu.tool_requests import ToolRequest
from ..nlu.utterance import Utterance
from ..plans.planner import Planner
from ..plans.schedule import AtTime, day_of, ends_of, lacks_time, when_of
from ..tools.builtin.send_to_phone import SendToPhoneTool, recipients
from ..tools.deferral import CannotSchedule
from ..tools.executor import ToolExecutor
from ..tools.journal import CallRecord
from .answer import PrepareAnswer
from .chat import Chat

_EVENTS = {AddEventTool.name, MoveEventTool.name, DeleteEventTool.name}
_NEAR = dt.timedelta(hours=6)
"""Of an event that keeps its day, "four" is in the afternoon, and "eight" in the morning."""


@dataclass(frozen=True, slots=True)
class RequestStage:
    """Calls the tool of ours that a whole sentence certainly asks for, and speaks its answer.

    - The call goes through the policy as a model's does: it is deferred to the time of its clause.
    - Without the tool, or with another one for calendars, the sentence is left to the model.
    """

    chat: Chat
    heard: Utterance
    planner: Planner
    prepared: PrepareAnswer
    """Collects the agent's tools."""

    async def async_answer(self) -> bool:
        """Answer, if the sentence certainly is such a request; return whether it is."""
        # Many possible ends of an event's title are parsed: not for the event loop.
        wanted = await self.chat.hass.async_add_executor_job(ToolRequest.of, self.heard)
        wanted = wanted or await self._with_calendar()
        is_done = wanted is not None and await self._call(wanted)
        if not is_done and (wanted := self._of_last_event):
            is_done = await self._call(wanted)
        self.chat.report.reflex = is_done
        return is_done

    @property
    def _of_last_event(self) -> ToolRequest | None:
        """The request for the event of the last answer beside a remark: "delete it, I can't go"."""
        parts = FollowUpParser(self.heard.text).beside_remarks
        found = (ToolRequest.of(replace(self.heard, text=part)) for part in parts)
        return next((each for each in found if each and each.arguments.get("title") == ""), None)

    async def _call(self, wanted: ToolRequest) -> bool:
        """Call the tool of a request; return whether there is one. Raises ModelError if it fails."""
        answer = await self.prepared(self.heard)
        tools = answer.tools
        tool = tools.manager.find(wanted.tool)
        if tool is None or tool.integration != DOMAIN:
            return False
        events = await self._events(wanted, tools.llm_context)
        if not await self._is_ours(wanted, tools, events):
            return False
        try:
            times = self._times(wanted, events[0].starts if events else None)
            arguments = {**wanted.arguments, **times}
            if arguments.get("title") == "":
                arguments["title"] = events[0].event.summary
        except CannotSchedule as err:
            await self.chat.say_text(err.instead)
            return True
        call = llm.ToolInput(wanted.tool, arguments)
        tools.note_clause(call, wanted.clause)
        result = await self.chat.call(call)
        if tools.consent.calls:
            await answer.ask()
        elif (text := await self._text(tools.journal.entries[-1], result.data)) is None:
            in_doubt = tools.journal.is_in_doubt
            raise ModelError(Reason.IN_DOUBT if in_doubt else Reason.NOT_DONE)
        else:
            await self.chat.say(text)
        return True

    async def _text(self, entry: CallRecord, data: Mapping[str, Any]) -> str | None:
        """Return the sentence about a call; None if the tool did not answer."""
        if entry.instead:
            return await self.chat.our_text(entry.instead)
        told = f"{entry.told}." if entry.told else data.get("result")
        return told if isinstance(told, str) else None

    async def _events(self, wanted: ToolRequest, context: llm.LLMContext) -> Sequence[StoredEvent]:
        """Return the events that a request is for; for "it", the only one that the last answer names."""
        if wanted.tool not in _EVENTS or wanted.tool == AddEventTool.name:
            return ()
        among = writable(self.chat.hass, context.assistant, CalendarEntityFeature(0xF))
        if title := str(wanted.arguments["title"]):
            return await async_find(self.chat.hass, among, self.heard.text.alike(title))
        if FollowUpParser(self.heard.text).parse():
            return ()  # "Annule ça" undoes the last action.
        named = await async_named(self.chat.hass, among, self.heard.context.answer)
        return named if len(named) == 1 else ()

    async def _is_ours(
        self, wanted: ToolRequest, tools: ToolExecutor, events: Sequence[StoredEvent]
    ) -> bool:
        """Return False for an event or a recipient that there is not, or if another tool fits."""
        if wanted.tool == SendToPhoneTool.name:
            to = self.heard.text.alike(str(wanted.arguments["recipient"]))
            return wanted.is_sure or bool(recipients(self.chat.hass, to, tools.llm_context))
        if wanted.tool not in _EVENTS:
            return True
        names = (words_apart(each.name) for _, own in tools.manager.of_others for each in own)
        if any(Text(name, "en").says("questions.calendars") for name in names):
            return False
        return wanted.is_sure or bool(events)

    def _times(self, wanted: ToolRequest, before: dt.datetime | None) -> Json:
        """Return the arguments for the time of an event. Raises CannotSchedule if it is unclear.

        `before` is its start: an hour that may be in the morning or the evening is near it.
        """
        moments, hass, now = wanted.moments, self.chat.hass, self.planner.now
        if wanted.tool not in _EVENTS:
            return {}
        begins = [each for each in moments if ends_of([each], now, hass) is None]
        day = day_of(begins, now)
        if wanted.tool == DeleteEventTool.name:
            return {"day": day.isoformat()} if day else {}
        is_open = wanted.tool == MoveEventTool.name and not any(x.names_day for x in begins)
        if is_open and before:
            now = max(before - _NEAR, dt_util.start_of_local_day(before) + _NEAR)
        when = when_of(moments, now, hass)
        if isinstance(when, AtTime):
            at, end = dt_util.as_local(when.at), ends_of(moments, when.at, hass)
            if is_open:
                return {"start": at.time().isoformat()}
            until = {"end": dt_util.as_local(end.at).isoformat()} if isinstance(end, AtTime) else {}
            return {"start": at.isoformat(), **until}
        if day and lacks_time(moments):
            return {"start": day.isoformat()}
        raise self.planner.unclear(moments)

    async def _with_calendar(self) -> ToolRequest | None:
        """Return the request of the sentence before, with the calendar that a reply names."""
        context, hass = self.heard.context, self.chat.hass
        if not (context.before and context.answer):
            return None
        among = writable(hass, CONVERSATION, AddEventTool.feature)
        named = called(among, self.heard.text)
        if len(named) != 1 or len(among) == 1:
            return None
        asked = await self.chat.our_text(
            "which_calendar", {"names": [each.names[0] for each in among]}, how="any"
        )
        wanted = ToolRequest.of(replace(self.heard, text=context.before))
        if wanted is None or not context.answer.endswith(asked):
            return None
        return replace(wanted, arguments={**wanted.arguments, "calendar": named[0].names[0]})
