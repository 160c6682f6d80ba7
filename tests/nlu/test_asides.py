"""What is only told beside a command: it puts nothing off, denies nothing, and is none itself."""

import pytest

from custom_components.voice_gateway.nlu.clause import Clause, DialogueAct
from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.tokenizer import Text
from tests.rows import rows

from ..tables import table

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
TIMES: tuple[tuple[str, str, list[str]], ...] = table(__file__, "TIMES")


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
VALUES: tuple[tuple[str, str, list[str]], ...] = table(__file__, "VALUES")


@pytest.mark.parametrize(("code", "text", "told"), VALUES)
def test_corrected_value_takes_the_place_of_the_first(
    code: str, text: str, told: list[str]
) -> None:
    assert _commands(code, text) == told


# How far something goes is no moment, and a reason neither denies nor puts off.
REASONS: tuple[tuple[str, str, list[str]], ...] = table(__file__, "REASONS")


@pytest.mark.parametrize(("code", "text", "told"), REASONS)
def test_reason_neither_denies_nor_puts_off(code: str, text: str, told: list[str]) -> None:
    assert _commands(code, text) == told


# What is said of what a command removes, behind it; and what denies or takes back all the same.
NOT_NEEDED = table(__file__, "NOT_NEEDED")


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
