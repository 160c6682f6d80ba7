"""Which list a call may be for where the user named none."""

from contextlib import nullcontext

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.tools.assist.call_errors import Refusal

from .test_target_repair import ASSISTANT, house, repaired  # noqa: F401 - a fixture


@pytest.mark.parametrize(
    ("utterance", "is_meant"),
    [("take the milk off", True), ("take the milk off the tasks", False)],
)
def test_any_list_may_be_meant_where_none_is_named(
    house: HomeAssistant,  # noqa: F811
    utterance: str,
    is_meant: bool,
) -> None:
    for name in ("Groceries", "Tasks"):
        entity_id = f"todo.{name.lower()}"
        async_expose_entity(house, ASSISTANT, entity_id, should_expose=True)
        house.states.async_set(entity_id, "1", {"friendly_name": name})
    with nullcontext() if is_meant else pytest.raises(Refusal):
        repaired(house, {"todo"}, name="Groceries", utterance=utterance)
