"""Base class of the entities that show the plans: one of each class, whichever entry is loaded."""

from collections.abc import Callable
from typing import override

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from ..texts import async_text
from .plan import Plan
from .plans import PLANS, Plans

_ADDERS: HassKey[dict[type[PlansEntity], dict[str, Callable[[], None]]]] = HassKey(
    f"{DOMAIN}_plans_entities"
)


class PlansEntity(Entity):
    """Shows the home's plans; there is one entity of each subclass."""

    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_unique_id = "plans"
    _attr_translation_key = "plans"

    def __init__(self, plans: Plans) -> None:
        """Take the home's plans."""
        self._plans = plans
        self._end = "{command}"

    @classmethod
    def offer(
        cls,
        hass: HomeAssistant,
        entry: ConfigEntry,
        async_add_entities: AddConfigEntryEntitiesCallback,
    ) -> None:
        """Add the entity for the first loaded entry, and for the next one when that is unloaded."""
        adders = hass.data.setdefault(_ADDERS, {}).setdefault(cls, {})
        adders[entry.entry_id] = lambda: async_add_entities([cls(hass.data[PLANS])])
        if len(adders) == 1:
            adders[entry.entry_id]()

        def unloaded() -> None:
            is_first = next(iter(adders)) == entry.entry_id
            del adders[entry.entry_id]
            if is_first and adders:
                next(iter(adders.values()))()

        entry.async_on_unload(unloaded)

    @override
    async def async_added_to_hass(self) -> None:
        """Load the title of a revert and listen for changes of the plans."""
        await super().async_added_to_hass()
        same = {"command": "{command}"}
        self._end = await async_text(self.hass, self.hass.config.language, "plan_end", same)
        self.async_on_remove(self._plans.async_listen(self.async_write_ha_state))

    def _title(self, plan: Plan) -> str:
        """Return a plan's title: the command as it was spoken."""
        words = plan.spoken.text.strip()
        if plan.is_ending:
            return self._end.format(command=words)
        return words[:1].upper() + words[1:]
