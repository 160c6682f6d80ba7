"""What sentences say of plans, and of what somebody is to be reminded, in every language."""

import pytest

from custom_components.voice_gateway.nlu.parser import load
from custom_components.voice_gateway.nlu.reminders import ReminderParser
from custom_components.voice_gateway.nlu.tokenizer import Text

from ..tables import table

ROWS = table(__file__, "ROWS")
"""Sentences with what they say in short: see `brief`; nothing where they say nothing of it."""


def brief(text: str, language: str) -> str:
    """Return what a sentence wants, whether that is certain, of which plans, and when."""
    sentence = ReminderParser(Text(text, language))
    if wanted := sentence.parse_request():
        parts = (
            "" if wanted.is_certain else "maybe",
            wanted.act,
            "all" if wanted.all else "",
            "reminders" if wanted.only_reminders else "",
            wanted.which,
            wanted.command,
            *(each.text for each in wanted.times),
        )
        return " ".join(filter(None, parts))
    for each in sentence.parse_reminders():
        maybe = "" if each.is_certain else "maybe "
        when = ", ".join(moment.text for moment in each.times)
        return f"{maybe}{each.form}: {each.text} | {when}"
    return ""


@pytest.mark.parametrize("language", ROWS)
def test_what_a_sentence_says_of_plans(language: str) -> None:
    load(language)
    wrong = {
        text: found
        for text, expected in ROWS[language]
        if (found := brief(text, language)) != expected
    }
    assert not wrong


def test_nothing_is_read_in_other_languages_or_without_end() -> None:
    assert brief("what is planned?", "xx") == ""
    assert brief("cancel the plan for " + 1000 * "very ", "en") == ""


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "please remind me of"), ("de", "erinnere mich an"), ("fr", "rappelle-moi de")],
)
def test_reminder_that_is_cut_off_is_of_nothing(language: str, said: str) -> None:
    assert not ReminderParser(Text(said, language)).parse_reminders()
