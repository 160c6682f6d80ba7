"""Execution of a plan that is due."""

from collections.abc import Sequence
from dataclasses import replace

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from ..const import DOMAIN, EVENT_PLAN, LOGGER
from ..home.exposed import Home
from ..nlu.time_resolution import TimeType
from ..texts import async_text
from ..tools.api import AgentAPI
from ..tools.assist.intents import IntentTool
from ..tools.builtin import BuiltinTools
from ..tools.deferral import ResolvedCall
from ..tools.executor import ToolExecutor
from .delivery import async_message, async_reach, async_speak, notify
from .descriptions import said_at_its_moment
from .events import async_watch
from .plan import Plan, Spoken, StateSnapshot
from .schedule import AtTime, OnEvent, words_of
from .undo import answers, async_restore, entity_id_of, since, states_of, would_open


async def async_carry_out(hass: HomeAssistant, plan: Plan) -> tuple[str, Sequence[Plan]]:
    """Carry out a plan.

    Returns:
        The key of the message to the user, empty if there is none; and the plans to add: the revert
        of the call, or the rest of a revert whose devices are unavailable.
    """
    home = Home.seen_by(hass, conversation.DOMAIN)
    if plan.say:
        if await _are_met(hass, plan, home):
            await async_reach(hass, plan.spoken, plan.id, said_at_its_moment(plan))
        return "", ()
    if plan.call is None:
        # The user may have been removed since.
        context = (
            Context(user_id=plan.spoken.user_id) if await is_allowed(hass, plan) else Context()
        )
        _announce(hass, plan, context)
        if left := await async_restore(hass, plan, context):
            due = plan.due or dt_util.utcnow()
            return "", [replace(plan, when=AtTime(at=due), due=due, restore=tuple(left))]
        return "", ()
    if not answers(hass, plan):
        return "plan_unanswered", ()
    return await _async_call(hass, plan, home) if await _are_met(hass, plan, home) else ("", ())


async def _async_call(hass: HomeAssistant, plan: Plan, home: Home) -> tuple[str, Sequence[Plan]]:
    """Make the call of a plan; return the same as `async_carry_out`."""
    context = Context(user_id=plan.spoken.user_id)
    tools = await _tools(hass, plan, context)
    resolved = _resolved(hass, plan, tools, home)
    if resolved is None:
        return "plan_gone", ()
    states = states_of(hass, resolved.targets)
    _announce(hass, plan, context)
    result = await tools.async_make(resolved)
    if result.error:
        LOGGER.debug("A plan failed: %s", result.data)
        return "plan_failed", ()
    moment = plan.spoken.moment if plan.is_while else words_of(plan.endings)
    spoken, over = replace(plan.spoken, moment=moment), plan.end(dt_util.utcnow(), hass)
    end = ending_of(hass, spoken, over, since(hass, states, context))
    return "", [replace(end, about=plan.about)] if end else ()


def ending_of(
    hass: HomeAssistant,
    spoken: Spoken,
    over: AtTime | OnEvent | None,
    before: Sequence[StateSnapshot],
) -> Plan | None:
    """Return the plan that reverts a call that was just made; None if its effect stays.

    `over` is the end of the effect; `before` are the snapshots to restore.
    """
    if over is None or not before:
        return None
    return Plan(
        spoken=spoken,
        made=dt_util.utcnow(),
        when=over,
        due=over.at if isinstance(over, AtTime) else None,
        restore=tuple(before),
        is_guarded=any(would_open(hass, each) for each in before),
    )


async def is_allowed(hass: HomeAssistant, plan: Plan) -> bool:
    """Return True if the plan's user, if any, still exists and is active."""
    if plan.spoken.user_id is None:
        return True
    user = await hass.auth.async_get_user(plan.spoken.user_id)
    return user is not None and user.is_active


async def async_tell(hass: HomeAssistant, plan: Plan, key: str) -> None:
    """Notify the user of a plan that was not carried out, or not as planned.

    The notification exists when this returns; the spoken message follows in a task of its own.
    """
    language = plan.spoken.language
    command = plan.spoken.text
    if plan.is_ending:
        command = await async_text(hass, language, "plan_end", {"command": command})
    # A plan that was moved in the calendar has no spoken time.
    due = f"{dt_util.as_local(plan.due):%Y-%m-%d %H:%M}" if plan.due else ""
    moment = plan.spoken.moment or due
    told = await async_text(hass, language, key, {"command": command, "moment": moment})
    notify(hass, plan.id, told)

    async def speak() -> None:
        if not await async_speak(hass, plan.spoken, told):
            await async_message(hass, plan.spoken, told)

    hass.async_create_task(speak(), f"{DOMAIN} tell {plan.id}")


async def _are_met(hass: HomeAssistant, plan: Plan, home: Home) -> bool:
    """Return True if all conditions of a plan are met now; an unknown condition is not met."""
    for each in plan.conditions:
        watched = await async_watch(hass, home, plan.spoken, each.condition, each.type)
        if watched is None or watched.is_so() is not (each.type is TimeType.IF):
            return False
    return True


async def _tools(hass: HomeAssistant, plan: Plan, context: Context) -> ToolExecutor:
    """Return the agent's tools with the user's rights; the agent itself may have been removed."""
    llm_context = llm.LLMContext(
        platform=DOMAIN,
        context=context,
        language=plan.spoken.language,
        assistant=conversation.DOMAIN,
        device_id=plan.spoken.device_id,
        agent_id=plan.spoken.agent_id,
    )
    api = AgentAPI(hass, plan.spoken.apis, BuiltinTools(hass, {}))
    return await api.async_get_api_instance(llm_context)


def _resolved(
    hass: HomeAssistant, plan: Plan, tools: ToolExecutor, home: Home
) -> ResolvedCall | None:
    """Return the call with its present devices; None if its tool or all devices are gone."""
    call = plan.call
    assert call
    tool = tools.manager.find(call.tool)
    if tool is None or (call.server and getattr(tool, "server", "") != call.server):
        return None
    if isinstance(tool, IntentTool) and call.intent_type:
        tool = tool.for_intent(call.intent_type)
    ids = {entity_id_of(hass, each) for each in call.targets}
    targets = tuple(each for each in home.entities if each.entity_id in ids)
    if call.targets and not targets:
        return None
    return ResolvedCall(tool, call.arguments, targets)


def _announce(hass: HomeAssistant, plan: Plan, context: Context) -> None:
    """Fire the event of a plan in the context of the actions that follow."""
    data = {"plan_id": plan.id, "agent_id": plan.spoken.agent_id}
    hass.bus.async_fire(EVENT_PLAN, data, context=context)
