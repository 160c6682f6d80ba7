"""Sentences about plans, answered without a model: list, cancel, change; reminders, alarms."""

from collections.abc import Awaitable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from homeassistant.components import conversation
from homeassistant.components.calendar import CalendarEntityFeature as Feature
from homeassistant.components.homeassistant import async_should_expose
from homeassistant.const import Platform
from homeassistant.helpers import entity_registry as er, llm

from ..calendars.events import writable
from ..const import DOMAIN
from ..nlu.clause import Clause, DialogueAct
from ..nlu.plan_requests import PlanAct, PlanRequest, ReminderForm
from ..nlu.reminders import Reminder, ReminderParser
from ..nlu.time_resolution import TimeType
from ..nlu.tokenizer import NOTHING, Text
from ..nlu.utterance import Utterance
from ..plans.alarms import Alarms, PlanReply
from ..plans.descriptions import plan_named, plan_told
from ..plans.last_mentioned import MentionedPlans
from ..plans.plan import Plan
from ..plans.plan_lookup import PlanLookup
from ..plans.planner import Planner
from ..plans.plans import PLANS
from ..plans.reschedule import changed
from ..tools.assist.offered import has_timers
from ..tools.deferral import CannotSchedule
from ..tools.journal import Journal
from .chat import Chat

_PLAYED: Final = {PlanAct.PAUSE: (False, "playing"), PlanAct.RESUME: (True, "paused")}
"""By action: whether the timer is paused before, and the state of a player it may be for."""
_SYSTEMS: Final = frozenset(("alarm_control_panel", "siren"))
"""Domains whose entities are called an alarm, too."""
_MOST: Final = 5
"""The most plans in an answer."""


