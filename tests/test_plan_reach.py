"""Who planned something is reached where they are."""

from collections.abc import Sequence

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components import persistent_notification
from homeassistant.components.assist_satellite import AssistSatelliteEntityFeature as Feature
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import (  # type: ignore[import-untyped]
    MockConfigEntry,
    async_fire_time_changed,
    async_mock_service,
)

from custom_components.voice_gateway.plans.delivery import async_reach
from custom_components.voice_gateway.plans.plan import Plan, Spoken
from custom_components.voice_gateway.plans.plans import PLANS
from custom_components.voice_gateway.plans.runner import async_tell
from custom_components.voice_gateway.plans.schedule import AtTime
from custom_components.voice_gateway.plans.stored import as_json, of_json
from tests.agent import Agent

TEXT = "Reminder: take the bread out."


def add_device(hass: HomeAssistant, name: str, *entities: tuple[str, str]) -> str:
    """Add a device with entities, of which the domain and the platform are given; return its id."""
    entry = MockConfigEntry(domain=entities[0][1])
    entry.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={(entities[0][1], name)}, name=name
    )
    for domain, platform in entities:
        er.async_get(hass).async_get_or_create(
            domain, platform, name, suggested_object_id=name, device_id=device.id
        )
    return device.id


def satellite(hass: HomeAssistant, state: str = "idle", feature: int = Feature.ANNOUNCE) -> str:
    """Add a satellite in a state; return its device's id."""
    device_id = add_device(hass, "hall", (Platform.ASSIST_SATELLITE, "esphome"))
    hass.states.async_set("assist_satellite.hall", state, {"supported_features": feature})
    return device_id


def notifications(hass: HomeAssistant) -> Sequence[str]:
    created = persistent_notification._async_get_or_create_notifications(hass)  # type: ignore[attr-defined]
    return [each["message"] for each in created.values()]


@pytest.fixture
def announced(hass: HomeAssistant) -> list[ServiceCall]:
    calls: list[ServiceCall] = async_mock_service(hass, "assist_satellite", "announce")
    return calls


@pytest.fixture
def sent(hass: HomeAssistant) -> list[ServiceCall]:
    """What is sent to a phone, which is that of a user "anna"."""
    add_device(hass, "phone", ("device_tracker", "mobile_app"), (Platform.NOTIFY, "mobile_app"))
    add_device(hass, "watch", ("device_tracker", "other"), (Platform.NOTIFY, "other"))
    trackers = ["device_tracker.phone", "device_tracker.watch", "device_tracker.gone"]
    hass.states.async_set("person.anna", "home", {"user_id": "anna", "device_trackers": trackers})
    calls: list[ServiceCall] = async_mock_service(hass, "notify", "send_message")
    return calls


def spoken(device_id: str | None, user_id: str | None = "anna") -> Spoken:
    return Spoken(text="", language="en", agent_id="", user_id=user_id, device_id=device_id)


async def test_satellite_that_was_spoken_to_speaks(
    hass: HomeAssistant, announced: list[ServiceCall], sent: list[ServiceCall]
) -> None:
    await async_reach(hass, spoken(satellite(hass)), "1", TEXT)
    assert [each.data["message"] for each in announced] == [TEXT]
    assert [each.data["entity_id"] for each in announced] == ["assist_satellite.hall"]
    assert not notifications(hass)
    assert not sent


@pytest.mark.parametrize(
    ("state", "feature"), [("unavailable", Feature.ANNOUNCE), ("idle", Feature(0)), ("", None)]
)
async def test_where_no_satellite_can_speak_it_is_a_notification_and_on_the_phone(
    hass: HomeAssistant,
    announced: list[ServiceCall],
    sent: list[ServiceCall],
    state: str,
    feature: Feature | None,
) -> None:
    device_id = None if feature is None else satellite(hass, state, feature)
    await async_reach(hass, spoken(device_id), "1", TEXT)
    assert not announced
    assert notifications(hass) == [TEXT]
    assert [each.data["entity_id"] for each in sent] == ["notify.phone"]
    assert [each.data["message"] for each in sent] == [TEXT]


async def test_nobody_else_s_phone_is_told(hass: HomeAssistant, sent: list[ServiceCall]) -> None:
    await async_reach(hass, spoken(None, None), "1", TEXT)
    await async_reach(hass, spoken(None, "bert"), "2", TEXT)
    assert notifications(hass) == [TEXT, TEXT]
    assert not sent


async def test_satellite_that_fails_is_no_reason_to_be_silent(hass: HomeAssistant) -> None:
    async_mock_service(
        hass, "assist_satellite", "announce", raise_exception=HomeAssistantError("busy")
    )
    await async_reach(hass, spoken(satellite(hass)), "1", TEXT)
    assert notifications(hass) == [TEXT]


async def test_what_went_wrong_is_spoken_and_stays(
    hass: HomeAssistant, announced: list[ServiceCall]
) -> None:
    now = dt_util.utcnow()
    plan = Plan(spoken=spoken(satellite(hass)), made=now, when=AtTime(at=now))
    await async_tell(hass, plan, "plan_failed")
    await hass.async_block_till_done()
    assert [each.data["message"] for each in announced] == notifications(hass)
    assert len(announced) == 1


async def test_reminder_is_spoken_at_its_moment_once(
    agent: Agent, announced: list[ServiceCall], freezer: FrozenDateTimeFactory
) -> None:
    hass = agent.hass
    device_id = satellite(hass)
    for sentence in (
        "remind me in ten minutes to take the bread out",
        "whenever the kitchen window opens, let me know",
    ):
        await agent.hears(sentence, device_id=device_id)
    freezer.tick(601)
    async_fire_time_changed(hass)
    await hass.async_block_till_done()
    assert [each.data["message"] for each in announced] == [TEXT]
    hass.states.async_set("cover.kitchen_window", "closed", {"friendly_name": "Kitchen Window"})
    await hass.async_block_till_done()
    hass.states.async_set("cover.kitchen_window", "open", {"friendly_name": "Kitchen Window"})
    await hass.async_block_till_done()
    assert announced[-1].data["message"] == "The kitchen window opens."
    assert len(announced) == 2
    assert len(hass.data[PLANS].all) == 1


async def test_reminder_is_stored_as_it_is(agent: Agent) -> None:
    await agent.hears("remind me at five to take the bread out")
    (plan,) = agent.hass.data[PLANS].all
    assert plan.say
    assert of_json(Plan, as_json(plan)) == plan
