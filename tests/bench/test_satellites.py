"""The benches of many satellites, and of yes and no: what they ask of whom."""

import tomllib

import pytest

from bench.evaluate import QUESTIONS
from bench.satellites import MANY, home_of


@pytest.mark.parametrize("count", [16, MANY])
def test_each_satellite_has_a_room_and_a_light_of_its_own(count: int) -> None:
    home = home_of(count)
    assert len({each.area for each in home.entities}) == count
    assert len({each.name for each in home.entities}) == count
    # A satellite is a device in the room.
    assert {each.area for each in home.entities} <= {each.area for each in home.devices}


def test_who_always_says_yes_is_right_half_the_time() -> None:
    questions = tomllib.loads(QUESTIONS.read_text("utf-8"))["questions"]
    assert len(questions) == 40
    assert sum(questions.values()) == 20
