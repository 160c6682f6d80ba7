"""When, whether and what for: what a sentence says besides what is to be done."""

from datetime import time
from itertools import chain
from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.voice_gateway.nlu import parser
from custom_components.voice_gateway.nlu.annotations import AnnotatedText
from custom_components.voice_gateway.nlu.clause import Clause, DialogueAct, ParsedText
from custom_components.voice_gateway.nlu.parser import LONGEST, parse
from custom_components.voice_gateway.nlu.phrase_patterns import patterns_of
from custom_components.voice_gateway.nlu.time_resolution import TimeExpression, TimeType
from custom_components.voice_gateway.nlu.tokenizer import Text
from script.checks.texts import LANGUAGES
from tests.rows import rows

from .said import NAMES, SAID

ROWS = [
    pytest.param(code, *row, id=f"{code}: {row[0]}") for code in LANGUAGES for row in SAID[code]
]


def described(said: ParsedText) -> tuple[str, str]:
    """Return a sentence's clauses and their commands, as the lists of sentences have them."""
    return (
        " + ".join(map(_described, said.clauses)),
        " / ".join(clause.command for clause in said.clauses),
    )


def _described(clause: Clause) -> str:
    words = chain(
        ("not",) if clause.negated else (),
        (each.type for each in clause.times),
        (f"except {clause.exclusion}",) if clause.exclusion else (),
        (clause.act,) if clause.act is not DialogueAct.COMMAND else (),
    )
    return " ".join(words) or "now"


@rows(("code", "text", "clauses", "commands"), ROWS)
def test_sentence_says(code: str, text: str, clauses: str, commands: str) -> None:
    assert described(parse(Text(text, code), NAMES[code])) == (clauses, commands)


