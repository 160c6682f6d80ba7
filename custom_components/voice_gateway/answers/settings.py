"""Values of attributes, by Home Assistant's own names: the preset, the source, the fan mode."""

from collections.abc import Mapping, Sequence
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
"""Attributes of a domain that answer questions; lists of possible values are left out."""


class SettingsHandler(QuestionHandler):
    """Answers questions about an attribute that the user calls by its name.

    The other words refer to the entity; without any, it is the only entity with the attribute.
    """

    types = (QueryType.SHOWN, QueryType.VALUE, QueryType.WHICH)

    def answer(self, query: Query) -> str | None:
        """Return the value of the attribute whose name matches most words."""
        said = TokenConsumer(query.words)
        said.says("uses", "measure")
        spoken = {*said.left}
        found = [
            (len(own), each, value)
            for domain in self._home.domains & _SETTINGS.keys()
            for attribute in _SETTINGS[domain]
            if (own := {*words(self._things.name_of_attribute(domain, attribute))})
            if own <= spoken
            for each in self._meant(domain, " ".join(spoken - own))
            if (state := self._state(each))
            if (value := self._value(each, attribute, state.attributes.get(attribute)))
        ]
        most = max((much for much, *_ in found), default=0)
        best = [(each, value) for much, each, value in found if much == most]
        if len(best) != 1:
            return None
        ((entity, told),) = best
        return self._phrasing.values([(entity.names[0], told)])

    def _meant(self, domain: str, left: str) -> Sequence[Exposed]:
        """Return the entities of a domain that the other words refer to; all without words."""
        of_domain = [each for each in self._home.entities if each.domain == domain]
        meant = self._things.link(left, lambda each: each.domain == domain)
        areas = self._things.areas(left)
        return [e for e in of_domain if not left or e in meant or e.area in areas]

    def _value(self, entity: Exposed, attribute: str, value: object) -> str:
        """Return the value of an attribute in words; empty if it has none."""
        if value is None or isinstance(value, (bool, list, dict)):
            return ""
        return self._things.attribute(entity, attribute, str(value))
