"""Someone speaks to the house, which does it and says so.

The sound is real, as are all that it goes through: Home Assistant, its Wyoming integration, Whisper,
eSpeak. Only the language model writes what the tests say.
"""

import re
import sys

import pytest
from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient

from .conftest import VoiceHouse
from .engines.espeak import spoken
from .satellite import Exchange, decoded

pytestmark = [pytest.mark.voice, pytest.mark.asyncio(loop_scope="module")]

KITCHEN = '{"name": "HassTurnOn", "arguments": {"name": "Kitchen Lights"}}'
BEGIN = (
    "The lights in the kitchen are switched off at the moment. The window in the kitchen is open,"
    " and the front door is locked for the night. "
)
REST = "Nothing else needs your attention this evening."


async def test_a_spoken_sentence_turns_on_the_lights_and_is_answered_aloud(
    house: VoiceHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    house.model.scripts.append([KITCHEN])
    assert await _state(house, "light.kitchen_lights") == "off"

    exchange = await house.satellite.say(await spoken("Turn on the kitchen lights."))

    (heard,) = exchange.of_type("stt-end")
    text = heard["stt_output"]["text"]
    assert words(text) == words("turn on the kitchen lights")
    # It was the model's own call that did it, at the first time of asking.
    assert [text in prompt for prompt in house.model.prompts].count(True) == 1
    assert house.model.scripts == []
    assert await _state(house, "light.kitchen_lights") == "on"

    (written,) = exchange.of_type("tts-start")
    answer = written["tts_input"]
    assert {"turned", "on"} <= words(answer)
    again = await _understood(house, exchange, answer)

    steps = "".join(f"\n  {step:<16}{secs:6.2f} s" for step, secs in exchange.seconds().items())
    with capsys.disabled():
        sys.stdout.write(f"\n  heard: {text}\n  answered: {answer}\n  understood: {again}{steps}\n")


async def test_home_assistants_debug_view_has_the_run_with_our_agent_and_its_call(
    house: VoiceHouse,
) -> None:
    house.model.scripts.append([KITCHEN])
    exchange = await house.satellite.say(await spoken("Turn on the kitchen lights."))

    pipeline_id = house.satellite.pipeline_id
    listed = await house.api.command("assist_pipeline/pipeline_debug/list", pipeline_id=pipeline_id)
    shown = await house.api.command(
        "assist_pipeline/pipeline_debug/get",
        pipeline_id=pipeline_id,
        pipeline_run_id=listed["pipeline_runs"][-1]["pipeline_run_id"],
    )
    assert shown["events"] == exchange.events

    run = Exchange(shown["events"])
    (start,) = run.of_type("intent-start")
    assert start["engine"] == house.agent_id
    deltas = [data.get("chat_log_delta", {}) for data in run.of_type("intent-progress")]
    (call,) = [call for delta in deltas for call in delta.get("tool_calls") or ()]
    assert call["tool_name"] == "intent__HassTurnOn"
    assert "tool_result" in [delta.get("role") for delta in deltas]
    (end,) = run.of_type("intent-end")
    assert not end["processed_locally"]
    assert end["intent_output"]["response"]["response_type"] == "action_done"


@pytest.mark.requirement("J1")
async def test_a_long_answer_is_heard_while_the_model_still_writes(house: VoiceHouse) -> None:
    # The model goes on only when the loudspeaker has begun.
    house.model.scripts.append([BEGIN, house.satellite.playing, REST])

    exchange = await house.satellite.say(await spoken("What is the state of the kitchen?"))

    assert exchange.of_type("intent-end"), "Nothing was heard until the run took too long."
    assert exchange.times["first sound"] < exchange.times["intent-end"]
    again = await _understood(house, exchange, BEGIN + REST)
    assert {"attention", "evening"} <= words(again)


async def _state(house: VoiceHouse, entity_id: str) -> str:
    state: str = (await house.api.states())[entity_id]["state"]
    return state


async def _understood(house: VoiceHouse, exchange: Exchange, answer: str) -> str:
    """Return what the sound says to somebody who listens to it, which is to be the answer."""
    assert exchange.content_type == "audio/mpeg"
    samples = await decoded(exchange.sound)
    assert 0.5 < len(samples) / 2 / 16000 < 15
    async with AsyncTcpClient("127.0.0.1", house.whisper_port) as whisper:
        await whisper.write_event(Transcribe(language="en").event())
        await whisper.write_event(AudioStart(16000, 2, 1).event())
        await whisper.write_event(AudioChunk(16000, 2, 1, samples).event())
        await whisper.write_event(AudioStop().event())
        event = await whisper.read_event()
    assert event
    text = Transcript.from_event(event).text
    # The smallest Whisper mistakes a word of a robot's voice now and then.
    assert len(words(text) & words(answer)) >= 2 / 3 * len(words(answer)), text
    return text


def words(text: str) -> set[str]:
    """Return the words of a text, in whatever case and between whatever signs."""
    return set(re.findall(r"[a-z0-9']+", text.lower()))
