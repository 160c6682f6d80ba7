"""What is only told beside a command: it puts nothing off, denies nothing, and is none itself."""

import pytest

from custom_components.voice_gateway.nlu.clause import Clause, DialogueAct
from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.tokenizer import Text
from tests.rows import rows

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
    ("de", "Wir hatten zwei Stunden Gäste, mach die Heizung aus", ["mach die Heizung aus"]),
    ("en", "We had guests for two hours, turn off the heater", ["turn off the heater"]),
    ("de", "Ich bin zwei Stunden weg, mach die Heizung aus", ["mach die Heizung aus"]),
    ("es", "hace calor, así que no enciendas la calefacción", ["not enciendas la calefacción"]),
    # What the user wants to be told later, and wants to do later.
    ("en", "turn off the lamp and tell me when the tram comes", ["turn off the lamp", "tell me | when"]),
    ("fr", "éteins la lampe et dis-moi quand passe le tram", ["éteins la lampe", "dis-moi | when"]),
    ("it", "spegni la lampada e dimmi quando passa il tram", ["spegni la lampada", "dimmi | when"]),
    ("en", "turn up the heater, I want to have a bath later", ["turn up the heater"]),
    ("de", "dreh die Heizung auf, ich will nachher noch in die Wanne", ["dreh die Heizung auf"]),
    ("fr", "monte le chauffage, je veux prendre un bain tout à l'heure", ["monte le chauffage"]),
    ("nl", "zet de lamp aan, ik wil straks nog lezen", ["zet de lamp aan"]),
    ("pl", "włącz lampę, chcę później poczytać", ["włącz lampę"]),
    ("en", "turn up the heater, I want to have a bath at eight",
     ["turn up the heater", "a bath | at"]),
    ("en", "turn on the lamp, I want it off later", ["turn on the lamp", "it off | unclear"]),
    # Behind its subject, or a determiner, a word that may order something is none.
    ("en", "turn off the lamp, I have a meeting in ten minutes", ["turn off the lamp"]),
    ("en", "turn off the lamp, we play tennis at six", ["turn off the lamp"]),
    ("en", "my show starts at eight so turn off the lamp", ["turn off the lamp"]),
    ("de", "mach die Lampe aus, ich habe in zehn Minuten eine Besprechung", ["mach die Lampe aus"]),
    ("fr", "mon émission commence à huit heures, alors éteins la lampe", ["éteins la lampe"]),
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
    clauses = parse(Text(text, code), NAMES[code]).clauses
    return [_told(each) for each in clauses if each.act is DialogueAct.COMMAND]


def _told(clause: Clause) -> str:
    words = f"{'not ' * clause.negated}{clause.command}".strip()
    return " | ".join((words, *(str(each.type) for each in clause.times)))


@rows(("code", "text", "told"), TIMES)
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


