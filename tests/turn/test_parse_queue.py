"""Several who speak at once: who is heard when."""

import asyncio
from contextlib import nullcontext
from typing import Any

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.home.exposed import HomeWatch
from custom_components.voice_gateway.models.client import ModelError
from custom_components.voice_gateway.nlu import utterance
from custom_components.voice_gateway.nlu.home_assistant import default_agent
from custom_components.voice_gateway.nlu.utterance import RecognitionStatus, Utterance
from custom_components.voice_gateway.turn import parse_queue
from custom_components.voice_gateway.turn.parse_queue import async_hear
from tests.nlu.saying import saying


async def test_who_waits_for_home_assistant_holds_nobody_else_up(
    home: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reads a language for seconds the first time, in another thread."""
    agent = default_agent(home)
    assert agent
    recognized, go_on = agent.async_recognize_intent, asyncio.Event()

    async def recognize(said: Any, **more: Any) -> Any:
        if said.language == "fi":
            await go_on.wait()
        return await recognized(said, **more)

    monkeypatch.setattr(agent, "async_recognize_intent", recognize)
    monkeypatch.setattr(utterance, "PATIENCE", 60)
    monkeypatch.setattr(parse_queue, "_QUEUE", 0.01)
    devices = HomeWatch(home, CONVERSATION).home
    until = home.loop.time() + 20

    async def hear(text: str, language: str) -> Utterance:
        return await async_hear(home, saying(text, language=language), [], devices, until=until)

    waiting = [home.async_create_task(hear("sytytä valot", "fi")) for _ in range(4)]
    try:
        assert (await hear("turn on the bed light", "en")).status is RecognitionStatus.COMMAND
        assert not any(each.done() for each in waiting)
    finally:
        go_on.set()
    await asyncio.gather(*waiting)


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("lamp " * 800, True),
        ("불을 켜줘 " * 600, True),
        ("x" * 4001, False),
        ("\ufdfa" * 900, False),
        ("\u3316" * 2100, False),
        ("turn on " + "\ufdfb" * 1600, False),
    ],
)
async def test_sentence_that_is_too_long_is_not_read(
    home: HomeAssistant, text: str, *, is_read: bool
) -> None:
    """Also one that is only long for whoever takes its signs apart."""
    devices, until = HomeWatch(home, CONVERSATION).home, home.loop.time() + 60
    with nullcontext() if is_read else pytest.raises(ModelError):
        assert await async_hear(home, saying(text), [], devices, until=until)
