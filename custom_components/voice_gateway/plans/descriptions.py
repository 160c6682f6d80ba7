"""Sentences about a plan: when it is made, queried and due."""

from collections.abc import Collection
import datetime as dt
from math import ceil
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
from homeassistant.util import dt as dt_util

from ..languages import LANGUAGES, Texts, joined, language_of
from ..languages.dates import Dates, begun, unit_of, within
from ..nlu.plan_requests import ReminderForm
from ..tools.assist.target import TARGET
from .plan import Plan, PlannedCall
from .schedule import AtTime, OnEvent, Recurrence, Schedule, words_of
from .undo import entity_id_of

_SOON: Final = 120
"""Delays below this many seconds are spoken in seconds, longer ones as a time of day."""
_WORKDAYS: Final = (0, 1, 2, 3, 4)
_WEEKEND: Final = (5, 6)

# Keys of `planned.deeds` by intent; for intents with a value, also the slot that has it.
_DEEDS: Final = {
    "HassOpenCover": "open",
    "HassCloseCover": "close",
    "HassVacuumStart": "start",
    "HassVacuumReturnToBase": "return",
    "HassLawnMowerStartMowing": "start",
    "HassLawnMowerDock": "return",
    "HassMediaPause": "pause",
    "HassMediaUnpause": "play",
}
_VALUES: Final = {
    "HassLightSet": ("brightness", "brightness"),
    "HassClimateSetTemperature": ("temperature", "temperature"),
    intent.INTENT_SET_POSITION: ("position", "position"),
    "HassSetVolume": ("volume", "volume_level"),
}
# For some domains, turning on or off has a verb of its own.
_ON_OFF: Final = {
    intent.INTENT_TURN_ON: (
        "turn_on",
        {
            "cover": "open",
            "valve": "open",
            "lock": "lock",
            "button": "press",
            "input_button": "press",
            "scene": "run",
            "script": "run",
        },
    ),
    intent.INTENT_TURN_OFF: ("turn_off", {"cover": "close", "valve": "close", "lock": "unlock"}),
}


def _deed(call: PlannedCall, domains: Collection[str]) -> tuple[str, Any]:
    """Return an action's key of `planned.deeds` and its value; an empty key if there is none."""
    intent_type = call.intent_type
    values = {
        slot: value
        for slot, value in call.arguments.items()
        if slot not in TARGET and not intent.is_blank_slot_value(value)
    }
    if intent_type in _VALUES:
        key, slot = _VALUES[intent_type]
        return (key, values[slot]) if values.keys() == {slot} else ("", None)
    if values:
        return "", None
    if intent_type in _ON_OFF:
        usual, own = _ON_OFF[intent_type]
        keys = {own.get(domain, usual) for domain in domains} or {usual}
        return (keys.pop(), None) if len(keys) == 1 else ("", None)
    return _DEEDS.get(intent_type, ""), None