# How far something goes is no moment, and a reason neither denies nor puts off.
REASONS: tuple[tuple[str, str, list[str]], ...] = (
    ("de", "mach den Rollladen bis zur Hälfte zu", ["mach den Rollladen bis zur Hälfte zu"]),
    ("de", "dreh die Heizung bis zum Anschlag auf", ["dreh die Heizung bis zum Anschlag auf"]),
    ("de", "lass das Radio an bis zur Mitte der Nacht", ["lass das Radio an | unclear"]),
    ("en", "open the blind up to the middle", ["open the blind up to the middle"]),
    ("es", "baja la persiana hasta la mitad nada más", ["baja la persiana hasta la mitad nada más"]),
    ("es", "sube la persiana hasta el tope", ["sube la persiana hasta el tope"]),
    ("es", "nada más llegar mi tía, enciende la lámpara", ["enciende la lámpara | when"]),
    ("fr", "ferme le volet jusqu'à la moitié", ["ferme le volet jusqu'à la moitié"]),
    ("it", "abbassa la tapparella fino a metà", ["abbassa la tapparella fino a metà"]),
    ("nl", "doe het rolluik tot halverwege dicht", ["doe het rolluik tot halverwege dicht"]),
    ("nl", "laat de lamp aan tot halverwege de film", ["laat de lamp aan | unclear"]),
    ("pl", "opuść roletę do połowy", ["opuść roletę do połowy"]),
    ("es", "baja la radio, que no me entero de nada y enciende la lámpara",
     ["baja la radio", "enciende la lámpara"]),
    ("es", "sube la persiana, que quiero ver la calle", ["sube la persiana"]),
    ("fr", "éteins la radio, que je me concentre, et ferme le volet",
     ["éteins la radio", "ferme le volet"]),
    ("it", "abbassa la radio, che non sento niente", ["abbassa la radio"]),
    ("nl", "doe het rolluik dicht, ik hoef niet dat iedereen naar binnen kijkt", ["doe het rolluik dicht"]),
    ("nl", "zet de radio zachter, ik kan zo niet werken en doe de lamp aan",
     ["zet de radio zachter", "doe de lamp aan"]),
    ("de", "mach das Radio leiser, ich versteh kein Wort und mach die Lampe an",
     ["mach das Radio leiser", "mach die Lampe an"]),
    ("de", "mach das Radio aus, das hört eh keiner", ["mach das Radio aus"]),
    ("fr", "baisse la radio, je n'entends rien et allume la lampe", ["baisse la radio", "allume la lampe"]),
    ("en", "close the blind, I don't want everybody to stare in here", ["close the blind"]),
    ("en", "turn off the lamp, I don't want it", ["turn off the lamp"]),
    ("en", "turn off the lamp, I don't want the heater", ["turn off the lamp", "not the heater"]),
    ("en", "turn off the radio, or else the baby wakes up, and turn on the lamp",
     ["turn off the radio", "turn on the lamp"]),
    ("de", "mach die Lampe auf zehn Prozent, sonst find ich meine Socken nicht, und das Radio lauter",
     ["mach die Lampe auf zehn Prozent", "das Radio lauter"]),
    ("fr", "éteins la radio, sinon le bébé se réveille, et ferme le volet",
     ["éteins la radio", "ferme le volet"]),
    ("es", "apaga la radio, que si no se despierta el niño, y baja la persiana",
     ["apaga la radio", "baja la persiana"]),
    ("it", "spegni la radio, se no si sveglia il bambino, e accendi la lampada",
     ["spegni la radio", "accendi la lampada"]),
    ("nl", "zet de radio uit, anders wordt de baby wakker, en doe de lamp aan",
     ["zet de radio uit", "doe de lamp aan"]),
    ("pl", "wyłącz radio, inaczej obudzi się dziecko, i włącz lampę", ["wyłącz radio", "włącz lampę"]),
    # A reason for the no takes back nothing that follows it.
    ("en", "No, turn off the lamp, I changed my mind", ["turn off the lamp, I changed my"]),
    ("fr", "Non, éteins la lampe, j'ai changé d'avis", ["éteins la lampe"]),
    ("it", "No, spegni la lampada, ho cambiato idea", ["spegni la lampada"]),
    ("es", "No, apaga la lámpara, he cambiado de idea", ["apaga la lámpara"]),
    ("fr", "éteins la lampe, j'ai changé d'avis", ["not éteins la lampe"]),
    ("fr", "Non, éteins la lampe. J'ai changé d'avis", ["not éteins la lampe"]),
    ("en", "No, turn off the lamp, forget it", ["not turn off the lamp, forget it"]),
    # What is to be done otherwise is a command.
    ("it", "se piove chiudi la tapparella, se no accendi la lampada",
     ["chiudi la tapparella | if", "accendi la lampada | unless"]),
    ("de", "wenn es regnet mach den Rollladen zu, sonst lass ihn offen",
     ["mach den Rollladen zu | if", "lass ihn offen | unless"]),
    ("es", "apaga la radio, si no está mi tía", ["apaga la radio | if"]),
)  # fmt: skip


@pytest.mark.parametrize(("code", "text", "told"), REASONS)
def test_reason_neither_denies_nor_puts_off(code: str, text: str, told: list[str]) -> None:
    assert _commands(code, text) == told


