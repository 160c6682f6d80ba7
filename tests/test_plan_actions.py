"""Automations make, list and cancel plans."""

from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
import pytest

from custom_components.voice_gateway.const import DOMAIN
from tests.agent import Agent

NOON = "2026-11-23 12:00:00+00:00"
BED = "turn on the bed light"


async def act(hass: HomeAssistant, action: str, **data: Any) -> Any:
    return await hass.services.async_call(DOMAIN, action, data, blocking=True, return_response=True)


@pytest.fixture
async def hass_at_noon(agent: Agent, freezer: FrozenDateTimeFactory) -> HomeAssistant:
    await agent.hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOON)
    return agent.hass


ROWS: list[tuple[dict[str, Any], str]] = [
    ({"command": BED, "when": "at nine"}, "At 9:00 PM I'll turn on the Bed Light"),
    ({"command": BED, "at": "2026-11-24 00:00:00", "agent": "conversation.jarvis"},
     "Tomorrow at 12:00 AM I'll turn on the Bed Light"),
    ({"command": f"{BED} for an hour", "when": "every evening at eight"},
     "Every day at 8:00 PM I'll turn on the Bed Light, for an hour"),
    ({"command": BED, "when": "when the kitchen window opens"},
     "When the kitchen window opens, I'll turn on the Bed Light"),
    ({"command": "remind me to take the bread out", "when": "in an hour"},
     "I'll remind you at 1:00 PM to take the bread out"),
    ({"command": "remind me to take the bread out", "at": "2026-11-23 17:30:00"},
     "I'll remind you at 5:30 PM to take the bread out"),
    ({"command": "let me know", "when": "when the kitchen window opens"},
     "I'll let you know when the kitchen window opens"),
]  # fmt: skip
INVALID: list[tuple[dict[str, Any], str]] = [
    ({"command": BED}, "plan_without_moment"),
    ({"command": BED, "when": "purple"}, "plan_moment_unclear"),
    ({"command": BED, "when": "when the moon falls down"}, "not_on_event"),
    ({"command": BED, "when": "before I go to bed"}, "not_later"),
    ({"command": BED, "at": "2026-11-23 11:00:00"}, "plan_in_the_past"),
    ({"command": BED, "when": "at nine", "agent": "light.bed_light"}, "plan_agent_unknown"),
    ({"command": "make it cosy", "when": "at nine"}, "plan_not_a_command"),
    ({"command": "turn on the attic light", "when": "at nine"}, "plan_not_a_command"),
    ({"command": f"don't {BED}", "when": "at nine"}, "plan_not_a_command"),
    ({"command": "is the bed light on", "when": "at nine"}, "plan_not_a_command"),
    ({"command": f"{BED} at ten", "when": "at nine"}, "plan_not_a_command"),
]


async def test_command_is_planned_for_its_moment(hass_at_noon: HomeAssistant) -> None:
    hass = hass_at_noon
    made = [(await act(hass, "plan", **data), sentence) for data, sentence in ROWS]
    assert [each["sentence"] for each, _ in made] == [sentence for _, sentence in made]
    listed = (await act(hass, "list_plans"))["plans"]
    assert {each["id"]: each["sentence"] for each in listed} == {
        each["id"]: each["sentence"] for each, _ in made
    }
    assert listed[0] == {
        "id": made[4][0]["id"],
        "sentence": "I'll remind you at 1:00 PM to take the bread out",
        "command": "take the bread out",
        "when": "in an hour",
        "next": "2026-11-23T13:00:00+00:00",
        "again": False,
    }
    first = made[0][0]["id"]
    assert await act(hass, "cancel_plan", id=first) == {"cancelled": [first]}
    with pytest.raises(ServiceValidationError, match=first):
        await act(hass, "cancel_plan", id=first)
    with pytest.raises(ServiceValidationError) as error:
        await act(hass, "cancel_plan")
    assert error.value.translation_key == "plan_id_missing"
    assert len((await act(hass, "cancel_plan", all=True))["cancelled"]) == len(ROWS) - 1
    assert await act(hass, "list_plans") == {"plans": []}


async def test_what_can_t_be_planned_is_said(hass_at_noon: HomeAssistant) -> None:
    found = []
    for data, _ in INVALID:
        with pytest.raises(ServiceValidationError) as error:
            await act(hass_at_noon, "plan", **data)
        found.append((data, error.value.translation_key))
    assert found == INVALID
    assert await act(hass_at_noon, "list_plans") == {"plans": []}
