"""Rules on what a call acts upon: the devices that were spoken of, and no others."""

from collections.abc import Sequence

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from ..heard.heard import Kind
from ..heard.meant import Meant
from ..heard.mentioned import is_guarded
from ..heard.music import SEARCH
from ..heard.opening import opens
from ..heard.said import Mood, commands
from ..heard.sentences import Reading
from ..heard.wish import may_serve
from ..home.exposed import Exposed
from .answered import by_answer
from .assist.media import RESUME
from .assist.target import TARGET, Target
from .deed import Deed, Only, Refused, Turn, Understood
from .guarded import only_one_called, opened
from .journal import Instead
from .opposites import BEGINS, is_opposite
from .references import goes_on, refers
from .values import without_values

_SOME = 6  # names that an error lists
_ANYTHING = frozenset(("automation", "button", "input_button", "scene"))
_ON_OFF = frozenset((intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF))
_SHUT = frozenset(("closed", "closing", "locked", "locking"))
_SWITCHES = frozenset(("input_boolean", "switch"))


def as_understood(deed: Deed, turn: Turn) -> Understood | None:
    """What the sentence says for certain is done, where a call does it to others, or its opposite."""
    understood = turn.understood
    if (
        understood is None
        or not understood.targets
        or not isinstance(deed.tool, llm.IntentTool)
        or not (_is_alike(deed, understood.reading) or _is_less(deed, understood))
    ):
        return None
    reading = understood.reading
    if turn.taint.is_there and not reading.is_exact:
        # "The lights named in my note" are told by what was read: the user is asked of them.
        return None
    is_same = deed.tool.intent_type == reading.intent_type and _same_values(deed, reading)
    return None if is_same and set(deed.targets) == set(understood.targets) else understood


def aimed(deed: Deed, turn: Turn) -> Only | None:
    """A call that Home Assistant would refuse is made for what the user certainly meant."""
    if deed.targets or not deed.acts_on_devices or not deed.takes_name:
        return None
    if len(turn.clauses(deed)) != 1 or not is_command(turn):
        return None
    said = _meant(deed, turn)
    domains = deed.domains.intersection(Target.of(deed.arguments).domains) or deed.domains
    found = said.aims_at([each for each in said.home.entities if each.domain in domains])
    return Only(found) if found else None


def excepted(deed: Deed, turn: Turn) -> Refused | Only | None:
    """What is excepted is left alone."""
    if not deed.targets:
        return None
    if spared := turn.spared(deed):
        return Only([each for each in deed.targets if each not in spared])
    words = " ".join(each.excepted for each in turn.heard.said.clauses if each.excepted)
    if not words:
        return None
    mentioned = turn.heard.mentioned
    # Of all devices, those that the words are most about: "the bed light" is no other light.
    about = mentioned.spoken_of(words, mentioned.home.entities)
    most = max(about.values())
    others = [entity for entity in deed.targets if not most or about[entity] < most]
    if not others:
        return Refused(f"The user excepted {_names(deed.targets)}", Instead.AS_SAID)
    return Only(others)


def meant(deed: Deed, turn: Turn) -> Refused | Only | None:
    """Only devices that the user may have meant are acted upon.

    A wish that speaks of no device leaves it to the model, but for what would let somebody in; one for
    a place does so within that place.
    """
    if not deed.acts_on_devices or not deed.targets:
        return None
    if turn.understood and set(deed.targets) <= set(turn.understood.targets):
        return None
    if is_of_a_part(deed, turn) or refers(deed, turn) or goes_on(deed, turn):
        return None
    if by_answer(deed, turn) is not None:
        return None
    said = _meant(deed, turn)
    is_free = is_left_open(turn, said)
    doors = opened(deed)
    allowed = [
        entity
        for entity in deed.targets
        if entity in doors
        or _may_be(entity, said, is_free=is_free)
        or closes(entity, deed, turn, said)
    ]
    if len(allowed) == len(deed.targets):
        return None
    if not allowed and turn.taint.is_there and _may_be_told(deed, said):
        return None
    return Only(allowed) if allowed else _not_meant(deed, said)


def is_of_a_part(deed: Deed, turn: Turn) -> bool:
    """Tell whether a call does just what a part of the sentence says: "read my mail, and pause the music"."""
    intent_type = getattr(deed.tool, "intent_type", "")
    return bool(deed.targets) and any(
        each.reading.intent_type == intent_type
        and {*each.targets}.issuperset(deed.targets)
        and _has_values_of(each.reading, deed)
        for each in turn.of_parts(deed)
    )


def others_work(deed: Deed, turn: Turn) -> Refused | None:
    """Who is to clean or to mow makes no music: by its verb alone, a command is for what does that.

    What a button or a scene does, nobody knows; nor what a switch does, where there is nothing else for it.
    """
    clauses = [turn.heard.meant(each.command or each.text) for each in turn.heard.said.clauses]
    if not deed.acts_on_devices or not deed.targets or not all(each.doers for each in clauses):
        return None
    doers = {domain for said in clauses for domain in said.doers}
    is_there = bool(doers & turn.heard.mentioned.home.domains)
    free = _ANYTHING if is_there else _ANYTHING | _SWITCHES
    if all(
        entity.domain in free or any(said.is_work_of(entity) for said in clauses)
        for entity in deed.targets
    ):
        return None
    tools = (turn.manager.for_intent(BEGINS[each]) for each in sorted(doers) if each in BEGINS)
    told = ", ".join(tool.name for tool in tools if tool)
    return Refused(
        f"That is no work for {_names(deed.targets)}, but for a {' or '.join(sorted(doers))}"
        + (f": call {told}" if told and is_there else "")
    )


