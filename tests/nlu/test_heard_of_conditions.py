"""What is heard of a command on a condition, and of the parts of a sentence."""

from dataclasses import replace

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.nlu.home_assistant import IntentMatch
from custom_components.voice_gateway.nlu.state_evaluation import Evidence
from custom_components.voice_gateway.nlu.tokenizer import NOTHING
from custom_components.voice_gateway.nlu.utterance import RecognitionStatus, Utterance

from .saying import hears, saying

OPEN = "if the garage door is open"
CLOSED = "if the garage door is closed"


@pytest.fixture(autouse=True)
async def _states(home: HomeAssistant) -> None:
    """Let the garage door be open, and the bed light half bright."""
    for entity_id, state, more in (
        ("cover.garage_door", "open", {}),
        ("light.bed_light", "on", {"brightness": 128}),
    ):
        before = home.states.get(entity_id)
        assert before
        home.states.async_set(entity_id, state, {**before.attributes, **more})


async def test_command_whose_condition_is_met_is_a_command_as_any_other(
    home: HomeAssistant,
) -> None:
    """The condition has told what "it" is, as a sentence before it."""
    before = "what about\nthe hall window?"
    met = await hears(home, f"{OPEN}, turn on the bed light", before)
    assert met.exact_command
    assert met.exact_command.slots["name"] == "Bed Light"
    assert met.status is RecognitionStatus.COMMAND
    assert met.parsed.is_immediate
    assert not met.is_for_later
    assert [each.entity_id for each in met.condition_subjects] == ["cover.garage_door"]
    assert met.context.earlier == (before, "the garage door is open")
    lines = ["what about the hall window?", "the garage door is open", "turn on the bed light"]
    assert met.dialogue.text.splitlines() == lines
    behind = await hears(home, f"turn on the bed light {OPEN}")
    assert behind.exact_command == met.exact_command
    assert behind.parsed == met.parsed


@pytest.mark.parametrize(
    "command",
    [
        "turn on the sauna",
        "don't turn on the bed light",
        "turn off all lights in the bedroom except the bed light",
        "turn on the bed light. Open the hall window",
    ],
)
async def test_command_whose_condition_is_met_is_taken_for_no_other(
    home: HomeAssistant, command: str
) -> None:
    utterance = await hears(home, f"{OPEN}, {command}")
    assert utterance.intent_match is None
    assert utterance.status is RecognitionStatus.COMMAND


async def test_command_after_a_question_whose_answer_is_yes_is_one(home: HomeAssistant) -> None:
    """Home Assistant reads the whole as the question."""
    asked = "is the bed light on, then turn off the kitchen lights"
    assert (await hears(home, asked)).may_be_command


async def test_condition_that_is_not_met_tells_what_is_so(home: HomeAssistant) -> None:
    condition = f"{CLOSED}, turn on the kitchen lights"
    for text, is_all in (
        (condition, True),
        (f"{condition} and open the hall window", True),
        # Of several conditions, one that is not met is enough.
        (f"{condition} unless grandma is happy", True),
        (f"{condition}, don't open the hall window", False),
        (f"{condition}. Open the hall window", False),
        (f"{condition}. If grandma is happy, open the hall window", False),
        (f"{OPEN}, turn on the kitchen lights", False),
        ("if grandma is happy, turn on the kitchen lights", False),
        ("turn on the kitchen lights", False),
    ):
        utterance = await hears(home, text)
        assert utterance.is_all_unmet is is_all, text
        is_unmet = text.startswith(condition)
        told = {"name": "Garage Door", "state": "open"} if is_unmet else {}
        assert utterance.unmet_words == told, text


async def test_what_is_so_instead_is_written_as_it_is(home: HomeAssistant) -> None:
    utterance = await hears(home, "if the bed light is darker than 20 percent, turn it on")
    assert utterance.unmet_words == {"name": "Bed Light", "state": "50 %"}
    for shown, told in (("21.5 °C", "21.5 °C"), ("Not home", "not home")):
        unmet = Evidence(is_so=False, name="Attic", state=shown)
        assert replace(utterance, unmet_condition=unmet).unmet_words["state"] == told


async def test_part_of_a_sentence_is_heard_as_if_it_was_said_by_itself_and_for_now(
    home: HomeAssistant,
) -> None:
    text = f"{CLOSED} turn on the bed light, and open the hall window at eight, please"
    whole = await hears(home, text, "what about the kitchen?")
    _, clause = whole.parsed.clauses
    part = await whole.async_parse_clause(home, saying(text), clause)
    assert part.text == "open the hall window"
    assert part.parsed.is_immediate
    assert not part.is_for_later
    assert part.unmet_condition is None
    assert part.status is RecognitionStatus.COMMAND
    assert part.exact_command
    assert part.exact_command.slots["name"] == "Hall Window"
    # What comes after it, or at other times, tells nothing of it.
    assert part.context.earlier == ("what about the kitchen?", "turn on the bed light")
    assert part.dialogue.text.splitlines() == [*part.context.earlier, part.text]
    first = await whole.async_parse_clause(home, saying(text), whole.parsed.clauses[0])
    assert first.context.earlier == ("what about the kitchen?",)


async def test_what_refers_to_what_was_done_is_a_command_for_these_devices_at_once(
    home: HomeAssistant,
) -> None:
    reading = IntentMatch("HassTurnOn", {}, None, is_exact=True, begins_unknown=False)
    for text, command in (
        (f"{CLOSED}, open the other one as well", ""),
        ("the other one as well, at eight", ""),
        ("the other one", "turn on the bed light"),
    ):
        utterance = await hears(home, text)
        devices = utterance.home.entities[:1]
        meant = utterance.as_anaphor(
            reading, devices, utterance.text.alike(command) if command else NOTHING
        )
        assert meant.antecedents == devices
        assert meant.exact_command is reading
        assert meant.status is RecognitionStatus.COMMAND
        assert meant.parsed.is_immediate
        assert meant.parsed.clauses[0].command == (command or text)
        assert meant.unmet_condition is None
        assert not meant.asks


async def test_speaker_is_where_the_satellite_is(home: HomeAssistant) -> None:
    entity = er.async_get(home).async_get("light.kitchen_lights")
    assert entity
    for command in ("turn on the light", f"{OPEN}, turn on the light"):
        for device_id, area_id in ((entity.device_id, "kitchen"), (None, None)):
            utterance = await hears(home, command, device_id=device_id)
            assert utterance.area_id == area_id
            assert utterance.dialogue.mentions_area(["kitchen"], "") is bool(area_id)
            meant = utterance.link(utterance.text.alike("turn on the light")).resolve(
                utterance.home.entities
            )
            assert [each.entity_id for each in meant] == ["light.kitchen_lights"] * bool(area_id)
    # The light of a condition is the one there, too.
    condition = "if the light is on, open the hall window"
    utterance = await hears(home, condition, device_id=entity.device_id)
    assert [each.entity_id for each in utterance.condition_subjects] == ["light.kitchen_lights"]


async def test_instructions_of_a_task_mention_devices_and_command_nothing(
    home: HomeAssistant,
) -> None:
    seen = Home.seen_by(home, conversation.DOMAIN)
    utterance = Utterance.empty(home, None, seen, "Turn on the bed light")
    assert utterance.language == home.config.language
    assert [each.entity_id for each in utterance.dialogue.named] == ["light.bed_light"]
    assert not any(
        (utterance.asks, utterance.is_for_later, utterance.may_be_command, utterance.exact_command)
    )
