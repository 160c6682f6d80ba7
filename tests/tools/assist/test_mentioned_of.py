"""Which of several places and devices of a house the user's words are about."""

from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.home.lookup import is_full_name
from custom_components.voice_gateway.nlu.entity_linking import EntityLinker
from custom_components.voice_gateway.tools.assist.locations import Locations
from tests.nlu.saying import unread

from .test_target_repair import house  # noqa: F401 - the fixture


def dialogue(hass: HomeAssistant, said: str, speaker: str | None) -> EntityLinker:
    return unread(hass, *said.splitlines(), area_id=speaker).dialogue


# What is said, the speaker's area; a place's area and floor, the devices acted upon, and whether it
# was said to be there.
PLACES: list[tuple[str, str | None, tuple[str, str], tuple[str, ...], bool]] = [
    ("turn on the light in the kitchen", None, ("Kitchen", ""), (), True),
    ("turn on the light in the kitchen", None, ("Bedroom", ""), (), False),
    ("turn on the light", None, ("Kitchen", ""), (), False),
    ("turn on the light", "bedroom", ("Bedroom", ""), (), True),
    ("turn on the light", "bedroom", ("Kitchen", ""), (), False),
    ("turn on the light in the kitchen", "bedroom", ("Bedroom", ""), (), True),
    ("turn off the lights upstairs", None, ("", "Upstairs"), (), True),
    ("turn off the lights upstairs", None, ("Bedroom", ""), (), False),
    ("turn off the bedroom lights", None, ("", "Upstairs"), ("light.bedroom_reading_lamp",), False),
    ("turn off the bedroom lights upstairs", None, ("", "Upstairs"),
     ("light.bedroom_reading_lamp",), True),
    ("turn off the bedroom lights upstairs", None, ("", "Upstairs"), (), False),
    ("turn off the bedroom lights upstairs", None, ("", "Upstairs"),
     ("light.kitchen_ceiling_light",), False),
    ("turn off the living room lights", None, ("Bedroom", ""), (), False),
    ("turn off the bed room lights", None, ("Bedroom", ""), (), True),
]  # fmt: skip
# What is said, the speaker's area; a device, and whether that one is meant.
DEVICES: list[tuple[str, str | None, str, bool]] = [
    ("turn on the counter light", None, "light.kitchen_counter_light", True),
    ("turn on the counter light", None, "light.kitchen_ceiling_light", False),
    ("turn on the light", None, "light.kitchen_ceiling_light", False),
    ("turn on the reading lamp", None, "light.bedroom_reading_lamp", False),
    ("turn on the reading lamp", "bedroom", "light.bedroom_reading_lamp", True),
    ("turn on the reading lamp", "bedroom", "light.living_room_reading_lamp", False),
    ("turn on the reading lamp in the bedroom", None, "light.bedroom_reading_lamp", True),
    ("turn on the reading lamp in the bedroom", "living_room", "light.living_room_reading_lamp",
     False),
    ("turn on the counter light and the ceiling light", None, "light.kitchen_ceiling_light", True),
    # The only one of its kind, with or without its name.
    ("open it", None, "valve.none_garden_valve", True),
    ("lock up", None, "lock.kitchen_back_door", True),
    ("turn on the counter light\nnow the other one", None, "light.kitchen_ceiling_light", True),
    ("turn on the counter light\nnow the other one", None, "light.attic_attic_light", False),
    ("now the other one\nturn on the counter light", None, "light.kitchen_ceiling_light", False),
]  # fmt: skip
# What is said; a device, and those of another kind that the last sentence is about.
OTHERS: list[tuple[str, str, set[str]]] = [
    ("start the vacuum", "switch.living_room_coffee", {"vacuum.living_room_robo_downstairs"}),
    ("start the vacuum for the coffee", "switch.living_room_coffee", set()),
    ("close the blind", "lock.kitchen_back_door", {"cover.bedroom_blind"}),
    ("make it nice in the kitchen", "lock.kitchen_back_door", set()),
    ("start the vacuum\nand go on", "switch.living_room_coffee", set()),
    ("make coffee\nstart the vacuum", "switch.living_room_coffee", set()),
]


async def test_words_are_about_places_and_devices(house: HomeAssistant) -> None:  # noqa: F811
    wrong: list[object] = []
    for said, speaker, (area, floor), acted_upon, is_meant in PLACES:
        mentioned = dialogue(house, said, speaker)
        devices = [each for each in mentioned.home.entities if each.entity_id in acted_upon]
        place = Locations(house, "en").constrain(area, floor)
        if mentioned.mentions_area(place.areas or (), place.floor, devices) is not is_meant:
            wrong.append((said, speaker, area, floor, acted_upon))
    for said, speaker, entity_id, is_meant in DEVICES:
        utterance = unread(house, *said.splitlines(), area_id=speaker)
        (entity,) = (each for each in utterance.home.entities if each.entity_id == entity_id)
        if (utterance.dialogue.prefers(entity) or utterance.is_alternative(entity)) is not is_meant:
            wrong.append((said, speaker, entity_id))
    for said, entity_id, others in OTHERS:
        utterance = unread(house, *said.splitlines())
        last, entities = utterance.link(utterance.text), utterance.home.entities
        (entity,) = (each for each in entities if each.entity_id == entity_id)
        found = {
            each.entity_id
            for each in entities
            if each.domain != entity.domain and last.describes(each)
        }
        if utterance.dialogue.describes(entity):
            found = set()
        if found != others:
            wrong.append((said, entity_id, found))
    assert not wrong


@pytest.mark.parametrize(
    ("said", "name", "is_so"),
    [
        ("turn on the counter light", "says_name_of", True),
        ("turn on the counter", "says_name_of", False),
        ("turn on the counter", "says_word_of", True),
        ("turn on the coffee", "says_word_of", False),
    ],
)
async def test_word_of_a_name_is_no_whole_name(
    house: HomeAssistant,  # noqa: F811
    said: str,
    name: str,
    is_so: bool,
) -> None:
    mentioned = dialogue(house, said, None)
    (light,) = (
        each for each in mentioned.home.entities if each.entity_id == "light.kitchen_counter_light"
    )
    assert getattr(mentioned, name)(light) is is_so
    assert is_full_name("Counter Light", light, "en")
    assert is_full_name("the light", light, "en")
    assert not is_full_name("Counter", light, "en")
