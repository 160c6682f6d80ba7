"""Houses in which devices do what they are told."""

from collections.abc import AsyncGenerator
from pathlib import Path

from homeassistant.helpers import area_registry as ar, floor_registry as fr
import pytest

from bench.generated import generated
from bench.home import Home, HomeEntity
from bench.house import House, furnished


@pytest.fixture
async def house(data: Path) -> AsyncGenerator[House]:
    async with furnished(Home.read(data / "homes" / "small.yaml")) as furnished_house:
        yield furnished_house


@pytest.mark.parametrize(
    ("service", "entity_id", "state"),
    [
        ("light.turn_off", "light.lamp", "off"),
        ("lock.unlock", "lock.attic_door", "unlocked"),
        ("cover.open_cover", "cover.blinds", "open"),
        ("vacuum.start", "vacuum.robot", "cleaning"),
    ],
)
async def test_device_follows_its_service(
    house: House, service: str, entity_id: str, state: str
) -> None:
    domain, name = service.split(".")

    await house.hass.services.async_call(domain, name, {"entity_id": entity_id}, blocking=True)

    assert house.states()[entity_id]["state"] == state


async def test_devices_are_as_they_were_after_beginning_anew(house: House) -> None:
    before = house.states()
    await house.hass.services.async_call(
        "light", "turn_off", {"entity_id": "light.lamp"}, blocking=True
    )
    assert house.states() != before

    await house.async_begin({})

    assert house.states() == before


async def test_states_of_a_task_hold_for_it_alone(house: House) -> None:
    await house.async_begin({"lock.attic_door": {"state": "unlocked"}})
    assert house.states()["lock.attic_door"]["state"] == "unlocked"

    await house.async_begin({})

    assert house.states()["lock.attic_door"]["state"] == "locked"


async def test_unknown_entity_of_a_task_is_named(house: House) -> None:
    with pytest.raises(ValueError, match=r"light\.sun"):
        await house.async_begin({"light.sun": {"state": "off"}})
    with pytest.raises(ValueError, match=r"small has no light\.sun"):
        await house.async_happen({"light.sun": {"state": "on"}})


def test_house_with_two_things_of_one_id_is_not_read(data: Path, tmp_path: Path) -> None:
    text = (data / "homes" / "small.yaml").read_text(encoding="utf-8")
    twice = text.replace("id: lock.attic_door", "id: light.lamp")
    assert twice != text
    (tmp_path / "twins.yaml").write_text(twice, encoding="utf-8")
    with pytest.raises(ValueError, match=r"twins has more than one light\.lamp"):
        Home.read(tmp_path / "twins.yaml")


async def test_area_has_its_floor_and_its_things(house: House) -> None:
    area = ar.async_get(house.hass).async_get_area_by_name("Hall")

    assert area is not None
    assert area.floor_id is not None
    floor = fr.async_get(house.hass).async_get_floor(area.floor_id)
    assert floor is not None
    assert floor.name == "Ground"


@pytest.mark.parametrize("size", [10, 40, 150, 500])
def test_generated_house_has_so_many_different_entities(size: int) -> None:
    home = generated(size)

    assert len({entity.entity_id for entity in home.entities}) == size
    assert {entity.area for entity in home.entities} <= {area.area_id for area in home.areas}
    assert generated(size) == home


async def test_fan_has_the_speed_that_it_is_given() -> None:
    features = ["fan.FanEntityFeature.SET_SPEED"]
    fan = HomeEntity("fan.fan", "Fan", state="off", attributes={"supported_features": features})
    async with furnished(Home("fan", (), (), (fan,))) as house:
        await house.async_begin({"fan.fan": {"state": "on", "attributes": {"percentage": 50}}})
        assert house.states()["fan.fan"]["percentage"] == 50

        for data, percentage in (({"percentage": 20}, 20), ({}, 100)):
            await house.hass.services.async_call(
                "fan", "turn_on", {"entity_id": "fan.fan", **data}, blocking=True
            )
            assert house.states()["fan.fan"]["percentage"] == percentage


async def test_player_has_the_track_that_a_task_gives_it() -> None:
    player = HomeEntity(
        "media_player.radio",
        "Radio",
        state="playing",
        attributes={
            "supported_features": ["media_player.MediaPlayerEntityFeature.NEXT_TRACK"],
        },
    )
    async with furnished(Home("radio", (), (), (player,))) as house:
        assert house.states()["media_player.radio"]["media_track"] == 0

        await house.async_begin({"media_player.radio": {"attributes": {"media_track": 4}}})
        await house.hass.services.async_call(
            "media_player", "media_next_track", {"entity_id": "media_player.radio"}, blocking=True
        )

        assert house.states()["media_player.radio"]["media_track"] == 5
