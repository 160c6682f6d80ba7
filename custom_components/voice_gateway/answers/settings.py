"""How something is set, by Home Assistant's own name of it: the preset, the source, the fan mode."""

from collections.abc import Iterator, Mapping
from typing import Final

from ..home.exposed import Exposed
from ..names.matching import words
from .handler import QuestionHandler
from .query import Query, QueryType
from .token_consumer import TokenConsumer

_SETTINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "climate": ("fan_mode", "preset_mode", "swing_mode"),
    "fan": ("direction", "preset_mode"),
    "humidifier": ("mode",),
    "light": ("effect",),
    "lock": ("changed_by",),
    "media_player": (
        "app_name", "media_album_name", "media_artist", "media_channel", "media_episode",
        "media_playlist", "media_season", "media_series_title", "media_title", "sound_mode", "source",
    ),
    "update": ("installed_version", "latest_version"),
    "water_heater": ("operation_mode",),
}  # fmt: skip
"""What is told of a domain: no lists of what there might be."""


class SettingsHandler(QuestionHandler):
    """Answers what an attribute of something is, where it has one that is called as was said.

    The words left say of what; where there are none, it is the only one that has it.
    """

    types = (QueryType.SHOWN, QueryType.VALUE, QueryType.WHICH)

    def answer(self, query: Query) -> str | None:
        """Return the value of the one attribute of which most is said."""
        said = TokenConsumer(query.words)
        said.says("uses", "measure")
        spoken = frozenset(said.left)
        found = [
            (len(own), each, value)
            for each in self._home.entities
            if (state := self._state(each))
            for attribute, own in self._asked(each, spoken)
            if self._is_meant(each, spoken - own)
            if (value := self._value(each, attribute, state.attributes.get(attribute)))
        ]
        most = max((much for much, *_ in found), default=0)
        best = [(each, value) for much, each, value in found if much == most]
        if len(best) != 1:
            return None
        ((entity, told),) = best
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

    def _value(self, entity: Exposed, attribute: str, value: object) -> str:
        """Return the value of an attribute in words; empty where it has none."""
        if value is None or isinstance(value, (bool, list, dict)):
            return ""
        return self._things.attribute(entity, attribute, str(value))
