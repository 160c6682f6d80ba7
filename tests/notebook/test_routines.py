"""Routines are taught, listed, said and forgotten by voice, in seven languages."""

from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.notebook.notebook import NOTEBOOK, NotebookEntry
from custom_components.voice_gateway.texts import async_text
from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.notebook.test_conversations import restart
from tests.ollama import PlayedOllama, says
from tests.rows import rows

LIGHT, OTHER = "light.bed_light", "light.ceiling_lights"

TAUGHT = [
    ("en", "When I say movie time, turn off the bed light and the ceiling lights", "movie time", "movie time"),
    ("en", "whenever i say cosy evening turn the bed light off and turn off the ceiling lights", "cosy evening", "Cosy evening, please"),
    ("en", "turn off the bed light and the ceiling lights when I say sleep well", "sleep well", "sleep well!"),
    ("en", "if I say start my evening, turn off the bed light and the ceiling lights", "start my evening", "start my evening"),
    ("it", "quando dico spegni tutto, spegni bed light e ceiling lights", "spegni tutto", "spegni tutto"),
    ("en", "From now on, when I say good night, turn off the bed light and the ceiling lights", "good night", "um good night"),
    ("en", "okay so whenever I say movie time please turn off the bed light and the ceiling lights", "movie time please", "hey movie time"),
    ("de", "Wenn ich Kinozeit sage, schalte Bed Light und Ceiling Lights aus", "Kinozeit", "kinozeit bitte"),
    ("de", "wenn ich gute nacht sage mach bed light und ceiling lights aus", "gute nacht", "Gute Nacht"),
    ("es", "cuando diga hora de dormir apaga bed light y ceiling lights", "hora de dormir", "hora de dormir"),
    ("fr", "quand je dis cinéma, éteins bed light et ceiling lights", "cinéma", "Cinéma"),
    ("it", "quando dico buonanotte a tutti spegni bed light e ceiling lights", "buonanotte a tutti", "buonanotte a tutti"),
    ("nl", "als ik filmavond zeg, doe bed light en ceiling lights uit", "filmavond", "filmavond"),
    ("pl", "gdy powiem dobranoc wszystkim, zgaś bed light i ceiling lights", "dobranoc wszystkim", "dobranoc wszystkim"),
]  # fmt: skip
FREE = [
    ("en", "when I say movie time my kids always go completely nuts"),
    ("it", "quando dico buonanotte al cane lui non si addormenta mai"),
    ("en", "when I say stop, turn off the bed light"),
    ("en", "when I say yes turn off the bed light"),
    ("en", "when Anna says movie time, turn off the bed light"),
    ("en", "when I say movie time, is the bed light on?"),
    ("en", "when I come home, turn off the bed light"),
    ("de", "wenn ich ja sage, mach Bed Light aus"),
    ("de", "wenn Anna Kinozeit sagt, mach Bed Light aus"),
    ("fr", "quand je dis non éteins bed light"),
]


@pytest.fixture
async def agent(home: HomeAssistant, ollama: PlayedOllama) -> Agent:
    """An agent that does what is certain without its model."""
    return await add_agent(home, ollama.url, reflex=True)


async def _on(hass: HomeAssistant) -> None:
    for each in (LIGHT, OTHER):
        await hass.services.async_call("light", "turn_on", {"entity_id": each}, blocking=True)


def _states(hass: HomeAssistant) -> list[str]:
    return [state.state for each in (LIGHT, OTHER) if (state := hass.states.get(each))]


@rows("row", TAUGHT)
async def test_routine(agent: Agent, row: tuple[str, str, str, str]) -> None:
    hass, (language, sentence, phrase, said) = agent.hass, row
    await _on(hass)
    answer = await agent.hears(sentence, language=language)
    assert answer.speech == await async_text(hass, language, "routine_kept", {"phrase": phrase})
    assert _states(hass) == ["on", "on"]
    await restart(hass)
    answer = await agent.hears(said, language=language)
    assert _states(hass) == ["off", "off"], answer.speech
    assert [each.text for each in hass.data[NOTEBOOK].all] == [sentence]
    await hass.data[NOTEBOOK].async_forget()


@rows("row", FREE)
async def test_no_routine(agent: Agent, ollama: PlayedOllama, row: tuple[str, str]) -> None:
    language, sentence = row
    ollama.answers(*[says("?")] * 3)
    await agent.hears(sentence, language=language)
    ollama.script.clear()
    assert not agent.hass.data[NOTEBOOK].all


async def test_routine_is_replaced_listed_undone_and_forgotten(
    agent: Agent, ollama: PlayedOllama
) -> None:
    hass = agent.hass
    await _on(hass)
    await agent.hears("remember that the bins go out on Tuesday")
    await agent.hears("when I say movie time, turn off the bed light")
    await agent.hears("when I say movie time turn off the ceiling lights")
    told = await agent.hears("what routines do I have?")
    assert told.speech == "I have noted: when I say movie time turn off the ceiling lights."
    told = await agent.hears("what happens when I say movie time?")
    assert told.speech == "I have noted: when I say movie time turn off the ceiling lights."
    done = await agent.hears("movie time")
    assert _states(hass) == ["on", "off"]
    await agent.hears("undo that", done.conversation_id)
    assert _states(hass) == ["on", "on"]
    await agent.hears("delete the routine movie time")
    assert [each.text for each in hass.data[NOTEBOOK].all] == ["the bins go out on Tuesday"]
    told = await agent.hears("list my routines")
    assert told.speech == "You haven't taught me any phrases."
    ollama.answers(says("?"))
    assert (await agent.hears("movie time")).speech == "?"
    assert _states(hass) == ["on", "on"]


async def test_note_of_others_is_no_routine(agent: Agent, ollama: PlayedOllama) -> None:
    entry = NotebookEntry(
        text="when I say thanks a lot, turn off the bed light", language="en", is_foreign=True
    )
    await _on(agent.hass)
    await agent.hass.data[NOTEBOOK].async_change("context", add=[entry])
    ollama.answers(says("?"))
    assert (await agent.hears("thanks a lot")).speech
    assert _states(agent.hass) == ["on", "on"]


async def test_danger_is_asked_about(agent: Agent) -> None:
    await agent.hears("when I say open sesame, open the garage door")
    deeds = Deeds(agent.hass)
    answer = await agent.hears("open sesame")
    assert answer.speech == "Shall I open the Garage Door?"
    assert not deeds.taken()
    await agent.hears("yes", answer.conversation_id)
    assert deeds.taken() == ["cover.open_cover garage_door"]


async def test_model_reads_the_sentence(agent: Agent, ollama: PlayedOllama) -> None:
    await agent.hears("when I say surprise me, turn on something nice in the kitchen")
    ollama.answers(says("?"))
    await agent.hears("surprise me")
    assert "turn on something nice" in str(ollama.chats[-1])
