"""What keeps people out: which calls open it, and that they need words of their own."""

from collections.abc import Collection, Sequence

from homeassistant.helpers import intent, llm

from ..home.exposed import Exposed
from ..json_schema import Json
from ..names.matching import words
from ..nlu.entity_linking import EntityLinker
from ..nlu.mentions import is_access_entity
from ..nlu.predicates import Predicate
from ..nlu.utterance import RecognitionStatus, Utterance
from .decisions import Refuse
from .proposed_call import ComparedCall

# What moves no bolt and no door further open.
_SAFE = frozenset(
    (
        ("lock", intent.INTENT_TURN_ON),
        ("cover", intent.INTENT_TURN_OFF),
        ("cover", intent.INTENT_STOP_MOVING),
    )
)


def opens_access(intent_type: str, arguments: Json, entity: Exposed) -> bool:
    """Return True if an intent opens what keeps people out: to lock or to close it is no risk."""
    closes = intent_type == intent.INTENT_SET_POSITION and arguments.get("position") == 0
    return is_access_entity(entity) and not closes and (entity.domain, intent_type) not in _SAFE


def opened_targets(call: ComparedCall) -> Sequence[Exposed]:
    """Return what a call opens that keeps people out."""
    intent_type = call.tool.intent_type if isinstance(call.tool, llm.IntentTool) else ""
    return [each for each in call.targets if opens_access(intent_type, call.arguments, each)]


def restrict_access(call: ComparedCall) -> Refuse | None:
    """What keeps people out is opened only where the last sentence itself says so, and of which.

    Whether there are others, where somebody is and what was said before counts for nothing here.
    """
    doors = opened_targets(call)
    unnamed = [each for each in doors if not _is_said(each, doors, call)]
    if not unnamed:
        return None
    home = call.utterance.home
    said = call.reference
    of_domain = (each for each in home.entities if each.domain == unnamed[0].domain)
    alike = [each for each in of_domain if is_access_entity(each)]
    kin = [each for each in alike if said.is_candidate(each)] or alike
    names = ", ".join(dict.fromkeys(each.names[0] for each in unnamed))
    return Refuse(f"The user did not ask to open {names}. Ask the user which one.", which=kin)


def _is_said(entity: Exposed, doors: Sequence[Exposed], call: ComparedCall) -> bool:
    """Return True if the last sentence says to open a door: by its name, or as the only one there."""
    utterance = call.utterance
    text = call.text
    if (
        not utterance.text
        or utterance.status is RecognitionStatus.UNREAD
        or Predicate.of(text).opens is False
    ):
        return False
    if call.resolved and [*call.resolved.targets] == [entity]:
        return True
    said = utterance.link(text)
    return (
        _is_meant(entity, doors, said)
        or _is_called(entity, utterance, text)
        or is_only_one_named(entity, said)
    )


def is_only_one_named(entity: Exposed, said: EntityLinker) -> bool:
    """Return True if words are for a door as the only one that is called so: "the gate"."""
    doors = [each for each in said.home.entities if is_access_entity(each)]
    is_there = not said.areas or entity.area in said.areas
    if not is_there or len(doors) <= 1:
        return False
    if len(said.categories) <= 1:
        return [*said.filter_hyponym(doors)] == [entity]
    # "The gate and the garage door"; but no garage door for "the garage light".
    own = (each for each in said.categories if entity.domain in each.domains and not each.is_plural)
    return any([*said.filter_by_category_word(each, doors)] == [entity] for each in own)


def _is_meant(entity: Exposed, doors: Sequence[Exposed], said: EntityLinker) -> bool:
    """Return True if words mean a door: of several that are opened, each is named, or all were said."""
    if said.refers_to_all_with(entity):
        return True
    return entity in said.named if len(doors) > 1 else said.surely_refers_to(entity)


def _is_called(entity: Exposed, utterance: Utterance, text: str) -> bool:
    """Return True if words have all of a door's name, but that it is a lock; and of no other's more."""
    home, said = utterance.home, {*words(text)}
    told = {each: _telling(each, said) for each in home.entities if is_access_entity(each)}
    mine = told.get(entity, frozenset())
    return bool(mine) and not any(mine < other for other in told.values())


def _telling(entity: Exposed, said: Collection[str]) -> frozenset[str]:
    """Return the words of the longest of a device's names that was said, but that of its domain."""
    names = ({*words(name)} - {*words(entity.domain)} for name in entity.names)
    return frozenset(max((own for own in names if own <= {*said}), key=len, default=frozenset()))
