"""Whether a command says the opposite of a call, in the seven languages, and never of the right one."""

from collections.abc import Sequence

import pytest

from custom_components.voice_gateway.nlu.predicates import Predicate
from custom_components.voice_gateway.nlu.tokenizer import Text
from tests.rows import rows

from ..tables import table


def opposes(text: Text, intent_type: str, domain: str, names: Sequence[str] = ()) -> bool:
    return Predicate.of(text).agrees(intent_type, (domain,), names) is False


LOCK, UNLOCK = "HassTurnOn", "HassTurnOff"
ON, OFF = "HassTurnOn", "HassTurnOff"
MUTE, UNMUTE = "HassMediaPlayerMute", "HassMediaPlayerUnmute"
RESUME, PAUSE = "HassMediaUnpause", "HassMediaPause"
START, DOCK = "HassVacuumStart", "HassVacuumReturnToBase"
# What is said, of what, and the right call and its opposite.
SAID = table(__file__, "SAID")
# What says neither, or both.
NEITHER = [
    ("en", "set the lamp to half", "light"),
    ("en", "turn on the fan in the room where the light is off", "fan"),
    ("en", "make it cosy", "light"),
    ("es", "pon el ventilador para la siesta", "fan"),
    ("de", "das Rollo auf der Terrasse runter", "cover"),
    # A mower that is sent out begins its work.
    ("en", "send the robot out", "lawn_mower"),
    ("nl", "stuur de robot erop uit", "vacuum"),
    ("sv", "stäng av lampan", "light"),
]


@rows(("code", "said", "domain", "right", "wrong"), SAID)
def test_only_the_opposite_is_contrary(
    code: str, said: str, domain: str, right: str, wrong: str
) -> None:
    assert opposes(Text(said, code), wrong, domain)
    assert not opposes(Text(said, code), right, domain)


@pytest.mark.parametrize(("code", "said", "domain"), NEITHER)
def test_what_is_not_said_is_contrary_to_nothing(code: str, said: str, domain: str) -> None:
    assert not opposes(Text(said, code), ON, domain)
    assert not opposes(Text(said, code), OFF, domain)


def test_words_of_a_name_say_nothing() -> None:
    assert opposes(Text("pause the start lamp", "en"), OFF, "light")
    assert not opposes(Text("pause the start lamp", "en"), OFF, "light", ["Start Lamp"])


def test_states_that_a_command_brings_about() -> None:
    assert Predicate.of(Text("turn everything off", "en")).states() == {"off"}
    assert Predicate.of(Text("demp de radio", "nl")).states() == {"muted"}
    assert Predicate.of(Text("make it cosy", "en")).states() == frozenset()
    # "Oben" is a place, and what is up is open.
    assert Predicate.of(Text("mach oben alles aus", "de")).states() == {"open", "off"}
    assert Predicate.of(Text("mach oben alles aus", "de")).states(["Oben"]) == {"off"}


@pytest.mark.parametrize(
    ("code", "said", "state"),
    [
        ("en", "mute the", "muted"),
        ("it", "rimanda alla base", "docked"),
        ("it", "togli l'audio al", "muted"),
        ("nl", "demp de", "muted"),
        ("de", "stumm", "muted"),
        ("en", "mute the and sing", ""),
        ("it", "rimanda alla base la lettera", ""),
        ("en", "the", ""),
    ],
)
def test_state_that_all_words_bring_about(code: str, said: str, state: str) -> None:
    said_of = Predicate.of(Text(said, code))
    assert said_of.is_whole is bool(state)
    assert not state or said_of.states() == {state}


def test_order_is_told_by_its_first_word() -> None:
    assert Predicate.of(Text("unbolt the back door", "en")).is_first
    assert not Predicate.of(Text("the lamp is off", "en")).is_first


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "lass den Robbie schon mal anfangen"),
        ("en", "let Robbie start"),
        ("es", "deja que Robbie empiece"),
        ("fr", "laisse Robbie commencer"),
        ("it", "fai cominciare Robbie"),
        ("nl", "laat Robbie vast beginnen"),
        ("pl", "niech Robbie zacznie"),
    ],
)
def test_what_is_let_begin_is_turned_on(code: str, text: str) -> None:
    assert "on" in Predicate.of(Text(text, code)).states(("Robbie",))
    assert not Predicate.of(Text(text.split(maxsplit=1)[0], code)).states(("Robbie",))


@pytest.mark.parametrize(
    ("code", "text", "opens"),
    [
        ("fr", "activer le garage", None),
        ("es", "desactivar el garaje", None),
        ("es", "desactivar la cerradura", True),
        ("fr", "désactive l'alarme", True),
        ("fr", "active l'alarme", False),
        ("en", "disengage the lock", True),
        ("en", "lock the open gate", None),
    ],
)
def test_to_arm_is_said_of_no_garage(code: str, text: str, opens: bool | None) -> None:
    assert Predicate.of(Text(text, code)).opens is opens
