"""Devices that exist only in this process and do what real ones would.

Each class is one of Home Assistant's own entities, so that services, intents and exposure are the
real ones; a service changes the attributes at once. Which attribute follows which service is that
of the data set's own houses (https://github.com/allenporter/home-assistant-synthetic-home).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar, override

from homeassistant.components.alarm_control_panel import (
    AlarmControlPanelEntity,
    AlarmControlPanelState,
)
from homeassistant.components.assist_pipeline import PipelineEvent
from homeassistant.components.assist_satellite import (
    AssistSatelliteConfiguration,
    AssistSatelliteEntity,
    AssistSatelliteEntityFeature,
)
from homeassistant.components.binary_sensor import BinarySensorEntity
from homeassistant.components.button import ButtonEntity
from homeassistant.components.calendar import CalendarEntity, CalendarEvent
from homeassistant.components.climate import ClimateEntity, HVACMode
from homeassistant.components.cover import CoverEntity
from homeassistant.components.fan import FanEntity, FanEntityFeature
from homeassistant.components.light import LightEntity
from homeassistant.components.lock import LockEntity
from homeassistant.components.media_player import (
    BrowseMedia,
    MediaClass,
    MediaPlayerEntity,
    MediaPlayerState,
    MediaType,
    SearchMedia,
    SearchMediaQuery,
)
from homeassistant.components.sensor import SensorEntity
from homeassistant.components.switch import SwitchEntity
from homeassistant.components.todo import TodoItem, TodoListEntity
from homeassistant.components.vacuum import StateVacuumEntity, VacuumActivity
from homeassistant.components.valve import ValveEntity
from homeassistant.components.weather import WeatherEntity
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from bench.appliances import Humidifier, LawnMower, Siren, WaterHeater
from bench.device import Device, OnOff, is_on
from bench.home import HomeEntity


def entity_for(description: HomeEntity) -> Device:
    """Return the entity that a house's description means; raises ValueError where there is none."""
    if description.domain not in _CLASSES:
        raise ValueError(f"No such device can be made: {description.entity_id}")
    entity = _CLASSES[description.domain]()
    entity.take(description.domain, description.attributes)
    entity.begin(description.state)
    return entity


class _Alarm(Device, AlarmControlPanelEntity):
    """An alarm that wants no code."""

    @override
    def begin(self, state: Any) -> None:
        self._attr_alarm_state = state and AlarmControlPanelState(state)

    @override
    async def async_alarm_disarm(self, code: str | None = None) -> None:
        self._now(alarm_state=AlarmControlPanelState.DISARMED)

    @override
    async def async_alarm_arm_home(self, code: str | None = None) -> None:
        self._now(alarm_state=AlarmControlPanelState.ARMED_HOME)

    @override
    async def async_alarm_arm_away(self, code: str | None = None) -> None:
        self._now(alarm_state=AlarmControlPanelState.ARMED_AWAY)

    @override
    async def async_alarm_arm_night(self, code: str | None = None) -> None:
        self._now(alarm_state=AlarmControlPanelState.ARMED_NIGHT)

    @override
    async def async_alarm_arm_vacation(self, code: str | None = None) -> None:
        self._now(alarm_state=AlarmControlPanelState.ARMED_VACATION)

    @override
    async def async_alarm_trigger(self, code: str | None = None) -> None:
        self._now(alarm_state=AlarmControlPanelState.TRIGGERED)


class _Button(Device, ButtonEntity):
    @override
    async def async_press(self) -> None:
        self._now()


class _Satellite(Device, AssistSatelliteEntity):
    """A satellite that has said an announcement as soon as it is told to."""

    _attr_supported_features = AssistSatelliteEntityFeature.ANNOUNCE

    @override
    def async_get_configuration(self) -> AssistSatelliteConfiguration:
        return AssistSatelliteConfiguration([], [], 1)

    @override
    async def async_set_configuration(self, config: AssistSatelliteConfiguration) -> None:
        pass

    @override
    def on_pipeline_event(self, event: PipelineEvent) -> None:
        pass

    @override
    async def async_internal_announce(
        self, message: str | None = None, *args: Any, **kwargs: Any
    ) -> None:
        self._now(message=message)


class _BinarySensor(Device, BinarySensorEntity):
    @override
    def begin(self, state: Any) -> None:
        self._attr_is_on = is_on(state)


class _Switch(OnOff, SwitchEntity):
    pass


class _Light(Device, LightEntity):
    """A light whose brightness is above zero is on, whatever state it is given."""

    @override
    def begin(self, state: Any) -> None:
        self._attr_is_on = is_on(state) or bool(self._attr_brightness)

    @override
    def happen(self, state: Any, attributes: Mapping[str, Any]) -> None:
        if not is_on(state):
            self._attr_brightness = None
        super().happen(state, attributes)

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        known = ("brightness", "rgb_color", "rgbw_color", "color_temp_kelvin", "hs_color")
        self._now(is_on=True, **{name: kwargs[name] for name in known if kwargs.get(name)})

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        self._now(is_on=False)


