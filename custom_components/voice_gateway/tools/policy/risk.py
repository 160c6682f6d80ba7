"""Risk: dangerous calls require consent."""

from collections.abc import Iterator, Sequence
from typing import Final

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.components.script import DOMAIN as SCRIPT
from homeassistant.helpers import intent, llm

from ...const import Danger
from ...mcp_servers.tool import McpTool
from ...names.inflection import begins_alike, is_like_any
from ...names.matching import matcher, words
from ...nlu.tokenizer import Text
from ..assist.intents import IntentTool
from ..assist.target import Target
from ..script_effects import HELPERS, EffectAnalyzer
from .call import ComparedCall
from .decisions import Ask
from .divergence import Difference, Divergence
from .questions import OPENINGS, RUNS, ask_for_targets, ask_for_tool, ask_to_run

_REMOVES: Final = ("HassListRemoveItem", "HassShoppingListRemoveItem")
_STEM: Final = 4  # letters that two forms of a word share
_SHORT: Final = 2
_ENDS: Final = (intent.INTENT_TURN_OFF,)
BEGINS: Final = (intent.INTENT_TURN_ON, intent.INTENT_TOGGLE)


def compare_risk(call: ComparedCall) -> Difference | None:
    """Calls that unlock an entry point, run something that does, or delete data require consent."""
    for danger, asked in _dangers(call):
        if danger in call.turn.asks_before:
            return Difference(Divergence.DANGEROUS, ask=asked)
    return None


def contains_name(text: Text, name: str, *, whole: bool = False) -> bool:
    """Return True if a text has a word of a name, or all of them, without function words.

    Short words count only together and in their order: "do" is no "To Do".
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
    """Yield all dangers of a call, with their questions."""
    if doors := call.opened_targets:
        does, danger = OPENINGS.get(doors[0].domain, ("open", Danger.DOORS))
        yield danger, ask_for_targets(does, call.targets)
    leads = EffectAnalyzer(call.hass)
    if leading := risky_targets(call):
        yield Danger.ROUTINES, ask_to_run(call, leading)
    yield from _removing(call)
    if call.tool.annotations.read_only:
        return
    if (isinstance(call.tool, McpTool) and call.tool.declared.get("destructive_hint")) or (
        call.tool.name.endswith("__call_action") and leads.action_may_open(call.arguments)
    ):
        yield Danger.TOOLS, ask_for_tool(call)


def risky_targets(call: ComparedCall) -> Sequence[str]:
    """Return the ids of the routines that a call would run and that may open an entry point."""
    leads = EffectAnalyzer(call.hass)
    run = [each.entity_id for each in call.targets if each.domain in HELPERS]
    if call.intent_type in _ENDS:
        return [*filter(leads.may_open, run)]
    if entity_id := script_of(call.tool):
        return [entity_id] if leads.may_open(entity_id) else []
    run += [each.entity_id for each in call.targets if each.domain in RUNS.keys() - HELPERS]
    return [each for each in (*run, *scripts_of(call)) if leads.may_open(each)]


def scripts_of(call: ComparedCall) -> Sequence[str]:
    """Return the ids of the scripts that a call turns on.

    They are tools of their own, and not among the home's devices; Home Assistant still finds the
    exposed ones by their names or areas.
    """
    target = Target.of(call.arguments)
    if (
        call.leaves_scripts
        or call.intent_type not in BEGINS
        or (target.domains and SCRIPT not in target.domains)
        # Without a target, the call is refused, or is for the antecedents of "it".
        or not (
            target.name or target.area or target.floor or target.domains or target.device_classes
        )
        or not (states := call.hass.states.async_all(SCRIPT))
    ):
        return ()
    found = intent.async_match_targets(
        call.hass,
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
    """Return the id of the script that a tool runs; empty if it runs none."""
    domain, _, name = tool.name.partition("__")
    return f"{domain}.{name}" if isinstance(tool, llm.ActionTool) and domain == "script" else ""


def _removing(call: ComparedCall) -> Iterator[tuple[Danger, Ask]]:
    """Yield the removal of an item from a list that the user did not name."""
    if not isinstance(call.tool, IntentTool) or call.tool.intent_type not in _REMOVES:
        return
    utterance, item = call.utterance, str(call.arguments.get("item", ""))
    # "The shopping list" names no shopping bag, and clearing it, nothing to clean.
    empty = {word for each in call.targets for name in each.names for word in words(name)}
    empty |= utterance.text.patterns.words_of("ticks", "restatements.removes")
    said = {*utterance.text.words} - empty - matcher(utterance.language).function_words
    is_named = contains_name(utterance.text, item, whole=True)
    if not is_named and not any(is_like_any(each, words(item), _STEM) for each in said):
        yield Danger.LISTS, ask_for_targets("remove", call.targets, item)
