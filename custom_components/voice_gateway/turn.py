"""The turn: from a sentence to its answer."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict
import re
from typing import Any

from homeassistant.components import conversation
from homeassistant.const import CONF_PROMPT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm, translation

from .const import (
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
from .models.client import Completion, Deltas, ModelClient, ModelError, Reason
from .models.speech import speech
from .models.text_calls import rescue_calls
from .prompt import ANSWER_NOW, DEFAULT_INSTRUCTIONS, NOTHING_DONE, speakers_area
from .sentences import (
    async_claims,
    async_confirmation,
    async_is_command,
    async_is_question,
    async_understand,
    denies,
)
from .tools.api import AgentAPI
from .tools.executor import ToolExecutor
from .tools.heard import HeardContext
from .warm_up import WarmUp
from .written import WrittenCall

type ReadAs = Callable[[HomeAssistant, conversation.ConversationInput], Awaitable[bool]]

# What a tool may say in the model's stead: some words and an end, not too many of them.
_SENTENCE = re.compile(r"\w[^\n{}]* [^\n{}]{1,200}[.!]")
# Seconds that an answer waits to learn whether it answers a command. Home Assistant needs some
# milliseconds, but when it reads a language for the first time.
_PATIENCE = 2.0


class Turn:
    """One sentence, heard and answered.

    - It ends in time, with a sentence that can be spoken and is true.
    - Every call has its result in the chat log, also when the turn fails.
    - After the last round with tools, the model is asked without them, so that it answers.
    - A call that the model writes into its answer is never spoken.
    - Of a command, nothing is spoken before something was done or the model has finished: what it
      claims and has not done is not said.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        heard: conversation.ConversationInput,
        model: ModelClient,
        api: AgentAPI,
        options: Mapping[str, Any],
        *,
        warm_up: WarmUp,
    ) -> None:
        """Take what was heard, the model and the tools to answer with, and the agent's options."""
        self._hass = hass
        self._heard = heard
        self._agent_id = heard.agent_id
        self._model = model
        self._api = api
        self._warm_up = warm_up
        self._prompt = options.get(CONF_PROMPT) or DEFAULT_INSTRUCTIONS
        self._max_rounds = options.get(CONF_MAX_ROUNDS, DEFAULT_MAX_ROUNDS)
        self._confirms = options.get(CONF_CONFIRM_AT_ONCE, DEFAULT_CONFIRM_AT_ONCE)
        self._has_second_opinion = options.get(CONF_SECOND_OPINION, DEFAULT_SECOND_OPINION)
        self._keeps_formatting = options.get(CONF_KEEP_FORMATTING, DEFAULT_KEEP_FORMATTING)
        self._command: bool | None = None
        self._asked_again = False
        self._ends = hass.loop.time() + options.get(CONF_TIMEOUT, DEFAULT_TIMEOUT)
        self.failure: ModelError | None = None

    async def async_run(self, chat_log: conversation.ChatLog) -> conversation.ConversationResult:
        """Answer the sentence."""
        try:
            with self._warm_up.answering(chat_log):
                tools = await self._prepare(chat_log)
                await self._converse(chat_log, tools)
        except conversation.ConverseError as err:
            return err.as_conversation_result()
        except ModelError as err:
            self.failure = err
            return await self._tell_failure(chat_log, err)
        return conversation.async_get_result_from_chat_log(self._heard, chat_log)

    async def _prepare(self, chat_log: conversation.ChatLog) -> ToolExecutor:
        """Collect the tools and write the system prompt."""
        try:
            async with asyncio.timeout_at(self._ends):
                await chat_log.async_provide_llm_data(
                    HeardContext.of(self._heard.as_llm_context(DOMAIN), _said(chat_log)),
                    self._api,
                    self._prompt,
                    self._heard.extra_system_prompt,
                )
                await self._warm_up.async_join(chat_log)
        except TimeoutError as err:
            raise ModelError(Reason.TIMEOUT, "The tools were not there in time") from err
        tools = chat_log.llm_api
        assert isinstance(tools, ToolExecutor)
        tools.begin_turn(self._ends)
        return tools

    async def _converse(self, chat_log: conversation.ChatLog, tools: ToolExecutor) -> None:
        """Let the model call tools, round by round, until it answers."""
        for _ in range(self._max_rounds):
            note = _reminder(chat_log)
            if note and await self._is_command():
                note = ()
            if await self._ask(chat_log, tools, note=note) or _repeats_itself(chat_log):
                break
        if chat_log.unresponded_tool_results:
            await self._ask(chat_log, tools, last=True)

    async def _ask(
        self,
        chat_log: conversation.ChatLog,
        tools: ToolExecutor,
        *,
        last: bool = False,
        note: Sequence[conversation.Content] = (),
    ) -> bool:
        """Ask the model for its next message, and run its calls; tell whether it answered.

        A note is seen by the model only now, at the end of the conversation.
        """
        before = len(chat_log.content)
        completion = Completion()
        unsaid: list[str] = []
        content = [*self._begun(chat_log), *note]
        stream = rescue_calls(
            self._model.stream(content, None if last else tools, completion),
            tools.name_of,
            [tool.name for tool in tools.tools],
        )
        stream = speech(stream, keep_formatting=self._keeps_formatting)
        if last:
            stream = _without_calls(stream)
        stream = self._hold_back(stream, tools, unsaid)
        failures: list[ModelError] = []
        async for _ in chat_log.async_add_delta_content_stream(
            self._agent_id, self._in_time(stream, failures)
        ):
            pass
        chat_log.async_trace({"completion": asdict(completion)})
        if failures:
            raise failures[0]
        if chat_log.unresponded_tool_results and len(chat_log.content) > before:
            return await self._confirm(chat_log, chat_log.content[before:])
        if completion.finish_reason != "stop":
            raise ModelError(Reason.CUT_SHORT, str(completion.finish_reason))
        if answer := "".join(unsaid).strip():
            return await self._own_up(
                chat_log, tools, answer, asked_again=last or self._asked_again
            )
        if not _spoken(chat_log.content[before:]):
            if await self._second_opinion(chat_log, tools):
                return True
            if words := _tools_words(chat_log):
                await self._say(chat_log, words)
                return True
            raise ModelError(Reason.NOT_DONE if self._asked_again else Reason.EMPTY)
        return True

    def _begun(self, chat_log: conversation.ChatLog) -> Iterator[conversation.Content]:
        """Yield the conversation, with where the user is before the user's first words."""
        system, *rest = chat_log.content
        yield system
        if place := speakers_area(self._hass, self._heard.device_id):
            yield conversation.UserContent(content=place)
        yield from rest

    async def _hold_back(self, stream: Deltas, tools: ToolExecutor, unsaid: list[str]) -> Deltas:
        """Keep what is said of a command until it is known whether something was done.

        What a model writes as a call is not to act where the user only asks something.
        """
        async with aclosing(stream):
            async for delta in stream:
                if (text := delta.get("content")) and not tools.acted and await self._is_command():
                    unsaid.append(text)
                    del delta["content"]
                if any(isinstance(call, WrittenCall) for call in delta.get("tool_calls") or ()):
                    tools.only_asked = await self._read_as(async_is_question)
                if delta:
                    yield delta

    async def _is_command(self) -> bool:
        """Tell whether Home Assistant reads the sentence as a command."""
        if self._command is None:
            self._command = await self._read_as(async_is_command)
        return self._command

    async def _read_as(self, test: ReadAs) -> bool:
        """Tell how Home Assistant reads the sentence, if it can tell soon."""
        patience = min(_PATIENCE, (self._ends - self._hass.loop.time()) / 2)
        try:
            async with asyncio.timeout(patience):
                return await test(self._hass, self._heard)
        except TimeoutError:
            LOGGER.debug("Home Assistant's sentences took too long")
            return False

    async def _confirm(
        self, chat_log: conversation.ChatLog, content: list[conversation.Content]
    ) -> bool:
        """Say what was done in Home Assistant's words, where there is nothing more to do."""
        if not self._confirms:
            return False
        calls = {
            call.id: call for item in content for call in getattr(item, "tool_calls", None) or ()
        }
        done = [
            (calls[item.tool_call_id], item.result)
            for item in content
            if isinstance(item, conversation.ToolResultContent)
        ]
        if sentence := await async_confirmation(self._hass, self._heard, done):
            await self._say(chat_log, sentence)
        return bool(sentence)

    async def _own_up(
        self,
        chat_log: conversation.ChatLog,
        tools: ToolExecutor,
        answer: str,
        *,
        asked_again: bool,
    ) -> bool:
        """Answer a command of which nothing was done with the truth."""
        if await self._second_opinion(chat_log, tools):
            return True
        if not asked_again and not denies(self._heard.language, answer):
            self._asked_again = True
            return await self._ask(
                chat_log,
                tools,
                note=(
                    conversation.AssistantContent(agent_id=self._agent_id, content=answer),
                    conversation.UserContent(content=NOTHING_DONE),
                ),
            )
        if await async_claims(self._hass, self._heard.language, answer):
            LOGGER.debug("Not said, as nothing was done: %s", answer)
            raise ModelError(Reason.NOT_DONE, answer)
        await self._say(chat_log, answer)
        return True

    async def _second_opinion(self, chat_log: conversation.ChatLog, tools: ToolExecutor) -> bool:
        """Do what Home Assistant's own sentences make of a command, where the model did not."""
        if tools.acted or not self._has_second_opinion:
            return False
        self._has_second_opinion = False
        understood = await async_understand(self._hass, self._heard)
        if understood is None or (name := tools.name_for(understood.intent_type)) is None:
            return False
        call = llm.ToolInput(name, dict(understood.slots))
        before = len(chat_log.content)
        await self._add(chat_log, {"role": "assistant", "tool_calls": [call]})
        result = next(
            item.result
            for item in chat_log.content[before:]
            if isinstance(item, conversation.ToolResultContent)
        )
        if result.error:
            return False
        sentence = await async_confirmation(self._hass, self._heard, [(call, result)], understood)
        await self._say(chat_log, sentence or await self._text("done"))
        return True

    async def _in_time(self, stream: Deltas, failures: list[ModelError]) -> Deltas:
        """Pass a stream on until it ends, fails, or the turn's time is up.

        The failure is kept and not raised: the chat log takes what came before it, with the
        results of calls that are running.
        """
        too_late = ModelError(Reason.TIMEOUT, "The model took too long")
        async with aclosing(stream):
            try:
                # Also where a tool took all the time: then the model is not asked any more.
                while self._hass.loop.time() < self._ends:
                    async with asyncio.timeout_at(self._ends):
                        delta = await anext(stream)
                    yield delta
                failures.append(too_late)
            except StopAsyncIteration:
                return
            except TimeoutError:
                failures.append(too_late)
            except ModelError as err:
                failures.append(err)

    async def _tell_failure(
        self, chat_log: conversation.ChatLog, err: ModelError
    ) -> conversation.ConversationResult:
        """Answer with what went wrong, after what was said already, and with what was done."""
        LOGGER.debug("The turn failed: %s: %s", err.reason, err.detail)
        this_turn = chat_log.content[chat_log.turn_start :]
        done = _acted(this_turn)
        silent = err.reason is Reason.EMPTY
        sentences = [await self._text("done")] if done else []
        if not (done and silent):
            sentences.append(await self._text(err.reason, err.translation_placeholders))
        await self._say(chat_log, " ".join(sentences))

        response = intent.IntentResponse(language=self._heard.language)
        speech = _spoken(chat_log.content[chat_log.turn_start :])
        if done and silent:
            response.async_set_speech(speech)
        else:
            response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, speech)
        return conversation.ConversationResult(
            response=response, conversation_id=chat_log.conversation_id
        )

    async def _text(self, key: str, placeholders: Mapping[str, str] | None = None) -> str:
        """Return a sentence of ours in the language that was spoken."""
        texts = await translation.async_get_translations(
            self._hass, self._heard.language, "exceptions", [DOMAIN]
        )
        return texts[f"component.{DOMAIN}.exceptions.{key}.message"].format(**(placeholders or {}))

    async def _say(self, chat_log: conversation.ChatLog, sentence: str) -> None:
        """Answer with a sentence of our own, streamed as a model's would be."""
        await self._add(chat_log, {"role": "assistant", "content": sentence})

    async def _add(
        self,
        chat_log: conversation.ChatLog,
        message: conversation.AssistantContentDeltaDict,
    ) -> None:
        """Add a message to the conversation, with the results of its calls."""

        async def stream() -> AsyncIterator[conversation.AssistantContentDeltaDict]:
            yield message

        async for _ in chat_log.async_add_delta_content_stream(self._agent_id, stream()):
            pass


