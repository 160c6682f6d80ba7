"""A verb of the lexicon is known in commands, states, questions and negations, by its entry alone."""

import pytest

from custom_components.voice_gateway.nlu.clause import DialogueAct
from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.tokenizer import Text


@pytest.mark.parametrize(
    ("code", "text", "act", "negated"),
    [
        ("en", "unplug the lamp", DialogueAct.COMMAND, False),
        ("en", "don't unplug the lamp", DialogueAct.COMMAND, True),
        ("en", "the lamp is unplugged", DialogueAct.STATEMENT, False),
        ("en", "has the lamp been unplugged?", DialogueAct.QUESTION, False),
        ("en", "I unplugged the lamp", DialogueAct.STATEMENT, False),
        ("de", "die Lampe ausstecken", DialogueAct.COMMAND, False),
        ("de", "steck die Lampe nicht aus", DialogueAct.COMMAND, True),
        ("de", "zieh den Stecker von der Lampe", DialogueAct.COMMAND, False),
        ("de", "ist die Lampe ausgesteckt?", DialogueAct.QUESTION, False),
    ],
)
def test_verb_of_lexicon_is_known(code: str, text: str, act: DialogueAct, negated: bool) -> None:
    (clause,) = parse(Text(text, code), ["lamp", "Lampe"]).clauses
    assert (clause.act, clause.negated) == (act, negated)
    assert clause.predicate.agrees("HassTurnOff", ("switch",)) is True
    assert clause.predicate.agrees("HassTurnOn", ("switch",)) is False
