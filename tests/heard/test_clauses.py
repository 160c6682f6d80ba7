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
