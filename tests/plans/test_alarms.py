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


CHATS = [
    # A deed that nothing in the home can do is something to remember.
    [("take the bins out on Tuesday", "At what time?"),
     ("at six", "I'll remind you on Tuesday at 6:00 AM: take the bins out.")],
    [("turn on the lamp on Tuesday", "At what time?"),
     ("six in the evening", "On Tuesday at 6:00 PM I'll turn on the Lamp.")],
    [("set an alarm for tomorrow", "At what time?"), ("half past six", "Alarm set: tomorrow at 6:30 AM."),
     ("cancel that", "Cancelled: alarm (tomorrow at 6:30 AM).")],
    [("set a timer", "For how long?"), ("five minutes", "Timer: 5 minutes, starting now."),
     ("make it half an hour", "Timer: 30 minutes left."), ("cancel that", "Cancelled: timer (half an hour).")],
    [("set a pasta timer for nine minutes", "Pasta timer: 9 minutes, starting now."),
     ("and a timer for the rice for twelve minutes", "Timer for the rice: 12 minutes, starting now."),
     ("take one minute off", "Timer for the rice: 11 minutes left."),
     ("cancel the pasta timer", "Cancelled: pasta timer."),
     ("how long is left", "Timer for the rice: 11 minutes left."),
     ("cancel all timers", "Cancelled: timer for the rice.")],
    [("remind me to call mum", "At what time?"), ("never mind", "All right.")],
    [("schedule a meeting with Bob for Friday at 3 pm", "I'll remind you on Friday at 3:00 PM: a meeting with Bob."),
     ("cancel that", "Cancelled: a meeting with Bob (on Friday at 3:00 PM).")],
    # Beside a command; of two times; for how long alone.
    [("turn on the lamp and set a tea timer for four minutes", "I turned on the Lamp. Tea timer: 4 minutes, starting now."),
     ("set ten minutes for the rice", "The rice: 10 minutes, starting now."),
     ("set a second timer for three minutes", "Second timer: 3 minutes, starting now."),
     ("cancel all timers", "Cancelled: second timer; tea timer; the rice.")],
    [("set an alarm for six tomorrow", "Alarm set: tomorrow at 6:00 AM."),
     ("set an alarm for seven tomorrow", "Alarm set: tomorrow at 7:00 AM."),
     ("change my 6 o'clock alarm to 8", "Alarm moved: tomorrow at 8:00 AM."),
     ("make that half an hour later", "Alarm: tomorrow at 8:30 AM."),
     ("is an alarm set", "Alarm: tomorrow at 7:00 AM. Alarm: tomorrow at 8:30 AM."),
     ("delete all my alarms", "Cancelled: alarm.")],
    # A word for something else, an event, a list.
    *([(each, "The model gave no answer.")] for each in (
        "is the timer switch on", "how long until my parcel comes", "what is on the menu for tomorrow")),
    [("set an alarm when the door opens", "I have no way to notice that, so I haven't planned it.")],
    [("turn off the timer switch", "Sorry, I couldn't do that.")],
    [("set an alarm for six thirty", "Alarm set: tomorrow at 6:30 AM.")],
    [("three alarms tomorrow: at six, ten past six and twenty past six",
      "Alarm set: tomorrow at 6:00 AM. Alarm set: tomorrow at 6:10 AM. Alarm set: tomorrow at 6:20 AM.")],
    [("wake me at nine at the weekend", "Alarm set: on weekends at 9:00 AM.")],
    [("set a timer", "For how long?"), ("for the bread, an hour and ten", "Timer for the bread: one hour and 10 minutes, starting now."),
     ("set a tea timer for three minutes", "Tea timer: 3 minutes, starting now."),
     ("which one ends first", "Tea timer: 3 minutes left.")],
    [("set an alarm for tomorrow at six and another one for seven",
      "Alarm set: tomorrow at 6:00 AM. Alarm set: tomorrow at 7:00 AM.")],
    # A pronoun stands for the timer or alarm of the turn before, and a bare time is another one for it.
    [("set a timer for eight minutes for the eggs", "Timer for the eggs: 8 minutes, starting now."),
     ("and another one for the beans, half an hour", "Timer for the beans: 30 minutes, starting now."),
     ("cancel the eggs one", "Cancelled: timer for the eggs.")],
    [("set a timer for eight minutes", "Timer: 8 minutes, starting now."),
     ("and one for six minutes", "Timer: 6 minutes, starting now."),
     ("cancel the timer", "Which one do you mean: Timer: 6 minutes left; Timer: 8 minutes left?"),
     ("the six minute one", "Cancelled: timer.")],
    [("set a timer for eight minutes", "Timer: 8 minutes, starting now."),
     ("set a tea timer for six minutes", "Tea timer: 6 minutes, starting now."),
     ("set an egg timer for five minutes", "Egg timer: 5 minutes, starting now."),
     ("cancel the six minute timer", "Cancelled: tea timer."),
     ("cancel the timer", "Which one do you mean: Egg timer: 5 minutes left; Timer: 8 minutes left?"),
     ("both", "Cancelled: egg timer; timer.")],
    [("wake me at six tomorrow", "Alarm set: tomorrow at 6:00 AM."),
     ("no wait, quarter past six", "Alarm: tomorrow at 6:15 AM."),
     ("what time was that", "Alarm: tomorrow at 6:15 AM."),
     ("and on Sunday at nine", "Alarm set: on Sunday at 9:00 AM."),
     ("cancel them all", "Cancelled: alarm.")],
    [("wake me at six on weekdays", "Alarm set: on weekdays at 6:00 AM."),
     ("but not on Monday", "Alarm skipped: on Monday at 6:00 AM."),
     ("and not on Sunday", "There is no such timer or alarm.")],
    [("remind me to call mum tomorrow at eight", "I'll remind you tomorrow at 8:00 AM to call mum."),
     ("sorry, at nine", "I'll remind you tomorrow at 9:00 AM to call mum."),
     ("and turn on the lamp", "I turned on the Lamp.")],
    [("and one for six minutes", "The model gave no answer.")],
    [("turn on the lamp at eleven tonight", "At 11:00 PM I'll turn on the Lamp."),
     ("what are you going to do later tonight", "At 11:00 PM I'll turn on the Lamp.")],
    # What is no plan is not asked about.
    [("what is the weather in Michael tomorrow", "The model gave no answer."),
     ("turn off the lamp in ten minutes", "At 8:10 PM I'll turn off the Lamp."),
     ("cancel that", "Cancelled: turn off the lamp (at 8:10 PM).")],
]  # fmt: skip


