"""Whose work a command is by its verb alone: a vacuum's, a mower's."""

from homeassistant.components.conversation import DOMAIN
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, intent, llm

from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.policy.call import PolicyContext
from custom_components.voice_gateway.tools.policy.states import compare_work
from tests.agent import add_agent
from tests.deeds import Deeds
from tests.nlu.saying import unread
from tests.ollama import PlayedOllama, call, calls, says
from tests.tools.comparing import proposed_call, verdict

OTHERS = {
    "media_player.songs": "Cleaning playlist",
    "button.round": "Round",
    "switch.outlet": "Outlet",
}
type Sentence = tuple[str, str]
KITCHEN = {"Küche", "Cuisine", "Cocina", "Cucina", "Keuken", "Kuchnia"}
# What is for a vacuum or a mower, and for no player and no lamp.
THEIRS: list[Sentence] = [
    ("en", "clean the kitchen"), ("en", "please start cleaning"), ("en", "hoover the floors"),
    ("en", "vacuum upstairs"), ("en", "mow the lawn"), ("en", "clean up in here"),
    ("en", "clean the kitchen and mow the lawn"),
    ("de", "saug die Küche"), ("de", "mach die Küche sauber"), ("de", "mäh den Rasen"),
    ("fr", "nettoie la cuisine"), ("fr", "passe l'aspirateur"), ("fr", "tonds la pelouse"),
    ("es", "limpia la cocina"), ("es", "corta el césped"),
    ("it", "pulisci la cucina"), ("it", "taglia l'erba"),
    ("nl", "maak de keuken schoon"), ("nl", "maai het gras"),
    ("pl", "odkurz kuchnia"), ("pl", "skoś trawnik"),
]  # fmt: skip
BEGUN: list[Sentence] = [
    ("en", "please start cleaning"),
    ("de", "bitte saugen"),
    ("fr", "passe l'aspirateur"),
    ("es", "empieza a limpiar"),
    ("it", "avvia le pulizie"),
    ("nl", "start met schoonmaken"),
    ("pl", "zacznij sprzątać"),
]
# What names something else, or more than where.
FREE: list[Sentence] = [
    ("en", "clean the pool"), ("en", "clean the litter box"), ("en", "clean the air"),
    ("en", "clean the kitchen with the walkman"), ("en", "clean the kitchen and play music"),
    ("en", "clean the kitchen lights"), ("en", "it is dirty in the kitchen"), ("en", "good night"),
    ("de", "reinige die Luft"), ("de", "putz die Kaffeemaschine"), ("fr", "nettoie la piscine"),
    ("es", "limpia el aire"), ("it", "pulisci la piscina"), ("nl", "maak het zwembad schoon"),
    ("pl", "wyczyść listę zakupów"), ("sv", "städa köket"),
]  # fmt: skip


def refused(hass: HomeAssistant, language: str, sentence: str, entity_id: str) -> bool:
    """Tell whether a device may not be turned on for a sentence, because others do that."""
    utterance = unread(hass, sentence, language=language)
    (entity,) = (each for each in utterance.home.entities if each.entity_id == entity_id)
    tool = llm.IntentTool("turn_on", intent.ServiceIntentHandler("HassTurnOn", "x", "turn_on"))
    proposed = proposed_call(
        tool=tool,
        arguments={"name": entity.names[0]},
        is_written=False,
        domains=frozenset((entity.domain,)),
        targets=[entity],
    )
    turn = PolicyContext(utterance, Journal(), ToolManager(), hass=hass)
    return verdict(compare_work, proposed, turn) == "no"


def prepare(home: HomeAssistant) -> None:
    """Let the kitchen have a name in each language, and the home what may do anything."""
    areas = ar.async_get(home)
    kitchen = areas.async_get_area_by_name("Kitchen")
    assert kitchen
    areas.async_update(kitchen.id, aliases=KITCHEN)
    for entity_id, name in OTHERS.items():
        home.states.async_set(entity_id, "off", {"friendly_name": name})
        async_expose_entity(home, DOMAIN, entity_id, should_expose=True)


