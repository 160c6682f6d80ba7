"""Two homes with calendars, lists and weather, as Home Assistant has them; it is Wednesday there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, override

from homeassistant.components import conversation
from homeassistant.components.calendar import CalendarEntity, CalendarEvent
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.todo import TodoItem, TodoItemStatus, TodoListEntity
from homeassistant.components.weather import Forecast, WeatherEntity, WeatherEntityFeature
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util

from custom_components.voice_gateway.answers.answerer import async_answer
from custom_components.voice_gateway.answers.handler import HomeAnswer
from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.nlu.tokenizer import Text

NOW = "2025-04-02 15:30:00+00:00"
"""Half past eight in the morning, where the homes are."""


@dataclass(frozen=True, slots=True)
class Furniture:
    """What is in a home."""

    calendars: Mapping[str, Sequence[tuple[str, str, str, str]]]
    """By their names: what, from, to, and where."""
    lists: Mapping[str, tuple[Sequence[str], Sequence[str]]]
    """By their names: what is to do, and what is done."""
    days: Sequence[tuple[str, float, float, int | None]]
    """Of each day from today on: condition, lowest and highest temperature, chance of rain."""
    weather: str = "Forecast"
    hours: Sequence[tuple[str, float]] = ()
    """Of each hour from this one on."""
    states: Mapping[str, tuple[str, str, str, Mapping[str, Any]]] = field(default_factory=dict)
    """By entity: name, area or nothing, state, attributes."""


TEMPERATURE = {"device_class": "temperature", "unit_of_measurement": "°C"}
HUMIDITY = {"device_class": "humidity", "unit_of_measurement": "%"}
BATTERY = {"device_class": "battery", "unit_of_measurement": "%"}
CARBON = {"device_class": "carbon_dioxide", "unit_of_measurement": "ppm"}
POWER = {"device_class": "power", "unit_of_measurement": "W"}

FARM = Furniture(
    calendars={
        "Family": [
            ("Dentist Tom", "2025-04-03 15:00", "2025-04-03 16:00", "Main Street 5"),
            ("Pancake breakfast", "2025-04-05 09:00", "2025-04-05 10:00", ""),
            ("Grandma's birthday", "2025-04-06", "2025-04-07", ""),
            ("Holiday in Rome", "2025-04-20", "2025-04-27", ""),
        ],
        "Work": [
            ("Standup", "2025-04-02 07:00", "2025-04-02 07:15", ""),
            ("Team meeting", "2025-04-02 10:00", "2025-04-02 11:00", ""),
            ("Review with Lisa", "2025-04-03 09:30", "2025-04-03 10:30", ""),
            ("Budget review", "2025-04-07 14:00", "2025-04-07 15:00", ""),
        ],
    },
    lists={
        "Shopping List": (["Milk", "Bread", "Oat flakes"], []),
        "Garden Tasks": (["Plant tomatoes", "Water roses"], ["Mow the lawn"]),
        "Kitchen": (["Fix the tap"], []),
    },
    days=[
        ("cloudy", 6, 12, 10),
        ("rainy", 7, 11, 80),
        ("sunny", 6, 16, 5),
        ("partlycloudy", 8, 19, 10),
        ("cloudy", 9, 15, 20),
    ],
    hours=[*[("cloudy", 10 + each / 2) for each in range(12)], *[("rainy", 9)] * 20],
    states={
        "sensor.kitchen_t": ("Kitchen Temperature", "Kitchen", "23.5", TEMPERATURE),
        "sensor.bedroom_t": ("Bedroom Temperature", "Bedroom", "18", TEMPERATURE),
        "sensor.office_t": ("Study Temperature", "Study", "20", TEMPERATURE),
        "sensor.outdoor_t": ("Outdoor Temperature", "", "9", TEMPERATURE),
        "sensor.kitchen_h": ("Kitchen Humidity", "Kitchen", "48", HUMIDITY),
        "sensor.bedroom_h": ("Bedroom Humidity", "Bedroom", "61", HUMIDITY),
        "sensor.door_b": ("Door Sensor Battery", "Kitchen", "9", BATTERY),
        "sensor.remote_b": ("Remote Battery", "Study", "80", BATTERY),
        "sensor.office_c": ("Study CO2", "Study", "900", CARBON),
        "sensor.oven_p": ("Oven Power", "Kitchen", "300", POWER),
        "sensor.desk_p": ("Desk Power", "Study", "50", POWER),
        "update.router": ("Router Firmware", "", "on", {"device_class": "firmware"}),
        "update.hub": ("Hub Firmware", "", "off", {}),
        "person.mia": ("Mia", "", "home", {}),
        "person.tom": ("Tom", "", "Office", {}),
        "valve.roses": ("Rose Bed Hose", "Study", "open", {"device_class": "water"}),
        "lock.porch": ("Porch Lock", "Kitchen", "unlocked", {}),
        "light.stove": ("Stove Light", "Kitchen", "on", {}),
        "light.bed": ("Night Light", "Bedroom", "off", {}),
    },
)


def _flat(
    calendar: str,
    events: tuple[str, str, str, str],
    list_: str,
    items: tuple[str, str],
    rooms: tuple[str, str],
) -> Furniture:
    dentist, street, choir, bins = events
    living, bath = rooms
    return Furniture(
        calendars={
            calendar: [
                (dentist, "2025-04-04 09:15", "2025-04-04 10:00", street),
                (choir, "2025-04-03 19:30", "2025-04-03 21:00", ""),
                (bins, "2025-04-08", "2025-04-09", ""),
            ],
        },
        lists={list_: (items, ["Salz"])},
        days=[("sunny", 3, 14, None), ("pouring", 2, 8, None), ("snowy", -3, 1, None)],
        weather="Outlook",
        states={
            "sensor.living_t": (f"{living} T", living, "21", TEMPERATURE),
            "sensor.bath_t": (f"{bath} T", bath, "24", TEMPERATURE),
        },
    )


FLATS = {
    "de": _flat(
        "Privat",
        ("Zahnarzt", "Bahnhofstraße 3", "Chor", "Müllabfuhr"),
        "Einkaufsliste",
        ("Butter", "Mehl"),
        ("Wohnzimmer", "Bad"),
    ),
    "es": _flat(
        "Privado",
        ("Dentista", "Calle Mayor 3", "Coro", "Basura"),
        "Lista de la compra",
        ("Mantequilla", "Harina"),
        ("Salón", "Baño"),
    ),
    "fr": _flat(
        "Privé",
        ("Dentiste", "Rue Haute 3", "Chorale", "Poubelles"),
        "Liste de courses",
        ("Beurre", "Farine"),
        ("Salon", "Salle de bain"),
    ),
    "it": _flat(
        "Privato",
        ("Dentista", "Via Alta 3", "Coro", "Rifiuti"),
        "Lista della spesa",
        ("Burro", "Farina"),
        ("Soggiorno", "Bagno"),
    ),
    "nl": _flat(
        "Privé",
        ("Tandarts", "Hoogstraat 3", "Koor", "Afval"),
        "Boodschappenlijst",
        ("Boter", "Meel"),
        ("Woonkamer", "Badkamer"),
    ),
    "pl": _flat(
        "Prywatny",
        ("Dentysta", "Rynek 3", "Chór", "Śmieci"),
        "Lista zakupów",
        ("Masło", "Mąka"),
        ("Salon", "Łazienka"),
    ),
}
"""The same flat, where things are called as people do in a language."""


class _Calendar(CalendarEntity):
    events: ClassVar[Sequence[CalendarEvent]] = ()

    @property
    @override
    def event(self) -> CalendarEvent | None:
        return None

    @override
    async def async_get_events(
        self, hass: HomeAssistant, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        return [
            each
            for each in self.events
            if each.start_datetime_local < end_date and each.end_datetime_local > start_date
        ]


class _List(TodoListEntity):
    pass


class _Weather(WeatherEntity):
    _attr_native_temperature_unit = "°C"
    _attr_native_temperature = 9.0
    _attr_native_wind_speed = 14.0
    _attr_native_wind_speed_unit = "km/h"
    _attr_supported_features = WeatherEntityFeature.FORECAST_DAILY
    days: ClassVar[Sequence[Forecast]] = ()
    hours: ClassVar[Sequence[Forecast]] = ()

    @override
    async def async_forecast_daily(self) -> list[Forecast] | None:
        return [*self.days]

    @override
    async def async_forecast_hourly(self) -> list[Forecast] | None:
        return [*self.hours]


def _at(text: str) -> Any:
    zone = dt_util.get_default_time_zone()
    if ":" in text:
        return datetime.fromisoformat(text).replace(tzinfo=zone)
    return date.fromisoformat(text)


def _calendar(events: Sequence[tuple[str, str, str, str]]) -> Entity:
    calendar = _Calendar()
    calendar.events = [  # type: ignore[misc]
        CalendarEvent(_at(start), _at(end), what, location=where or None)
        for what, start, end, where in events
    ]
    return calendar


def _list(to_do: Sequence[str], done: Sequence[str]) -> Entity:
    each = _List()
    each._attr_todo_items = [
        *(TodoItem(summary=item, status=TodoItemStatus.NEEDS_ACTION) for item in to_do),
        *(TodoItem(summary=item, status=TodoItemStatus.COMPLETED) for item in done),
    ]
    return each


def _weather(home: Furniture) -> Entity:
    weather = _Weather()
    weather._attr_condition = home.days[0][0]
    midnight = dt_util.start_of_local_day()
    weather.days = [  # type: ignore[misc]
        Forecast(
            datetime=(midnight + timedelta(days=day)).isoformat(),
            condition=condition,
            native_templow=low,
            native_temperature=high,
            precipitation_probability=chance,
        )
        for day, (condition, low, high, chance) in enumerate(home.days)
    ]
    hour = dt_util.now().replace(minute=0, second=0, microsecond=0)
    weather.hours = [  # type: ignore[misc]
        Forecast(
            datetime=(hour + timedelta(hours=each)).isoformat(),
            condition=condition,
            native_temperature=degrees,
        )
        for each, (condition, degrees) in enumerate(home.hours)
    ]
    if home.hours:
        weather._attr_supported_features |= WeatherEntityFeature.FORECAST_HOURLY
    return weather


async def furnish(hass: HomeAssistant, home: Furniture) -> Home:
    """Put all into a home, and expose it."""
    for domain in ("homeassistant", "conversation", "calendar", "todo", "weather"):
        assert await async_setup_component(hass, domain, {})
    added: list[tuple[str, str, Entity]] = [
        *(("calendar", name, _calendar(events)) for name, events in home.calendars.items()),
        *(("todo", name, _list(*items)) for name, items in home.lists.items()),
        ("weather", home.weather, _weather(home)),
    ]
    for domain, name, entity in added:
        entity._attr_name = name
        entity._attr_unique_id = name
        await hass.data[domain].async_add_entities([entity])
        async_expose_entity(hass, conversation.DOMAIN, entity.entity_id, should_expose=True)
    registry = er.async_get(hass)
    for entity_id, (name, area, state, attributes) in home.states.items():
        domain, object_id = entity_id.split(".")
        registry.async_get_or_create(domain, "test", object_id, suggested_object_id=object_id)
        area_id = ar.async_get(hass).async_get_or_create(area).id if area else None
        registry.async_update_entity(entity_id, area_id=area_id, name=name)
        hass.states.async_set(entity_id, state, {**attributes, "friendly_name": name})
        async_expose_entity(hass, conversation.DOMAIN, entity_id, should_expose=True)
    return Home.seen_by(hass, conversation.DOMAIN)


async def ask(
    hass: HomeAssistant,
    home: Home,
    text: str,
    language: str = "en",
    context: Context | None = None,
) -> HomeAnswer | None:
    """Return the answer to a question of who is nowhere in a home."""
    said, context = Text(text, language), context or Context()
    return await async_answer(hass, said, language, home, speaker_area=None, context=context)


async def answers(hass: HomeAssistant, home: Home, text: str, language: str = "en") -> str | None:
    """Return the words of the answer."""
    told = await ask(hass, home, text, language)
    return told.text if told else None
