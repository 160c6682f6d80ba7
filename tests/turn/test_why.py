"""Why something is so, asked of an agent in a home whose automations and scripts are real."""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import async_capture_events  # type: ignore[import-untyped]

from custom_components.voice_gateway.answers.change_log import CHANGES, ActorKind, ChangeLog
from custom_components.voice_gateway.const import EVENT_ACTED
from custom_components.voice_gateway.plans.plans import PLANS
from tests.agent import Agent, add_agent
from tests.ollama import PlayedOllama

BED = "light.bed_light"
WHY = "why is the bed light on?"
UNKNOWN = "I do not know who or what did that."
ON, OFF = frozenset(("on",)), frozenset(("off",))


@pytest.fixture
async def agent(home: HomeAssistant, ollama: PlayedOllama) -> Agent:
    """An agent in a home with an automation and a script that turn on the bed light."""
    act = {"action": "light.turn_on", "target": {"entity_id": BED}}
    automation = {
        "alias": "Sunset lights",
        "triggers": {"trigger": "event", "event_type": "sunset"},
        "actions": [act],
    }
    scripts = {"night": {"alias": "Good night", "sequence": [act]}}
    assert await async_setup_component(home, "automation", {"automation": [automation]})
    assert await async_setup_component(home, "script", {"script": scripts})
    agent = await add_agent(home, ollama.url, reflex=True)
    expose(home, "script.night", is_exposed=False)
    return agent


def expose(hass: HomeAssistant, entity_id: str, *, is_exposed: bool = True) -> None:
    async_expose_entity(hass, conversation.DOMAIN, entity_id, should_expose=is_exposed)


async def turn(
    hass: HomeAssistant, service: str, context: Context | None = None, **data: Any
) -> None:
    data = {"entity_id": BED, **data}
    await hass.services.async_call("light", service, data, blocking=True, context=context)
    await hass.async_block_till_done()


async def of_bed_light(agent: Agent) -> str:
    """Return by whom the agent says that the bed light was turned on; it is off after that."""
    speech = (await agent.hears(WHY)).speech
    await turn(agent.hass, "turn_off")
    begin, _, rest = speech.partition(" at ")
    assert begin == "Bed Light was turned on", speech
    _, half, told = rest.partition("M")
    assert half
    return told.strip()


async def test_automation_is_named_where_it_is_exposed(agent: Agent) -> None:
    hass = agent.hass
    hass.bus.async_fire("sunset")
    await hass.async_block_till_done()
    assert await of_bed_light(agent) == "by an automation."
    expose(hass, "automation.sunset_lights")
    hass.bus.async_fire("sunset")
    await hass.async_block_till_done()
    assert await of_bed_light(agent) == "by the automation Sunset lights."


async def test_who_started_a_script_is_told_as_well(agent: Agent, hass_admin_user: User) -> None:
    hass = agent.hass
    context = Context(user_id=hass_admin_user.id)
    await hass.services.async_call("script", "night", blocking=True, context=context)
    assert await of_bed_light(agent) == "by a script, by someone in Home Assistant."
    expose(hass, "script.night")
    assert not (await agent.hears("run good night")).is_error
    assert await of_bed_light(agent) == "by the script Good night, by voice."


async def test_person_is_named_where_they_are_exposed(agent: Agent, hass_admin_user: User) -> None:
    hass = agent.hass
    context = Context(user_id=hass_admin_user.id)
    await turn(hass, "turn_on", context)
    assert await of_bed_light(agent) == "by someone in Home Assistant."
    hass.states.async_set("person.anna", "home", {"user_id": hass_admin_user.id})
    expose(hass, "person.anna")
    await turn(hass, "turn_on", context)
    assert await of_bed_light(agent) == "by anna."
    program = await hass.auth.async_create_system_user("A program", group_ids=["system-admin"])
    await turn(hass, "turn_on", Context(user_id=program.id))
    assert await of_bed_light(agent) == f". {UNKNOWN}"


async def test_what_voice_and_plans_do_is_known_as_theirs(agent: Agent) -> None:
    hass = agent.hass
    acted = async_capture_events(hass, EVENT_ACTED)
    assert not (await agent.hears("turn on the bed light")).is_error
    assert [each.data["entity_id"] for each in acted] == [[BED]]
    assert await of_bed_light(agent) == "by voice."
    await agent.hears("turn on the bed light in one second")
    (plan,) = hass.data[PLANS].all
    acted.clear()
    await hass.data[PLANS].async_end_now(plan.id)
    await hass.async_block_till_done()
    assert not acted, "The plan has told of it before"
    assert await of_bed_light(agent) == "as planned."
    context = Context()
    await conversation.async_converse(hass, "turn on the bed light", None, context, "en")
    assert await of_bed_light(agent) == "by voice."


async def test_another_brightness_and_an_outage_are_no_reason(
    agent: Agent, hass_admin_user: User
) -> None:
    hass = agent.hass
    hass.bus.async_fire("sunset")
    await hass.async_block_till_done()
    await turn(hass, "turn_on", Context(user_id=hass_admin_user.id), brightness=20)
    state = hass.states.get(BED)
    assert state
    assert state.context.user_id
    hass.states.async_set(BED, "unavailable", state.attributes)
    hass.states.async_set(BED, "on", state.attributes)
    assert await of_bed_light(agent) == "by an automation."
    hass.states.async_set(BED, "unavailable", state.attributes)
    hass.states.async_set(BED, "on", state.attributes)
    assert await of_bed_light(agent) == f". {UNKNOWN}"


async def test_what_is_not_so_is_told_as_it_is_and_who_did_it_last(agent: Agent) -> None:
    hass = agent.hass
    hass.bus.async_fire("sunset")
    await hass.async_block_till_done()
    await turn(hass, "turn_off")
    assert (await agent.hears(WHY)).speech == "Bed Light is off"
    speech = (await agent.hears("who turned on the bed light?")).speech
    assert speech.endswith("by an automation.")


async def test_script_that_turns_on_what_is_not_asked_about_tells_nothing(agent: Agent) -> None:
    changes = agent.hass.data[CHANGES]
    agent.hass.bus.async_fire("sunset")
    await agent.hass.async_block_till_done()
    change = changes.into(BED, ON)
    assert change
    assert change.cause.by is ActorKind.AUTOMATION
    assert changes.into(BED, OFF) is None
    assert changes.into("light.nobody", ON) is None


def test_as_many_changes_are_kept_as_are_of_use(hass: HomeAssistant) -> None:
    changes = ChangeLog(hass)
    hass.states.async_set("switch.a", "off")
    for _ in range(100):
        for state in ("on", "off"):
            hass.states.async_set("switch.a", state)
        hass.states.async_set("sensor.a", str(_))
    assert changes.into("switch.a", ON)
    assert changes.into("sensor.a", frozenset(("99",))) is None
