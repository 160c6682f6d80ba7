"""Scripts, scenes and other routines that the user did not name."""

from collections.abc import Sequence

from homeassistant.components.alarm_control_panel import DOMAIN as ALARM
from homeassistant.core import HomeAssistant

from ...const import Danger
from ...names.inflection import is_like_any
from ...names.matching import words
from ...nlu.clause import DialogueAct, join_commands
from ...nlu.predicates import Predicate
from ...nlu.tokenizer import Text
from ..assist.target import Target
from ..script_effects import EffectAnalyzer
from .call import ComparedCall
from .divergence import Difference, Divergence, Provenance
from .questions import RUNS, ask_to_run, names_of
from .risk import BEGINS, contains_name, risky_targets, scripts_of


def compare_leading(call: ComparedCall) -> Difference | None:
    """The user must name a routine that may open an entry point, like the entry point itself.

    If the user did not, but a command may want its effect, the call requires consent.
    """
    utterance = call.utterance
    leading = risky_targets(call)
    names = [*names_of(call, leading)]
    if not names:
        return None
    if not utterance.text:
        told = "Nobody asked for that: it may open a lock, a gate or a garage"
        return Difference(Divergence.UNSAID_SCRIPT, told)
    if utterance.parsed.act in (DialogueAct.QUESTION, DialogueAct.STATEMENT):
        told = "The user did not ask for that: answer in words"
        return Difference(Divergence.UNSAID_SCRIPT, told)
    whole = Danger.ROUTINES not in call.turn.asks_before
    if any(contains_name(utterance.text, name, whole=whole) for name in names):
        return None
    return _unsaid(call, leading, names[0])


def compare_run_beside(call: ComparedCall) -> Difference | None:
    """Turning on a place runs no script, scene or button there that the user did not name.

    Its devices are turned on; the user did not mention the routines.
    """
    utterance, target = call.utterance, Target.of(call.arguments)
    if call.intent_type not in BEGINS or target.name not in ("", "all"):
        return None
    understood = frozenset(call.resolved.targets if call.resolved else ())
    if call.resolved and not call.targets:
        return None
    said = utterance.link(join_commands(utterance.parsed.clauses))
    known = said.named | understood
    unsaid = [each for each in call.targets if each.domain in RUNS and each not in known]
    left = [
        each for each in call.targets if each not in unsaid or each.domain in said.category_domains
    ]
    scripts = [*names_of(call, scripts_of(call))]
    if any(contains_name(utterance.text, name, whole=True) for name in scripts):
        scripts = []
    if len(left) == len(call.targets) and not scripts:
        return None
    told = "" if left else (scripts or [unsaid[0].names[0]])[0]
    return Difference(
        Divergence.UNSAID_SCRIPT,
        f"The user did not say {told}. Ask the user.",
        targets=left,
        leaves_scripts=bool(scripts),
    )


def compare_script(call: ComparedCall) -> Difference | None:
    """The user must name a script that a call turns on like a device.

    No other rule checks it, because it is not among the home's devices. After a wish without a
    device, the model may choose it, as with the script's own tool.
    """
    utterance = call.utterance
    if call.targets or not utterance.text or not (scripts := scripts_of(call)):
        return None
    names = [*names_of(call, scripts)]
    whole = call.taint.is_there
    if any(contains_name(utterance.text, name, whole=whole) for name in names):
        return None
    is_open = call.leaves_open(utterance.link(join_commands(utterance.parsed.clauses)))
    if is_open and not whole and not utterance.text.begins("listing"):
        return None
    return _unsaid(call, scripts, names[0])


def _unsaid(call: ComparedCall, scripts: Sequence[str], name: str) -> Difference:
    """Return the difference of unnamed scripts, with a question if a command may want them."""
    if may_run_unnamed(scripts, call):
        return Difference(Divergence.LIKELY_SCRIPT, ask=ask_to_run(call, scripts))
    told = f"The user did not say {name}. Ask the user."
    return Difference(Divergence.UNSAID_SCRIPT, told)


def may_run_unnamed(entity_ids: Sequence[str], call: ComparedCall) -> bool:
    """Return True if the user may be asked for consent to run routines without their names.

    The utterance is a plain command for now, for an entry point that they open. No third-party text
    was read, which could be the origin of the call.
    """
    utterance = call.utterance
    if utterance.asks or utterance.unmet_condition or call.provenance is Provenance.READ:
        return False
    if any(each.negated or not each.is_immediate for each in utterance.parsed.clauses):
        return False
    return any(
        _opens_it(each.command, entity_id, call.hass)
        for each in utterance.parsed.clauses
        if each.act is DialogueAct.COMMAND and each.is_plain
        for entity_id in entity_ids
    )


def _opens_it(command: Text, entity_id: str, hass: HomeAssistant) -> bool:
    """Return True if a command is only to open one of the things that a script opens."""
    predicate = Predicate.of(command)
    left = predicate.access_words
    for each in EffectAnalyzer(hass).opened_by(entity_id):
        is_alarm, state = each.partition(".")[0] == ALARM, hass.states.get(each)
        own = frozenset(words(state.name) if state else ())
        if is_alarm:
            own |= command.patterns.words_of("access_verbs.alarms")
        is_wanted = predicate.disarms if is_alarm else predicate.opens
        if left and is_wanted and all(is_like_any(word, own) for word in left):
            return True
    return False