@rows(
    ("code", "text", "moment"),
    [
        ("en", "in half an hour", {"seconds": 1800}),
        ("en", "in an hour and a half", {"seconds": 5400}),
        ("en", "in two and a half hours", {"seconds": 9000}),
        ("en", "in 1 hour and 20 minutes", {"seconds": 4800}),
        ("en", "in two hours and a quarter", {"seconds": 8100}),
        ("en", "in a good half hour", {"seconds": 1800}),
        ("en", "for half a day", {"seconds": 43200}),
        ("de", "in einer Stunde und einer Viertelstunde", {"seconds": 4500}),
        ("de", "in einer knappen Stunde", {"seconds": 3600}),
        ("fr", "dans une heure et quart", {"seconds": 4500}),
        ("fr", "dans un petit quart d'heure", {"seconds": 900}),
        ("es", "dentro de dos horas y cuarto", {"seconds": 8100}),
        ("es", "en una media horita", {"seconds": 1800}),
        ("it", "tra un'ora e un quarto", {"seconds": 4500}),
        ("it", "domattina alle sette", {"time": time(7), "day_offset": 1, "meridiem": "am"}),
        ("nl", "over een uur en een kwartier", {"seconds": 4500}),
        ("nl", "over vijf kwartier", {"seconds": 4500}),
        ("pl", "za godzinę i kwadrans", {"seconds": 4500}),
        ("pl", "za dobrą godzinę", {"seconds": 3600}),
        ("en", "at seven, no, at eight", {"time": time(8)}),
        ("en", "tomorrow at seven, no, eight", {"time": time(8), "day_offset": 1}),
        ("en", "in ten, no, make that fifteen minutes", {"seconds": 900}),
        ("es", "a las siete, no, a las ocho", {"time": time(8)}),
        ("en", "in a couple of minutes", {"seconds": None}),
        ("en", "at half past seven", {"time": time(7, 30)}),
        ("en", "at quarter to nine in the evening", {"time": time(8, 45), "meridiem": "pm"}),
        ("en", "tomorrow at 7am", {"time": time(7), "meridiem": "am", "day_offset": 1}),
        ("en", "at 22:15", {"time": time(22, 15)}),
        ("en", "at noon", {"time": time(12)}),
        ("en", "half an hour before sunset", {"sun": "sunset", "seconds": -1800}),
        ("en", "on weekdays at 6:30", {"weekdays": (0, 1, 2, 3, 4), "time": time(6, 30)}),
        ("de", "um halb acht", {"time": time(7, 30)}),
        ("de", "um viertel nach sechs", {"time": time(6, 15)}),
        ("de", "um 20 Uhr 15", {"time": time(20, 15)}),
        ("de", "in anderthalb Stunden", {"seconds": 5400}),
        ("de", "montags und freitags um sieben", {"weekdays": (0, 4), "time": time(7)}),
        ("es", "dentro de una hora y media", {"seconds": 5400}),
        ("es", "a las ocho y media", {"time": time(8, 30)}),
        ("es", "a las nueve menos cuarto", {"time": time(8, 45)}),
        ("fr", "dans un quart d'heure", {"seconds": 900}),
        ("fr", "dans 1h30", {"seconds": 5400}),
        ("fr", "à 20h30", {"time": time(20, 30)}),
        ("fr", "à neuf heures moins le quart", {"time": time(8, 45)}),
        ("it", "fra mezz'ora", {"seconds": 1800}),
        ("it", "alle otto e mezza", {"time": time(8, 30)}),
        ("nl", "over een half uur", {"seconds": 1800}),
        ("nl", "om half acht", {"time": time(7, 30)}),
        ("nl", "om kwart voor negen", {"time": time(8, 45)}),
        ("pl", "za pół godziny", {"seconds": 1800}),
        ("pl", "za dwie godziny", {"seconds": 7200}),
        ("pl", "o wpół do ósmej", {"time": time(7, 30)}),
        ("pl", "o siódmej trzydzieści", {"time": time(7, 30)}),
        ("en", "tomorrow at seven thirty", {"time": time(7, 30), "day_offset": 1}),
        ("en", "on Monday at six fifteen", {"time": time(6, 15), "weekdays": (0,)}),
        ("en", "at one minute to midnight", {"time": time(23, 59)}),
        ("en", "at five minutes past midnight", {"time": time(0, 5)}),
        ("en", "at five to noon", {"time": time(11, 55)}),
        ("en", "in three quarters of an hour", {"seconds": 2700}),
        ("de", "eine Minute vor Mitternacht", {"time": time(23, 59)}),
        ("de", "bei Sonnenuntergang immer", {"type": TimeType.EVERY, "sun": "sunset"}),
        ("de", "um acht immer", {"type": TimeType.EVERY, "time": time(8)}),
        ("fr", "à minuit moins une", {"time": time(23, 59)}),
        ("fr", "le 3 à 9 heures", {"time": time(9), "month_day": 3}),
        ("es", "a las doce menos un minuto", {"time": time(11, 59)}),
        ("it", "alle sette e tre quarti", {"time": time(7, 45)}),
        ("it", "il 3 alle 9", {"time": time(9), "month_day": 3}),
        ("nl", "om een minuut voor middernacht", {"time": time(23, 59)}),
        ("pl", "dziesięć po siódmej", {"time": time(7, 10)}),
    ],
)
def test_moment_is_worth(code: str, text: str, moment: dict[str, object]) -> None:
    (clause,) = parse(Text(f"Hue {text}", code), ["Hue"]).clauses
    (found,) = clause.times
    assert {name: getattr(found, name) for name in moment} == moment


def test_how_much_is_no_minutes() -> None:
    (clause,) = parse(Text("Dim the Hue tomorrow at seven 20 percent", "en"), ["Hue"]).clauses
    (found,) = clause.times
    assert found.time == time(7)


def test_moment_of_another_clause_is_shared() -> None:
    first, second = parse(Text("Turn off the TV and lock the door in 10 minutes", "en"), ()).clauses
    assert [clause.times[0].is_shared for clause in (first, second)] == [True, False]


