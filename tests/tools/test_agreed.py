"""After others' texts were read: a yes to the model's question, and an AI task's instructions, are words."""

from dataclasses import replace

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm
import pytest

from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.nlu.utterance import Utterance
from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.policy.call import PolicyContext
from custom_components.voice_gateway.tools.policy.coverage import compare_coverage
from custom_components.voice_gateway.tools.taint import Taint, TaintSource
from tests.agent import add_agent
from tests.deeds import Deeds
from tests.nlu.saying import hears
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows
from tests.tools.comparing import proposed_call, verdict

READ = call("todo__get_items", todo_list="Shopping list")
BED = call("intent__HassTurnOn", name="Bed Light", domain=["light"])
SAID = "You need milk. Shall I turn on the Bed Light?"


def turning(hass: HomeAssistant, utterance: Utterance, name: str, *, on: bool = True) -> str:
    """Return what is decided of a call that turns something on or off after a mail was read."""
    intent_type = intent.INTENT_TURN_ON if on else intent.INTENT_TURN_OFF
    thing = next(each for each in utterance.home.entities if name in each.names)
    handler = intent.ServiceIntentHandler(intent_type, thing.domain, "turn_on")
    proposed = proposed_call(
        tool=llm.IntentTool(intent_type, handler),
        arguments={"name": name},
        is_written=False,
        domains=frozenset((thing.domain,)),
        targets=(thing,),
    )
    taint = Taint([TaintSource("mail", "Brighter")])
    turn = PolicyContext(utterance, Journal(), ToolManager(), hass=hass, taint=taint)
    return verdict(compare_coverage, proposed, turn)


def asked_before(utterance: Utterance, question: str) -> Utterance:
    asked = Text(question, utterance.language)
    return replace(utterance, context=replace(utterance.context, question=asked))


@pytest.mark.parametrize(
    ("language", "asked", "said", "name"),
    [
        ("en", "Shall I turn on the Bed Light?", "Yes, do that", "Bed Light"),
        ("en", "Shall I turn on the Bed Light now?", "sure", "Bed Light"),
        ("de", "Soll ich Bed Light einschalten?", "Ja, bitte", "Bed Light"),
    ],
)
async def test_yes_to_the_models_question_covers_what_it_asked(
    home: HomeAssistant, language: str, asked: str, said: str, name: str
) -> None:
    utterance = asked_before(await hears(home, said, language=language), asked)
    assert turning(home, utterance, name) == "yes"


@rows(
    ("asked", "said", "name"),
    [
        ("Shall I turn on the Bed Light?", "sure", "Ceiling Lights"),
        ("Shall I turn off the Bed Light?", "sure", "Bed Light"),
        ("Shall I turn on the Bed Light?", "yes, what time is it", "Bed Light"),
        ("Shall I turn on the Bed Light at eight?", "sure", "Bed Light"),
        ("Shall I turn on the Bed Light when Anna comes?", "sure", "Bed Light"),
        ("Shall I not turn on the Bed Light?", "sure", "Bed Light"),
        ("Shall I leave the Bed Light on?", "sure", "Bed Light"),
        ("", "sure", "Bed Light"),
    ],
)
async def test_yes_covers_nothing_else(
    home: HomeAssistant, asked: str, said: str, name: str
) -> None:
    """Nothing else, and not at another moment; a sentence that says more is no yes."""
    utterance = asked_before(await hears(home, said), asked)
    assert turning(home, utterance, name) != "yes"


async def test_yes_to_the_models_question_opens_nothing(full_house: HomeAssistant) -> None:
    utterance = asked_before(await hears(full_house, "yes"), "Shall I unlock the Front Door?")
    assert turning(full_house, utterance, "Front Door", on=False) != "yes"


async def test_an_ai_tasks_instructions_cover_what_they_say(home: HomeAssistant) -> None:
    """What would be asked is refused there, as nobody can be."""
    seen = (await hears(home, "")).home
    text = "Read the shopping list and turn on the Bed Light."
    utterance = await Utterance.async_parse_task(home, "en", seen, text)
    assert turning(home, utterance, "Bed Light") == "yes"
    assert turning(home, utterance, "Ceiling Lights").startswith("asks")
    long = await Utterance.async_parse_task(home, "en", seen, text * 100)
    assert long.instructions is None
    assert turning(home, long, "Bed Light") == "no"


async def test_what_the_model_asks_after_a_list_was_read_is_done_with_a_yes(
    full_house: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent, deeds = await add_agent(full_house, ollama.url), Deeds(full_house)
    ollama.script = [calls(READ), says(SAID)]
    first = await agent.hears("Summarize the shopping list")
    assert first.speech == SAID
    deeds.taken()
    ollama.script = [calls(BED), says("Done.")]
    await agent.hears("Yes, please", first.conversation_id)
    assert deeds.taken() == ["light.turn_on bed_light"]
