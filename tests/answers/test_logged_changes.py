"""What was before Home Assistant started, from a real database: as its logbook tells."""

from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.logbook.processor import EventProcessor
from homeassistant.components.recorder import Recorder, get_instance
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest

from custom_components.voice_gateway.answers.change_log import CHANGES, ActorKind
from custom_components.voice_gateway.answers.logged_changes import async_logged
from tests.agent import add_agent
from tests.ollama import PlayedOllama

BED = "light.bed_light"
ON = frozenset(("on",))


@pytest.fixture(autouse=True)
def _custom_integrations(recorder_db_url: str, enable_custom_integrations: None) -> None:
    """Let Home Assistant see custom_components, once there is a database for it."""


@pytest.fixture
async def recorded(recorder_mock: Recorder, hass: HomeAssistant) -> HomeAssistant:
    """Home Assistant with a real database, and its logbook."""
    for domain in ("homeassistant", "conversation", "llm", "automation", "script", "logbook"):
        assert await async_setup_component(hass, domain, {})
    return hass


async def test_logbook_tells_what_was_before_the_start(
    recorded: HomeAssistant, hass_admin_user: User, freezer: FrozenDateTimeFactory
) -> None:
    """What changes is noted as it comes; a second time, as if it had been before the start."""
    hass = recorded
    assert await async_setup_component(hass, "voice_gateway", {})
    await hass.async_block_till_done()
    hass.states.async_set("person.anna", "home", {"user_id": hass_admin_user.id})
    causes: list[tuple[str, Context, ActorKind]] = []

    def after(event_type: str, by: ActorKind, **data: Any) -> None:
        context = Context()
        hass.bus.async_fire(event_type, data, context=context)
        causes.append((f"switch.{by}", context, by))

    after("automation_triggered", ActorKind.AUTOMATION, entity_id="automation.x", name="X")
    after("script_started", ActorKind.SCRIPT, entity_id="script.y", name="Y")
    after("voice_gateway_acted", ActorKind.VOICE, agent_id="conversation.jarvis", entity_id=[])
    after("voice_gateway_acted", ActorKind.TASK, agent_id="ai_task.jarvis", entity_id=[])
    after("voice_gateway_plan_carried_out", ActorKind.PLAN, agent_id="conversation.jarvis")
    causes.append(("switch.person", Context(user_id=hass_admin_user.id), ActorKind.PERSON))
    causes.append(("switch.unknown", Context(), ActorKind.UNKNOWN))
    for entity_id, context, _ in causes:
        for state, own in (("off", None), ("on", context), ("unavailable", None), ("on", None)):
            freezer.tick(1)
            hass.states.async_set(entity_id, state, {"friendly_name": entity_id}, context=own)
    await get_instance(hass).async_block_till_done()
    for entity_id, _, by in causes:
        change = await async_logged(hass, entity_id, ON)
        assert change, entity_id
        assert (change.state, change.before, change.cause.by) == ("on", "off", by), entity_id
        live = hass.data[CHANGES].into(entity_id, ON)
        assert live
        assert abs(live.at - change.at).total_seconds() < 0.01
        # Of itself, or of nobody: the logbook does not tell these apart.
        assert live.cause.by == (ActorKind.ITSELF if by is ActorKind.UNKNOWN else by)
    assert await async_logged(hass, "switch.nobody", ON) is None


async def test_logbook_tells_what_an_agent_did(
    recorded: HomeAssistant, ollama: PlayedOllama
) -> None:
    hass = recorded
    began = dt_util.utcnow()
    assert await async_setup_component(hass, "light", {"light": {"platform": "demo"}})
    await hass.async_block_till_done()
    async_expose_entity(hass, conversation.DOMAIN, BED, should_expose=True)
    agent = await add_agent(hass, ollama.url, reflex=True)
    assert not (await agent.hears("turn off the bed light")).is_error
    assert not (await agent.hears("turn on the bed light")).is_error
    await get_instance(hass).async_block_till_done()

    def read() -> list[dict[str, Any]]:
        events = ("voice_gateway_acted", "call_service")
        processor = EventProcessor(hass, events, entity_ids=[BED])
        return processor.get_events(began, dt_util.utcnow())

    rows = await get_instance(hass).async_add_executor_job(read)
    row = [each for each in rows if each.get("state") == "on"][-1]
    assert row["context_name"] == "Jarvis"
    assert row["context_message"] == "as it was asked: Bed Light"
    assert row["context_domain"] == "voice_gateway"