# What is said of what a command removes, behind it; and what denies or takes back all the same.
NOT_NEEDED = (
    ("de", "Lösch die Notiz über die Reifen, die brauche ich nicht mehr",
     ["Lösch die Notiz über die Reifen"]),
    ("de", "Entferne Hefe von der Liste, die hat sich erledigt", ["Entferne Hefe von der Liste"]),
    ("en", "Delete the note about the tyres, it's no longer needed",
     ["Delete the note about the tyres"]),
    ("en", "Remove the reminder, it isn't needed any more, and turn off the lamp",
     ["Remove the reminder", "turn off the lamp"]),
    ("es", "Borra la nota de los neumáticos, ya no hace falta", ["Borra la nota de los neumáticos"]),
    ("es", "Bórrala, ya no la necesito", ["Bórrala"]),
    ("fr", "Supprime la note des pneus, elle ne sert plus à rien", ["Supprime la note des pneus"]),
    ("fr", "Efface le rappel, je n'en ai plus besoin", ["Efface le rappel"]),
    ("it", "Cancella la nota sulle gomme, ormai non serve più", ["Cancella la nota sulle gomme"]),
    ("it", "Eliminala, tanto non mi serve più", ["Eliminala"]),
    ("nl", "Verwijder de notitie over de banden, die heb ik niet meer nodig",
     ["Verwijder de notitie over de banden"]),
    ("pl", "Usuń notatkę o oponach, już nie jest potrzebna", ["Usuń notatkę o oponach"]),
    ("pl", "Skasuj przypomnienie, już go nie potrzebuję", ["Skasuj przypomnienie"]),
    ("es", "Enciende la lámpara, ya no hace falta", ["not Enciende la lámpara"]),
    ("it", "Accendi la lampada, no, non serve più", ["Accendi la lampada", "not più"]),
    ("it", "Cancella la nota, no, non serve più", ["Cancella la nota", "not più"]),
    ("it", "Cancella la nota, non accendere più la lampada",
     ["Cancella la nota", "not accendere più la lampada"]),
    ("de", "Lösch die Notiz, die Lampe brauche ich nicht mehr",
     ["Lösch die Notiz", "not die Lampe"]),
)  # fmt: skip


@pytest.mark.parametrize(("code", "text", "told"), NOT_NEEDED)
def test_what_is_removed_may_be_said_not_to_be_needed(
    code: str, text: str, told: list[str]
) -> None:
    assert _commands(code, text) == told


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Merk dir bitte, dass Jana keine Pilze essen darf"),
        ("de", "Denk dran, dass Jana nie Pilze isst"),
        ("de", "Schreib Jana, dass ich nicht komme"),
        ("en", "Remember that Jane never eats mushrooms"),
        ("en", "Tell Jane not to wait"),
        ("es", "Acuérdate de que Juana no come setas"),
        ("es", "Escríbele a Juana que no voy"),
        ("fr", "Souviens-toi que Jeanne ne mange pas de champignons"),
        ("fr", "Dis à Jeanne de ne pas attendre"),
        ("it", "Segnati che Gianna non mangia funghi"),
        ("it", "Dille di non aspettare"),
        ("nl", "Onthoud even dat Janne geen paddenstoelen mag"),
        ("nl", "App Janne dat ik niet kom"),
        ("pl", "Zapamiętaj, że Janka nie je grzybów"),
        ("pl", "Napisz Zosi, że nie przyjdę"),
    ],
)
def test_what_is_to_be_remembered_or_told_denies_nothing(code: str, text: str) -> None:
    [clause] = parse(Text(text, code), NAMES[code]).clauses
    assert clause.act is DialogueAct.COMMAND
    assert clause.has_recipient
    assert not clause.negated


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Sag Jana nicht, dass ich komme"),
        ("de", "Schreib Jana, dass ich komme, und mach die Lampe nicht an"),
        ("en", "Don't tell Jane that I'm coming"),
        ("en", "Tell Robbie not to start"),
        ("es", "No le escribas a Juana que voy"),
        ("fr", "Ne dis pas à Jeanne que je viens"),
        ("it", "Non scrivere a Gianna che vengo"),
        ("nl", "Onthoud niet dat ik kom"),
    ],
)
def test_what_is_not_to_be_told_or_done_is_denied(code: str, text: str) -> None:
    assert parse(Text(text, code), NAMES[code]).clauses[-1].negated


@pytest.mark.parametrize(
    ("code", "text", "acts"),
    [
        ("en", "don't speak for an hour so turn the radio off", "not command, command"),
        ("en", "what time is it, so turn on the lamp", "question, command"),
        ("en", "play some music and see whether it rains", "command, question"),
        ("nl", "speel wat muziek en kijk of het regent", "command, question"),
    ],
)
def test_a_prohibition_and_a_question_stay_what_they_are_beside_a_command(
    code: str, text: str, acts: str
) -> None:
    clauses = parse(Text(text, code), NAMES[code]).clauses
    assert ", ".join(f"{'not ' * each.negated}{each.act}" for each in clauses) == acts
