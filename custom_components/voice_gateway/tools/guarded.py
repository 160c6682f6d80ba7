"""What keeps people out, and which calls open it."""

from homeassistant.helpers import intent

from ..heard.mentioned import is_guarded
from ..home.exposed import Exposed
from ..json_schema import Json

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
