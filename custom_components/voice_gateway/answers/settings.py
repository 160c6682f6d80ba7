"""How something is set, by Home Assistant's own name of it: the preset, the source, the fan mode."""

from collections.abc import Iterator, Mapping
from typing import Final

from homeassistant.core import State

from ..home.exposed import Exposed
from ..names.matching import words
from .handler import QuestionHandler
from .query import Query, QueryType
from .token_consumer import TokenConsumer

_SETTINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "climate": ("fan_mode", "preset_mode", "swing_mode", "target_temp_high", "target_temp_low"),
    "fan": ("direction", "preset_mode"),
    "humidifier": ("mode", "humidity"),
    "light": ("effect",),
    "lock": ("changed_by",),
    "media_player": (
        "app_name", "media_album_name", "media_artist", "media_channel", "media_episode",
        "media_playlist", "media_season", "media_series_title", "media_title", "sound_mode", "source",
    ),
    "update": ("installed_version", "latest_version"),
    "water_heater": ("operation_mode", "target_temp_high", "target_temp_low"),
    "weather": (
        "apparent_temperature", "cloud_coverage", "dew_point", "pressure", "uv_index", "visibility",
        "wind_gust_speed",
    ),
}  # fmt: skip
"""What is told of a domain: no lists of what there might be."""
_UNITS: Final[Mapping[str, str]] = {
    "apparent_temperature": "temperature_unit",
    "dew_point": "temperature_unit",
    "pressure": "pressure_unit",
    "visibility": "visibility_unit",
    "wind_gust_speed": "wind_speed_unit",
}
"""The attributes that tell a unit."""
_PERCENT: Final = ("cloud_coverage", "humidity")
_DEGREES: Final = ("target_temp_high", "target_temp_low")


class SettingsHandler(QuestionHandler):
    """Answers what an attribute of something is, where it has one that is called as was said.

    The words left say of what; where there are none, it is the only one that has it.
    """

    def answer(self, query: Query) -> str | None:
        """Return the answer to one way to understand a question; None where nothing is certain."""
        if query.type not in (QueryType.SHOWN, QueryType.VALUE, QueryType.WHICH):
            return None
        said = TokenConsumer(query.words)
        said.says("uses", "measure")
        spoken = frozenset(said.left)
        found = {
            (len(own), each, attribute): told
            for each in self._home.entities
            if (state := self._state(each))
            for attribute, own in self._asked(each, spoken)
            if self._is_meant(each, spoken - own)
            if (told := self._told(each, state, attribute))
        }
        most = max((much for much, _, _ in found), default=0)
        best = {
            (each, attribute): told
            for (much, each, attribute), told in found.items()
            if much == most
        }
        if len(best) != 1:
            return None
        (((entity, _), told),) = best.items()
        return self._phrasing.values([(entity.names[0], told)])

    def _asked(
        self, entity: Exposed, spoken: frozenset[str]
    ) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield the attributes whose name is said, and the words of it."""
        for attribute in _SETTINGS.get(entity.domain, ()):
            own = frozenset(words(self._things.name_of_attribute(entity.domain, attribute)))
            if own and own <= spoken:
                yield attribute, own

    def _is_meant(self, entity: Exposed, left: frozenset[str]) -> bool:
        if not left:
            return True
        meant = self._things.link(" ".join(left), lambda each: each.domain == entity.domain)
        areas = self._things.areas(" ".join(left))
        return entity in meant or bool(areas and entity.area in areas)

    def _told(self, entity: Exposed, state: State, attribute: str) -> str:
        """Return the value of an attribute in words; empty where there is none."""
        value = state.attributes.get(attribute)
        if value is None or value == "" or isinstance(value, (bool, list, dict)):
            return ""
        if not isinstance(value, (int, float)):
            return self._things.attribute(entity, attribute, str(value))
        unit = str(state.attributes.get(_UNITS.get(attribute, ""), ""))
        if attribute in _PERCENT:
            unit = "%"
        if attribute in _DEGREES:
            unit = self._unit
        return self._phrasing.number(float(value), unit)
