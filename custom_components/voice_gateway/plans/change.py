"""Another moment for what is planned: "make it half an hour", "at nine instead"."""

from collections.abc import Sequence
from dataclasses import replace
import datetime as dt
from typing import Final

from homeassistant.core import HomeAssistant

from ..heard.local import instant, local
from ..heard.moment import read
from ..heard.said import Kind, Moment
from .plan import Plan
from .when import Event, Once, Repeat, day_of, next_after, when_of

_NEAR: Final = dt.timedelta(hours=6)
_MIDNIGHT: Final = dt.timedelta()
_MOMENT: Final = dt.timedelta(seconds=1)


def changed(
    hass: HomeAssistant, plan: Plan, moments: Sequence[Moment], now: dt.datetime
) -> Plan | None:
    """Return a plan with another moment; None where nobody can know when that is, or it is over.

    What is not said anew stays: the day of a time, the time of a day, and what is done again and again.

    Args:
        hass: whose clock it is.
        plan: what was planned.
        moments: what was said: its new moment.
        now: when it was said.
    """
    spoken = replace(plan.spoken, moment=" ".join(each.text for each in moments))
    match moments:
        case [Moment(kind=Kind.FOR, seconds=float(seconds))]:
            return _lasting(plan, seconds, now, spoken.moment, moments[0])
    when = _when(hass, plan, moments, now)
    if when is None:
        return None
    due = None if isinstance(when, Event) else next_after(when, now, hass)
    if due is None and not isinstance(when, Event):
        return None
    return replace(plan, spoken=spoken, when=when, due=due, skipped=(), last=None)


def _lasting(
    plan: Plan, seconds: float, now: dt.datetime, said: str, moment: Moment
) -> Plan | None:
    """Return a plan with another duration: until it is done, or for which it lasts."""
    if plan.endings and not plan.is_ending:
        return replace(plan, endings=(moment,))
    kinds = {
        each.kind
        for clause in read(plan.spoken.moment, plan.spoken.language, ()).clauses
        for each in clause.moments
    }
    at = plan.made + dt.timedelta(seconds=seconds)
    if not (plan.is_ending or kinds == {Kind.IN}) or at <= now:
        return None
    return replace(plan, spoken=replace(plan.spoken, moment=said), when=Once(at=at), due=at)


def _when(
    hass: HomeAssistant, plan: Plan, moments: Sequence[Moment], now: dt.datetime
) -> Once | Repeat | Event | None:
    says_day = any(_says_day(each) for each in moments)
    is_time = all(each.kind in (Kind.AT, Kind.UNTIL) for each in moments)
    moments = [replace(each, kind=Kind.AT) if is_time else each for each in moments]
    if plan.due is None or not is_time:
        return when_of(moments, now, hass)
    if says_day and not any(each.time or each.daytime or each.sun for each in moments):
        return _on_day(plan, moments, now)
    if says_day:
        return when_of(moments, now, hass)
    when = when_of(moments, max(now, _from(plan.due, moments)), hass)
    if isinstance(plan.when, Repeat) and isinstance(when, Once):
        time = local(when.at).time()
        return replace(plan.when, since=now, time=time, sun="", offset=0, seconds=None)
    return when


def _says_day(moment: Moment) -> bool:
    return bool(moment.day_offset is not None or moment.weekdays or moment.month_day or moment.week)


def _on_day(plan: Plan, moments: Sequence[Moment], now: dt.datetime) -> Once | None:
    """Return the plan's time on another day."""
    day = day_of(moments, now)
    if day is None or plan.due is None or not isinstance(plan.when, Once):
        return None
    due = local(plan.due)
    time = dt.timedelta(hours=due.hour, minutes=due.minute, seconds=due.second)
    return Once(at=instant(day, time))


def _from(due: dt.datetime, moments: Sequence[Moment]) -> dt.datetime:
    """Return after which moment a time is the one that is meant: near the one before, or on its day."""
    is_open = any(
        each.time and not each.daytime and not each.meridiem and each.time.hour <= 12
        for each in moments
    )
    return due - _NEAR if is_open else instant(local(due).date(), _MIDNIGHT) - _MOMENT
