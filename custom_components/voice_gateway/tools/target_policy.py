"""Rules on what a call acts upon: the devices that were spoken of, and no others."""

from collections.abc import Sequence

from homeassistant.components.media_player import DOMAIN as MEDIA_PLAYER
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from ..home.exposed import Exposed
from ..nlu.disambiguation import may_satisfy
from ..nlu.entity_linking import EntityLinker
from ..nlu.home_assistant import IntentMatch
from ..nlu.mentions import is_access_entity
from ..nlu.requests import SEARCH
from .access_policy import is_only_one_named, opened_targets
from .anaphora_policy import is_anaphoric, is_elliptic
from .answer_anaphora import refers_to_answer
from .assist.media import RESUME
from .assist.target import TARGET, Target
from .decisions import Narrow, Refuse, Replace
from .inverse_intents import BEGINS, is_inverse
from .journal import DirectReply
from .proposed_call import ComparedCall
from .value_policy import without_values

_SOME = 6  # names that an error lists
_ANYTHING = frozenset(("automation", "button", "input_button", "scene"))
_ON_OFF = frozenset((intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF))
_SHUT = frozenset(("closed", "closing", "locked", "locking"))
_SWITCHES = frozenset(("input_boolean", "switch"))


def replace_with_resolved(call: ComparedCall) -> Replace | None:
    """What the sentence says for certain is done, where a call does it to others, or its opposite."""
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
        # "The lights named in my note" are told by what was read: the user is asked of them.
        return None
    is_same = call.tool.intent_type == reading.intent_type and _same_values(call, reading)
    return None if is_same and set(call.targets) == set(understood.targets) else understood


def narrow_to_resolved(call: ComparedCall) -> Narrow | None:
    """A call that Home Assistant would refuse is made for what the user certainly meant."""
    if call.targets or not call.acts_on_devices or not call.takes_name:
        return None
    if len(call.clauses) != 1 or not call.is_command:
        return None
    said = _meant(call)
    domains = call.domains.intersection(Target.of(call.arguments).domains) or call.domains
    found = said.resolve([each for each in said.home.entities if each.domain in domains])
    return Narrow(found) if found else None


def narrow_by_exclusion(call: ComparedCall) -> Refuse | Narrow | None:
    """What is excepted is left alone."""
    if not call.targets:
        return None
    if spared := call.spared_targets:
        return Narrow([each for each in call.targets if each not in spared])
    words = " ".join(each.exclusion for each in call.utterance.parsed.clauses if each.exclusion)
    if not words:
        return None
    mentioned = call.utterance.mentions
    # Of all devices, those that the words are most about: "the bed light" is no other light.
    about = mentioned.score_mentions(words, mentioned.home.entities)
    most = max(about.values())
    others = [entity for entity in call.targets if not most or about[entity] < most]
    if not others:
        return Refuse(f"The user excepted {_names(call.targets)}", DirectReply.AS_SAID)
    return Narrow(others)


def restrict_to_mentioned(call: ComparedCall) -> Refuse | Narrow | None:
    """Only devices that the user may have meant are acted upon.

    A wish that speaks of no device leaves it to the model, but for what would let somebody in; one for
    a place does so within that place.
    """
    if not call.acts_on_devices or not call.targets:
        return None
    if call.resolved and set(call.targets) <= set(call.resolved.targets):
        return None
    if is_of_a_part(call) or is_anaphoric(call) or is_elliptic(call):
        return None
    if refers_to_answer(call) is not None:
        return None
    said = _meant(call)
    is_free = is_left_open(call, said)
    # Where something was read, the user is asked of such a call.
    is_open = is_free and not call.taint.is_there
    if refused := _refuse_unbounded(call, said, is_free=is_open):
        return refused
    doors = opened_targets(call)
    allowed = [
        entity
        for entity in call.targets
        if entity in doors or _may_be(entity, said, is_free=is_free) or closes(entity, call, said)
    ]
    if len(allowed) == len(call.targets):
        return None
    if not allowed and call.taint.is_there and _may_be_told(call, said):
        return None
    return Narrow(allowed) if allowed else _not_meant(call, said)


def is_of_a_part(call: ComparedCall) -> bool:
    """Return True if a call does just what a part of the sentence says: "read my mail, and pause the music"."""
    intent_type = call.intent_type
    return bool(call.targets) and any(
        each.reading.intent_type == intent_type
        and {*each.targets}.issuperset(call.targets)
        and _has_values_of(each.reading, call)
        for each in call.of_parts
    )


def refuse_other_domain(call: ComparedCall) -> Refuse | None:
    """Who is to clean or to mow makes no music: by its verb alone, a command is for what does that.

    What a button or a scene does, nobody knows; nor what a switch does, where there is nothing else for it.
    """
    clauses = [
        call.utterance.link(each.command or each.text) for each in call.utterance.parsed.clauses
    ]
    if (
        not call.acts_on_devices
        or not call.targets
        or not all(each.sense_domains for each in clauses)
    ):
        return None
    doers = {domain for said in clauses for domain in said.sense_domains}
    is_there = bool(doers & call.utterance.home.domains)
    free = _ANYTHING if is_there else _ANYTHING | _SWITCHES
    if all(
        entity.domain in free or any(said.fits_sense(entity) for said in clauses)
        for entity in call.targets
    ):
        return None
    tools = (call.turn.manager.for_intent(BEGINS[each]) for each in sorted(doers) if each in BEGINS)
    told = ", ".join(tool.name for tool in tools if tool)
    return Refuse(
        f"That is no work for {_names(call.targets)}, but for a {' or '.join(sorted(doers))}"
        + (f": call {told}" if told and is_there else "")
    )