def not_as_wanted(home: HomeAssistant) -> tuple[list[Sentence], list[Sentence]]:
    """Return for which sentences others may do the work, and for which they may not, wrongly."""
    others = ("media_player.walkman", "light.kitchen_lights")
    return (
        [each for each in THEIRS for other in others if not refused(home, *each, other)],
        [each for each in FREE for other in others if refused(home, *each, other)],
    )


async def test_in_a_home_with_vacuums_nothing_else_cleans(full_house: HomeAssistant) -> None:
    prepare(full_house)
    assert not_as_wanted(full_house) == ([], [])
    assert refused(full_house, "en", "clean the kitchen", "switch.outlet")
    # Nobody knows what a button does; and what is named is meant.
    assert not refused(full_house, "en", "clean the kitchen", "button.round")
    assert not refused(full_house, "en", "start cleaning", "media_player.songs")
    vacuum = full_house.states.async_entity_ids("vacuum")[0]
    assert not refused(full_house, "en", "start cleaning", vacuum)


async def test_in_another_home_a_switch_may_switch_what_cleans(home: HomeAssistant) -> None:
    prepare(home)
    assert not_as_wanted(home) == ([], [])
    assert not refused(home, "en", "clean the kitchen", "switch.outlet")


async def test_no_music_is_made_for_who_wants_to_have_cleaned(
    full_house: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(full_house, ollama.url, second_opinion=False)
    deeds = Deeds(full_house)
    play = call("media_player__HassMediaUnpause", name="Walkman")
    ollama.answers(calls(play), *[says("I can't do that.")] * 2)
    answer = await agent.hears("please start cleaning")
    (told,) = answer.tool_results
    assert deeds.taken() == []
    assert told.data == {
        "error": "That is no work for Walkman, but for a vacuum: call vacuum__HassVacuumStart"
    }


async def test_the_only_one_begins_its_work_whatever_the_model_does(
    full_house: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(full_house, ollama.url)
    vacuum, *others = full_house.states.async_entity_ids("vacuum")
    deeds = Deeds(full_house)
    wrong = []
    for language, sentence in BEGUN:
        ollama.script = [*[says("I can't do that.")] * 3]
        await agent.hears(sentence, language=language)
        await full_house.async_block_till_done()
        if deeds.taken():
            wrong.append(sentence)
    # Of several, none is the only one.
    assert not wrong
    for other in others:
        async_expose_entity(full_house, DOMAIN, other, should_expose=False)
    for language, sentence in BEGUN:
        ollama.script = [*[says("I can't do that.")] * 3]
        await agent.hears(sentence, language=language)
        await full_house.async_block_till_done()
        if (taken := deeds.taken()) != [f"vacuum.start {vacuum.partition('.')[2]}"]:
            wrong.append(f"{sentence}: {taken}")
    assert not wrong
    ollama.script = [*[says("I can't do that.")] * 3]
    await agent.hears("please clean the pool")
    assert deeds.taken() == []


async def test_what_was_refused_is_left_to_the_model(
    full_house: HomeAssistant, ollama: PlayedOllama
) -> None:
    """As if nobody had tried: the vacuum cleans no rooms, and the model is told of no call."""
    agent = await add_agent(full_house, ollama.url, reflex=True, second_opinion=False)
    ollama.answers(*[says("It can't clean one room alone.")] * 2)
    answer = await agent.hears("clean the kitchen")
    assert answer.speech == "It can't clean one room alone."
    assert not answer.tool_calls


async def test_what_an_item_only_refers_to_is_left_to_the_model(
    full_house: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(full_house, ollama.url, reflex=True, second_opinion=False)
    assert not (await agent.hears("add milk to the shopping list")).is_error
    assert not ollama.chats
    for sentence in (
        "add everything for a cake to the shopping list",
        "add the ingredients of the recipe to the shopping list",
        "add my usual drinks to the shopping list",
        "add mac and cheese to the shopping list",
    ):
        ollama.answers(*[says("I do not know what that is.")] * 3)
        answer = await agent.hears(sentence)
        assert not answer.tool_calls, sentence
