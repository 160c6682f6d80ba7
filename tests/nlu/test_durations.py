"""Every way to say a duration that a language lists is read: numbers are digits by then."""

import re

from hassil.parse_expression import parse_sentence
from hassil.sample import sample_expression
import pytest

from custom_components.voice_gateway.languages import language_of
from custom_components.voice_gateway.nlu.phrase_patterns import patterns_of
from custom_components.voice_gateway.nlu.time_expressions import time_parser
from custom_components.voice_gateway.nlu.tokenizer import Text, TokenSequence
from script.checks.texts import LANGUAGES


@pytest.mark.parametrize("code", LANGUAGES)
def test_listed_duration_is_read(code: str) -> None:
    numbers = patterns_of(code).numbers
    for seconds, listed in language_of(code).values["durations"].items():
        for template in listed:
            for text in sample_expression(parse_sentence(template).expression, {}, {}, code):
                said = " ".join(re.sub(r"\s+", " ", text).split())
                line = TokenSequence.of(Text(said, code), numbers)
                words = line.normalized(0, len(line.tokens))
                assert time_parser(code).seconds(words) == float(seconds), said
