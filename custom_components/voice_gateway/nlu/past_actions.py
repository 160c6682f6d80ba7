"""What the user's last command did, as far as what is said next may speak of it."""

from dataclasses import dataclass

from ..home.exposed import Exposed
from ..json_schema import Json


@dataclass(frozen=True, slots=True)
class PastAction:
    """What one call of the last command did."""

    intent_type: str
    values: Json
    devices: tuple[Exposed, ...]
