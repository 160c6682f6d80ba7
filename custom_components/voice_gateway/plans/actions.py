"""Actions with which automations and scripts make, list and cancel plans."""

from collections.abc import Sequence
from dataclasses import replace
import datetime as dt
from typing import Any

from homeassistant.components import conversation
from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv, entity_registry as er, llm
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..home.exposed import Home
from ..nlu.clause import Clause
from ..nlu.plan_requests import parse_only_times
from ..nlu.reminders import ReminderParser
from ..nlu.time_resolution import TimeExpression, TimeType
from ..nlu.tokenizer import Text
from ..nlu.utterance import Utterance
from ..tools.api import AgentAPI
from ..tools.assist.call_errors import Refusal
from ..tools.builtin import BuiltinTools
from ..tools.deferral import CannotSchedule
from ..tools.journal import Journal
from .descriptions import plan_told
from .planner import Planner
from .plans import PLANS, Plans

PLAN = "plan"
CANCEL_PLAN = "cancel_plan"
LIST_PLANS = "list_plans"
ATTR_COMMAND = "command"
ATTR_WHEN = "when"
ATTR_AT = "at"
ATTR_AGENT = "agent"
ATTR_ID = "id"
ATTR_ALL = "all"

_PLAN = probatio.Schema(
    {
        probatio.Required(ATTR_COMMAND): cv.string,
        probatio.Exclusive(ATTR_WHEN, "moment"): cv.string,
        probatio.Exclusive(ATTR_AT, "moment"): cv.datetime,
        probatio.Optional(ATTR_AGENT): cv.entity_id,
    }
)
_CANCEL_PLAN = probatio.Schema(
    {
        probatio.Exclusive(ATTR_ID, "which"): cv.string,
        probatio.Exclusive(ATTR_ALL, "which"): cv.boolean,
    }
)


@callback
def async_setup_plan_services(hass: HomeAssistant) -> None:
    """Register the actions."""
    optional, only = SupportsResponse.OPTIONAL, SupportsResponse.ONLY
    register = hass.services.async_register
    register(DOMAIN, PLAN, _async_plan, schema=_PLAN, supports_response=optional)
    register(DOMAIN, CANCEL_PLAN, _async_cancel, schema=_CANCEL_PLAN, supports_response=optional)
    register(DOMAIN, LIST_PLANS, _async_list, schema=None, supports_response=only)


async def _async_plan(call: ServiceCall) -> ServiceResponse:
    """Plan a command; return the plan's id and the confirmation that a user would hear."""
    hass = call.hass
    said = conversation.ConversationInput(
        text=call.data[ATTR_COMMAND],
        context=call.context,
        conversation_id=None,
        device_id=None,
        satellite_id=None,
        language=hass.config.language,
        agent_id=call.data.get(ATTR_AGENT, ""),
    )
    apis = _apis(hass, said.agent_id)
    moments, at = _moment(call, said.language)
    planner = Planner(hass, hass.data[PLANS], said, apis, at=at)
    utterance = await Utterance.async_parse(hass, said, (), Home.seen_by(hass, conversation.DOMAIN))
    leading = moments or (TimeExpression(type=TimeType.AT),)
    reminders = [*ReminderParser(utterance.text).parse_reminders(leading)]
    try:
        if reminders:
            told = await planner.async_remind(utterance, reminders[0], moments)
        else:
            told = await _async_keep(planner, utterance, moments)
    except CannotSchedule as err:
        raise _invalid(err.instead) from err
    except Refusal as err:
        raise _invalid("plan_refused", reason=str(err)) from err
    return {ATTR_ID: planner.made[0].id, "sentence": told}


async def _async_keep(
    planner: Planner, utterance: Utterance, moments: tuple[TimeExpression, ...]
) -> str:
    """Plan the call that the command resolves to; return the confirmation.

    Raises ServiceValidationError if the call is not certain.
    """
    hass, said = planner.hass, planner.said
    match utterance.parsed.clauses:
        case [Clause(negated=False, starts_now=True) as command]:
            clause = replace(command, times=(*moments, *command.times))
        case _:
            raise _invalid("plan_not_a_command", command=said.text)
    api = AgentAPI(hass, planner.apis, BuiltinTools(hass, {}))
    tools = await api.async_get_api_instance(said.as_llm_context(DOMAIN))
    tools = tools.for_turn(utterance, Journal(), hass.loop.time(), planner)
    if (certain := await planner.async_certain(tools, clause)) is None:
        raise _invalid("plan_not_a_command", command=said.text)
    return await planner.async_keep(tools, certain, clause)


async def _async_cancel(call: ServiceCall) -> ServiceResponse:
    """Cancel a plan or all plans; return the ids of the cancelled plans."""
    plans = call.hass.data[PLANS]
    if not call.data.get(ATTR_ALL) and ATTR_ID not in call.data:
        raise _invalid("plan_id_missing")
    ids = [each.id for each in plans.all] if call.data.get(ATTR_ALL) else [call.data[ATTR_ID]]
    gone = await plans.async_remove(ids)
    if ATTR_ID in call.data and not gone:
        raise _invalid("plan_id_unknown", id=call.data[ATTR_ID])
    return {"cancelled": [each.id for each in gone]}


async def _async_list(call: ServiceCall) -> ServiceResponse:
    """Return all plans by their next time; plans that wait for an event come last."""
    now = dt_util.utcnow()
    plans: Plans = call.hass.data[PLANS]
    return {
        "plans": [
            {
                ATTR_ID: each.id,
                "sentence": plan_told(call.hass, each, now),
                ATTR_COMMAND: each.spoken.text,
                ATTR_WHEN: each.spoken.moment,
                "next": dt_util.as_local(each.due).isoformat() if each.due else None,
                "again": not each.is_once,
            }
            for each in plans.all
        ]
    }


def _moment(
    call: ServiceCall, language: str
) -> tuple[tuple[TimeExpression, ...], dt.datetime | None]:
    """Return `when` as time expressions, else `at` in UTC; without a time zone, it is local."""
    if (when := call.data.get(ATTR_WHEN)) is not None:
        if moments := parse_only_times(Text(when, language)):
            return moments, None
        raise _invalid("plan_moment_unclear", when=when)
    if ATTR_AT not in call.data:
        raise _invalid("plan_without_moment")
    at = dt_util.as_utc(call.data[ATTR_AT])
    if at <= dt_util.utcnow():
        raise _invalid("plan_in_the_past")
    return (), at


def _apis(hass: HomeAssistant, agent_id: str) -> Sequence[str]:
    """Return the ids of the LLM APIs of one of our agents; without an agent, that of Assist."""
    if not agent_id:
        return (llm.LLM_API_ASSIST,)
    entity = er.async_get(hass).async_get(agent_id)
    entry = hass.config_entries.async_get_entry((entity and entity.config_entry_id) or "")
    if not (entity and entry and entry.domain == DOMAIN and entity.config_subentry_id):
        raise _invalid("plan_agent_unknown", agent=agent_id)
    options = entry.subentries[entity.config_subentry_id].data
    apis: list[str] = options.get(CONF_LLM_HASS_API, [])
    return apis


def _invalid(key: str, **placeholders: Any) -> ServiceValidationError:
    return ServiceValidationError(
        translation_domain=DOMAIN, translation_key=key, translation_placeholders=placeholders
    )
