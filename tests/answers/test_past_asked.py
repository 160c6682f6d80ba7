"""Whether a question is about what was, by its words alone."""

from collections.abc import Iterator, Mapping, Sequence
import datetime as dt

from homeassistant.util import dt as dt_util
import pytest

from custom_components.voice_gateway.answers.compiler import past_query
from custom_components.voice_gateway.nlu.tokenizer import Text

from ..tables import table

NOW = dt.datetime(2026, 11, 20, 20, 30, tzinfo=dt.UTC)

NOW_OR_LATER: Mapping[str, Sequence[str]] = table(__file__, "NOW_OR_LATER")
WAS: Mapping[str, Sequence[str]] = table(__file__, "WAS")


@pytest.fixture(name="in_utc")
def in_utc_fixture() -> Iterator[None]:
    """Have the home's clock show UTC."""
    before = dt_util.get_default_time_zone()
    dt_util.set_default_time_zone(dt.UTC)
    yield
    dt_util.set_default_time_zone(before)


def test_past_is_told_from_now_and_later() -> None:
    for listed, is_past in ((NOW_OR_LATER, False), (WAS, True)):
        wrong = [
            text
            for code, texts in listed.items()
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
