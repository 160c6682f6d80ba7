"""A home in which sentences are said one after the other, each as if it were the first."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
import json
from pathlib import Path
import random
from typing import Any
from zoneinfo import ZoneInfo

from homeassistant.components.conversation.agent_manager import get_agent_manager
from homeassistant.components.intent import async_register_timer_handler
from homeassistant.helpers import area_registry as ar, entity_registry as er

from bench.clock import Clock
from bench.house import House, furnished

from .cases import Case
from .homes import NamedHome, home_of

BEGAN = datetime(2026, 11, 21, 14, tzinfo=ZoneInfo("US/Pacific"))
"""A Saturday, in the time zone of the test helpers' Home Assistant."""
_BEFORE = timedelta(hours=1)
_SENTENCES: dict[str, Any] = {}
"""Home Assistant's own sentences by language: reading them takes seconds."""


@dataclass(slots=True)
class Stage:
    """A home and a clock."""

    house: House
    clock: Clock
    _setup: str = field(default="{}", init=False)

    async def async_begin(self, case: Case, *, is_dirty: bool = False) -> None:
        """Put the home into the states of a case; anew, if an earlier sentence has changed it."""
        setup = json.dumps(case.setup, sort_keys=True)
        if is_dirty or setup != self._setup:
            self.clock.set(BEGAN - _BEFORE)
            known = {each.entity_id for each in self.house.home.entities}
            states = {name: each for name, each in case.setup.items() if name in known}
            await self.house.async_begin(states)
            self._setup = setup
        self.clock.set(datetime.fromisoformat(case.now) if case.now else BEGAN)

    def device_id(self, case: Case) -> str | None:
        """Return Home Assistant's id of the device that is spoken to."""
        return self.house.device_ids.get(case.device or "")


@asynccontextmanager
async def stage_of(name: str, data: Path | None, clock: Clock) -> AsyncGenerator[Stage]:
    """Run a Home Assistant with a home in it, and yield the stage."""
    clock.set(BEGAN - _BEFORE)
    # Once: ids of conversations are made of the time, which stands, and of random numbers.
    random.seed(0)
    named = home_of(name, data)
    async with furnished(named.home) as house:
        default_agent = get_agent_manager(house.hass).default_agent
        assert default_agent
        default_agent._lang_intents = _SENTENCES  # noqa: SLF001 - as the benches do
        _name(house, named)
        for device_id in house.device_ids.values():
            async_register_timer_handler(house.hass, device_id, lambda *_: None)
        await house.hass.async_block_till_done()
        yield Stage(house, clock)
        await asyncio.sleep(0)


def _name(house: House, named: NamedHome) -> None:
    """Give aliases to entities and areas."""
    entities, areas = er.async_get(house.hass), ar.async_get(house.hass)
    aliases: Mapping[str, Any] = named.aliases
    for entity_id, names in aliases.items():
        entities.async_update_entity(entity_id, aliases=[er.COMPUTED_NAME, *names])
    for area, names in named.area_aliases.items():
        areas.async_update(house.area_ids[area], aliases={*names})