def _may_be_told(call: ComparedCall, said: EntityLinker) -> bool:
    """Return True if what was read may say which of a kind are meant: "the lights named in my note".

    Not where the user said in which place they are.
    """
    domains = {domain for kind in said.categories for domain in kind.domains}
    is_there = not said.areas or all(each.area in said.areas for each in call.targets)
    return not said.named and is_there and domains.issuperset(each.domain for each in call.targets)


def closes(entity: Exposed, call: ComparedCall, said: EntityLinker) -> bool:
    """Return True if a call closes the only door that is open, where closing was said and none named.

    Or the only one that is called so: "close the gate".
    """
    if not is_access_entity(entity) or any(map(is_access_entity, said.named)):
        return False
    if call.predicate.opens is not False:
        return False
    if is_only_one_named(entity, said):
        return True
    there = [
        each
        for each in said.home.entities
        if each.domain == entity.domain and (not said.areas or each.area in said.areas)
    ]
    is_open = (each for each in there if not is_shut(call.hass, each))
    return [*is_open] == [entity]


def is_shut(hass: HomeAssistant, entity: Exposed) -> bool:
    """Return True if a door is known to be closed, or locked."""
    state = hass.states.get(entity.entity_id)
    return state is not None and state.state in _SHUT


def _meant(call: ComparedCall) -> EntityLinker:
    """Return what the parts of the sentence that a call belongs to say, else the sentences before."""
    utterance = call.utterance
    text = without_values(call.text, call.arguments)
    said = utterance.link(text)
    for earlier in reversed(utterance.context.earlier):
        if said.has_mention:
            break
        said = utterance.link(earlier)
    return said


def is_left_open(call: ComparedCall, said: EntityLinker) -> bool:
    """Return True if it is left to the model what is acted upon: no command says it."""
    return not (said.has_mention and call.is_command)


def _may_be(entity: Exposed, said: EntityLinker, *, is_free: bool) -> bool:
    """Return True if a device may be meant, or may serve what is wished for a place."""
    serves = may_satisfy(said, entity) if said.areas else None
    if serves is None:
        return is_free or said.may_refer_to(entity, harmless=is_access_entity(entity))
    return serves


def _refuse_unbounded(call: ComparedCall, said: EntityLinker, *, is_free: bool) -> Refuse | None:
    """All of the home is meant only by a word that says so, and all of a place that is there."""
    is_untargeted = _is_untargeted(call)
    if place := said.unknown_place:
        if not said.is_foreign:
            return Refuse(f"There is no {place}: tell the user", DirectReply.NOT_FOUND, [place])
        return Refuse(f"You left the area out: {place}") if is_untargeted else None
    if is_free and is_untargeted and not said.says_all:
        return Refuse("You named no device and no area. Ask the user which device is meant.")
    return None


def _is_untargeted(call: ComparedCall) -> bool:
    """Return True if a call is for all of the home, or all of some domains in it, if that is several.

    Of media players, Home Assistant finds the one that plays.
    """
    told = {slot for slot in TARGET if call.arguments.get(slot) not in (None, "", [], "all")}
    is_all = told <= {"domain"} and len(call.targets) > 1
    return is_all and call.domains != {MEDIA_PLAYER}


def _not_meant(call: ComparedCall, said: EntityLinker) -> Refuse:
    """Return why none of a call's devices was meant, and what there is."""
    first = call.targets[0]
    if kind := said.unknown_modifier(first):
        told = " ".join((*kind.modifiers, *kind.words))
        there = [each for each in said.home.entities if each.domain == first.domain]
        return Refuse(f"There is no {told}. There are: {_names(there)}", which=there)
    possible = [
        each
        for each in said.home.entities
        if each.domain in call.domains and said.is_candidate(each)
    ]
    told = f"It could be: {_names(possible)}. " if possible else ""
    return Refuse(
        f"The user did not say {_names(call.targets)}. {told}Ask the user which one.",
        which=possible,
    )


def _is_alike(call: ComparedCall, reading: IntentMatch) -> bool:
    """Return True if a call does what a reading says, or its opposite, whatever it does it to."""
    assert isinstance(call.tool, llm.IntentTool)
    intent_type = call.tool.intent_type
    if (intent_type, reading.intent_type) == (RESUME, SEARCH):
        # To go on with what was played before is less than to play what is asked for.
        return True
    return intent_type == reading.intent_type or is_inverse(
        intent_type, call.arguments, reading.intent_type
    )


def _is_less(call: ComparedCall, understood: Replace) -> bool:
    """Return True if a call only turns on or off what something else is to be done to.

    A TV that is to be silent is not to be off, and a heating that is to be warmer not only on.
    """
    reading = understood.reading
    domains = {each.domain for each in understood.targets}
    return (
        call.intent_type in _ON_OFF
        and reading.intent_type not in _ON_OFF
        and reading.is_exact
        and {each.domain for each in call.targets} == domains
    )


def _same_values(call: ComparedCall, reading: IntentMatch) -> bool:
    """Return True if a call has the values that were said: how bright, how warm."""
    said = {slot: value for slot, value in reading.slots.items() if slot not in TARGET}
    return all(
        str(call.arguments.get(slot)).casefold() == str(value).casefold()
        for slot, value in said.items()
    )


def _has_values_of(reading: IntentMatch, call: ComparedCall) -> bool:
    """Return True if a call has the values that were said, and no others."""
    given = {slot for slot, value in call.arguments.items() if value not in (None, "", [])}
    return _same_values(call, reading) and given <= {*reading.slots, *TARGET}


def _names(entities: Sequence[Exposed]) -> str:
    return ", ".join(dict.fromkeys(each.names[0] for each in entities[:_SOME]))
