"""What of a model's stream is let through, and until when."""

import asyncio
from contextlib import nullcontext

from homeassistant.components import conversation
from homeassistant.components.conversation import AssistantContentDeltaDict as Delta
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.models.client import Completion, Deltas, ModelError, Reason
from custom_components.voice_gateway.tools.api import AgentAPI
from custom_components.voice_gateway.tools.builtin import BuiltinTools
from custom_components.voice_gateway.tools.executor import ToolExecutor
from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.turn.claims import AnswerGrounds
from custom_components.voice_gateway.turn.speech_filter import SpeechFilter
from custom_components.voice_gateway.turn.streams import HeldText, async_receive, begun_by
from tests.extra_tools import API_ID, ExtraTool, add_tools
from tests.nlu.saying import hears


async def tools_of(hass: HomeAssistant) -> ToolExecutor:
    add_tools(hass, ExtraTool("act", dict))
    context = llm.LLMContext(DOMAIN, None, "en", "conversation", None)
    return await AgentAPI(hass, [API_ID], BuiltinTools(hass, {})).async_get_api_instance(context)


async def stream_of(*deltas: Delta) -> Deltas:
    for delta in deltas:
        yield delta.copy()


async def test_model_is_not_asked_when_the_time_is_up(hass: HomeAssistant) -> None:
    asked: list[str] = []

    async def stream() -> Deltas:
        asked.append("asked")
        yield {"content": "It is on."}

    log = conversation.ChatLog(hass, "log")
    with pytest.raises(ModelError) as error:
        await async_receive(log, "agent", stream(), Completion(), hass.loop.time() - 1)
    assert error.value.reason is Reason.TIMEOUT
    assert asked == []


@pytest.mark.parametrize(
    "begin",
    [
        {"content": "It"},
        {"thinking_content": "Hm"},
        {"tool_calls": [llm.ToolInput("act", {}, id="1")]},
    ],
)
async def test_what_has_begun_may_take_its_time(hass: HomeAssistant, begin: Delta) -> None:
    async def stream() -> Deltas:
        yield {"role": "assistant"}
        yield begin.copy()
        await asyncio.sleep(0.01)
        yield {"content": " is on."}

    found = [delta async for delta in begun_by(stream(), hass.loop.time() - 1)]
    assert found == [{"role": "assistant"}, begin, {"content": " is on."}]


async def test_who_only_says_who_it_is_has_not_begun(hass: HomeAssistant) -> None:
    is_closed = False

    async def stream() -> Deltas:
        nonlocal is_closed
        try:
            yield {"role": "assistant"}
            yield {"content": ""}
            await asyncio.Event().wait()
        finally:
            is_closed = True

    with pytest.raises(ModelError) as error:
        async for _ in begun_by(stream(), hass.loop.time() + 0.01):
            pass
    assert error.value.reason is Reason.TIMEOUT
    assert is_closed


LIT = "I've turned on the bed light."
ON_AND_ON = " ".join(["So do I"] * 60)
# What was said, what a model says in pieces, what of it is heard, and what is kept to its end.
SAYS: list[tuple[str, list[str], list[str], str]] = [
    # Talk, sentence by sentence.
    ("I like fans", ["So do I. And", " lamps. Do you?"], ["So do I.", " And lamps.", " Do you?"], ""),
    # From a claim on nothing is heard, be it true later; what it begins with neither.
    ("I like fans", ["So do I. ", LIT, " Bye."], ["So do I."], f"{LIT} Bye."),
    ("I like fans", ["Done!"], [], "Done!"),
    ("I like fans", ["Sure. ", LIT], [], f"Sure. {LIT}"),
    # Behind what was said it is talk.
    ("I like fans", ["So do I. ", "Done!"], ["So do I.", " Done!"], ""),
    # A sentence without an end.
    ("I like fans", [f"{LIT[:-1]} {'and so on ' * 50}"], [], f"{LIT[:-1]} {'and so on ' * 50}".strip()),
    ("I like fans", [f"{ON_AND_ON} ", "and"], [ON_AND_ON[:299], f"{ON_AND_ON[299:]} and"], ""),
    # What begins the answer to a request may be said before a call; a story is none.
    ("tell me a story", ["Well. ", "It rained."], ["Well. It rained."], ""),
    ("tell me a story", [f"{'Once ' * 30}. ", "It rained. ", "Bye."], [f"{'Once ' * 30}.", " It rained.", " Bye."], ""),
    # Of a command, nothing until it is done.
    ("turn on the bed light", ["It is on. ", "Bye."], [], "It is on. Bye."),
    # Who asks has not wanted anything done.
    ("what is a fan", ["It is ", "a thing."], ["It is a thing."], ""),
    # What the home would tell was not read.
    ("is the bed light on", ["It is ", "on."], [], "It is on."),
]  # fmt: skip


