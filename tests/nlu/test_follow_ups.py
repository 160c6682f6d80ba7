"""What sentences want of what was just done, in every language."""

import pytest

from custom_components.voice_gateway.nlu.anaphora import Anaphora
from custom_components.voice_gateway.nlu.follow_ups import FollowUpParser
from custom_components.voice_gateway.nlu.parser import load
from custom_components.voice_gateway.nlu.tokenizer import Text

ROWS = {
    "en": [
        ("undo that", "undo"), ("please undo that", "undo"), ("could you undo that please", "undo"), ("undo", "undo"),
        ("revert that", "undo"), ("put it back how it was", "undo"), ("put everything back", "undo"), ("take that back", "undo"),
        ("say that again", "say_again"), ("what did you say?", "say_again"), ("what did you do?", "told"),
        ("never mind", "nothing"), ("no thanks", "nothing"), ("thanks", "thanks"), ("great, thank you", "thanks"),
        ("stop", "stop"), ("stop it", "stop"), ("and the other one", "other"), ("the other one too", "other"),
        ("and the other lamp", "other: lamp"), ("the rest too", "others"),
        ("no, the kitchen", "instead: the kitchen"), ("no the kitchen", "instead: the kitchen"),
        ("no, i meant the kitchen light", "instead: the kitchen light"), ("the kitchen instead", "instead: the kitchen"),
        ("same in the bedroom", "also: in the bedroom"), ("do the same in the bedroom", "also: in the bedroom"),
        ("the bedroom too", "also: the bedroom"), ("and the bedroom", "also: the bedroom"),
        ("now the bedroom as well please", "also: the bedroom"), ("also the bedroom", "also: the bedroom"),
        ("now the bedroom", "also: the bedroom"), ("and the bedroom, please", "also: the bedroom"),
        ("a bit brighter", "step: brightness 1"), ("make it a bit warmer", "step: temperature 1"), ("even louder", "step: volume 1"), ("dim it a little", "step: brightness -1"),
        ("turn it down a bit", "step:  -1"), ("a little more", "step:  1"),
        # Nothing of it.
        ("turn on the light", ""), ("turn it back off", ""), ("no", ""), ("undo the top button", ""), ("stop the vacuum", ""),
        ("thank the postman", ""), ("what did you do yesterday", ""), ("make the light brighter", ""), ("", ""),
    ],
    "de": [
        ("mach das rückgängig", "undo"), ("bitte mach das wieder rückgängig", "undo"), ("mach das bitte rückgängig", "undo"),
        ("rückgängig", "undo"), ("mach es wieder wie vorher", "undo"), ("sag das noch mal", "say_again"), ("was hast du gemacht?", "told"),
        ("lass gut sein", "nothing"), ("vielen Dank", "thanks"), ("stopp", "stop"), ("halt an", ""), ("und die andere", "other"),
        ("und die andere Lampe auch", "other: Lampe"), ("nein, die Küche", "instead: die Küche"), ("nein im Bad", "instead: im Bad"),
        ("das Gleiche im Schlafzimmer", "also: im Schlafzimmer"), ("im Schlafzimmer auch", "also: im Schlafzimmer"),
        ("und jetzt noch das Bad", "also: das Bad"), ("jetzt auch das Bad", "also: das Bad"), ("das Bad bitte auch", "also: das Bad"),
        ("etwas heller", "step: brightness 1"), ("mach es ein bisschen wärmer", "step: temperature 1"), ("noch lauter", "step: volume 1"), ("schalte das Licht an", ""), ("nicht die Lampe", ""),
        ("nicht die, sondern die Lampe", "instead: die Lampe"), ("nein, nicht da, im Bad", "instead: im Bad"),
    ],
    "fr": [
        ("annule ça", "undo"), ("remets-le comme avant", "undo"), ("remets tout comme c'était", "undo"), ("répète", "say_again"),
        ("qu'est-ce que tu as fait ?", "told"), ("non merci", "nothing"), ("merci beaucoup", "thanks"), ("stop", "stop"),
        ("et l'autre", "other"), ("l'autre lampe aussi", "other: lampe"), ("non, la cuisine", "instead: la cuisine"),
        ("la même chose dans la chambre", "also: dans la chambre"), ("la chambre aussi", "also: la chambre"),
        ("maintenant aussi la chambre", "also: la chambre"), ("et maintenant la chambre", "also: la chambre"),
        ("un peu plus clair", "step: brightness 1"), ("plus fort", "step: volume 1"), ("un peu moins", "step:  -1"), ("allume la lumière", ""),
    ],
    "es": [
        ("deshaz eso", "undo"), ("deshazlo", "undo"), ("déjalo como estaba", "undo"), ("repite eso", "say_again"),
        ("¿qué has hecho?", "told"), ("déjalo", "nothing"), ("gracias", "thanks"), ("para", "stop"), ("y la otra", "other"),
        ("la otra lámpara también", "other: lámpara"), ("no, la cocina", "instead: la cocina"),
        ("lo mismo en el dormitorio", "also: en el dormitorio"), ("el dormitorio también", "also: el dormitorio"),
        ("un poco más brillante", "step: brightness 1"), ("más alto", "step:  1"), ("enciende la luz", ""), ("no la lámpara", ""),
        ("esa no, la lámpara", "instead: la lámpara"),
    ],
    "it": [
        ("annulla tutto", "undo"), ("rimettilo com'era", "undo"), ("ripeti", "say_again"), ("cosa hai fatto?", "told"),
        ("lascia perdere", "nothing"), ("grazie mille", "thanks"), ("fermati", "stop"), ("e l'altro", "other"),
        ("anche l'altra lampada", "other: lampada"), ("no, la cucina", "instead: la cucina"), ("lo stesso in camera", "also: in camera"),
        ("anche la camera", "also: la camera"), ("un po' più luminoso", "step: brightness 1"), ("più forte", "step:  1"), ("accendi la luce", ""), ("non quella lampada", ""),
        ("non quella, ma la lampada", "instead: la lampada"),
    ],
    "nl": [
        ("maak dat ongedaan", "undo"), ("zet het terug zoals het was", "undo"), ("zeg dat nog eens", "say_again"),
        ("wat heb je gedaan?", "told"), ("laat maar", "nothing"), ("dank je wel", "thanks"), ("stop", "stop"), ("en de andere", "other"),
        ("de andere lamp ook", "other: lamp"), ("nee, de keuken", "instead: de keuken"),
        ("hetzelfde in de slaapkamer", "also: in de slaapkamer"), ("de slaapkamer ook", "also: de slaapkamer"),
        ("een beetje feller", "step: brightness 1"), ("zachter", "step: volume -1"), ("doe het licht aan", ""), ("niet die lamp", ""),
    ],
    "pl": [
        ("cofnij to", "undo"), ("przywróć wszystko", "undo"), ("powtórz", "say_again"), ("co zrobiłeś?", "told"),
        ("nieważne", "nothing"), ("dziękuję", "thanks"), ("stop", "stop"), ("i ta druga", "other"), ("drugą lampę też", "other: lampę"),
        ("nie, w kuchni", "instead: w kuchni"), ("to samo w sypialni", "also: w sypialni"), ("w sypialni też", "also: w sypialni"),
        ("trochę jaśniej", "step: brightness 1"), ("ciszej", "step: volume -1"), ("włącz światło", ""), ("nie lampa", ""), ("nie ta lampa", ""),
    ],
}  # fmt: skip


