"""A plan as it is told: when somebody asks what is planned, and when its moment comes."""

from dataclasses import replace
import datetime as dt

from homeassistant.core import HomeAssistant

from ..languages import LANGUAGES, Texts, joined, language_of
from ..nlu.reminders import ReminderForm
from .confirmations import deed_told, end_told, told
from .plan import Plan
from .schedule import AtTime, OnEvent, ends_of
from .undo import entity_id_of


def plan_told(hass: HomeAssistant, plan: Plan, now: dt.datetime) -> str:
    """Return what will be done and when, as a sentence without a full stop.

    Args:
        hass: whose clock it is.
        plan: what is planned.
        now: when it is told.
    """
    spoken = plan.spoken
    if plan.say:
        if plan.say.form is ReminderForm.NOTICE:
            return _texts(plan)["reminders"]["will_notice"].format(moment=spoken.moment)
        begin = told(plan.when, spoken.language, hass, now, spoken.moment)
        texts = _texts(plan)
        lead = texts["when"]["lead_event" if isinstance(plan.when, OnEvent) else "lead"]
        text = said_at_its_moment(plan).rstrip(".")
        return texts["reminders"]["will"].format(when=lead.format(when=begin), text=text)
    if plan.call:
        return _call_told(hass, plan, now)
    over = plan.when.at if isinstance(plan.when, AtTime) else plan.when
    assert isinstance(over, dt.datetime | OnEvent)
    names = joined(spoken.language, plan.about)
    return f"{names}: {end_told(over, spoken.language, hass, now, spoken.moment)}"


def _call_told(hass: HomeAssistant, plan: Plan, now: dt.datetime) -> str:
    """Return when a call will be made, and until when what it does lasts."""
    spoken, call = plan.spoken, plan.call
    assert call
    ids = [entity_id_of(hass, each) or "" for each in call.targets]
    text = deed_told(
        plan.when,
        spoken.language,
        hass,
        now,
        spoken.moment,
        command=spoken.text,
        intent_type=call.intent_type,
        slots=call.arguments,
        names=plan.about,
        domains={each.partition(".")[0] for each in ids if each},
    )
    until = " ".join(each.text for each in plan.endings)
    begins = plan.due or now
    if isinstance(plan.when, OnEvent) and plan.is_while:
        over: dt.datetime | OnEvent | None = replace(plan.when, is_over=True)
    elif isinstance(plan.when, AtTime):
        over = ends_of(plan.endings, begins, hass)
    else:
        # Each time it ends at another one.
        return f"{text}, {until}" if until else text
    return f"{text}. {end_told(over, spoken.language, hass, begins, until)}" if over else text


def plan_named(hass: HomeAssistant, plan: Plan, now: dt.datetime) -> str:
    """Return what was planned as one speaks of it: "turn on the bed light (at 9:00 PM)".

    Args:
        hass: whose clock it is.
        plan: what is planned.
        now: when it is told.
    """
    spoken = plan.spoken
    when = spoken.moment
    if not plan.is_ending:
        when = told(plan.when, spoken.language, hass, now, spoken.moment)
    return f"{spoken.text} ({when[:1].lower()}{when[1:]})"


def said_at_its_moment(plan: Plan) -> str:
    """Return what is said when the moment of a reminder has come."""
    assert plan.say
    text = plan.say.text
    said = _texts(plan)["reminders"][plan.say.form].format(
        text=text, event=text, moment=plan.spoken.moment
    )
    return said[:1].upper() + said[1:]


def _texts(plan: Plan) -> Texts:
    return language_of(plan.spoken.language).planned or LANGUAGES["en"].planned
