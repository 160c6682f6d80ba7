"""What one comparison of the policy finds of a call, and what is decided of that."""

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

from custom_components.voice_gateway.tools.policy import Comparison
from custom_components.voice_gateway.tools.policy.call import ComparedCall, PolicyContext
from custom_components.voice_gateway.tools.policy.divergence import Verdict, verdict_on

_WORDS = {
    Verdict.ALLOW: "yes",
    Verdict.NARROW: "only",
    Verdict.REPLACE: "only",
    Verdict.DEFER: "later",
    Verdict.REFUSE: "no",
}


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