@pytest.mark.parametrize(
    ("text", "is_now", "begins_now", "kind"),
    [
        ("Turn on the fan", True, True, None),
        ("Turn on the fan for an hour", False, True, TimeType.FOR),
        ("Turn on the fan in an hour for ten minutes", False, False, TimeType.IN),
    ],
)
def test_clause_begins_now_or_later(
    text: str, is_now: bool, begins_now: bool, kind: TimeType | None
) -> None:
    (clause,) = parse(Text(text, "en"), ()).clauses
    assert (clause.is_immediate, clause.starts_now) == (is_now, begins_now)
    types = [each.type for each in clause.times]
    assert kind in types if kind else not types


@pytest.mark.parametrize("code", [None, "xx", "cs"])
def test_no_moment_is_known_in_a_language_without_phrases(code: str | None) -> None:
    text = "Turn off the TV in 10 minutes"
    clause = Clause(text=Text(text, code), command=Text(text, code))
    assert parse(Text(text, code), ()) == ParsedText(act=DialogueAct.UNKNOWN, clauses=(clause,))


def test_too_long_a_sentence_is_not_read() -> None:
    (clause,) = parse(Text("turn on the light, " * LONGEST, "en"), ()).clauses
    assert clause.times == (TimeExpression(type=TimeType.UNCLEAR),)
    command = "turn on the light"
    (clause,) = parse(Text(command.ljust(LONGEST), "en"), ()).clauses
    assert clause.is_immediate


WORDS = {
    code: sorted(
        {word for text, *_ in SAID[code] for word in text.split()}
        | patterns_of(code).vocabulary
        | set(',.?!:;"„“«»-')
    )
    for code in LANGUAGES
}


@st.composite
def sentences(draw: st.DrawFn) -> tuple[str, str]:
    """Return a language and a sentence of its words, or of any characters."""
    code = draw(st.sampled_from(LANGUAGES))
    of_words = st.lists(st.sampled_from(WORDS[code]), max_size=40).map(" ".join)
    return code, draw(of_words | st.text(max_size=100))


def test_a_command_stays_one_beside_a_question() -> None:
    assert parse(Text("turn on the lamp. Is it raining?", "en"), ()).act is DialogueAct.COMMAND


@pytest.mark.parametrize(
    ("code", "news", "question"),
    [
        ("en", "what's on the calendar and turn on the lamp", "when do I come home and turn on the lamp"),
        ("en", "how's the weather and turn on the lamp", "what is there to close and lock"),
        ("en", "do I have any mail and turn on the lamp", "do I have anything to close and lock"),
        ("de", "was steht im Kalender und mach die Lampe an", "wann komme ich heim und schalte die Lampe an"),
        ("fr", "qu'y a-t-il au calendrier et allume la lampe", "qui entre et allume la lampe"),
        ("es", "qué hay en el calendario y enciende la lámpara", "quién entra y enciende la lámpara"),
        ("it", "cosa c'è in calendario e accendi la lampada", "chi entra e accende la lampada"),
        ("nl", "wat staat er op de agenda en doe de lamp aan", "wanneer kom ik thuis en doe de lamp aan"),
        ("pl", "co jest w kalendarzu i włącz lampę", "jak zamknąć drzwi i włączyć lampę"),
    ],
)  # fmt: skip
def test_a_command_is_joined_to_what_only_asks_for_news(
    code: str, news: str, question: str
) -> None:
    """What there is can do nothing itself; who comes home may turn on the lamp."""
    moods = [each.act for each in parse(Text(news, code), ()).clauses]
    assert moods == [DialogueAct.QUESTION, DialogueAct.COMMAND]
    assert parse(Text(f"{news}?", code), ()).act is DialogueAct.QUESTION
    assert parse(Text(question, code), ()).act is DialogueAct.QUESTION


@pytest.mark.parametrize(
    ("code", "told", "done"),
    [
        ("en", "tell Ida that the lamp is off", "tell the lamp that it is off"),
        ("en", "let Ida know the lamp is off", "let the lamp be off"),
        ("de", "schreib Ida, dass die Lampe aus ist", "sag der Lampe, dass sie ausgehen soll"),
        ("fr", "dis à Ida que la lampe est éteinte", "dis à la lampe que c'est fini"),
        ("es", "dile a Ida que la lámpara está apagada", "dile a la lámpara que se apague"),
        ("it", "scrivi a Ida che la lampada è spenta", "accendi la lampada"),
        ("nl", "zeg tegen Ida dat de lamp uit is", "doe de lamp uit"),
        ("pl", "napisz Idzie, że lampa jest wyłączona", "wyłącz lampę"),
    ],
)
def test_what_others_are_to_be_told_is_known(code: str, told: str, done: str) -> None:
    (clause,) = parse(Text(told, code), ()).clauses
    assert clause.act is DialogueAct.COMMAND
    assert clause.has_recipient
    assert not any(each.has_recipient for each in parse(Text(done, code), ()).clauses)


