"""The turn: from a sentence to its answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
import datetime as dt
from functools import partial
from typing import Any, Protocol

from homeassistant.components import conversation
from homeassistant.const import CONF_PROMPT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from ..const import (
    CONF_ASK_BEFORE,
    CONF_KEEP_FORMATTING,
    CONF_MAX_ROUNDS,
    CONF_NOTEBOOK,
    CONF_REFLEX,
    CONF_SECOND_OPINION,
    CONF_SPEAKER_TAG,
    CONF_TALK_MINUTES,
    CONF_TIMEOUT,
    DOMAIN,
    LOGGER,
    option,
)
from ..models.client import Completion, ModelClient, ModelError, Reason
from ..models.history import Note
from ..models.text_calls.stream import rescue_calls
from ..nlu.explanation import explain
from ..nlu.follow_ups import CapabilityQuestion
from ..nlu.reminders import ReminderParser
from ..nlu.replies import Reply
from ..nlu.tokenizer import Text
from ..nlu.utterance import Utterance
from ..notebook.facts import NotedFacts
from ..notebook.matching import routine_said
from ..notebook.notebook import NOTEBOOK
from ..plans.planner import Planner
from ..plans.plans import PLANS
from ..speaker import TAGGED, speaker_of, untagged
from ..tools.api import AgentAPI
from ..tools.executor import Scheduler, ToolExecutor
from ..tools.journal import Journal
from ..tools.taint import reaches_outside
from .action_history import AskedQuestion, deeds_of
from .answer import Answer, ReceivedMessage
from .asr_correction import AsrCorrector, CorrectedCommand, alias_of, asked_of
from .camera_lookup import CameraLookup
from .capability_answer import CapabilityAnswer
from .chat import Chat, asks_back, speech_of, spoken
from .clarification import Clarifier
from .confirmation import as_text
from .consent_dialog import ConsentDialog, PendingConsent
from .direct_execution import DirectExecution
from .fallback import ANSWERED, Fallback, is_asked_instead
from .follow_ups import FollowUps
from .home_answers import HomeAnswerStage
from .instructions import ANSWER_NOW, DEFAULT_INSTRUCTIONS
from .notebook_stage import NotebookStage
from .parse_queue import async_hear
from .plan_stage import PlanStage
from .prefetch import to_read
from .prompt_prefill import PromptPrefill
from .report import TurnReport
from .request_stage import RequestStage
from .speech import speech
from .speech_filter import SpeechFilter
from .streams import (
    HeldText,
    async_receive,
    begun_by,
    in_time,
    one_by_one,
    repeats_itself,
    without_calls,
)
from .talk_memory import TalkMemory


class Stage(Protocol):
    """A way to answer a sentence without the model; stages are tried in order."""

    async def async_answer(self) -> bool:
        """Answer a sentence that is certainly for this stage; return whether it is."""


class Turn:
    """One sentence and its answer.

    - It ends in time, with a true sentence that can be spoken.
    - Every call has its result in the chat log, also when the turn fails.
    - After the last round of calls, the model is asked once more, and has to answer.
    - A call that the model writes into its answer is never spoken.
    - The answer to a command is not spoken before an action, or the end of the model's message:
      false claims are withheld, see `Answer`.
    - Dangerous calls require that the user consents to a question of ours.
    - If the model does not answer, another agent may; but not after any text or call.
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
        warm_up: PromptPrefill,
    ) -> None:
        """Take the input, the log that ends with it, and the agent's model, tools and options."""
        tagged = said.text
        self._speaker, said.text = untagged(tagged, option(options, CONF_SPEAKER_TAG))
        self._hass = hass
        self._said = said
        self._model = model
        self._api = api
        self._warm_up = warm_up
        self._prompt = options.get(CONF_PROMPT) or DEFAULT_INSTRUCTIONS
        self._max_rounds = option(options, CONF_MAX_ROUNDS)
        self._keeps_formatting = option(options, CONF_KEEP_FORMATTING)
        self._options = options
        now = hass.loop.time()
        self._ends = now + option(options, CONF_TIMEOUT)
        self._fallback = Fallback.find(hass, said, options)
        self._begins = (
            min(self._ends, now + self._fallback.seconds) if self._fallback else self._ends
        )
        self._was_asked = False
        self._plans: PlanStage | None = None
        self._answer: Answer | None = None
        self._journal = Journal()
        self._planner = Planner(hass, hass.data[PLANS], said, api.ids)
        self._deeds = deeds_of(hass)
        self._doing = self._deeds.begin(said, log)
        self._utterance: Utterance | None = None
        self._facts = NotedFacts()
        self.report = TurnReport(agent_id=said.agent_id)
        self.reading: Mapping[str, Any] | None = None
        """The interpretation, once the sentence is answered; None for a yes, a no or a PIN."""
        self._talks = TalkMemory.of(hass)
        self._lasting = dt.timedelta(minutes=option(options, CONF_TALK_MINUTES))
        self._talks.resume(said, log, self._lasting)
        self._chat = Chat(said, log, self.report)
        if self._speaker:
            self._chat.hide(tagged, said.text)
        self._asks = ConsentDialog(self._chat, options)

    async def async_run(self) -> conversation.ConversationResult:
        """Answer the sentence; report and interpretation go to Assist's debug view."""
        TAGGED.set(self._speaker)
        with self._deeds.noting(self._doing, self._chat, self._journal):
            result = await self._respond()
        if self._plans and (kept := self._plans.kept):
            await self._chat.report_action(kept)
            told = as_text(filter(None, [speech_of(result.response)]))
            answer = [told, kept]
            # A question to the user comes last.
            answer = answer[::-1] if result.continue_conversation else answer
            result.response.async_set_speech(" ".join(answer).strip())
        self._talks.keep(self._said, self._chat.log, self._lasting)
        self.report.seconds = self._chat.seconds
        self.reading = explain(self._utterance) if self._utterance else None
        report = {self._said.agent_id: {**self.report.as_dict(), "reading": self.reading}}
        self._chat.log.async_trace({"turn": report})
        if words := result.response.speech.get("plain"):
            words["extra_data"] = {**(words.get("extra_data") or {}), **report}
        return result

    async def _respond(self) -> conversation.ConversationResult:
        """Let the model answer, or a fallback."""
        log = self._chat.log
        try:
            with self._warm_up.answering(log):
                if not await self._answer_question():
                    await self._answer_sentence()
        except conversation.ConverseError as err:
            return err.as_conversation_result()
        except ModelError as err:
            LOGGER.debug("The model failed: %s: %s", err.reason, err.detail)
            log.async_trace({"failure": {"reason": err.reason, "detail": err.detail}})
            self.report.failure = err.reason
            if not (
                self._answer
                and self._chat.is_untouched
                and await self._answer.do_without_model(err)
            ):
                return await self._fall_back(err.reason) or await self._tell_failure(err)
        return self._result()

    async def _answer_sentence(self) -> None:
        """Answer a sentence by the first stage that is certain, else by the model."""
        said = Text(self._said.text, self._said.language)
        latest = self._hass.data[PLANS].latest.in_conversation(self._chat.log.conversation_id)
        unfinished = latest.unfinished
        completed = ReminderParser(said).complete(unfinished) if unfinished else None
        meant = completed or self._routine_said(said)
        self._said = replace(self._said, text=meant or said)
        utterance = self._deeds.before(await self._hear(self._said), self._doing.place)
        self._utterance = utterance
        self._plans = PlanStage(
            self._chat, utterance, self._planner, is_completed=completed is not None
        )
        with self._plans.noted(self._journal):
            self._utterance = utterance = await self._plans.async_split()
            for stage in self._stages(utterance, self._plans):
                if await stage.async_answer():
                    return
            looking = CameraLookup(self._chat, utterance, self._model, self._api.ids)
            async with looking.shown(self._begins) as is_open:
                if is_open:
                    await self._answer_by_model(utterance)

    def _routine_said(self, said: Text) -> Text | None:
        """Return the sentence that a phrase of the user's own stands for, also in the log."""
        if not option(self._options, CONF_NOTEBOOK):
            return None
        owner = speaker_of(self._hass, self._said.context.user_id)
        names = self._api.watch.home.names
        routine = routine_said(self._hass.data[NOTEBOOK].of(owner), said, names)
        if routine is None:
            return None
        self._chat.hide(said, routine.sentence)
        return routine.sentence

    def _stages(self, utterance: Utterance, plans: PlanStage) -> Iterator[Stage]:
        """Yield the stages before the model, in order."""
        is_at_home = llm.LLM_API_ASSIST in self._api.ids
        has_notes = option(self._options, CONF_NOTEBOOK)
        notes = NotebookStage(self._chat, utterance, self._prepared)
        if has_notes:
            yield notes
        yield plans
        if is_at_home:
            planned = partial(self._prepared, keeper=self._planner)
            yield RequestStage(self._chat, utterance, self._planner, planned)
            yield FollowUps(
                self._chat, utterance, self._deeds, self._doing, self._prepared, self._planner
            )
        if option(self._options, CONF_REFLEX):
            yield CapabilityAnswer(self._chat, utterance, self._prepared)
        if has_notes:
            yield replace(notes, is_for_questions=True)
        if is_at_home and option(self._options, CONF_SECOND_OPINION):
            yield HomeAnswerStage(self._chat, utterance)

    def _result(self) -> conversation.ConversationResult:
        log = self._chat.log
        result = conversation.async_get_result_from_chat_log(self._said, log)
        # After an incomplete command, the question is not always at the end.
        is_open = self._answer is not None and self._answer.grounds.is_left_open
        asks = self._asks.has_asked or asks_back(log, anywhere=is_open)
        return replace(result, continue_conversation=asks)

    async def _answer_question(self) -> bool:
        """Process a reply to the question of the last turn; return whether it was yes or no."""
        digits = await self._asks.async_hide_pin()
        reply = await self._asks.async_reply(digits)
        if reply is Reply.YES and (pending := self._asks.pending):
            self._doing.proposed.text = pending.said.text
            answer = await self._prepared(pending.utterance, pending.keeper)
            consent = answer.tools.consent
            for asked in pending.calls:
                await self._chat.call(consent.grant(asked))
            if pending.is_of_server and not consent.calls:
                # Only the model can phrase the result.
                await self._converse(answer, has_read=False)
            else:
                self._offer_alias(pending, answer)
                await answer.tell()
        return reply is not Reply.OTHER

    def _offer_alias(self, pending: PendingConsent, answer: Answer) -> None:
        """After a yes to "Did you mean …?", ask whether to keep the misheard name as an alias."""
        tool = alias_of(self._hass, pending, self._api.watch.home)
        if tool and not answer.tools.consent.calls and not self._journal.undone:
            answer.tools.ask_whether(tool, llm.ToolInput(tool.name, {}), tool.question)

    async def _answer_by_model(self, utterance: Utterance) -> None:
        if option(self._options, CONF_NOTEBOOK):
            self._facts = NotedFacts.of(self._hass, self._said, utterance)
        answer = await self._prepared(utterance, self._planner)
        if await self._act_by_reflex(answer):
            return
        tools = answer.tools
        await self._planner.async_read_parts(utterance)
        # The model may have started to read the prompt while the user spoke.
        async with in_time(self._begins, "The prompt was not read in time"):
            await self._warm_up.async_join(self._chat.log)
        first = to_read(self._hass, tools)
        for call in first.calls:
            await self._chat.read(call)
        is_known = bool(first.calls and first.is_all) or self._chat.is_shown_something
        has_read = is_known and not reaches_outside(tools.manager.all())
        await self._converse(answer, has_read=has_read, hint=first.hint)

    async def _act_by_reflex(self, answer: Answer) -> bool:
        """Execute a certain command without the model; return whether it was one."""
        if not option(self._options, CONF_REFLEX):
            return False
        turn = self._said, answer.tools
        meant = await AsrCorrector(*turn, self._planner, self._hear).async_meant()
        # Corrections first: each word of "bedroom one" is known, but it does not mean all bedrooms.
        # Of two names that sound alike, the one that is spelled more like it is a guess.
        if len(meant) > 1 or (meant and meant[0].resembling.sounds_the_same):
            self.report.reflex = await self._act_as_meant(meant, answer)
            return self.report.reflex
        self.report.reflex = (
            await answer.act(await DirectExecution(*turn, self._planner).async_acts())
            or await self._act_as_meant(meant, answer)
            or await self._ask_which(await Clarifier(*turn).async_asked())
        )
        return self.report.reflex

    async def _act_as_meant(self, mended: Sequence[CorrectedCommand], answer: Answer) -> bool:
        """Execute a corrected command, or ask for confirmation; return whether there is one."""
        match mended:
            case []:
                return False
            case [meant]:
                before = self._chat.log.llm_api
                as_meant = self._for_turn(meant.tools.utterance, self._planner)
                if not meant.is_certain:
                    await as_meant.ask_whether(meant.said.text, meant.acts)
                    return True
                if await as_meant.act(meant.acts):
                    return True
                # The model's calls are then checked against the original sentence.
                self._answer, self._chat.log.llm_api = answer, before
                return False
            case several:
                return await self._ask_which(asked_of(several))

    async def _ask_which(self, asked: AskedQuestion | None) -> bool:
        """Ask which of several devices to act on; return False if that is not possible."""
        return asked is not None and await self._doing.async_ask_which(
            self._chat, self._api.watch.home, asked, most=len(asked.which)
        )

    async def _hear(self, said: conversation.ConversationInput) -> Utterance:
        """Parse a sentence; the deadline is the model's latest start. Raises ModelError."""
        utterance = await async_hear(
            self._hass, said, self._chat.earlier, self._api.watch.home, until=self._begins
        )
        context = replace(
            utterance.context,
            question=self._asks.models_question,
            answer=self._chat.answer_before,
        )
        return replace(utterance, context=context)

    async def _prepared(self, utterance: Utterance, keeper: Scheduler | None = None) -> Answer:
        """Collect the tools, and write the system prompt; return the turn's `Answer`."""
        async with in_time(self._begins, "Tools or prompt were not there in time"):
            await self._chat.log.async_provide_llm_data(
                self._said.as_llm_context(DOMAIN),
                self._api,
                self._prompt,
                self._said.extra_system_prompt,
            )
        return self._for_turn(utterance, keeper)

    def _for_turn(self, utterance: Utterance, keeper: Scheduler | None) -> Answer:
        """Return the `Answer` to an utterance; its tools make the chat log's calls from now on."""
        log = self._chat.log
        # A conversation keeps its tools across turns: each turn has an executor of its own.
        assert isinstance(log.llm_api, ToolExecutor)
        log.llm_api = tools = log.llm_api.for_turn(
            utterance,
            self._journal,
            self._ends,
            keeper,
            content=[*log.content, *self._facts.read],
            asks_before=option(self._options, CONF_ASK_BEFORE),
            declined=self._asks.declined(utterance),
            is_heard=True,
        )
        self._answer = Answer(self._chat, tools, self._options, self._asks)
        return self._answer

    async def _converse(self, answer: Answer, *, has_read: bool, hint: Sequence[Note] = ()) -> None:
        """Let the model call tools, round by round, until it answers.

        `has_read`: its data was prefetched, and a small model would go on calling; `hint`: the
        first note, if there is no other.
        """
        tools = answer.tools
        for _ in range(1 if has_read else self._max_rounds):
            now = (Note(content=ANSWER_NOW),) if has_read else self._chat.reminder(tools.utterance)
            note, hint = now or hint, ()
            message = await self._ask(answer, note=note)
            if not message.called and (more := await answer.settle(message)):
                message = await self._ask(answer, note=more)
                if not message.called:
                    await answer.settle(message)
            if (
                not message.called
                or answer.is_to_ask
                or await answer.confirm(message.added)
                or repeats_itself(self._chat.log, self._journal)
            ):
                break
        if tools.consent.calls:
            await answer.ask()
        elif self._chat.log.unresponded_tool_results:
            await answer.settle(await self._ask(answer, last=True), last=True)

    async def _ask(
        self,
        answer: Answer,
        *,
        last: bool = False,
        note: Sequence[conversation.Content] = (),
    ) -> ReceivedMessage:
        """Ask the model for its next message, and run its calls. Raises ModelError.

        The note is at the end of the conversation, and only for this message.
        """
        tools, completion = answer.tools, Completion()
        names = [tool.name for tool in tools.manager.all()]
        asked = CapabilityQuestion(tools.utterance.text).is_about_tools
        offered = None if asked else names
        ears = SpeechFilter(tools.utterance.language, offered, told=self._prompt)
        unsaid = HeldText(tools, answer.grounds)
        self.report.fitting_tools = [tool.name for tool in tools.fitting]
        self._journal.begin_message()
        stream = self._model.stream(
            [*self._chat.begun(self._facts.beside(tools.listed)), *note],
            None if last else tools,
            completion,
        )
        if not self._was_asked:
            stream = begun_by(stream, self._begins)
        self._was_asked = True
        # Calls are extracted before the text is made speakable; only speakable text is held.
        stream = rescue_calls(stream, tools.name_of, names, completion)
        stream = ears.of(speech(stream, keep_formatting=self._keeps_formatting))
        stream = without_calls(stream) if last else one_by_one(stream, tools)
        stream = self._chat.noted(unsaid.kept_from(stream))
        log = self._chat.log
        try:
            added = await async_receive(log, self._said.agent_id, stream, completion, self._ends)
        finally:
            self.report.add(completion)
            self.report.repairs = self._journal.corrections
        called = bool(added and log.unresponded_tool_results)
        is_whole = ears.recites or completion.finish_reason == "stop"
        if not (called or is_whole):
            raise ModelError(Reason.CUT_SHORT, str(completion.finish_reason))
        return ReceivedMessage(added, called, unsaid.text, ears.dropped, ears.recites)

    async def _fall_back(self, reason: Reason) -> conversation.ConversationResult | None:
        """Let another agent answer, if there is one, in time, and before any text or call."""
        if (
            self._fallback is None
            or reason in ANSWERED
            or not self._chat.is_untouched
            or self._hass.loop.time() >= self._ends
        ):
            return None
        self._chat.forget()
        if not self._fallback.may_answer(self._answer.tools if self._answer else None):
            result = await self._stand_in_for_home_assistant()
        else:
            result = await self._fallback.async_answer(self._said, self._chat.log, self._ends)
        if result:
            self.report.fallback_agent = self._fallback.agent_id
            LOGGER.info(
                "%s answered for %s: %s", self._fallback.agent_id, self._said.agent_id, reason
            )
        return result

    async def _stand_in_for_home_assistant(self) -> conversation.ConversationResult | None:
        """Execute the certain actions by our own rules; None without any."""
        if (answer := self._answer) is None:
            return None
        try:
            acts = await DirectExecution(self._said, answer.tools, self._planner).async_acts()
            return self._result() if acts and await answer.act(acts) else None
        except ModelError as err:
            return await self._tell_failure(err)

    async def _tell_failure(self, err: ModelError) -> conversation.ConversationResult:
        """Answer with the failure, after any text so far, and with the completed actions."""
        is_fine = False
        if self._answer:
            words, is_fine = await self._answer.of_failure(err)
        else:
            words = await self._chat.our_text(err.reason, err.translation_placeholders)
        # A calling agent reports its own failure.
        if not (is_asked_instead() and self._chat.is_untouched):
            await self._chat.tell(words)
            words = spoken(self._chat.turn)
        response = intent.IntentResponse(language=self._said.language)
        if is_fine:
            response.async_set_speech(words)
        else:
            response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, words)
        return conversation.ConversationResult(
            response=response, conversation_id=self._chat.log.conversation_id
        )
