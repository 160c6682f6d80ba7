"""Where one command of a sentence ends and the next one begins."""

import pytest

from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.tokenizer import Text

from ..tables import table


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    table(__file__, "test_what_is_to_be_read_is_a_command_of_its_own"),
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
    table(__file__, "test_command_behind_what_is_to_be_looked_up"),
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
