"""A house in a Home Assistant in this process, with everything in it exposed to Assist."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry, ConfigFlow
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    floor_registry as fr,
    frame,
)
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.loader import DATA_CUSTOM_COMPONENTS
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component import common  # type: ignore[import-untyped]

from bench.devices import entity_for
from bench.home import Home, HomeEntity

DOMAIN = "bench_house"


@dataclass(slots=True)
class House:
    """A running Home Assistant with a house in it.

    `async_begin` makes all its devices anew; who lives there, agents and registries, stays.
    """

    hass: HomeAssistant
    home: Home
    entry: ConfigEntry
    device_ids: Mapping[str, str] = field(default_factory=dict)
    """Home Assistant's id of a device, by the file's."""
    entities: Sequence[HomeEntity] = ()

    async def async_begin(self, setup: Mapping[str, Mapping[str, Any]]) -> None:
        """Put fresh devices into the house, in the states that a task wants."""
        if self.entities:
            await self.hass.config_entries.async_unload(self.entry.entry_id)
        self.entities = self.home.with_states(setup)
        if not await self.hass.config_entries.async_setup(self.entry.entry_id):
            raise RuntimeError(f"{self.home.name} could not be set up")
        await self.hass.async_block_till_done()

    def states(self) -> dict[str, dict[str, Any]]:
        """Return state and attributes of every entity, in one dictionary each."""
        found = {
            entity.entity_id: self.hass.states.get(entity.entity_id) for entity in self.entities
        }
        return {
            entity_id: {"state": state.state, **state.attributes}
            for entity_id, state in found.items()
            if state is not None
        }


@asynccontextmanager
async def home_assistant() -> AsyncGenerator[HomeAssistant]:
    """Run a Home Assistant that finds the project's own integration."""
    with TemporaryDirectory() as config_dir:
        async with common.async_test_home_assistant(config_dir=config_dir) as hass:
            del hass.data[DATA_CUSTOM_COMPONENTS]
            frame.async_setup(hass)
            _listen_on(config_dir, _free_port())
            for component in ("homeassistant", "conversation"):
                if not await async_setup_component(hass, component, {}):
                    raise RuntimeError(f"{component} could not be set up")
            try:
                yield hass
            finally:
                await hass.async_stop(force=True)


def _listen_on(config_dir: str, port: int) -> None:
    """Let Home Assistant's own server listen on this computer alone, beside others that run."""
    storage = Path(config_dir, ".storage")
    storage.mkdir()
    settings = {"server_host": ["127.0.0.1"], "server_port": port}
    stored = {"version": 1, "minor_version": 1, "key": "http", "data": settings}
    Path(storage, "http").write_text(json.dumps(stored), encoding="utf-8")


def _free_port() -> int:
    with socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@asynccontextmanager
async def furnished(home: Home) -> AsyncGenerator[House]:
    """Run a Home Assistant with a house in it, before anything happened there."""
    async with home_assistant() as hass:
        entry = common.MockConfigEntry(domain=DOMAIN, title=home.name)
        entry.add_to_hass(hass)
        house = House(hass, home, entry)
        _build(house)
        domains = sorted({entity.domain for entity in home.entities})
        _register(house, domains)
        with common.mock_config_flow(DOMAIN, ConfigFlow):
            await house.async_begin({})
            for entity in home.entities:
                async_expose_entity(hass, "conversation", entity.entity_id, True)
            yield house


def _build(house: House) -> None:
    """Put floors, areas and devices into the registries."""
    hass, home = house.hass, house.home
    floors = fr.async_get(hass)
    floor_ids = {
        name: floors.async_create(name).floor_id
        for name in dict.fromkeys(area.floor for area in home.areas if area.floor)
    }
    areas = ar.async_get(hass)
    area_ids = {
        area.area_id: areas.async_create(area.name, floor_id=floor_ids.get(area.floor or "")).id
        for area in home.areas
    }
    devices = dr.async_get(hass)
    ids: dict[str, str] = {}
    for device in home.devices:
        entry = devices.async_get_or_create(
            config_entry_id=house.entry.entry_id,
            identifiers={(DOMAIN, device.device_id)},
            name=device.name,
        )
        devices.async_update_device(entry.id, area_id=area_ids.get(device.area or ""))
        ids[device.device_id] = entry.id
    house.device_ids = ids


def _register(house: House, domains: Sequence[str]) -> None:
    """Let Home Assistant know an integration that adds the house's devices."""

    async def set_up(hass: HomeAssistant, entry: ConfigEntry) -> None:
        await hass.config_entries.async_forward_entry_setups(entry, domains)

    async def unload(hass: HomeAssistant, entry: ConfigEntry) -> None:
        await hass.config_entries.async_unload_platforms_or_raise(entry, domains)

    common.mock_integration(
        house.hass,
        common.MockModule(DOMAIN, async_setup_entry=set_up, async_unload_entry=unload),
    )
    common.mock_platform(house.hass, f"{DOMAIN}.config_flow", SimpleNamespace())
    for domain in domains:
        common.mock_platform(
            house.hass,
            f"{DOMAIN}.{domain}",
            SimpleNamespace(async_setup_entry=_adder(house, domain)),
        )


def _adder(house: House, domain: str) -> Any:
    async def add(
        hass: HomeAssistant, entry: ConfigEntry, add_entities: AddConfigEntryEntitiesCallback
    ) -> None:
        entities = []
        for description in house.entities:
            if description.domain == domain:
                entity = entity_for(description)
                entity.entity_id = description.entity_id
                entity._attr_unique_id = description.entity_id
                entity._attr_name = description.name
                if description.device:
                    entity._attr_device_info = dr.DeviceInfo(
                        identifiers={(DOMAIN, description.device)}
                    )
                entities.append(entity)
        add_entities(entities)

    return add
