"""What a command's words can be said of: blinds are not off, and who is to be silent stays on."""

from homeassistant.core import HomeAssistant
import pytest

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows

TURN_OFF, TURN_ON = "intent__HassTurnOff", "intent__HassTurnOn"
EVERYTHING = [
    ("en", "turn everything off in the kitchen"),
    ("de", "mach alles aus in der Kitchen"),
    ("fr", "éteins tout dans la Kitchen"),
    ("es", "apaga todo en la Kitchen"),
    ("it", "spegni tutto in Kitchen"),
    ("nl", "doe alles uit in de Kitchen"),
]
SILENT = [
    ("en", "silence the walkman"),
    ("de", "den Ton vom Walkman aus"),
    ("fr", "coupe le son de Walkman"),
    ("es", "quita el sonido de Walkman"),
    ("it", "togli l'audio a Walkman"),
    ("nl", "demp de Walkman"),
    ("pl", "wycisz Walkman"),
]
WARM = [
    ("en", "it should be 21 degrees in the kitchen"),
    ("en", "it should be 21° in the kitchen"),
    ("de", "in der Kitchen bitte 21 Grad"),
    ("fr", "mets 21 degrés dans la Kitchen"),
    ("es", "pon la Kitchen a 21 grados"),
]


@rows(("language", "sentence"), EVERYTHING)
async def test_everything_off_closes_no_blind(
    home: HomeAssistant, ollama: PlayedOllama, language: str, sentence: str
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    deeds = Deeds(home)
    ollama.answers(calls(call(TURN_OFF, area="Kitchen")), *[says("Hm.")] * 2)
    answer = await agent.hears(sentence, language=language)
    assert deeds.taken() == ["light.turn_off kitchen_lights"], answer.speech
    # Nor is anything turned on, whatever else there is.
    ollama.answers(calls(call(TURN_ON, area="Kitchen")), *[says("Hm.")] * 2)
    answer = await agent.hears(sentence, language=language)
    assert not [each for each in deeds.taken() if ".turn_on " in each or ".open_cover " in each]


async def test_who_closes_everything_means_the_blinds(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    deeds = Deeds(home)
    ollama.answers(calls(call(TURN_OFF, area="Kitchen")), *[says("Hm.")] * 2)
    await agent.hears("turn off the lights and close the window in the kitchen")
    assert "cover.close_cover kitchen_window" in deeds.taken()


@pytest.mark.parametrize(("language", "sentence"), SILENT)
async def test_player_that_is_to_be_silent_is_not_turned_off(
    home: HomeAssistant, ollama: PlayedOllama, language: str, sentence: str
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    deeds = Deeds(home)
    ollama.answers(calls(call(TURN_OFF, name="Walkman")), *[says("Hm.")] * 2)
    answer = await agent.hears(sentence, language=language)
    assert "media_player.turn_off walkman" not in deeds.taken(), answer.speech


@pytest.mark.parametrize("sentence", ["mute everything in the kitchen", "mute the kitchen"])
async def test_place_that_is_to_be_silent_is_not_turned_off(
    home: HomeAssistant, ollama: PlayedOllama, sentence: str
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    deeds = Deeds(home)
    ollama.answers(calls(call(TURN_OFF, area="Kitchen")), *[says("Hm.")] * 2)
    await agent.hears(sentence)
    assert not deeds.taken()


@pytest.mark.parametrize("name", ["Walkman", "Lounge room"])
async def test_what_is_understood_is_done_where_a_call_only_turns_it_off(
    home: HomeAssistant, ollama: PlayedOllama, name: str
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    deeds = Deeds(home)
    ollama.answers(calls(call(TURN_OFF, name=name)), *[says("Done.")] * 2)
    answer = await agent.hears("pause the walkman")
    assert deeds.taken() == ["media_player.media_pause walkman"], answer.speech


async def test_a_call_for_another_kind_is_not_replaced(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    deeds = Deeds(home)
    ollama.answers(calls(call(TURN_OFF, name="Bed Light")), *[says("Hm.")] * 2)
    await agent.hears("pause the walkman")
    assert deeds.taken() == []


async def test_player_that_is_to_be_off_is(home: HomeAssistant, ollama: PlayedOllama) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    deeds = Deeds(home)
    ollama.answers(calls(call(TURN_OFF, name="Walkman")), says("Done."))
    await agent.hears("turn off the walkman")
    assert deeds.taken() == ["media_player.turn_off walkman"]


@rows(("language", "sentence"), WARM)
async def test_who_says_how_warm_wants_nothing_else_turned_on(
    home: HomeAssistant, ollama: PlayedOllama, language: str, sentence: str
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    deeds = Deeds(home)
    ollama.answers(calls(call(TURN_ON, area="Kitchen")), *[says("Hm.")] * 2)
    await agent.hears(sentence, language=language)
    assert deeds.taken() == []


async def test_half_is_not_done_whole(home: HomeAssistant, ollama: PlayedOllama) -> None:
    """Where the model fails, the second opinion closes nothing that is to be half closed."""
    agent = await add_agent(home, ollama.url, second_opinion=True)
    deeds = Deeds(home)
    ollama.answers(*[says("Hm.")] * 3)
    await agent.hears("mach Hall Window halb runter", language="de")
    assert "cover.close_cover hall_window" not in deeds.taken()
