"""Wishes for a place that leave open how they are met: "make it cosier in the living room"."""

from typing import Final

from ..home.exposed import Exposed
from .entity_linking import EntityLinker
from .mentions import is_access_entity
from .predicates import mentions_state

_WORKS_WHERE_IT_IS: Final = frozenset(("cover", "fan", "light", "media_player"))


def may_satisfy(said: EntityLinker, entity: Exposed) -> bool | None:
    """Return True if a device may serve such a wish: one in that place, that lets nobody in.

    None where it is no such wish, as a word says which devices are meant or what is to become of
    them. Or where it may serve from elsewhere: a thermostat in the hall, a vacuum.
    """
    if said.categories or said.named or said.sense_domains or mentions_state(said.text):
        return None
    if is_access_entity(entity):
        return False
    if entity.area and entity.area in (said.areas or {said.speaker_area}):
        return True
    return False if entity.area and entity.domain in _WORKS_WHERE_IT_IS else None
