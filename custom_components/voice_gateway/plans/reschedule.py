"""Rescheduling of plans: "make it half an hour", "at nine instead"."""

from collections.abc import Sequence
from dataclasses import replace
import datetime as dt
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..home.clock import to_instant
from ..nlu.plan_requests import parse_only_times
from ..nlu.time_resolution import TimeExpression, TimeType
from ..nlu.tokenizer import Text
from .plan import Plan
from .schedule import AtTime, OnEvent, Recurrence, day_of, next_after, when_of, words_of

_NEAR: Final = dt.timedelta(hours=6)
_MOMENT: Final = dt.timedelta(seconds=1)


def changed(
    hass: HomeAssistant, plan: Plan, moments: Sequence[TimeExpression], now: dt.datetime
) -> Plan | None:
    """Return a plan with another time or duration; None if that is unclear or over.

    The plan keeps what the new time expressions leave out: its day, its time of day, its
    recurrence.
    """
    spoken = replace(plan.spoken, moment=words_of(moments))
    match moments:
        case [TimeExpression(type=TimeType.FOR, seconds=float(seconds))]:
            return _lasting(plan, seconds, now, spoken.moment, moments[0])
    when = _when(hass, plan, moments, now)
    if when is None:
        return None
    due = next_after(when, now, hass)
    if due is None and not isinstance(when, OnEvent):
        return None
    return replace(plan, spoken=spoken, when=when, due=due, skipped=(), last=None)


def _lasting(
    plan: Plan, seconds: float, now: dt.datetime, said: str, moment: TimeExpression
) -> Plan | None:
    """Return a plan with another duration: of its effect, or from its making until it is due."""
    if plan.endings and not plan.is_ending:
        return replace(plan, endings=(moment,))
    own = parse_only_times(Text(plan.spoken.moment, plan.spoken.language)) or ()
    kinds = {each.type for each in own}
    at = plan.made + dt.timedelta(seconds=seconds)
    if not (plan.is_ending or plan.is_timer or kinds == {TimeType.IN}) or at <= now:
        return None
    return replace(plan, spoken=replace(plan.spoken, moment=said), when=AtTime(at=at), due=at)


def _when(
    hass: HomeAssistant, plan: Plan, moments: Sequence[TimeExpression], now: dt.datetime
) -> AtTime | Recurrence | OnEvent | None:
    says_day = any(each.has_day for each in moments)
    is_time = all(each.type in (TimeType.AT, TimeType.UNTIL) for each in moments)
    moments = [replace(each, type=TimeType.AT) if is_time else each for each in moments]
    if plan.due is None or not is_time:
        return when_of(moments, now, hass)
    if says_day and not any(each.has_time for each in moments):
        return _on_day(plan, moments, now)
    if says_day:
        return when_of(moments, now, hass)
    when = when_of(moments, max(now, _from(plan.due, moments)), hass)
    if isinstance(plan.when, Recurrence) and isinstance(when, AtTime):
        time = dt_util.as_local(when.at).time()
        return replace(plan.when, since=now, time=time, sun="", offset=0, seconds=None)
    return when


def _on_day(plan: Plan, moments: Sequence[TimeExpression], now: dt.datetime) -> AtTime | None:
    """Return the plan's time of day on another day."""
    day = day_of(moments, now)
    if day is None or plan.due is None or not isinstance(plan.when, AtTime):
        return None
    return AtTime(at=to_instant(day, dt_util.as_local(plan.due).time().replace(microsecond=0)))


def _from(due: dt.datetime, moments: Sequence[TimeExpression]) -> dt.datetime:
    """Return the instant after which a new time applies.

    An ambiguous time is near the previous one, any other on its day.
    """
    is_open = any(
        each.time and not each.daytime and not each.meridiem and each.time.hour <= 12
        for each in moments
    )
    return due - _NEAR if is_open else to_instant(dt_util.as_local(due).date()) - _MOMENT
