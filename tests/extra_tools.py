"""An LLM API beside Assist's, with tools that do what tools of other integrations may do."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import probatio

API_ID = "extra"


class ExtraTool(llm.Tool):
    """A tool made of a function, which may be a coroutine function, of its arguments."""

    integration = "test"
    server = ""

    def __init__(
        self,
        name: str,
        does: Callable[..., Any],
        *,
        description: str | None = "Does something",
        parameters: probatio.Schema | None = None,
    ) -> None:
        """Take its name and what it does: return a result, or raise."""
        self.name = name
        self.description = description
        self.parameters = parameters or probatio.Schema({}, extra=probatio.ALLOW_EXTRA)
        self._does = does
        self.calls: list[llm.ToolInput] = []
        """The calls that reached it."""

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Do it."""
        self.calls.append(tool_input)
        result = self._does(**self.parameters(tool_input.tool_args))
        if asyncio.iscoroutine(result):
            result = await result
        return result if isinstance(result, llm.ToolResult) else llm.ToolResult(data=result)


@dataclass(slots=True, kw_only=True)
class ExtraAPI(llm.API):
    """An LLM API with the given tools."""

    tools: list[llm.Tool]
    prompt: str = ""
    serializer: Callable[[Any], Any] | None = None

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        """Return the tools as they are."""
        return llm.APIInstance(
            api=self,
            api_prompt=self.prompt,
            llm_context=llm_context,
            tools=self.tools,
            custom_serializer=self.serializer,
        )


def add_tools(hass: HomeAssistant, *tools: llm.Tool, **api: Any) -> ExtraAPI:
    """Register an API of these tools, under `API_ID` unless told otherwise."""
    extra = ExtraAPI(hass=hass, name="Extra", tools=list(tools), **({"id": API_ID} | api))
    llm.async_register_api(hass, extra)
    return extra
