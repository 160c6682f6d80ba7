"""The integration's read-only tools for Home Assistant's other agents and its MCP server."""

from homeassistant.components.homeassistant import async_should_expose
from homeassistant.components.llm import LLMTools
from homeassistant.components.weather import DOMAIN as WEATHER
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.llm import LLM_API_ASSIST, LLMContext, Tool

from .const import CONF_OFFER_TOOLS, DOMAIN, option
from .shared_tools.tools import ForecastTool, PlansTool, WhyTool
from .tools.builtin.history import HistoryTool, has_history


@callback
def async_get_tools(hass: HomeAssistant, llm_context: LLMContext, api_id: str) -> LLMTools | None:
    """Return the tools for Assist's API, if a model server's options enable them.

    Our own agents answer without them; they have the history tool under another name.
    """
    is_ticked = any(
        option(entry.options, CONF_OFFER_TOOLS)
        for entry in hass.config_entries.async_loaded_entries(DOMAIN)
    )
    if api_id != LLM_API_ASSIST or not llm_context.assistant or not is_ticked:
        return None
    tools: list[Tool] = [WhyTool(), PlansTool()]
    services = hass.states.async_entity_ids(WEATHER)
    if any(async_should_expose(hass, llm_context.assistant, each) for each in services):
        tools.append(ForecastTool())
    if has_history(hass):
        tools.append(history := HistoryTool())
        # Home Assistant requires the integration's domain as a prefix.
        history.name = f"{DOMAIN}__history"
    return LLMTools(tools)
