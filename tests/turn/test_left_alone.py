"""What nobody wants done is left alone, and said so, also while the model server is off."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, call, calls, says

# In which language; what is said, and heard.
SAID = [
    ("en", "don't turn on the light", "OK, I won't."),
    ("en", "please do not open the garage door", "OK, I won't."),
    ("en", "never unlock the front door", "OK, I won't."),
    ("en", "turn on the bed light when the moon is full",
     "I have no way to notice that, so I haven't planned it."),
    ("de", "mach das Licht nicht an", "In Ordnung, das mache ich nicht."),
    ("es", "no enciendas la luz", "De acuerdo, no lo hago."),
    ("fr", "n'allume pas la lumière", "D’accord, je ne le fais pas."),
    ("it", "non accendere la luce", "Va bene, non lo faccio."),
    ("nl", "doe het licht niet aan", "Goed, dat doe ik niet."),
    ("pl", "nie włączaj światła", "Dobrze, nie zrobię tego."),
    # That is not nothing.
    ("en", "don't worry", "The model server can't be reached."),
    ("en", "don't forget to lock the front door", "The model server can't be reached."),
]  # fmt: skip


async def test_what_is_not_to_be_done_needs_no_model(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, reflex=True)
    await ollama.stop()
    deeds = Deeds(home)
    utterance = {each: (await agent.hears(each, language=code)).speech for code, each, _ in SAID}
    assert utterance == {each: words for _, each, words in SAID}
    assert not deeds.taken()


async def test_what_is_called_as_its_room_is_not_what_was_taken_back(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """Who speaks of the kitchen lights speaks of no speaker that is called "Kitchen"."""
    home.states.async_set("media_player.kitchen", "off", {"friendly_name": "Kitchen"})
    async_expose_entity(home, "conversation", "media_player.kitchen", should_expose=True)
    agent = await add_agent(home, ollama.url)
    ollama.answers(calls(call("intent__HassTurnOn", name="Bed Light")), says("Done."))
    answer = await agent.hears("turn off the kitchen lights, no, turn on the bed light")
    assert answer.speech == "I turned on the Bed Light. I didn't touch Kitchen Lights."