class PlanPhrasing:
    """Phrases plans in a language: sentences begin in upper case and have no full stop.

    A language without texts for plans uses the English ones; an action without a text is phrased
    in the user's own words.
    """

    def __init__(self, language: str | None, now: dt.datetime) -> None:
        """Take the code of the user's language and the reference time of relative times."""
        self.texts: Texts = language_of(language).planned or LANGUAGES["en"].planned
        self._dates = Dates(self.texts)
        self._language = language
        self._now = dt_util.as_local(now)

    def when(self, when: Schedule, said: str = "") -> str:
        """Return a schedule's time: "Tomorrow at 7:00 AM"; `said` is an event as spoken."""
        return begun(self._when(when, said))

    def within(self, when: Schedule, said: str = "") -> str:
        """Return the same in lower case, for the middle of a sentence: "tomorrow at 7:00 AM"."""
        return within(self._when(when, said))

    def deed(self, plan: Plan, domains: Collection[str]) -> str:
        """Return a plan's call and its time: "At 2:10 PM I'll turn off the Game Room Light".

        `domains` are those of its devices.
        """
        key, value = _deed(plan.call, domains) if plan.call and plan.about else ("", None)
        begin = self._when(plan.when, plan.spoken.moment)
        if not key:
            return begun(self._text("deeds", "other", when=begin, command=plan.spoken.text))
        is_event = isinstance(plan.when, OnEvent)
        lead = f"{begin}," if is_event else self._text("when", "lead", when=begin)
        if isinstance(value, float):
            value = f"{value:g}".replace(".", self._text("when", "decimal"))
        names = joined(self._language, plan.about)
        return begun(self._text("deeds", key, when=lead, names=names, value=value))

    def end(self, over: Schedule, said: str = "") -> str:
        """Return an end: "Until 3:00 PM, then it is as before"; `said` is an event as spoken."""
        match over:
            case AtTime():
                until = self._until(over.at)
            case OnEvent(is_over=True):
                until = self.texts["until"]["no_longer"]
            case _:
                until = said
        return begun(self.texts["until"]["as_before"].format(until=until))

    def alarm(self, key: str, **slots: str) -> str:
        """Return a sentence about timers or alarms, by a key of `planned.alarms`."""
        return begun(self._text("alarms", key, **slots))

    def rings(self, form: ReminderForm, name: str) -> str:
        """Return the sentence that a ringing timer or alarm speaks."""
        key = self._dates.variant("alarms", f"rings_{form}", str(self._now.hour))
        return self.alarm(key, name=name, time=self._dates.clock(self._now.time()))

    def duration(self, seconds: float) -> str:
        """Return a duration in hours, minutes and seconds: "one hour and 5 minutes"."""
        # As countdowns show it: a second that has begun is still left.
        left = max(0, ceil(round(seconds, 3)))
        return joined(self._language, self._dates.amounts(left, alone=True))

    def again(self, seconds: float) -> str:
        """Return the confirmation of a snooze of some seconds."""
        is_one = unit_of(seconds)[1] == 1
        amount = self._dates.amount(seconds) if is_one else self.duration(seconds)
        return self.alarm(self._of_one("alarms", "snoozed", seconds), amount=amount)

    def _when(self, when: Schedule, said: str) -> str:
        match when:
            case AtTime():
                return self._once(when)
            case Recurrence():
                return self._repeat(when)
            case OnEvent():
                return said or when.condition

    def _until(self, over: dt.datetime) -> str:
        seconds = round((over - self._now).total_seconds())
        if seconds < _SOON:
            return self._text("until", "short", amount=self._dates.amount(seconds))
        at = dt_util.as_local(over)
        days = (at.date() - self._now.date()).days
        key = ("today", "tomorrow")[days] if days in (0, 1) else "date"
        key = self._dates.variant("until", key, str(at.hour))
        return self._text(
            "until", key, time=self._dates.clock(at.time()), **self._dates.date_slots(at)
        )

    def _once(self, when: AtTime) -> str:
        at = dt_util.as_local(when.at)
        if not when.sun:
            seconds = round((when.at - self._now).total_seconds())
            if seconds < _SOON:
                key = self._of_one("when", "soon", seconds)
                return self._text("when", key, amount=self._dates.amount(seconds))
            return " ".join(filter(None, (self._day(at), self._dates.at(at.time()))))
        sun = f"{self._sun(when.sun, when.offset)} ({self._dates.clock(at.time())})"
        return " ".join(filter(None, (self._day(at), sun)))

    def _day(self, at: dt.datetime) -> str:
        return self._dates.day(at.date(), self._now.date())

    def _repeat(self, when: Recurrence) -> str:
        if when.seconds:
            unit, number = unit_of(when.seconds)
            if number == 1:
                return self._text("when", unit)
            return self._text("when", "every", amount=self._dates.amount(when.seconds))
        if when.sun:
            return f"{self._days(when)} {self._sun(when.sun, when.offset)}"
        return f"{self._days(when)} {self._dates.at(when.time or dt.time())}"

    def _days(self, when: Recurrence) -> str:
        if when.month_day:
            key = self._dates.variant("when", "month_day", str(when.month_day))
            return self._text("when", key, day=when.month_day)
        if not when.weekdays:
            key = "days" if when.nth > 1 else "every_day"
            return self._text("when", self._dates.few("when", key, when.nth), number=when.nth)
        names = [self._text("weekdays", str(day)) for day in when.weekdays]
        weekdays = joined(self._language, names, most=len(names))
        if when.nth > 1:
            key = self._dates.few("when", "weeks", when.nth)
            return self._text("when", key, number=when.nth, weekdays=weekdays)
        if when.weekdays in (_WORKDAYS, _WEEKEND):
            return self._text("when", "weekdays" if when.weekdays == _WORKDAYS else "weekend")
        key = self._dates.variant("when", "on_weekdays", str(when.weekdays[0]))
        return self._text("when", key, weekdays=weekdays)

    def _sun(self, sun: str, offset: float) -> str:
        if not offset:
            return self._text("at_sun", sun)
        sun = self._text("before_sun" if offset < 0 else "after_sun", sun)
        return f"{self._dates.amount(abs(offset))} {sun}"

    def _of_one(self, table: str, key: str, seconds: float) -> str:
        """Return the key of the text for one hour, minute or second, if the language has one."""
        unit, number = unit_of(seconds)
        return self._dates.variant(table, key, unit) if number == 1 else key

    def _text(self, table: str, key: str, **slots: Any) -> str:
        return self.texts[table][key].format(**slots)