@pytest.mark.parametrize(
    ("code", "text", "is_dictated"),
    [
        ("en", "Text Bob: turn off the lamp, please", True),
        ("en", "read me Bob's message and answer him: unlock the door and turn off the lamp", True),
        ("de", "Antworte Tom: mach die Lampe aus", True),
        ("fr", "Écris à Paul : éteins la lampe", True),
        ("nl", "stuur Bob een bericht: doe de lamp uit", True),
        ("en", "Tell me: is the lamp on?", False),
        ("de", "Sag mir Bescheid: mach die Lampe aus", False),
        ("en", "turn off the following: the lamp", False),
    ],
)
def test_text_after_a_colon_is_content(code: str, text: str, is_dictated: bool) -> None:
    first, *others = parse(Text(text, code), ("lamp", "Lampe", "lampe")).clauses
    assert [each.has_recipient for each in (others or [first])][-1] is is_dictated


@pytest.mark.parametrize(
    ("code", "of_text", "done"),
    [
        ("en", "search for how to turn off the lamp", "turn off the lamp"),
        ("de", "such, wie man die Lampe ausschaltet", "schalte die Lampe aus"),
        ("fr", "cherche comment éteindre la lampe", "éteins la lampe"),
        ("es", "busca cómo apagar la lámpara", "apaga la lámpara"),
        ("it", "cerca come spegnere la lampada", "spegni la lampada"),
        ("nl", "zoek hoe je de lamp uitzet", "zet de lamp uit"),
        ("pl", "wyszukaj jak wyłączyć lampę", "wyłącz lampę"),
    ],
)
def test_what_may_be_a_text_is_known(code: str, of_text: str, done: str) -> None:
    assert parse(Text(of_text, code), ()).clauses[0].has_content
    assert not any(each.has_content for each in parse(Text(done, code), ()).clauses)


@pytest.mark.parametrize(
    ("code", "joined", "opposed"),
    [
        ("en", "don't turn on the lamp and open the gate", "don't turn on the lamp, but open the gate"),
        ("de", "mach die Lampe nicht an und öffne das Tor", "mach die Lampe nicht an, sondern öffne das Tor"),
        ("fr", "n'allume pas la lampe et ouvre la porte", "n'allume pas la lampe, mais ouvre la porte"),
        ("es", "no enciendas la lámpara y abre la puerta", "no enciendas la lámpara, pero abre la puerta"),
        ("it", "non accendere la lampada e apri la porta", "non accendere la lampada, ma apri la porta"),
        ("nl", "doe de lamp niet aan en open de poort", "doe de lamp niet aan, maar open de poort"),
        ("pl", "nie włączaj lampy i otwórz bramę", "nie włączaj lampy, ale otwórz bramę"),
    ],
)  # fmt: skip
def test_what_is_joined_to_a_prohibition_may_be_forbidden_too(
    code: str, joined: str, opposed: str
) -> None:
    assert [each.is_immediate for each in parse(Text(joined, code), ()).clauses] == [True, False]
    assert [each.is_immediate for each in parse(Text(opposed, code), ()).clauses] == [True, True]


def test_otherwise_of_nothing_is_not_now() -> None:
    (clause,) = parse(Text("otherwise turn on the lamp", "en"), ()).clauses
    assert [moment.type for moment in clause.times] == [TimeType.UNCLEAR]


