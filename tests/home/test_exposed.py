"""The home, as far as an assistant sees it."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
import pytest

from custom_components.voice_gateway.home.exposed import Exposed, Home

ASSISTANT = "conversation"


def seen(home: HomeAssistant) -> dict[str, Exposed]:
    return {entity.entity_id: entity for entity in Home.seen_by(home, ASSISTANT).entities}


async def test_exposed_devices_are_where_they_or_their_devices_are(home: HomeAssistant) -> None:
    areas = ar.async_get(home)
    kitchen = areas.async_get_area_by_name("Kitchen")
    bedroom = areas.async_get_area_by_name("Bedroom")
    assert kitchen
    assert bedroom
    devices = seen(home)
    assert devices["light.kitchen_lights"].area == kitchen.id
    assert devices["light.bed_light"].area == bedroom.id
    assert devices["light.ceiling_lights"].area == ""
    # What is no device of Home Assistant's registry is in no area either.
    assert devices["media_player.walkman"].area == ""
    home_now = Home.seen_by(home, ASSISTANT)
    assert set(home_now.areas) == {kitchen.id, bedroom.id}
    assert {floor.name for floor in home_now.floors.values()} == {"Ground floor", "Upstairs"}
    assert home_now.domains == {"light", "cover", "media_player"}
    assert "garage" in home_now.telling_classes({"cover"})
    assert "garage" not in home_now.telling_classes({"switch"})


async def test_entitys_own_area_goes_before_its_devices(home: HomeAssistant) -> None:
    entity = er.async_get(home).async_update_entity("light.bed_light", name="Reading lamp")
    attic = ar.async_get(home).async_create("Attic")
    er.async_get(home).async_update_entity(entity.entity_id, area_id=attic.id)
    await home.async_block_till_done()
    assert seen(home)["light.bed_light"].area == attic.id


async def test_what_is_not_exposed_is_not_seen(home: HomeAssistant) -> None:
    async_expose_entity(home, ASSISTANT, "light.bed_light", should_expose=False)
    home.states.async_set("calendar.family", "off")
    home.states.async_set("script.party", "off")
    for entity_id in ("calendar.family", "script.party"):
        async_expose_entity(home, ASSISTANT, entity_id, should_expose=True)
    devices = seen(home)
    assert "light.bed_light" not in devices
    # These are tools of their own.
    assert "calendar.family" not in devices
    assert "script.party" not in devices
    bedroom = ar.async_get(home).async_get_area_by_name("Bedroom")
    assert bedroom
    assert bedroom.id not in Home.seen_by(home, ASSISTANT).areas


@pytest.mark.requirement("A3")
async def test_order_depends_on_nothing_but_the_home(home: HomeAssistant) -> None:
    before = Home.seen_by(home, ASSISTANT).entities
    states = list(home.states.async_all())
    for state in states:
        home.states.async_remove(state.entity_id)
    for state in reversed(states):
        home.states.async_set(state.entity_id, "unknown", state.attributes)
    assert Home.seen_by(home, ASSISTANT).entities == before


async def test_aliases_come_after_the_name(home: HomeAssistant) -> None:
    er.async_get(home).async_update_entity(
        "light.bed_light", aliases=[er.COMPUTED_NAME, "Night lamp", "Snooze"]
    )
    names = seen(home)["light.bed_light"].names
    assert names[0] == "Bed Light"
    assert set(names[1:]) == {"Night lamp", "Snooze"}


async def test_called_so_is_who_has_the_name_word_by_word_or_the_id(home: HomeAssistant) -> None:
    er.async_get(home).async_update_entity(
        "light.bed_light", aliases=[er.COMPUTED_NAME, "Walkman", "Snooze"]
    )
    known = Home.seen_by(home, ASSISTANT)
    for name, ids in (
        ("bed  LIGHT", {"light.bed_light"}),
        ("snooze", {"light.bed_light"}),
        ("light.bed_light", {"light.bed_light"}),
        ("walkman", {"light.bed_light", "media_player.walkman"}),
        ("bed", set()),
        ("", set()),
        ("bed light" * 50, set()),
    ):
        assert {each.entity_id for each in known.called(name)} == ids, name


async def test_group_of_what_keeps_people_out_does_so_too(home: HomeAssistant) -> None:
    """Home Assistant's groups have no class of their own, and a group may have groups."""
    for name, device_class in (("left", "garage"), ("right", None)):
        home.states.async_set(f"cover.{name}", "closed", {"device_class": device_class})
    home.states.async_set("lock.side", "locked")
    groups = {
        "cover.bays": ["cover.right", "cover.left"],
        "cover.blinds": ["cover.right"],
        "group.ways_in": ["group.all_doors", "light.bed_light"],
        "group.all_doors": ["lock.side", "group.ways_in"],
    }
    for entity_id, members in groups.items():
        home.states.async_set(entity_id, "off", {"entity_id": members})
        async_expose_entity(home, ASSISTANT, entity_id, should_expose=True)
    found = seen(home)
    assert {each: found[each].device_class for each in groups} == {
        "cover.bays": "garage",
        "cover.blinds": None,
        "group.ways_in": "lock",
        "group.all_doors": "lock",
    }
