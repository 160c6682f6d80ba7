"""Targets that models get wrong, and what becomes of them."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er, floor_registry as fr
from homeassistant.setup import async_setup_component
from hypothesis import given, strategies as st
import pytest

from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.tools.assist.call_errors import Refusal
from custom_components.voice_gateway.tools.assist.target import Target
from custom_components.voice_gateway.tools.assist.target_repair import Repair
from tests.nlu.saying import unread

ASSISTANT = "conversation"
LIGHTS = {"light"}
ON_OFF = {"light", "cover", "fan", "lock", "switch", "valve"}
ALL = {*ON_OFF, "vacuum"}
HOUSE = {
    ("Kitchen", "Ground"): ("light.Ceiling Light", "light.Counter Light", "lock.Back Door"),
    ("Living Room", "Ground"): ("light.Reading Lamp", "switch.Coffee", "vacuum.Robo Downstairs"),
    ("Garage", "Ground"): ("cover.Garage Door Opener/garage",),
    ("Bedroom", "Upstairs"): ("light.Reading Lamp", "cover.Blind/blind", "cover.Curtain/curtain"),
    ("Attic", None): ("light.Attic Light",),
    (None, None): ("valve.Garden Valve", "sensor.Coffee"),
}


@pytest.fixture
async def house(hass: HomeAssistant) -> HomeAssistant:
    """A house with two floors, an attic on none of them, and a few devices in no area."""
    assert await async_setup_component(hass, "homeassistant", {})
    for (room, level), devices in HOUSE.items():
        floors = fr.async_get(hass)
        floor = floors.async_get_floor_by_name(level) if level else None
        if level and not floor:
            floor = floors.async_create(level)
        area = room and ar.async_get(hass).async_create(
            room, floor_id=floor.floor_id if floor else None
        )
        for device in devices:
            domain, _, name = device.partition(".")
            name, _, device_class = name.partition("/")
            entity = er.async_get(hass).async_get_or_create(
                domain, "test", f"{room} {device}", suggested_object_id=f"{room}_{name}"
            )
            er.async_get(hass).async_update_entity(
                entity.entity_id, area_id=area.id if area else None, name=name
            )
            attributes = {"friendly_name": name}
            if device_class:
                attributes["device_class"] = device_class
            async_expose_entity(hass, ASSISTANT, entity.entity_id, should_expose=True)
            hass.states.async_set(entity.entity_id, "off", attributes)
    return hass


def repaired(hass: HomeAssistant, domains: set[str], **said: Any) -> dict[str, Any]:
    """Return what a call's target becomes.

    The user is in the area `speaker`, speaks `language`, and said `utterance`, or else all that the call
    says.
    """
    language = said.pop("language", "en")
    speaker = said.pop("speaker", None)
    utterance = said.pop("utterance", None) or " ".join(
        word for value in said.values() for word in ([value] if isinstance(value, str) else value)
    )
    said_so = unread(hass, *utterance.splitlines(), area_id=speaker, language=language)
    repair = Repair(hass, said_so, domains, all_domains=ALL)
    return repair.target(Target.of(said)).in_place_of({})


def acted_upon(hass: HomeAssistant, target: dict[str, Any]) -> set[str]:
    """Return the ids of the entities that Home Assistant finds for a target."""
    from homeassistant.helpers import intent

    result = intent.async_match_targets(
        hass,
        intent.MatchTargetsConstraints(
            name=target.get("name"),
            area_name=target.get("area"),
            floor_name=target.get("floor"),
            domains=set(target.get("domain", ())) or None,
            device_classes=set(target.get("device_class", ())) or None,
            assistant=ASSISTANT,
        ),
    )
    return {state.entity_id for state in result.states}


def test_room_in_the_slot_of_the_floor_is_the_place(house: HomeAssistant) -> None:
    """What is upstairs besides is left alone."""
    said = repaired(house, {"light"}, area="Upstairs", floor="Bedroom", domain=["light"])
    assert said["area"] == "Bedroom"


@pytest.mark.parametrize(
    ("said", "entities"),
    [
        pytest.param({"name": "Ceiling Light", "area": "Kitchen", "floor": "Kitchen"},
                     {"light.kitchen_ceiling_light"}, id="floor that is the area"),
        pytest.param({"area": "Upstairs", "domain": ["light"]},
                     {"light.bedroom_reading_lamp"}, id="area that is a floor"),
        pytest.param({"area": "Upstairs", "floor": "Upstairs", "domain": ["light"]},
                     {"light.bedroom_reading_lamp"}, id="area and floor that are one floor"),
        pytest.param({"name": "Ceiling Light", "device_class": ["light"], "domain": ["light"]},
                     {"light.kitchen_ceiling_light"}, id="device class that is the domain"),
        pytest.param({"area": "Kitchen", "device_class": ["lock"], "domain": ["smart_lock"]},
                     {"lock.kitchen_back_door"}, id="domain that is none beside one"),
        pytest.param({"area": "Kitchen", "device_class": ["lock"], "domain": ["sensor"]},
                     {"lock.kitchen_back_door"}, id="domain that the tool is not for beside one"),
        pytest.param({"area": "Kitchen", "device_class": ["light"], "domain": ["light"]},
                     {"light.kitchen_ceiling_light", "light.kitchen_counter_light"},
                     id="device class that says what lights are anyway"),
        pytest.param({"area": "Kitchen", "device_class": "light"},
                     {"light.kitchen_ceiling_light", "light.kitchen_counter_light"},
                     id="domain in the device class"),
        pytest.param({"area": "Garage", "domain": ["garage"]},
                     {"cover.garage_garage_door_opener"}, id="domain that is a class of one"),
        pytest.param({"name": "Garden Valve", "domain": ["irrigation_valve"]},
                     {"valve.none_garden_valve"}, id="domain that does not exist"),
        pytest.param({"name": "Garage Door Opener", "domain": ["light"], "area": "Garage"},
                     {"cover.garage_garage_door_opener"}, id="domain of something else"),
        pytest.param({"name": "Garden Valve", "area": "Garden"},
                     {"valve.none_garden_valve"}, id="area that does not exist"),
        pytest.param({"name": "Garden Valve", "area": "Kitchen"},
                     {"valve.none_garden_valve"}, id="area of a device that is in none"),
        pytest.param({"name": "kitchen counter lights"},
                     {"light.kitchen_counter_light"}, id="name with its area, plural"),
        pytest.param({"name": "Cieling Light", "area": "Kitchen"},
                     {"light.kitchen_ceiling_light"}, id="small mistake"),
        pytest.param({"name": "Reading Lamp", "area": "bed room"},
                     {"light.bedroom_reading_lamp"}, id="area in two words"),
        pytest.param({"name": "Reading Lamp", "area": "Bedroom, Upstairs"},
                     {"light.bedroom_reading_lamp"}, id="area with its floor"),
        pytest.param({"name": "Door Opener", "domain": "cover"},
                     {"cover.garage_garage_door_opener"}, id="part of a name"),
        pytest.param({"name": "light", "area": "Attic"},
                     {"light.attic_attic_light"}, id="what it is, where there is one"),
        pytest.param({"name": "Attic Light", "area": "Attic", "floor": "Upstairs"},
                     {"light.attic_attic_light"}, id="floor of an area that is on none"),
        pytest.param({"name": "Reading Lamp", "speaker": "bedroom", "device_class": ["light"]},
                     {"light.bedroom_reading_lamp"}, id="name that is there twice, for one there"),
        pytest.param({"area": "Bedroom", "domain": ["cover"], "device_class": ["blind", "shade"]},
                     {"cover.bedroom_blind"}, id="one class too many"),
        pytest.param({"area": "Bedroom", "domain": "lights"},
                     {"light.bedroom_reading_lamp"}, id="plural domain as text"),
        pytest.param({"name": "cover.bedroom_blind", "floor": "Bedroom"},
                     {"cover.bedroom_blind"}, id="entity id for a name"),
    ],
)  # fmt: skip
async def test_what_is_certainly_wrong_is_corrected(
    house: HomeAssistant, said: dict[str, Any], entities: set[str]
) -> None:
    assert acted_upon(house, repaired(house, ON_OFF, **said)) == entities


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"name": "Reading Lamp", "floor": "Cellar"},
         "Reading Lamp could be: Reading Lamp (light, Bedroom), Reading Lamp (light, Living Room)"),
        ({"name": "Ceiling Light", "area": "Bedroom"}, "Ceiling Light is in Kitchen, not in Bedroom"),
        ({"name": "Ceiling Light", "floor": "Upstairs"},
         "Ceiling Light is in Kitchen, not in Upstairs"),
        ({"name": "light", "area": "Kitchen"}, "light could be: Ceiling Light (light, Kitchen), C"),
        ({"name": "Floor Lamp"}, "There is no device Floor Lamp. Similar: "),
        ({"name": "Floor Lamp", "area": "Attic"},
         "There is no device Floor Lamp in Attic. There are: Attic Light"),
        ({"area": "Cellar", "domain": "light"}, "There is no area Cellar. Areas: "),
        ({"area": "Garage", "domain": "light"},
         "There is no light in Garage. There are: cover Garage Door Opener"),
        ({"area": "Garage", "device_class": "blind"}, "There is no blind in Garage. There are: cov"),
        ({"area": "Garage", "device_class": "sofa"}, "There is no sofa in Garage. There are: cover"),
        ({"area": "Living Room", "domain": "water"}, "There is no water in Living Room. There are"),
        ({"area": "Kitchen", "floor": "Upstairs", "domain": "light"}, "Kitchen is not on that fl"),
        ({"name": "Robo Downstairs"}, "Robo Downstairs is a vacuum; this tool is for: cover, fan, l"),
        ({"name": "vacuum Robo Downstairs", "area": "Living Room"}, "Robo Downstairs is a vacuum; "),
        ({"name": "Vacuum", "area": "Living Room"}, "Robo Downstairs is a vacuum; this tool is"),
        ({"name": "Downstairs", "area": "Living Room"}, "There is no device Downstairs in Living "),
        ({"domain": "vacuum", "area": "Living Room"}, "There is no vacuum in Living Room. There a"),
        ({"area": "Kitchen, Upstairs", "domain": "light"}, "There is no area Kitchen, Upstairs. "),
        ({"floor": "Cellar"}, "There is no area Cellar. Areas: "),
    ],
)  # fmt: skip
async def test_what_is_not_certain_is_told(
    house: HomeAssistant, said: dict[str, Any], told: str
) -> None:
    with pytest.raises(Refusal) as refused:
        repaired(house, ON_OFF, **said)
    assert str(refused.value).startswith(told)


async def test_of_many_devices_some_are_told(house: HomeAssistant) -> None:
    """A model has no room for all the names of a large home."""
    office = ar.async_get(house).async_create("Office").id
    for number in range(40):
        entry = er.async_get(house).async_get_or_create("light", "test", f"office_{number}")
        er.async_get(house).async_update_entity(
            entry.entity_id, name=f"Spot {number}", area_id=office
        )
        house.states.async_set(entry.entity_id, "on", {"friendly_name": f"Spot {number}"})
        async_expose_entity(house, "conversation", entry.entity_id, should_expose=True)
    with pytest.raises(Refusal) as refused:
        repaired(house, ON_OFF, name="Sauna", area="Office")
    assert str(refused.value).count("Spot") == 6
    assert str(refused.value).endswith(", …")


@pytest.mark.parametrize(
    ("utterance", "said", "entities"),
    [
        pytest.param("turn off the light", {"name": "Counter Light", "device_class": "light"},
                     None, id="made up among several"),
        pytest.param("turn off the counter light", {"name": "Counter Light", "device_class": "x"},
                     {"light.kitchen_counter_light"}, id="named"),
        pytest.param("it is too bright in the attic", {"name": "Attic Light", "floor": "Attic"},
                     {"light.attic_attic_light"}, id="its room"),
        pytest.param("turn off the light", {"name": "Attic Light", "floor": "Attic",
                                            "speaker": "attic"},
                     {"light.attic_attic_light"}, id="where the user is"),
        pytest.param("make it cosy in the kitchen", {"name": "Counter Light"},
                     {"light.kitchen_counter_light"}, id="wish that leaves open which"),
        pytest.param("make it cosy in the kitchen", {"name": "Attic Light"},
                     None, id="wish for another room"),
        pytest.param("make it cosy in the kitchen", {"name": "Attic Light", "speaker": "attic"},
                     None, id="wish for another room than the user's"),
        pytest.param("make it cosy", {"name": "Counter Light", "speaker": "kitchen"},
                     {"light.kitchen_counter_light"}, id="wish for the room of the user"),
        pytest.param("make it cosy in the garage", {"name": "Garage Door Opener"},
                     None, id="wish that opens a door"),
        pytest.param("make it cosy in the attic",
                     {"name": "Attic Light", "area": "Attic", "domain": "cover"},
                     {"light.attic_attic_light"}, id="domain of things that are elsewhere"),
        pytest.param("make the light cosy in the kitchen", {"name": "Counter Light"},
                     None, id="wish for one of several"),
        pytest.param("off in the kitchen", {"name": "Counter Light"},
                     None, id="order for one of several"),
        pytest.param("water the plants", {"name": "Garden Valve", "floor": "Garden"},
                     {"valve.none_garden_valve"}, id="the only one of its kind"),
        pytest.param("close it", {"area": "Bedroom", "domain": "cover", "floor": "x"},
                     None, id="room made up"),
        pytest.param("close everything in the bedroom", {"area": "Bedroom", "domain": "covers"},
                     {"cover.bedroom_blind", "cover.bedroom_curtain"}, id="room"),
        pytest.param("close the curtain", {"name": "Curtain", "area": "Kitchen"},
                     {"cover.bedroom_curtain"}, id="room made up for a device that was named"),
        pytest.param("close the curtain", {"name": "Curtain", "area": "Kitchen", "speaker": "kitchen"},
                     {"cover.bedroom_curtain"}, id="room of the user for one that was named"),
        pytest.param("close the kitchen curtain", {"name": "Curtain", "area": "Kitchen"},
                     None, id="device that is not in the room"),
        pytest.param("turn on the reading lamp", {"name": "Reading Lamp", "area": "Kitchen"},
                     None, id="one of two that are not in the room"),
        pytest.param("open the garage door", {"name": "Door", "domain": "cover"},
                     {"cover.garage_garage_door_opener"}, id="name of two kinds, and the kind"),
        pytest.param("turn on the counter light", {"name": "Light", "area": "Counter"},
                     {"light.kitchen_counter_light"}, id="name in two slots"),
        pytest.param("turn off the counter light", {"name": "Counter Light", "device_class": "blind"},
                     {"light.kitchen_counter_light"}, id="class of others of which nobody spoke"),
        pytest.param("turn on the reading lamp in the bedroom and close the blind",
                     {"name": "Reading Lamp", "area": "Bedroom", "device_class": "light"},
                     {"light.bedroom_reading_lamp"}, id="one of two kinds that are spoken of"),
        pytest.param("close the blind", {"name": "Blind", "device_class": ["blind"], "floor": "x"},
                     {"cover.bedroom_blind"}, id="class of the device that is named"),
        pytest.param("open it", {"domain": ["valve"], "device_class": ["sofa"]},
                     {"valve.none_garden_valve"}, id="class made up for the only one of a kind"),
        pytest.param("turn off the fan in the kitchen", {"area": "Kitchen", "device_class": "fan"},
                     None, id="kind of which there is none in the home"),
        pytest.param("lights on in the kitchen and in the attic",
                     {"area": "Kitchen", "domain": "lights"},
                     {"light.kitchen_ceiling_light", "light.kitchen_counter_light"},
                     id="one of two rooms"),
        pytest.param("lock up", {"name": "all"}, None, id="all that a tool is for, where doors are"),
        pytest.param("close it", {"name": "Curtain", "area": "Kitchen"},
                     None, id="room made up for a device that was made up"),
        pytest.param("start the vacuum", {"name": "Coffee", "area": "Living Room",
                                          "speaker": "living_room"},
                     None, id="device of another kind"),
        pytest.param("start Robo, please", {"name": "Coffee", "area": "Living Room",
                                            "speaker": "living_room"},
                     None, id="device of another kind and name"),
        pytest.param("start robo and the coffee", {"name": "Coffee", "area": "Living Room",
                                                   "domain": "plug"},
                     {"switch.living_room_coffee"}, id="one of two kinds"),
        pytest.param("make it cosy in the bedroom",
                     {"name": "Reading Lamp", "area": "Bedroom", "domain": ["sensor", "cover"]},
                     None, id="name and domain of two things that are there"),
        pytest.param("turn on the reading lamp in the bedroom",
                     {"name": "Reading Lamp", "area": "Bedroom", "domain": ["sensor", "cover"]},
                     {"light.bedroom_reading_lamp"}, id="name that was said, domain of another"),
        pytest.param("turn on the lights", {"name": "Coffee", "speaker": "living_room",
                                            "area": "Living Room", "domain": "plug"},
                     None, id="device of another kind where there is one of that"),
        pytest.param("turn on the light", {"name": "Coffee", "area": "Living Room", "floor": "x",
                                           "speaker": "attic"},
                     None, id="device that is neither here nor was named"),
        pytest.param("the lights in the bedroom upstairs", {"area": "Upstairs", "domain": "light"},
                     {"light.bedroom_reading_lamp"}, id="floor whose lights are in that room"),
        pytest.param("the lights in the kitchen downstairs", {"area": "Ground", "domain": "light"},
                     None, id="floor with other rooms"),
        pytest.param("kitchen lights off", {"area": "Kitchen", "domain": "light", "floor": "Upstairs"},
                     {"light.kitchen_ceiling_light", "light.kitchen_counter_light"},
                     id="floor made up for a room that was named"),
        pytest.param("lights off upstairs", {"area": "Kitchen", "domain": "light",
                                             "floor": "Upstairs"},
                     None, id="room made up for a floor that was named"),
        pytest.param("open the garage door", {"name": "Garage Door Opener", "floor": "x"},
                     {"cover.garage_garage_door_opener"}, id="the only cover that is called so"),
        pytest.param("open the door", {"name": "Garage Door Opener", "floor": "x"},
                     None, id="a door that may be another one"),
        pytest.param("open all the doors", {"name": "Garage Door Opener", "floor": "x"},
                     None, id="one of all that were said"),
        pytest.param("lights off", {"domain": "lights"}, None, id="the whole home"),
        pytest.param("all lights off", {"domain": "lights"},
                     {"light.kitchen_ceiling_light", "light.kitchen_counter_light",
                      "light.bedroom_reading_lamp", "light.living_room_reading_lamp",
                      "light.attic_attic_light"}, id="all of a kind"),
        pytest.param("turn off everything in the kitchen", {"name": "Counter Light"},
                     {"light.kitchen_counter_light"}, id="one of all that is in a room"),
        pytest.param("turn off everything in the kitchen", {"name": "Attic Light"},
                     None, id="none of all that is in a room"),
        pytest.param("all lights off", {"name": "all", "domain": "lights", "area": "Kitchen"},
                     None, id="all of a kind, in a room made up"),
        pytest.param("turn off all lights in the kitchen", {"name": "all", "domain": "lights"},
                     None, id="all of a room, in the whole home"),
        pytest.param("lights off", {"domain": "lights", "speaker": "attic"},
                     {"light.attic_attic_light"}, id="the only one where the user is"),
        pytest.param("lights off", {"domain": "lights", "speaker": "kitchen"},
                     None, id="several where the user is"),
    ],
)  # fmt: skip
async def test_correction_acts_on_what_the_user_spoke_of(
    house: HomeAssistant, utterance: str, said: dict[str, Any], entities: set[str] | None
) -> None:
    if entities is None:
        with pytest.raises(Refusal):
            repaired(house, ON_OFF, utterance=utterance, **said)
    else:
        assert acted_upon(house, repaired(house, ON_OFF, utterance=utterance, **said)) == entities


@pytest.mark.parametrize(
    ("utterance", "domains", "said", "becomes"),
    [
        # No device is called: one was named, or is the only one that fits.
        ("turn off the counter light", LIGHTS, {"domain": ["cover"]}, {"light.kitchen_counter_light"}),
        ("turn off the counter light", LIGHTS, {"domain": ["blind"], "device_class": ["light"]},
         {"light.kitchen_counter_light"}),
        ("turn off the counter light", ON_OFF, {"domain": ["light"], "speaker": "kitchen"},
         "Say which one is meant"),
        ("close the blind", ON_OFF, {"name": "all", "domain": ["cover"], "device_class": ["blind"]},
         {"cover.bedroom_blind"}),
        ("turn on the light", ON_OFF, {"name": "all", "domain": ["lamp"], "device_class": ["light"],
                                       "area": "Kitchen", "speaker": "kitchen"},
         {"light.kitchen_ceiling_light", "light.kitchen_counter_light"}),
        ("turn on the light", LIGHTS, {}, "Say which one is meant"),
        ("turn on the light", LIGHTS, {"device_class": ["blind"]}, "There is no blind."),
        # Another device, place or class than those that were spoken of.
        ("turn on the reading lamp", LIGHTS, {"name": "Attic Light", "area": "Cellar"},
         "The user did not say Attic Light. There are: Reading Lamp, Reading Lamp. "),
        ("turn on the reading lamp", LIGHTS, {"name": "Blind", "area": "Kitchen"},
         "The user did not say Blind. There are: Blind, Curtain, Garage Door Opener. "),
        ("turn on the coffee", ON_OFF, {"name": "Robo Downstairs"},
         "The user did not say Robo Downstairs. Maybe meant: Coffee (switch, Living Room)"),
        ("turn on the reading lamp", LIGHTS, {"name": "Reading Lamp", "speaker": "kitchen"},
         "Reading Lamp could be: Reading Lamp (light, Bedroom), Reading Lamp (light, Living Room)"),
        ("turn on the light", ON_OFF, {"area": "Kitchen", "floor": "Upstairs", "domain": "light"},
         "Kitchen is not on that floor."),
        ("turn on the floor lamp", LIGHTS, {"name": "Floor Lamp", "area": "Kitchen", "floor": "Upstairs"},
         "There is no device Floor Lamp in Kitchen."),
        ("turn on the counter light", ON_OFF, {"name": "Kitchen Counter Light", "area": "Cellar"},
         "There is no area Cellar."),
        ("turn on the light", ON_OFF, {"name": "lamp", "area": "Cellar"}, "There is no area Cellar."),
        ("turn on the light", ON_OFF, {"name": "Blind", "device_class": ["blind"]},
         "The user did not say Blind. Maybe meant: Attic Light (light, Attic), "),
        ("turn on the light", ON_OFF, {"name": "Counter Light", "area": "Bedroom"},
         "Counter Light is in Kitchen, not in Bedroom."),
        ("turn on the coffee", ON_OFF, {"name": "Reading Lamp", "area": "Bedroom"},
         "The user did not say Reading Lamp. Maybe meant: Coffee (switch, Living Room)"),
        ("close the blind in the bedroom", ON_OFF,
         {"name": "Reading Lamp", "area": "Bedroom", "domain": ["light"], "device_class": ["blind"]},
         "Reading Lamp could be: Reading Lamp (light, Bedroom), Blind (cover, Bedroom)"),
    ],
)  # fmt: skip
async def test_call_becomes_what_was_said_or_is_told_why_not(
    house: HomeAssistant,
    utterance: str,
    domains: set[str],
    said: dict[str, Any],
    becomes: set[str] | str,
) -> None:
    """A text is how the refusal begins."""
    if isinstance(becomes, str):
        with pytest.raises(Refusal) as refused:
            repaired(house, domains, utterance=utterance, **said)
        assert str(refused.value).startswith(becomes)
    else:
        assert acted_upon(house, repaired(house, domains, utterance=utterance, **said)) == becomes


@pytest.mark.parametrize(
    ("language", "name", "area", "other"),
    [
        ("de", "das Counter Light", "in der Kitchen", "nein, das andere"),
        ("en", "our Counter Light", "the Kitchen", "no, the other one"),
        ("es", "la Counter Light", "de la Kitchen", "no, la otra"),
        ("fr", "l'Counter Light", "dans la Kitchen", "non, l'autre"),
        ("it", "l'Counter Light", "nella Kitchen", "no, l'altra"),
        ("nl", "'t Counter Light", "in de Kitchen", "nee, de andere"),
        ("pl", "moje Counter Light", "w Kitchen", "nie, tę drugą"),
    ],
)
async def test_names_are_read_in_the_language_that_was_spoken(
    house: HomeAssistant, language: str, name: str, area: str, other: str
) -> None:
    counter = {"name": "Counter Light", "domain": ["light"]}
    assert repaired(house, LIGHTS, name=name, area=area, language=language) == counter
    utterance = f"Ceiling Light\n{other}"
    assert (
        repaired(house, LIGHTS, name="counter light", utterance=utterance, language=language)
        == counter
    )
    with pytest.raises(Refusal):
        repaired(house, LIGHTS, name="counter light", utterance=utterance, language="xx")


async def test_what_is_said_in_another_language_than_the_names_is_taken_from_the_call(
    house: HomeAssistant,
) -> None:
    lamp, utterance = "Counter Light", "enciende la luz de la cocina"
    made = repaired(house, LIGHTS, name=lamp, utterance=utterance, language="es")
    assert made == {"name": lamp, "domain": ["light"]}
    for language, said in (("es", "enciende la persiana de la cocina"), ("en", "turn on a lamp")):
        with pytest.raises(Refusal):
            repaired(house, LIGHTS, name=lamp, utterance=said, language=language)


WORDS = st.sampled_from(
    ["", "Kitchen", "Upstairs", "Ground", "Bedroom", "Cellar", "Attic", "light", "lights", "cover",
     "Reading Lamp", "Ceiling Light", "Lamp", "blind", "door", "vacuum", "Robo", "Garden Valve"]
)  # fmt: skip


@given(
    arguments=st.fixed_dictionaries(
        {
            "name": WORDS | st.text(max_size=12),
            "area": WORDS | st.text(max_size=12),
            "floor": WORDS,
            "domain": st.lists(WORDS, max_size=2),
            "device_class": st.lists(WORDS, max_size=2),
        }
    ),
    utterance=WORDS | st.just("turn off the ceiling light in the kitchen upstairs"),
    speaker=st.sampled_from([None, "kitchen", "bedroom"]),
    domains=st.sampled_from([LIGHTS, ON_OFF]),
)
def test_repair_never_widens(
    house: HomeAssistant,
    arguments: dict[str, Any],
    utterance: str,
    speaker: str | None,
    domains: set[str],
) -> None:
    said = Target.of(arguments)
    home = Home.seen_by(house, ASSISTANT)
    repair = Repair(house, unread(house, utterance, area_id=speaker), domains, all_domains=ALL)
    try:
        target = repair.target(said)
    except Refusal:
        return
    found = acted_upon(house, target.in_place_of({}))
    entities = {entity for entity in found if entity.partition(".")[0] in domains}
    assert entities, "a repaired call finds what it is for"
    if said.name:
        assert len(entities) == 1, "a named device stays one device"
    elif said.area or said.floor:
        areas = {entity.area for entity in home.entities if entity.entity_id in entities}
        assert len(areas) == 1 or {said.area, said.floor} & {"Upstairs", "Ground"}, (
            "a room stays that room"
        )
    else:
        assert len(entities) == 1, "everything is never meant"
