"""Where one command of a sentence ends and the next one begins."""

import pytest

from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.tokenizer import Text


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        ("de", "Mach die Lampe aus und lies meine Mails",
         ["Mach die Lampe aus", "lies meine Mails"]),
        ("de", "Stell die Heizung auf 19 Grad und fass mir die Nachrichten zusammen",
         ["Stell die Heizung auf 19 Grad", "fass mir die Nachrichten zusammen"]),
        ("en", "turn off the lamp and read me my mail", ["turn off the lamp", "read me my mail"]),
        ("es", "apaga la lámpara y léeme el correo", ["apaga la lámpara", "léeme el correo"]),
        ("fr", "éteins la lampe et lis-moi le message de Marc",
         ["éteins la lampe", "lis-moi le message de Marc"]),
        ("it", "spegni la lampada e leggimi le mail", ["spegni la lampada", "leggimi le mail"]),
        ("nl", "doe de lamp uit en lees mijn mail", ["doe de lamp uit", "lees mijn mail"]),
        ("pl", "wyłącz lampę i przeczytaj moją pocztę",
         ["wyłącz lampę", "przeczytaj moją pocztę"]),
    ],
)  # fmt: skip
def test_what_is_to_be_read_is_a_command_of_its_own(code: str, text: str, parts: list[str]) -> None:
    assert [each.text for each in parse(Text(text, code), ()).clauses] == parts


@pytest.mark.parametrize(
    ("text", "moods"),
    [
        ("Look up how long noodles take and set a timer for nine minutes", "question command"),
        ("See how the stocks are doing and open the blinds", "question command"),
        ("Look up how tall the tower is and turn on the lamp", "question command"),
        ("Have the Roborock clean downstairs", "command"),
        ("Have the kids cleaned the kitchen", "question"),
    ],
)
def test_what_is_to_be_looked_up_asks_and_the_next_part_commands(text: str, moods: str) -> None:
    assert " ".join(each.act for each in parse(Text(text, "en"), ()).clauses) == moods


@pytest.mark.parametrize(
    ("code", "text", "moods"),
    [
        ("de", "Das Tor steht noch offen, mach es zu", "statement command"),
        ("en", "Somebody left the gate open, close it", "statement command"),
        ("es", "Nos hemos dejado la ventana abierta, ciérrala", "statement command"),
        ("es", "El horno sigue encendido, vuélvelo a apagar", "statement command"),
        ("es", "La puerta está bloqueada, desbloquéala", "statement command"),
        ("fr", "Le portail est resté ouvert, referme-le", "statement command"),
        ("fr", "Tu as baissé le volet, remonte-le", "statement command"),
        ("it", "Hanno lasciato aperta la finestra, richiudila", "statement command"),
        ("it", "Abbiamo spento la lampada, riaccendila", "statement command"),
        ("nl", "Iemand heeft de poort open laten staan, doe hem dicht", "statement command"),
        ("pl", "Brama jest jeszcze otwarta, domknij ją", "statement command"),
        # What happens by itself, or was done, is only told.
        ("es", "Nos hemos dejado la ventana abierta", "statement"),
        ("fr", "Le portail se referme", "statement"),
        ("fr", "J'ai refermé le portail", "statement"),
        ("it", "La finestra si richiude", "statement"),
        ("it", "Ho richiuso la finestra", "statement"),
    ],
)  # fmt: skip
def test_command_with_a_pronoun_follows_what_is_told(code: str, text: str, moods: str) -> None:
    assert " ".join(each.act for each in parse(Text(text, code), ()).clauses) == moods


