"""Patterns of phrases find the same as regular expressions of all phrases, and compile few of them."""

from pathlib import Path
import re

import pytest

from custom_components.voice_gateway.languages import Language, language_of
from custom_components.voice_gateway.nlu.phrase_patterns import PhrasePatterns
from custom_components.voice_gateway.nlu.tokenizer import Text, TokenSequence
from custom_components.voice_gateway.nlu.tokens import DIGIT, LIST, NAME, PhrasePattern, words_in

from .said import SAID

_CODES = sorted(file.stem for file in Path(__file__).with_name("moods").glob("*.txt"))
_SAMPLE = 101
"""One of so many sentences is compared: a thousand regular expressions are run over each."""


def _sentences(code: str) -> list[str]:
    moods = Path(__file__).with_name("moods") / f"{code}.txt"
    lines = moods.read_text("utf-8").splitlines()
    return [*(each[0] for each in SAID[code]), *(line for line in lines if line and line[0] != "#")]


def _patterns(known: PhrasePatterns) -> list[PhrasePattern]:
    tables = [table for table in vars(known).values() if isinstance(table, dict)]
    lists = [each for table in tables for each in table.values() if isinstance(each, list)]
    return [each for listed in lists for each in listed if isinstance(each, PhrasePattern)]


@pytest.mark.parametrize("code", _CODES)
def test_obligatory_words_change_no_match(code: str) -> None:
    known = PhrasePatterns(language_of(code))
    patterns = [(each, re.compile("|".join(each.sources))) for each in _patterns(known)]
    assert len(patterns) > 300
    for text in _sentences(code)[::_SAMPLE]:
        line = TokenSequence.of(Text(text, code), known.numbers).text
        for pattern, every in patterns:
            found = [match.span() for match in pattern.finditer(line)]
            assert found == [match.span() for match in every.finditer(line)], (text, every.pattern)


@pytest.mark.parametrize("code", _CODES)
def test_almost_every_pattern_has_obligatory_words(code: str) -> None:
    patterns = _patterns(PhrasePatterns(language_of(code)))
    assert sum(each.words is None for each in patterns) < 12


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("[please] turn on", {"turn"}),
        ("light[s] [there]", {"light", "lights"}),
        ("(switch|turn)[ing] it", {"it"}),
        ("(a b|c) [d]", {"a", "c"}),
        ("o'clock", {"o'"}),
        ("z-wave", {"z"}),
        ("{name} [is]", {NAME, LIST}),
        ("{number} [%]", {DIGIT, "two"}),
        ("[the] {word}", None),
        ("now|[soon]", None),
        ("{word}s", None),
    ],
)
def test_words_that_are_obligatory(template: str, words: set[str] | None) -> None:
    language = Language("en", values={"numbers": {"2": ("two",)}})
    assert PhrasePatterns(language).pattern(template).words == words


def test_words_of_a_text_have_one_for_its_digits() -> None:
    assert words_in(" at 7:30 pm ") >= {"at", "7:30", "pm", DIGIT}
    assert DIGIT not in words_in(" at seven ")
