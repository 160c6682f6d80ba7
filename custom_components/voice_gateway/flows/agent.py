"""What the forms ask of a conversation agent."""

from collections.abc import Mapping
from typing import Any, ClassVar, override

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er, llm
from homeassistant.helpers.selector import (
    BooleanSelector,
    ConversationAgentSelector,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TemplateSelector,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
import probatio

from ..const import (
    CONF_ASK_BEFORE,
    CONF_CONFIRM_AT_ONCE,
    CONF_DIAGNOSTICS_SENTENCES,
    CONF_FALLBACK_AFTER,
    CONF_FALLBACK_AGENT,
    CONF_KEEP_FORMATTING,
    CONF_MAX_ROUNDS,
    CONF_PIN,
    CONF_REFLEX,
    CONF_SECOND_OPINION,
    CONF_TIMEOUT,
    CONF_WARM_UP,
    DEFAULT_ASK_BEFORE,
    DEFAULT_CONFIRM_AT_ONCE,
    DEFAULT_DIAGNOSTICS_SENTENCES,
    DEFAULT_FALLBACK_AFTER,
    DEFAULT_KEEP_FORMATTING,
    DEFAULT_MAX_ROUNDS,
    DEFAULT_REFLEX,
    DEFAULT_SECOND_OPINION,
    DEFAULT_TIMEOUT,
    DEFAULT_WARM_UP,
    DOMAIN,
    PIN_LENGTHS,
    Danger,
)
from ..models.anthropic.server import AnthropicModel
from ..turn.instructions import DEFAULT_INSTRUCTIONS
from .anthropic_model import AnthropicModelFlow
from .assistants import CONF_ASSISTANTS, assistants_field, async_give, in_words
from .model import Use, tools_field, tools_there, whole
from .ollama_model import OllamaModelFlow
from .openai_model import OpenAIModelFlow
from .sections import Fields, Group, Grouped

_AS_IT_WAS = "••••"
"""What the form shows of a PIN, which it never gives away."""


class Agent(Use):
    """A conversation agent: its instructions, its tools, and how it answers."""

    defaults: ClassVar[Mapping[str, Any]] = {
        CONF_LLM_HASS_API: [llm.LLM_API_ASSIST],
        CONF_FALLBACK_AGENT: conversation.HOME_ASSISTANT_AGENT,
    }

    @override
    def fields(self, hass: HomeAssistant) -> Fields:
        """Return instructions and tools."""
        return {
            probatio.Optional(CONF_PROMPT): TemplateSelector(),
            probatio.Optional(CONF_LLM_HASS_API): tools_field(hass),
        }

    @override
    def fields_of_new(self, hass: HomeAssistant) -> Fields:
        """Return the assistants that are to use it."""
        return assistants_field(hass)

    @override
    def made(
        self, hass: HomeAssistant, entry: ConfigEntry[Any], data: Mapping[str, Any]
    ) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """Give it to the assistants that were ticked: they keep that, the agent does not."""
        kept = {key: value for key, value in data.items() if key != CONF_ASSISTANTS}
        chosen = data.get(CONF_ASSISTANTS, [])
        async_give(hass, entry, kept, chosen)
        return kept, in_words(hass, chosen)

    @override
    def options(self) -> Grouped:
        """Return what rarely needs a change."""
        return {
            Group.ANSWERS: _switches(
                {
                    CONF_REFLEX: DEFAULT_REFLEX,
                    CONF_CONFIRM_AT_ONCE: DEFAULT_CONFIRM_AT_ONCE,
                    CONF_SECOND_OPINION: DEFAULT_SECOND_OPINION,
                    CONF_KEEP_FORMATTING: DEFAULT_KEEP_FORMATTING,
                }
            ),
            Group.FAILURES: {
                probatio.Optional(CONF_FALLBACK_AGENT): ConversationAgentSelector(),
                probatio.Optional(CONF_FALLBACK_AFTER, default=DEFAULT_FALLBACK_AFTER): whole(
                    1, 600, "s"
                ),
                probatio.Optional(CONF_TIMEOUT, default=DEFAULT_TIMEOUT): whole(5, 600, "s"),
                probatio.Optional(CONF_MAX_ROUNDS, default=DEFAULT_MAX_ROUNDS): whole(1, 20),
            },
            Group.SAFETY: {
                probatio.Optional(CONF_ASK_BEFORE, default=DEFAULT_ASK_BEFORE): SelectSelector(
                    SelectSelectorConfig(
                        options=[each.value for each in Danger],
                        multiple=True,
                        mode=SelectSelectorMode.LIST,
                        translation_key=CONF_ASK_BEFORE,
                    )
                ),
                probatio.Optional(CONF_PIN): TextSelector(
                    TextSelectorConfig(type=TextSelectorType.PASSWORD)
                ),
            },
            Group.PRIVACY: _switches({CONF_DIAGNOSTICS_SENTENCES: DEFAULT_DIAGNOSTICS_SENTENCES}),
        }

    @override
    def shown(self, hass: HomeAssistant, data: Mapping[str, Any]) -> dict[str, Any]:
        """Show our own instructions where there are no others, only tools that are there, and no PIN."""
        return {
            **data,
            CONF_PROMPT: data.get(CONF_PROMPT) or DEFAULT_INSTRUCTIONS,
            CONF_LLM_HASS_API: tools_there(hass, data),
            **({CONF_PIN: _AS_IT_WAS} if data.get(CONF_PIN) else {}),
        }

    @override
    def kept(self, values: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
        """Leave out our own instructions: who did not change them gets those of the next release."""
        data = dict(values)
        data[CONF_PIN] = data.get(CONF_PIN, "").strip()
        if data[CONF_PIN] == _AS_IT_WAS:
            data[CONF_PIN] = before.get(CONF_PIN, "")
        if not data[CONF_PIN]:
            del data[CONF_PIN]
        if data.get(CONF_PROMPT, "").strip() in ("", DEFAULT_INSTRUCTIONS.strip()):
            data.pop(CONF_PROMPT, None)
        return data

    @override
    def wrong(
        self, hass: HomeAssistant, values: Mapping[str, Any], subentry: ConfigSubentry | None
    ) -> str | None:
        """Return what is wrong with a PIN, which is said digit by digit, or the fallback agent."""
        pin = values.get(CONF_PIN)
        if pin is not None and not (pin.isascii() and pin.isdecimal() and len(pin) in PIN_LENGTHS):
            return "not_a_pin"
        fallback = values.get(CONF_FALLBACK_AGENT)
        if fallback and subentry and fallback == _entity_id(hass, subentry):
            return "fallback_is_itself"
        return None


def _switches(defaults: Mapping[str, bool]) -> Fields:
    """Return switches, and how they stand to begin with."""
    return {
        probatio.Optional(name, default=default): BooleanSelector()
        for name, default in defaults.items()
    }


def _entity_id(hass: HomeAssistant, agent: ConfigSubentry) -> str | None:
    """Return the entity of an agent."""
    registry = er.async_get(hass)
    return registry.async_get_entity_id(conversation.DOMAIN, DOMAIN, agent.subentry_id)


class OllamaAgentFlow(OllamaModelFlow):
    """Add a conversation agent to an Ollama server, or change one."""

    use = Agent()


class OpenAIAgentFlow(OpenAIModelFlow):
    """Add a conversation agent to a server that speaks OpenAI's protocol, or change one."""

    use = Agent()

    @override
    def _options(self) -> Fields:
        """Return the model's options, and the one for who speaks with it, where that may cost."""
        if self._kind.reads_for_free:
            return super()._options()
        return {**super()._options(), **_switches({CONF_WARM_UP: DEFAULT_WARM_UP})}


class AnthropicAgentFlow(AnthropicModelFlow):
    """Add a conversation agent to an account at Anthropic, or change one."""

    use = Agent()

    @override
    def _of_model(self, model: AnthropicModel) -> Fields:
        """Return the options that a model knows, and the one for who speaks with it."""
        return {**super()._of_model(model), **_switches({CONF_WARM_UP: DEFAULT_WARM_UP})}
