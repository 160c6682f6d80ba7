"""What is only told beside a command: it puts nothing off, denies nothing, and is none itself."""

import pytest

from custom_components.voice_gateway.heard.moment import read
from custom_components.voice_gateway.heard.said import Clause, Mood

# What devices are called: "Vacuum" and so on, in each language.
NAMES = {
    "de": ("Lampe", "Heizung", "Radio", "Rollladen", "Robbie"),
    "en": ("Lamp", "Heater", "Radio", "Blind", "Robbie"),
    "es": ("Lámpara", "Calefacción", "Radio", "Persiana", "Robbie"),
    "fr": ("Lampe", "Chauffage", "Radio", "Volet", "Robbie"),
    "it": ("Lampada", "Riscaldamento", "Radio", "Tapparella", "Robbie"),
    "nl": ("Lamp", "Verwarming", "Radio", "Rolluik", "Robbie"),
    "pl": ("Lampa", "Ogrzewanie", "Radio", "Roleta", "Robbie"),
}

# What happens at some time, and the commands: with which kinds of moments each is heard.
TIMES: tuple[tuple[str, str, list[str]], ...] = (
    ("en", "my aunt arrives in an hour and there are crumbs everywhere, so start Robbie at once and turn off the radio",
     ["start Robbie", "turn off the radio"]),
    ("en", "The film starts at eight, so dim the lamp", ["dim the lamp"]),
    ("en", "I have to be at the station in twenty minutes, turn off the radio", ["turn off the radio"]),
    ("de", "meine Tante kommt in einer Stunde und überall liegen Krümel, also starte Robbie sofort und mach das Radio aus",
     ["starte Robbie", "mach das Radio aus"]),
    ("de", "um drei ruft mein Chef an und ich brauche Ruhe, deshalb mach bitte das Radio aus",
     ["mach das Radio aus"]),
    ("de", "in einer Stunde kommt Oma, mach die Lampe an", ["mach die Lampe an"]),
    ("fr", "ma tante arrive dans une heure et il fait froid, donc allume le chauffage et ferme le volet",
     ["allume le chauffage", "ferme le volet"]),
    ("fr", "Le film commence à huit heures, alors baisse la lampe et ferme le volet",
     ["baisse la lampe", "ferme le volet"]),
    ("es", "mi tía llega dentro de una hora y hay migas, así que arranca a Robbie ahora mismo y apaga la radio",
     ["arranca a Robbie", "apaga la radio"]),
    ("es", "mi jefe llama a las tres y necesito silencio, por eso apaga la radio", ["apaga la radio"]),
    ("es", "así que llegue mi tía, apaga la lámpara", ["apaga la lámpara | when"]),
    ("es", "así que empiece la película apaga la lámpara", ["apaga la lámpara | when"]),
    ("es", "apaga la lámpara así que empiece la película", ["apaga la lámpara | when"]),
    ("it", "mia zia arriva tra un'ora e si gela, allora accendi il riscaldamento e abbassa la tapparella",
     ["accendi il riscaldamento", "abbassa la tapparella"]),
    ("it", "Il film comincia alle otto, quindi abbassa la tapparella", ["abbassa la tapparella"]),
    ("nl", "mijn tante komt over een uur en er liggen overal kruimels, dus start Robbie meteen en zet de radio uit",
     ["start Robbie", "zet de radio uit"]),
    ("nl", "ik moet over twintig minuten op het station zijn, zet de radio uit", ["zet de radio uit"]),
    ("pl", "ciocia przyjeżdża za godzinę i wszędzie są okruszki, więc włącz od razu Robbie i wyłącz radio",
     ["włącz Robbie", "wyłącz radio"]),
    ("pl", "szef dzwoni o trzeciej, dlatego wyłącz radio", ["wyłącz radio"]),
    ("pl", "wyłącz radio, dlatego że dzwoni szef", ["wyłącz radio"]),
    # A time of the command itself, and one to which the command points back.
    ("en", "tomorrow at seven, turn on the heater", ["turn on the heater | at"]),
    ("en", "the guests arrive at six, turn on the heater then", ["turn on the heater | at"]),
    ("en", "the guests arrive at six, so turn on the heater before that", ["turn on the heater | before"]),
    ("en", "the guests arrive at six, so turn on the heater at five", ["turn on the heater | at"]),
    ("en", "I come home at six, so turn on the heater", ["turn on the heater | at"]),
    ("en", "the lamp at eight, so turn it on", ["turn it on | at"]),
    ("de", "die Gäste kommen um sechs, mach dann die Heizung an", ["mach die Heizung an | at"]),
    ("de", "Ich komme um sechs nach Hause, also mach die Heizung an", ["mach die Heizung an | at"]),
    ("fr", "ma tante arrive à six heures, allume le chauffage à ce moment-là",
     ["allume le chauffage à ce moment-là | at"]),
    ("es", "mi tía llega a las seis, enciende entonces la calefacción", ["enciende la calefacción | at"]),
    ("it", "mia zia arriva alle sei, accendi allora il riscaldamento", ["accendi il riscaldamento | at"]),
    ("nl", "mijn tante komt om zes uur, zet dan de verwarming aan", ["zet de verwarming aan | at"]),
    ("pl", "ciocia przyjeżdża o szóstej, włącz wtedy ogrzewanie", ["włącz ogrzewanie | at"]),
)  # fmt: skip


