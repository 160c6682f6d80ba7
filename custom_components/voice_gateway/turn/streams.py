"""One message of a model, on its way into the chat log."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import aclosing
from dataclasses import asdict

from homeassistant.components import conversation

from ..const import LOGGER
from ..models.client import Completion, Deltas, ModelError, Reason
from ..names.matching import words
from ..tools.executor import ToolExecutor
from ..written_call import WrittenCall

# Calls written in one message that no sentence asks for.
_RAVING = 8
# Words that are no coincidence. "There is no device Sauna", of fewer, is an answer.
_REPEATED = 9


async def async_receive(
    chat_log: conversation.ChatLog,
    agent_id: str,
    stream: Deltas,
    completion: Completion,
    ends: float,
) -> None:
    """Add what a model streams to the chat log, and run its calls.

    It ends in time: at `ends`, of the event loop's clock. What came until then, or until a failure,
    is in the chat log, every call with its result. Raises ModelError.
    """
    failures: list[ModelError] = []
    async for _ in chat_log.async_add_delta_content_stream(
        agent_id, _in_time(stream, chat_log.hass.loop.time, ends, failures)
    ):
        pass
    chat_log.async_trace({"completion": asdict(completion)})
    if failures:
        raise failures[0]


async def _in_time(
    stream: Deltas, now: Callable[[], float], ends: float, failures: list[ModelError]
) -> Deltas:
    """Pass a stream on until it ends, fails, or the time is up.

    The failure is kept and not raised: the chat log takes what came before it, with the results of
    calls that are running.
    """
    too_late = ModelError(Reason.TIMEOUT, "The model took too long")
    async with aclosing(stream):
        try:
            # Also where a tool took all the time: then the model is not asked any more.
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


async def without_calls(stream: Deltas) -> Deltas:
    """Leave out calls: the model was asked to answer."""
    async for delta in stream:
        if calls := delta.pop("tool_calls", None):
            LOGGER.debug("Not called, the model was to answer: %s", calls)
        if delta:
            yield delta


async def one_by_one(stream: Deltas, tools: ToolExecutor) -> Deltas:
    """Make a call for each device where the model names several in one.

    A model that writes call after call raves: it is not heard to the end.
    """
    written = 0
    async with aclosing(stream):
        async for delta in stream:
            calls = [
                each for call in delta.get("tool_calls") or () for each in tools.one_by_one(call)
            ]
            if calls:
                delta["tool_calls"] = calls
            yield delta
            written += sum(isinstance(call, WrittenCall) for call in calls)
            if written >= _RAVING:
                LOGGER.debug("Broken off after %d calls", written)
                return


def repeats(text: str, told: Iterable[str]) -> bool:
    """Tell whether a text is nothing but what the model was told: its instructions, or an error."""
    said = " ".join(words(text)).removeprefix("error ")
    return len(said.split()) >= _REPEATED and any(said in " ".join(words(each)) for each in told)


def repeats_itself(chat_log: conversation.ChatLog) -> bool:
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
