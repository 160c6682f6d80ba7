"""The blueprints are automations that run, with what they ask for and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
import json
from pathlib import Path
import shutil
from typing import Any

from homeassistant.components.persistent_notification import (
    DOMAIN as NOTIFICATIONS,
    Notification,
    UpdateType,
    async_register_callback,
)
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import device_registry as dr
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from homeassistant.util.yaml import parse_yaml
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed  # type: ignore[import-untyped]

from custom_components.voice_gateway.mcp_servers.settings import UrlServer

from .agent import Agent
from .mcp_entry import add_server, set_up_connected
from .mcp_servers.conftest import NewProcesses
from .ollama import MODEL, PlayedOllama, says
from .task import TASK, add_task

pytest_plugins = ("tests.mcp_fixtures",)

BLUEPRINTS = Path(__file__).parents[1] / "blueprints" / "automation" / "voice_gateway"
SOURCE = "https://github.com/voice-gateway/voice-gateway/blob/main/blueprints/automation"
WEATHER = "weather.home"


@dataclass(frozen=True)
class Server:
    """The model server of a task."""

    data: Mapping[str, Any]
    model: str = MODEL


async def told(hass: HomeAssistant, blueprint: str, **inputs: Any) -> list[tuple[str | None, str]]:
    """Run an automation of a blueprint at its time; return the titles and texts of notifications."""
    told: list[tuple[str | None, str]] = []

    def tell(_: UpdateType, notes: dict[str, Notification]) -> None:
        told.extend((note["title"], note["message"]) for note in notes.values())

    async_register_callback(hass, tell)
    shutil.copytree(BLUEPRINTS, hass.config.path("blueprints", "automation", BLUEPRINTS.name))
    assert await async_setup_component(hass, NOTIFICATIONS, {})
    soon = dt_util.now() + timedelta(minutes=1)
    use = {
        "path": f"{BLUEPRINTS.name}/{blueprint}.yaml",
        "input": {"at": soon.strftime("%H:%M:%S"), **inputs},
    }
    automation = {"id": blueprint, "alias": blueprint, "use_blueprint": use}
    assert await async_setup_component(hass, "automation", {"automation": [automation]})
    await hass.async_block_till_done()
    state = hass.states.get(f"automation.{blueprint}")
    assert state
    assert state.state == "on"
    async_fire_time_changed(hass, soon + timedelta(seconds=1))
    await hass.async_block_till_done()
    # It would wait for the same time tomorrow.
    data = {"entity_id": f"automation.{blueprint}"}
    await hass.services.async_call("automation", "turn_off", data, blocking=True)
    return told


@pytest.fixture(autouse=True)
def _own_folder(hass: HomeAssistant, tmp_path: Path) -> None:
    """Let the blueprints be those of a configuration of its own."""
    hass.config.config_dir = str(tmp_path)


@pytest.fixture
def forecast(hass: HomeAssistant) -> None:
    """Let the weather be known."""

    async def get(call: ServiceCall) -> ServiceResponse:
        assert call.data == {"type": "daily", "entity_id": [WEATHER]}
        return {WEATHER: {"forecast": [{"condition": "sunny", "temperature": 24.0}]}}

    hass.services.async_register(
        "weather", "get_forecasts", get, supports_response=SupportsResponse.ONLY
    )


@pytest.mark.parametrize("file", sorted(BLUEPRINTS.glob("*.yaml")), ids=lambda file: file.stem)
def test_blueprint_says_where_it_is_from_and_what_it_asks_for(file: Path) -> None:
    about: Any = parse_yaml(file.read_text())
    about = about["blueprint"]
    assert about["source_url"] == f"{SOURCE}/voice_gateway/{file.name}"
    assert about["description"]
    assert all(asked["name"] and asked["selector"] for asked in about["input"].values())


async def test_agents_answer_is_told(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.answers(says("Two lights are on."))
    notes = await told(agent.hass, "ask_the_agent", agent=agent.entity_id, question="What is on?")
    assert notes == [("What is on?", "Two lights are on.")]
    assert ollama.chats[-1]["messages"][-1]["content"].endswith("What is on?")


@pytest.mark.parametrize(
    ("answer", "notes"),
    [(True, [("Will laundry dry outside today?", "It is sunny.")]), (False, [])],
)
@pytest.mark.usefixtures("forecast")
async def test_task_decides_from_the_forecast(
    hass: HomeAssistant, ollama: PlayedOllama, answer: bool, notes: list[tuple[str, str]]
) -> None:
    await add_task(hass, Server({"kind": "ollama", "url": ollama.url}))
    ollama.answers(says(json.dumps({"answer": answer, "reason": "It is sunny."})))
    assert await told(hass, "decide_with_an_ai_task", task=TASK, weather=WEATHER) == notes
    asked = ollama.chats[-1]
    assert '"condition":"sunny"' in asked["messages"][-1]["content"]
    assert set(asked["format"]["properties"]) == {"answer", "reason"}


async def test_tools_result_is_told(
    hass: HomeAssistant, shared: UrlServer, quick_servers: NewProcesses
) -> None:
    entry = add_server(hass, shared)
    await set_up_connected(hass, entry)
    (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    arguments = {"a": 20, "b": 22}
    notes = await told(hass, "call_a_tool", server=device.id, tool="add", arguments=arguments)
    assert notes == [("add", "42")]
