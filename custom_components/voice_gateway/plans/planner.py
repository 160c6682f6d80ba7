"""The plans that one turn makes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
import datetime as dt
from functools import partial
from itertools import takewhile

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from ..nlu.anaphora import Anaphora
from ..nlu.clause import Clause, DialogueAct
from ..nlu.plan_requests import ReminderForm
from ..nlu.reminders import Reminder
from ..nlu.requests import SEARCH
from ..nlu.time_resolution import TimeExpression, TimeType
from ..nlu.tokenizer import NOTHING, Text
from ..nlu.utterance import Utterance
from ..tools.assist.call_errors import Refusal
from ..tools.assist.target import TARGET
from ..tools.consent import ConfirmationRequired
from ..tools.deferral import CannotSchedule, ResolvedCall, Revert
from ..tools.executor import ToolExecutor
from ..tools.journal import DirectReply
from ..tools.policy.call import opens_access
from ..tools.policy.questions import ask_to_open, opening_danger
from ..tools.resolved_intent import Replace
from .condition_anaphora import async_by_condition
from .descriptions import PlanPhrasing, plan_told
from .events import async_watch
from .plan import Plan, PlannedCall, PlannedWords, Spoken
from .plans import Plans
from .runner import ending_of
from .schedule import (
    AtTime,
    OnEvent,
    Schedule,
    day_of,
    ends_of,
    lacks_time,
    next_after,
    when_of,
    words_of,
)
from .undo import async_can_restore, is_so_already, opened_again, since, states_of, target_of

_EITHER = "either"
_CONDITIONS = (TimeType.IF, TimeType.UNLESS)
_ENDINGS = (TimeType.FOR, TimeType.UNTIL)


@dataclass(eq=False)
class Planner:
    """Defers a turn's calls to the times of their clauses.

    A call is checked and corrected against its clause when the plan is made, so that the user
    hears of an unknown device at once.
    """

    hass: HomeAssistant
    plans: Plans
    said: conversation.ConversationInput
    apis: Sequence[str]
    """The ids of the agent's LLM APIs."""
    at: dt.datetime | None = None
    """The time of all plans, in UTC, if it is given as a timestamp instead of words."""
    lacks_time: bool = False
    """Whether a clause was not planned because its time was not said."""
    parts: dict[Clause, Utterance] = field(default_factory=dict)
    """Clauses parsed as utterances of their own."""
    made: list[Plan] = field(default_factory=list)
    """The plans made in this turn."""
    now: dt.datetime = field(init=False)
    """The time to which all time expressions are relative."""
    _once: dict[Clause, dt.datetime] = field(default_factory=dict)
    """The times of clauses that are planned for a single instant."""
    _kept: dict[Clause, ResolvedCall] = field(default_factory=dict)
    """The calls of clauses that were planned, or begun for a duration."""
    _given: set[Clause] = field(default_factory=set)
    _watched: frozenset[str] = frozenset()
    """The entities of the triggers in the sentence."""
    _happening: set[Clause] = field(default_factory=set)
    """Clauses whose condition is an event ("opens"), not a state ("is open")."""
    _among: dict[Clause, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Take the time of the turn."""
        self.now = dt_util.utcnow()

    async def async_part(self, utterance: Utterance, clause: Clause) -> Utterance:
        """Return a clause's command, parsed as an utterance of its own without its times."""
        if clause not in self.parts:
            self.parts[clause] = await utterance.async_parse_clause(self.hass, self.said, clause)
        return self.parts[clause]

    async def async_read_parts(self, utterance: Utterance) -> None:
        """Parse each command of several, so that a call is checked against its own clause."""
        if len(utterance.parsed.clauses) > 1:
            for each in utterance.parsed.clauses:
                if each.act is DialogueAct.COMMAND and not each.negated:
                    await self.async_part(utterance, each)

    async def async_keep(self, tools: ToolExecutor, call: llm.ToolInput, clause: Clause) -> str:
        """Defer a call to its clause's time; return the confirmation.

        Raises Refusal if the call can't be deferred.
        """
        self._check_room()
        resolved = await self._resolved(tools, call, clause)
        when = await self._begin(tools.utterance, clause)
        when = self._in_order(tools.utterance, resolved, clause, when)
        await self._check_end(tools.utterance, clause, resolved)
        plan = self._plan(resolved, clause, when)
        if plan.is_while:
            await self._check_restoring(resolved)
        await self._add(plan)
        self._kept[clause] = resolved
        if isinstance(when, AtTime):
            self._once[clause] = when.at
        return plan_told(self.hass, plan, self.now)

    async def async_remind(
        self, utterance: Utterance, reminder: Reminder, moments: tuple[TimeExpression, ...]
    ) -> str:
        """Plan a reminder; return the confirmation.

        Raises CannotSchedule if its time is unclear.
        """
        is_notice = reminder.form in (ReminderForm.NOTICE, ReminderForm.BARE)
        clause = Clause(
            text=utterance.text,
            command=reminder.lead if is_notice else reminder.text,
            act=DialogueAct.COMMAND,
            times=moments,
        )
        self._check_room()
        when = await self._begin(utterance, clause)
        if _endings(clause):
            raise CannotSchedule("Nothing lasts", DirectReply.LATER)
        words = PlannedWords(form=reminder.form, text=reminder.text)
        plan = replace(self._planned(clause, when), say=words)
        await self._add(plan)
        return plan_told(self.hass, plan, self.now)

    async def async_keep_alarm(
        self, form: ReminderForm, name: str, when: Schedule, moment: str
    ) -> Plan:
        """Plan a timer or an alarm and return it; `moment` is its time or duration in words.

        Raises CannotSchedule if there are too many plans.
        """
        self._check_room()
        said = Text(name, self.said.language)
        plan = self._planned(Clause(text=said, command=NOTHING, act=DialogueAct.COMMAND), when)
        words = PlannedWords(form=form, text=name)
        plan = replace(plan, spoken=replace(plan.spoken, moment=moment), say=words)
        await self._add(plan)
        return plan

    async def async_for_now(
        self, tools: ToolExecutor, call: llm.ToolInput, clause: Clause
    ) -> Revert:
        """Return a call for now with its revert at the clause's end. Raises Refusal."""
        self._check_room()
        try:
            resolved = await self._resolved(tools, call, clause)
        except CannotSchedule as err:
            # "Leave it on until midnight" may mean to turn it off then, which is not supported.
            raise Refusal(str(err)) from err
        await self._check_end(tools.utterance, clause, resolved)
        before = states_of(self.hass, resolved.targets)
        if clause.keeps_state and is_so_already(resolved, before):
            # "Keep it on until ten" while it is on: neither the call nor its revert has an effect.
            raise CannotSchedule(
                "It is so already, and its end was not said", DirectReply.FOR_A_WHILE
            )
        doors = opened_again(resolved, before) if tools.agreed is None else ()
        if doors and opening_danger(doors[0]) in tools.asks_before:
            # "Lock the front door for an hour" unlocks it afterwards.
            ask = replace(ask_to_open(doors), does="open_again")
            raise ConfirmationRequired(ask, resolved.tool, resolved.arguments)
        self._kept[clause] = resolved
        return Revert(resolved, partial(self._async_end, clause, resolved, before))

    async def _async_end(
        self, clause: Clause, resolved: ResolvedCall, before: Sequence[State]
    ) -> str:
        """Plan the revert of a call that was just made; return its time in words."""
        endings = _endings(clause)
        spoken = replace(self._spoken(clause), moment=words_of(endings))
        # The duration counts from the call, which a slow model may make long after the utterance.
        now = dt_util.utcnow()
        snapshots = since(self.hass, before, self.said.context)
        end = ending_of(self.hass, spoken, ends_of(endings, now, self.hass), snapshots)
        if end is None:
            return ""
        await self._add(replace(end, about=_names(resolved)))
        return PlanPhrasing(spoken.language, now).end(end.when, end.spoken.moment)

    async def async_left(self, tools: ToolExecutor) -> tuple[Clause, llm.ToolInput] | None:
        """Return the next clause for later whose call is certain, and that call; each clause once."""
        for clause in self._open(tools.utterance):
            if clause in self._given:
                continue
            self._given.add(clause)
            if call := await self.async_certain(tools, clause):
                return clause, call
        return None

    async def async_why_not(self, tools: ToolExecutor) -> DirectReply | None:
        """Return the reason why a clause can't be deferred, whatever its call; None if all can."""
        for clause in self._open(tools.utterance):
            is_command = clause.act is DialogueAct.COMMAND
            if not is_command and not tools.utterance.link(clause.command).has_mention:
                continue
            try:
                if not clause.starts_now:
                    await self._begin(tools.utterance, clause)
                await self._check_end(tools.utterance, clause)
            except CannotSchedule as err:
                return err.instead
        return None

    def leaves_open(self, utterance: Utterance) -> bool:
        """Return True if a clause for later was not planned."""
        return bool(self._open(utterance))

    def _open(self, utterance: Utterance) -> Sequence[Clause]:
        """Return the clauses for later that were not planned yet."""
        ended = {each.text for clause in self._kept for each in clause.times}
        return [
            clause
            for clause in (each.invert_until() or each for each in utterance.parsed.clauses)
            if clause.times
            and not clause.negated
            and clause not in self._kept
            # "For five minutes, then shut it again": the second clause is the revert of the first.
            and not ended.issuperset(each.text for each in clause.times)
        ]

    async def async_certain(self, tools: ToolExecutor, clause: Clause) -> llm.ToolInput | None:
        """Return the call that a clause resolves to; None if it is not certain.

        "It" refers to the target of the clause before; "and the fan at ten" repeats its action.
        """
        is_same = not clause.predicate.is_expressed
        if not is_same:
            part = await self.async_part(tools.utterance, clause)
            # An item is added to a list at once, even if the clause names a time.
            if (certain := tools.for_part(part).resolved) and certain.targets:
                return _call(tools, certain)
        before = [*takewhile(clause.__ne__, tools.utterance.parsed.clauses)]
        if tools.utterance.condition_subjects and not before:
            return await self._by_condition(tools, clause)
        meant = await self._meant(tools, before[-1]) if before else None
        if meant is None or (len(meant.targets) != 1 and not is_same):
            return None
        if is_same:
            texts = Anaphora.of(clause.command).in_command(before[-1].command)
        else:
            name = meant.targets[0].names[0]
            texts = Anaphora.of(clause.command).with_name(name, before[-1].command)
        for text in texts:
            part = await tools.utterance.async_parse_clause(
                self.hass, self.said, replace(clause, command=clause.text.alike(text))
            )
            certain = tools.for_part(part).resolved
            if certain and _fits(certain, meant, is_same_deed=is_same):
                self.parts[clause] = part
                return _call(tools, certain)
        return None

    async def _by_condition(self, tools: ToolExecutor, clause: Clause) -> llm.ToolInput | None:
        """Return the call of a clause that refers to its condition's subject; None if uncertain."""
        utterance, part = tools.utterance, await self.async_part(tools.utterance, clause)
        found = await async_by_condition(self.hass, self.said, utterance, part, clause)
        certain = tools.for_part(found).resolved if found else None
        if found is None or certain is None:
            return None
        self.parts[clause] = found
        return _call(tools, certain)

    async def _meant(self, tools: ToolExecutor, clause: Clause) -> ResolvedCall | None:
        """Return the call and targets of a clause; None if they are not certain."""
        if clause in self._kept:
            return self._kept[clause]
        part = await self.async_part(tools.utterance, clause)
        certain = tools.for_part(part).resolved
        tool = tools.manager.for_intent(certain.reading.intent_type) if certain else None
        if certain is None or tool is None:
            return None
        return ResolvedCall(tool, dict(certain.reading.slots), tuple(certain.targets))

    def _check_room(self) -> None:
        if self.plans.is_full:
            raise CannotSchedule("There are too many plans", DirectReply.TOO_MANY)

    async def _add(self, plan: Plan) -> None:
        await self.plans.async_add(plan)
        self.made.append(plan)

    async def _resolved(
        self, tools: ToolExecutor, call: llm.ToolInput, clause: Clause
    ) -> ResolvedCall:
        part = await self.async_part(tools.utterance, clause)
        return await tools.for_part(part).async_resolve(call)

    async def _begin(self, utterance: Utterance, clause: Clause) -> Schedule:
        """Return a clause's schedule. Raises CannotSchedule if its time or condition is unclear."""
        if self.at:
            return AtTime(at=self.at)
        conditions = _conditions(clause)
        unclear = "It can't be told whether the condition is met"
        if conditions and len(conditions) == len(clause.times):
            raise CannotSchedule(unclear, DirectReply.CONDITION)
        when = when_of(clause.times, self.now, self.hass)
        if when is None:
            raise self.unclear(clause.times)
        if isinstance(when, OnEvent) and not await self._shows(utterance, clause, when.condition):
            raise CannotSchedule("Nothing shows when that happens", DirectReply.EVENT)
        for each in conditions:
            if not await self._shows(utterance, clause, each.condition, each.type):
                raise CannotSchedule(unclear, DirectReply.CONDITION)
        return when

    def unclear(self, moments: Sequence[TimeExpression]) -> CannotSchedule:
        """Return the error for unclear time expressions, and remember if the user must add a time."""
        if lacks_time(moments) or not moments:
            self.lacks_time = True
            return CannotSchedule("It was not said at what time", DirectReply.AT_WHAT_TIME)
        if all(each.has_time and not each.is_unread for each in moments) and any(
            each.week == _EITHER for each in moments
        ):
            self.lacks_time = True
            return CannotSchedule("It may be one of two days", DirectReply.ON_WHICH_DAY)
        return CannotSchedule("It can't be told when that is", DirectReply.LATER)

    def _in_order(
        self, utterance: Utterance, resolved: ResolvedCall, clause: Clause, when: Schedule
    ) -> Schedule:
        """Return a time of day after the times of earlier clauses for the same devices.

        "On at nine and off at ten", said at half past nine, is tomorrow for both. Clauses may be
        planned in another order than they were said.
        """
        before = [
            self._once[each]
            for each in takewhile(clause.__ne__, utterance.parsed.clauses)
            if each in self._once and self._kept[each].targets == resolved.targets
        ]
        is_clock = all(each.type is TimeType.AT for each in clause.times)
        if not before or not isinstance(when, AtTime) or when.at > max(before) or not is_clock:
            return when
        if day_of(clause.times, self.now):
            return when
        return when_of(clause.times, max(before), self.hass) or when

    async def _check_end(
        self, utterance: Utterance, clause: Clause, resolved: ResolvedCall | None = None
    ) -> None:
        """Raise CannotSchedule if a clause's end is unclear, or its call can't be reverted then.

        Raises Refusal if the call contradicts the clause.
        """
        if not (endings := _endings(clause)):
            return
        ends = ends_of(endings, self.now, self.hass)
        if ends is None:
            raise CannotSchedule("It can't be told when that ends", DirectReply.LATER)
        if isinstance(ends, OnEvent) and not await self._shows(
            utterance, clause, ends.condition, TimeType.UNTIL
        ):
            raise CannotSchedule("Nothing shows when that ends", DirectReply.EVENT)
        if resolved:
            await self._check_restoring(resolved)
            if clause.predicate.agrees(getattr(resolved.tool, "intent_type", "")) is False:
                raise Refusal("The user said the opposite")

    async def _shows(
        self, utterance: Utterance, clause: Clause, condition: str, kind: TimeType = TimeType.WHEN
    ) -> bool:
        """Return True if the home has a trigger for a condition.

        "The door" may be a device that the sentence mentions before.
        """
        home, spoken = utterance.home, self._spoken(clause)
        watched = await async_watch(self.hass, home, spoken, condition, kind)
        if watched is None and self._watched:
            among = tuple(target_of(self.hass, each) for each in sorted(self._watched))
            watched = await async_watch(
                self.hass, home, replace(spoken, among=among), condition, kind
            )
            if watched:
                self._among[clause] = among
        if watched:
            self._watched |= watched.entity_ids
        if watched and watched.is_event:
            self._happening.add(clause)
        return watched is not None

    async def _check_restoring(self, resolved: ResolvedCall) -> None:
        can = [await async_can_restore(self.hass, each.domain) for each in resolved.targets]
        if not can or not all(can):
            raise CannotSchedule("It can't be undone by itself", DirectReply.FOR_A_WHILE)

    def _planned(self, clause: Clause, when: Schedule) -> Plan:
        """Return the plan of a clause, still without a call or text."""
        return Plan(
            spoken=self._spoken(clause),
            made=self.now,
            when=when,
            due=next_after(when, self.now, self.hass),
            conditions=tuple(_conditions(clause)),
            endings=tuple(_endings(clause)),
        )

    def _plan(self, resolved: ResolvedCall, clause: Clause, when: Schedule) -> Plan:
        intent_type = getattr(resolved.tool, "intent_type", "")
        arguments, targets = resolved.arguments, resolved.targets
        return replace(
            self._planned(clause, when),
            is_while=self._is_while(clause, when),
            call=PlannedCall(
                tool=resolved.tool.name,
                server=getattr(resolved.tool, "server", ""),
                intent_type=intent_type,
                arguments=arguments,
                targets=tuple(target_of(self.hass, each.entity_id) for each in targets),
            ),
            about=_names(resolved),
            is_guarded=any(opens_access(intent_type, arguments, each) for each in targets),
        )

    def _is_while(self, clause: Clause, when: Schedule) -> bool:
        """Return True if the effect ends with its condition: "run it whenever it is humid"."""
        if not isinstance(when, OnEvent) or not when.each or clause in self._happening:
            return False
        said = clause.command.casefold().split()
        verbs = clause.command.language.forms.get("lasting", ())
        return not _endings(clause) and bool(said) and said[0] in verbs

    def _spoken(self, clause: Clause) -> Spoken:
        """Return the words, user and satellite of a clause."""
        return Spoken(
            text=clause.command or clause.text,
            moment=words_of([each for each in clause.times if each.type not in _ENDINGS]),
            language=self.said.language,
            agent_id=self.said.agent_id,
            user_id=self.said.context.user_id,
            device_id=self.said.device_id,
            among=self._among.get(clause, ()),
            apis=tuple(self.apis),
        )


def _conditions(clause: Clause) -> Sequence[TimeExpression]:
    return [each for each in clause.times if each.type in _CONDITIONS]


def _endings(clause: Clause) -> Sequence[TimeExpression]:
    return [each for each in clause.times if each.type in _ENDINGS]


def _names(resolved: ResolvedCall) -> tuple[str, ...]:
    return tuple(each.names[0] for each in resolved.targets)


def _fits(certain: Replace, meant: ResolvedCall, *, is_same_deed: bool) -> bool:
    """Return True if a reading has the same action for other devices, or else the same devices."""
    if certain.reading.intent_type == SEARCH:
        # A search takes any words as a title.
        return False
    intent_type = getattr(meant.tool, "intent_type", "")
    if is_same_deed:
        is_other = {*meant.targets}.isdisjoint(certain.targets)
        return certain.reading.intent_type == intent_type and is_other
    return {*certain.targets} == {*meant.targets}


def _call(tools: ToolExecutor, certain: Replace) -> llm.ToolInput | None:
    """Return the call of a certain reading; None if its slots can't express its targets.

    A call without a target would apply to the whole home.
    """
    tool = tools.manager.for_intent(certain.reading.intent_type)
    assert tool
    slots = dict(certain.reading.slots)
    if certain.targets and slots.keys().isdisjoint(TARGET):
        if len(certain.targets) > 1:
            return None
        slots["name"] = certain.targets[0].names[0]
    return llm.ToolInput(tool.name, slots)
