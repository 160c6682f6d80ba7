"""What nobody wants done is left alone, and said so, also while the model server is off."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, call, calls, says

# In which language; what is said, and heard.
SAID = [
    ("en", "don't turn on the light", "All right, I left that alone."),
    ("en", "please do not open the garage door", "All right, I left that alone."),
    ("en", "never unlock the front door", "All right, I left that alone."),
    ("en", "turn on the bed light when the moon is full",
     "I can't see when that happens, so I left it alone."),
    ("de", "mach das Licht nicht an", "In Ordnung, das habe ich so gelassen."),
    ("es", "no enciendas la luz", "De acuerdo, lo he dejado como está."),
    ("fr", "n'allume pas la lumière", "D’accord, je n’y ai pas touché."),
    ("it", "non accendere la luce", "Va bene, l’ho lasciato com’è."),
    ("nl", "doe het licht niet aan", "Goed, dat heb ik zo gelaten."),
    ("pl", "nie włączaj światła", "Dobrze, zostawiam to bez zmian."),
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
    assert answer.speech == "Turned on Bed Light. I left Kitchen Lights alone."
