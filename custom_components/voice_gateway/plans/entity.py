"""What the entities that show the plans have in common."""

from typing import override

from homeassistant.helpers.entity import Entity

from ..texts import async_text
from .plan import Plan
from .plans import Plans


class PlansEntity(Entity):
    """Shows the home's plans; there is one of each kind."""

    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_unique_id = "plans"
    _attr_translation_key = "plans"

    def __init__(self, plans: Plans) -> None:
        """Take the home's plans."""
        self._plans = plans
        self._end = "{command}"

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the plans."""
        await super().async_added_to_hass()
        same = {"command": "{command}"}
        self._end = await async_text(self.hass, self.hass.config.language, "plan_end", same)
        self.async_on_remove(self._plans.async_listen(self.async_write_ha_state))

    def _title(self, plan: Plan) -> str:
        """Return a plan's title: the words of the command, as they were spoken."""
        words = plan.spoken.text.strip()
        if plan.is_ending:
            return self._end.format(command=words)
        return words[:1].upper() + words[1:]
