"""The forms for an AI task."""

from typing import Any, override

import probatio

from ..const import CONF_MAX_ROUNDS, CONF_TIMEOUT, DEFAULT_TASK_TIMEOUT
from .anthropic_model import AnthropicModelFlow
from .fields import Fields, Group, Grouped, optional, whole
from .model import ModelFlow, tools_field
from .ollama_model import OllamaModelFlow
from .openai_model import OpenAIModelFlow

# Marks the models that accept pictures; the field's description explains it in words.
SIGHT_MARK = "👁"


class AiTaskUse(ModelFlow):
    """Add an AI task entity, or change it: most tasks need no tools."""

    @override
    def _fields(self) -> Fields:
        return tools_field(self.hass)

    @override
    def _groups(self) -> Grouped:
        return {
            Group.FAILURES: {
                probatio.Optional(CONF_TIMEOUT, default=DEFAULT_TASK_TIMEOUT): whole(5, 3600, "s"),
                optional(CONF_MAX_ROUNDS): whole(1, 20),
            }
        }

    @override
    def _marks(self, model: Any) -> list[str]:
        return [*super()._marks(model), *([SIGHT_MARK] if model.sees else [])]


class OllamaTaskFlow(AiTaskUse, OllamaModelFlow):
    """Add an AI task to an Ollama server, or change one."""


class OpenAITaskFlow(AiTaskUse, OpenAIModelFlow):
    """Add an AI task to a server that speaks OpenAI's protocol, or change one."""


class AnthropicTaskFlow(AiTaskUse, AnthropicModelFlow):
    """Add an AI task to an account at Anthropic, or change one."""
