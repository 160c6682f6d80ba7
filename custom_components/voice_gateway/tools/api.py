"""An agent's tools, collected for one conversation."""

from collections.abc import Sequence
from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
import probatio

from ..const import DOMAIN, LOGGER
from .builtin import BuiltinTools
from .executor import ToolExecutor
from .manager import ToolManager


class AgentAPI(llm.API):
    """Home Assistant's LLM APIs that an agent was given, and our own tools, as one API.

    An API that is missing or forbidden costs its own tools, not the others'.
    """

    def __init__(self, hass: HomeAssistant, api_ids: Sequence[str], builtin: BuiltinTools) -> None:
        """Take the ids of the APIs in their order; our own tools come after theirs."""
        super().__init__(hass=hass, id="|".join((DOMAIN, *api_ids)), name="Voice Gateway")
        self._api_ids = api_ids
        self._builtin = builtin

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> ToolExecutor:
        """Return the executor of the tools that there are now."""
        manager = ToolManager()
        prompts: list[str] = []
        serializers = []
        for api_id in self._api_ids:
            try:
                instance = await llm.async_get_api(self.hass, api_id, llm_context)
            except HomeAssistantError as err:
                LOGGER.warning("Going on without the tools of %s: %s", api_id, err)
                continue
            manager.add(*instance.tools)
            if instance.api_prompt:
                prompts.append(instance.api_prompt)
            if instance.custom_serializer:
                serializers.append(instance.custom_serializer)
        manager.add(*self._builtin.tools(llm_context))

        def serialize(value: Any) -> Any:
            """Return what the first API that knows a value makes of it."""
            for serializer in serializers:
                if (known := serializer(value)) not in (None, probatio.UNSUPPORTED):
                    return known
            return probatio.UNSUPPORTED

        return ToolExecutor(
            api=self,
            api_prompt="\n".join(prompts),
            llm_context=llm_context,
            tools=manager.all(),
            custom_serializer=serialize,
            manager=manager,
        )