def told(sentence: str, code: str) -> str:
    """Return what is read, in a line."""
    found = FollowUpParser(Text(sentence, code)).parse()
    if found is None:
        return ""
    if found.quantity:
        return f"{found.act}: {found.quantity.name} {found.quantity.way}"
    return f"{found.act}: {found.which}" if found.which else str(found.act)


@pytest.mark.parametrize("code", ROWS)
def test_follow_up_is_read(code: str) -> None:
    load(code)
    rows = ROWS[code]
    assert [(said, told(said, code)) for said, _ in rows] == rows


@pytest.mark.parametrize(
    ("code", "said", "is_other"),
    [
        ("es", "y apaga la otra", True),
        ("es", "apágala otra vez", False),
        ("es", "y la otra apágala otra vez", False),
        ("de", "mach die andere aus", True),
        ("de", "mach sie wieder aus", False),
        ("en", "turn the other one off", True),
        ("en", "turn it off again", False),
    ],
)
def test_another_one_is_not_what_was_meant_before(code: str, said: str, is_other: bool) -> None:
    assert Anaphora.of(Text(said, code)).names_another is is_other


@pytest.mark.parametrize(
    ("code", "said", "plain", "is_it"),
    [
        ("de", "mach's aus", "mach aus", True),
        ("de", "machs bitte aus", "mach bitte aus", True),
        ("de", "mach alles aus", "mach alles aus", False),
        ("it", "allora spegnila", "allora spegni", True),
        ("es", "pues apágalo", "pues apaga", True),
        ("en", "turn it off", "turn it off", True),
    ],
)
def test_pronoun_may_end_a_verb(code: str, said: str, plain: str, is_it: bool) -> None:
    assert Text(said, code).without_clitics == plain
    assert Anaphora.of(Text(said, code)).refers_back is is_it


def test_language_without_words_has_no_follow_ups() -> None:
    assert told("undo that", "sv") == told("undo that", "xx") == ""