class _Fan(Device, FanEntity):
    @override
    def begin(self, state: Any) -> None:
        self._attr_supported_features |= FanEntityFeature.TURN_ON | FanEntityFeature.TURN_OFF
        if state is not None:
            self._attr_percentage = (self._attr_percentage or 100) if is_on(state) else 0

    @override
    async def async_turn_on(
        self, percentage: int | None = None, preset_mode: str | None = None, **kwargs: Any
    ) -> None:
        self._now(percentage=100 if percentage is None else percentage)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        self._now(percentage=0)

    @override
    async def async_set_percentage(self, percentage: int) -> None:
        self._now(percentage=percentage)

    @override
    async def async_set_preset_mode(self, preset_mode: str) -> None:
        self._now(preset_mode=preset_mode)

    @override
    async def async_set_direction(self, direction: str) -> None:
        self._now(current_direction=direction)

    @override
    async def async_oscillate(self, oscillating: bool) -> None:
        self._now(oscillating=oscillating)


class _Cover(Device, CoverEntity):
    """A cover that is where it is sent at once."""

    @override
    def begin(self, state: Any) -> None:
        if self._attr_current_cover_position is None:
            self._attr_current_cover_position = 100 if state in (True, "open") else 0
        self._attr_is_closed = self._attr_current_cover_position == 0

    @override
    def happen(self, state: Any, attributes: Mapping[str, Any]) -> None:
        self._attr_current_cover_position = None
        super().happen(state, attributes)

    def _move(self, position: int) -> None:
        self._now(current_cover_position=position, is_closed=position == 0)

    @override
    async def async_open_cover(self, **kwargs: Any) -> None:
        self._move(100)

    @override
    async def async_close_cover(self, **kwargs: Any) -> None:
        self._move(0)

    @override
    async def async_set_cover_position(self, **kwargs: Any) -> None:
        self._move(kwargs["position"])

    @override
    async def async_stop_cover(self, **kwargs: Any) -> None:
        self._now()


class _Valve(Device, ValveEntity):
    _attr_reports_position = False

    @override
    def begin(self, state: Any) -> None:
        if state is not None:
            self._attr_is_closed = state == "closed"

    @override
    async def async_open_valve(self) -> None:
        self._now(is_closed=False)

    @override
    async def async_close_valve(self) -> None:
        self._now(is_closed=True)

    @override
    async def async_set_valve_position(self, position: int) -> None:
        self._now(current_valve_position=position, is_closed=position == 0)

    @override
    async def async_stop_valve(self) -> None:
        self._now()


class _Lock(Device, LockEntity):
    @override
    def begin(self, state: Any) -> None:
        self._attr_is_locked = state == "locked"

    @override
    async def async_lock(self, **kwargs: Any) -> None:
        self._now(is_locked=True)

    @override
    async def async_unlock(self, **kwargs: Any) -> None:
        self._now(is_locked=False)

    @override
    async def async_open(self, **kwargs: Any) -> None:
        self._now(is_locked=False, is_open=True)


class _Vacuum(Device, StateVacuumEntity):
    @override
    def begin(self, state: Any) -> None:
        self._attr_activity = state

    @override
    async def async_start(self) -> None:
        self._now(activity=VacuumActivity.CLEANING)

    @override
    async def async_pause(self) -> None:
        self._now(activity=VacuumActivity.PAUSED)

    @override
    async def async_stop(self, **kwargs: Any) -> None:
        self._now(activity=VacuumActivity.IDLE)

    @override
    async def async_return_to_base(self, **kwargs: Any) -> None:
        self._now(activity=VacuumActivity.RETURNING)

    @override
    async def async_clean_spot(self, **kwargs: Any) -> None:
        self._now(activity=VacuumActivity.CLEANING)

    @override
    async def async_set_fan_speed(self, fan_speed: str, **kwargs: Any) -> None:
        self._now(fan_speed=fan_speed)


class _MediaPlayer(Device, MediaPlayerEntity):
    _attr_volume_level = 1.0

    @override
    def begin(self, state: Any) -> None:
        self._attr_state = state and MediaPlayerState(state)
        if self._attr_media_track is None:
            self._attr_media_track = 0

    @override
    async def async_turn_on(self) -> None:
        self._now(state=MediaPlayerState.PLAYING, media_track=0)

    @override
    async def async_turn_off(self) -> None:
        self._now(state=MediaPlayerState.OFF, media_track=None)

    @override
    async def async_mute_volume(self, mute: bool) -> None:
        self._now(is_volume_muted=mute)

    @override
    async def async_set_volume_level(self, volume: float) -> None:
        self._now(volume_level=volume)

    @override
    async def async_volume_up(self) -> None:
        self._now(volume_level=min(1.0, (self.volume_level or 0) + 0.1))

    @override
    async def async_volume_down(self) -> None:
        self._now(volume_level=max(0.0, (self.volume_level or 0) - 0.1))

    @override
    async def async_search_media(self, query: SearchMediaQuery) -> SearchMedia:
        """Find one thing, whatever is looked for."""
        title = query.search_query
        found = BrowseMedia(
            media_class=MediaClass.TRACK,
            media_content_id=title,
            media_content_type=MediaType.MUSIC,
            title=title,
            can_play=True,
            can_expand=False,
        )
        return SearchMedia(result=[found])

    @override
    async def async_play_media(
        self, media_type: MediaType | str, media_id: str, **kwargs: Any
    ) -> None:
        self._now(state=MediaPlayerState.PLAYING, media_content_id=media_id)

    @override
    async def async_media_play(self) -> None:
        self._now(state=MediaPlayerState.PLAYING)

    @override
    async def async_media_pause(self) -> None:
        self._now(state=MediaPlayerState.PAUSED)

    @override
    async def async_media_stop(self) -> None:
        self._now(state=MediaPlayerState.OFF)

    @override
    async def async_media_next_track(self) -> None:
        self._now(state=MediaPlayerState.PLAYING, media_track=(self.media_track or 0) + 1)

    @override
    async def async_media_previous_track(self) -> None:
        self._now(state=MediaPlayerState.PLAYING, media_track=(self.media_track or 0) - 1)


