"""The button that starts a trial of an agent's model."""

import asyncio
from typing import override

from homeassistant.components import conversation, persistent_notification
from homeassistant.components.button import ButtonEntity
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_MODEL, EntityCategory
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er

from .const import CONF_TIMEOUT, DOMAIN, SUBENTRY_CONVERSATION, option
from .entity import UseEntity
from .model_trial.sentences import Words
from .model_trial.told import async_told
from .model_trial.trial import TRIALS, Trial
from .models.provider import ProviderConfigEntry, client_of
from .subentries import setup_of
from .texts import async_text, translated, without_region

PARALLEL_UPDATES = 0


class TrialButton(UseEntity, ButtonEntity):
    """Starts a trial of an agent's model; a notification reports the result.

    - A press returns at once: the trial takes minutes and runs in the background.
    - An agent has one trial at a time; it ends when the agent is removed.
    """

    _attr_translation_key = "trial"
    _attr_entity_category = EntityCategory.DIAGNOSTIC

    def __init__(self, entry: ProviderConfigEntry, subentry: ConfigSubentry) -> None:
        """Take the agent."""
        super().__init__(entry, subentry, "trial")
        self._running: asyncio.Task[None] | None = None

    @override
    async def async_press(self) -> None:
        """Start a trial; raises ServiceValidationError if one is running."""
        if self._running and not self._running.done():
            raise translated(ServiceValidationError, "trial_is_running")
        self._running = self._entry.async_create_background_task(
            self.hass, self._async_try(), f"Trial of {self._subentry.title}"
        )

    @override
    async def async_will_remove_from_hass(self) -> None:
        """Cancel the trial: the agent is removed or set up again."""
        if self._running:
            self._running.cancel()

    async def _async_try(self) -> None:
        hass, language = self.hass, self.hass.config.language
        options = self._subentry.data
        names = {"name": self._subentry.title, "model": options[CONF_MODEL]}
        try:
            title = await async_text(hass, language, "trial_title", names)
            text = await async_text(hass, language, "trial_begun", names)
            self._show(text, title)
            trial = Trial(
                hass,
                client_of(self._entry.runtime_data, options),
                self._llm_context(agent_id=self._agent_id),
                patience=option(options, CONF_TIMEOUT),
            )
            words = await hass.async_add_executor_job(Words.of, without_region(language))
            result = await trial.async_run(words)
            hass.data.setdefault(TRIALS, {})[self._subentry.subentry_id] = result
            self._show(await async_told(hass, language, words, result, names), title)
        except BaseException:
            persistent_notification.async_dismiss(hass, self._notification_id)
            raise
        # The trial may have evicted the agent's prompt from the server's cache: prefill it again.
        if agent := conversation.async_get_agent(self.hass, self._agent_id):
            await agent.async_prepare(self.hass.config.language)

    def _show(self, text: str, title: str) -> None:
        persistent_notification.async_create(self.hass, text, title, self._notification_id)

    @property
    def _notification_id(self) -> str:
        return f"{DOMAIN}_trial_{self._subentry.subentry_id}"

    @property
    def _agent_id(self) -> str:
        registry, unique_id = er.async_get(self.hass), self._subentry.subentry_id
        return registry.async_get_entity_id(conversation.DOMAIN, DOMAIN, unique_id) or unique_id


async_setup_entry = setup_of(
    SUBENTRY_CONVERSATION, lambda hass, entry, subentry: [TrialButton(entry, subentry)]
)
