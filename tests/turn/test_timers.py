"""Timers: how long one runs is confirmed as it would be by Home Assistant."""

from typing import Any
from unittest.mock import patch

from homeassistant.components.intent import async_register_timer_handler
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr, llm
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.nlu.home_assistant import async_response_phrases
from tests.agent import add_agent
from tests.extra_tools import API_ID, ExtraTool, add_tools
from tests.ollama import PlayedOllama, call, calls, says


class Satellite:
    """A device that has timers."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Add it to the home."""
        entry = MockConfigEntry(domain="test")
        entry.add_to_hass(hass)
        device = dr.async_get(hass).async_get_or_create(
            config_entry_id=entry.entry_id, identifiers={("test", "satellite")}
        )
        self.id = device.id
        self.started: list[int] = []
        """For how many seconds timers were started."""
        async_register_timer_handler(hass, self.id, self._note)

    @callback
    def _note(self, event: Any, timer: Any) -> None:
        if event == "started":
            self.started.append(timer.created_seconds)


@pytest.fixture
def satellite(home: HomeAssistant) -> Satellite:
    """A device that has timers."""
    return Satellite(home)


# In which language; what is said; what the model calls; how long the timer runs, and what is said of it.
STARTED: list[tuple[str, str, dict[str, Any], int, str]] = [
    ("de", "Stell einen Timer auf neun Minuten", {"minutes": 9}, 540, "Timer für 9 Minuten gestartet."),
    ("de", "Stell einen Timer auf eine Stunde",
     {"hours": 1, "minutes": 0}, 3600, "Timer für 1 Stunde gestartet."),
    ("de", "Stell einen Timer auf eine Minute", {"minutes": 1.0}, 60, "Timer für 1 Minute gestartet."),
    ("en", "Set a timer for one minute", {"minutes": 1}, 60, "Timer set for 1 minute."),
    ("en", "Set a timer for twenty minutes", {"minutes": 20}, 1200, "Timer set for 20 minutes."),
    ("nl", "Zet een timer op elf minuten", {"minutes": 11}, 660, "Timer gezet voor 11 minuten."),
    ("fr", "Mets un minuteur de onze minutes", {"minutes": 11}, 660, "Minuteur lancé."),
    ("es", "Pon un temporizador de once minutos", {"minutes": 11}, 660, "Temporizador iniciado."),
    ("it", "Imposta un timer di undici minuti", {"minutes": 11}, 660, "Timer avviato."),
    ("pl", "Ustaw minutnik na jedenaście minut", {"minutes": 11}, 660, "Uruchomiono minutnik."),
]  # fmt: skip


@pytest.mark.parametrize("reflex", [True, False])
@pytest.mark.parametrize("case", STARTED)
async def test_how_long_a_timer_runs_is_said(
    home: HomeAssistant,
    ollama: PlayedOllama,
    satellite: Satellite,
    reflex: bool,
    case: tuple[str, str, dict[str, Any], int, str],
) -> None:
    language, sentence, arguments, seconds, speech = case
    agent = await add_agent(home, ollama.url, reflex=reflex)
    ollama.script = [calls(call("intent__HassStartTimer", **arguments)), says("Läuft.")]
    answer = await agent.hears(sentence, language=language, device_id=satellite.id)
    assert (satellite.started, answer.speech) == ([seconds], speech)


@pytest.mark.parametrize("length", ["elf Minuten", "eine Stunde"])
async def test_a_timer_that_the_model_forgets_is_started_once_and_told(
    home: HomeAssistant, ollama: PlayedOllama, satellite: Satellite, length: str
) -> None:
    agent = await add_agent(home, ollama.url)
    ollama.script = [says("Zwanzig Minuten.")] * 4
    sentence = f"Such mir ein Rezept für Linsen raus und stell einen Timer auf {length}"
    answer = await agent.hears(sentence, language="de", device_id=satellite.id)
    assert len(satellite.started) == 1
    assert answer.speech.startswith("Timer")


@pytest.mark.parametrize("is_made", [True, False])
async def test_what_can_not_be_put_in_words_was_done_all_the_same(
    home: HomeAssistant, ollama: PlayedOllama, satellite: Satellite, is_made: bool
) -> None:
    """Home Assistant's sentences may fail: of one who adds a language's, or of the next release."""
    phrases = await async_response_phrases(home, "en")
    assert phrases
    agent = await add_agent(home, ollama.url, reflex=not is_made)
    ollama.script = [calls(call("intent__HassStartTimer", minutes=3)), says("It runs.")]
    broken = {"default": "{{ 1 + slots.minutes }}"}
    with patch.dict(phrases.intent_responses, {"HassStartTimer": broken}):
        answer = await agent.hears("set a timer for three minutes", device_id=satellite.id)
    assert satellite.started == [180]
    assert answer.speech == ("It runs." if is_made else "Done.")


@pytest.mark.parametrize("reflex", [True, False])
@pytest.mark.parametrize(
    "said",
    [
        ("en", "Tell everybody that the film begins in fifty minutes"),
        ("en", "Announce that we leave in ten minutes"),
        ("pl", "Powiedz wszystkim, że film jest za pięćdziesiąt minut"),
    ],
)
async def test_a_time_in_what_others_are_told_starts_no_timer(
    home: HomeAssistant,
    ollama: PlayedOllama,
    satellite: Satellite,
    reflex: bool,
    said: tuple[str, str],
) -> None:
    language, sentence = said
    announce = ExtraTool("announce", lambda message: "Announced")
    add_tools(home, announce)
    agent = await add_agent(home, ollama.url, reflex=reflex, tools=[llm.LLM_API_ASSIST, API_ID])
    ollama.script = [calls(call("announce", message="Now.")), *[says("Told.")] * 3]
    answer = await agent.hears(sentence, language=language, device_id=satellite.id)
    assert (satellite.started, len(announce.calls), answer.speech) == ([], 1, "Told.")
