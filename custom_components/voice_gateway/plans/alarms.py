"""Spoken requests about timers and alarms: set, query, pause, snooze, stop."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
import datetime as dt
from typing import Final

from ..nlu.plan_requests import PlanAct, PlanRequest, ReminderForm
from ..nlu.time_resolution import TimeExpression, TimeType
from ..nlu.tokenizer import NOTHING, Text
from .descriptions import PlanPhrasing, alarm_told
from .plan import Plan
from .plan_lookup import PlanLookup
from .planner import Planner
from .reschedule import changed
from .schedule import AtTime, Recurrence, day_of, moved, when_of, words_of

_SECOND: Final = dt.timedelta(seconds=1)
_WITH_DURATION: Final = (PlanAct.CHANGE, PlanAct.LENGTHEN, PlanAct.SHORTEN)
"""Acts whose duration is not that of the timer they refer to."""
_SNOOZE: Final = 540.0
"""Seconds of a snooze whose duration was not said."""


@dataclass(frozen=True, slots=True)
class PlanReply:
    """The answer to a request about plans."""

    text: str
    plans: Sequence[Plan] = ()
    """The plans that it mentions."""
    is_changed: bool = False
    """The plans were changed, not only reported."""
    asked: PlanRequest | None = None
    """The request, if the answer asks to which of the plans it applies."""
    lacks_time: bool = False
    """The answer asks for a time or a duration."""
    unfinished: Text = NOTHING
    """What has no time, if it is not the whole sentence."""


class Alarms:
    """The timers and alarms of a home, for one turn.

    - A request applies to one of them unless it says "all"; if several match, the user is asked
      which.
    - Those set on the satellite in use are preferred to those of other satellites.
    """

    def __init__(self, planner: Planner, lookup: PlanLookup, device_id: str | None) -> None:
        """Take the planner, the lookup, and the device id of the satellite in use."""
        self._planner = planner
        self._lookup = lookup
        self._hass, self._plans, self._now = lookup.hass, lookup.plans, lookup.now
        self._language, self._device_id = lookup.heard.language, device_id
        self._phrasing = PlanPhrasing(self._language, self._now)

    @property
    def all(self) -> Sequence[Plan]:
        """All timers and alarms by their next time."""
        return [each for each in self._plans.all if each.rings]

    @property
    def labels(self) -> Sequence[Text]:
        """Their names."""
        return [Text(each.spoken.text, self._language) for each in self.all]

    @property
    def ringing(self) -> Sequence[Plan]:
        """Those that ring: of this satellite if any does, else all."""
        return self._here([each for each in self.all if each.is_running])

    async def async_answer(self, wanted: PlanRequest, latest: Sequence[Plan]) -> PlanReply:
        """Carry out a request about timers and alarms; return the answer.

        `latest` are the plans mentioned last. Raises CannotSchedule if a time is unclear.
        """
        ringing = self.ringing
        is_longer = wanted.act is PlanAct.LENGTHEN or (
            wanted.act is PlanAct.SET and any(each.type is TimeType.IN for each in wanted.times)
        )
        if wanted.act is PlanAct.SNOOZE or (ringing and is_longer and not wanted.label):
            return await self._snooze(wanted, ringing)
        if wanted.act is PlanAct.STOP or (
            wanted.act is PlanAct.CANCEL and ringing and not (wanted.which or wanted.times)
        ):
            return await self._stop(ringing)
        if wanted.act is PlanAct.SET:
            return await self._set(wanted)
        found = self._meant(wanted)
        is_of_day = wanted.act is PlanAct.CANCEL and bool(wanted.times)
        if not (wanted.is_certain or wanted.all or is_of_day or wanted.act is PlanAct.LEFT):
            # "Make that five minutes later" refers to the plans mentioned last.
            found = [each for each in latest if each.rings] or found
        if not found:
            return self._nothing(wanted)
        match wanted.act:
            case PlanAct.LEFT | PlanAct.LIST:
                return self._told(found)
            case PlanAct.NEXT:
                return self._told(found[:1])
        is_sure = wanted.act is PlanAct.CANCEL and wanted.is_certain
        if len(found) > 1 and not (wanted.all or is_sure):
            found = [each for each in latest if each in found] or found
        return await self.async_do(wanted, found)

    async def async_set_all(self, wanted: Sequence[PlanRequest]) -> PlanReply:
        """Set several timers or alarms; return one answer. Raises CannotSchedule."""
        replies = [await self._set(each) for each in wanted]
        plans = [plan for each in replies for plan in each.plans]
        return PlanReply(" ".join(each.text for each in replies), plans, is_changed=True)

    async def async_do(self, wanted: PlanRequest, plans: Sequence[Plan]) -> PlanReply:
        """Carry out a request for the timer or alarm that matches; if several do, ask which."""
        if len(plans) > 1 and not (wanted.all and wanted.act is PlanAct.CANCEL):
            names = "; ".join(alarm_told(each, self._now).rstrip(".") for each in plans)
            return PlanReply(self._phrasing.alarm("which", names=names), plans, asked=wanted)
        if wanted.act is PlanAct.CANCEL:
            return await self._cancel(plans, wanted)
        (plan,) = plans
        match wanted.act:
            case PlanAct.LENGTHEN | PlanAct.SHORTEN:
                sign = 1 if wanted.act is PlanAct.LENGTHEN else -1
                return await self._longer(plan, sign * (wanted.seconds or 0))
            case PlanAct.PAUSE:
                return await self._pause(plan)
            case PlanAct.RESUME:
                return await self._resume(plan)
            case PlanAct.RESTART if plan.is_timer:
                return await self._run(replace(plan, made=self._now), plan.lasting, "set_timer")
            case PlanAct.RENAME:
                return await self._rename(plan, str(wanted.label))
            case PlanAct.CHANGE if plan.is_timer:
                return await self._longer(plan, (wanted.seconds or 0) - plan.left(self._now))
            case PlanAct.CHANGE:
                return await self._move(plan, wanted.times[-1:])
        return self._told(plans)

    # Reference

    def picked(self, plans: Sequence[Plan], reply: PlanRequest) -> Sequence[Plan]:
        """Return those among some that a reply refers to: "the ten minute one"."""
        return [each for each in self._meant(replace(reply, act=PlanAct.LEFT)) if each in plans]

    def _meant(self, wanted: PlanRequest) -> Sequence[Plan]:
        """Return the timers or alarms that a request refers to."""
        is_timer = wanted.form is ReminderForm.TIMER
        found = [each for each in self.all if each.is_timer is is_timer]
        if wanted.which:
            named = [each for each in found if wanted.names(Text(each.spoken.text, self._language))]
            said = wanted.which.casefold()
            # An exact match excludes inflected ones: "pizza" does not match "pizzas" if both exist.
            found = [each for each in named if said in each.spoken.text.casefold()] or named
        if wanted.seconds and wanted.act not in _WITH_DURATION:
            # "Cancel the ten minute timer"
            lasting = dt.timedelta(seconds=wanted.seconds)
            found = [each for each in found if abs(each.lasting - lasting) < _SECOND]
        times = wanted.times[:-1] if wanted.act is PlanAct.CHANGE else wanted.times
        if times:
            found = [each for each in found if self._lookup.is_at(each, times)]
        if wanted.part:
            found = sorted(found, key=lambda each: each.left(self._now))[wanted.part]
        return found if wanted.all else self._here(found)

    def _here(self, plans: Sequence[Plan]) -> Sequence[Plan]:
        """Return the plans made on the satellite in use; all if it has none."""
        return [each for each in plans if each.spoken.device_id == self._device_id] or plans

    def _nothing(self, wanted: PlanRequest) -> PlanReply:
        is_timer = wanted.form is ReminderForm.TIMER
        if any(each.is_timer is is_timer for each in self.all):
            return PlanReply(self._phrasing.alarm("unknown"))
        return PlanReply(self._phrasing.alarm("no_timer" if is_timer else "no_alarm"))

    # Acts

    async def _set(self, wanted: PlanRequest) -> PlanReply:
        form = wanted.form or ReminderForm.ALARM
        name = str(wanted.label) or self._phrasing.texts["alarms"][form]
        if form is ReminderForm.TIMER:
            if not wanted.seconds:
                how_long = self._phrasing.alarm("how_long")
                return PlanReply(how_long, lacks_time=True, unfinished=wanted.label)
            amount = self._phrasing.duration(wanted.seconds)
            at = self._now + dt.timedelta(seconds=wanted.seconds)
            plan = await self._planner.async_keep_alarm(form, name, AtTime(at=at), amount)
            return self._done("set_timer", plan, amount=amount)
        when = when_of(wanted.times, self._now, self._hass) if wanted.times else None
        if when is None:
            raise self._planner.unclear(wanted.times)
        plan = await self._planner.async_keep_alarm(form, name, when, words_of(wanted.times))
        return self._done("set_alarm", plan, when=self._phrasing.within(when))

    async def _snooze(self, wanted: PlanRequest, ringing: Sequence[Plan]) -> PlanReply:
        if not ringing:
            return PlanReply(self._phrasing.alarm("silent"))
        said = next((each.seconds for each in wanted.times if each.seconds), None)
        seconds = wanted.seconds or said or _SNOOZE
        later = self._now + dt.timedelta(seconds=seconds)
        for each in ringing:
            await self._plans.async_silence(each.id, later)
        return PlanReply(
            self._phrasing.again(seconds), [each for each in self.all if each.due == later]
        )

    async def _stop(self, ringing: Sequence[Plan]) -> PlanReply:
        for each in ringing:
            await self._plans.async_silence(each.id)
        return PlanReply(self._phrasing.alarm("stopped" if ringing else "silent"))

    async def _cancel(self, plans: Sequence[Plan], wanted: PlanRequest) -> PlanReply:
        """Cancel plans; if the request names a day, only the occurrence of a recurrence on it."""
        day = day_of(wanted.times, self._now) if wanted.times else None
        sentences: list[str] = []
        gone: list[Plan] = []
        for each in plans:
            at = (
                self._lookup.time_on(each, day)
                if day and isinstance(each.when, Recurrence)
                else None
            )
            if at:
                await self._plans.async_skip(each.id, at)
                when = self._phrasing.within(AtTime(at=at))
                sentences.append(self._phrasing.alarm("skipped", name=each.spoken.text, when=when))
            else:
                gone.append(each)
        if gone:
            await self._plans.async_remove(each.id for each in gone)
            names = "; ".join(dict.fromkeys(each.spoken.text for each in gone))
            sentences.append(self._phrasing.alarm("cancelled", names=names))
        return PlanReply(" ".join(sentences), [each for each in plans if each not in gone])

    async def _longer(self, plan: Plan, seconds: float) -> PlanReply:
        """Lengthen a timer or delay an alarm by seconds; negative ones shorten or advance it."""
        assert plan.say
        if plan.say.left is not None:
            later = replace(plan, say=replace(plan.say, left=plan.say.left + seconds))
        else:
            due = (plan.due or self._now) + dt.timedelta(seconds=seconds)
            later = replace(plan, when=moved(plan.when, due), due=due)
        if later.left(self._now) <= 0:
            amount = self._phrasing.duration(plan.left(self._now))
            return PlanReply(
                self._phrasing.alarm("too_short", name=plan.spoken.text, amount=amount), [plan]
            )
        await self._plans.async_replace(later)
        return PlanReply(alarm_told(later, self._now), [later], is_changed=True)

    async def _rename(self, plan: Plan, label: str) -> PlanReply:
        spoken = replace(plan.spoken, text=label)
        later = replace(plan, spoken=spoken, say=plan.say and replace(plan.say, text=label))
        await self._plans.async_replace(later)
        return self._told([later])

    async def _pause(self, plan: Plan) -> PlanReply:
        if not plan.is_timer or plan.due is None or not plan.say:
            return self._told([plan])
        left = plan.left(self._now)
        later = replace(plan, due=None, say=replace(plan.say, left=left))
        await self._plans.async_replace(later)
        return self._done("paused", later, amount=self._phrasing.duration(left))

    async def _resume(self, plan: Plan) -> PlanReply:
        if plan.say is None or plan.say.left is None:
            return self._told([plan])
        left = dt.timedelta(seconds=plan.say.left)
        begun = self._now + left - plan.lasting
        return await self._run(replace(plan, made=begun), left, "resumed")

    async def _run(self, plan: Plan, left: dt.timedelta, key: str) -> PlanReply:
        """Let a timer run for some time from now; `key`: the text of the confirmation."""
        later = plan.once(self._now + left)
        later = replace(later, say=plan.say and replace(plan.say, left=None))
        await self._plans.async_replace(later)
        amount = self._phrasing.duration(left.total_seconds())
        return self._done(key, later, amount=amount)

    async def _move(self, plan: Plan, times: Sequence[TimeExpression]) -> PlanReply:
        later = changed(self._hass, plan, times, self._now) if times else None
        if later is None:
            raise self._planner.unclear(times)
        await self._plans.async_replace(later)
        return self._done("moved", later, when=self._phrasing.within(later.when))

    def _done(self, key: str, plan: Plan, **slots: str) -> PlanReply:
        """Return the confirmation of a set or changed plan, by a key of `planned.alarms`."""
        text = self._phrasing.alarm(key, name=plan.spoken.text, **slots)
        return PlanReply(text, [plan], is_changed=True)

    def _told(self, plans: Sequence[Plan]) -> PlanReply:
        return PlanReply(" ".join(alarm_told(each, self._now) for each in plans), plans)
