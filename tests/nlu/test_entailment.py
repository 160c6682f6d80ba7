"""Whether a command says that something is to be on or off, out or in."""

import pytest

from custom_components.voice_gateway.nlu.predicates import Predicate
from custom_components.voice_gateway.nlu.tokenizer import Text

ON, OFF = "HassTurnOn", "HassTurnOff"


@pytest.mark.parametrize(
    ("code", "command", "domain", "intent_type"),
    [
        ("de", "ausgehen", "light", OFF),
        ("de", "losfahren", "vacuum", ON),
        ("de", "zufahren", "cover", OFF),
        ("fr", "éteinte", "light", OFF),
        ("it", "accesa", "light", ON),
        ("en", "brighter", "light", ""),
        ("en", "send out", "lawn_mower", ""),
        ("en", "switch off", "lawn_mower", OFF),
        ("en", "out", "light", OFF),
        ("nl", "erop uit", "vacuum", ""),
    ],
)
def test_command_says_what_is_to_be(code: str, command: str, domain: str, intent_type: str) -> None:
    agrees = Predicate.of(Text(command, code)).agrees(ON, (domain,))
    assert {True: ON, False: OFF, None: ""}[agrees] == intent_type


@pytest.mark.parametrize(
    ("code", "command", "intent_type"),
    [
        ("en", "retract", OFF),
        ("en", "roll out", ON),
        ("de", "fahr ein", OFF),
        ("de", "ausfahren", ON),
        ("fr", "déplie", ON),
        ("es", "recoge", OFF),
        ("it", "ritira", OFF),
        ("nl", "rol uit", ON),
        ("pl", "zwiń", OFF),
        ("de", "schalt ein", ""),
    ],
)
def test_awning_is_drawn_in_or_out(code: str, command: str, intent_type: str) -> None:
    assert Predicate.of(Text(command, code)).awning_intent == intent_type
