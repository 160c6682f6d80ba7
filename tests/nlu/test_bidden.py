"""What somebody is told to do is a command by its first word, also beside a question."""

import pytest

from custom_components.voice_gateway.nlu.clause import DialogueAct
from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.tokenizer import Text

NAMES = ("Lamp", "Lampe", "Lámpara", "Lampada", "Lampa", "Blind")
ORDER, ASKS, TELLS = DialogueAct.COMMAND, DialogueAct.QUESTION, DialogueAct.STATEMENT


@pytest.mark.parametrize(
    ("language", "text", "moods"),
    [
        ("en", "skim the bank's letter and text that to Ida", [ORDER, ORDER]),
        ("en", "dig out our pancake recipe, and put it all on the list", [ORDER, ORDER]),
        ("de", "kram das Rezept raus und wirf alles auf die Liste", [ORDER, ORDER]),
        ("de", "hol den Brief und leg ihn ab", [ORDER, ORDER]),
        ("fr", "trouve-moi une recette avec ce qu'il y a dans le frigo", [ORDER]),
        ("fr", "jette un œil au courrier et préviens Ida", [ORDER, ORDER]),
        ("es", "échale un ojo al correo y mándaselo a Ida", [ORDER, ORDER]),
        ("es", "bórrame el mensaje ese, que eso es mentira", [ORDER]),
        ("it", "da' un'occhiata alla posta e rispondile", [ORDER, ORDER]),
        ("it", "cercami la ricetta della nonna", [ORDER]),
        ("nl", "gooi die folder maar weg", [ORDER]),
        ("pl", "zajrzyj do przepisu i wrzuć to na listę", [ORDER, ORDER]),
        ("pl", "wywal ten list", [ORDER]),
        # The same words as things, and what somebody else does.
        ("de", "Post ist da", [TELLS]),
        ("en", "the post is here", [TELLS]),
        ("en", "they skim the letter and text Ida", [DialogueAct.UNKNOWN]),
        ("fr", "il cherche une recette", [DialogueAct.UNKNOWN]),
        ("es", "¿busca una receta?", [ASKS]),
    ],
)
def test_what_is_bidden_is_a_command(language: str, text: str, moods: list[DialogueAct]) -> None:
    assert [each.act for each in parse(Text(text, language), NAMES).clauses] == moods


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn the lamp off, and what does the letter say?"),
        ("en", "lower the blind and how cold is it outside"),
        ("de", "mach die Lampe an, und was schreibt Ida?"),
        ("fr", "éteins la lampe, et qu'est-ce que Léa a écrit ?"),
        ("es", "apaga la lámpara, ¿y qué pone en la carta?"),
        ("it", "spegni la lampada e che dice la lettera?"),
        ("nl", "doe de lamp uit, en wat schrijft Ida?"),
        ("pl", "wyłącz lampę, a co pisze Ida?"),
    ],
)
def test_a_question_behind_a_command_is_one_of_its_own(language: str, text: str) -> None:
    said = parse(Text(text, language), NAMES)
    assert [each.act for each in said.clauses] == [ORDER, ASKS]
    assert said.act is ORDER


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "tell me who rang and what they wanted"),
        ("en", "find out when it rains and how cold it is"),
        ("de", "sag mir, wer da war und was er wollte"),
        ("en", "which lamps are on and what is open?"),
    ],
)
def test_two_questions_are_no_command(language: str, text: str) -> None:
    assert parse(Text(text, language), NAMES).act is ASKS


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "lower the blind, and after that tell me the scores"),
        ("de", "senk die Lampe, und danach such mir das Rezept"),
        ("fr", "baisse le store, et après dis-moi les titres"),
        ("es", "baja la lámpara, y después dime los titulares"),
        ("it", "abbassa la lampada, e dopo dimmi i titoli"),
        ("nl", "dim de lamp, en daarna lees de krant"),
        ("pl", "ścisz lampę, a potem przeczytaj list"),
    ],
)
def test_what_comes_next_puts_nothing_off(language: str, text: str) -> None:
    clauses = parse(Text(text, language), NAMES).clauses
    assert [bool(each.times) for each in clauses] == [False, False]


def test_after_what_happens_is_another_moment() -> None:
    assert parse(Text("baisse le store après le film", "fr"), NAMES).clauses[0].times


@pytest.mark.parametrize(
    ("language", "text", "is_now"),
    [
        ("en", "turn off what is on my note for tonight", True),
        ("de", "mach aus, was auf dem Zettel für heute Abend steht", True),
        ("es", "enciende lo que hay en la nota de por la mañana", True),
        ("it", "spegni quello che c'è nell'appunto di prima di cena", True),
        # How long, when, and without a word that tells which.
        ("en", "turn on what is on my note for ten minutes", False),
        ("en", "turn on what is on my note tonight", False),
        ("en", "turn on the lamp for tonight's guests at eight", False),
    ],
)
def test_a_moment_may_tell_one_note_from_another(language: str, text: str, is_now: bool) -> None:
    (clause,) = parse(Text(text, language), NAMES).clauses
    assert (not clause.times) is is_now


def test_what_begins_as_a_question_may_order() -> None:
    assert parse(Text("pasa la lista a Ida", "es"), NAMES).act is ORDER
    assert parse(Text("¿pasa la lista a Ida?", "es"), NAMES).act is ASKS
    assert parse(Text("pasa algo", "es"), NAMES).act is not ORDER


@pytest.mark.parametrize(
    ("language", "text", "moods"),
    [
        ("es", "busca cuánto hierven los huevos y ponme un temporizador", [ASKS, ORDER]),
        ("it", "cerca quanto cuociono le uova e mettimi un timer", [ASKS, ORDER]),
        ("fr", "cherche combien de temps cuisent les œufs et mets-moi un minuteur", [ASKS, ORDER]),
        ("de", "schau nach, wie lange Eier kochen und stell einen Timer", [ASKS, ORDER]),
        ("pl", "sprawdź, jak długo gotować jajka i nastaw minutnik", [ASKS, ORDER]),
        # It may go on with what is asked.
        ("en", "find out how to open the blind and close it", [ASKS, ASKS]),
        ("de", "wie mache ich die Lampe an und aus", [ASKS]),
    ],
)
def test_what_can_only_order_is_none_of_a_question(
    language: str, text: str, moods: list[DialogueAct]
) -> None:
    assert [each.act for each in parse(Text(text, language), NAMES).clauses] == moods


def test_what_is_not_to_happen_is_why() -> None:
    said = parse(Text("set the blind to 20 so the cats don't get out", "en"), NAMES)
    assert [each.negated for each in said.clauses] == [False]