# The same, with a call at "()", or in one piece with what is said.
WITH_CALLS: list[tuple[str, list[str], list[str], str]] = [
    # What is plainly talk is heard before its call, in order; what follows is the next message's.
    ("I like fans", ["So do I", "()"], ["So do I", "()"], ""),
    ("I like fans", ["So do I", "()", " too"], ["So do I", "()"], "too"),
    ("what is a fan", ["Wait", "()"], ["Wait", "()"], ""),
    ("what is a fan", ["Wait", "() more"], ["Wait more", "()"], ""),
    # What may claim what the call is to do is not.
    ("I like fans", [LIT, "()"], ["()"], LIT),
    ("I like fans", ["Done!", "()", " Bye."], ["()"], "Done! Bye."),
    ("turn on the bed light", ["Sure.", "()"], ["()"], "Sure."),
    ("tell me a story", ["Sure.", "()"], ["()"], "Sure."),
    ("tell me a story", ["Sure. ", "()", "It rained."], ["()"], "Sure. It rained."),
    ("tell me a story", [f"{'Once ' * 30}. ", "()"], [f"{'Once ' * 30}.", "()"], ""),
]  # fmt: skip


@pytest.mark.parametrize("is_lost", [False, True])
@pytest.mark.parametrize(("said", "pieces", "utterance", "kept"), [*SAYS, *WITH_CALLS])
async def test_what_may_not_be_true_is_kept(
    home: HomeAssistant,
    said: str,
    pieces: list[str],
    utterance: list[str],
    kept: str,
    *,
    is_lost: bool,
) -> None:
    """Also where the model is lost at the end: what was begun and claims nothing is heard before."""
    call = llm.ToolInput("act", {})

    async def stream() -> Deltas:
        for piece in pieces:
            delta: Delta = {"tool_calls": [call]} if piece.startswith("()") else {}
            yield delta | ({"content": text} if (text := piece.removeprefix("()")) else {})
        if is_lost:
            raise ModelError(Reason.UNREACHABLE, "Lost")

    tools = (await tools_of(home)).for_turn(
        await hears(home, said), Journal(), home.loop.time() + 60
    )
    unsaid = HeldText(tools, AnswerGrounds(tools))
    found: list[str] = []
    with pytest.raises(ModelError) if is_lost else nullcontext():
        async for delta in unsaid.kept_from(SpeechFilter("en", ()).of(stream())):
            # What comes before the model is lost counts.
            found.append("()" if "tool_calls" in delta else delta["content"] or "")  # noqa: PERF401
    assert found == utterance
    assert unsaid.text == kept


async def test_what_is_done_may_be_told_at_once(home: HomeAssistant) -> None:
    tools = (await tools_of(home)).for_turn(
        await hears(home, "turn on the bed light"), Journal(), home.loop.time() + 60
    )
    tools.journal.begin(ExtraTool("act", dict), llm.ToolInput("act", {})).end(
        llm.ToolResult(data={"result": "Done"})
    )
    unsaid = HeldText(tools, AnswerGrounds(tools))
    stream = stream_of({"content": LIT}, {"content": " Bye."})
    assert [each["content"] async for each in unsaid.kept_from(stream)] == [LIT, " Bye."]
    assert unsaid.text == ""
