"""Timers and alarms, as people speak of them in seven languages, on a clock that is moved."""

from collections.abc import AsyncGenerator, Iterator, Sequence
import datetime as dt
from pathlib import Path

from homeassistant.components import persistent_notification
from homeassistant.core import ServiceCall
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util
import pytest

from bench.clock import Clock, clock_at
from custom_components.voice_gateway.plans.plan import Plan

from ..tables import table
from .alarms.kitchen import BEGAN, SEVEN, TEN, Kitchen, kitchen_of, rows

LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pl")
RINGS = {
    "de": "Timer: Die Zeit ist um.",
    "en": "Timer: time is up.",
    "es": "Temporizador: se acabó el tiempo.",
    "fr": "Minuteur : c'est l'heure.",
    "it": "Timer: tempo scaduto.",
    "nl": "Timer: de tijd is om.",
    "pl": "Minutnik: czas minął.",
}
UNREAD = {"give me an hour and a half on the clock"}
"""It has no word for a timer."""
# What is said without a time, and how the question is answered; what is announced in the end, and when.
COMPLETED = {
    "en": ("remind me every Friday to go shopping", "at six in the evening", "go shopping", "11-27 18:00"),
    "de": ("Erinnere mich am Freitag daran, den Müll rauszubringen", "um sechs Uhr abends",
           "den Müll rauszubringen", "11-27 18:00"),
    "es": ("Recuérdame el viernes que llame a Ana", "a las seis de la tarde", "llame a Ana", "11-27 18:00"),
    "fr": ("Rappelle-moi vendredi de sortir les poubelles", "à dix-huit heures", "sortir les poubelles",
           "11-27 18:00"),
    "it": ("Ricordami venerdì di chiamare Anna", "alle sei di sera", "chiamare Anna", "11-27 18:00"),
    "nl": ("Herinner me er vrijdag aan om Anna te bellen", "zes uur 's avonds", "Anna te bellen", "11-27 18:00"),
    "pl": ("Przypomnij mi w piątek, żeby zadzwonić do Anny", "o osiemnastej", "zadzwonić do Anny",
           "11-27 18:00"),
}  # fmt: skip


