"""What keeps people out: which calls open it, and that they need words of their own."""

from collections.abc import Collection, Sequence

from homeassistant.helpers import intent, llm

from ..heard.heard import Heard, Kind
from ..heard.meant import Meant
from ..heard.mentioned import is_guarded
from ..heard.opening import opens
from ..heard.said import commands
from ..home.exposed import Exposed
from ..json_schema import Json
from ..names.matching import words
from .deed import Deed, Refused, Turn

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


def opened(deed: Deed) -> Sequence[Exposed]:
    """Return what a call opens that keeps people out."""
    intent_type = deed.tool.intent_type if isinstance(deed.tool, llm.IntentTool) else ""
    return [each for each in deed.targets if lets_in(intent_type, deed.arguments, each)]


def guarded(deed: Deed, turn: Turn) -> Refused | None:
    """What keeps people out is opened only where the last sentence itself says so, and of which.

    Whether there are others, where somebody is and what was said before counts for nothing here.
    """
    doors = opened(deed)
    unnamed = [each for each in doors if not _is_said(each, doors, deed, turn)]
    if not unnamed:
        return None
    home = turn.heard.mentioned.home
    said = turn.heard.meant(commands(turn.clauses(deed)))
    of_domain = (each for each in home.entities if each.domain == unnamed[0].domain)
    alike = [each for each in of_domain if is_guarded(each)]
    kin = [each for each in alike if said.may_mean(each)] or alike
    names = ", ".join(dict.fromkeys(each.names[0] for each in unnamed))
    return Refused(f"The user did not ask to open {names}. Ask the user which one.", which=kin)


def _is_said(entity: Exposed, doors: Sequence[Exposed], deed: Deed, turn: Turn) -> bool:
    """Tell whether the last sentence says to open a door: by its name, or as the only one there."""
    heard = turn.heard
    text = commands(turn.clauses(deed))
    if not heard.text or heard.kind is Kind.UNREAD or opens(text, heard.language) is False:
        return False
    if turn.understood and [*turn.understood.targets] == [entity]:
        return True
    said = heard.meant(text)
    return (
        _is_meant(entity, doors, said)
        or _is_called(entity, heard, text)
        or only_one_called(entity, said)
    )


def only_one_called(entity: Exposed, said: Meant) -> bool:
    """Tell whether words are for a door as the only one that is called so: "the gate"."""
    doors = [each for each in said.home.entities if is_guarded(each)]
    is_there = not said.areas or entity.area in said.areas
    if not is_there or len(doors) <= 1:
        return False
    if len(said.kinds) <= 1:
        return [*said.sort_of(doors)] == [entity]
    # "The gate and the garage door"; but no garage door for "the garage light".
    own = (each for each in said.kinds if entity.domain in each.domains and not each.several)
    return any([*said.called_by(each, doors)] == [entity] for each in own)


def _is_meant(entity: Exposed, doors: Sequence[Exposed], said: Meant) -> bool:
    """Tell whether words mean a door: of several that are opened, each is named, or all were said."""
    if said.means_all(entity):
        return True
    return entity in said.named if len(doors) > 1 else said.means_surely(entity)


def _is_called(entity: Exposed, heard: Heard, text: str) -> bool:
    """Tell whether words have all of a door's name, but that it is a lock; and of no other's more."""
    home, said = heard.mentioned.home, {*words(text)}
    told = {each: _telling(each, said) for each in home.entities if is_guarded(each)}
    mine = told.get(entity, frozenset())
    return bool(mine) and not any(mine < other for other in told.values())


def _telling(entity: Exposed, said: Collection[str]) -> frozenset[str]:
    """Return the words of the longest of a device's names that was said, but that of its domain."""
    names = ({*words(name)} - {*words(entity.domain)} for name in entity.names)
    return frozenset(max((own for own in names if own <= {*said}), key=len, default=frozenset()))
