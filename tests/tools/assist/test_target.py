"""What a call is to act upon, in whatever form a model writes it."""

from typing import Any

import pytest

from custom_components.voice_gateway.tools.assist.target import Target


@pytest.mark.parametrize(
    ("arguments", "target"),
    [
        ({}, Target()),
        ({"name": " Bed Light ", "area": ""}, Target(name="Bed Light")),
        ({"name": None, "area": 3, "floor": ["Upstairs"]}, Target()),
        ({"domain": "light"}, Target(domains=("light",))),
        ({"domain": '["light", "switch"]'}, Target(domains=("light", "switch"))),
        # Of blanks, and of what is no text, there is nothing.
        ({"domain": ["light", "", " ", None, 7, " fan "]}, Target(domains=("light", "fan"))),
        ({"device_class": {"window": True}}, Target()),
        ({"device_class": ["window"]}, Target(device_classes=("window",))),
    ],
)
def test_target_is_read_from_what_was_written(arguments: dict[str, Any], target: Target) -> None:
    assert Target.of(arguments) == target


def test_target_takes_the_place_of_what_was_written_and_leaves_the_rest() -> None:
    target = Target(name="Lamp", domains=("light",))
    given = {"area": "Attic", "name": "lampp", "brightness": 0, "domain": "lights"}
    assert target.in_place_of(given) == {"name": "Lamp", "domain": ["light"], "brightness": 0}
