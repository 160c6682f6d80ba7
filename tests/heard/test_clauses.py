"""Where one command of a sentence ends and the next one begins."""

import pytest

from custom_components.voice_gateway.heard.moment import read


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
    assert [each.text for each in read(text, code, ()).clauses] == parts


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
    assert " ".join(each.mood for each in read(text, "en", ()).clauses) == moods


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
    assert " ".join(each.mood for each in read(text, code, ()).clauses) == moods
