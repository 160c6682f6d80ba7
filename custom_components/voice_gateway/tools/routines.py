"""Scripts, scenes and the like that a model would run: where the user did not name them, and what then."""

from ..const import Danger
from ..heard.said import Mood, commands
from ..heard.whole import Whole
from .assist.target import Target
from .danger import BEGINS, RUNS, asked_to_run, is_said, leading_of, names_of, scripts_of
from .deed import Ask, Deed, Only, Refused, Turn
from .targets import is_left_open
from .wanted import is_wanted


def routine(deed: Deed, turn: Turn) -> Refused | Ask | None:
    """What may lead to opening what keeps people out needs a word of its own, as that does.

    Without one it is asked about where it leads to what a command wants.
    """
    hass, heard = turn.hass, turn.heard
    leading = leading_of(hass, deed)
    names = [*names_of(hass, deed, leading)]
    if not names:
        return None
    if not heard.text:
        return Refused("Nobody asked for that: it may open a lock, a gate or a garage")
    if heard.said.mood in (Mood.QUESTION, Mood.STATEMENT):
        return Refused("The user did not ask for that: answer in words")
    whole = Danger.ROUTINES not in turn.asks_before
    if not any(is_said(heard.text, name, heard.language, whole=whole) for name in names):
        if is_wanted(leading, turn):
            return asked_to_run(deed, turn, leading)
        return Refused(f"The user did not say {names[0]}. Ask the user.")
    return None


def unsaid_run(deed: Deed, turn: Turn) -> Refused | Only | None:
    """What a place is turned on with runs no script, scene or button there that was not said.

    Its devices are turned on; what else is there is what nobody spoke of.
    """
    heard, target = turn.heard, Target.of(deed.arguments)
    if getattr(deed.tool, "intent_type", "") not in BEGINS or target.name not in ("", "all"):
        return None
    understood = frozenset(turn.understood.targets if turn.understood else ())
    if turn.understood and not deed.targets:
        return None
    said = heard.meant(commands(heard.said.clauses))
    kinds = {domain for kind in said.kinds for domain in kind.domains}
    known = said.named | understood
    unsaid = [each for each in deed.targets if each.domain in RUNS and each not in known]
    left = [each for each in deed.targets if each not in unsaid or each.domain in kinds]
    scripts = [*names_of(turn.hass, deed, scripts_of(turn.hass, deed))]
    if any(is_said(heard.text, name, heard.language, whole=True) for name in scripts):
        scripts = []
    if len(left) == len(deed.targets) and not scripts:
        return None
    if not left:
        return Refused(
            f"The user did not say {(scripts or [unsaid[0].names[0]])[0]}. Ask the user."
        )
    return Only(left, leaves_scripts=bool(scripts))


def unsaid_script(deed: Deed, turn: Turn) -> Refused | Ask | None:
    """A script that is turned on like a device is one whose name the user says, or leaves open.

    It is none of the home's devices, so that no other rule holds it to what was said. A wish that
    speaks of no device leaves it to the model, as it does with the script's own tool.
    """
    heard = turn.heard
    if deed.targets or not heard.text or not (scripts := scripts_of(turn.hass, deed)):
        return None
    names = [*names_of(turn.hass, deed, scripts)]
    whole = turn.taint.is_there
    if any(is_said(heard.text, name, heard.language, whole=whole) for name in names):
        return None
    is_open = is_left_open(turn, heard.meant(commands(heard.said.clauses)))
    if is_open and not whole and not Whole(heard.text, heard.language).begins("listing"):
        return None
    if is_wanted(scripts, turn):
        return asked_to_run(deed, turn, scripts)
    return Refused(f"The user did not say {names[0]}. Ask the user.")
