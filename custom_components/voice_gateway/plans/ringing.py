"""Ringing timers and alarms: their text is repeated until they are stopped."""

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
"""Seconds from the end of the text until it is repeated."""
_BUSY: Final = 3.0
"""Seconds until a busy satellite is tried again."""
_LONGEST: Final = {
    ReminderForm.TIMER: dt.timedelta(minutes=5),
    ReminderForm.ALARM: dt.timedelta(minutes=10),
}
"""How long they ring unless they are stopped."""


@dataclass(slots=True)
class _Ring:
    """A ringing timer or alarm."""

    plan: Plan
    next: CALLBACK_TYPE | None = None
    """Cancels the wait for the next repetition."""
    is_heard: bool = False
    is_notified: bool = False


class Ringing:
    """Ringing timers and alarms.

    - The text is spoken at once and repeated after a pause, for some minutes or until stopped.
    - Nothing is spoken while the satellite is in a conversation.
    - If nothing can speak, one notification is shown.
    """

    def __init__(
        self, hass: HomeAssistant, ended: Callable[[Plan, bool], Coroutine[Any, Any, None]]
    ) -> None:
        """Take the callback for a plan that stops ringing by itself; True if it was ever spoken."""
        self._hass = hass
        self._ended = ended
        self._rings: dict[str, _Ring] = {}

    @callback
    def begin(self, plan: Plan) -> None:
        """Let a timer or an alarm ring; `plan.say.since` is the time since which it rings."""
        self._rings[plan.id] = ring = _Ring(plan)
        self._say(ring)

    @callback
    def stop(self, plan_id: str) -> None:
        """Stop a plan if it rings."""
        if (ring := self._rings.pop(plan_id, None)) and ring.next:
            ring.next()

    @callback
    def stop_all(self) -> None:
        """Stop all ringing plans."""
        for each in [*self._rings]:
            self.stop(each)

    @callback
    def _say(self, ring: _Ring) -> None:
        ring.next = None
        saying = self._async_say(ring)
        self._hass.async_create_background_task(saying, f"{DOMAIN} ring {ring.plan.id}")

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
        ring.next = async_call_later(self._hass, pause, callback(lambda _now: self._say(ring)))
