"""Base class of the entities that show the plans."""

from typing import override

from homeassistant.core import HomeAssistant

from ..home_entity import HomeEntity
from ..languages.dates import begun
from ..texts import async_text
from .plan import Plan
from .plans import PLANS


class PlansEntity(HomeEntity):
    """Shows the home's plans."""

    _attr_unique_id = "plans"
    _attr_translation_key = "plans"

    def __init__(self, hass: HomeAssistant) -> None:
        """Take the home's plans."""
        self._plans = hass.data[PLANS]
        self._end = "{command}"

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
        return begun(words)
