"""Forms of a word are told from two words that begin alike."""

import pytest

from custom_components.voice_gateway.names.inflection import is_alike, is_negation
from custom_components.voice_gateway.names.matching import nearest_word, words
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.tools.policy.risk import contains_name

FORMS = [
    ("lights", "light"), ("light", "lighting"), ("summarise", "summary"), ("heating", "heatings"),
    ("Regenrinne", "Regenrinnen"), ("Zahnarzt", "Zahnarztes"), ("Tomate", "Tomaten"),
    ("courgette", "courgettes"), ("poivron", "poivrons"), ("acheter", "achetons"),
    ("rinçage", "rinçages"), ("bombilla", "bombillas"), ("zucchina", "zucchine"),
    ("lampada", "lampade"), ("dakgoot", "dakgoten"), ("drukarka", "drukarce"),
    ("książka", "książek"), ("światła", "świateł"), ("zmywarka", "zmywarki"), ("kurtyna", "kurtynę"),
]  # fmt: skip
OTHERS = [
    ("courses", "courgettes"), ("internet", "interest"), ("contract", "controller"),
    ("light", "lightings"), ("house", "hours"), ("locksmith", "lock"), ("shopping", "shopkeeper"),
    ("Fensterladen", "Fensterbank"), ("Waschmaschine", "Waschmittel"), ("Gartentor", "Gartenstuhl"),
    ("Regenrinne", "Regenschirm"), ("poisson", "poissonnerie"), ("comptable", "compteur"),
    ("limone", "limpido"), ("camara", "camino"), ("boterham", "boterkoek"), ("lodówka", "lodowisko"),
    ("oat", "oats"), ("", "light"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), FORMS)
def test_forms_of_a_word_are_alike(one: str, other: str) -> None:
    (plain,), (another,) = words(one), words(other)
    assert is_alike(plain, another)
    assert is_alike(another, plain)
    assert contains_name(Text(f"Hm, {one}", "en"), other, whole=True)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_words_that_only_begin_alike_are_two(one: str, other: str) -> None:
    plain, another = "".join(words(one)), "".join(words(other))
    assert not is_alike(plain, another)
    assert not is_alike(another, plain)


def test_a_thing_is_not_said_by_a_word_that_begins_like_it() -> None:
    assert not contains_name(
        Text("Mets tout sur la liste de courses", "fr"), "Courgettes", whole=True
    )
    assert not contains_name(Text("Put it on the shopping list", "en"), "Shopkeeper", whole=True)
    assert contains_name(Text("Kup drukarkę", "pl"), "Drukarka", whole=True)


@pytest.mark.parametrize(
    ("plain", "another"),
    [
        *(("arm", "disarm"), ("lock", "unlock"), ("activate", "deactivate")),
        *(("humidifier", "dehumidifier"), ("luftbefeuchter", "luftentfeuchter")),
        *(("luchtbevochtiger", "luchtontvochtiger"), ("humidificador", "deshumidificador")),
    ],
)
def test_prefix_makes_a_word_its_opposite(plain: str, another: str) -> None:
    assert is_negation(plain, another)
    assert is_negation(another, plain)
    assert nearest_word(plain, [another]) == plain
    assert nearest_word(another, [plain]) == another


@pytest.mark.parametrize(
    ("plain", "another"), [("light", "light"), ("light", "lights"), ("in", "un"), ("main", "man")]
)
def test_other_letters_make_no_opposite(plain: str, another: str) -> None:
    assert not is_negation(plain, another)
