"""What Home Assistant does to devices, by its services."""

from typing import Any

from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import Event, HomeAssistant, callback


class Deeds:
    """What services do while it watches: `lock.unlock front_door`, and the `values` that they set."""

    def __init__(self, hass: HomeAssistant, *, values: bool = False) -> None:
        """Begin to watch."""
        self._values = values
        self.deeds: list[str] = []
        hass.bus.async_listen(EVENT_CALL_SERVICE, self._note)

    @callback
    def _note(self, event: Event[Any]) -> None:
        data = event.data["service_data"]
        targets = data.get("entity_id") or ()
        for entity_id in [targets] if isinstance(targets, str) else targets:
            if event.data["domain"] != "homeassistant":
                name = entity_id.partition(".")[2]
                set_to = [f"{key}={value}" for key, value in data.items() if key != "entity_id"]
                deed = f"{event.data['domain']}.{event.data['service']} {name}"
                self.deeds.append(" ".join((deed, *(set_to if self._values else ()))))

    def taken(self) -> list[str]:
        """Return what was done since this was asked before."""
        taken, self.deeds = self.deeds, []
        return taken
