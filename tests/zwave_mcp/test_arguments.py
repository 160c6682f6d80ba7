"""What models send as arguments, and what of it is understood."""

from typing import Any

import pytest

from custom_components.voice_gateway.zwave_mcp.answers import NoAnswerError
from custom_components.voice_gateway.zwave_mcp.arguments import checked

SCHEMA = {
    "type": "object",
    "properties": {
        "deviceName": {"type": "string"},
        "level": {"type": "integer", "minimum": 0, "maximum": 100},
        "temperature": {"type": "number"},
        "limit": {"type": "integer", "minimum": 1},
        "includeInactive": {"type": "boolean"},
    },
    "required": ["deviceName"],
}


@pytest.mark.parametrize(
    ("name", "given", "understood"),
    [
        ("level", 40, 40),
        ("level", "40", 40),
        ("level", "40 %", 40),
        ("level", 40.0, 40),
        ("temperature", "21,5 °C", 21.5),
        ("temperature", 21, 21.0),
        ("includeInactive", "true", True),
        ("includeInactive", False, False),
    ],
)
def test_values_become_what_the_schema_says(name: str, given: Any, understood: Any) -> None:
    assert checked(SCHEMA, {"deviceName": "x", name: given}) == {
        "deviceName": "x",
        name: understood,
    }


def test_numbers_are_names_too_and_null_is_nothing() -> None:
    assert checked(SCHEMA, {"deviceName": 12, "level": None}) == {"deviceName": "12"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "deviceName is missing"),
        ({"deviceName": ""}, "deviceName is missing"),
        ({"deviceName": "x", "color": "red"}, "color is not an argument"),
        ({"deviceName": "x", "level": "half"}, "level is a number, not 'half'"),
        ({"deviceName": "x", "level": True}, "level is a number, not True"),
        ({"deviceName": "x", "level": 2.5}, "level is a whole number, not 2.5"),
        ({"deviceName": "x", "level": 101}, "level is 0 to 100, not 101"),
        ({"deviceName": "x", "limit": 0}, "limit is 1 or more, not 0"),
        ({"deviceName": ["x"]}, "deviceName is a text, not ['x']"),
        ({"deviceName": "x", "includeInactive": "maybe"}, "includeInactive is true or false"),
    ],
)
def test_what_is_not_understood_is_named_with_what_is_needed(
    given: dict[str, Any], said: str
) -> None:
    with pytest.raises(NoAnswerError) as error:
        checked(SCHEMA, given)
    assert said in str(error.value)
    assert "Arguments: deviceName (needed), level," in str(error.value)


def test_every_problem_is_named_at_once() -> None:
    with pytest.raises(NoAnswerError) as error:
        checked(SCHEMA, {"device_name": "x", "level": "x"})
    for said in ("deviceName is missing", "device_name is not an argument", "level is a number"):
        assert said in str(error.value)
