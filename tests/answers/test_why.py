"""Why something is as it is, and who did that: told, as far as anybody may know it."""

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components import conversation
from homeassistant.components.automation import EVENT_AUTOMATION_TRIGGERED
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.answers.change_log import async_watch_changes
from custom_components.voice_gateway.const import EVENT_ACTED, EVENT_PLAN
from custom_components.voice_gateway.home.exposed import Home
from tests.nlu.test_triggers import become, build

from ..tables import table
from .homes import ask

ASKED, TOLD = table(__file__, "ASKED"), table(__file__, "TOLD")
AUTOMATION = "automation.sunset"


@pytest.fixture
async def house(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> HomeAssistant:
    for domain in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, domain, {})
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to("2026-03-04 18:12:00+00:00")
    async_watch_changes(hass)
    return hass


async def answer(hass: HomeAssistant, text: str, language: str, context: Context) -> str | None:
    told = await ask(hass, Home.seen_by(hass, conversation.DOMAIN), text, language, context)
    return told.text if told else None


def change(hass: HomeAssistant, entity_id: str, state: str, context: Context) -> None:
    """Have an entity come into a state in a context."""
    old = hass.states.get(entity_id)
    assert old
    hass.states.async_set(entity_id, state, old.attributes, context=context)


async def let_happen(hass: HomeAssistant) -> str:
    """Have something happen to most of the house; return the user id of Anna, who opened the garage."""
    anna = (await hass.auth.async_create_user("Anna's login")).id
    hass.states.async_set("person.anna", "home", {"user_id": anna, "friendly_name": "Anna"})
    hass.states.async_set(AUTOMATION, "on", {"friendly_name": "Sunset lights"})
    async_expose_entity(hass, conversation.DOMAIN, AUTOMATION, should_expose=True)

    def fired(event_type: str, **data: str) -> Context:
        context = Context()
        hass.bus.async_fire(event_type, data, context=context)
        return context

    automated = fired(EVENT_AUTOMATION_TRIGGERED, entity_id=AUTOMATION, name="Sunset lights")
    change(hass, "light.lamp", "on", automated)
    change(hass, "cover.garage", "opening", Context(user_id=anna))
    become(hass, "cover.garage", "open")
    guest = (await hass.auth.async_create_user("A guest's login")).id
    hass.states.async_set("climate.room", "off", {"friendly_name": "Living Room Thermostat"})
    async_expose_entity(hass, conversation.DOMAIN, "climate.room", should_expose=True)
    change(hass, "climate.room", "heat", Context(user_id=guest))
    change(hass, "lock.front", "unlocked", fired(EVENT_ACTED))
    change(hass, "switch.washer", "on", fired(EVENT_CALL_SERVICE))
    change(hass, "media_player.tv", "off", fired(EVENT_CALL_SERVICE))
    change(hass, "media_player.tv", "playing", fired(EVENT_PLAN))
    entry = MockConfigEntry(title="")
    entry.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "entry")}
    )
    er.async_get(hass).async_update_entity("binary_sensor.entry", device_id=device.id)
    become(hass, "binary_sensor.entry", "on")
    await hass.async_block_till_done()
    return anna


@pytest.mark.parametrize("language", ASKED)
async def test_who_or_what_it_was_is_told(house: HomeAssistant, language: str) -> None:
    build(house, language)
    await let_happen(house)
    wrong = [
        (text, expected, found)
        for text, about in ASKED[language]
        if (found := await answer(house, text, language, Context()))
        != (expected := about and TOLD[language].get(about, about))
    ]
    assert wrong == [], "\n".join(map(str, wrong))
