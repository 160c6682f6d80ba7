"""The tool that tells the weather to come."""

from typing import override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import probatio

from ..answers.weather import WeatherHandler
from ..const import DOMAIN
from .asker import async_view_of


class ForecastTool(llm.Tool):
    """Tells the forecast of the home's weather services that are exposed."""

    name = f"{DOMAIN}__forecast"
    title = "Weather forecast"
    description = "Tells the weather of the next days, or of the next 24 hours."
    annotations = llm.ToolAnnotations(
        read_only=True, destructive=False, idempotent=True, open_world=False
    )
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
        forecasts = WeatherHandler(await async_view_of(hass, llm_context))
        lines = await forecasts.async_lines(by_hours=by_hours)
        return llm.ToolResult(data={"forecast": {name: [*each] for name, each in lines.items()}})
