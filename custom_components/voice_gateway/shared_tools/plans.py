"""The tool that tells what is planned."""

from typing import override

from homeassistant.components.homeassistant import async_should_expose
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util
from homeassistant.util.json import JsonObjectType

from ..const import DOMAIN
from ..plans.descriptions import plan_told
from ..plans.plan import Plan
from ..plans.plans import PLANS
from ..plans.undo import entity_id_of

_MOST = 20


class PlansTool(llm.Tool):
    """Tells what was planned with agents of ours, as far as it is about what is exposed."""

    name = f"{DOMAIN}__plans"
    title = "Plans"
    description = "Lists the commands and reminders that are planned for later, and when they are."
    annotations = llm.ToolAnnotations(
        read_only=True, destructive=False, idempotent=True, open_world=False
    )
    integration = DOMAIN

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Return a sentence for each plan, the next ones first, and how many more there are."""
        now = dt_util.utcnow()
        plans = [each for each in hass.data[PLANS].all if _is_exposed(hass, each, llm_context)]
        data: JsonObjectType = {
            "plans": [f"{plan_told(hass, each, now)}." for each in plans[:_MOST]]
        }
        if (more := len(plans) - _MOST) > 0:
            data["more"] = more
        return llm.ToolResult(data=data)


def _is_exposed(hass: HomeAssistant, plan: Plan, called: llm.LLMContext) -> bool:
    """Return True if all devices of a plan are exposed to who asks."""
    targets = [*(plan.call.targets if plan.call else ()), *(each.target for each in plan.restore)]
    ids = [entity_id_of(hass, each) for each in targets]
    return all(each and async_should_expose(hass, called.assistant, each) for each in ids)
