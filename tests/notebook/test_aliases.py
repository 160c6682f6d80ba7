"""Names of the user's own are aliases in Home Assistant's registry."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.voice_gateway.texts import async_text
from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, says
from tests.rows import rows

NAMED = [
    ("en", "call the bed light Bob", "Bob", "turn on Bob"),
    ("en", "From now on call the bed light the sleepy lantern", "sleepy lantern", "turn on the sleepy lantern"),
    ("en", "I'd like to call the bed light the owl from now on", "owl", "turn on the owl"),
    ("nl", "Noem het Bed Light voortaan maar uiltje", "uiltje", "doe uiltje aan"),
    ("it", "D'ora in poi chiama Bed Light lucina", "lucina", "accendi lucina"),
    ("de", "Nenne Bed Light ab jetzt Schlummerlampe", "Schlummerlampe", "mach die Schlummerlampe an"),
    ("fr", "appelle Bed Light la veilleuse", "veilleuse", "allume la veilleuse"),
    ("es", "llama a Bed Light dormilona", "dormilona", "enciende dormilona"),
    ("it", "chiama Bed Light abatina", "abatina", "accendi abatina"),
    ("nl", "noem Bed Light voortaan slaaplampje", "slaaplampje", "doe het slaaplampje aan"),
    ("it", "chiama la Bed Light luce delle fiabe", "luce delle fiabe", "accendi la luce delle fiabe"),
    ("fr", "appelle l'Bed Light la lampe des contes", "lampe des contes", "allume la lampe des contes"),
    ("pl", "nazwij Bed Light lampka nocna", "lampka nocna", "włącz lampka nocna"),
]  # fmt: skip
OTHERS = [
    ("en", "call Anna"),
    ("en", "call the office tomorrow"),
    ("en", "call the bed tomorrow"),
    ("en", "call the garage about the car"),
    ("de", "nenne drei Lampen"),
    ("en", "call the bed light the kitchen lights"),
    ("en", "call the bed light off"),
    ("en", "call the doctor tomorrow about the bed light"),
    ("de", "nenne mir alle Lampen"),
    ("fr", "appelle Anna"),
    ("es", "llama a Ana mañana"),
    ("it", "chiama Anna"),
]


@pytest.fixture
async def agent(home: HomeAssistant, ollama: PlayedOllama) -> Agent:
    """An agent that does what is certain without its model."""
    return await add_agent(home, ollama.url, reflex=True)


def _aliases(hass: HomeAssistant) -> list[str]:
    entries = er.async_get(hass).entities.values()
    return [each for entry in entries for each in entry.aliases if isinstance(each, str)]


@rows("row", NAMED)
async def test_device_gets_a_name(agent: Agent, row: tuple[str, str, str, str]) -> None:
    hass, (language, sentence, alias, command) = agent.hass, row
    answer = await agent.hears(sentence, language=language)
    told = {"names": "Bed Light", "alias": alias}
    assert answer.speech == await async_text(hass, language, "alias_kept", told)
    assert _aliases(hass) == [alias]
    await hass.async_block_till_done()
    deeds = Deeds(hass)
    await agent.hears(command, language=language)
    assert deeds.taken() == ["light.turn_on bed_light"]
    er.async_get(hass).async_update_entity("light.bed_light", aliases=[er.COMPUTED_NAME])


@rows("row", OTHERS)
async def test_nothing_else_is_named(
    agent: Agent, ollama: PlayedOllama, row: tuple[str, str]
) -> None:
    language, sentence = row
    ollama.answers(*[says("?")] * 3)
    await agent.hears(sentence, language=language)
    ollama.script.clear()
    assert not _aliases(agent.hass)


@pytest.mark.parametrize("is_wanted", [True, False])
async def test_misheard_name_is_offered_as_an_alias(agent: Agent, *, is_wanted: bool) -> None:
    hass = agent.hass
    answer = await agent.hears("turn on the bat light")
    assert answer.speech == "Did you mean “turn on the Bed Light”?"
    answer = await agent.hears("yes", answer.conversation_id)
    assert answer.speech == (
        "I turned on the Bed Light. Shall I also call Bed Light “bat light” from now on?"
    )
    assert not _aliases(hass)
    answer = await agent.hears("yes" if is_wanted else "no", answer.conversation_id)
    kept = "Done." if is_wanted else "All right, I won't."
    assert answer.speech == kept
    assert _aliases(hass) == (["bat light"] if is_wanted else [])
    await hass.async_block_till_done()
    deeds = Deeds(hass)
    await agent.hears("turn off the bat light")
    assert deeds.taken() == (["light.turn_off bed_light"] if is_wanted else [])
