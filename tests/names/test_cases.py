"""Words in another case, and words that are others."""

import pytest

from custom_components.voice_gateway.names.inflection import is_case_of
from custom_components.voice_gateway.names.matching import words

FORMS = [
    ("pl", "pracownia", "pracowni pracownię pracownią"),
    ("pl", "altanka", "altance altankę altanką altanko"),
    ("pl", "weranda", "werandzie werandę"),
    ("pl", "komora", "komorze"),
    ("pl", "gabinet", "gabinetu gabinetowi gabinetem gabinecie"),
    ("pl", "garaż", "garażu garażem"),
    ("pl", "sprawunki", "sprawunków sprawunkom sprawunkach sprawunkami"),
    ("pl", "mieszkanie", "mieszkania mieszkaniu mieszkaniem"),
    ("pl", "mała", "małej małą"),
    ("de", "fenster", "fensters"),
    ("de", "bad", "bades bads"),
    ("de", "großer", "großen großem"),
    ("de", "kleines", "kleinen kleinem"),
    ("nl", "klein", "kleine"),
]
# Plurals, other words, and what is too short to be told.
OTHERS = [
    ("pl", "altanka", "altanek altankach altany"),
    ("pl", "salon", "salonik salony salonach"),
    ("pl", "dom", "dach"),
    ("pl", "ul", "ula"),
    ("de", "girlande", "girlanden"),
    ("de", "bad", "bader"),
    ("de", "ei", "eis"),
    ("nl", "lamp", "lampen"),
    ("en", "lamp", "lamps"),
    ("fr", "lampe", "lampes"),
    ("es", "sala", "salas"),
    ("it", "camera", "camere"),
    ("xx", "lampa", "lampę"),
]


@pytest.mark.parametrize(("code", "name", "forms"), FORMS)
def test_a_word_in_another_case_is_the_same(code: str, name: str, forms: str) -> None:
    (own,) = words(name)
    assert [each for each in words(forms) if not is_case_of(each, own, code)] == []


@pytest.mark.parametrize(("code", "name", "others"), OTHERS)
def test_a_plural_or_another_word_is_not(code: str, name: str, others: str) -> None:
    (own,) = words(name)
    assert [each for each in words(others) if is_case_of(each, own, code)] == []
