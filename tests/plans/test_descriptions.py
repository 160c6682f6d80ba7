"""How the user is told when something will be done, and what."""

from collections.abc import Sequence
import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from homeassistant.core import HomeAssistant

from custom_components.voice_gateway.plans.descriptions import PlanPhrasing
from custom_components.voice_gateway.plans.plan import Plan, PlannedCall, Spoken
from custom_components.voice_gateway.plans.schedule import AtTime, OnEvent, Recurrence, Schedule
from tests.rows import rows

ZONE = ZoneInfo("Europe/Berlin")
NOW = dt.datetime(2026, 6, 10, 14, tzinfo=ZONE)
"""A Wednesday."""


def once(day: int, hour: int, minute: int = 0, **more: Any) -> AtTime:
    return AtTime(at=dt.datetime(2026, 6, day, hour, minute, tzinfo=ZONE), **more)


def repeat(hour: int | None = None, minute: int = 0, **more: Any) -> Recurrence:
    time = None if hour is None else dt.time(hour, minute)
    return Recurrence(since=NOW.astimezone(dt.UTC), time=time, **more)


SOON = AtTime(at=NOW + dt.timedelta(seconds=45))
CHRISTMAS = AtTime(at=dt.datetime(2026, 12, 24, 18, tzinfo=ZONE))
SUNSET = once(10, 21, 27, sun="sunset")
BEFORE = once(11, 21, 17, sun="sunset", offset=-600)
WORKDAYS = repeat(6, 30, weekdays=(0, 1, 2, 3, 4))
TWICE_A_WEEK = repeat(10, weekdays=(2, 5))
DAILY_SUN = repeat(sun="sunset")
TWO_HOURS = repeat(seconds=7200.0)
BIWEEKLY = repeat(8, weekdays=(1,), nth=2)
MONTHLY = repeat(8, month_day=1)
DONE = OnEvent(condition="done", each=False)