def _may_be_told(deed: Deed, said: Meant) -> bool:
    """Tell whether what was read may say which of a kind are meant: "the lights named in my note".

    Not where the user said in which place they are.
    """
    domains = {domain for kind in said.kinds for domain in kind.domains}
    is_there = not said.areas or all(each.area in said.areas for each in deed.targets)
    return not said.named and is_there and domains.issuperset(each.domain for each in deed.targets)


def closes(entity: Exposed, deed: Deed, turn: Turn, said: Meant) -> bool:
    """Tell whether a call closes the only door that is open, where closing was said and none named.

    Or the only one that is called so: "close the gate".
    """
    if not is_guarded(entity) or any(map(is_guarded, said.named)):
        return False
    if opens(commands(turn.clauses(deed)), turn.heard.language) is not False:
        return False
    if only_one_called(entity, said):
        return True
    there = [
        each
        for each in said.home.entities
        if each.domain == entity.domain and (not said.areas or each.area in said.areas)
    ]
    is_open = (each for each in there if not is_shut(turn.hass, each))
    return [*is_open] == [entity]


def is_shut(hass: HomeAssistant, entity: Exposed) -> bool:
    """Tell whether a door is known to be closed, or locked."""
    state = hass.states.get(entity.entity_id)
    return state is not None and state.state in _SHUT


def _meant(deed: Deed, turn: Turn) -> Meant:
    """Return what the parts of the sentence that a call belongs to say, else the sentences before."""
    heard = turn.heard
    text = without_values(commands(turn.clauses(deed)), deed.arguments, heard.language)
    said = heard.meant(text)
    for earlier in reversed(heard.earlier):
        if said.tells:
            break
        said = heard.meant(earlier)
    return said


def is_left_open(turn: Turn, said: Meant) -> bool:
    """Tell whether it is left to the model what is acted upon: no command says it."""
    return not (said.tells and is_command(turn))


def _may_be(entity: Exposed, said: Meant, *, is_free: bool) -> bool:
    """Tell whether a device may be meant, or may serve what is wished for a place."""
    serves = may_serve(said, entity) if said.areas else None
    if serves is None:
        return is_free or said.means(entity, harmless=is_guarded(entity))
    return serves


def is_command(turn: Turn) -> bool:
    """Tell whether the sentence certainly says that something is to be done."""
    return turn.heard.kind is Kind.COMMAND or turn.heard.said.mood is Mood.COMMAND


def _not_meant(deed: Deed, said: Meant) -> Refused:
    """Return why none of a call's devices was meant, and what there is."""
    first = deed.targets[0]
    if kind := said.not_there(first):
        told = " ".join((*kind.tells, *kind.words))
        there = [each for each in said.home.entities if each.domain == first.domain]
        return Refused(f"There is no {told}. There are: {_names(there)}", which=there)
    possible = [
        each for each in said.home.entities if each.domain in deed.domains and said.may_mean(each)
    ]
    told = f"It could be: {_names(possible)}. " if possible else ""
    return Refused(
        f"The user did not say {_names(deed.targets)}. {told}Ask the user which one.",
        which=possible,
    )


def _is_alike(deed: Deed, reading: Reading) -> bool:
    """Tell whether a call does what a reading says, or its opposite, whatever it does it to."""
    assert isinstance(deed.tool, llm.IntentTool)
    intent_type = deed.tool.intent_type
    if (intent_type, reading.intent_type) == (RESUME, SEARCH):
        # To go on with what was played before is less than to play what is asked for.
        return True
    return intent_type == reading.intent_type or is_opposite(
        intent_type, deed.arguments, reading.intent_type
    )


def _is_less(deed: Deed, understood: Understood) -> bool:
    """Tell whether a call only turns on or off what something else is to be done to.

    A TV that is to be silent is not to be off, and a heating that is to be warmer not only on.
    """
    reading = understood.reading
    domains = {each.domain for each in understood.targets}
    return (
        getattr(deed.tool, "intent_type", "") in _ON_OFF
        and reading.intent_type not in _ON_OFF
        and reading.is_exact
        and {each.domain for each in deed.targets} == domains
    )


def _same_values(deed: Deed, reading: Reading) -> bool:
    """Tell whether a call has the values that were said: how bright, how warm."""
    said = {slot: value for slot, value in reading.slots.items() if slot not in TARGET}
    return all(
        str(deed.arguments.get(slot)).casefold() == str(value).casefold()
        for slot, value in said.items()
    )


def _has_values_of(reading: Reading, deed: Deed) -> bool:
    """Tell whether a call has the values that were said, and no others."""
    given = {slot for slot, value in deed.arguments.items() if value not in (None, "", [])}
    return _same_values(deed, reading) and given <= {*reading.slots, *TARGET}


def _names(entities: Sequence[Exposed]) -> str:
    return ", ".join(dict.fromkeys(each.names[0] for each in entities[:_SOME]))
