"""The home in which a sentence is said: the demo's, or that of a file."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from tempfile import TemporaryDirectory

from homeassistant.components.demo import DOMAIN as DEMO
from homeassistant.components.homeassistant.const import DATA_EXPOSED_ENTITIES
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component import common  # type: ignore[import-untyped]

from bench.home import Home
from bench.house import furnished, home_assistant
from custom_components.voice_gateway.const import DOMAIN
from script.house.devices import ASSISTANT, EXPOSED


class InvalidArgument(Exception):
    """What was asked for is not there, or can't be read; its text says why in one line."""


_NEEDED = ("intent", "llm", DOMAIN)


@asynccontextmanager
async def running(home: Home | None, area_id: str) -> AsyncGenerator[tuple[HomeAssistant, str]]:
    """Run a Home Assistant with a home in it, the demo's where none is given.

    Yields it with the id of a device in an area, which is named by its id in the home's file; an
    empty one without an area. Raises InvalidArgument for a home that Home Assistant does not take.
    """
    async with AsyncExitStack() as stack:
        if home is None:
            hass = await stack.enter_async_context(_demo())
            device_id = ""
        else:
            try:
                house = await stack.enter_async_context(furnished(home))
            except RuntimeError as err:
                why = str(err).partition(";")[0]
                raise InvalidArgument(f"{home.name}: not a home for Home Assistant: {why}") from err
            hass = house.hass
            area = house.area_ids[area_id] if area_id else None
            device_id = _speaker(hass, house.entry_id, area) if area else ""
        for domain in _NEEDED:
            await _set_up(hass, domain)
        yield hass, device_id


@asynccontextmanager
async def _demo() -> AsyncGenerator[HomeAssistant]:
    """Run a Home Assistant with those devices of its demo integration that `script/demo` exposes."""
    with TemporaryDirectory() as config_dir:
        async with home_assistant(config_dir) as hass:
            hass.data[DATA_EXPOSED_ENTITIES].async_set_expose_new_entities(ASSISTANT, False)
            entry = common.MockConfigEntry(domain=DEMO)
            entry.add_to_hass(hass)
            if not await hass.config_entries.async_setup(entry.entry_id):
                raise RuntimeError("The demo's devices could not be set up")
            await hass.async_block_till_done()
            for entity_id in EXPOSED:
                async_expose_entity(hass, ASSISTANT, entity_id, True)
            yield hass


async def _set_up(hass: HomeAssistant, domain: str) -> None:
    if not await async_setup_component(hass, domain, {}):
        raise RuntimeError(f"{domain} could not be set up")


def _speaker(hass: HomeAssistant, entry_id: str, area_id: str) -> str:
    """Return the id of a device in an area, which somebody there speaks to."""
    devices = dr.async_get(hass)
    speaker = devices.async_get_or_create(
        config_entry_id=entry_id, identifiers={(DOMAIN, "speaker")}, name="Speaker"
    )
    devices.async_update_device(speaker.id, area_id=area_id)
    return speaker.id
