"""A tool for the history of devices."""

from typing import override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.recorder import DATA_INSTANCE
import probatio

from ...answers.history.summary import UnclearQuestion, async_past_summary
from ...const import DOMAIN
from ...home.exposed import Home
from ..call_results import error


def has_history(hass: HomeAssistant) -> bool:
    """Return True if there is a recorder."""
    return DATA_INSTANCE in hass.data


class HistoryTool(llm.Tool):
    """Returns a device's history: how often and how long it had a state, or its measurements.

    - It reads only entities that are exposed to the calling assistant.
    - It returns no third-party text, and never acts.
    """

    name = "get_history"
    title = "History"
    description = (
        "Get the past of a device: its states, how often and how long, the lowest, highest and"
        " average value, what was used."
    )
    annotations = llm.ToolAnnotations(
        read_only=True, destructive=False, idempotent=True, open_world=False
    )
    integration = DOMAIN
    parameters = probatio.Schema(
        {
            probatio.Required("name", description="Name of the device"): str,
            probatio.Optional(
                "when", description="Like: yesterday, last night, this week, on Monday"
            ): str,
        }
    )

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Return the history, as a line for each device."""
        arguments = self.parameters(tool_input.tool_args)
        if not llm_context.assistant:
            return error("There is no device whose past could be told")
        home = Home.seen_by(hass, llm_context.assistant)
        try:
            told = await async_past_summary(
                hass,
                llm_context.language or hass.config.language,
                home,
                arguments["name"],
                arguments.get("when", ""),
            )
        except UnclearQuestion as err:
            return error(str(err))
        return llm.ToolResult(data={"result": told})
