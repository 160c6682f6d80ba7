"""What sounds alike, and what does not."""

import pytest

from custom_components.voice_gateway.languages import LANGUAGES
from custom_components.voice_gateway.names.phonetics import sound, unlikeness, without_shared
from script.checks.texts import LANGUAGES as PROMISED

SAME = [
    ("en", "bedroom two", "bedroom too"),
    ("en", "four", "for"),
    ("en", "downstairs", "down stairs"),
    ("en", "leaving room", "living room"),
    ("de", "Haustür", "Haus Tür"),
    ("de", "Vorraum", "Forraum"),
    ("fr", "bureau", "buro"),
    ("es", "vestíbulo", "bestibulo"),
    ("it", "cucina", "cuccina"),
    ("nl", "eiland", "ijland"),
    ("pl", "góra", "gura"),
]
# The nearest first, then names that are further away.
NEARER = [
    ("en", "free", ["three", "four", "two"]),
    ("en", "tiny", ["dining", "kitchen", "garden"]),
    ("en", "mackyard", ["backyard", "garage"]),
    ("de", "Stellampe", ["Stehlampe", "Nachttischlampe"]),
]


@pytest.mark.parametrize(("code", "one", "other"), SAME)
def test_what_sounds_the_same_has_one_sound(code: str, one: str, other: str) -> None:
    assert unlikeness(sound(one, code), sound(other, code)) < 0.15


@pytest.mark.parametrize(("code", "utterance", "names"), NEARER)
def test_what_was_misheard_is_nearest_to_what_was_meant(
    code: str, utterance: str, names: list[str]
) -> None:
    far = [unlikeness(sound(utterance, code), sound(name, code)) for name in names]
    assert far == sorted(far)
    assert far[0] + 0.4 < far[1]


def test_unlikeness_is_the_same_both_ways() -> None:
    assert unlikeness("hal", "wal") == unlikeness("wal", "hal") == 1
    assert unlikeness("", "hal") == unlikeness("hal", "") == 2


def test_words_with_which_both_begin_and_end_are_left_out() -> None:
    assert without_shared(["bed", "free", "light"], ["bed", "three", "light"]) == (
        ["free"],
        ["three"],
    )
    assert without_shared(["bed", "bed"], ["bed"]) == (["bed"], [])
    assert without_shared(["tiny", "room", "on"], ["dining", "room"])[0] == ["tiny", "room", "on"]


@pytest.mark.parametrize("code", PROMISED)
def test_every_language_has_sounds(code: str) -> None:
    """And none of its spellings stands for two sounds."""
    listed = [one for spellings in LANGUAGES[code].sounds.values() for one in spellings]
    assert listed
    assert len(listed) == len(set(listed))