async def _without_calls(stream: Deltas) -> Deltas:
    """Leave out calls: the model was asked to answer."""
    async for delta in stream:
        if calls := delta.pop("tool_calls", None):
            LOGGER.debug("Not called, the model was to answer: %s", calls)
        if delta:
            yield delta


def _said(chat_log: conversation.ChatLog) -> str:
    """Return the user's last sentences: "the other one" is understood from those before."""
    sentences = [
        item.content for item in chat_log.content if isinstance(item, conversation.UserContent)
    ]
    return " ".join(sentences[-3:])


def _spoken(content: list[conversation.Content]) -> str:
    """Return what was said since the last tool's result."""
    said: list[str] = []
    for item in content:
        match item:
            case conversation.ToolResultContent():
                said.clear()
            case conversation.AssistantContent(content=str(text)) if text.strip():
                said.append(text.strip())
    return " ".join(said)


def _reminder(chat_log: conversation.ChatLog) -> Sequence[conversation.Content]:
    """Return what reminds a model to answer, when all the calls that it wrote have succeeded."""
    message: conversation.Content | None = None
    for message in reversed(chat_log.content[chat_log.turn_start :]):
        if not isinstance(message, conversation.ToolResultContent):
            break
        if message.result.error:
            return ()
    calls = getattr(message, "tool_calls", None) or ()
    if not calls or not all(isinstance(call, WrittenCall) for call in calls):
        return ()
    return (conversation.UserContent(content=ANSWER_NOW),)


