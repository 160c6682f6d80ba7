"""Home Assistant's intents, called for what the device at hand cannot do in that way."""

import json

from homeassistant.core import HomeAssistant
import pytest

from tests.agent import add_agent
from tests.model_servers import ModelServer, call


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize("position", [0, 50, 100])
async def test_what_only_opens_and_closes_is_told_to_the_model(
    home: HomeAssistant, model_server: ModelServer, position: int, written: bool
) -> None:
    """Which of the two is meant is not guessed: a small model closes with 100."""
    agent = await add_agent(home, model_server)
    move = call("intent__HassSetPosition", name="Garage Door", position=position)
    model_server.answers(
        model_server.says(json.dumps({"name": move.name, "arguments": move.arguments}))
        if written
        else model_server.calls(move),
        model_server.calls(call("intent__HassTurnOff", name="Garage Door")),
    )
    door = {"entity_id": "cover.garage_door"}
    await home.services.async_call("cover", "open_cover", door, blocking=True)
    answer = await agent.hears("see to the garage door, would you")
    refused, done = answer.tool_results
    assert refused.error
    assert "HassTurnOff closes it" in str(refused.data)
    assert not done.error
    assert home.states.is_state("cover.garage_door", "closed")
