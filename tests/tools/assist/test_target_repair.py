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

from ...tables import table

ASSISTANT = "conversation"
LIGHTS = {"light"}
ON_OFF = {"light", "cover", "fan", "lock", "switch", "valve"}
DOMAINS = {"lights": LIGHTS, "on_off": ON_OFF}
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


async def test_target_is_corrected_where_that_is_certain(house: HomeAssistant) -> None:
    for utterance, domains, said, becomes in table(__file__, "REPAIRS"):
        row = utterance, said
        if isinstance(becomes, str):
            with pytest.raises(Refusal) as refused:
                repaired(house, DOMAINS[domains], utterance=utterance, **said)
            assert str(refused.value).startswith(becomes), row
        else:
            target = repaired(house, DOMAINS[domains], utterance=utterance, **said)
            assert sorted(acted_upon(house, target)) == becomes, row


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
