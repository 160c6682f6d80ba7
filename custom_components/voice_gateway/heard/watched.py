"""What the words of an event or a condition watch: for commands that wait until it is so."""

from dataclasses import dataclass, field

from homeassistant.core import HomeAssistant

from ..home.exposed import Home
from ..languages import language_of
from .condition import Conditions, Way, async_conditions


@dataclass(frozen=True, slots=True)
class Watched:
    """What has to be so. The event happens when `is_so` goes from False to True."""

    entity_ids: frozenset[str]
    """The exposed entities whose states decide it; empty for the sun."""
    held: float = 0.0
    """The seconds that it has to be so."""
    is_event: bool = False
    """It was said as an event ("opens"): that it is so already is not meant."""
    _conditions: Conditions = field(kw_only=True, repr=False, compare=False)
    _way: Way = field(kw_only=True, repr=False)

    def is_so(self) -> bool | None:
        """Tell whether it is so as the states are now; None where nobody knows."""
        shown = self._conditions.answer(self._way)
        return shown.is_so if shown else None


async def async_watched(
    hass: HomeAssistant,
    condition: str,
    home: Home,
    language: str,
    speaker_area: str | None,
    there: frozenset[str] = frozenset(),
) -> Watched | None:
    """Return what the words of a condition or an event watch; None where nothing surely shows it.

    Args:
        hass: where the states are.
        condition: the words after "when", "until" and the like.
        home: what is exposed.
        language: the code of the language in which they were spoken.
        speaker_area: the id of the area where the speaker is, if that is known.
        there: the ids of the areas that the command speaks of.
    """
    known = language_of(language)
    if not known.shown:
        return None
    conditions = await async_conditions(hass, home, known.code, speaker_area, there)
    ways = conditions.ways(condition)
    if len(ways) != 1:
        return None
    way = ways[0]
    if len(way.entities) > 1 and not way.asked.count:
        return None
    ids = frozenset(entity.entity_id for entity in way.entities)
    return Watched(ids, _conditions=conditions, _way=way)
