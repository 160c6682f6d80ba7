"""What becomes of a sentence: what is decided of the obvious calls, and what is done without a model."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Never

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import intent, llm
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.util import dt as dt_util

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.nlu.explanation import explain
from custom_components.voice_gateway.nlu.utterance import Utterance
from custom_components.voice_gateway.plans.descriptions import plan_told
from custom_components.voice_gateway.plans.planner import Planner
from custom_components.voice_gateway.plans.plans import PLANS
from custom_components.voice_gateway.tools import policy
from custom_components.voice_gateway.tools.api import AgentAPI
from custom_components.voice_gateway.tools.builtin import BuiltinTools
from custom_components.voice_gateway.tools.executor import ToolExecutor
from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.policy import Step
from custom_components.voice_gateway.tools.policy.call import ComparedCall
from custom_components.voice_gateway.tools.policy.decisions import (
    Ask,
    Decision,
    Defer,
    Narrow,
    Refuse,
)
from custom_components.voice_gateway.tools.policy.divergence import Verdict
from custom_components.voice_gateway.tools.resolved_intent import Replace
from custom_components.voice_gateway.turn.prompt_prefill import PromptPrefill
from custom_components.voice_gateway.turn.turn import Turn

_AGENT = "conversation.explained"
_INTENTS = {
    **dict.fromkeys(("on", "open", "locked"), intent.INTENT_TURN_ON),
    **dict.fromkeys(("off", "closed", "unlocked"), intent.INTENT_TURN_OFF),
}
"""The intents that bring a state about."""

type _Meant = tuple[str, dict[str, Any]]
"""An intent and its slots."""


class _ModelNeeded(Exception):
    """A model would be asked now."""


class _NoModel:
    """A model that ends the turn instead of answering."""

    looks_before_it_answers = fails_often = False

    def stream(self, *_: Any, **__: Any) -> Never:
        raise _ModelNeeded

    async def weigh(self, *_: Any) -> None:
        return None

    async def sees(self) -> bool:
        return False

    async def read(self, *_: Any) -> None:
        """Read nothing."""


async def async_explain(
    hass: HomeAssistant, text: str, language: str, device_id: str
) -> dict[str, Any]:
    """Return how a sentence is read in a home, the decisions, and what is done without a model.

    What is done is done to the home.
    """
    await conversation.async_prepare_intents(hass, language)
    api = AgentAPI(hass, [llm.LLM_API_ASSIST], BuiltinTools(hass, {}))
    stop = api.watch.async_start()
    said = _said(text, language, device_id)
    utterance = await Utterance.async_parse(hass, said, (), api.watch.home)
    decisions = await _decisions(hass, said, utterance, api)
    outcome = await _outcome(hass, said, api)
    stop()
    return {
        **explain(utterance, most=12, is_bounded=False),
        "decisions": decisions,
        "without_model": outcome,
    }


async def _decisions(
    hass: HomeAssistant, said: conversation.ConversationInput, utterance: Utterance, api: AgentAPI
) -> list[dict[str, Any]]:
    """Return for each clause the call that a model obviously makes for it, and what is decided of it."""
    tools = await api.async_get_api_instance(said.as_llm_context(DOMAIN))
    planner = Planner(hass, hass.data[PLANS], said, api.ids)
    await planner.async_read_parts(utterance)
    tools = tools.for_turn(utterance, Journal(), hass.loop.time(), planner, is_heard=True)
    found = []
    explained = explain(utterance, is_bounded=False)["clauses"]
    for clause, shown in zip(utterance.parsed.clauses, explained, strict=True):
        part = await utterance.async_parse_clause(hass, said, clause)
        meant = _of_reading(explain(part)["home_assistant"]) or _of_states(shown)
        found.append({"clause": str(clause.text), **_decision(tools, meant)})
    return found


def _decision(tools: ToolExecutor, meant: _Meant | None) -> dict[str, Any]:
    """Return a call of an intent, and what the policy decides of it."""
    tool = tools.manager.for_intent(meant[0]) if meant else None
    if meant is None or tool is None:
        return {"call": None}
    call = llm.ToolInput(tool.name, meant[1])
    with _divergences_noted() as divergences:
        _, made, decided, _ = tools._decisions.read(tool, call)  # noqa: SLF001 - not made
    is_same = (made.tool_name, made.tool_args) == (call.tool_name, call.tool_args)
    return {
        "call": _call(call),
        "instead": None if is_same else _call(made),
        "divergences": divergences,
        **_decided(decided),
    }


def _of_reading(reading: Mapping[str, Any] | None) -> _Meant | None:
    """Return the intent and the slots that Home Assistant reads in a clause; None where it is unsure."""
    if not reading or not (reading["exact"] or (reading["slots"] and not reading["unknown"])):
        return None
    return reading["intent"], reading["slots"]


def _of_states(clause: Mapping[str, Any]) -> _Meant | None:
    """Return the intent that brings about the state that a clause says, of the only device it means."""
    candidates = clause["references"]["candidates"]
    sure = [each for each in candidates if each["certainty"] == "sure"]
    match sure or candidates, clause["desired_states"]:
        case [{"name": name, "entity_id": entity_id}], [state] if state in _INTENTS:
            return _INTENTS[state], {"name": name, "domain": [entity_id.partition(".")[0]]}
    return None


@contextmanager
def _divergences_noted() -> Iterator[list[str]]:
    """Collect in what calls differ from what was said, where that does not let them be made as they are."""
    noted: list[str] = []
    plain = policy.divergences

    def noting(call: ComparedCall) -> Iterator[Step]:
        for step in plain(call):
            difference, verdict, _ = step
            if verdict is not Verdict.ALLOW:
                noted.append(str(difference.kind))
            yield step

    vars(policy)["divergences"] = noting
    try:
        yield noted
    finally:
        vars(policy)["divergences"] = plain


def _decided(decided: Decision) -> dict[str, Any]:
    """Return what is decided of a call, and why."""
    match decided:
        case None:
            return {"decision": "made", "why": ""}
        case Refuse():
            return {"decision": "refused", "why": decided.reason}
        case Defer():
            moments = " ".join(each.text for each in decided.clause.times)
            return {"decision": "kept for later", "why": moments}
        case Narrow():
            names = ", ".join(each.names[0] for each in decided.targets)
            return {"decision": "made for some", "why": names}
        case Ask():
            return {"decision": "asked first", "why": f"{decided.does} {', '.join(decided.names)}"}
        case Replace():
            return {"decision": "replaced", "why": decided.reading.intent_type}


async def _outcome(
    hass: HomeAssistant, said: conversation.ConversationInput, api: AgentAPI
) -> dict[str, Any]:
    """Say a sentence to an agent without a model; return what it called, planned and answered."""
    model = _NoModel()
    with (
        async_get_chat_session(hass, None, context=said.context) as session,
        conversation.async_get_chat_log(hass, session, said) as log,
    ):
        turn = Turn(
            hass,
            said,
            log,
            model,
            api,
            options={},
            warm_up=PromptPrefill(hass, model, api, "", lambda _: said.as_llm_context(DOMAIN)),
        )
        try:
            result = await turn.async_run()
            answer = result.response.speech.get("plain", {}).get("speech", "")
        except _ModelNeeded:
            answer = None
        await hass.async_block_till_done()
        calls = [
            _call(call)
            for item in log.content
            if isinstance(item, conversation.AssistantContent)
            for call in item.tool_calls or ()
        ]
    now = dt_util.utcnow()
    plans = [plan_told(hass, plan, now) for plan in hass.data[PLANS].all]
    return {"asks_model": answer is None, "calls": calls, "plans": plans, "answer": answer}


def _said(text: str, language: str, device_id: str) -> conversation.ConversationInput:
    return conversation.ConversationInput(
        text=text,
        context=Context(),
        conversation_id=None,
        device_id=device_id or None,
        satellite_id=None,
        language=language,
        agent_id=_AGENT,
    )


def _call(call: llm.ToolInput) -> dict[str, Any]:
    return {"tool": call.tool_name, "arguments": dict(call.tool_args)}
