"""Quantities as calls."""

import pytest

from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.turn.adjust import halved


@pytest.mark.parametrize(
    ("code", "rest", "is_half"),
    [
        ("en", "open halfway", True),
        ("de", "mach halb zu", True),
        ("fr", "ferme à moitié", True),
        ("es", "baja a la mitad", True),
        ("it", "chiudi a metà", True),
        ("nl", "doe half dicht", True),
        ("en", "open", False),
        ("en", "open halfway tomorrow", False),
    ],
)
def test_half(code: str, rest: str, is_half: bool) -> None:
    assert (halved(Text(rest, code), "cover") is not None) is is_half
    assert halved(Text(rest, code), "light") is None