@pytest.fixture
def expected_lingering_timers() -> bool:
    """Home Assistant's calendars end none of theirs when it ends."""
    return True


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock that shows eight in the evening."""
    with clock_at(BEGAN) as clock:
        yield clock


@pytest.fixture
async def kitchen(tmp_path: Path, clock: Clock, socket_enabled: None) -> AsyncGenerator[Kitchen]:
    """A kitchen with a satellite."""
    async with kitchen_of(tmp_path, clock) as kitchen:
        yield kitchen


def notified(kitchen: Kitchen) -> Sequence[str]:
    notes = persistent_notification._async_get_or_create_notifications(kitchen.house.hass)  # type: ignore[attr-defined]
    return [each["message"] for each in notes.values()]


def only(plans: Sequence[Plan]) -> Plan:
    (plan,) = plans
    return plan


@pytest.mark.parametrize("language", LANGUAGES)
async def test_sentence_does_what_it_says(kitchen: Kitchen, language: str) -> None:
    wrong = {
        row.sentence: wrong
        for row in rows(language)
        if (wrong := await kitchen.async_play(row, language))
    }
    assert {key: each for key, each in wrong.items() if key not in UNREAD} == {}


@pytest.mark.parametrize("language", ["en"])
async def test_sentence_does_the_same_after_a_restart(kitchen: Kitchen, language: str) -> None:
    wrong = {
        row.sentence: wrong
        for row in rows(language)
        if row.given in ("both", "paused", "ringing", "alarm")
        if (wrong := await kitchen.async_play(row, language, restarts=True))
    }
    assert not wrong


@pytest.mark.parametrize("language", LANGUAGES)
async def test_timer_rings_again_and_again_until_it_is_stopped(
    kitchen: Kitchen, language: str
) -> None:
    await kitchen.async_hear(TEN[language], language)
    await kitchen.async_pass(minutes=9, seconds=58)
    assert not kitchen.announced
    await kitchen.async_pass(seconds=32)
    assert kitchen.announced == [RINGS[language]] * 3
    await kitchen.async_hear("stop", language)
    await kitchen.async_pass(minutes=10)
    assert len(kitchen.announced) == 3
    assert not kitchen.plans
    assert not notified(kitchen)


async def test_what_nobody_stops_ends_and_is_told(kitchen: Kitchen) -> None:
    await kitchen.async_hear(TEN["en"], "en")
    await kitchen.async_pass(minutes=16)
    assert 20 < len(kitchen.announced) < 30
    assert not kitchen.plans
    told = "Nobody stopped it, so it rings no more: timer (10 minutes)"
    assert notified(kitchen) == [told]
    assert kitchen.announced[-1] == told


async def test_alarm_of_weekdays_rings_on_each_of_them(kitchen: Kitchen) -> None:
    await kitchen.async_hear("wake me up at seven on weekdays", "en")
    for day in ("Thu", "Fri", "Mon"):
        due = only(kitchen.plans).due
        assert due
        assert f"{dt_util.as_local(due):%a %H:%M}" == f"{day} 07:00"
        await kitchen.async_pass(seconds=(due - kitchen.now).total_seconds() + 20)
        assert kitchen.announced[-1] == "Alarm: it is 7:00 AM."
        await kitchen.async_hear("I'm awake", "en")
    # One of its times is left out, and the others stay.
    await kitchen.async_hear("cancel tomorrow's alarm", "en")
    due = only(kitchen.plans).due
    assert due
    assert f"{dt_util.as_local(due):%a %H:%M}" == "Wed 07:00"


async def test_snoozed_alarm_rings_again_and_the_recurring_one_stays(kitchen: Kitchen) -> None:
    await kitchen.async_hear("wake me up at seven on weekdays", "en")
    await kitchen.async_pass(hours=11, seconds=10)
    await kitchen.async_hear("snooze for five minutes", "en")
    heard = len(kitchen.announced)
    assert len(kitchen.plans) == 2
    await kitchen.async_pass(minutes=5, seconds=5)
    assert kitchen.announced[heard:] == ["Alarm: it is 7:05 AM."]
    await kitchen.async_hear("stop", "en")
    assert only(kitchen.plans).goes_on


async def test_alarm_that_rang_when_home_assistant_ended_rings_on(kitchen: Kitchen) -> None:
    await kitchen.async_hear(SEVEN["en"], "en")
    await kitchen.async_pass(hours=11, seconds=5)
    assert kitchen.announced
    kitchen.announced.clear()
    kitchen.clock.set(kitchen.now + dt.timedelta(minutes=2))
    await kitchen.async_restart()
    await kitchen.async_pass(seconds=20)
    assert kitchen.announced[-1] == "Alarm: it is 7:02 AM."
    await kitchen.async_hear("stop", "en")
    assert not kitchen.plans


async def test_alarm_that_was_missed_is_told(kitchen: Kitchen) -> None:
    await kitchen.async_hear(SEVEN["en"], "en")
    kitchen.clock.set(BEGAN + dt.timedelta(hours=12))
    await kitchen.async_restart()
    await kitchen.async_pass(seconds=5)
    (told,) = notified(kitchen)
    assert told.startswith("Missed, as Home Assistant was not running at that time: alarm")
    assert not kitchen.plans


async def test_nothing_is_said_while_somebody_speaks(kitchen: Kitchen) -> None:
    hass = kitchen.house.hass
    await kitchen.async_hear(TEN["en"], "en")
    satellite = hass.states.get("assist_satellite.speaker")
    assert satellite
    hass.states.async_set(satellite.entity_id, "listening", satellite.attributes)
    await kitchen.async_pass(minutes=10, seconds=10)
    assert not kitchen.announced
    hass.states.async_set(satellite.entity_id, "idle", satellite.attributes)
    await kitchen.async_pass(seconds=5)
    assert kitchen.announced == [RINGS["en"]]


async def test_where_a_satellite_cannot_announce_a_player_in_the_room_speaks(
    kitchen: Kitchen,
) -> None:
    hass = kitchen.house.hass
    hass.states.async_set("assist_satellite.speaker", "idle", {"supported_features": 0})
    entry = er.async_get(hass).async_get_or_create(
        "media_player", "test", "radio", suggested_object_id="radio"
    )
    er.async_get(hass).async_update_entity(
        entry.entity_id, area_id=kitchen.house.area_ids["kitchen"]
    )
    hass.states.async_set(entry.entity_id, "idle", {"supported_features": 512})
    hass.states.async_set("tts.voice", "2026-11-25T00:00:00+00:00")
    spoken: list[ServiceCall] = []

    async def speak(call: ServiceCall) -> None:
        spoken.append(call)

    hass.services.async_register("tts", "speak", speak)
    await kitchen.async_hear(TEN["en"], "en")
    await kitchen.async_pass(minutes=10, seconds=5)
    assert [each.data for each in spoken] == [
        {"entity_id": "tts.voice", "media_player_entity_id": "media_player.radio",
         "message": RINGS["en"]}
    ]  # fmt: skip
    await kitchen.async_hear("stop", "en")


async def test_where_nothing_speaks_there_is_one_notification(kitchen: Kitchen) -> None:
    kitchen.house.hass.states.async_set("assist_satellite.speaker", "unavailable")
    await kitchen.async_hear(TEN["en"], "en")
    await kitchen.async_pass(minutes=12)
    assert notified(kitchen) == [RINGS["en"]]
    assert only(kitchen.plans).is_running


@pytest.mark.parametrize("language", COMPLETED)
async def test_time_that_was_asked_for_completes_what_was_said(
    kitchen: Kitchen, language: str
) -> None:
    sentence, answer, content, when = COMPLETED[language]
    asked = await kitchen.async_hear(sentence, language)
    assert asked.listens
    assert not kitchen.plans
    told = await kitchen.async_hear(answer, language, asked.conversation_id)
    plan = only(kitchen.plans)
    assert plan.say
    assert plan.say.text == content, told.speech
    assert plan.due
    assert f"{dt_util.as_local(plan.due):%m-%d %H:%M}" == when


async def test_pause_is_for_what_plays(kitchen: Kitchen) -> None:
    await kitchen.async_hear(TEN["en"], "en")
    kitchen.house.hass.states.async_set("media_player.radio", "playing")
    await kitchen.async_hear("pause", "en")
    await kitchen.async_hear("resume", "en")
    assert only(kitchen.plans).due
    await kitchen.async_hear("pause the timer", "en")
    assert not only(kitchen.plans).due


async def test_of_several_the_user_is_asked_which_is_meant(kitchen: Kitchen) -> None:
    for each in ("pasta", "rice"):
        await kitchen.async_hear(f"set a {each} timer for half an hour", "en")
    await kitchen.async_pass(minutes=11)
    asked = await kitchen.async_hear("cancel the timer", "en")
    assert asked.listens
    told = await kitchen.async_hear("the pasta", "en", asked.conversation_id)
    assert told.speech == "Cancelled: pasta timer."
    assert only(kitchen.plans).spoken.text == "rice timer"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_one_thing_leads_to_another(kitchen: Kitchen, language: str) -> None:
    for chat in table(__file__, "CHATS")[language]:
        await kitchen.async_begin()
        conversation_id = None
        for sentence, expected in chat:
            turn = await kitchen.async_hear(sentence, language, conversation_id)
            conversation_id = turn.conversation_id
            assert (sentence, turn.speech) == (sentence, expected)


async def test_timer_is_referred_to(kitchen: Kitchen) -> None:
    for language, before, sentence, expected in table(__file__, "REFERENCES"):
        await kitchen.async_begin()
        conversation_id = None
        for each in (*before, sentence):
            turn = await kitchen.async_hear(each, language, conversation_id)
            conversation_id = turn.conversation_id
        assert len(kitchen.plans) == len(expected), turn.speech
        for plan, part in zip(kitchen.plans, expected, strict=True):
            at = f"{dt_util.as_local(plan.due):%H:%M}" if plan.due else "left"
            told = f"{plan.spoken.text} {at} {plan.lasting.total_seconds() / 60:.0f} minutes"
            assert part in told, sentence