def _commands(code: str, text: str) -> list[str]:
    clauses = read(text, code, NAMES[code]).clauses
    return [_told(each) for each in clauses if each.mood is Mood.COMMAND]


def _told(clause: Clause) -> str:
    words = f"{'not ' * clause.negated}{clause.command}".strip()
    return " | ".join((words, *(str(each.kind) for each in clause.moments)))


@pytest.mark.parametrize(("code", "text", "told"), TIMES)
def test_time_of_what_is_told_is_no_time_of_a_command(
    code: str, text: str, told: list[str]
) -> None:
    assert _commands(code, text) == told


# A value that is corrected, in whole numbers and in halves.
VALUES: tuple[tuple[str, str, list[str]], ...] = (
    ("en", "set the heater to twenty, no, make it twenty-one and a half",
     ["set the heater to twenty-one and a half"]),
    ("en", "lamp to thirty percent, actually make it forty", ["lamp to forty"]),
    ("de", "stell die Heizung auf zwanzig Grad, ach nein, lieber auf 21,5 Grad",
     ["stell die Heizung auf 21,5 Grad"]),
    ("de", "stell die Lampe auf dreißig Prozent, nee, mach vierzig Prozent",
     ["stell die Lampe auf vierzig Prozent"]),
    ("fr", "mets le chauffage à vingt, non, plutôt vingt et un et demi",
     ["mets le chauffage à vingt et un et demi"]),
    ("fr", "mets le chauffage à vingt, non, mets plutôt à vingt-deux",
     ["mets le chauffage à vingt-deux"]),
    ("es", "pon la calefacción a veinte, no, mejor a veintiuno y medio",
     ["pon la calefacción a veintiuno y medio"]),
    ("es", "pon la calefacción en veinte, no, espera, ponla a veintidós",
     ["pon la calefacción a veintidós"]),
    ("it", "metti il riscaldamento a venti, anzi no, facciamo venti e mezzo",
     ["metti il riscaldamento a venti e mezzo"]),
    ("it", "metti il riscaldamento su ventuno, no, meglio a ventidue",
     ["metti il riscaldamento a ventidue"]),
    ("it", "metti il riscaldamento a venti e mezzo", ["metti il riscaldamento a venti e mezzo"]),
    ("nl", "zet de verwarming op twintig, nee, doe maar eenentwintig en een half",
     ["zet de verwarming op eenentwintig en een half"]),
    ("pl", "ustaw ogrzewanie na dwadzieścia, nie, lepiej na dwadzieścia jeden i pół",
     ["ustaw ogrzewanie na dwadzieścia jeden i pół"]),
    # A time that is corrected is one.
    ("it", "accendi la lampada alle otto, anzi no, alle otto e mezza", ["accendi la lampada | at"]),
    ("it", "accendi la lampada alle ventuno, no, facciamo ventuno e mezza",
     ["accendi la lampada | at"]),
    ("it", "accendi la lampada a mezzogiorno e mezzo", ["accendi la lampada | at"]),
    ("es", "enciende la lámpara a las ocho, no, mejor a las ocho y media",
     ["enciende la lámpara | at"]),
    ("en", "turn on the lamp in ten, no, fifteen minutes", ["turn on the lamp | in"]),
    # A thing that is taken back is no number.
    ("en", "set the heater to twenty, no, the lamp", ["set the heater to twenty, , the lamp"]),
)  # fmt: skip


@pytest.mark.parametrize(("code", "text", "told"), VALUES)
def test_corrected_value_takes_the_place_of_the_first(
    code: str, text: str, told: list[str]
) -> None:
    assert _commands(code, text) == told
