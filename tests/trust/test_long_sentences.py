"""A sentence that is longer than it looks reaches no model."""

from tests.ollama import call
from tests.rows import rows

from .conftest import House


@rows(
    ("language", "said"),
    [
        ("ar", "\ufdfa" * 4000),
        ("ar", "أطفئ Bed Light " + "\ufdfb" * 1600),
        ("ja", "\u3316" * 2100),
        ("ko", "\u327c" * 3900),
        ("en", "turn off the bed light " + "\ufdfa" * 900),
    ],
)
async def test_sentence_that_is_long_when_taken_apart_is_not_read(
    house: House, language: str, said: str
) -> None:
    off = [call("HassTurnOff", name="Bed Light")]
    house.ollama.chats.clear()
    answer, done = await house.hears(said, off, language=language)
    assert answer.is_error, answer.speech
    assert not done
    assert not house.ollama.chats
