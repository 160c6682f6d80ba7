"""What happens in a house after a sentence: the clock moves, and devices are in other states."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from homeassistant.core import HomeAssistant
from homeassistant.helpers.sun import get_astral_event_next

from bench.clock import Clock
from bench.house import House
from bench.scoring import States
from bench.sentences import Event, Sentence
from bench.verdicts import Course, missing, wrong_changes

EARLY = timedelta(seconds=5)
"""How long before a moment nothing may have come true."""
RESET = timedelta(seconds=60)
"""How long before a moment the house is put into other states."""


class Timeline:
    """What comes of a sentence after `began`, when it was said; nothing has happened yet."""

    def __init__(self, house: House, clock: Clock, began: datetime) -> None:
        """Take the house as it is right after the turn."""
        self._house = house
        self._clock = clock
        self._began = began
        self._before: States = house.states()
        self._course = Course()

    async def async_follow(self, sentence: Sentence, *, restarts: bool) -> Course:
        """Let all happen that is ahead, and return what came of it.

        With `restarts`, Home Assistant is restarted after the sentence and once more after the
        first of what happens.
        """
        for number, (moment, event) in enumerate(self._in_order(sentence.ahead)):
            if restarts and number < 2:
                await self._house.async_restart()
            if moment:
                await self._async_moment(moment, event)
            else:
                await self._async_change(event)
        return self._course

    def _in_order(self, events: Sequence[Event]) -> Sequence[tuple[datetime | None, Event]]:
        """Return moments in their order, and then what is set."""
        timed = [(self._moment(event), event) for event in events if event.timed]
        timed.sort(key=lambda pair: pair[0])
        return [*timed, *((None, event) for event in events if not event.timed)]

    def _moment(self, event: Event) -> datetime:
        if event.after is not None:
            return self._began + timedelta(seconds=event.after)
        return sun(self._house.hass, event.sun or "", self._began, event.n)

    async def _async_moment(self, moment: datetime, event: Event) -> None:
        """Let a moment come: nothing may change until then."""
        if event.reset:
            await self._async_move(moment - RESET)
            await self._async_reset(event)
        await self._async_move(moment - EARLY)
        self._begin()
        await self._clock.async_move(self._house.hass, moment + timedelta(seconds=event.tolerance))
        self._note(event, f"at {self._ago(moment)}")

    async def _async_change(self, event: Event) -> None:
        """Put devices into other states, and wait."""
        if event.reset:
            await self._async_reset(event)
        self._begin()
        now = self._clock.now()
        await self._house.async_happen(event.set)
        late = 0 if event.unchanged else event.tolerance
        until = now + timedelta(seconds=event.wait + late)
        await self._clock.async_move(self._house.hass, until)
        self._note(event, f"after {dict(event.set)}")

    async def _async_move(self, moment: datetime) -> None:
        """Let time go by in which nothing may change."""
        await self._clock.async_move(self._house.hass, moment)
        for change in wrong_changes(self._before, self._house.states(), ()):
            self._course.wrong.append(f"before {self._ago(moment)}: {change}")
        self._before = self._house.states()

    async def _async_reset(self, event: Event) -> None:
        await self._house.async_happen(event.reset)
        self._before = self._house.states()

    def _begin(self) -> None:
        """Count what is done from now on."""
        for device in self._house.devices.values():
            device.deeds.clear()

    def _note(self, event: Event, when: str) -> None:
        """Note what came of an event, and go on from there."""
        after = self._house.states()
        for change in wrong_changes(self._before, after, (event.expect, event.set)):
            self._course.wrong.append(f"{when}: {change}")
        for miss in missing(event.expect, after):
            self._course.missed.append(f"{when}: {miss}")
        for entity_id in event.expect:
            deeds = self._house.devices[entity_id].deeds
            if any(proposed in deeds[:number] for number, proposed in enumerate(deeds)):
                self._course.missed.append(f"{when}: {entity_id} twice")
        self._before = after

    def _ago(self, moment: datetime) -> str:
        return f"+{(moment - self._began).total_seconds():.0f} s"


def sun(hass: HomeAssistant, event: str, after: datetime, n: int) -> datetime:
    """Return the n-th next sunset or sunrise."""
    for _ in range(n):
        after = get_astral_event_next(hass, event, after + timedelta(seconds=1))
    return after
