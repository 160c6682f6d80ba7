"""Our own tools that only read, for every agent of Home Assistant: causes, forecasts, plans."""

from typing import Final, override

from homeassistant.components.homeassistant import async_should_expose
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util
from homeassistant.util.json import JsonObjectType
import probatio

from ..answers.handler import HomeView
from ..answers.provenance import CauseHandler
from ..answers.weather import WeatherHandler
from ..const import DOMAIN
from ..home.exposed import Home
from ..home.state_semantics import has_state_meanings
from ..languages import language_of
from ..plans.descriptions import plan_told
from ..plans.plan import Plan
from ..plans.plans import PLANS
from ..plans.undo import entity_id_of

_MOST_DEVICES: Final = 4
_MOST_PLANS: Final = 20
_READ_ONLY: Final = llm.ToolAnnotations(
    read_only=True, destructive=False, idempotent=True, open_world=False
)


class ForecastTool(llm.Tool):
    """Returns the forecast of the home's exposed weather services."""

    name = f"{DOMAIN}__forecast"
    title = "Weather forecast"
    description = "Tells the weather of the next days, or of the next 24 hours."
    annotations = _READ_ONLY
    integration = DOMAIN
    parameters = probatio.Schema(
        {probatio.Optional("by", default="days"): probatio.In(["days", "hours"])}
    )

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Return a line for each day or hour, by the name of each service."""
        by_hours = self.parameters(tool_input.tool_args)["by"] == "hours"
        forecasts = WeatherHandler(await _async_view_of(hass, llm_context))
        lines = await forecasts.async_lines(by_hours=by_hours)
        return llm.ToolResult(data={"forecast": {name: [*each] for name, each in lines.items()}})


class PlansTool(llm.Tool):
    """Returns the plans made with our agents whose devices are all exposed."""

    name = f"{DOMAIN}__plans"
    title = "Plans"
    description = "Lists the commands and reminders that are planned for later, and when they are."
    annotations = _READ_ONLY
    integration = DOMAIN

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Return sentences for the next plans, 20 at most, and the number of the others."""
        now = dt_util.utcnow()
        plans = [each for each in hass.data[PLANS].all if _is_exposed(hass, each, llm_context)]
        data: JsonObjectType = {
            "plans": [f"{plan_told(hass, each, now)}." for each in plans[:_MOST_PLANS]]
        }
        if (more := len(plans) - _MOST_PLANS) > 0:
            data["more"] = more
        return llm.ToolResult(data=data)


class WhyTool(llm.Tool):
    """Returns when a device came into its state, and by whose or what action.

    It reports only exposed entities; for any other name, only that there is none.
    """

    name = f"{DOMAIN}__why"
    title = "Why something is as it is"
    description = (
        "Tells when a device came into the state that it is in, and who or what did that: an"
        " automation, a script, a person, a voice command, a plan."
    )
    annotations = _READ_ONLY
    integration = DOMAIN
    parameters = probatio.Schema(
        {probatio.Required("name", description="Name of the device"): probatio.All(str)}
    )

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Return a sentence for each device with that name, four at most."""
        name: str = self.parameters(tool_input.tool_args)["name"]
        view = await _async_view_of(hass, llm_context)
        things = view.phrasing.things
        called = [each for each in things.home.called(name) if has_state_meanings(each.domain)]
        found = called or things.link(name, lambda each: has_state_meanings(each.domain))
        if not 0 < len(found) <= _MOST_DEVICES:
            return llm.ToolResult(data={"error": "There is no such device"}, error=True)
        explained = CauseHandler(view)
        told = [await explained.async_now(each) for each in found]
        return llm.ToolResult(data={"answer": " ".join(told)})


async def _async_view_of(hass: HomeAssistant, called: llm.LLMContext) -> HomeView:
    """Return the part of the home that the caller may know, in its language, else in English."""
    language = language_of(called.language or hass.config.language)
    if not language.answers:
        language = language_of("en")
    return await HomeView.async_of(
        hass,
        Home.seen_by(hass, called.assistant),
        language,
        context=called.context,
        assistant=called.assistant,
    )


def _is_exposed(hass: HomeAssistant, plan: Plan, called: llm.LLMContext) -> bool:
    """Return True if all devices of a plan are exposed to the caller."""
    targets = [*(plan.call.targets if plan.call else ()), *(each.target for each in plan.restore)]
    ids = [entity_id_of(hass, each) for each in targets]
    return all(each and async_should_expose(hass, called.assistant, each) for each in ids)