class PlanStage:
    """Answers a sentence that is about plans, or that requests a reminder.

    - A sentence that may be about something else is not answered, unless plans are the topic.
    - Home Assistant's own sentences come first: lists, and timers of devices that have them.
    - If there is a day without a time, the user is asked, and the next sentence may give it.
    - The answer names the plans that were cancelled or changed.
    """

    def __init__(
        self,
        chat: Chat,
        utterance: Utterance,
        planner: Planner,
        *,
        is_completed: bool = False,
    ) -> None:
        """Take the chat, the utterance, and the planner.

        `is_completed`: the reply to our question has completed the previous sentence with a time.
        """
        self._is_completed = is_completed
        self._hass = chat.hass
        self._chat = chat
        self._heard = utterance
        self._planner = planner
        self._plans = chat.hass.data[PLANS]
        self._now = planner.now
        self._reply = PlanReply("")
        self._which = PlanLookup(chat.hass, self._plans, utterance, self._now)
        self._alarms = Alarms(planner, self._which, chat.said.device_id)
        self.kept = ""
        """The report of a reminder that was set beside commands."""

    async def async_split(self) -> Utterance:
        """Set a reminder that is coordinated with commands; return the utterance without it."""
        if llm.LLM_API_ASSIST not in self._planner.apis:
            return self._heard
        parts = await ReminderParser.async_split(self._heard, self._hass, self._chat.said)
        kept: PlanReply | None
        match parts:
            case PlanRequest() as alarm, rest if self._is_of_alarms(alarm, is_ringing=False):
                kept = await self._of_alarms(self._alarms.async_answer(alarm, ()))
            case [*reminders], rest:
                kept = await self._remind(reminders)
            case _:
                return self._heard
        if kept:
            self._reply, self._heard = kept, rest
            self.kept = kept.text
        return self._heard

    async def async_answer(self) -> bool:
        """Answer, if the sentence is certainly about plans; return whether it is."""
        if self.kept or llm.LLM_API_ASSIST not in self._planner.apis:
            return False
        reply = await self._answered() or await self._answer(self._heard.text)
        if reply is None and (self._latest()[0] or self._alarms.ringing):
            # "Cancel it, I don't need it any more"
            for part in ReminderParser(self._heard.text).beside_remarks:
                reply = reply or await self._answer(part)
        if reply:
            self._reply = reply
            await self._chat.report_action(reply.text)
        return reply is not None

    async def _answer(self, text: Text) -> PlanReply | None:
        """Return the answer to a sentence about plans; None if it is about something else."""
        sentence = ReminderParser(text)
        ringing = bool(self._alarms.ringing)
        latest = self._latest()[0]
        topic = next((each.say.form if each.say else ReminderForm.PLAIN for each in latest), None)
        alarms = sentence.parse_alarms(self._alarms.labels, topic, is_ringing=ringing)
        if alarms and all(self._is_of_alarms(each, is_ringing=ringing) for each in alarms):
            match alarms:
                case [alarm]:
                    return await self._of_alarms(self._alarms.async_answer(alarm, latest))
                case several:
                    return await self._of_alarms(self._alarms.async_set_all(several))
        if self._heard.exact_command:
            return None
        if wanted := sentence.parse_request(topic):
            return await self._do(wanted)
        if reminders := sentence.parse_reminders() or (
            sentence.added_to(self._heard.context.before) if latest else ()
        ):
            return await self._remind(reminders)
        if (
            reminder := sentence.parse_timeless()
            or self._completed()
            or self._appointment(sentence)
        ):
            return await self._remind([reminder])
        return None

    def _appointment(self, sentence: ReminderParser) -> Reminder | None:
        """Return the appointment in a sentence, unless another tool of the agent may add it."""
        has_calendar = writable(self._hass, conversation.DOMAIN, Feature.CREATE_EVENT)
        if has_calendar or [*self._planner.apis] != [llm.LLM_API_ASSIST]:
            return None
        found = sentence.parse_appointment()
        return None if found is None or self._heard.link(found.text).has_mention else found

    def _completed(self) -> Reminder | None:
        """Return the reminder that a reply has completed, if it mentions nothing of the home."""
        match self._heard.parsed.clauses:
            case [Clause(negated=False, times=times, command=command)] if (
                self._is_completed and times
            ):
                if not self._heard.link(command).has_mention:
                    form = ReminderForm.PLAIN
                    return Reminder(form=form, text=command, times=times, lead=NOTHING)
        return None

    @contextmanager
    def noted(self, journal: Journal) -> Iterator[None]:
        """Record the plans that this turn has mentioned, even if it fails.

        `journal` has the other calls of the turn.
        """
        try:
            yield
        finally:
            made, reply = self._planner.made, self._reply
            # The user was asked for a time or a duration.
            lacks_time = reply.lacks_time or (self._planner.lacks_time and not made)
            mentioned = MentionedPlans(
                at=self._now,
                ids=[each.id for each in made or reply.plans],
                are_made=bool(made) or reply.is_changed,
                asked=reply.asked,
                unfinished=(reply.unfinished or self._heard.text) if lacks_time else NOTHING,
            )
            self._plans.latest.note(
                self._chat.log.conversation_id,
                self._chat.said.device_id,
                mentioned,
                has_acted=journal.may_have_acted,
            )

    # Timers and alarms

    def _may_mean_system(self) -> bool:
        """Return True if "the alarm" may be an alarm system.

        Without an alarm of ours, also a system that is not exposed.
        """
        if not _SYSTEMS.isdisjoint(self._heard.home.domains):
            return True
        has_ours = any(not each.is_timer for each in self._alarms.all)
        return not has_ours and bool(self._hass.states.async_entity_ids(_SYSTEMS))

    def _is_of_alarms(self, wanted: PlanRequest, *, is_ringing: bool) -> bool:
        """Return True if a sentence is about our timers and alarms."""
        if is_ringing and wanted.act in (PlanAct.STOP, PlanAct.SNOOZE, PlanAct.LENGTHEN):
            return True
        is_timer = wanted.form is ReminderForm.TIMER
        has_ours = any(each.is_timer for each in self._alarms.all)
        if is_timer and not has_ours and has_timers(self._hass, self._chat.said.device_id):
            return False
        if self._heard.asks and wanted.act is PlanAct.SET:
            return False
        command = self._heard.exact_command
        if command and "item" in command.slots:
            return False
        is_known = wanted.which and any(map(wanted.names, self._alarms.labels))
        if not (wanted.times or wanted.seconds or is_known):
            # "Turn off the alarm" may refer to an alarm system.
            is_of_system = not is_timer and self._may_mean_system()
            if is_of_system or self._heard.link(self._heard.text).named:
                return False
        if wanted.is_certain:
            return True
        if wanted.act is PlanAct.SET:
            # "Set ten minutes for the rice", but not for the oven.
            return not (command or self._heard.link(self._heard.text).has_mention)
        if has_ours and wanted.act in (PlanAct.LENGTHEN, PlanAct.SHORTEN, PlanAct.LEFT):
            return True
        return self._is_of_last(wanted)

    def _is_of_last(self, wanted: PlanRequest) -> bool:
        """Return True if a sentence without a noun refers to the last timer or alarm."""
        last = [each.say for each in self._latest()[0] if each.say and each.rings]
        is_topic = bool(self._plans.latest.in_conversation(self._chat.log.conversation_id).ids)
        if wanted.act not in _PLAYED:
            # "Turn it off" may refer to what a later turn was about.
            is_it = wanted.act is PlanAct.CANCEL and not (wanted.times or wanted.all)
            return bool(last) and (is_topic or not is_it)
        # "Pause" may refer to a media player, unless the turn before was about the timer.
        paused, state = _PLAYED[wanted.act]
        players = self._hass.states.async_all(Platform.MEDIA_PLAYER)
        is_timer = any((each.left is not None) is paused for each in last)
        return is_timer and bool(is_topic or all(each.state != state for each in players))

    async def _of_alarms(self, answering: Awaitable[PlanReply]) -> PlanReply:
        """Return the reply about timers and alarms, including why one can't be set."""
        try:
            return await answering
        except CannotSchedule as err:
            return PlanReply(await self._chat.our_text(err.instead))

    async def _do(self, wanted: PlanRequest) -> PlanReply | None:
        """Execute a request about plans; return the reply, None if it is about something else."""
        match wanted.act:
            case PlanAct.LIST:
                return await self._list(wanted)
            case PlanAct.CANCEL:
                return await self._cancel(wanted)
            case PlanAct.CHANGE:
                return await self._change(wanted, self._latest()[0])
        return None

    async def _answered(self) -> PlanReply | None:
        """Execute the request of the last question, with the plans that the reply selects."""
        latest = self._plans.latest.in_conversation(self._chat.log.conversation_id)
        if (wanted := latest.asked) is None:
            return None
        plans = self._those(latest.ids)
        picked = self._which.picked(plans, self._heard.text)
        if not picked and wanted.is_of_alarms:
            reply = ReminderParser(self._heard.text).parse_alarm((), wanted.form, is_ringing=False)
            picked = self._alarms.picked(plans, reply) if reply else ()
        if not picked:
            return None
        if wanted.is_of_alarms:
            wanted = replace(wanted, all=len(picked) > 1)
            return await self._of_alarms(self._alarms.async_do(wanted, picked))
        if wanted.act is PlanAct.CANCEL:
            return await self._cancelled(picked, wanted)
        return await self._change(wanted, picked)

    def _latest(self) -> tuple[Sequence[Plan], bool]:
        """Return the plans that are the topic, and whether they were made together."""
        conversation_id = self._chat.log.conversation_id
        latest = self._plans.latest.of(conversation_id, self._chat.said.device_id, self._now)
        return self._those(latest.ids), latest.are_made

    def _all(self, wanted: PlanRequest) -> Sequence[Plan]:
        listed = self._plans.all
        if wanted.only_reminders:
            return [each for each in listed if each.say and not each.rings]
        return listed

    def _those(self, ids: Iterable[str]) -> Sequence[Plan]:
        return [plan for each in ids if (plan := self._plans.get(each))]

    # Listing

    async def _list(self, wanted: PlanRequest) -> PlanReply | None:
        if not wanted.is_certain and self._has_other_calendar():
            return None
        plans: Sequence[Plan] = self._all(wanted)
        if wanted.which:
            plans = self._which.on_day(plans, wanted.which)
        if not plans:
            return PlanReply(await self._chat.our_text("plans_none"))
        sentences = [f"{plan_told(self._hass, each, self._now)}." for each in plans[:_MOST]]
        if (more := len(plans) - _MOST) > 0:
            sentences.append(await self._chat.our_text("plans_more", {"count": str(more)}))
        return PlanReply(" ".join(sentences), plans)

    def _has_other_calendar(self) -> bool:
        """Return True if the question may be about another calendar."""
        registry = er.async_get(self._hass)
        # A calendar is a tool of its own, and not among the devices of the home.
        return any(
            async_should_expose(self._hass, conversation.DOMAIN, each)
            and not ((entry := registry.async_get(each)) and entry.platform == DOMAIN)
            for each in self._hass.states.async_entity_ids(Platform.CALENDAR)
        )

    # Cancelling

    async def _cancel(self, wanted: PlanRequest) -> PlanReply | None:
        if wanted.command:
            plans = await self._taken_back(wanted.command)
        elif wanted.all:
            plans = self._all(wanted)
        elif wanted.which:
            plans = self._which.about(self._plans.all, wanted.which)
        else:
            plans, are_together = self._latest()
            if not plans and wanted.is_certain:
                plans, are_together = self._all(wanted), False
            if len(plans) > 1 and not are_together:
                return await self._ask(plans, wanted)
        if not plans:
            if not wanted.is_certain:
                return None
            key = "plan_unknown" if self._plans.all else "plans_none"
            return PlanReply(await self._chat.our_text(key))
        if wanted.which and len(plans) > 1:
            return await self._ask(plans, wanted)
        return await self._cancelled(plans, wanted)

    async def _taken_back(self, command: Text) -> Sequence[Plan]:
        """Return the plans for a command that the user takes back."""
        if not self._plans.all:
            return ()
        clause = Clause(text=command, command=command, act=DialogueAct.COMMAND)
        part = await self._planner.async_part(self._heard, clause)
        return self._which.of_command(self._plans.all, part, self._latest()[0])

    async def _cancelled(self, plans: Sequence[Plan], wanted: PlanRequest) -> PlanReply:
        """Cancel plans; return the reply."""
        is_whole = not (wanted.all or wanted.which or wanted.command)
        ended = [each for each in plans if each.is_ending]
        others = [each for each in plans if not each.is_ending]
        if ended and is_whole:
            # "Cancel that" refers to the action that has begun, not to its end.
            for each in ended:
                await self._plans.async_end_now(each.id)
        await self._plans.async_remove(
            each.id for each in plans if not (is_whole and each.is_ending)
        )
        sentences: list[str] = []
        if others:
            sentences.append(await self._named("plan_cancelled", others))
        if ended:
            key = "plan_ended_now" if is_whole else "plan_end_cancelled"
            sentences.append(await self._named(key, ended))
        return PlanReply(" ".join(sentences))

    async def _named(self, key: str, plans: Sequence[Plan]) -> str:
        """Return a text of ours about plans."""
        text = await self._chat.our_text(key, {"plans": self._names(plans)})
        if len(plans) <= _MOST:
            return text
        more = await self._chat.our_text("plans_more", {"count": str(len(plans) - _MOST)})
        return f"{text} {more}"

    async def _ask(self, plans: Sequence[Plan], wanted: PlanRequest) -> PlanReply:
        """Ask which plan is meant."""
        text = await self._chat.our_text("plan_which", {"plans": self._names(plans)})
        return PlanReply(text, plans, asked=wanted)

    def _names(self, plans: Sequence[Plan]) -> str:
        return "; ".join(plan_named(each, self._now) for each in plans[:_MOST])

    # Changing

    async def _change(self, wanted: PlanRequest, plans: Sequence[Plan]) -> PlanReply | None:
        news = [changed(self._hass, each, wanted.times, self._now) for each in plans]
        made = [each for each in news if each]
        olds = [old for old, new in zip(plans, news, strict=True) if new]
        if len({(each.when, each.is_ending) for each in olds}) > 1:
            return await self._ask(olds, wanted)
        for each in made:
            await self._plans.async_replace(each)
        text = " ".join(f"{plan_told(self._hass, each, self._now)}." for each in made)
        return PlanReply(text, made, is_changed=True) if made else None

    # Reminders

    async def _remind(self, reminders: Sequence[Reminder]) -> PlanReply | None:
        """Set the first reminder whose time is determined."""
        refused = ""
        for each in reminders:
            if self._is_question(each):
                continue
            try:
                kept = await self._planner.async_remind(self._heard, each, each.times)
                return PlanReply(f"{kept}.")
            except CannotSchedule as err:
                refused = refused or (err.instead if each.is_certain else "")
        return PlanReply(await self._chat.our_text(refused)) if refused else None

    def _is_question(self, reminder: Reminder) -> bool:
        """Return True if it is a question about a state: "let me know if the door is open"."""
        kinds = {each.type for each in reminder.times}
        return reminder.form is ReminderForm.NOTICE and kinds <= {TimeType.IF, TimeType.UNLESS}
