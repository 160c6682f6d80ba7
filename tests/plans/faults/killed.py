"""A Home Assistant, in a process of its own, that is killed while it carries out plans."""

import asyncio
from dataclasses import replace
import datetime as dt
import logging
import os
import sys

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import ServiceCall
from homeassistant.setup import async_setup_component

from bench.clock import clock_at
from bench.house import home_assistant
from custom_components.voice_gateway.plans.plan import Plan, PlannedCall
from custom_components.voice_gateway.plans.plans import PLANS
from custom_components.voice_gateway.plans.schedule import AtTime, Recurrence

from .house import SPOKEN

KILLED = 9
LAMP = "light.lamp"


async def main(folder: str, now: dt.datetime) -> None:
    """Plan something for now, and be killed in the midst of it."""
    logging.disable(logging.CRITICAL)

    async def turn_on(_call: ServiceCall) -> None:
        os._exit(KILLED)

    with clock_at(now):
        async with home_assistant(folder) as hass:
            for domain in ("intent", "llm"):
                await async_setup_component(hass, domain, {})
            hass.services.async_register("light", "turn_on", turn_on)
            hass.states.async_set(LAMP, "off", {"friendly_name": "Lamp"})
            async_expose_entity(hass, "conversation", LAMP, True)
            await async_setup_component(hass, "voice_gateway", {})
            await hass.data[PLANS].async_add(*plans(now))
            await asyncio.Event().wait()


def plans(now: dt.datetime) -> tuple[Plan, Plan]:
    """Return a plan that is due now, and one that is again in an hour."""
    call = PlannedCall(
        tool="HassTurnOn", intent_type="HassTurnOn", arguments={"name": "Lamp"}, targets=(LAMP,)
    )
    once = Plan(spoken=SPOKEN, made=now, when=AtTime(at=now), due=now, call=call)
    every = Recurrence(since=now - dt.timedelta(hours=1), seconds=3600)
    return once, replace(once, id="again", when=every)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], dt.datetime.fromtimestamp(float(sys.argv[2]), dt.UTC)))
