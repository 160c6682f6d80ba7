"""The tool that tells what changed a device."""

from typing import override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import probatio

from ..answers.provenance import ChangeExplainer
from ..const import DOMAIN
from ..home.state_semantics import has_state_meanings
from .asker import async_view_of

_MOST = 4


class WhyTool(llm.Tool):
    """Tells when a device came into its state, and by whom or by what.

    Only what is exposed is told; of a name that nothing exposed has, nothing but that.
    """

    name = f"{DOMAIN}__why"
    title = "Why something is as it is"
    description = (
        "Tells when a device came into the state that it is in, and who or what did that: an"
        " automation, a script, a person, a voice command, a plan."
    )
    annotations = llm.ToolAnnotations(
        read_only=True, destructive=False, idempotent=True, open_world=False
    )
    integration = DOMAIN
    parameters = probatio.Schema(
        {probatio.Required("name", description="Name of the device"): probatio.All(str)}
    )

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Return a sentence for each device of that name, four at most."""
        name: str = self.parameters(tool_input.tool_args)["name"]
        view = await async_view_of(hass, llm_context)
        things = view.phrasing.things
        called = [each for each in things.home.called(name) if has_state_meanings(each.domain)]
        found = called or things.link(name, lambda each: has_state_meanings(each.domain))
        if not 0 < len(found) <= _MOST:
            return llm.ToolResult(data={"error": "There is no such device"}, error=True)
        explained = ChangeExplainer(view)
        told = [await explained.async_now(each) for each in found]
        return llm.ToolResult(data={"answer": " ".join(told)})
