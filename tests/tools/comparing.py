"""What one comparison of the policy finds of a call, and what is decided of that."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.policy import Comparison
from custom_components.voice_gateway.tools.policy.call import ComparedCall, PolicyContext
from custom_components.voice_gateway.tools.policy.divergence import Verdict, verdict_on
from custom_components.voice_gateway.tools.taint import Taint
from tests.nlu.saying import hears

_WORDS = {
    Verdict.ALLOW: "yes",
    Verdict.NARROW: "only",
    Verdict.REPLACE: "only",
    Verdict.DEFER: "later",
    Verdict.REFUSE: "no",
}


async def said_and_called(
    hass: HomeAssistant,
    compare: Comparison,
    said: str,
    intent_type: str,
    arguments: Mapping[str, Any],
    *,
    before: Sequence[str] = (),
    language: str = "en",
    taint: Taint | None = None,
) -> str:
    """Return what becomes by one comparison of an intent's call for the entities of its name."""
    utterance = await hears(hass, said, *before, language=language)
    targets = [each for each in utterance.home.entities if arguments["name"] in each.names]
    proposed = proposed_call(
        tool=intent_tool(intent_type),
        arguments=dict(arguments),
        is_written=False,
        domains=frozenset(each.domain for each in targets),
        targets=targets,
    )
    taint = taint or Taint()
    turn = PolicyContext(utterance, Journal(), ToolManager(), hass=hass, taint=taint)
    return verdict(compare, proposed, turn)


def intent_tool(intent_type: str) -> llm.IntentTool:
    """Return Home Assistant's tool for an intent."""
    handler = intent.IntentHandler()
    handler.intent_type = intent_type
    return llm.IntentTool(intent_type, handler)


def proposed_call(**fields: Any) -> ComparedCall:
    """Return a call that is not compared with anything yet."""
    return ComparedCall(turn=Mock(PolicyContext), **fields)


def verdict(compare: Comparison, proposed: ComparedCall, turn: PolicyContext) -> str:
    """Return in a word or two what becomes of a call by one comparison alone."""
    call = replace(proposed, turn=turn)
    if (found := compare(call)) is None:
        return "yes"
    decided = verdict_on(found.kind, call.provenance)
    if decided is Verdict.NARROW and not found.targets:
        return "no"
    return f"asks {found.ask.does}" if decided is Verdict.ASK and found.ask else _WORDS[decided]
