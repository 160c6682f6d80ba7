"""A PIN is hidden in whatever sentence, and in whatever form."""

import pytest

from custom_components.voice_gateway.nlu.spoken_pin import hide_pin
from custom_components.voice_gateway.nlu.tokenizer import Text


@pytest.mark.parametrize(
    ("language", "said", "kept"),
    [
        ("en", "Unlock the front door, the PIN is 2580", "Unlock the front door, the PIN is ***"),
        ("en", "My PIN is two five eight zero, open up", "My PIN is ***, open up"),
        ("en", "the code is 2 5 8 0", "the code is ***"),
        ("en", "PIN2580, or was it 12580?", "PIN***, or was it 12580?"),
        ("en", "open, two five and eight oh please", "open, *** please"),
        ("en", "two thousand five hundred and eighty, open", "***, open"),
        ("de", "Schließ auf, PIN zwei fünf acht null!", "Schließ auf, PIN ***!"),
        ("de", "fünfundzwanzig, dann achtzig", "***"),
        ("de", "Code zweitausendfünfhundertachtzig", "Code ***"),
        ("fr", "ouvre, code deux cinq huit zéro", "ouvre, code ***"),
        ("fr", "vingt-cinq puis quatre-vingts", "***"),
        ("uk", "код два п'ять вісім нуль", "код ***"),
        ("ja", "暗証番号は２５８０です", "暗証番号は***です"),
        ("ja", "二五八零で開けて", "***で開けて"),
        ("ar", "الرمز هو ٢٥٨٠", "الرمز هو ***"),
        ("th", "สองห้าแปดศูนย์", "***"),
        ("nb", "koden er to fem åtte null", "koden er ***"),
        ("xx", "two five eight zero", "***"),
        ("en", "set it to 25 degrees at 8", "set it to 25 degrees at 8"),
        ("en", "25 lamps, 7 rooms and 80 doors", "25 lamps, 7 rooms and 80 doors"),
        ("en", "2 58 rooms", "2 58 rooms"),
    ],
)
def test_pin_in_a_sentence_is_hidden_and_nothing_else(language: str, said: str, kept: str) -> None:
    assert hide_pin(Text(said, language), language, "2580", "***") == kept
