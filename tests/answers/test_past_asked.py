"""Whether a question is about what was, by its words alone."""

from collections.abc import Iterator, Mapping, Sequence
import datetime as dt

from homeassistant.util import dt as dt_util
import pytest

from custom_components.voice_gateway.answers.compiler import past_query
from custom_components.voice_gateway.nlu.tokenizer import Text

NOW = dt.datetime(2026, 11, 20, 20, 30, tzinfo=dt.UTC)

NOW_OR_LATER: Mapping[str, Sequence[str]] = {
    "en": (
        "Is the washer done?",
        "When is the washer done?",
        "When will the washer be done?",
        "How long is the washer still running?",
        "Is the front door opened?",
        "Is the washer running overnight?",
        "How warm is it at the weekend?",
        "Will it rain over the weekend?",
    ),
    "de": (
        "Ist die Waschmaschine fertig?",
        "Wann ist die Waschmaschine fertig?",
        "Wie lange läuft die Waschmaschine noch?",
        "Läuft die Waschmaschine heute Nacht?",
        "Ist die Haustür heute Nacht zu?",
        "Wie warm wird es am Wochenende?",
        "Wie lange wird die Waschmaschine laufen?",
    ),
    "es": (
        "¿Está lista la lavadora?",
        "¿Cuánto tiempo va a funcionar la lavadora?",
        "¿Está encendida la luz durante la noche?",
    ),
    "fr": (
        "La machine est-elle terminée ?",
        "Combien de temps la machine va tourner ?",
        "Est-ce que la lampe est allumée cette nuit ?",
    ),
    "it": (
        "È pronta la lavatrice?",
        "Per quanto tempo va ancora la lavatrice?",
        "Che temperatura c'è stanotte?",
    ),
    "nl": (
        "Is de wasmachine klaar?",
        "Hoe lang draait de wasmachine nog?",
        "Is de lamp vannacht aan?",
    ),
    "pl": (
        "Jak długo jeszcze działa pralka?",
        "Kiedy pralka będzie gotowa?",
        "Czy pralka działa w nocy?",
    ),
}
WAS: Mapping[str, Sequence[str]] = {
    "en": (
        "Has the washer finished?",
        "When was the washer done?",
        "How long has the washer been running?",
        "How long was the washer still running yesterday?",
        "How often is the front door opened today?",
        "Was the washer running overnight?",
        "How warm was it at the weekend?",
        "Was the front door still closed at 3 pm?",
    ),
    "de": (
        "Wann ist die Waschmaschine fertig geworden?",
        "Wann war die Waschmaschine fertig?",
        "Wie lange ist die Waschmaschine gelaufen?",
        "Lief die Waschmaschine heute Nacht?",
        "Ist die Waschmaschine heute Nacht gelaufen?",
        "Wie warm war es am Wochenende?",
        "War die Haustür um 15 Uhr noch zu?",
    ),
    "es": ("¿Ha terminado la lavadora?", "¿Estuvo encendida la luz durante la noche?"),
    "fr": ("La machine a-t-elle fini ?", "La lampe était-elle allumée cette nuit ?"),
    "it": ("È finita la lavatrice?", "Che temperatura c'era stanotte?"),
    "nl": ("Hoe lang heeft de wasmachine gedraaid?", "Was de lamp vannacht aan?"),
    "pl": ("Jak długo działała pralka?", "Czy światło było włączone w nocy?"),
}


@pytest.fixture(name="in_utc")
def in_utc_fixture() -> Iterator[None]:
    """Have the home's clock show UTC."""
    before = dt_util.get_default_time_zone()
    dt_util.set_default_time_zone(dt.UTC)
    yield
    dt_util.set_default_time_zone(before)


def test_past_is_told_from_now_and_later() -> None:
    for table, is_past in ((NOW_OR_LATER, False), (WAS, True)):
        wrong = [
            text
            for code, texts in table.items()
            for text in texts
            if bool(past_query(Text(text, code), NOW)) is not is_past
        ]
        assert wrong == []


def test_time_is_the_one_that_is_said(in_utc: None) -> None:
    for code, text, told in (
        ("en", "How often was the door open in the last few days?", None),
        ("en", "How often was the door open in the last couple of hours?", None),
        ("en", "How often was the door open in the last hour?", "20 19:30"),
        ("en", "How long was the lamp on since Wednesday?", "18 00:00"),
        ("en", "Was the lamp on at seven?", "20 19:00"),
        ("en", "How warm was it at 11 pm last night?", "19 23:00"),
        ("en", "How warm was it last night at noon?", None),
        ("de", "Wie oft war die Tür in den letzten Tagen offen?", None),
        ("de", "Lief letzte Nacht zwischen zwei und fünf das Radio?", "20 02:00"),
        ("de", "Wie warm war es vor anderthalb Stunden?", "20 19:00"),
        ("fr", "Combien de fois la porte a été ouverte ces trois derniers jours ?", "17 20:30"),
        ("fr", "Combien de fois la porte a été ouverte ces dernières heures ?", None),
        ("es", "¿Cuántas veces se abrió la puerta en los 3 últimos días?", "17 20:30"),
        ("it", "La lampada da scrivania era accesa questa mattina?", "20 05:00"),
        ("nl", "Hoe vaak was de deur open in het laatste uur?", "20 19:30"),
        ("pl", "Ile razy otwierano drzwi w ciągu ostatnich kilku dni?", None),
        ("pl", "Jaka temperatura była godzinę temu?", "20 19:30"),
    ):
        question = past_query(Text(text, code), NOW)
        span = question.span if question else None
        assert (f"{span.start:%d %H:%M}" if span else None) == told, text


def test_since_is_only_said_before_a_time(in_utc: None) -> None:
    question = past_query(Text("La lampada da scrivania era accesa stamattina?", "it"), NOW)
    assert question
    assert question.span
    assert f"{question.span.end:%H:%M}" == "12:00"
