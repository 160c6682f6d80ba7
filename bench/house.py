"""A house in a Home Assistant in this process, with everything in it exposed to Assist."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
import json
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from homeassistant.bootstrap import DATA_REGISTRIES_LOADED
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry, ConfigFlow
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    category_registry as cr,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    frame,
    issue_registry as ir,
    label_registry as lr,
    restore_state as rs,
)
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.loader import DATA_CUSTOM_COMPONENTS
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component import common  # type: ignore[import-untyped]

from bench.configured import DOMAINS as CONFIGURED, async_configure
from bench.device import Device
from bench.devices import entity_for
from bench.home import Home, HomeEntity

DOMAIN = "bench_house"


@dataclass(slots=True)
class House:
    """A running Home Assistant with a house in it.

    `async_begin` makes all its devices anew; who lives there, agents and registries, stays.
    `async_restart` keeps all, and runs another Home Assistant.
    """

    hass: HomeAssistant
    home: Home
    entry_id: str
    running: AsyncExitStack
    """Ends this Home Assistant."""
    device_ids: Mapping[str, str] = field(default_factory=dict)
    """Home Assistant's id of a device, by the file's."""
    area_ids: Mapping[str, str] = field(default_factory=dict)
    """Home Assistant's id of an area, by the file's."""
    entities: Sequence[HomeEntity] = ()
    devices: dict[str, Device] = field(default_factory=dict)
    """What there is now, by entity id."""

    async def async_begin(self, setup: Mapping[str, Mapping[str, Any]]) -> None:
        """Put fresh devices into the house, in the states that a task wants."""
        if self.entities:
            await self.hass.config_entries.async_unload(self.entry_id)
        self.devices.clear()
        self.entities = self.home.with_states(setup)
        if not await self.hass.config_entries.async_setup(self.entry_id):
            raise RuntimeError(f"{self.home.name} could not be set up")
        await self.hass.async_block_till_done()
        there = self.states()
        if lost := [each.entity_id for each in self.entities if each.entity_id not in there]:
            raise RuntimeError(f"{self.home.name} lacks {', '.join(lost)}; --verbose shows why")

    async def async_happen(self, states: Mapping[str, Mapping[str, Any]]) -> None:
        """Let devices be in other states, as a task's `setup` gives them, by themselves.

        Raises ValueError for an entity that the house does not have.
        """
        if unknown := states.keys() - self.devices.keys():
            raise ValueError(f"{self.home.name} has no {', '.join(sorted(unknown))}")
        for entity_id, change in states.items():
            self.devices[entity_id].happen(change.get("state"), change.get("attributes", {}))
        await self.hass.async_block_till_done()

    async def async_restart(self) -> None:
        """Stop Home Assistant, and start one on what it stored. Devices stay as they are.

        Agents are there before the devices, as they may be in any house.
        """
        self.hass.config_entries._async_schedule_save()
        config_dir = self.hass.config.config_dir
        await self.running.aclose()
        self.hass = await self.running.enter_async_context(
            home_assistant(config_dir, CoreState.not_running)
        )
        await self.hass.config_entries.async_initialize()
        _register(self)
        await async_configure(self.hass, self.home)
        entries = self.hass.config_entries.async_entries()
        for entry in sorted(entries, key=lambda entry: entry.entry_id == self.entry_id):
            if not await self.hass.config_entries.async_setup(entry.entry_id):
                raise RuntimeError(f"{entry.title} could not be set up again")
        await self.hass.async_start()
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
async def home_assistant(
    config_dir: str, state: CoreState = CoreState.running
) -> AsyncGenerator[HomeAssistant]:
    """Run a Home Assistant that finds the project's own integration, on what it stored there."""
    async with common.async_test_home_assistant(
        config_dir=config_dir, load_registries=False, initial_state=state
    ) as hass:
        del hass.data[DATA_CUSTOM_COMPONENTS]
        frame.async_setup(hass)
        await _load_registries(hass)
        _listen_on(config_dir, _free_port())
        hass.config.media_dirs = {"local": str(Path(config_dir, "media"))}
        for component in ("homeassistant", "conversation"):
            if not await async_setup_component(hass, component, {}):
                raise RuntimeError(f"{component} could not be set up")
        try:
            yield hass
        finally:
            await hass.async_stop(force=True)


async def _load_registries(hass: HomeAssistant) -> None:
    """Load what Home Assistant stored, as its own start does: its test helper's are never kept."""
    dr.async_setup(hass)
    await asyncio.gather(*(registry.async_load(hass) for registry in (ar, cr, dr, er, fr, ir, lr)))
    await rs.async_load(hass)
    hass.data[DATA_REGISTRIES_LOADED] = None


def _listen_on(config_dir: str, port: int) -> None:
    """Let Home Assistant's own server listen on this computer alone, beside others that run."""
    storage = Path(config_dir, ".storage")
    storage.mkdir(exist_ok=True)
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
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as config_dir,
        common.mock_config_flow(DOMAIN, ConfigFlow),
    ):
        async with AsyncExitStack() as running:
            hass = await running.enter_async_context(home_assistant(config_dir))
            entry = common.MockConfigEntry(domain=DOMAIN, title=home.name)
            entry.add_to_hass(hass)
            house = House(hass, home, entry.entry_id, running)
            _build(house)
            _register(house)
            await async_configure(hass, home)
            await house.async_begin({})
            _place(house)
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
            config_entry_id=house.entry_id,
            identifiers={(DOMAIN, device.device_id)},
            name=device.name,
        )
        devices.async_update_device(entry.id, area_id=area_ids.get(device.area or ""))
        ids[device.device_id] = entry.id
    house.device_ids = ids
    house.area_ids = area_ids


def _place(house: House) -> None:
    """Put entities into areas of their own, where their devices are in none or would name them.

    What has further names has them from then on.
    """
    entities, areas = er.async_get(house.hass), ar.async_get(house.hass)
    for entity_id, names in house.home.aliases.items():
        entities.async_update_entity(entity_id, aliases=[er.COMPUTED_NAME, *names])
    for area_id, names in house.home.area_aliases.items():
        areas.async_update(house.area_ids[area_id], aliases={*names})
    for entity in house.home.entities:
        entry = entities.async_get(entity.entity_id)
        if entity.area and entry and not _is_as_given(house.hass, entry, entity):
            # What has no name of its own is where its device is, and may have a name from then on.
            entities.async_update_entity(
                entity.entity_id, area_id=house.area_ids[entity.area], name=entity.name
            )


def _is_as_given(hass: HomeAssistant, entry: er.RegistryEntry, entity: HomeEntity) -> bool:
    """Tell whether an entity has a device for its place, and its own name, not its device's too."""
    name = er.async_get_full_entity_name(hass, entry)
    return entry.device_id is not None and name.casefold() == entity.name.casefold()


def _register(house: House) -> None:
    """Let Home Assistant know an integration that adds the house's devices."""
    domains = sorted({entity.domain for entity in house.home.entities} - CONFIGURED)

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
                if before := house.devices.get(description.entity_id):
                    entity.remember(before)
                house.devices[description.entity_id] = entity
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
