"""The turn: from a sentence to its answer."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from homeassistant.components import conversation
from homeassistant.const import CONF_PROMPT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ..const import (
    CONF_KEEP_FORMATTING,
    CONF_MAX_ROUNDS,
    CONF_TIMEOUT,
    DEFAULT_KEEP_FORMATTING,
    DEFAULT_MAX_ROUNDS,
    DEFAULT_TIMEOUT,
    DOMAIN,
    LOGGER,
)
from ..models.client import Completion, ModelClient, ModelError, Reason
from ..models.history import Note
from ..models.text.speech import speech
from ..models.text_calls import rescue_calls
from ..tools.api import AgentAPI
from ..tools.executor import ToolExecutor
from ..tools.heard import HeardContext
from ..written_call import WrittenCall
from .chat import Chat, asks_back, spoken
from .command import Command
from .fallback import ANSWERED, Fallback, begun_by, is_asked_instead
from .instructions import ANSWER_NOW, CALL_FAILED, DEFAULT_INSTRUCTIONS, NOTHING_DONE
from .report import TurnReport
from .streams import async_receive, one_by_one, repeats, repeats_itself, without_calls
from .warm_up import WarmUp


class Turn:
    """One sentence, heard and answered.

    - It ends in time, with a sentence that can be spoken and is true.
    - Every call has its result in the chat log, also when the turn fails.
    - After the last round of calls, the model is asked once more, and has to answer.
    - A call that the model writes into its answer is never spoken.
    - Of a command, nothing is spoken before something was done or the model has finished: what it
      claims and has not done is not said.
    - Where the model does not answer, another agent may; not after anything was said or begun.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        heard: conversation.ConversationInput,
        log: conversation.ChatLog,
        model: ModelClient,
        api: AgentAPI,
        *,
        options: Mapping[str, Any],
        warm_up: WarmUp,
    ) -> None:
        """Take what was heard, the log that ends with it, the agent's model, tools and options."""
        self._hass = hass
        self._heard = heard
        self._model = model
        self._api = api
        self._warm_up = warm_up
        self._prompt = options.get(CONF_PROMPT) or DEFAULT_INSTRUCTIONS
        self._max_rounds = options.get(CONF_MAX_ROUNDS, DEFAULT_MAX_ROUNDS)
        self._keeps_formatting = options.get(CONF_KEEP_FORMATTING, DEFAULT_KEEP_FORMATTING)
        now = hass.loop.time()
        self._ends = now + options.get(CONF_TIMEOUT, DEFAULT_TIMEOUT)
        self._fallback = Fallback.find(hass, heard, options)
        self._begins = (
            min(self._ends, now + self._fallback.seconds) if self._fallback else self._ends
        )
        self.report = TurnReport(agent_id=heard.agent_id)
        self._chat = Chat(hass, heard, log, self.report)
        self._command = Command(hass, heard, self._chat, options, self._ends)

    async def async_run(self) -> conversation.ConversationResult:
        """Answer the sentence; Assist's debug view shows the report beside what was said."""
        result = await self._answer()
        self.report.seconds = self._chat.seconds
        report = {self._heard.agent_id: self.report.as_dict()}
        self._chat.log.async_trace({"turn": report})
        if words := result.response.speech.get("plain"):
            words["extra_data"] = {**(words.get("extra_data") or {}), **report}
        return result

    async def _answer(self) -> conversation.ConversationResult:
        """Let the model answer, or whoever can where it does not."""
        log = self._chat.log
        try:
            with self._warm_up.answering(log):
                await self._converse(await self._prepare())
        except conversation.ConverseError as err:
            return err.as_conversation_result()
        except ModelError as err:
            LOGGER.debug("The model failed: %s: %s", err.reason, err.detail)
            log.async_trace({"failure": {"reason": err.reason, "detail": err.detail}})
            self.report.failure = err.reason
            return await self._fall_back(err.reason) or await self._tell_failure(err)
        result = conversation.async_get_result_from_chat_log(self._heard, log)
        return replace(result, continue_conversation=asks_back(log))

    async def _prepare(self) -> ToolExecutor:
        """Collect the tools and write the system prompt."""
        log = self._chat.log
        try:
            async with asyncio.timeout_at(self._begins):
                await log.async_provide_llm_data(
                    HeardContext.of(self._heard.as_llm_context(DOMAIN), self._chat.said_by_user),
                    self._api,
                    self._prompt,
                    self._heard.extra_system_prompt,
                )
                await self._warm_up.async_join(log)
        except TimeoutError as err:
            raise ModelError(Reason.TIMEOUT, "Tools or prompt were not there in time") from err
        tools = log.llm_api
        assert isinstance(tools, ToolExecutor)
        tools.begin_turn(self._ends)
        return tools

    async def _converse(self, tools: ToolExecutor) -> None:
        """Let the model call tools, round by round, until it answers."""
        for _ in range(self._max_rounds):
            note = _reminder(self._chat.turn)
            if note and await self._command.is_one():
                note = ()
            if await self._ask(tools, note=note) or repeats_itself(self._chat.log):
                break
        if self._chat.log.unresponded_tool_results:
            await self._ask(tools, last=True)

    async def _ask(
        self,
        tools: ToolExecutor,
        *,
        last: bool = False,
        note: Sequence[conversation.Content] = (),
    ) -> bool:
        """Ask the model for its next message, and run its calls; tell whether it answered.

        A note is seen by the model only now, at the end of the conversation.
        """
        completion = Completion()
        unsaid: list[str] = []
        stream = self._model.stream(
            [*self._chat.begun(), *note], None if last else tools, completion
        )
        if not self.report.rounds:
            stream = begun_by(stream, self._begins)
        stream = rescue_calls(stream, tools.name_of, [tool.name for tool in tools.tools])
        stream = speech(stream, keep_formatting=self._keeps_formatting)
        stream = without_calls(stream) if last else one_by_one(stream, tools)
        stream = self._command.hold_back(stream, tools, unsaid)
        before = len(self._chat.log.content)
        try:
            await async_receive(
                self._chat.log,
                self._heard.agent_id,
                self._chat.noted(stream),
                completion,
                self._ends,
            )
        finally:
            self.report.add(completion)
            self.report.repairs = len(tools.corrected)
        added = self._chat.log.content[before:]
        if added and self._chat.log.unresponded_tool_results:
            return await self._command.confirm(added)
        if completion.finish_reason != "stop":
            raise ModelError(Reason.CUT_SHORT, str(completion.finish_reason))
        if answer := "".join(unsaid).strip():
            return await self._own_up(tools, answer, last=last)
        if not spoken(added):
            return await self._speak_for_model(tools, last=last)
        return True

    async def _own_up(self, tools: ToolExecutor, answer: str, *, last: bool) -> bool:
        """Answer a command of which nothing was done with the truth."""
        if await self._command.do(tools):
            self.report.second_opinion = True
            return True
        if not (last or self.report.asked_again or self._command.is_denied(answer)):
            self.report.asked_again = True
            return await self._ask(
                tools,
                note=(
                    conversation.AssistantContent(agent_id=self._heard.agent_id, content=answer),
                    Note(content=NOTHING_DONE),
                ),
            )
        if self._is_not_for_ears(tools, answer) or await self._command.is_claimed(answer):
            LOGGER.debug("Not said, as nothing was done: %s", answer)
            raise ModelError(Reason.NOT_DONE, answer)
        await self._chat.say(answer)
        return True

    def _is_not_for_ears(self, tools: ToolExecutor, answer: str) -> bool:
        """Tell whether a model that did nothing only says what it was told, or speaks of its tools."""
        told = (self._chat.instructions, NOTHING_DONE, CALL_FAILED, *tools.refused)
        names = (tool.name for tool in tools.tools if "_" in tool.name)
        return repeats(answer, told) or any(name in answer for name in names)

    async def _speak_for_model(self, tools: ToolExecutor, *, last: bool) -> bool:
        """Answer in the stead of a model that has nothing to say, or have it try once more.

        Tell whether there is an answer. Raises ModelError.
        """
        if await self._command.do(tools):
            self.report.second_opinion = True
            return True
        if words := self._chat.tools_words:
            await self._chat.say(words)
            return True
        if not (last or self.report.asked_again):
            failed = _failed(self._chat.turn)
            if failed or (not tools.acted and await self._command.is_one()):
                self.report.asked_again = True
                note = Note(content=CALL_FAILED if failed else NOTHING_DONE)
                return await self._ask(tools, note=(note,))
        is_undone = self.report.asked_again and await self._command.is_one()
        raise ModelError(Reason.NOT_DONE if is_undone else Reason.EMPTY)

    async def _fall_back(self, reason: Reason) -> conversation.ConversationResult | None:
        """Let another agent answer, where there is one, there is time, and nothing was begun."""
        if (
            self._fallback is None
            or reason in ANSWERED
            or not self._chat.is_untouched
            or self._hass.loop.time() >= self._ends
        ):
            return None
        self._chat.forget_thoughts()
        result = await self._fallback.async_answer(self._heard, self._chat.log, self._ends)
        if result:
            self.report.fallback_agent = self._fallback.agent_id
            LOGGER.info(
                "%s answered for %s: %s", self._fallback.agent_id, self._heard.agent_id, reason
            )
        return result

    async def _tell_failure(self, err: ModelError) -> conversation.ConversationResult:
        """Answer with what went wrong, after what was said already, and with what was done."""
        done = self._chat.acted
        silent = err.reason is Reason.EMPTY
        sentences = [await self._chat.our_text("done")] if done else []
        if not (done and silent):
            sentences.append(await self._chat.our_text(err.reason, err.translation_placeholders))
        words = " ".join(sentences)
        # Who asked us in its stead tells its own failure.
        if not (is_asked_instead() and self._chat.is_untouched):
            await self._chat.tell(words)
            words = spoken(self._chat.turn)
        response = intent.IntentResponse(language=self._heard.language)
        if done and silent:
            response.async_set_speech(words)
        else:
            response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, words)
        return conversation.ConversationResult(
            response=response, conversation_id=self._chat.log.conversation_id
        )


def _failed(turn: Sequence[conversation.Content]) -> bool:
    """Tell whether the last call of a turn failed."""
    results = (
        item.result for item in reversed(turn) if isinstance(item, conversation.ToolResultContent)
    )
    return bool(getattr(next(results, None), "error", False))


def _reminder(turn: Sequence[conversation.Content]) -> Sequence[conversation.Content]:
    """Return what reminds a model to answer, when all the calls that it wrote have succeeded."""
    message: conversation.Content | None = None
    for message in reversed(turn):
        if not isinstance(message, conversation.ToolResultContent):
            break
        if message.result.error:
            return ()
    calls = getattr(message, "tool_calls", None) or ()
    if not calls or not all(isinstance(call, WrittenCall) for call in calls):
        return ()
    return (Note(content=ANSWER_NOW),)