@pytest.mark.parametrize("chat", CHATS, ids=lambda chat: chat[0][0])
async def test_one_thing_leads_to_another(kitchen: Kitchen, chat: list[tuple[str, str]]) -> None:
    conversation_id = None
    for sentence, expected in chat:
        turn = await kitchen.async_hear(sentence, "en", conversation_id)
        conversation_id = turn.conversation_id
        assert (sentence, turn.speech) == (sentence, expected)


# Which of several; from the beginning; another name. The first answer of each is left out.
REFERENCES = [
    ("en", ["timer 10 minutes", "timer 25 minutes", "cancel the timer"], "the longer one", ["10 minutes"]),
    ("en", ["timer 10 minutes", "timer 25 minutes", "pause the first one"], "cancel the longer one", ["left 10 minutes"]),
    ("en", ["timer 10 minutes", "timer 25 minutes", "cancel the timer"], "both of them please", []),
    ("de", ["Timer 10 Minuten", "Timer 25 Minuten", "lösch den Timer"], "den längeren", ["10 minutes"]),
    ("de", ["Wecker auf sieben", "noch einen auf acht"], "mach den ersten aus", ["08:00"]),
    ("fr", ["minuteur 10 minutes", "minuteur 25 minutes", "annule le minuteur"], "le plus long", ["10 minutes"]),
    ("es", ["temporizador de 10 minutos", "temporizador de 25 minutos", "cancela el temporizador"], "los dos", []),
    ("it", ["timer 10 minuti", "timer 25 minuti"], "annullali tutti e due", []),
    ("nl", ["timer 10 minuten", "timer 25 minuten", "stop de timer"], "allebei", []),
    ("pl", ["minutnik 10 minut", "minutnik 25 minut", "anuluj minutnik"], "ten krótszy", ["25 minutes"]),
    ("en", ["pizza timer 12 minutes", "add three minutes"], "start it over", ["15 minutes"]),
    ("de", ["Pizzatimer 12 Minuten"], "nenn ihn Lasagne", ["Lasagne Timer"]),
    ("fr", ["minuteur thé 4 minutes"], "appelle-le riz", ["minuteur riz"]),
    ("it", ["timer tè 4 minuti"], "chiamalo riso", ["timer riso"]),
    ("en", ["pizza timer 12 minutes"], "call it a day", ["pizza timer"]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "before", "sentence", "expected"), REFERENCES)
