"""What is certain is done without a model, and nothing else is."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.media_player import MediaPlayerEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er, llm
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service  # type: ignore[import-untyped]

from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.devices import async_change_device
from tests.extra_tools import API_ID, ExtraTool, add_tools
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows

CERTAIN = {
    # As Home Assistant's sentences have it.
    "turn on the bed light": ["light.turn_on bed_light"],
    "could you please turn off the bed light": ["light.turn_off bed_light"],
    # By what tells the device, in words that no such sentence has.
    "shut off the light in the bedroom": ["light.turn_off bed_light"],
    "bedroom light off please": ["light.turn_off bed_light"],
    "cut off the bedroom lamp": ["light.turn_off bed_light"],
    # More of it.
    "make the bed light a bit brighter": ["light.turn_on bed_light"],
    "lower the bed light": ["light.turn_on bed_light"],
    "increase the brightness of the bed light by 10 percent": ["light.turn_on bed_light"],
    "turn down the walkman": ["media_player.volume_set walkman"],
    # A verb that Home Assistant has not, and a name that is the assistant's.
    "deactivate the bed light": ["light.turn_off bed_light"],
    "hey jarvis, extinguish the bed light for me": ["light.turn_off bed_light"],
    # Misheard.
    "turn on the bedrom light": ["light.turn_on bed_light"],
    "turn on the sealing lights": ["light.turn_on ceiling_lights"],
    # Several at once, and what is beside the point.
    "turn on the bed light and turn off the kitchen lights": [
        "light.turn_on bed_light",
        "light.turn_off kitchen_lights",
    ],
    "turn off the bed light and the walkman": [
        "light.turn_off bed_light",
        "media_player.turn_off walkman",
    ],
    "turn off the bed light, the ceiling lights and the walkman": [
        "light.turn_off bed_light",
        "light.turn_off ceiling_lights",
        "media_player.turn_off walkman",
    ],
    "good idea, turn off the bed light": ["light.turn_off bed_light"],
    # A remark beside a command, and its time.
    "turn off the bed light, I have a meeting in ten minutes": ["light.turn_off bed_light"],
    "my show starts at 8 so turn on the bed light": ["light.turn_on bed_light"],
}
CERTAIN_ELSEWHERE = (
    ("de", "mach bitte mal das Bed Light an", "light.turn_on bed_light"),
    ("fr", "allume Bed Light s'il te plaît", "light.turn_on bed_light"),
    ("nl", "doe Bed Light aan", "light.turn_on bed_light"),
    # A half is 50 percent.
    ("en", "set the bed light to half", "light.turn_on bed_light"),
    ("de", "stell Bed Light auf die Hälfte", "light.turn_on bed_light"),
    ("fr", "mets Bed Light à la moitié", "light.turn_on bed_light"),
    ("pl", "ustaw Bed Light na połowę", "light.turn_on bed_light"),
    # What only one kind does, in other words.
    ("nl", "demp de Walkman", "media_player.volume_mute walkman"),
    ("it", "togli l'audio al Walkman", "media_player.volume_mute walkman"),
    ("de", "Walkman stumm", "media_player.volume_mute walkman"),
    # A command beside something forbidden.
    ("en", "not the kitchen lights, the bed light on please", "light.turn_on bed_light"),
    ("de", "nicht die Kitchen Lights, sondern das Bed Light einschalten", "light.turn_on bed_light"),
    ("fr", "n'allume pas Kitchen Lights, allume Bed Light", "light.turn_on bed_light"),
    # A light verb, and particles that add nothing.
    ("en", "pop Bed Light on while you're at it", "light.turn_on bed_light"),
    ("de", "tu mir doch eben mal Bed Light an", "light.turn_on bed_light"),
    ("fr", "colle-moi donc Bed Light en rouge", "light.turn_on bed_light"),
    ("nl", "doe Bed Light alvast uit hoor", "light.turn_off bed_light"),
    ("nl", "Bed Light mag wel uit", "light.turn_off bed_light"),
    ("it", "accendimi Bed Light, dai", "light.turn_on bed_light"),
    ("es", "apágame ya Bed Light", "light.turn_off bed_light"),
    # A colour, in its forms; a white is no colour.
    ("en", "I'd like Bed Light turquoise", "light.turn_on bed_light"),
    ("de", "Bed Light hätte ich gern in Gelb", "light.turn_on bed_light"),
    ("es", "que Bed Light se ponga roja", "light.turn_on bed_light"),
    ("it", "fai diventare verde Bed Light", "light.turn_on bed_light"),
    ("pl", "niech Bed Light świeci na czerwono", "light.turn_on bed_light"),
    # What a remark names, and its reason behind it.
    ("en", "Bed Light is far too bright, switch it off", "light.turn_off bed_light"),
    ("it", "Bed Light è troppo forte, spegnila", "light.turn_off bed_light"),
    ("nl", "Bed Light is veel te fel, doe hem uit", "light.turn_off bed_light"),
    ("en", "turn off Bed Light, I'm going to sleep", "light.turn_off bed_light"),
    ("fr", "éteins Bed Light, je vais me coucher", "light.turn_off bed_light"),
    ("es", "apaga Bed Light, que ya hay bastante sol", "light.turn_off bed_light"),
)  # fmt: skip
OTHER = (
    "make it cosy",
    "bed light",
    "buy more light for the bedroom",
    "raise the bed light 50 percent",
    "stop the bed light from turning off",
    "turn on the bed light like yesterday",
    "turn on the bed light in my old house",
    "leave the bed light on",
    "I would rather have the bed light mauve-ish",
    "order a pizza, and turn it off",
    "turn off every light downstairs",
    "turn off the bed light, the porch light and the walkman",
    "turn off the bed light and the porch light and the walkman",
    "open the hall window halfway down the stairs",
    "turn on the porch light",
    "turn on the bed light and make it cosy",
    "turn on the bed light and tell me a joke",
    "don't turn on the bed light",
    "turn on the light",
    "why should I turn on the bed light?",
    "I turned on the bed light",
)
# What may have been misheard: what is asked, and what is done after a yes.
ASKED = {
    "turn on the bad light": (
        "Did you mean “turn on the Bed Light”?",
        ["light.turn_on bed_light"],
    ),
    "Switch the kitten lights on!": (
        "Did you mean “Switch the Kitchen Lights on”?",
        ["light.turn_on kitchen_lights"],
    ),
    # Nothing that keeps people out moves by what only sounds like it.
    "close the garaje door": (
        "Did you mean “close the Garage Door”?",
        ["cover.close_cover garage_door"],
    ),
    "open the garaje door": (
        "Shall I open the Garage Door?",
        [],
    ),
}


CUT_OFF = {
    "en": ("turn off the Bed Light", (", turn off t", " and turn off the l", ", switch off")),
    "de": ("schalte Bed Light aus", (", schalte d", " und schalte das L", ", schalt aus")),
    "fr": ("éteins Bed Light", (", éteins l", " et éteins la", ", éteins")),
    "es": ("apaga Bed Light", (", apaga l", " y apaga la", ", apaga t")),
    "it": ("spegni Bed Light", (", spegni l", " e spegni la", ", spegni t")),
    "nl": ("doe Bed Light uit", (", doe d", " en doe de l", ", doe uit")),
    "pl": ("wyłącz Bed Light", (", wyłącz l", " i wyłącz", ", wyłącz t")),
}
"""A command, and how another one begins behind it that a speech engine has cut off."""
NOWHERE = {
    "turn off everything in the cellar": "cellar",
    "turn off all lights in the Cellar.": "Cellar",
    "schalte alles im Keller aus": "Keller",
    "éteins toutes les lumières dans la cave": "cave",
    "apaga todo en el sótano": "sótano",
    "doe alles in de kelder uit": "kelder",
}
"""Words for all, of a place that is not there."""


@pytest.fixture
async def reflexive(home: HomeAssistant, ollama: PlayedOllama) -> Agent:
    """An agent that does what is certain without its model."""
    return await add_agent(home, ollama.url, reflex=True)


async def test_what_is_certain_is_done_without_the_model(
    reflexive: Agent, ollama: PlayedOllama
) -> None:
    deeds = Deeds(reflexive.hass)
    wrong: list[str] = []
    rows = [("en", sentence, done) for sentence, done in CERTAIN.items()]
    rows += [(language, sentence, [done]) for language, sentence, done in CERTAIN_ELSEWHERE]
    for language, sentence, done in rows:
        answer = await reflexive.hears(sentence, language=language)
        taken = deeds.taken()
        if taken != done or answer.is_error or ollama.chats:
            wrong.append(f"{sentence}: {taken}, {answer.speech}")
        ollama.chats.clear()
    assert not wrong


async def test_what_is_not_certain_is_the_models(home: HomeAssistant, ollama: PlayedOllama) -> None:
    agent = await add_agent(home, ollama.url, reflex=True, second_opinion=False)
    deeds = Deeds(home)
    wrong: list[str] = []
    for sentence in OTHER:
        ollama.answers(*[says("I do not know.")] * 3)
        answer = await agent.hears(sentence)
        if taken := deeds.taken():
            wrong.append(f"{sentence}: {taken}, {answer.speech}")
    assert not wrong


@rows("language", CUT_OFF)
@rows("eager", [False, True])
async def test_command_that_is_cut_off_is_not_for_the_whole_home(
    home: HomeAssistant, ollama: PlayedOllama, language: str, eager: bool
) -> None:
    agent = await add_agent(home, ollama.url, reflex=True)
    deeds = Deeds(home)
    command, tails = CUT_OFF[language]
    wrong: list[str] = []
    for tail in tails:
        named = call("intent__HassTurnOff", name="Bed Light")
        made = [named, call("intent__HassTurnOff")] if eager else []
        ollama.script.clear()
        ollama.answers(*([calls(*made)] if made else []), *[says("Done." if made else "")] * 4)
        answer = await agent.hears(f"{command}{tail}", language=language)
        if not {*(taken := deeds.taken())} <= {"light.turn_off bed_light"}:
            wrong.append(f"{command}{tail}: {taken}, {answer.speech}")
    assert not wrong


@pytest.mark.parametrize(
    "arguments", [{}, {"name": "all"}, {"domain": ["light"]}], ids=["none", "all", "domain"]
)
async def test_all_of_a_place_that_is_not_there_is_nothing(
    home: HomeAssistant, ollama: PlayedOllama, arguments: dict[str, object]
) -> None:
    agent = await add_agent(home, ollama.url, reflex=True)
    deeds = Deeds(home)
    wrong: list[str] = []
    for language, (sentence, place) in zip(
        ("en", "en", "de", "fr", "es", "nl"), NOWHERE.items(), strict=True
    ):
        ollama.script.clear()
        ollama.answers(calls(call("intent__HassTurnOff", **arguments)), *[says("Done.")] * 3)
        answer = await agent.hears(sentence, language=language)
        # The home is named in English: in another language, a word may be for a place that is there.
        is_told = language != "en" or place in (answer.speech or "")
        if (taken := deeds.taken()) or not is_told:
            wrong.append(f"{sentence}: {taken}, {answer.speech}")
    assert not wrong


@pytest.mark.parametrize("reaches", [False, True])
async def test_what_may_be_for_another_tool_is_not_left_out(
    home: HomeAssistant, ollama: PlayedOllama, reaches: bool
) -> None:
    """Nobody knows whether "polish the brass again" is a wish, or what for."""
    deeds = Deeds(home)
    if reaches:
        add_tools(home, ExtraTool("search_web", dict))
    tools = [llm.LLM_API_ASSIST, *[API_ID] * reaches]
    agent = await add_agent(home, ollama.url, reflex=True, second_opinion=False, tools=tools)
    await agent.hears("good idea, turn on the bed light")
    assert deeds.taken() == ["light.turn_on bed_light"]
    assert not ollama.chats
    ollama.answers(*[says("I can't polish.")] * 3)
    await agent.hears("polish the brass again and turn off the bed light")
    assert deeds.taken() == ([] if reaches else ["light.turn_off bed_light"])
    assert bool(ollama.chats) is reaches


async def test_all_but_one_is_done_without_the_model(
    reflexive: Agent, ollama: PlayedOllama
) -> None:
    for entity_id in ("light.bed_light", "light.ceiling_lights"):
        await async_change_device(reflexive.hass, entity_id, area="Kitchen")
    deeds = Deeds(reflexive.hass)
    for language, sentence in {
        "en": "all lights in the kitchen off, except the bed light",
        "de": "Alle Lampen in Kitchen aus, bis auf das Bed Light",
        "fr": "Sauf la Bed Light, éteins toutes les lumières de la Kitchen",
    }.items():
        answer = await reflexive.hears(sentence, language=language)
        done = ["light.turn_off ceiling_lights", "light.turn_off kitchen_lights"]
        assert sorted(deeds.taken()) == done, answer.speech
    assert not ollama.chats


async def test_all_but_those_of_a_place_are_done_without_the_model(
    reflexive: Agent, ollama: PlayedOllama
) -> None:
    deeds = Deeds(reflexive.hass)
    lights = set(reflexive.hass.states.async_entity_ids("light"))
    for language, sentence in {
        "en": "turn off all the lights except in the kitchen",
        "de": "Schalte alle Lichter aus außer in Kitchen",
        "pl": "zgaś wszystkie światła oprócz Kitchen",
    }.items():
        answer = await reflexive.hears(sentence, language=language)
        done = {f"light.{each.removeprefix('light.turn_off ')}" for each in deeds.taken()}
        assert lights - done == {"light.kitchen_lights"}, answer.speech
    assert not ollama.chats


@rows(
    ("language", "said"),
    [
        ("en", "turn on the bed light and read the weather report"),
        ("de", "mach Bed Light an und lies den Wetterbericht"),
        ("fr", "allume Bed Light et lis le bulletin météo"),
        ("pl", "włącz Bed Light i przeczytaj prognozę"),
        ("pt", "acende Bed Light e lê a previsão"),
        ("uk", "увімкни Bed Light і прочитай прогноз"),
    ],
)
async def test_text_to_read_beside_a_command_is_the_models(
    home: HomeAssistant, ollama: PlayedOllama, language: str, said: str
) -> None:
    agent = await add_agent(home, ollama.url, reflex=True, second_opinion=False)
    ollama.answers(calls(call("HassTurnOn", name="Bed Light")), says("Sunny."))
    assert "Sunny." in (await agent.hears(said, language=language)).speech


async def test_what_is_forbidden_beside_a_command_for_all_is_the_models(
    reflexive: Agent, ollama: PlayedOllama
) -> None:
    deeds = Deeds(reflexive.hass)
    for forbidden in ("don't turn off the kitchen lights", "don't touch the kitchen lights"):
        ollama.answers(says("Which ones?"))
        await reflexive.hears(f"{forbidden}, turn off all the lights")
        assert deeds.taken() == []
    assert ollama.chats


async def test_all_but_what_nobody_knows_is_the_models(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, reflex=True, second_opinion=False)
    deeds = Deeds(home)
    ollama.answers(*[says("I do not know.")] * 3)
    await agent.hears("all lights in the kitchen off, except the purple one")
    assert not deeds.taken()


async def test_works_while_the_server_is_off(reflexive: Agent, ollama: PlayedOllama) -> None:
    await ollama.stop()
    answer = await reflexive.hears("turn on the bed light")
    assert (answer.speech, answer.is_error) == ("I turned on the Bed Light.", False)
    assert (await reflexive.hears("make it cosy")).is_error


async def test_half_is_a_position(reflexive: Agent, ollama: PlayedOllama) -> None:
    moved = async_mock_service(reflexive.hass, "cover", "set_cover_position")
    for language, sentence in {
        "en": "open the hall window halfway",
        "de": "mach Hall Window halb zu",
        "it": "chiudi Hall Window a metà",
        "fr": "ferme Hall Window à moitié",
        "es": "baja Hall Window a la mitad",
        "nl": "doe Hall Window half dicht",
    }.items():
        answer = await reflexive.hears(sentence, language=language)
        assert [each.data["position"] for each in moved] == [50], answer.speech
        moved.clear()
    assert not ollama.chats


async def test_the_report_says_which_way_it_took(reflexive: Agent, ollama: PlayedOllama) -> None:
    answer = await reflexive.hears("turn on the bed light")
    extra = answer.result.response.speech["plain"]["extra_data"]
    assert extra[reflexive.entity_id]["reflex"] is True
    assert extra[reflexive.entity_id]["rounds"] == 0
    ollama.answers(calls(call("intent__HassTurnOff", name="Bed Light")), says("Done."))
    answer = await reflexive.hears("I am done with the bed light for today, kill it")
    extra = answer.result.response.speech["plain"]["extra_data"]
    assert extra[reflexive.entity_id]["reflex"] is False


async def test_what_may_be_misheard_is_asked_about(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """A PIN is for what is dangerous, and not for what is only not certain."""
    agent = await add_agent(home, ollama.url, reflex=True, pin="4711")
    deeds = Deeds(home)
    wrong: list[str] = []
    for sentence, (question, done) in ASKED.items():
        answer = await agent.hears(sentence)
        if not (answer.speech or "").startswith(question) or deeds.taken() or ollama.chats:
            wrong.append(f"{sentence}: {answer.speech}")
        after = await agent.hears("yes", answer.conversation_id)
        if (taken := deeds.taken()) != done:
            wrong.append(f"{sentence}, yes: {taken}, {after.speech}")
    assert not wrong


async def test_what_was_not_meant_is_not_done(reflexive: Agent, ollama: PlayedOllama) -> None:
    deeds = Deeds(reflexive.hass)
    answer = await reflexive.hears("turn on the bad light")
    assert (await reflexive.hears("no", answer.conversation_id)).speech
    assert not deeds.taken()
    assert not ollama.chats


async def test_this_one_is_no_misheard_name(home: HomeAssistant, ollama: PlayedOllama) -> None:
    kitchen = ar.async_get(home).async_get_area_by_name("Kitchen")
    assert kitchen
    entities = er.async_get(home)
    deck = entities.async_get_or_create("media_player", "test", "deck", suggested_object_id="deck")
    entities.async_update_entity(deck.entity_id, area_id=kitchen.id)
    async_expose_entity(home, "conversation", deck.entity_id, should_expose=True)
    can = {"friendly_name": "Deck", "supported_features": MediaPlayerEntityFeature.NEXT_TRACK}
    home.states.async_set(deck.entity_id, "playing", can)
    agent = await add_agent(home, ollama.url, reflex=True, second_opinion=False)
    ollama.answers(*[says("Hm.")] * 3)
    answer = await agent.hears("skip this one")
    assert "Did you mean" not in (answer.speech or "")
    assert ollama.chats


async def test_which_of_two_was_misheard_is_asked_and_its_answer_understood(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    await async_change_device(home, "light.bed_light", name="Tall Lamp")
    await async_change_device(home, "light.ceiling_lights", name="Tull Lamp")
    agent = await add_agent(home, ollama.url, reflex=True)
    deeds = Deeds(home)
    answer = await agent.hears("turn on the toll lamp")
    assert answer.speech == "Which one do you mean: Tull Lamp or Tall Lamp?"
    assert not deeds.taken()
    await agent.hears("the tall lamp", answer.conversation_id)
    assert deeds.taken() == ["light.turn_on bed_light"]
    assert not ollama.chats


async def test_wish_is_done_to_what_it_names_and_to_nothing_else(
    reflexive: Agent, ollama: PlayedOllama
) -> None:
    """What Home Assistant reads of "spegnere la piantana" has no device in it."""
    er.async_get(reflexive.hass).async_update_entity("light.bed_light", name="Piantana")
    deeds = Deeds(reflexive.hass)
    for sentence in ("Vorrei spegnere la piantana", "Bisognerebbe spegnere la piantana"):
        answer = await reflexive.hears(sentence, language="it")
        assert deeds.taken() == ["light.turn_off bed_light"], answer.speech
    assert not ollama.chats


async def test_of_the_lights_in_a_room_the_lamp_alone_is_turned_on(
    reflexive: Agent, ollama: PlayedOllama
) -> None:
    er.async_get(reflexive.hass).async_update_entity("light.bed_light", name="Table Lamp")
    await async_change_device(reflexive.hass, "light.bed_light", area="Kitchen")
    deeds = Deeds(reflexive.hass)
    answer = await reflexive.hears("turn on the lamp in the kitchen")
    assert deeds.taken() == ["light.turn_on bed_light"]
    assert answer.speech == "I turned on the Bed Light Table Lamp."
    assert not ollama.chats


async def test_half_and_what_is_outdoors_are_no_misheard_rooms(
    reflexive: Agent, ollama: PlayedOllama
) -> None:
    """To ask whether the hall was meant is no answer to the terrace."""
    areas = ar.async_get(reflexive.hass)
    for each, name in (("kitchen", "Diele"), ("bedroom", "Entrée")):
        area = areas.async_get_area(each)
        assert area
        areas.async_update(area.id, name=name)
    deeds = Deeds(reflexive.hass)
    for language, sentence in (
        ("de", "schalte die Lampe auf der Terrasse ein"),
        ("fr", "ouvre le volet à moitié"),
    ):
        ollama.answers(*[says("?")] * 3)
        answer = await reflexive.hears(sentence, language=language)
        assert "Diele" not in answer.speech
        assert "Entrée" not in answer.speech
        assert not deeds.taken()


async def test_number_of_a_room_that_is_heated_is_the_models(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """Home Assistant reads "set the kitchen to 22" as how bright; it may be how warm."""
    deeds = Deeds(home)
    agent = await add_agent(home, ollama.url, reflex=True, second_opinion=False)
    ollama.answers(*[says("Which?")] * 3)
    await agent.hears("set the kitchen brightness to 22")
    assert deeds.taken() == ["light.turn_on kitchen_lights"]
    await agent.hears("set the kitchen to 22")
    assert deeds.taken() == ["light.turn_on kitchen_lights"]
    entities = er.async_get(home)
    kitchen = ar.async_get(home).async_get_area_by_name("Kitchen")
    assert kitchen
    heater = entities.async_get_or_create("climate", "demo", "heater")
    entities.async_update_entity(heater.entity_id, area_id=kitchen.id)
    home.states.async_set(heater.entity_id, "heat", {"friendly_name": "Heater"})
    async_expose_entity(home, "conversation", heater.entity_id, should_expose=True)
    await agent.hears("set the kitchen to 22")
    assert deeds.taken() == []
    assert ollama.chats
    await agent.hears("set the kitchen to 22 percent")
    assert deeds.taken() == ["light.turn_on kitchen_lights"]
