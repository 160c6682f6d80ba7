"""Whether a question is about what was, by its words alone."""

from collections.abc import Mapping, Sequence
import datetime as dt

from custom_components.voice_gateway.questions.past.asked import past_question

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


def test_question_about_now_or_later_is_none_about_the_past() -> None:
    asked = {
        each: past_question(each, code, NOW) for code in NOW_OR_LATER for each in NOW_OR_LATER[code]
    }
    assert not [text for text, question in asked.items() if question]


def test_question_about_the_past_is_one() -> None:
    asked = {each: past_question(each, code, NOW) for code in WAS for each in WAS[code]}
    assert not [text for text, question in asked.items() if question is None]
