"""The forms for a conversation agent."""

from collections.abc import Mapping
from typing import Any, ClassVar, override

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT
from homeassistant.helpers import entity_registry as er, llm
from homeassistant.helpers.selector import ConversationAgentSelector, TemplateSelector, TextSelector
import probatio

from ..const import (
    CONF_ASK_BEFORE,
    CONF_CONFIRM_AT_ONCE,
    CONF_DIAGNOSTICS_SENTENCES,
    CONF_FALLBACK_AFTER,
    CONF_FALLBACK_AGENT,
    CONF_KEEP_FORMATTING,
    CONF_MAX_ROUNDS,
    CONF_NOTEBOOK,
    CONF_PIN,
    CONF_REFLEX,
    CONF_SECOND_OPINION,
    CONF_SPEAKER_TAG,
    CONF_TALK_MINUTES,
    CONF_TIMEOUT,
    CONF_WARM_UP,
    DOMAIN,
    PIN_LENGTHS,
    Danger,
)
from ..models.anthropic.server import AnthropicModel
from ..speaker import is_tag_form
from ..turn.instructions import DEFAULT_INSTRUCTIONS
from .anthropic_model import AnthropicModelFlow
from .assistants import CONF_ASSISTANTS, assistants_field, async_give, in_words
from .fields import PASSWORD, Fields, Group, Grouped, optional, select_list, switches, whole
from .model import ModelFlow, tools_field
from .ollama_model import OllamaModelFlow
from .openai_model import OpenAIModelFlow

_AS_IT_WAS = "••••"
"""The form's placeholder for a PIN, which it never reveals."""


class AgentUse(ModelFlow):
    """Add a conversation agent, or change one: its instructions, its tools, and how it answers."""

    defaults: ClassVar[Mapping[str, Any]] = {
        CONF_LLM_HASS_API: [llm.LLM_API_ASSIST],
        CONF_FALLBACK_AGENT: conversation.HOME_ASSISTANT_AGENT,
    }

    @override
    def _fields(self) -> Fields:
        return {
            **(assistants_field(self.hass) if self._is_new else {}),
            probatio.Optional(CONF_PROMPT): TemplateSelector(),
            **tools_field(self.hass),
        }

    @override
    def _groups(self) -> Grouped:
        return {
            Group.ANSWERS: {
                **switches(
                    CONF_REFLEX,
                    CONF_CONFIRM_AT_ONCE,
                    CONF_SECOND_OPINION,
                    CONF_NOTEBOOK,
                ),
                probatio.Optional(CONF_SPEAKER_TAG): TextSelector(),
                optional(CONF_TALK_MINUTES): whole(5, 60, "min"),
                **switches(CONF_KEEP_FORMATTING),
            },
            Group.FAILURES: {
                probatio.Optional(CONF_FALLBACK_AGENT): ConversationAgentSelector(),
                optional(CONF_FALLBACK_AFTER): whole(1, 600, "s"),
                optional(CONF_TIMEOUT): whole(5, 600, "s"),
                optional(CONF_MAX_ROUNDS): whole(1, 20),
            },
            Group.SAFETY: {
                optional(CONF_ASK_BEFORE): select_list(
                    [each.value for each in Danger], multiple=True, translation_key=CONF_ASK_BEFORE
                ),
                probatio.Optional(CONF_PIN): PASSWORD,
            },
            Group.PRIVACY: switches(CONF_DIAGNOSTICS_SENTENCES),
        }

    @override
    def _made(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """Assign the agent to the ticked assistants: they store that, the agent does not."""
        kept = {key: value for key, value in self._data.items() if key != CONF_ASSISTANTS}
        chosen = self._data.get(CONF_ASSISTANTS, [])
        async_give(self.hass, self._get_entry(), kept, chosen)
        return kept, in_words(self.hass, chosen)

    @override
    def _shown(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Show our default instructions if there are no others, and no PIN."""
        return {
            **super()._shown(data),
            CONF_PROMPT: data.get(CONF_PROMPT) or DEFAULT_INSTRUCTIONS,
            **({CONF_PIN: _AS_IT_WAS} if data.get(CONF_PIN) else {}),
        }

    @override
    def _kept(self, values: dict[str, Any]) -> dict[str, Any]:
        """Drop our default instructions: unchanged ones follow the next release."""
        pin = values.pop(CONF_PIN, "").strip()
        if pin := self._data.get(CONF_PIN, "") if pin == _AS_IT_WAS else pin:
            values[CONF_PIN] = pin
        if values.get(CONF_PROMPT, "").strip() in ("", DEFAULT_INSTRUCTIONS.strip()):
            values.pop(CONF_PROMPT, None)
        return values

    @override
    def _wrong(self) -> str | None:
        """Return the error of the PIN, which is digits, the fallback agent, or the speaker's tag."""
        pin = self._data.get(CONF_PIN)
        if pin is not None and not (pin.isascii() and pin.isdecimal() and len(pin) in PIN_LENGTHS):
            return "not_a_pin"
        fallback = self._data.get(CONF_FALLBACK_AGENT)
        if fallback and self._changed and fallback == self._entity_id(self._changed):
            return "fallback_is_itself"
        if (tag := self._data.get(CONF_SPEAKER_TAG, "").strip()) and not is_tag_form(tag):
            return "not_a_tag"
        return None

    def _entity_id(self, agent: ConfigSubentry) -> str | None:
        registry = er.async_get(self.hass)
        return registry.async_get_entity_id(conversation.DOMAIN, DOMAIN, agent.subentry_id)


class OllamaAgentFlow(AgentUse, OllamaModelFlow):
    """Add a conversation agent to an Ollama server, or change one."""


class OpenAIAgentFlow(AgentUse, OpenAIModelFlow):
    """Add a conversation agent to a server that speaks OpenAI's protocol, or change one."""

    @override
    def _options(self) -> Fields:
        """Return the model's options, and that for the warm-up, if requests may cost."""
        costs = {} if self._kind.reads_for_free else switches(CONF_WARM_UP)
        return {**super()._options(), **costs}


class AnthropicAgentFlow(AgentUse, AnthropicModelFlow):
    """Add a conversation agent to an account at Anthropic, or change one."""

    @override
    def _of_model(self, model: AnthropicModel) -> Fields:
        """Return the options that a model supports, and that for the warm-up."""
        return {**super()._of_model(model), **switches(CONF_WARM_UP)}
