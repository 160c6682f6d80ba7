"""Numbers as models write them."""

from homeassistant.core import HomeAssistant
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM
import pytest

from custom_components.voice_gateway.nlu.numerals import Quantity, async_to_number
from custom_components.voice_gateway.nlu.tokenizer import Text
from tests.rows import rows

from ..tables import table


@rows(
    ("text", "language", "number"),
    table(__file__, "test_what_is_certainly_a_number_becomes_one"),
)
async def test_what_is_certainly_a_number_becomes_one(
    hass: HomeAssistant, text: str, language: str, number: float | None
) -> None:
    assert await async_to_number(hass, text, language) == number


async def test_unit_has_to_be_the_homes(hass: HomeAssistant) -> None:
    hass.config.units = US_CUSTOMARY_SYSTEM
    assert await async_to_number(hass, "70 °F", "en") == 70
    assert await async_to_number(hass, "21 °C", "en") is None


def test_numbers_of_a_sentence_are_in_digits_or_in_words() -> None:
    assert Text("dim it to thirty percent", "en").numbers == {30}
    assert Text("auf 22,5 Grad", "de").numbers == {22.5}
    assert Text("przyciemnij do 40%", "pl").numbers == {40}
    assert not Text("dim it", "en").numbers


@pytest.mark.parametrize(
    ("language", "said", "number"),
    [
        ("fr", "mets le volet à 30 pour cent", 30),
        ("fr", "mets le volet à cent pour cent", 100),
        ("es", "pon la persiana al treinta por ciento", 30),
        ("es", "pon la persiana al cien por cien", 100),
        ("it", "metti la tapparella al trenta per cento", 30),
        ("de", "stell das Rollo auf dreißig Prozent", 30),
    ],
)
def test_a_word_for_percent_is_no_number(language: str, said: str, number: int) -> None:
    assert Text(said, language).numbers == {number}


@pytest.mark.parametrize(
    ("language", "said", "ways"),
    [
        ("en", "make it 2 degrees warmer", [1]),
        ("en", "turn the heating down by two", [-1]),
        ("en", "change it by ten", [1, -1]),
        ("en", "turn the heating up to twenty-two", []),
        ("en", "blinds fifty percent", []),
        ("de", "zwei Grad wärmer", [1]),
        ("de", "dimm die Lampe um zwanzig Prozent", [-1]),
        ("de", "die Lampe auf maximum dimmen", []),
        ("de", "die Jalousie auf 50 Prozent runter", []),
        ("fr", "monte le chauffage de deux degrés", [1]),
        ("fr", "deux degrés de moins", [-1]),
        ("fr", "deux degrés moins froid", [1]),
        ("fr", "monte le chauffage à vingt degrés", []),
        ("nl", "met twintig procent omhoog", [1]),
        ("nl", "zet de lamp op 40 procent", []),
        ("es", "sube la calefacción dos grados", [1]),
        ("es", "dos grados más frío", [-1]),
        ("es", "sube la calefacción a 21 grados", []),
        ("it", "abbassala di due gradi", [-1]),
        ("it", "alza il riscaldamento a 21 gradi", []),
        ("pl", "podnieś temperaturę o dwa stopnie", [1]),
        ("pl", "podnieś temperaturę do 21 stopni", []),
    ],
)
def test_a_number_is_how_much_or_by_how_much_and_which_way(
    language: str, said: str, ways: list[int]
) -> None:
    assert [*Quantity.directions(Text(said, language))] == ways
