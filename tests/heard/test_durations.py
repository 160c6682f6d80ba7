"""Every way to say a duration that a language lists is read: numbers are digits by then."""

import re

from hassil.parse_expression import parse_sentence
from hassil.sample import sample_expression
import pytest

from custom_components.voice_gateway.heard.line import Line, plain, tokens_of, with_numbers
from custom_components.voice_gateway.heard.templates import templates
from custom_components.voice_gateway.heard.times import times
from custom_components.voice_gateway.languages import language_of
from script.checks.texts import LANGUAGES


@pytest.mark.parametrize("code", LANGUAGES)
def test_listed_duration_is_read(code: str) -> None:
    numbers = templates(code).numbers
    for seconds, listed in language_of(code).values["durations"].items():
        for template in listed:
            for text in sample_expression(parse_sentence(template).expression, {}, {}, code):
                said = " ".join(re.sub(r"\s+", " ", text).split())
                line = Line(said, with_numbers(tokens_of(plain(said)), numbers))
                words = line.canonical(0, len(line.tokens))
                assert times(code).seconds(words) == float(seconds), said
