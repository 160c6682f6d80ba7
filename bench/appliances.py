"""More devices as in `devices`: those that few homes have."""

from typing import Any, override

from homeassistant.components.humidifier import HumidifierEntity
from homeassistant.components.lawn_mower import LawnMowerActivity, LawnMowerEntity
from homeassistant.components.siren import SirenEntity
from homeassistant.components.water_heater import STATE_ECO, WaterHeaterEntity
from homeassistant.const import STATE_OFF, UnitOfTemperature

from bench.device import Device, OnOff


class Humidifier(OnOff, HumidifierEntity):
    """One that is on or off, and has a target."""

    @override
    async def async_set_humidity(self, humidity: int) -> None:
        self._now(target_humidity=humidity)


class LawnMower(Device, LawnMowerEntity):
    """A mower that needs no time to return."""

    @override
    def begin(self, state: Any) -> None:
        self._attr_activity = state and LawnMowerActivity(state)

    @override
    async def async_start_mowing(self) -> None:
        self._now(activity=LawnMowerActivity.MOWING)

    @override
    async def async_pause(self) -> None:
        self._now(activity=LawnMowerActivity.PAUSED)

    @override
    async def async_dock(self) -> None:
        self._now(activity=LawnMowerActivity.DOCKED)


class Siren(OnOff, SirenEntity):
    """A siren without tones."""


class WaterHeater(Device, WaterHeaterEntity):
    """A boiler with one way to heat."""

    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS

    @override
    def begin(self, state: Any) -> None:
        self._attr_current_operation = STATE_ECO if state == "on" else state or STATE_OFF

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        self._now(current_operation=STATE_ECO)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        self._now(current_operation=STATE_OFF)

    @override
    async def async_set_temperature(self, **kwargs: Any) -> None:
        self._now(target_temperature=kwargs["temperature"])
