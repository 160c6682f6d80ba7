"""What asks what we can do, and nothing else."""

import pytest

from custom_components.voice_gateway.nlu.follow_ups import CapabilityQuestion
from custom_components.voice_gateway.nlu.tokenizer import Text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "What can you do?"),
        ("en", "Hey, what can you do for me, please?"),
        ("en", "Can you tell me what you can do?"),
        ("en", "Which tools do you have?"),
        ("en-GB", "show me all of your functions"),
        ("de", "Was kannst du eigentlich alles?"),
        ("de", "Welche MCP-Server hast du?"),
        ("de", "Kannst du mir bitte sagen, was du kannst?"),
        ("fr", "Que sais-tu faire, s’il te plaît ?"),
        ("fr", "Quels outils as-tu ?"),
        ("es", "Hola, ¿qué puedes hacer por mí?"),
        ("es", "¿Qué herramientas tienes?"),
        ("it", "Cosa sai fare?"),
        ("it", "Quali strumenti hai a disposizione?"),
        ("nl", "Wat kun je allemaal?"),
        ("nl", "Welke tools heb je?"),
        ("pl", "Co potrafisz?"),
        ("pl", "Jakie masz narzędzia?"),
    ],
)
def test_it_is_asked_with_polite_words_around_it(language: str, text: str) -> None:
    assert CapabilityQuestion(Text(text, language)).asks


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "What can you do about the noise?"),
        ("en", "What can you do if it rains?"),
        ("en", "Can you help me?"),
        ("en", "Which tools are in the garage?"),
        ("en", "What can you do? Turn on the light."),
        ("de", "Was kannst du gegen den Lärm tun?"),
        ("de", "Welche Funktionen hat der Ofen?"),
        ("fr", "Que peux-tu faire contre le bruit ?"),
        ("es", "¿Qué puedes hacer con el ruido?"),
        ("it", "Cosa puoi fare contro il rumore?"),
        ("nl", "Wat kun je aan het lawaai doen?"),
        ("pl", "Co możesz zrobić z hałasem?"),
        ("sv", "What can you do?"),
        ("en", f"What can you do? {'a ' * 5000}"),
    ],
)
def test_more_than_that_is_another_question(language: str, text: str) -> None:
    assert not CapabilityQuestion(Text(text, language)).asks


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Explain the tools that you could call for a film.", True),
        ("en", "Explain the film.", False),
        ("de", "Erkläre mir das Werkzeug für Filme.", True),
        ("pl", "Opisz funkcje, których używasz.", True),
        ("sv", "Which tools?", False),
    ],
)
def test_word_for_tools_is_heard_anywhere(language: str, text: str, expected: bool) -> None:
    assert CapabilityQuestion(Text(text, language)).is_about_tools is expected
