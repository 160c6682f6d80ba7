"""Quantities: how much of what, and by how much more or less, in every language."""

import pytest

from custom_components.voice_gateway.nlu.numerals import Quantity
from custom_components.voice_gateway.nlu.tokenizer import Text

ROWS = [
    ("en", "turn down to a lower level of brightness", "brightness -1"),
    ("en", "set the brightness higher", "brightness +1"),
    ("en", "increase by 18 percent", "+1 18%"),
    ("en", "lower the temperature by three degrees", "temperature -1 3°"),
    ("en", "dim", "brightness -1"),
    ("en", "dim to 20 percent", "brightness 20%"),
    ("en", "dim by 20 percent", "brightness -1 20%"),
    ("en", "warmer, to 22", "temperature 22"),
    ("en", "slow down", "speed -1"),
    ("en", "turn the music volume up a little", "volume +1"),
    ("en", "speak softer", "volume -1"),
    ("en", "turn the music down", "volume -1"),
    ("fr", "baisse la musique", "volume -1"),
    ("es", "sube la música", "volume +1"),
    ("it", "abbassa la musica", "volume -1"),
    ("pl", "ścisz muzykę", "volume -1"),
    ("en", "turn the volume to the loudest setting", "volume 100%"),
    ("en", "i need some more", "+1"),
    ("de", "stell die Lautstärke auf das Maximum", "volume 100%"),
    ("fr", "mets le volume au maximum", "volume 100%"),
    ("es", "pon el volumen al máximo", "volume 100%"),
    ("it", "metti il volume al massimo", "volume 100%"),
    ("nl", "zet het volume op maximaal", "volume 100%"),
    ("pl", "ustaw głośność na maksimum", "volume 100%"),
    ("de", "mach ein bisschen heller", "brightness +1"),
    ("de", "erhöhen Sie die Lautstärke um zehn Prozent", "volume +1 10%"),
    ("de", "dreh auf", "+1"),
    ("fr", "un peu plus sombre", "brightness -1"),
    ("fr", "augmentez le volume", "volume +1"),
    ("fr", "monte de 5", "+1 5"),
    ("es", "aumentar el volumen", "volume +1"),
    ("es", "un poco más de brillo", "brightness +1"),
    ("it", "alza il volume di 10", "volume +1 10"),
    ("it", "più caldo", "temperature +1"),
    ("nl", "zet de temperatuur 2 graden hoger", "temperature +1 2°"),
    ("nl", "iets zachter", "volume -1"),
    ("pl", "zwiększ głośność", "volume +1"),
    ("pl", "trochę ciemniej", "brightness -1"),
    # Something else is said as well, or either way.
    ("en", "raise the temperature 22 degrees", ""),
    ("en", "buy more light", ""),
    ("en", "turn it up and down", ""),
    ("en", "louder and brighter", ""),
    ("en", "raise 5 or 6", ""),
    ("en", "set the brightness", ""),
    ("en", "dim to the maximum", ""),
    ("en", "decrease to the max", ""),
    ("de", "mach die Musik aus", ""),
    ("xx", "brighter", ""),
]


@pytest.mark.parametrize(("code", "said", "told"), ROWS)
def test_quantity_is_all_that_a_text_says(code: str, said: str, told: str) -> None:
    found = Quantity.of(Text(said, code))
    if found is None:
        assert told == ""
        return
    way = f"{found.way:+d}" if found.way else ""
    much = "" if found.amount is None else f"{found.amount:g}{found.unit}"
    assert " ".join(filter(None, (found.name, way, much))) == told
