"""A sentence is tokenized once in a turn; its parts have the whole's tokens."""

from collections.abc import Sequence

from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.nlu import tokenizer, tokens, utterance

from ..agent import add_agent
from ..ollama import PlayedOllama


@pytest.mark.parametrize(
    "sentence",
    [
        "please turn on the bed light",
        "turn on the bed light and the ceiling lights",
        "turn off the kitchen lights in ten minutes",
        "is the bed light on",
        "don't open the garage door, but turn off the ceiling lights at eight",
    ],
)
async def test_sentence_is_tokenized_once(
    home: HomeAssistant,
    ollama: PlayedOllama,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent = await add_agent(home, ollama.url)
    await agent.hears("turn on the ceiling lights")
    told: list[str] = []
    original = tokens.tokenize

    def counted(text: str) -> Sequence[tokens.Token]:
        if text in sentence and " " in text:
            told.append(text)
        return original(text)

    monkeypatch.setattr(tokenizer, "tokenize", counted)
    # Another test may have said it in the same home.
    utterance.parse_once.cache_clear()
    await agent.hears(sentence)
    assert told == [sentence]