def plan_told(hass: HomeAssistant, plan: Plan, now: dt.datetime) -> str:
    """Return a plan's action and time, relative to now, as a sentence without a full stop."""
    spoken = plan.spoken
    phrasing = PlanPhrasing(spoken.language, now)
    if plan.rings:
        return alarm_told(plan, now).rstrip(".")
    if plan.say:
        texts = phrasing.texts["reminders"]
        if plan.say.form is ReminderForm.NOTICE:
            return texts["will_notice"].format(moment=spoken.moment)
        text, form = plan.say.text, plan.say.form
        if not {*text.casefold().split()}.isdisjoint(texts["own"].split("|")):
            form = ReminderForm.PLAIN
        when = phrasing.within(plan.when, spoken.moment)
        return texts[f"will_{form}"].format(when=when, text=text)
    if plan.call:
        return _call_told(hass, plan, now)
    names = joined(spoken.language, plan.about)
    return f"{names}: {phrasing.end(plan.when, spoken.moment)}"


def alarm_told(plan: Plan, now: dt.datetime) -> str:
    """Return a sentence with a timer's remaining time, or an alarm's time relative to now."""
    assert plan.say
    phrasing, name = PlanPhrasing(plan.spoken.language, now), plan.spoken.text
    if plan.say.left is not None:
        return phrasing.alarm("is_paused", name=name, amount=phrasing.duration(plan.say.left))
    if plan.due is None:
        return phrasing.rings(plan.say.form, name)
    if plan.is_timer:
        seconds = (plan.due - now).total_seconds()
        return phrasing.alarm("left", name=name, amount=phrasing.duration(seconds))
    return phrasing.alarm("at", name=name, when=phrasing.within(plan.when))


def _call_told(hass: HomeAssistant, plan: Plan, now: dt.datetime) -> str:
    """Return a planned call's action, its time, and the end of its effect."""
    language, until = plan.spoken.language, words_of(plan.endings)
    ids = [entity_id_of(hass, each) for each in plan.targets]
    domains = {each.partition(".")[0] for each in ids if each}
    text = PlanPhrasing(language, now).deed(plan, domains)
    if not (plan.is_while or isinstance(plan.when, AtTime)):
        # The end differs for each occurrence.
        return f"{text}, {until}" if until else text
    begins = plan.due or now
    over = plan.end(begins, hass)
    return f"{text}. {PlanPhrasing(language, begins).end(over, until)}" if over else text


def plan_named(plan: Plan, now: dt.datetime) -> str:
    """Return a plan as a noun phrase of a list: "turn on the bed light (at 9:00 PM)"."""
    spoken = plan.spoken
    if plan.is_ending or plan.is_timer:
        return f"{spoken.text} ({within(spoken.moment)})"
    when = PlanPhrasing(spoken.language, now).within(plan.when, spoken.moment)
    return f"{spoken.text} ({when})"


def said_at_its_moment(plan: Plan) -> str:
    """Return the sentence that a reminder speaks when it is due."""
    assert plan.say
    text = plan.say.text
    if plan.rings:
        return PlanPhrasing(plan.spoken.language, dt_util.utcnow()).rings(plan.say.form, text)
    texts = PlanPhrasing(plan.spoken.language, plan.made).texts["reminders"]
    return begun(texts[plan.say.form].format(text=text, event=text, moment=plan.spoken.moment))
