"""The AI task entities: a model that carries out tasks of automations and scripts."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import override

from homeassistant.components import ai_task, conversation
from homeassistant.components.ai_task.const import DEFAULT_SYSTEM_PROMPT
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.core import HomeAssistant

from .const import CONF_TIMEOUT, DEFAULT_TASK_TIMEOUT, LOGGER, SUBENTRY_AI_TASK
from .entity import UseEntity
from .models.client import ModelError, Reason
from .models.provider import ProviderConfigEntry, client_of
from .subentries import setup_of
from .tools.api import AgentAPI
from .tools.builtin import BuiltinTools
from .tools.executor import ToolExecutor
from .tools.task_executor import async_for_task
from .turn.evaluation import Evaluation
from .turn.repair_issues import AgentIssues
from .turn.task import Structure, Task

# A model server limits its concurrent requests itself.
PARALLEL_UPDATES = 0

_FEATURES = ai_task.AITaskEntityFeature.GENERATE_DATA | ai_task.AITaskEntityFeature.EVALUATE


class VoiceGatewayTask(UseEntity, ai_task.AITaskEntity):
    """An AI task entity: a model and its tools.

    A caller of Home Assistant's Python API can bring its own tools, which then replace ours.
    """

    _attr_name = None
    _attr_supported_features = _FEATURES | ai_task.AITaskEntityFeature.SUPPORT_ATTACHMENTS

    def __init__(
        self, hass: HomeAssistant, entry: ProviderConfigEntry, subentry: ConfigSubentry
    ) -> None:
        """Take the options from the subentry."""
        super().__init__(entry, subentry)
        options = subentry.data
        self._options = options
        self._model = client_of(entry.runtime_data, options)
        apis = options.get(CONF_LLM_HASS_API)
        self._api = AgentAPI(hass, apis, BuiltinTools(hass, entry.options)) if apis else None
        self._issues = AgentIssues(hass, entry, subentry)

    @override
    async def async_added_to_hass(self) -> None:
        """Start watching the home, and check whether the model supports images."""
        await super().async_added_to_hass()
        self.async_on_remove(self._issues.async_start())
        if self._api:
            self.async_on_remove(self._api.watch.async_start())
        self._entry.async_create_background_task(
            self.hass, self._async_note_sight(), f"Sight of {self.entity_id}"
        )

    async def _async_note_sight(self) -> None:
        """Accept attachments only if the model supports images.

        If the server does not say, attachments stay accepted: a task shows whether they work.
        """
        try:
            sees = await self._model.sees()
        except ModelError as err:
            LOGGER.debug("Whether the model sees is not known: %s", err.detail)
            return
        if not sees:
            self._attr_supported_features = _FEATURES
            self.async_write_ha_state()

    @override
    async def _async_generate_data(
        self, task: ai_task.GenDataTask, chat_log: conversation.ChatLog
    ) -> ai_task.GenDataTaskResult:
        """Run a task."""
        ends = self._ends()
        with self._noted():
            tools = await self._async_tools(task, chat_log, ends)
            data = await Task(
                chat_log,
                self.entity_id,
                self._model,
                tools=tools,
                structure=Structure(task.structure) if task.structure is not None else None,
                options=self._options,
                ends=ends,
            ).async_run()
        return ai_task.GenDataTaskResult(conversation_id=chat_log.conversation_id, data=data)

    @override
    async def _async_evaluate(self, task: ai_task.EvaluationTask) -> ai_task.EvaluationTaskResult:
        """Answer questions about data."""
        with self._noted():
            answers = await Evaluation(
                self.hass,
                self.entity_id,
                self._model,
                task,
                options=self._options,
                ends=self._ends(),
            ).async_run()
        return ai_task.EvaluationTaskResult(answers=answers)

    def _ends(self) -> float:
        """Return the deadline of a task that begins now, in seconds of the event loop's clock."""
        seconds: float = self._options.get(CONF_TIMEOUT, DEFAULT_TASK_TIMEOUT)
        return self.hass.loop.time() + seconds

    @contextmanager
    def _noted(self) -> Iterator[None]:
        """Create a repair issue, or start reauthentication, if a task fails for a known reason."""
        try:
            yield
        except ModelError as err:
            LOGGER.debug("The task failed: %s: %s", err.reason, err.detail)
            if err.reason is Reason.UNAUTHORIZED:
                self._entry.async_start_reauth(self.hass)
            self._issues.async_note(err.reason, fails_often=self._model.fails_often)
            raise
        self._issues.async_note(None, fails_often=self._model.fails_often)

    async def _async_tools(
        self, task: ai_task.GenDataTask, chat_log: conversation.ChatLog, ends: float
    ) -> ToolExecutor | None:
        """Return the tools for a task, and add them to the chat log; None if there are none."""
        if chat_log.llm_api is None and self._api:
            try:
                async with asyncio.timeout_at(ends):
                    await chat_log.async_provide_llm_data(
                        self._llm_context(context=self._context), self._api, DEFAULT_SYSTEM_PROMPT
                    )
            except TimeoutError as err:
                raise ModelError(Reason.TIMEOUT, "The tools were not there in time") from err
        if chat_log.llm_api is None:
            return None
        tools = await async_for_task(chat_log.llm_api, task.instructions, chat_log.content, ends)
        chat_log.llm_api = tools
        return tools


async_setup_entry = setup_of(
    SUBENTRY_AI_TASK, lambda hass, entry, subentry: [VoiceGatewayTask(hass, entry, subentry)]
)
