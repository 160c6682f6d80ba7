"""What keeps people out: of several such devices, only those that were named are opened."""

from collections.abc import Sequence

from homeassistant.helpers import intent

from ..heard.heard import Heard
from ..heard.mentioned import is_guarded
from ..home.exposed import Exposed
from ..json_schema import Json
from .assist.target import Target

# What moves no bolt and no door further open.
_SAFE = frozenset(
    (
        ("lock", intent.INTENT_TURN_ON),
        ("cover", intent.INTENT_TURN_OFF),
        ("cover", intent.INTENT_STOP_MOVING),
    )
)


def lets_in(intent_type: str, arguments: Json, entity: Exposed) -> bool:
    """Tell whether an intent opens what keeps people out: to lock or to close it is no risk."""
    closes = intent_type == intent.INTENT_SET_POSITION and arguments.get("position") == 0
    return is_guarded(entity) and not closes and (entity.domain, intent_type) not in _SAFE


def unnamed(
    intent_type: str, arguments: Json, targets: Sequence[Exposed], heard: Heard
) -> Sequence[Exposed]:
    """Return what a call would open of several devices without that the user named it.

    Those that are acted upon with it count, and those that the sentence means besides: of "unlock
    all the doors" a model may well call one by one.
    """
    opened = [each for each in targets if lets_in(intent_type, arguments, each)]
    named = heard.mentioned.named(opened)
    return [
        each
        for each in opened
        if each not in named and (len(targets) > 1 or _is_one_of_all(each, heard))
    ]


def _is_one_of_all(entity: Exposed, heard: Heard) -> bool:
    """Tell whether Home Assistant reads no name in a command that may be for others as well.

    Not for the only one where the speaker is, nor for what the sentence says most of.
    """
    if (reading := heard.reading) is None or reading.is_question:
        return False
    said = Target.of(reading.slots)
    if said.name not in ("", "all") or (said.domains and entity.domain not in said.domains):
        return False
    guarded = [
        each
        for each in heard.mentioned.home.entities
        if each.domain == entity.domain and is_guarded(each)
    ]
    if [each for each in guarded if each.area == heard.area_id] == [entity]:
        return False
    about = heard.mentioned.spoken_of(heard.text, guarded)
    return any(about[each] >= about[entity] for each in guarded if each != entity)