@rows(
    ("language", "when", "said"),
    [
        ("en", SOON, "In 45 seconds"),
        ("en", AtTime(at=NOW + dt.timedelta(seconds=60)), "In one minute"),
        ("en", once(10, 14, 10), "At 2:10 PM"),
        ("en", once(11, 0), "Tomorrow at 12:00 AM"),
        ("en", once(11, 7), "Tomorrow at 7:00 AM"),
        ("en", once(15, 6, 30), "On Monday at 6:30 AM"),
        ("en", once(17, 12), "On June 17 at 12:00 PM"),
        ("en", CHRISTMAS, "On December 24 at 6:00 PM"),
        (
            "en",
            AtTime(at=dt.datetime(2028, 2, 29, 9, tzinfo=ZONE)),
            "On February 29, 2028 at 9:00 AM",
        ),
        ("en", SUNSET, "At sunset (9:27 PM)"),
        ("en", BEFORE, "Tomorrow 10 minutes before sunset (9:17 PM)"),
        ("en", repeat(20), "Every day at 8:00 PM"),
        ("en", WORKDAYS, "On weekdays at 6:30 AM"),
        ("en", TWICE_A_WEEK, "Every Wednesday and Saturday at 10:00 AM"),
        ("en", repeat(9, weekdays=(5, 6)), "On weekends at 9:00 AM"),
        (
            "en",
            repeat(9, weekdays=(0, 1, 2, 3, 5)),
            "Every Monday, Tuesday, Wednesday, Thursday and Saturday at 9:00 AM",
        ),
        ("en", DAILY_SUN, "Every day at sunset"),
        ("en", repeat(sun="sunrise", offset=3600.0), "Every day one hour after sunrise"),
        ("en", TWO_HOURS, "Every 2 hours"),
        ("en", repeat(seconds=3600.0), "Every hour"),
        ("en", repeat(seconds=5400.0), "Every 90 minutes"),
        ("en", repeat(7, nth=2), "Every 2 days at 7:00 AM"),
        ("en", BIWEEKLY, "Every 2 weeks on Tuesday at 8:00 AM"),
        ("en", MONTHLY, "On day 1 of every month at 8:00 AM"),
        ("en", DONE, "When the washer is done"),
        ("de", SOON, "In 45 Sekunden"),
        ("de", AtTime(at=NOW + dt.timedelta(seconds=60)), "In einer Minute"),
        ("de", once(10, 14, 10), "Um 14:10 Uhr"),
        ("de", once(15, 6, 30), "Am Montag um 6:30 Uhr"),
        ("de", CHRISTMAS, "Am 24. Dezember um 18:00 Uhr"),
        ("de", SUNSET, "Bei Sonnenuntergang (21:27 Uhr)"),
        ("de", BEFORE, "Morgen 10 Minuten vor Sonnenuntergang (21:17 Uhr)"),
        ("de", TWICE_A_WEEK, "Mittwochs und samstags um 10:00 Uhr"),
        ("de", BIWEEKLY, "Alle 2 Wochen dienstags um 8:00 Uhr"),
        ("de", MONTHLY, "Am 1. jedes Monats um 8:00 Uhr"),
        ("es", once(10, 14, 10), "A las 14:10"),
        ("es", once(11, 1), "Mañana a la 1:00"),
        ("es", CHRISTMAS, "El 24 de diciembre a las 18:00"),
        ("es", BEFORE, "Mañana 10 minutos antes del atardecer (21:17)"),
        ("es", TWICE_A_WEEK, "Los miércoles y sábados a las 10:00"),
        ("es", TWO_HOURS, "Cada 2 horas"),
        ("fr", once(10, 14, 10), "À 14 h 10"),
        ("fr", once(11, 7), "Demain à 7 h"),
        ("fr", MONTHLY, "Le 1er de chaque mois à 8 h"),
        ("fr", SUNSET, "Au coucher du soleil (21 h 27)"),
        ("fr", TWICE_A_WEEK, "Tous les mercredis et samedis à 10 h"),
        ("it", once(10, 14, 10), "Alle 14:10"),
        ("it", once(11, 1), "Domani all'1:00"),
        ("it", once(18, 8), "Il 18 giugno alle 8:00"),
        ("it", AtTime(at=dt.datetime(2026, 7, 11, 8, tzinfo=ZONE)), "L'11 luglio alle 8:00"),
        ("it", TWICE_A_WEEK, "Ogni mercoledì e sabato alle 10:00"),
        ("nl", once(10, 14, 10), "Om 14:10 uur"),
        ("nl", once(15, 6, 30), "Op maandag om 6:30 uur"),
        ("nl", BEFORE, "Morgen 10 minuten voor zonsondergang (21:17 uur)"),
        ("nl", TWO_HOURS, "Elke 2 uur"),
        ("pl", SOON, "Za 45 sekund"),
        ("pl", AtTime(at=NOW + dt.timedelta(seconds=23)), "Za 23 sekundy"),
        ("pl", once(16, 6, 30), "We wtorek o 6:30"),
        ("pl", TWO_HOURS, "Co 2 godziny"),
        ("pl", repeat(seconds=18000.0), "Co 5 godzin"),
        ("pl", repeat(8, weekdays=(1, 3)), "We wtorki i czwartki o 8:00"),
        ("cs", once(10, 14, 10), "At 2:10 PM"),
    ],
)
async def test_moment_is_told(
    hass: HomeAssistant, language: str, when: Schedule, said: str
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    assert PlanPhrasing(language, NOW).when(when, "when the washer is done") == said


LAMP: dict[str, Any] = {"names": ["Lamp"], "domains": ["light"]}


def deed(
    language: str,
    when: Schedule,
    intent_type: str,
    *,
    moment: str = "",
    slots: dict[str, Any] | None = None,
    names: Sequence[str] = (),
    domains: Sequence[str] = (),
) -> str:
    """Return how a planned call is told."""
    spoken = Spoken(text="do it", moment=moment, language=language, agent_id="")
    call = PlannedCall(tool="", intent_type=intent_type, arguments=slots or {})
    plan = Plan(spoken=spoken, made=NOW, when=when, call=call, about=tuple(names))
    return PlanPhrasing(language, NOW).deed(plan, domains)


@rows(
    ("language", "proposed", "sentence"),
    [
        (
            "en",
            {"intent_type": "HassTurnOff", "names": ["Game Room Light"], "domains": ["light"]},
            "At 2:10 PM I'll turn off the Game Room Light",
        ),
        (
            "en",
            {"intent_type": "HassTurnOff", "names": ["A", "B", "C"], "domains": ["cover"]},
            "At 2:10 PM I'll close the A, B and C",
        ),
        (
            "en",
            {"intent_type": "HassTurnOn", "names": ["Front Door"], "domains": ["lock"]},
            "At 2:10 PM I'll lock the Front Door",
        ),
        # What is switched on and what is opened is not told in one word.
        (
            "en",
            {"intent_type": "HassTurnOn", "names": ["A", "B"], "domains": ["light", "cover"]},
            "At 2:10 PM: do it",
        ),
        ("en", {"intent_type": "HassTurnOn"}, "At 2:10 PM: do it"),
        ("en", {"intent_type": "HassNothing", **LAMP}, "At 2:10 PM: do it"),
        (
            "en",
            {"intent_type": "HassLightSet", "slots": {"name": "Lamp", "brightness": 40.0}, **LAMP},
            "At 2:10 PM I'll set the Lamp to 40% brightness",
        ),
        (
            "en",
            {
                "intent_type": "HassLightSet",
                "slots": {"brightness": 40, "color": "red", "area": "Hall"},
                **LAMP,
            },
            "At 2:10 PM: do it",
        ),
        ("de", {"intent_type": "HassTurnOff", **LAMP}, "Um 14:10 Uhr schalte ich Lamp aus"),
        (
            "de",
            {"intent_type": "HassClimateSetTemperature", "slots": {"temperature": 21.5}, **LAMP},
            "Um 14:10 Uhr stelle ich Lamp auf 21,5 Grad",
        ),
        ("es", {"intent_type": "HassTurnOn", **LAMP}, "A las 14:10 encenderé Lamp"),
        ("fr", {"intent_type": "HassTurnOn", **LAMP}, "À 14 h 10, j'allumerai Lamp"),
        ("fr", {"intent_type": "HassNothing", **LAMP}, "À 14 h 10 : do it"),
        ("it", {"intent_type": "HassMediaPause", **LAMP}, "Alle 14:10 metterò in pausa Lamp"),
        ("nl", {"intent_type": "HassVacuumStart", **LAMP}, "Om 14:10 uur start ik Lamp"),
        ("pl", {"intent_type": "HassTurnOff", **LAMP}, "O 14:10 wyłączę Lamp"),
    ],
)
async def test_deed_is_told(
    hass: HomeAssistant, language: str, proposed: dict[str, Any], sentence: str
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    assert deed(language, once(10, 14, 10), **proposed) == sentence


async def test_deed_after_an_event_is_told_with_its_words(hass: HomeAssistant) -> None:
    sentence = deed("de", DONE, "HassTurnOn", moment="sobald die Wäsche fertig ist", **LAMP)
    assert sentence == "Sobald die Wäsche fertig ist, schalte ich Lamp ein"


@rows(
    ("language", "minutes", "said"),
    [
        ("en", 60, "Until 3:00 PM, then it is as before"),
        ("en", 0.5, "For 30 seconds, then it is as before"),
        ("en", 1080, "Until tomorrow at 8:00 AM, then it is as before"),
        ("en", 7200, "Until June 15 at 2:00 PM, then it is as before"),
        ("de", 60, "Bis 15:00 Uhr, danach ist es wie vorher"),
        ("es", 660, "Hasta mañana a la 1:00, y después vuelve a estar como antes"),
        ("fr", 60, "Jusqu'à 15 h, puis ce sera comme avant"),
        ("it", 60, "Fino alle 15:00, poi torna come prima"),
        ("nl", 1, "Gedurende één minuut, daarna is het weer zoals eerst"),
        ("pl", 0.05, "Przez 3 sekundy, potem będzie jak wcześniej"),
    ],
)
async def test_end_is_told(hass: HomeAssistant, language: str, minutes: float, said: str) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    over = AtTime(at=NOW + dt.timedelta(minutes=minutes))
    assert PlanPhrasing(language, NOW).end(over) == said


async def test_event_at_the_end_is_told_with_its_words(hass: HomeAssistant) -> None:
    said = PlanPhrasing("en", NOW).end(DONE, "until the film is over")
    assert said == "Until the film is over, then it is as before"
