"""Who speaks another language is answered in it, also where something failed."""

from pathlib import Path
import shutil

import pytest

from custom_components.voice_gateway.turn.claims import denies
from script.check_integration import INTEGRATION
from script.checks.texts import LANGUAGES, check_languages, read
from tests.rows import rows

from .agent import Agent
from .ollama import PlayedOllama

TRANSLATIONS = INTEGRATION / "translations"
# Home Assistant's own sentences make no command of it: nothing but the model answers.
WISHES = {
    "de": "mach es gemütlich",
    "fr": "rends la pièce plus chaleureuse",
    "es": "haz que esto sea más acogedor",
    "nl": "maak het hier gezellig",
    "pl": "zrób tu przytulny nastrój",
    "it": "rendi tutto più accogliente",
}


def spoken_in(language: str, key: str) -> str:
    return str(read(TRANSLATIONS / f"{language}.json")["exceptions"][key]["message"])


def test_every_language_that_is_promised_is_tried_here() -> None:
    assert set(LANGUAGES) == {"en", *WISHES}


@rows("language", WISHES)
async def test_failure_is_said_in_the_language_that_was_spoken(
    agent: Agent, ollama: PlayedOllama, language: str
) -> None:
    sentence = spoken_in(language, "server_unreachable")
    assert sentence != spoken_in("en", "server_unreachable")
    await ollama.stop()
    answer = await agent.hears(WISHES[language], language=language)
    assert answer.speech == sentence
    assert answer.is_error


@pytest.mark.parametrize(
    ("dialect", "language"), [("de-DE", "de"), ("es_MX", "es"), ("nl-BE", "nl")]
)
async def test_failure_is_said_in_the_language_of_a_dialect(
    agent: Agent, ollama: PlayedOllama, dialect: str, language: str
) -> None:
    """Assist's pipeline passes on what the speech engines call the language."""
    await ollama.stop()
    answer = await agent.hears(WISHES[language], language=dialect)
    assert answer.speech == spoken_in(language, "server_unreachable")


@pytest.mark.parametrize("language", ["de", "de-DE", "de_DE"])
def test_denial_is_known_in_every_dialect(language: str) -> None:
    assert denies(language, "Das geht nicht.")
    assert not denies(language, "Kein Problem, die Tür ist verriegelt.")


@pytest.mark.parametrize("language", WISHES)
async def test_model_that_is_gone_is_named_in_the_language_that_was_spoken(
    agent: Agent, ollama: PlayedOllama, language: str
) -> None:
    (model,) = ollama.models
    ollama.models.clear()
    answer = await agent.hears(WISHES[language], language=language)
    assert answer.speech == spoken_in(language, "model_not_found").format(model=model)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"server_unreachable"', '"server_unattainable"', "no text for config.error."),
        ('"server_unreachable"', '"server_unattainable"', "text for nothing: config.error."),
        ("{model}", "{modell}", "other placeholders in exceptions.model_not_found.message"),
    ],
)
@pytest.mark.parametrize("language", WISHES)
def test_language_that_differs_from_english_is_found(
    tmp_path: Path, language: str, old: str, new: str, problem: str
) -> None:
    folder = Path(shutil.copytree(TRANSLATIONS, tmp_path / "translations"))
    file = folder / f"{language}.json"
    english = read(folder / "en.json")
    assert list(check_languages(english, folder)) == []
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    assert any(
        found.startswith(f"{file.name}: {problem}") for found in check_languages(english, folder)
    )


@pytest.mark.parametrize("language", WISHES)
def test_language_that_is_not_there_is_found(tmp_path: Path, language: str) -> None:
    folder = Path(shutil.copytree(TRANSLATIONS, tmp_path / "translations"))
    (folder / f"{language}.json").unlink()
    problem = f"translations: there is no {language}.json"
    assert problem in list(check_languages(read(folder / "en.json"), folder))
