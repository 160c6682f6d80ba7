"""What the demo tells of a turn, to people and to programs."""

from typing import Any

import pytest

from script.house.report import as_object, report
from script.house.turn import Change, Turn, changes


def state(entity_id: str, value: str, **attributes: Any) -> dict[str, Any]:
    return {"entity_id": entity_id, "state": value, "attributes": attributes}


def test_people_read_calls_changes_answer_and_times() -> None:
    turn = Turn(
        "turn on the kitchen lights",
        [
            {
                "id": "1",
                "name": "intent__HassTurnOn",
                "arguments": {"name": "Kitchen Lights"},
                "result": {"response_type": "action_done"},
                "failed": False,
            }
        ],
        [
            Change(
                "light.kitchen_lights",
                "Kitchen Lights",
                {"state": "off", "brightness": None},
                {"state": "on", "brightness": 180},
            )
        ],
        "Turned on the light",
        seconds={"start": 6.0, "understand": 3.21, "act": 0.1},
    )
    assert report(turn).splitlines() == [
        '  called   intent__HassTurnOn(name="Kitchen Lights")',
        "  changed  Kitchen Lights: off → on, brightness 71 %",
        "  answer   Turned on the light",
        "  took     9.3 s: starting 6.0 s, understanding 3.2 s, acting 0.1 s",
    ]
    assert as_object(turn)["seconds"]["total"] == 9.31


def test_what_was_refused_and_what_was_found_is_told() -> None:
    refused = {"name": "a", "arguments": {}, "result": {"error": "No such device"}, "failed": True}
    found = {"name": "b", "arguments": {}, "result": {"time": "07:48"}, "failed": False}
    told = report(Turn("?", [refused, found], answer="Sorry.", failed=True))
    assert "failed: No such device" in told
    assert '{"time": "07:48"}' in told
    assert "changed  nothing" in told
    assert "failed   Sorry." in told


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"volume_level": 0.5}, {"volume_level": 0.3}, "volume 50 % → 30 %"),
        ({"temperature": 20}, {"temperature": 22}, "temperature 20 °C → 22 °C"),
        ({"current_position": 70}, {"current_position": 0}, "position 70 % → 0 %"),
        ({"rgb_color": None}, {"rgb_color": [255, 0, 0]}, "colour #ff0000"),
        ({"is_volume_muted": False}, {"is_volume_muted": True}, "is volume muted False → True"),
    ],
)
def test_a_change_is_told_with_its_unit(
    before: dict[str, Any], after: dict[str, Any], told: str
) -> None:
    states = [{"fan.x": state("fan.x", "on", **attributes)} for attributes in (before, after)]
    assert f"fan.x: {told}" in report(Turn("", changes=changes(*states)))


def test_what_changes_by_itself_is_no_change() -> None:
    before = {
        "sensor.power": state("sensor.power", "100"),
        "media_player.tv": state("media_player.tv", "playing", media_position=1),
    }
    after = {
        "sensor.power": state("sensor.power", "101"),
        "media_player.tv": state("media_player.tv", "playing", media_position=2),
    }
    assert changes(before, after) == []