def _repeats_itself(chat_log: conversation.ChatLog) -> bool:
    """Tell whether the model, in its last message, only made calls that it made before."""
    messages = [
        [(call.tool_name, call.tool_args) for call in item.tool_calls]
        for item in chat_log.content[chat_log.turn_start :]
        if isinstance(item, conversation.AssistantContent) and item.tool_calls
    ]
    if not messages:
        return False
    *earlier, last = messages
    made = [call for message in earlier for call in message]
    return all(call in made for call in last)


def _tools_words(chat_log: conversation.ChatLog) -> str | None:
    """Return what the last tool that succeeded in this turn said, if that is a short sentence."""
    for item in reversed(chat_log.content[chat_log.turn_start :]):
        if isinstance(item, conversation.ToolResultContent) and not item.result.error:
            match item.result.data:
                case {"result": str(text)} if _SENTENCE.fullmatch(text.strip()):
                    return text.strip()
            return None
    return None


def _acted(content: list[conversation.Content]) -> bool:
    """Tell whether something was done in the home, and nothing of it failed."""
    acts = [
        item.result
        for item in content
        if isinstance(item, conversation.ToolResultContent)
        and (item.result.error or _is_action(item.result))
    ]
    return bool(acts) and not any(act.error for act in acts)


def _is_action(result: llm.ToolResult) -> bool:
    """Tell whether a result is that of an intent that did something."""
    return (
        isinstance(result.data, llm.IntentResponseDict)
        and result.data.get("response_type") == intent.IntentResponseType.ACTION_DONE.value
    )