@pytest.mark.parametrize(
    ("code", "text", "moods"),
    [
        ("de", "Guck in den Brief, welche Heizungen an sollen, und schalte sie ein", "question command"),
        ("de", "Schau nach, welche Fenster offen sind, und die mach bitte zu", "question command"),
        ("de", "Schau nach, wer gestern gewonnen hat, und starte inzwischen den Sauger", "question command"),
        ("en", "Check in my mail which plugs are to go off and switch them off", "question command"),
        ("en", "See which windows are open and shut them", "question command"),
        ("en", "Look up who won the cup, and meanwhile start the mower", "question command"),
        ("en", "Find out how much water is in the tank and start the pump", "question command"),
        ("es", "Mira qué dice la carta del banco y envíasela a Clara", "question command"),
        ("es", "Mira qué tiempo da para mañana y pon el ventilador", "question command"),
        ("es", "Busca cuándo juega el Betis, y mientras tanto enciende la radio", "question command"),
        ("fr", "Regarde dans le mail quels volets il faut et ferme-les", "question command"),
        ("fr", "Cherche qui a gagné le tour, et pendant ce temps lance la tondeuse", "question command"),
        ("it", "Cerca chi ha vinto il giro, e intanto avvia il tagliaerba", "question command"),
        ("it", "Guarda cosa c'è nella lettera di Carla e inoltrala a Paolo", "question command"),
        ("nl", "Kijk in de mail welke rolluiken dicht moeten en doe ze dicht", "question command"),
        ("nl", "Zoek op wie er gewonnen heeft en start ondertussen de maaier", "question command"),
        ("nl", "Wat schrijft de garage? App het even naar Sanne", "question command"),
        ("pl", "Sprawdź w mailu od Ewy, które rolety zasłonić, i je zasłoń", "question command"),
        ("pl", "Zobacz, które okna są otwarte, i zamknij je", "question command"),
        # What is joined may be asked as well, or is what somebody else does, or says.
        ("de", "Welche Fenster sind offen und ist die Tür zu", "question"),
        ("de", "Soll ich die Fenster zumachen und dann die Heizung anmachen", "question"),
        ("en", "Which windows are open and is the heater on", "question question"),
        ("en", "See how to open the window and close it", "question question"),
        ("en", "Check when we leave and lock the door", "question question"),
        ("en", "See which lamps turn on at night and turn off the radio", "question question"),
        ("en", "Anna says look up who won and turn off the radio", "statement statement"),
        ("it", "Che cosa fa il sensore e accendi la radio", "question question"),
        ("pl", "Sprawdź, jak otworzyć okno i je zamknąć", "question"),
    ],
)  # fmt: skip
def test_command_behind_what_is_to_be_looked_up(code: str, text: str, moods: str) -> None:
    found = [each.act for each in parse(Text(text, code), ()).clauses]
    if {*moods.split()} == {"question"}:
        assert {*found} == {"question"}
    else:
        assert " ".join(found) == moods


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Mach in der Zwischenzeit die Lampe an"),
        ("en", "Turn on the lamp and in the meantime close the blind"),
        ("es", "Mientras tanto enciende la lámpara"),
        ("fr", "En attendant allume la lampe"),
        ("it", "Nel frattempo accendi la lampada"),
        ("nl", "Doe ondertussen de lamp aan"),
        ("pl", "W międzyczasie włącz lampę"),
    ],
)
def test_meanwhile_is_now(code: str, text: str) -> None:
    said = parse(Text(text, code), ())
    assert said.act == "command"
    assert said.is_immediate


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        ("de", "Lass Robbie anfangen und such das Rezept", ["Lass Robbie anfangen", "such das Rezept"]),
        ("en", "turn on the lamp and look up the news", ["turn on the lamp", "look up the news"]),
        ("es", "enciende la lámpara y busca una receta", ["enciende la lámpara", "busca una receta"]),
        ("fr", "allume la lampe et cherche une recette", ["allume la lampe", "cherche une recette"]),
        ("it", "accendi la lampada e cerca una ricetta", ["accendi la lampada", "cerca una ricetta"]),
        ("nl", "laat Robbie beginnen en zoek het nieuws op", ["laat Robbie beginnen", "zoek het nieuws op"]),
        ("pl", "niech Robbie zacznie i sprawdź pogodę", ["niech Robbie zacznie", "sprawdź pogodę"]),
        # It is a part of the condition.
        ("en", "if I go out and check the mail, turn off the lamp", ["turn off the lamp"]),
    ],
)  # fmt: skip
def test_what_is_to_be_looked_for_is_a_command_of_its_own(
    code: str, text: str, parts: list[str]
) -> None:
    assert [each.text for each in parse(Text(text, code), ("Robbie",)).clauses] == parts
