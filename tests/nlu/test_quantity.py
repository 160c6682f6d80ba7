"""Quantities: how much of what, and by how much more or less, in every language."""

import pytest

from custom_components.voice_gateway.nlu.numerals import Quantity
from custom_components.voice_gateway.nlu.tokenizer import Text

from ..tables import table

ROWS = table(__file__, "ROWS")


@pytest.mark.parametrize(("code", "said", "told"), ROWS)
def test_quantity_is_all_that_a_text_says(code: str, said: str, told: str) -> None:
    found = Quantity.of(Text(said, code))
    if found is None:
        assert told == ""
        return
    way = f"{found.way:+d}" if found.way else ""
    much = "" if found.amount is None else f"{found.amount:g}{found.unit}"
    assert " ".join(filter(None, (found.name, way, much))) == told
