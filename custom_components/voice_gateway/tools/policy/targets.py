"""The theme: the devices to which the utterance refers, and no others."""

from dataclasses import replace

from homeassistant.components.media_player import DOMAIN as MEDIA_PLAYER
from homeassistant.helpers import intent, llm

from ...home.exposed import Exposed
from ...nlu.disambiguation import may_satisfy
from ...nlu.entity_linking import EntityLinker
from ...nlu.home_assistant import IntentMatch
from ...nlu.requests import SEARCH
from ..assist.media import RESUME
from ..assist.target import TARGET, Target
from ..inverse_intents import is_inverse
from ..journal import DirectReply
from ..resolved_intent import Replace
from .access import closes
from .antecedents import is_anaphoric, is_elliptic, refers_to_answer
from .call import ComparedCall
from .coverage import is_agreed
from .divergence import Difference, Divergence, listed
from .values import is_of_a_part, same_values, without_values

_ON_OFF = frozenset((intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF))


def compare_resolved(call: ComparedCall) -> Difference | None:
    """Replace a call on other devices, or the opposite call, by the utterance's certain intent."""
    understood = call.resolved
    if (
        understood is None
        or not understood.targets
        or not isinstance(call.tool, llm.IntentTool)
        or not (_is_alike(call, understood.reading) or _is_less(call, understood))
    ):
        return None
    reading = understood.reading
    if call.taint.is_there and not reading.is_exact:
        # "The lights named in my note" are named by a text: the user is asked for consent.
        return None
    is_same = call.intent_type == reading.intent_type and same_values(call, reading)
    if is_same and {*call.targets} == {*understood.targets}:
        return None
    return Difference(Divergence.OTHERWISE, meant=understood)


def compare_untargeted(call: ComparedCall) -> Difference | None:
    """A call that Home Assistant would refuse is made for the certain targets of the utterance."""
    if call.targets or not call.acts_on_devices or not call.takes_name:
        return None
    if len(call.clauses) != 1 or not call.is_command:
        return None
    said = call.link_back(without_values(call.text, call.arguments))
    domains = call.domains.intersection(Target.of(call.arguments).domains) or call.domains
    found = said.resolve([each for each in said.home.entities if each.domain in domains])
    return Difference(Divergence.UNTARGETED, targets=found) if found else None


def compare_exclusion(call: ComparedCall) -> Difference | None:
    """Excluded devices are not changed."""
    if not call.targets:
        return None
    if spared := call.spared_targets:
        others = [each for each in call.targets if each not in spared]
        return Difference(Divergence.EXCLUDED, targets=others)
    words = " ".join(each.exclusion for each in call.utterance.parsed.clauses if each.exclusion)
    if not words:
        return None
    # Of all devices, the best matches: "the bed light" is no other light; a place is all of it.
    excepted = call.utterance.link(call.utterance.text.alike(words))
    spared, areas = excepted.most_relevant, () if excepted.categories else excepted.areas
    others = [each for each in call.targets if not (each in spared or each.area in areas)]
    told = f"The user excepted {listed(call.targets)}"
    return Difference(Divergence.EXCLUDED, told, DirectReply.AS_SAID, targets=others)


def compare_mentions(call: ComparedCall) -> Difference | None:
    """Restrict the targets to entities to which the utterance, or a confirmed question, can refer.

    A wish without a device leaves them to the model, except for entry points; a wish for a place
    does so within that place.
    """
    if not call.acts_on_devices or not call.targets or is_agreed(call):
        return None
    if call.resolved and {*call.targets} <= {*call.resolved.targets}:
        return None
    if is_of_a_part(call) or is_anaphoric(call) or is_elliptic(call):
        return None
    if refers_to_answer(call) is not None:
        return None
    said = call.link_back(without_values(call.text, call.arguments))
    is_free = call.leaves_open(said)
    # After third-party text, such a call requires consent.
    if unbounded := _unbounded(call, said, is_free=is_free and not call.taint.is_there):
        return unbounded
    doors = call.opened_targets
    allowed = [
        entity
        for entity in call.targets
        if entity in doors or _may_be(entity, said, is_free=is_free) or closes(entity, call, said)
    ]
    if len(allowed) == len(call.targets):
        return None
    if not allowed and call.taint.is_there and _may_be_told(call, said):
        return None
    return replace(_not_meant(call, said), targets=allowed)