@given(sentences())
def test_any_sentence_is_read(sentence: tuple[str, str]) -> None:
    code, text = sentence
    said = parse(Text(text, code), ("Lamp at 5", "2", "in", ""))
    assert said.clauses
    assert said == parse(Text(text, code), ("Lamp at 5", "2", "in", ""))


@given(st.sampled_from(("in 10 minutes", "if it rains", "not", "Every 5", "at 8")))
def test_words_of_a_name_never_matter(words: str) -> None:
    """A name is a name, whatever moment is in it."""
    for name in (f"Zorb {words}", f"{words} Zorb"):
        plain, odd = (
            parse(Text(f"Turn on {each} in ten minutes", "en"), (each,)) for each in ("Zorb", name)
        )
        assert [(c.times, c.negated, c.act) for c in odd.clauses] == [
            (c.times, c.negated, c.act) for c in plain.clauses
        ]


@pytest.mark.parametrize(
    ("code", "text", "weekdays"),
    [
        ("en", "Every day except on Sundays at seven am turn on the lamp", (0, 1, 2, 3, 4, 5)),
        ("en", "Turn on the lamp every weekday at 7 am but not on Fridays", (0, 1, 2, 3)),
        ("en", "Turn on the lamp every day except on Sundays and Mondays at 7", (1, 2, 3, 4, 5)),
        ("de", "Schalte jeden Tag außer Sonntag um 7 Uhr die Lampe an", (0, 1, 2, 3, 4, 5)),
        ("fr", "Allume la lampe tous les jours à 7 heures sauf le dimanche", (0, 1, 2, 3, 4, 5)),
        ("es", "Enciende la luz todos los días a las 7 menos los domingos", (0, 1, 2, 3, 4, 5)),
        ("it", "Accendi la luce tutti i giorni alle 7 tranne la domenica", (0, 1, 2, 3, 4, 5)),
        ("nl", "Zet de lamp elke dag om 7 uur aan behalve op zondag", (0, 1, 2, 3, 4, 5)),
        ("pl", "Włącz lampę codziennie o 7 oprócz niedzieli", (0, 1, 2, 3, 4, 5)),
    ],
)
def test_days_that_are_excepted_are_left_out(
    code: str, text: str, weekdays: tuple[int, ...]
) -> None:
    (clause,) = parse(Text(text, code), ()).clauses
    (parser,) = clause.times
    assert parser.type is TimeType.EVERY
    assert parser.weekdays == weekdays
    # Days of the week are no interval.
    assert parser.seconds is None
    assert not parser.is_unread


@pytest.mark.parametrize(
    "text",
    [
        "Turn on the lamp every day at 7 am except on holidays",
        "At 7 am turn on the lamp except on Sundays",
        "Turn on the lamp every two hours except on Sundays",
        "Turn on the lamp every Sunday except on Sundays",
    ],
)
def test_exception_that_is_not_understood_makes_the_moment_uncertain(text: str) -> None:
    (clause,) = parse(Text(text, "en"), ("Lamp",)).clauses
    assert all(each.is_unread for each in clause.times)


@pytest.mark.parametrize(
    ("code", "text", "said"),
    [
        ("de", "Morgen um sieben Uhr dreißig die Lampe an", time(7, 30)),
        ("es", "Mañana a las siete y cuarto enciende la lámpara", time(7, 15)),
        ("it", "Domani mattina alle sette e un quarto accendi la lampada", time(7, 15)),
    ],
)
def test_minutes_of_another_day_are_read(code: str, text: str, said: time) -> None:
    (clause,) = parse(Text(text, code), ()).clauses
    (parser,) = clause.times
    assert parser.time == said
    assert parser.day_offset == 1


def test_sentence_is_parted_once_by_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever repeats "if so" does not have all that is before it read again each time."""
    made: list[str] = []

    def annotated(text: Text, *others: Any) -> AnnotatedText:
        made.append(text)
        return AnnotatedText(text, *others)

    monkeypatch.setattr(parser, "AnnotatedText", annotated)
    for begin in ("is it dark, ", "turn on the lamp "):
        made.clear()
        parse(Text(f"{begin}{'if so, ' * 30}turn on the TV", "en"), ())
        assert len(made) <= 3