async def test_timer_is_referred_to(
    kitchen: Kitchen, language: str, before: list[str], sentence: str, expected: list[str]
) -> None:
    conversation_id = None
    for each in (*before, sentence):
        turn = await kitchen.async_hear(each, language, conversation_id)
        conversation_id = turn.conversation_id
    assert len(kitchen.plans) == len(expected), turn.speech
    for plan, part in zip(kitchen.plans, expected, strict=True):
        at = f"{dt_util.as_local(plan.due):%H:%M}" if plan.due else "left"
        assert part in f"{plan.spoken.text} {at} {plan.lasting.total_seconds() / 60:.0f} minutes"


AGAIN = {
    "de": [("Stell einen Timer für den Reis auf zwölf Minuten", "Timer für den Reis: 12 Minuten, die Zeit läuft."),
           ("Und noch einen für die Bohnen, acht Minuten", "Timer für die Bohnen: 8 Minuten, die Zeit läuft."),
           ("Der Bohnentimer kann weg", "Gelöscht: Timer für die Bohnen.")],
    "es": [("Ponme una alarma mañana a las seis", "Alarma, lista: mañana a las 6:00."),
           ("Perdón, a las seis y media", "Alarma: mañana a las 6:30."),
           ("¿A qué hora era?", "Alarma: mañana a las 6:30.")],
    "fr": [("Mets un minuteur de six minutes pour les œufs", "Minuteur pour les œufs : 6 minutes, c'est parti."),
           ("Et un autre de dix minutes pour le riz", "Minuteur pour le riz : 10 minutes, c'est parti."),
           ("Mets un réveil à vingt-cinq heures", "Désolé, je n’ai pas pu le faire.")],
    "it": [("Sveglia alle sei dal lunedì al venerdì", "Sveglia impostata: nei giorni feriali alle 6:00."),
           ("Lunedì però no", "Sveglia: questa volta non suona, lunedì alle 6:00."),
           ("Quando suona la prossima?", "Sveglia: nei giorni feriali alle 6:00."),
           ("Metti un timer di sei minuti per le uova", "Timer per le uova: 6 minuti, si parte."),
           ("E uno di mezz'ora per il pane", "Timer per il pane: 30 minuti, si parte.")],
    "nl": [("Zet een timer van een uur", "Timer: één uur, de tijd loopt."),
           ("En eentje voor de rijst, twaalf minuten", "Timer voor de rijst: 12 minuten, de tijd loopt."),
           ("Haal ze allemaal weg", "Geannuleerd: timer voor de rijst; timer.")],
    "pl": [("Obudź mnie jutro o szóstej", "Budzik ustawiony: jutro o 6:00."),
           ("Czekaj, o siódmej", "Budzik: jutro o 7:00."),
           ("Budzik jednak skasuj", "Anulowano: budzik.")],
}  # fmt: skip


@pytest.mark.parametrize("language", AGAIN)
async def test_what_follows_a_timer_or_an_alarm_may_leave_its_noun_out(
    kitchen: Kitchen, language: str
) -> None:
    conversation_id = None
    for sentence, expected in AGAIN[language]:
        turn = await kitchen.async_hear(sentence, language, conversation_id)
        conversation_id = turn.conversation_id
        assert (sentence, turn.speech) == (sentence, expected)