def _may_be_told(call: ComparedCall, said: EntityLinker) -> bool:
    """Return True if a text may name the devices of a kind: "the lights named in my note".

    Not if the user named their place.
    """
    is_there = not said.areas or all(each.area in said.areas for each in call.targets)
    return not said.named and is_there and said.category_domains >= call.target_domains


def _may_be(entity: Exposed, said: EntityLinker, *, is_free: bool) -> bool:
    """Return True if the utterance may refer to a device, or a wish for its place may need it."""
    serves = may_satisfy(said, entity) if said.areas else None
    if serves is None:
        return is_free or said.may_refer_to(entity, harmless=entity.is_access)
    return serves


def _unbounded(call: ComparedCall, said: EntityLinker, *, is_free: bool) -> Difference | None:
    """The whole home requires a universal quantifier, and a whole place must exist."""
    if place := said.unknown_place:
        if not said.is_foreign:
            told = f"There is no {place}: tell the user"
            return Difference(Divergence.NO_PLACE, told, DirectReply.NOT_FOUND, [place])
        if _is_untargeted(call):
            return Difference(Divergence.UNBOUNDED, f"You left the area out: {place}")
        return None
    if is_free and _is_untargeted(call) and not said.says_all:
        told = "You named no device and no area. Ask the user which device is meant."
        return Difference(Divergence.UNBOUNDED, told)
    return None


def _is_untargeted(call: ComparedCall) -> bool:
    """Return True if a call is for several devices: the whole home, or some domains of it.

    Of media players, Home Assistant finds the playing one.
    """
    told = {slot for slot in TARGET if call.arguments.get(slot) not in (None, "", [], "all")}
    is_all = told <= {"domain"} and len(call.targets) > 1
    return is_all and call.domains != {MEDIA_PLAYER}


def _not_meant(call: ComparedCall, said: EntityLinker) -> Difference:
    """Return the difference of unmentioned devices, with the possible ones."""
    first = call.targets[0]
    if kind := said.unknown_modifier(first):
        told = " ".join((*kind.modifiers, *kind.words))
        there = [each for each in said.home.entities if each.domain == first.domain]
        told = f"There is no {told}. There are: {listed(there)}"
        return Difference(Divergence.UNSAID, told, which=there)
    possible = [
        each
        for each in said.home.entities
        if each.domain in call.domains and said.is_candidate(each)
    ]
    told = f"It could be: {listed(possible)}. " if possible else ""
    told = f"The user did not say {listed(call.targets)}. {told}Ask the user which one."
    return Difference(Divergence.UNSAID, told, which=possible)


def _is_alike(call: ComparedCall, reading: IntentMatch) -> bool:
    """Return True if a call has the intent of a reading, or the opposite, on whatever targets."""
    assert isinstance(call.tool, llm.IntentTool)
    intent_type = call.tool.intent_type
    if (intent_type, reading.intent_type) == (RESUME, SEARCH):
        # Resuming playback is less than playing a requested title.
        return True
    return intent_type == reading.intent_type or is_inverse(
        intent_type, call.arguments, reading.intent_type
    )


def _is_less(call: ComparedCall, understood: Replace) -> bool:
    """Return True if a call only turns on or off the targets of another action.

    Muting a TV is not turning it off, and a warmer heating is not only turned on.
    """
    reading = understood.reading
    return (
        call.intent_type in _ON_OFF
        and reading.intent_type not in _ON_OFF
        and reading.is_exact
        and call.target_domains == {each.domain for each in understood.targets}
    )
