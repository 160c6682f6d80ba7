"""The turn: from a sentence to its answer."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from homeassistant.components import conversation
from homeassistant.const import CONF_PROMPT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from ..const import (
    CONF_CONFIRM_AT_ONCE,
    CONF_KEEP_FORMATTING,
    CONF_MAX_ROUNDS,
    CONF_SECOND_OPINION,
    CONF_TIMEOUT,
    DEFAULT_CONFIRM_AT_ONCE,
    DEFAULT_KEEP_FORMATTING,
    DEFAULT_MAX_ROUNDS,
    DEFAULT_SECOND_OPINION,
    DEFAULT_TIMEOUT,
    DOMAIN,
    LOGGER,
)
from ..heard.heard import Heard, Kind
from ..models.client import Completion, ModelClient, ModelError, Reason
from ..models.history import Note
from ..models.text.speech import speech
from ..models.text_calls import rescue_calls
from ..tools.api import AgentAPI
from ..tools.deed import Instead
from ..tools.executor import ToolExecutor
from ..tools.journal import Journal
from ..tools.policy import put_off
from ..written_call import WrittenCall
from .chat import Chat, asks_back, spoken
from .claims import async_claims, denies, repeats
from .confirmation import async_confirmation
from .fallback import ANSWERED, Fallback, is_asked_instead
from .instructions import ANSWER_NOW, CALL_FAILED, DEFAULT_INSTRUCTIONS, NOTHING_DONE, ONLY_ASKED
from .report import TurnReport
from .streams import Unsaid, async_receive, begun_by, one_by_one, repeats_itself, without_calls
from .warm_up import WarmUp


@dataclass(frozen=True, slots=True)
class _Message:
    """A message of the model, received to its end."""

    added: Sequence[conversation.Content]
    """What the chat log has of it: text, calls and their results."""
    called: bool
    """It called tools, whose results the model has not answered."""
    unsaid: str
    """What it says of a command of which nothing was done; nobody has heard it."""


class Turn:
    """One sentence, heard and answered.

    - It ends in time, with a sentence that can be spoken and is true.
    - Every call has its result in the chat log, also when the turn fails.
    - After the last round of calls, the model is asked once more, and has to answer.
    - A call that the model writes into its answer is never spoken.
    - Of a command, nothing is spoken before something was done or the model has finished: what it
      claims and has not done is not said.
    - Home Assistant's own sentences act at most once, and only where nothing was done.
    - Where the model does not answer, another agent may; not after anything was said or begun.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        said: conversation.ConversationInput,
        log: conversation.ChatLog,
        model: ModelClient,
        api: AgentAPI,
        *,
        options: Mapping[str, Any],
        warm_up: WarmUp,
    ) -> None:
        """Take what was said, the log that ends with it, the agent's model, tools and options."""
        self._hass = hass
        self._said = said
        self._model = model
        self._api = api
        self._warm_up = warm_up
        self._prompt = options.get(CONF_PROMPT) or DEFAULT_INSTRUCTIONS
        self._max_rounds = options.get(CONF_MAX_ROUNDS, DEFAULT_MAX_ROUNDS)
        self._keeps_formatting = options.get(CONF_KEEP_FORMATTING, DEFAULT_KEEP_FORMATTING)
        self._confirms = options.get(CONF_CONFIRM_AT_ONCE, DEFAULT_CONFIRM_AT_ONCE)
        self._has_second_opinion = options.get(CONF_SECOND_OPINION, DEFAULT_SECOND_OPINION)
        now = hass.loop.time()
        self._ends = now + options.get(CONF_TIMEOUT, DEFAULT_TIMEOUT)
        self._fallback = Fallback.find(hass, said, options)
        self._begins = (
            min(self._ends, now + self._fallback.seconds) if self._fallback else self._ends
        )
        self._was_asked = False
        self._was_asked_again = False
        self._journal = Journal()
        self.report = TurnReport(agent_id=said.agent_id)
        self._chat = Chat(hass, said, log, self.report)

    async def async_run(self) -> conversation.ConversationResult:
        """Answer the sentence; Assist's debug view shows the report beside what was said."""
        result = await self._answer()
        self.report.seconds = self._chat.seconds
        report = {self._said.agent_id: self.report.as_dict()}
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
        result = conversation.async_get_result_from_chat_log(self._said, log)
        return replace(result, continue_conversation=asks_back(log))

    async def _prepare(self) -> ToolExecutor:
        """Read what was said, collect the tools, and write the system prompt."""
        log = self._chat.log
        try:
            async with asyncio.timeout_at(self._begins):
                heard = await Heard.async_of(
                    self._hass, self._said, self._chat.earlier, self._api.watch.home
                )
                await log.async_provide_llm_data(
                    self._said.as_llm_context(DOMAIN),
                    self._api,
                    self._prompt,
                    self._said.extra_system_prompt,
                )
                await self._warm_up.async_join(log)
        except TimeoutError as err:
            raise ModelError(Reason.TIMEOUT, "Tools or prompt were not there in time") from err
        # A conversation keeps its tools from turn to turn: each turn has an executor of its own.
        assert isinstance(log.llm_api, ToolExecutor)
        log.llm_api = tools = log.llm_api.for_turn(heard, self._journal, self._ends)
        return tools

    async def _converse(self, tools: ToolExecutor) -> None:
        """Let the model call tools, round by round, until it answers."""
        for _ in range(self._max_rounds):
            message = await self._ask(tools, note=self._reminder(tools.heard))
            if not message.called and (note := await self._settle(tools, message)):
                message = await self._ask(tools, note=note)
                if not message.called:
                    await self._settle(tools, message)
            if (
                not message.called
                or await self._confirm(tools, message.added)
                or repeats_itself(self._chat.log, self._journal)
            ):
                break
        if self._chat.log.unresponded_tool_results:
            await self._settle(tools, await self._ask(tools, last=True), last=True)

    async def _ask(
        self,
        tools: ToolExecutor,
        *,
        last: bool = False,
        note: Sequence[conversation.Content] = (),
    ) -> _Message:
        """Ask the model for its next message, and run its calls. Raises ModelError.

        A note is seen by the model only now, at the end of the conversation.
        """
        completion = Completion()
        unsaid = Unsaid(tools.heard, self._journal)
        stream = self._model.stream(
            [*self._chat.begun(), *note], None if last else tools, completion
        )
        if not self._was_asked:
            stream = begun_by(stream, self._begins)
        self._was_asked = True
        # Calls come out of the text before it is made speakable; only what could be spoken is kept.
        stream = rescue_calls(stream, tools.name_of, [tool.name for tool in tools.tools])
        stream = speech(stream, keep_formatting=self._keeps_formatting)
        stream = without_calls(stream) if last else one_by_one(stream, tools)
        stream = self._chat.noted(unsaid.kept_from(stream))
        before = len(self._chat.log.content)
        try:
            await async_receive(self._chat.log, self._said.agent_id, stream, completion, self._ends)
        finally:
            self.report.add(completion)
            self.report.repairs = self._journal.corrections
        added = self._chat.log.content[before:]
        called = bool(added and self._chat.log.unresponded_tool_results)
        if not called and completion.finish_reason != "stop":
            raise ModelError(Reason.CUT_SHORT, str(completion.finish_reason))
        return _Message(added, called, unsaid.text)

    async def _settle(
        self, tools: ToolExecutor, message: _Message, *, last: bool = False
    ) -> Sequence[conversation.Content]:
        """Make an answer of a message without calls, or return with what note to ask again.

        The model is asked again once. Raises ModelError where there is no answer that may be spoken.
        """
        may_ask = not (last or self._was_asked_again)
        if message.unsaid:
            note = await self._own_up(tools, message.unsaid, may_ask=may_ask)
        elif not spoken(message.added):
            note = await self._speak_for_model(tools, may_ask=may_ask)
        else:
            note = ()
        if note:
            self._was_asked_again = self.report.asked_again = True
        return note

    async def _own_up(
        self, tools: ToolExecutor, answer: str, *, may_ask: bool
    ) -> Sequence[conversation.Content]:
        """Answer a command of which nothing was done with the truth."""
        if await self._do_in_its_stead(tools):
            return ()
        is_denied = denies(tools.heard.language, answer)
        if not is_denied and await self._put_off(tools.heard):
            return ()
        if may_ask and not is_denied:
            said = conversation.AssistantContent(agent_id=self._said.agent_id, content=answer)
            asked = tools.heard.asks
            return said, Note(content=ONLY_ASKED if asked else NOTHING_DONE)
        if (
            self._is_not_for_ears(tools, answer)
            or (self._is_unsure(tools.heard) and not is_denied)
            or await async_claims(self._hass, tools.heard.language, answer)
        ):
            LOGGER.debug("Not said, as nothing was done: %s", answer)
            raise ModelError(Reason.NOT_DONE, answer)
        await self._chat.say(answer)
        return ()

    async def _put_off(self, heard: Heard) -> bool:
        """Tell the user that what is for another moment was not done; return whether it is for one."""
        told = put_off(heard.said.clauses, heard.unmet) if heard.is_for_later else None
        if told:
            await self._chat.say(await self._chat.our_text(told, heard.unmet_words))
        return told is not None

    def _is_unsure(self, heard: Heard) -> bool:
        """Tell whether an answer cannot be true: nobody knows of what, or its calls were refused."""
        return heard.kind is Kind.UNREAD or self._journal.only_forbidden

    def _is_not_for_ears(self, tools: ToolExecutor, answer: str) -> bool:
        """Tell whether a model that did nothing only says what it was told, or speaks of its tools."""
        told = (self._chat.instructions, NOTHING_DONE, CALL_FAILED, *self._journal.refusals)
        names = (tool.name for tool in tools.tools if "_" in tool.name)
        return repeats(answer, told) or any(name in answer for name in names)

    async def _speak_for_model(
        self, tools: ToolExecutor, *, may_ask: bool
    ) -> Sequence[conversation.Content]:
        """Answer in the stead of a model that has nothing to say, or have it try once more."""
        if await self._do_in_its_stead(tools):
            return ()
        if not self._journal.may_have_acted and await self._put_off(tools.heard):
            return ()
        if words := self._chat.tools_words:
            await self._chat.say(words)
            return ()
        is_command = tools.heard.may_be_command
        if may_ask and self._chat.last_call_failed:
            return (Note(content=CALL_FAILED),)
        if may_ask and is_command and not self._journal.may_have_acted:
            return (Note(content=NOTHING_DONE),)
        is_undone = self._was_asked_again and is_command
        raise ModelError(Reason.NOT_DONE if is_undone else Reason.EMPTY)

    async def _do_in_its_stead(self, tools: ToolExecutor) -> bool:
        """Do what Home Assistant's own sentences make of a command, where the model did nothing."""
        known = tools.understood
        if not self._has_second_opinion or self._journal.may_have_acted or known is None:
            return False
        understood, self._has_second_opinion = known.reading, False
        if (tool := tools.manager.for_intent(understood.intent_type)) is None:
            return False
        call = llm.ToolInput(tool.name, dict(understood.slots))
        result = await self._chat.call(call)
        if result.error:
            return False
        sentence = await async_confirmation(self._hass, tools.heard, [(call, result)], understood)
        await self._chat.say(sentence or await self._chat.our_text("done"))
        self.report.second_opinion = True
        return True

    async def _confirm(self, tools: ToolExecutor, added: Sequence[conversation.Content]) -> bool:
        """Say what a message has done, or was rightly not let do, where nothing more is to do."""
        calls = {
            call.id: call for item in added for call in getattr(item, "tool_calls", None) or ()
        }
        left = self._journal.refused_for_good
        done = [
            (calls[item.tool_call_id], item.result)
            for item in added
            if isinstance(item, conversation.ToolResultContent) and item.tool_call_id not in left
        ]
        keys = dict.fromkeys(key for call_id, key in left.items() if call_id in calls)
        if not (self._confirms or keys):
            return False
        sentences: list[str] = []
        if done:
            count = sum(call_id in calls for call_id in left)
            confirmed = await async_confirmation(self._hass, tools.heard, done, left=count)
            if confirmed is None:
                return False
            # What was done tells that the other was not.
            keys.pop(Instead.AS_SAID, None)
            sentences.append(f"{confirmed}." if keys else confirmed)
        sentences += [await self._chat.our_text(key, tools.heard.unmet_words) for key in keys]
        if sentences:
            await self._chat.say(" ".join(sentences))
        return bool(sentences)

    def _reminder(self, heard: Heard) -> Sequence[conversation.Content]:
        """Return what reminds a model to answer, when all the calls that it wrote have succeeded.

        Of a command, more may be to do.
        """
        if heard.may_be_command:
            return ()
        message: conversation.Content | None = None
        for message in reversed(self._chat.turn):
            if not isinstance(message, conversation.ToolResultContent):
                break
            if message.result.error:
                return ()
        calls = getattr(message, "tool_calls", None) or ()
        if not calls or not all(isinstance(call, WrittenCall) for call in calls):
            return ()
        return (Note(content=ANSWER_NOW),)

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
        result = await self._fallback.async_answer(self._said, self._chat.log, self._ends)
        if result:
            self.report.fallback_agent = self._fallback.agent_id
            LOGGER.info(
                "%s answered for %s: %s", self._fallback.agent_id, self._said.agent_id, reason
            )
        return result

    async def _tell_failure(self, err: ModelError) -> conversation.ConversationResult:
        """Answer with what went wrong, after what was said already, and with what was done."""
        done = self._journal.acted
        silent = err.reason is Reason.EMPTY
        sentences = [await self._chat.our_text("done")] if done else []
        if not (done and silent):
            sentences.append(await self._chat.our_text(err.reason, err.translation_placeholders))
        words = " ".join(sentences)
        # Who asked us in its stead tells its own failure.
        if not (is_asked_instead() and self._chat.is_untouched):
            await self._chat.tell(words)
            words = spoken(self._chat.turn)
        response = intent.IntentResponse(language=self._said.language)
        if done and silent:
            response.async_set_speech(words)
        else:
            response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, words)
        return conversation.ConversationResult(
            response=response, conversation_id=self._chat.log.conversation_id
        )
