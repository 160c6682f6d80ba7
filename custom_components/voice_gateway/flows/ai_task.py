"""What the forms ask of an AI task."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.core import HomeAssistant
import probatio

from ..const import CONF_MAX_ROUNDS, CONF_TIMEOUT, DEFAULT_MAX_ROUNDS, DEFAULT_TASK_TIMEOUT
from ..models.ollama.server import OllamaModel
from ..models.openai.capabilities import OpenAIModel
from .anthropic_model import AnthropicModelFlow
from .model import Use, tools_field, tools_there, whole
from .ollama_model import OllamaModelFlow
from .openai_model import OpenAIModelFlow
from .sections import Fields, Group, Grouped

# Stands before the models that can look at pictures; the field's description says so in words.
SIGHT_MARK = "👁"


class AiTask(Use):
    """What does AI tasks: its tools, of which most tasks need none."""

    @override
    def fields(self, hass: HomeAssistant) -> Fields:
        """Return the tools."""
        return {probatio.Optional(CONF_LLM_HASS_API): tools_field(hass)}

    @override
    def options(self) -> Grouped:
        """Return what rarely needs a change."""
        return {
            Group.FAILURES: {
                probatio.Optional(CONF_TIMEOUT, default=DEFAULT_TASK_TIMEOUT): whole(5, 3600, "s"),
                probatio.Optional(CONF_MAX_ROUNDS, default=DEFAULT_MAX_ROUNDS): whole(1, 20),
            }
        }

    @override
    def shown(self, hass: HomeAssistant, data: Mapping[str, Any]) -> dict[str, Any]:
        """Show only tools that are there."""
        return {**data, CONF_LLM_HASS_API: tools_there(hass, data)}


class OllamaTaskFlow(OllamaModelFlow):
    """Add an AI task to an Ollama server, or change one."""

    use = AiTask()

    @override
    def _marks(self, model: OllamaModel) -> list[str]:
        return [*super()._marks(model), *([SIGHT_MARK] if model.sees else [])]


class OpenAITaskFlow(OpenAIModelFlow):
    """Add an AI task to a server that speaks OpenAI's protocol, or change one."""

    use = AiTask()

    @override
    def _marks(self, model: OpenAIModel) -> list[str]:
        return [SIGHT_MARK] if model.sees else []


class AnthropicTaskFlow(AnthropicModelFlow):
    """Add an AI task to an account at Anthropic, or change one."""

    use = AiTask()
