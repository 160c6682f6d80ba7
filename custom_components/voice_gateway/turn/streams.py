"""The stream of a model's message into the chat log: filters and deadlines."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import asdict
from itertools import chain

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..const import LOGGER
from ..models.client import Completion, Deltas, ModelError, Reason
from ..text_tool_call import UnreadCall, WrittenCall
from ..tools.executor import ToolExecutor
from ..tools.journal import Journal, Outcome
from .claims import AnswerGrounds, Grounding

# Written calls in one message that no sentence can need.
_RAVING = 8
# Characters of a model's text before a call. A longer text is talk.
_PREAMBLE = 100


async def async_receive(
    chat_log: conversation.ChatLog,
    agent_id: str,
    stream: Deltas,
    completion: Completion,
    ends: float,
) -> Sequence[conversation.Content]:
    """Add a model's stream to the chat log, and run its calls; return the additions.

    It ends at `ends`, by the event loop's clock. The part before that, or before a failure, is in
    the chat log, every call with its result. Raises ModelError.
    """
    failures: list[ModelError] = []
    before = len(chat_log.content)
    async for _ in chat_log.async_add_delta_content_stream(
        agent_id, _in_time(stream, chat_log.hass.loop.time, ends, failures)
    ):
        pass
    chat_log.async_trace({"completion": asdict(completion)})
    if failures:
        raise failures[0]
    return chat_log.content[before:]


@asynccontextmanager
async def in_time(until: float, late: str) -> AsyncGenerator[None]:
    """Cancel at a time of the event loop's clock. Raises ModelError with the message `late`."""
    try:
        async with asyncio.timeout_at(until):
            yield
    except TimeoutError as err:
        raise ModelError(Reason.TIMEOUT, late) from err


async def _in_time(
    stream: Deltas, now: Callable[[], float], ends: float, failures: list[ModelError]
) -> Deltas:
    """Pass a stream on until it ends, fails, or the time is up.

    The failure is stored, not raised: the chat log first takes the part before it, with the results
    of running calls.
    """
    too_late = ModelError(Reason.TIMEOUT, "The model took too long")
    async with aclosing(stream):
        try:
            # If a tool took all the time, the model is not asked again.
            while now() < ends:
                async with asyncio.timeout_at(ends):
                    delta = await anext(stream)
                yield delta
            failures.append(too_late)
        except StopAsyncIteration:
            return
        except TimeoutError:
            failures.append(too_late)
        except ModelError as err:
            failures.append(err)


async def begun_by(stream: Deltas, time: float) -> Deltas:
    """Pass on an answer that begins by a time of the event loop's clock. Raises ModelError."""
    has_begun = False
    async with aclosing(stream):
        try:
            while not has_begun:
                async with asyncio.timeout_at(time):
                    delta = await anext(stream)
                has_begun = any(
                    delta.get(part) for part in ("content", "thinking_content", "tool_calls")
                )
                yield delta
        except StopAsyncIteration:
            return
        except TimeoutError as err:
            raise ModelError(Reason.TIMEOUT, "The model did not begin to answer") from err
        async for delta in stream:
            yield delta


async def without_calls(stream: Deltas) -> Deltas:
    """Drop calls from the answer of a model that must not call any more."""
    async for delta in stream:
        if calls := delta.pop("tool_calls", None):
            names = [call.tool_name for call in calls]
            LOGGER.debug("Not called, the model was to answer: %s", names)
        if delta:
            yield delta


async def one_by_one(stream: Deltas, tools: ToolExecutor) -> Deltas:
    """Split a call that names several devices into one for each.

    A model that writes call after call is cut off.
    """
    written = 0
    async with aclosing(stream):
        async for delta in stream:
            calls = [
                each for call in delta.get("tool_calls") or () for each in tools.one_by_one(call)
            ]
            delta.pop("tool_calls", None)
            if delta:
                yield delta
            for call in calls:
                yield {"tool_calls": [call]}
                # This starts each call at once, and not sixteen of them together.
                await asyncio.sleep(0)
            written += sum(isinstance(call, WrittenCall) for call in calls)
            if written >= _RAVING:
                LOGGER.debug("Broken off after %d calls", written)
                return


