"""Scripts, scenes and the like that a model would run: where the user did not name them, and what then."""

from ..const import Danger
from ..nlu.clause import DialogueAct, join_commands
from .assist.target import Target
from .decisions import Ask, Narrow, Refuse
from .proposed_call import ComparedCall
from .risk import BEGINS, RUNS, ask_to_run, contains_name, names_of, risky_targets, scripts_of
from .script_grounding import may_run_unnamed
from .target_policy import is_left_open


def restrict_routine(call: ComparedCall) -> Refuse | Ask | None:
    """What may lead to opening what keeps people out needs a word of its own, as that does.

    Without one it is asked about where it leads to what a command wants.
    """
    hass, utterance = call.hass, call.utterance
    leading = risky_targets(hass, call)
    names = [*names_of(hass, call, leading)]
    if not names:
        return None
    if not utterance.text:
        return Refuse("Nobody asked for that: it may open a lock, a gate or a garage")
    if utterance.parsed.act in (DialogueAct.QUESTION, DialogueAct.STATEMENT):
        return Refuse("The user did not ask for that: answer in words")
    whole = Danger.ROUTINES not in call.turn.asks_before
    if not any(contains_name(utterance.text, name, whole=whole) for name in names):
        if may_run_unnamed(leading, call):
            return ask_to_run(call, leading)
        return Refuse(f"The user did not say {names[0]}. Ask the user.")
    return None


def refuse_unsaid_run(call: ComparedCall) -> Refuse | Narrow | None:
    """What a place is turned on with runs no script, scene or button there that was not said.

    Its devices are turned on; what else is there is what nobody spoke of.
    """
    utterance, target = call.utterance, Target.of(call.arguments)
    if call.intent_type not in BEGINS or target.name not in ("", "all"):
        return None
    understood = frozenset(call.resolved.targets if call.resolved else ())
    if call.resolved and not call.targets:
        return None
    said = utterance.link(join_commands(utterance.parsed.clauses))
    kinds = {domain for kind in said.categories for domain in kind.domains}
    known = said.named | understood
    unsaid = [each for each in call.targets if each.domain in RUNS and each not in known]
    left = [each for each in call.targets if each not in unsaid or each.domain in kinds]
    scripts = [*names_of(call.hass, call, scripts_of(call.hass, call))]
    if any(contains_name(utterance.text, name, whole=True) for name in scripts):
        scripts = []
    if len(left) == len(call.targets) and not scripts:
        return None
    if not left:
        return Refuse(f"The user did not say {(scripts or [unsaid[0].names[0]])[0]}. Ask the user.")
    return Narrow(left, leaves_scripts=bool(scripts))


def refuse_unsaid_script(call: ComparedCall) -> Refuse | Ask | None:
    """A script that is turned on like a device is one whose name the user says, or leaves open.

    It is none of the home's devices, so that no other rule holds it to what was said. A wish that
    speaks of no device leaves it to the model, as it does with the script's own tool.
    """
    utterance = call.utterance
    if call.targets or not utterance.text or not (scripts := scripts_of(call.hass, call)):
        return None
    names = [*names_of(call.hass, call, scripts)]
    whole = call.taint.is_there
    if any(contains_name(utterance.text, name, whole=whole) for name in names):
        return None
    is_open = is_left_open(call, utterance.link(join_commands(utterance.parsed.clauses)))
    if is_open and not whole and not utterance.text.begins("listing"):
        return None
    if may_run_unnamed(scripts, call):
        return ask_to_run(call, scripts)
    return Refuse(f"The user did not say {names[0]}. Ask the user.")
