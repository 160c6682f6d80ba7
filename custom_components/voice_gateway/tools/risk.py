"""What is dangerous: it is done only after the user has said yes to a question of ours."""

from collections.abc import Iterator, Sequence
from typing import Final

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.components.script import DOMAIN as SCRIPT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from ..const import Danger
from ..home.exposed import Exposed
from ..mcp_servers.tool import McpTool
from ..names.inflection import begins_alike, is_like_any
from ..names.matching import matcher, words
from ..nlu.tokenizer import Text
from .access_policy import opened_targets
from .assist.intents import IntentTool
from .assist.target import Target
from .decisions import Ask, Refuse
from .open_items import has_word
from .proposed_call import ComparedCall, ProposedCall
from .script_effects import EffectAnalyzer

_DOES: Final = {
    "lock": ("unlock", Danger.LOCKS),
    "alarm_control_panel": ("disarm", Danger.ALARMS),
}
RUNS: Final = {
    "automation": "turn_on",
    "button": "press",
    "input_button": "press",
    "scene": "activate",
    "script": "run",
}
_REMOVES: Final = ("HassListRemoveItem", "HassShoppingListRemoveItem")
_STEM: Final = 4  # letters in which two forms of a word are alike
_SHORT: Final = 2
_ENDS: Final = (intent.INTENT_TURN_OFF,)
BEGINS: Final = (intent.INTENT_TURN_ON, intent.INTENT_TOGGLE)


def confirm_risk(call: ComparedCall) -> Ask | Refuse | None:
    """What opens what keeps people out, leads there, destroys or empties is asked first."""
    for danger, asked in _dangers(call):
        if danger in call.turn.asks_before:
            return asked
    return None


def contains_name(text: Text, name: str, *, whole: bool = False) -> bool:
    """Return True if a text says a word of a name, or all of them: but for those that say nothing.

    Short words tell it only together, as they stand in it: "do" is no "To Do".
    """
    fillers = text.function_words
    if len(words(name)) > 1 and all(len(each) <= _SHORT for each in words(name)):
        return f" {' '.join(words(name))} " in f" {' '.join(text.words)} "
    said = [each for each in text.words if each not in fillers]
    own = [each for each in words(name) if each not in fillers]
    if not whole:
        return any(begins_alike(each, word) for each in own for word in said)
    return bool(own) and all(is_like_any(each, said, _STEM) for each in own)


def _dangers(call: ComparedCall) -> Iterator[tuple[Danger, Ask]]:
    """Yield all that is dangerous in a call."""
    yield from _opening(call)
    yield from _running(call)
    yield from _removing(call)
    if isinstance(call.tool, McpTool) and call.tool.declared.get("destructive_hint"):
        if not call.tool.annotations.read_only:
            yield Danger.TOOLS, ask_for_tool(call)
    elif _is_any_action(call.tool) and EffectAnalyzer(call.hass).action_may_open(call.arguments):
        yield Danger.TOOLS, ask_for_tool(call)


def _opening(call: ComparedCall) -> Iterator[tuple[Danger, Ask]]:
    if doors := opened_targets(call):
        does, danger = _DOES.get(doors[0].domain, ("open", Danger.DOORS))
        yield danger, ask_for_targets(does, call.targets)


def _running(call: ComparedCall) -> Iterator[tuple[Danger, Ask]]:
    if not (leading := risky_targets(call.hass, call)):
        return
    yield Danger.ROUTINES, ask_to_run(call, leading)


def risky_targets(hass: HomeAssistant, call: ComparedCall) -> Sequence[str]:
    """Return the ids of those that a call would run and that may open what keeps people out."""
    if call.intent_type in _ENDS:
        return ()
    leads = EffectAnalyzer(hass)
    if entity_id := script_of(call.tool):
        return [entity_id] if leads.may_open(entity_id) else []
    run = [each.entity_id for each in call.targets if each.domain in RUNS]
    return [each for each in (*run, *scripts_of(hass, call)) if leads.may_open(each)]