class HeldText:
    """Holds back the model's text until its grounding is known; the turn decides about it.

    - Text that the turn's calls do not support is held to the end of its message.
    - The start of the answer to a request is held until it is certainly talk: it may be a claim
      before its call.
    - A false claim is held, with all text after it.
    """

    def __init__(self, tools: ToolExecutor, grounds: AnswerGrounds) -> None:
        """Take the turn's tools, and the grounds of an answer."""
        self._grounds = grounds
        self._may_be_request = grounds.may_be_request and not tools.journal.done
        self._kept: list[str] = []
        self._has_called = self._has_said = self._claims = False

    async def kept_from(self, stream: Deltas) -> Deltas:
        """Pass a message on without the held text; its text comes by whole sentences."""
        try:
            async with aclosing(stream):
                async for delta in stream:
                    if text := delta.pop("content", None):
                        self._kept.append(text)
                        if said := self._released():
                            yield {"content": said}
                    if delta.get("tool_calls"):
                        if not self._is_preamble and (said := self._rest()):
                            yield {"content": said}
                        self._has_called = True
                    if delta:
                        yield delta
        except ModelError:
            # A started text without a claim is spoken before the failure.
            if said := self._rest():
                yield {"content": said}
            raise
        if said := self._rest():
            yield {"content": said}

    @property
    def _may_be_said(self) -> bool:
        """Whether held text may be spoken: after a call, the next message replaces it."""
        is_free = self._grounds.standing is Grounding.FREE
        return is_free and not (self._has_called or self._claims)

    @property
    def _is_preamble(self) -> bool:
        return self._may_be_request and sum(map(len, self._kept)) <= _PREAMBLE

    def _released(self) -> str:
        """Return the text that may be spoken at once: up to the first false claim."""
        if self._is_preamble or not self._may_be_said:
            return ""
        # A text that was long enough once is talk to its end.
        self._may_be_request = False
        released = 0
        for number, sentence in enumerate(self._kept, 1):
            if self._grounds.is_claim(sentence):
                self._claims = True
                break
            # "Done!" is a claim if no sentence follows.
            if not (self._grounds.may_be_claimed and self._grounds.claimed.says_nothing(sentence)):
                released = number
        return self._taken(released)

    def _rest(self) -> str:
        """Return the held text at the end or before a call; empty if it is not grounded."""
        if not self._may_be_said or any(map(self._grounds.is_claim, self._kept)):
            return ""
        is_done = self._grounds.may_be_claimed and self._grounds.claimed.is_done(self.text)
        return "" if is_done and not self._has_said else self._taken(len(self._kept))

    def _taken(self, sentences: int) -> str:
        said = "".join(self._kept[:sentences])
        self._kept = self._kept[sentences:]
        self._has_said = self._has_said or bool(said)
        return said

    @property
    def text(self) -> str:
        """All held text."""
        return "".join(self._kept).strip()


def repeats_itself(chat_log: conversation.ChatLog, journal: Journal) -> bool:
    """Return True if the model's last message only has calls that lead nowhere.

    They were made before in this turn, or are refused for the second time: after one refusal, a
    model may still find the right call. An unreadable call is reported once.
    """
    messages = [
        item.tool_calls
        for item in chat_log.content[chat_log.turn_start :]
        if isinstance(item, conversation.AssistantContent) and item.tool_calls
    ]
    *earlier, last = messages or [[]]
    made = {entry.call_id for entry in journal.entries if entry.outcome is not Outcome.REFUSED}

    def leads_nowhere(call: llm.ToolInput) -> bool:
        what = call.tool_name, call.tool_args
        calls = [*chain(*earlier)]
        if isinstance(call, UnreadCall):
            return any(isinstance(each, UnreadCall) for each in calls)
        before = [each for each in calls if (each.tool_name, each.tool_args) == what]
        return len(before) > 1 or any(each.id in made for each in before)

    return bool(last) and all(map(leads_nowhere, last))
