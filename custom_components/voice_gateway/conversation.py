"""The conversation agents."""

from dataclasses import replace
from typing import Any, Literal, override

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT, MATCH_ALL
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers.dispatcher import async_dispatcher_send

from .calendars.tools import calendar_tools
from .const import CONF_DIAGNOSTICS_SENTENCES, CONF_NOTEBOOK, SUBENTRY_CONVERSATION, option
from .entity import UseEntity
from .models.client import Reason
from .models.provider import ProviderConfigEntry, client_of
from .notebook.tools import NotebookTools
from .subentries import setup_of
from .tools.api import AgentAPI
from .tools.builtin import BuiltinTools
from .turn.instructions import DEFAULT_INSTRUCTIONS
from .turn.prompt_prefill import PromptPrefill
from .turn.repair_issues import AgentIssues, LocalFirst
from .turn.report import turn_reported, turns_of
from .turn.turn import Turn

# A model server limits its concurrent requests itself.
PARALLEL_UPDATES = 0


class VoiceGatewayAgent(UseEntity, conversation.ConversationEntity):
    """An agent: a model, its instructions and its tools."""

    _attr_name = None
    _attr_supports_streaming = True
    _attr_supported_features = conversation.ConversationEntityFeature.CONTROL

    def __init__(
        self, hass: HomeAssistant, entry: ProviderConfigEntry, subentry: ConfigSubentry
    ) -> None:
        """Take the agent's options from its subentry."""
        super().__init__(entry, subentry)
        options = subentry.data
        self._options = options
        self._model = client_of(entry.runtime_data, options)
        builtin = NotebookTools if option(options, CONF_NOTEBOOK) else BuiltinTools
        self._api = AgentAPI(
            hass, options.get(CONF_LLM_HASS_API, []), builtin(hass, entry.options, calendar_tools)
        )
        self._warm_up = PromptPrefill(
            hass,
            self._model,
            self._api,
            options.get(CONF_PROMPT) or DEFAULT_INSTRUCTIONS,
            self._llm_context,
        )
        self._issues = AgentIssues(hass, entry, subentry)
        self._local_first = LocalFirst(hass, subentry, self._api.watch)
        self._turns = turns_of(hass, subentry.subentry_id)

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        """Return all languages: which ones a model speaks is unknown."""
        return MATCH_ALL

    @override
    async def async_added_to_hass(self) -> None:
        """Start watching the home."""
        await super().async_added_to_hass()
        self.async_on_remove(self._issues.async_start())
        self.async_on_remove(self._api.watch.async_start())
        self.async_on_remove(self._warm_up.async_start())
        self.async_on_remove(self._local_first.async_start(self.entity_id))

    @override
    async def async_prepare(self, language: str | None = None) -> None:
        """Prefill the prompt while the user speaks."""
        await self._warm_up.async_prepare(language)

    @override
    async def _async_handle_message(
        self, user_input: conversation.ConversationInput, chat_log: conversation.ChatLog
    ) -> conversation.ConversationResult:
        """Answer an utterance, in a new context that identifies the agent's changes."""
        asked = user_input.context
        user_input = replace(user_input, context=Context(user_id=asked.user_id, parent_id=asked.id))
        turn = Turn(
            self.hass,
            user_input,
            chat_log,
            self._model,
            self._api,
            options=self._options,
            warm_up=self._warm_up,
        )
        result = await turn.async_run()
        if turn.report.failure is Reason.UNAUTHORIZED:
            self._entry.async_start_reauth(self.hass)
        # Without a request, the turn says nothing about the model.
        if turn.report.rounds or turn.report.failure:
            self._issues.async_note(turn.report.failure, fails_often=self._model.fails_often)
        async_dispatcher_send(self.hass, turn_reported(self._subentry.subentry_id), turn.report)
        kept: dict[str, Any] = {}
        if self._keeps_sentences:
            speech = result.response.speech.get("plain", {}).get("speech")
            kept = {"heard": user_input.text, "said": speech, "reading": turn.reading}
        self._turns.append(turn.report.as_dict() | kept)
        return result

    def diagnostics(self) -> dict[str, Any]:
        """Return the last turns, the newest last, the tools, the prompt and its changes."""
        return {
            "turns": list(self._turns),
            "tools": self._api.tool_choice,
            "prompt": self._prompt(),
            "prompt_changes": dict(self._warm_up.changes),
        }

    def _prompt(self) -> dict[str, Any]:
        """Return the last prompt; only the length of its texts, unless they may be kept.

        They name entities of the home, and may name its residents.
        """
        told = self._warm_up.read_last()
        if self._keeps_sentences:
            return told
        return {
            key: {"characters": len(text)} if isinstance(text, str) else text
            for key, text in told.items()
        }

    @property
    def _keeps_sentences(self) -> bool:
        return bool(option(self._options, CONF_DIAGNOSTICS_SENTENCES))


async_setup_entry = setup_of(
    SUBENTRY_CONVERSATION, lambda hass, entry, subentry: [VoiceGatewayAgent(hass, entry, subentry)]
)