def scripts_of(hass: HomeAssistant, call: ComparedCall) -> Sequence[str]:
    """Return the ids of the scripts that a call turns on.

    They are tools of their own, and none of the home's devices; Home Assistant finds those that are
    exposed all the same, where they are named or are in the place that is.
    """
    target = Target.of(call.arguments)
    if (
        call.leaves_scripts
        or call.intent_type not in BEGINS
        or (target.domains and SCRIPT not in target.domains)
        # What says nothing of where or of what is refused, or is for the devices that "it" is.
        or not (
            target.name or target.area or target.floor or target.domains or target.device_classes
        )
        or not (states := hass.states.async_all(SCRIPT))
    ):
        return ()
    found = intent.async_match_targets(
        hass,
        intent.MatchTargetsConstraints(
            name=None if target.name == "all" else target.name or None,
            area_name=target.area or None,
            floor_name=target.floor or None,
            domains={SCRIPT},
            assistant=CONVERSATION,
        ),
        states=states,
    )
    return [each.entity_id for each in found.states]


def script_of(tool: llm.Tool) -> str:
    """Return the id of the script that a tool runs; empty where it runs none."""
    domain, _, name = tool.name.partition("__")
    return f"{domain}.{name}" if isinstance(tool, llm.ActionTool) and domain == "script" else ""


def names_of(hass: HomeAssistant, call: ComparedCall, entity_ids: Sequence[str]) -> Iterator[str]:
    """Yield what those are called that a call would run."""
    known = {each.entity_id: each.names for each in call.targets}
    for entity_id in entity_ids:
        if entity_id in known:
            yield from known[entity_id]
        elif isinstance(call.tool, IntentTool):
            state = hass.states.get(entity_id)
            yield state.name if state else entity_id
        else:
            yield call.tool.title or entity_id.partition(".")[2].replace("_", " ")
            yield from _aliases(call.tool)


def _aliases(tool: llm.Tool) -> Iterator[str]:
    """Yield a script's other names, as Home Assistant describes its tool."""
    _, found, listed = (tool.description or "").partition("Aliases: ")
    if found:
        yield from (each.strip("[]' ") for each in listed.split(","))


def _removing(call: ComparedCall) -> Iterator[tuple[Danger, Ask]]:
    """Yield where an item is to go from a list that the user did not name."""
    if not isinstance(call.tool, IntentTool) or call.tool.intent_type not in _REMOVES:
        return
    utterance, item = call.utterance, str(call.arguments.get("item", ""))
    # "The shopping list" names no shopping bag, and to clear it, nothing to be cleaned.
    empty = {word for each in call.targets for name in each.names for word in words(name)}
    empty |= utterance.text.patterns.words_of("ticks", "restatements.removes")
    said = {*utterance.text.words} - empty - matcher(utterance.language).function_words
    is_named = contains_name(utterance.text, item, whole=True)
    if not is_named and not any(has_word(item, each) for each in said):
        yield Danger.LISTS, ask_for_targets("remove", call.targets, item)


def ask_for_targets(does: str, targets: Sequence[Exposed], item: str = "") -> Ask:
    """Return the question before something is done to devices, or to an item of a list."""
    names = list(dict.fromkeys(each.names[0] for each in targets))
    if item:
        return Ask(
            does=does, names=[item], more={"list": names[0] if names else ""}, targets=targets
        )
    return Ask(does=does, names=names, targets=targets)


def ask_to_run(call: ComparedCall, entity_ids: Sequence[str]) -> Ask:
    """Return the question before a call runs scripts, scenes or the like."""
    does = RUNS[entity_ids[0].partition(".")[0]]
    names = list(names_of(call.hass, call, entity_ids))
    title = names[:1] if isinstance(call.tool, llm.ActionTool) else names
    return Ask(does=does, names=title, targets=call.targets)


def ask_to_open(doors: Sequence[Exposed]) -> Ask:
    """Return the question before what keeps people out is opened."""
    does, _ = _DOES.get(doors[0].domain, ("open", Danger.DOORS))
    return ask_for_targets(does, doors)


def ask_for_tool(call: ProposedCall) -> Ask:
    """Return the question before a tool of somebody else's is called: with what it is called."""
    tool = call.tool
    told = ", ".join(f"{key}: {_plain(value)}" for key, value in call.arguments.items() if value)
    called = tool.title or getattr(tool, "original_name", tool.name)
    return Ask(does="call_with" if told else "call", names=[_plain(called)], more={"values": told})


def _plain(value: object, most: int = 80) -> str:
    """Return a value as one short line."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(value)).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _is_any_action(tool: llm.Tool) -> bool:
    """Return True if a tool calls whatever action it is told."""
    return tool.name.endswith("__call_action") and not tool.annotations.read_only
