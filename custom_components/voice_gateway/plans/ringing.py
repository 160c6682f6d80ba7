"""Timers and alarms that ring: what they say is said again and again, until somebody stops it."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
import datetime as dt
from typing import Any, Final

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later
from homeassistant.util import dt as dt_util

from ..const import DOMAIN
from ..nlu.plan_requests import ReminderForm
from .delivery import async_notify, async_speak, is_listening
from .descriptions import said_at_its_moment
from .plan import Plan

_PAUSE: Final = 12.0
"""Seconds from the end of what was said until it is said again."""
_BUSY: Final = 3.0
"""Seconds until a satellite is tried again to which somebody speaks."""
_LONGEST: Final = {
    ReminderForm.TIMER: dt.timedelta(minutes=5),
    ReminderForm.ALARM: dt.timedelta(minutes=10),
}
"""How long they ring where nobody stops them."""


@dataclass(slots=True)
class _Ring:
    """A timer or an alarm that rings."""

    plan: Plan
    next: CALLBACK_TYPE | None = None
    """Ends the wait until it is said again."""
    is_heard: bool = False
    is_notified: bool = False


class Ringing:
    """Timers and alarms that ring.

    - What they say is said at once, and again after a pause, until they are stopped or have rung for
      some minutes.
    - Nothing is said while somebody speaks to the satellite.
    - Where nothing can speak, there is one notification.
    """

    def __init__(
        self, hass: HomeAssistant, ended: Callable[[Plan, bool], Coroutine[Any, Any, None]]
    ) -> None:
        """Take what is called when one has ended by itself, and with whether anybody can have heard it."""
        self._hass = hass
        self._ended = ended
        self._rings: dict[str, _Ring] = {}

    @property
    def plans(self) -> list[Plan]:
        """What rings, as it was when it began."""
        return [each.plan for each in self._rings.values()]

    @callback
    def begin(self, plan: Plan) -> None:
        """Let a timer or an alarm ring; its words have since when."""
        self._rings[plan.id] = _Ring(plan)
        self._say(plan.id)

    @callback
    def stop(self, plan_id: str) -> bool:
        """Let it ring no more; return whether it did."""
        if (ring := self._rings.pop(plan_id, None)) is None:
            return False
        if ring.next:
            ring.next()
        return True

    @callback
    def stop_all(self) -> None:
        """Let nothing ring any more."""
        for each in [*self._rings]:
            self.stop(each)

    @callback
    def _say(self, plan_id: str, _now: dt.datetime | None = None) -> None:
        if ring := self._rings.get(plan_id):
            ring.next = None
            saying = self._async_say(ring)
            self._hass.async_create_background_task(saying, f"{DOMAIN} ring {plan_id}")

    async def _async_say(self, ring: _Ring) -> None:
        plan, pause = ring.plan, _PAUSE
        if is_listening(self._hass, plan.spoken):
            pause = _BUSY
        else:
            text = said_at_its_moment(plan)
            if await async_speak(self._hass, plan.spoken, text):
                ring.is_heard = True
            elif not ring.is_notified:
                ring.is_notified = True
                await async_notify(self._hass, plan.spoken, plan.id, text)
        if self._rings.get(plan.id) is not ring:
            return
        assert plan.say
        since = plan.say.since or dt_util.utcnow()
        if dt_util.utcnow() - since >= _LONGEST[plan.say.form]:
            self.stop(plan.id)
            await self._ended(plan, ring.is_heard)
            return
        ring.next = async_call_later(self._hass, pause, callback(lambda _now: self._say(plan.id)))