class _Calendar(Device, CalendarEntity):
    def __init__(self) -> None:
        super().__init__()
        self._attr_events: list[CalendarEvent] = []

    @property
    def events(self) -> list[CalendarEvent]:
        """All that is in it."""
        return self._attr_events

    @property
    @override
    def event(self) -> CalendarEvent | None:
        now = dt_util.now()
        ahead = [event for event in self._attr_events if event.end_datetime_local > now]
        return min(ahead, key=lambda event: event.start_datetime_local, default=None)

    @override
    async def async_get_events(
        self, hass: HomeAssistant, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        return [
            event
            for event in self._attr_events
            if event.start_datetime_local < end_date and event.end_datetime_local > start_date
        ]

    @override
    async def async_create_event(self, **kwargs: Any) -> None:
        start, end = kwargs.pop("dtstart"), kwargs.pop("dtend")
        self._now(events=[*self._attr_events, CalendarEvent(start, end, **kwargs)])


class _Climate(Device, ClimateEntity):
    _attr_fan_modes: ClassVar = ["low", "high", "off"]  # type: ignore[misc]
    _attr_fan_mode = None
    _attr_native_target_temperature_high = None
    _attr_native_target_temperature_low = None

    @override
    def begin(self, state: Any) -> None:
        if state is not None:
            self._attr_hvac_mode = HVACMode(state)

    @override
    async def async_set_temperature(self, **kwargs: Any) -> None:
        fields = {
            "temperature": "native_target_temperature",
            "target_temp_high": "native_target_temperature_high",
            "target_temp_low": "native_target_temperature_low",
            "hvac_mode": "hvac_mode",
        }
        self._now(**{field: kwargs[key] for key, field in fields.items() if kwargs.get(key)})

    @override
    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        self._now(hvac_mode=hvac_mode)

    @override
    async def async_set_fan_mode(self, fan_mode: str) -> None:
        self._now(fan_mode=fan_mode)

    @override
    async def async_set_preset_mode(self, preset_mode: str) -> None:
        self._now(preset_mode=preset_mode)

    @override
    async def async_turn_on(self) -> None:
        self._now(hvac_mode=next(m for m in self.hvac_modes if m != HVACMode.OFF))

    @override
    async def async_turn_off(self) -> None:
        self._now(hvac_mode=HVACMode.OFF)


class _Todo(Device, TodoListEntity):
    @override
    async def async_create_todo_item(self, item: TodoItem) -> None:
        items = self._attr_todo_items or []
        self._now(todo_items=[*items, replace(item, uid=item.uid or f"item-{len(items)}")])

    @override
    async def async_update_todo_item(self, item: TodoItem) -> None:
        items = self._attr_todo_items or []
        self._now(todo_items=[item if old.uid == item.uid else old for old in items])

    @override
    async def async_delete_todo_items(self, uids: list[str]) -> None:
        items = self._attr_todo_items or []
        self._now(todo_items=[item for item in items if item.uid not in uids])


class _Sensor(Device, SensorEntity):
    @override
    def begin(self, state: Any) -> None:
        if state is not None:
            self._attr_native_value = state
        if self.device_class == "timestamp":
            self._attr_native_value = datetime.fromisoformat(str(self._attr_native_value))


class _Weather(Device, WeatherEntity):
    @override
    def begin(self, state: Any) -> None:
        if state is not None:
            self._attr_condition = state


_CLASSES: Mapping[str, Callable[[], Device]] = {
    "alarm_control_panel": _Alarm,
    "assist_satellite": _Satellite,
    "binary_sensor": _BinarySensor,
    "button": _Button,
    "calendar": _Calendar,
    "climate": _Climate,
    "cover": _Cover,
    "fan": _Fan,
    "humidifier": Humidifier,
    "lawn_mower": LawnMower,
    "light": _Light,
    "lock": _Lock,
    "media_player": _MediaPlayer,
    "sensor": _Sensor,
    "siren": Siren,
    "switch": _Switch,
    "todo": _Todo,
    "vacuum": _Vacuum,
    "valve": _Valve,
    "water_heater": WaterHeater,
    "weather": _Weather,
}
