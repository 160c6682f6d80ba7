"""Which calls undo each other, and at which percentage a device is off or on."""

from typing import Any

from homeassistant.helpers import intent
import pytest

from custom_components.voice_gateway.tools.inverse_intents import (
    BEGINS,
    ENDS,
    has_inverse,
    is_end_of,
    is_inverse,
)

ON, OFF = intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF
LIGHT, POSITION = "HassLightSet", intent.INTENT_SET_POSITION
PAIRS = [
    (ON, OFF),
    ("HassPauseTimer", "HassUnpauseTimer"),
    ("HassIncreaseTimer", "HassDecreaseTimer"),
    ("HassListAddItem", "HassListRemoveItem"),
    ("HassMediaNext", "HassMediaPrevious"),
    ("HassMediaPause", "HassMediaUnpause"),
    ("HassMediaPlayerMute", "HassMediaPlayerUnmute"),
    *((BEGINS[domain], ENDS[domain]) for domain in BEGINS),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_each_of_two_undoes_the_other_alone(one: str, other: str) -> None:
    assert has_inverse(one)
    assert has_inverse(other)
    every = {each for pair in PAIRS for each in pair}
    assert [each for each in every if is_inverse(one, {}, each)] == [other]
    assert [each for each in every if is_inverse(other, {}, each)] == [one]


@pytest.mark.parametrize(
    ("intent_type", "arguments", "asked_for", "is_so"),
    [
        (LIGHT, {"brightness": 0}, ON, True),
        (LIGHT, {"brightness": 0}, OFF, False),
        (LIGHT, {"brightness": 100}, OFF, True),
        (LIGHT, {"brightness": 100}, ON, False),
        (LIGHT, {"brightness": 1}, ON, False),
        (LIGHT, {"brightness": 99}, OFF, False),
        (LIGHT, {"brightness": [0]}, ON, False),
        (LIGHT, {"brightness": "0"}, ON, False),
        (LIGHT, {"color": "red"}, OFF, False),
        (POSITION, {"position": 0}, ON, True),
        (POSITION, {"position": 100}, OFF, True),
        # Whatever its value, to turn off is the opposite of turning on.
        (OFF, {"position": 50}, ON, True),
        (LIGHT, {}, "HassGetState", False),
        # The shopping list has intents of its own.
        ("HassListRemoveItem", {}, "HassShoppingListAddItem", True),
        ("HassShoppingListRemoveItem", {}, "HassListAddItem", True),
        ("HassShoppingListAddItem", {}, "HassListAddItem", False),
        ("HassListCompleteItem", {}, "HassShoppingListAddItem", False),
    ],
)
def test_all_of_it_is_on_and_nothing_of_it_off(
    intent_type: str, arguments: dict[str, Any], asked_for: str, is_so: bool
) -> None:
    assert is_inverse(intent_type, arguments, asked_for) is is_so


def test_a_percentage_is_the_end_that_an_intent_comes_to() -> None:
    ends = [(0, OFF), (100, ON)]
    said = (0, 1, 99, 100, None, "0", [0])
    assert [(each, on_off) for each in said for on_off in (ON, OFF) if is_end_of(each, on_off)] == (
        ends
    )
    assert not has_inverse(LIGHT)
